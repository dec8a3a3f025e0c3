//! The folder that keeps fetched engines, and how an engine in it is started.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use directories::BaseDirs;

use super::{Engine, EnginePackage, Origin, ProbeError};

/// The environment variable that puts the cache elsewhere than in the user's cache folder.
pub const CACHE_VARIABLE: &str = "VARBYTES_CACHE";

/// The folder of all fetched engines, or `None` where the user has no home and [`CACHE_VARIABLE`]
/// is unset.
pub(super) fn engines_folder() -> Option<PathBuf> {
    let cache = match env::var_os(CACHE_VARIABLE) {
        Some(folder) if !folder.is_empty() => std::path::absolute(folder).ok()?,
        _ => BaseDirs::new()?.cache_dir().to_owned(),
    };
    Some(cache.join("varbytes").join("engines"))
}

/// The name of a package's folder among the engines.
pub(super) fn folder_name(package: EnginePackage) -> String {
    format!("{}-{}", package.name, package.suite)
}

/// The engine fetched before, if there is one. Its folder gets its name only when complete, so
/// existing is enough.
pub(super) fn find(engines: &Path, package: EnginePackage) -> Result<Option<Engine>, ProbeError> {
    let root = engines.join(folder_name(package));
    match launcher(&root, package.name) {
        Some(launcher) => Engine::probe(launcher, Origin::Cache).map(Some),
        None => Ok(None),
    }
}

/// How to start the program `name` of the unpacked packages under `root`: by their own loader,
/// which is told to take all libraries from there. So neither the machine's C library nor its age
/// matters.
pub(super) fn launcher(root: &Path, name: &str) -> Option<Vec<OsString>> {
    let program =
        ["usr/bin", "usr/games"].iter().map(|folder| root.join(folder).join(name)).find(|path| path.is_file())?;
    let mut found = Libraries::default();
    // Before the merge of /usr, packages put the C library under /lib.
    found.search(&root.join("usr/lib"));
    found.search(&root.join("lib"));
    let loader = found.loader?;
    let folders = env::join_paths(found.folders).ok()?;
    Some(vec![loader.into(), "--library-path".into(), folders, program.into()])
}

/// The folders that hold shared libraries. They are looked for, since some packages keep private
/// ones in a folder of their own (`pulseaudio/`) whose absolute path, compiled in, leads nowhere
/// here.
#[derive(Default)]
struct Libraries {
    folders: BTreeSet<PathBuf>,
    loader: Option<PathBuf>,
}

impl Libraries {
    fn search(&mut self, folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            // Links to folders are not followed: they may lead out of the root, and what they lead
            // to is met anyway.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.search(&path);
                continue;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with("lib") && name.contains(".so") {
                self.folders.insert(folder.to_owned());
            }
            // `ld-linux-x86-64.so.2`, `ld-linux-aarch64.so.1`, `ld64.so.2`
            if (name.starts_with("ld-linux") || name.starts_with("ld64")) && name.contains(".so") {
                self.loader = Some(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, file: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, "").expect("a file");
    }

    #[test]
    fn the_launcher_names_every_library_folder() {
        let root = tempfile::tempdir().expect("a folder");
        put(root.path(), "usr/games/godot3-server");
        put(root.path(), "usr/lib/riscv64-linux-gnu/libz.so.1");
        put(root.path(), "usr/lib/riscv64-linux-gnu/pulseaudio/libpulsecommon-17.0.so");
        put(root.path(), "usr/lib/python3/notes.txt");
        put(root.path(), "lib/riscv64-linux-gnu/ld-linux-riscv64-lp64d.so.1");
        put(root.path(), "lib/riscv64-linux-gnu/libc.so.6");
        let words = launcher(root.path(), "godot3-server").expect("a launcher");
        let inside = |path: &str| root.path().join(path).into_os_string();
        assert_eq!(words[0], inside("lib/riscv64-linux-gnu/ld-linux-riscv64-lp64d.so.1"));
        assert_eq!(words[3], inside("usr/games/godot3-server"));
        let folders: Vec<_> = env::split_paths(&words[2]).map(PathBuf::into_os_string).collect();
        let expected = ["lib/riscv64-linux-gnu", "usr/lib/riscv64-linux-gnu", "usr/lib/riscv64-linux-gnu/pulseaudio"];
        assert_eq!(folders, expected.map(inside));
    }

    #[test]
    fn half_an_engine_has_no_launcher() {
        let root = tempfile::tempdir().expect("a folder");
        put(root.path(), "usr/bin/godot");
        assert_eq!(launcher(root.path(), "godot"), None);
        put(root.path(), "usr/lib/x/ld-linux-x86-64.so.2");
        assert_eq!(launcher(root.path(), "godot3-server"), None);
        assert!(launcher(root.path(), "godot").is_some());
    }
}
