//! The cache folder for fetched engines, and how to start an engine in it.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use directories::BaseDirs;

use super::{Engine, EnginePackage, Origin, ProbeError};

/// The environment variable with another cache folder than the user's.
pub const CACHE_VARIABLE: &str = "VARBYTES_CACHE";

/// Other users can write to a folder of the cache, so no program in it is started.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` {problem}, so a program in it may come from another user; use a folder that belongs to you and that only you \
     can write to (`chmod go-w`), or set {CACHE_VARIABLE} to another cache folder",
    path.display()
)]
pub struct UntrustedCache {
    /// The folder.
    pub path: PathBuf,
    /// A description of the problem.
    pub problem: String,
}

/// Returns the folder of all fetched engines, or `None` if the user has no home and [`CACHE_VARIABLE`] is unset.
///
/// # Errors
///
/// [`UntrustedCache`] if others can write to it, or to a folder above it within the cache.
pub(super) fn engines_folder() -> Result<Option<PathBuf>, UntrustedCache> {
    folder("engines")
}

/// Returns another folder of the cache, as [`engines_folder`].
pub(super) fn folder(name: &str) -> Result<Option<PathBuf>, UntrustedCache> {
    let cache = match env::var_os(CACHE_VARIABLE) {
        Some(folder) if !folder.is_empty() => std::path::absolute(folder).ok(),
        _ => BaseDirs::new().map(|folders| folders.cache_dir().to_owned()),
    };
    cache.map(|cache| folder_in(&cache, name)).transpose()
}

fn folder_in(cache: &Path, name: &str) -> Result<PathBuf, UntrustedCache> {
    require_trusted(cache)?;
    // Without symbolic links, whose target could change later.
    let mut folder = fs::canonicalize(cache).unwrap_or_else(|_| cache.to_owned());
    for name in ["varbytes", name] {
        folder.push(name);
        require_trusted(&folder)?;
    }
    Ok(folder)
}

/// Creates a folder, and the folders above it, that nobody else can write to.
pub(super) fn create(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Checks that a folder, if it exists, belongs to this user or to root, and only the owner can write to it.
#[cfg(unix)]
fn require_trusted(folder: &Path) -> Result<(), UntrustedCache> {
    use std::os::unix::fs::MetadataExt;

    let untrusted = |problem| Err(UntrustedCache { path: folder.to_owned(), problem });
    let found = match fs::metadata(folder) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return untrusted(format!("cannot be examined ({error})")),
    };
    let user = rustix::process::geteuid().as_raw();
    if found.uid() != user && found.uid() != 0 {
        return untrusted(format!("belongs to user {}, and you are user {user}", found.uid()));
    }
    if found.mode() & 0o022 != 0 {
        return untrusted(format!("can be written to by others (mode {:o})", found.mode() & 0o7777));
    }
    Ok(())
}

/// Only Unix has apt to fill the cache, so owners and modes are only checked there.
#[cfg(not(unix))]
fn require_trusted(_folder: &Path) -> Result<(), UntrustedCache> {
    Ok(())
}

/// Returns the name of a package's folder in the cache.
pub(super) fn folder_name(package: EnginePackage) -> String {
    let machine = package.machine.map_or(String::new(), |machine| format!("-{}", machine.name));
    format!("{}-{}{machine}", package.name, package.suite)
}

