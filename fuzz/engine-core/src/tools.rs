//! The tools that build a core: clang and `scons`, from the system or fetched for it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use varbytes_conformance::engine::{Progress, fetch_tools};

use crate::core::{cache, unfinished};

/// The packages to fetch; of each list, the first that exists.
const PACKAGES: [&[&str]; 7] = [
    &["clang-19", "clang"],
    // With the runtime that counts lines, and the program that shows them.
    &["libclang-rt-19-dev", "libclang-rt-dev"],
    &["llvm-19", "llvm"],
    &["scons"],
    &["libmbedtls-dev"],
    &["libzstd-dev"],
    &["libpng-dev"],
];

/// Headers of the libraries.
const HEADERS: [&str; 4] = ["zlib.h", "zstd.h", "mbedtls/aes.h", "png.h"];

/// The names of the compiler, best first.
const COMPILERS: [&str; 4] = ["clang++", "clang++-19", "clang++-21", "clang++-16"];

const NEEDED: &str =
    "clang (with its C++ compiler), SCons, and the development files of zlib, zstd, mbedTLS and libpng";

/// The folder with the wrapper scripts, and what they use.
pub(crate) struct Tools {
    /// Scripts `clang`, `clang++` and `pkg-config`.
    scripts: PathBuf,
    /// Fetched packages; `None` if the system has the tools.
    root: Option<PathBuf>,
}

impl Tools {
    /// Finds the tools, or fetches them.
    pub fn prepare(progress: &mut Progress) -> Result<Self> {
        let folder = cache()?;
        let root = folder.join("tools");
        let root = if root.is_dir() && has_headers(Some(&root)) {
            Some(root)
        } else if system_has_tools() {
            None
        } else {
            let unfinished = unfinished("tools")?;
            eprintln!("fetching clang and SCons for this system");
            fetch_tools(&PACKAGES, &unfinished, progress)
                .with_context(|| format!("cannot fetch the tools; install {NEEDED}"))?;
            if root.is_dir() {
                fs::remove_dir_all(&root).context("cannot remove the folder of tools")?;
            }
            fs::rename(&unfinished, &root).context("cannot rename the folder of tools")?;
            Some(root)
        };
        let tools = Self { scripts: folder.join("scripts"), root };
        tools.write_scripts()?;
        Ok(tools)
    }

    /// Returns the command of `scons`.
    pub fn scons(&self) -> Result<Command> {
        let mut command = match &self.root {
            None => Command::new("scons"),
            Some(root) => {
                let mut command = Command::new("python3");
                command.args(["-m", "SCons"]).env("PYTHONPATH", root.join("usr/lib/python3/dist-packages"));
                command
            }
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.scripts.clone()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).context("a folder on PATH cannot be used")?);
        command.env("PKG_CONFIG_PATH", &self.scripts);
        Ok(command)
    }

    /// Returns a script: `clang` or `clang++`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.scripts.join(name)
    }

    /// Returns the linker's options for the libraries of a core.
    pub fn libraries(&self) -> Vec<OsString> {
        let mut options = Vec::new();
        for folder in self.root.iter().flat_map(|root| library_folders(root)) {
            options.extend(["-L".into(), folder.clone().into(), "-Xlinker".into(), "-rpath".into()]);
            options.extend(["-Xlinker".into(), folder.into()]);
        }
        options.extend(["mbedtls", "mbedx509", "mbedcrypto", "zstd", "z"].map(|name| format!("-l{name}").into()));
        options
    }

    fn write_scripts(&self) -> Result<()> {
        fs::create_dir_all(&self.scripts).context("cannot create the folder of scripts")?;
        // Only headers and libraries that are named are used, so the core does not depend on what is installed.
        self.write_script("pkg-config", "exit 0")?;
        // Godot 3.2 prefers the system's `pkg-config`.
        for name in ["libzstd", "zlib"] {
            let text = format!("Name: {name}\nDescription: {name}\nVersion: 1\n");
            fs::write(self.scripts.join(format!("{name}.pc")), text).context("cannot write a file for pkg-config")?;
        }
        match &self.root {
            None => {
                let compiler = COMPILERS.iter().find_map(|name| which::which(name).ok()).context("no clang++")?;
                let compiler = compiler.display().to_string();
                self.write_script("clang++", &format!("exec '{compiler}' \"$@\""))?;
                self.write_script("clang", &format!("exec '{}' \"$@\"", compiler.replace("clang++", "clang")))?;
                for name in ["llvm-cov", "llvm-profdata"] {
                    let program = compiler.replace("clang++", name);
                    self.write_script(name, &format!("exec '{program}' \"$@\""))?;
                }
            }
            Some(root) => {
                let libraries: Vec<_> = library_folders(root).map(|folder| folder.display().to_string()).collect();
                let libraries = libraries.join(":");
                for name in ["clang", "clang++", "llvm-cov", "llvm-profdata"] {
                    let program = fetched(root, name).with_context(|| format!("{name} was not fetched"))?;
                    let headers = if name.starts_with("clang") {
                        format!("-isystem '{}'", root.join("usr/include").display())
                    } else {
                        String::new()
                    };
                    let text =
                        format!("export LD_LIBRARY_PATH='{libraries}'\nexec '{}' {headers} \"$@\"", program.display());
                    self.write_script(name, &text)?;
                }
            }
        }
        Ok(())
    }

    fn write_script(&self, name: &str, text: &str) -> Result<()> {
        let path = self.scripts.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).with_context(|| format!("cannot write {}", path.display()))?;
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .with_context(|| format!("cannot make {} executable", path.display()))?;
        Ok(())
    }
}

/// Returns the script that starts one of LLVM's tools, `llvm-cov` or `llvm-profdata`. It exists when a core was built.
///
/// # Errors
/// If there is no cache folder.
pub fn llvm_tool(name: &str) -> Result<PathBuf> {
    Ok(cache()?.join("scripts").join(name))
}

/// Returns the program of a fetched package, whose name may end with a version.
fn fetched(root: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(root.join("usr/lib")).ok()?.flatten();
    let folders = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("llvm-"));
    folders.map(|entry| entry.path().join("bin").join(name)).find(|path| path.is_file())
}

/// Returns the folders with the libraries of fetched packages.
fn library_folders(root: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(root.join("usr/lib")).into_iter().flatten().flatten();
    let folders = entries.map(|entry| entry.path()).map(|folder| match folder.join("lib") {
        libraries if libraries.is_dir() => libraries,
        _ => folder,
    });
    folders.filter(|folder| folder.is_dir() && !folder.ends_with("python3")).collect::<Vec<_>>().into_iter()
}

/// Returns whether clang, `scons` and the headers are installed.
fn system_has_tools() -> bool {
    COMPILERS.iter().any(|name| which::which(name).is_ok()) && which::which("scons").is_ok() && has_headers(None)
}

/// Returns whether the system or the folder of fetched packages has every header.
fn has_headers(root: Option<&Path>) -> bool {
    let folders = [Some(Path::new("/usr/include").to_owned()), root.map(|root| root.join("usr/include"))];
    HEADERS.iter().all(|header| folders.iter().flatten().any(|folder| folder.join(header).is_file()))
}

/// Runs a command, and returns the end of its output as the error if it fails.
pub(crate) fn run(command: &mut Command, what: &str) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot start {what}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().collect();
    bail!("{what} failed ({}):\n{}", output.status, lines[lines.len().saturating_sub(20)..].join("\n"))
}