/// An error with a fetched engine.
#[derive(Debug, thiserror::Error)]
pub(super) enum CacheError {
    #[error(transparent)]
    Untrusted(#[from] UntrustedCache),
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Returns the engine that was fetched before, if there is one. Its folder gets its name only when complete, so
/// existence is enough.
pub(super) fn find(engines: &Path, package: EnginePackage) -> Result<Option<Engine>, CacheError> {
    let root = engines.join(folder_name(package));
    require_trusted(&root)?;
    match launcher(&root, package) {
        Some(launcher) => Ok(package.probe(launcher, Origin::Cache).map(Some)?),
        None => Ok(None),
    }
}

/// Returns the command to start the program of the unpacked packages under `root`: with their own loader and
/// libraries, independent of the system's C library, and with an emulator if they are for another machine.
pub(super) fn launcher(root: &Path, package: EnginePackage) -> Option<Vec<OsString>> {
    let emulator = match package.machine {
        Some(machine) => Some(machine.emulator()?),
        None => None,
    };
    let mut words: Vec<OsString> = emulator.into_iter().collect();
    words.extend(loaded(root, package.name)?);
    Some(words)
}

fn loaded(root: &Path, name: &str) -> Option<[OsString; 4]> {
    let program =
        ["usr/bin", "usr/games"].iter().map(|folder| root.join(folder).join(name)).find(|path| path.is_file())?;
    let mut found = Libraries::default();
    // Before /usr was merged, packages put the C library under /lib.
    found.search(&root.join("usr/lib"));
    found.search(&root.join("lib"));
    let loader = found.loader?;
    let folders = env::join_paths(found.folders).ok()?;
    Some([loader.into(), "--library-path".into(), folders, program.into()])
}

/// Returns the folders with shared libraries. They are searched, because some packages have private libraries in a
/// separate folder (`pulseaudio/`) whose compiled-in absolute path is not valid here.
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
            // Links to folders are not followed: they may lead out of the root, and their targets in the root are
            // visited anyway.
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
        let words = loaded(root.path(), "godot3-server").expect("a launcher");
        let inside = |path: &str| root.path().join(path).into_os_string();
        assert_eq!(words[0], inside("lib/riscv64-linux-gnu/ld-linux-riscv64-lp64d.so.1"));
        assert_eq!(words[3], inside("usr/games/godot3-server"));
        let folders: Vec<_> = env::split_paths(&words[2]).map(PathBuf::into_os_string).collect();
        let expected = ["lib/riscv64-linux-gnu", "usr/lib/riscv64-linux-gnu", "usr/lib/riscv64-linux-gnu/pulseaudio"];
        assert_eq!(folders, expected.map(inside));
    }

    #[cfg(unix)]
    mod trust {
        use std::os::unix::fs::{PermissionsExt, chown};

        use rstest::rstest;

        use super::*;

        fn cache() -> tempfile::TempDir {
            let cache = tempfile::tempdir().expect("a folder");
            create(&cache.path().join("varbytes/engines/godot-forky")).expect("folders");
            cache
        }

        fn set_mode(path: &Path, mode: u32) {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
        }

        #[test]
        fn the_users_own_folder_is_used() {
            let cache = cache();
            let engines = folder_in(cache.path(), "engines").expect("trusted");
            assert!(engines.ends_with("varbytes/engines") && engines.is_dir());
            assert!(matches!(find(&engines, EnginePackage::GODOT_4), Ok(None)));
        }

        #[test]
        fn a_missing_folder_is_created_for_its_user_only() {
            let cache = tempfile::tempdir().expect("a folder");
            let engines = folder_in(&cache.path().join("new"), "engines").expect("nothing to distrust");
            create(&engines).expect("folders");
            let mode = fs::metadata(&engines).expect("a folder").permissions().mode();
            assert_eq!(mode & 0o7777, 0o700);
        }

        #[rstest]
        fn a_folder_that_others_can_write_to_is_refused(
            #[values("", "varbytes", "varbytes/engines", "varbytes/engines/godot-forky")] folder: &str,
            #[values(0o777, 0o1777, 0o775, 0o757, 0o702)] mode: u32,
        ) {
            let cache = cache();
            let folder = cache.path().join(folder);
            set_mode(&folder, mode);
            let found = folder_in(cache.path(), "engines")
                .map_err(CacheError::from)
                .and_then(|engines| find(&engines, EnginePackage::GODOT_4));
            let error = found.expect_err("refused").to_string();
            assert!(error.contains(&format!("written to by others (mode {mode:o})")), "{error}");
            assert!(error.contains(CACHE_VARIABLE) && error.contains("chmod go-w"), "{error}");
        }

        #[test]
        fn a_folder_of_another_user_is_refused() {
            let cache = cache();
            let folder = cache.path().join("varbytes");
            if let Err(error) = chown(&folder, Some(12_345), None) {
                // Only root can change the owner of a folder.
                assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
                println!("NOTICE: not tested with a folder of another user, because only root can create one");
                return;
            }
            let error = folder_in(cache.path(), "engines").expect_err("refused").to_string();
            assert!(error.contains("belongs to user 12345"), "{error}");
        }
    }

    #[test]
    fn an_incomplete_engine_has_no_launcher() {
        let root = tempfile::tempdir().expect("a folder");
        put(root.path(), "usr/bin/godot");
        assert_eq!(loaded(root.path(), "godot"), None);
        put(root.path(), "usr/lib/x/ld-linux-x86-64.so.2");
        assert_eq!(loaded(root.path(), "godot3-server"), None);
        assert!(loaded(root.path(), "godot").is_some());
    }
}
