//! The tools that build for other platforms. Each is installed into the cache where it is missing, in one version.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{CACHE_VARIABLE, cache_folder};

/// zig, which links for every platform and brings their system libraries.
const ZIG: PythonPackage = PythonPackage { name: "ziglang", version: "0.15.2", program: "ziglang/zig" };

/// Cargo with zig as the linker.
const CARGO_ZIGBUILD: PythonPackage =
    PythonPackage { name: "cargo-zigbuild", version: "0.24.0", program: "bin/cargo-zigbuild" };

/// A package of Python's that contains a program, built for this machine.
#[derive(Clone, Copy, Debug)]
struct PythonPackage {
    name: &'static str,
    version: &'static str,
    program: &'static str,
}

/// A command of a crate.
#[derive(Clone, Copy, Debug)]
pub struct CrateTool {
    name: &'static str,
    version: &'static str,
    program: &'static str,
    features: &'static [&'static str],
}

/// Joins the libraries of two machines for macOS and signs the result.
pub const RCODESIGN: CrateTool =
    CrateTool { name: "apple-codesign", version: "0.29.0", program: "rcodesign", features: &["--no-default-features"] };

/// Collects the licences of all crates.
pub const CARGO_ABOUT: CrateTool =
    CrateTool { name: "cargo-about", version: "0.9.3", program: "cargo-about", features: &["--features", "cli"] };

/// The folder of the tools.
pub struct Tools(PathBuf);

impl Tools {
    /// Finds the folder.
    ///
    /// # Errors
    /// Returns an error if there is no cache folder or others can write to it.
    pub fn find() -> Result<Self> {
        let folder = cache_folder("build-tools").context("the cache folder cannot be used")?;
        Ok(Self(folder.with_context(|| format!("there is no cache folder; set {CACHE_VARIABLE} to one"))?))
    }

    /// Compiles a C file to a library for 64-bit Windows.
    ///
    /// # Errors
    /// Returns an error if zig cannot be installed, or cannot compile it.
    pub fn windows_library(&self, source: &Path, library: &Path) -> Result<()> {
        let mut zig = Command::new(self.of_python(ZIG)?);
        zig.args(["cc", "-target", "x86_64-windows-gnu", "-shared", "-o"]).arg(library).arg(source).arg("-ladvapi32");
        run(zig.env("ZIG_GLOBAL_CACHE_DIR", self.0.join("zig")), &format!("compiling {}", source.display()))
    }

    /// Returns a command that runs a subcommand of cargo-zigbuild, with zig.
    ///
    /// # Errors
    /// Returns an error if a tool cannot be installed.
    pub fn zigbuild(&self, subcommand: &str) -> Result<Command> {
        let mut command = Command::new(self.of_python(CARGO_ZIGBUILD)?);
        command.arg(subcommand).env("CARGO_ZIGBUILD_ZIG_PATH", self.of_python(ZIG)?);
        // Beside the tools, so that it is removed with them.
        command
            .env("CARGO_ZIGBUILD_CACHE_DIR", self.0.join("zigbuild"))
            .env("ZIG_GLOBAL_CACHE_DIR", self.0.join("zig"));
        Ok(command)
    }

    /// Returns the program of a crate.
    ///
    /// # Errors
    /// Returns an error if it cannot be installed.
    pub fn of_crate(&self, tool: CrateTool) -> Result<PathBuf> {
        let root = self.0.join(format!("{}-{}", tool.name, tool.version));
        let program = root.join("bin").join(tool.program).with_extension(env::consts::EXE_EXTENSION);
        if !program.is_file() {
            let mut cargo = Command::new(cargo());
            // Without optimization and debug information, which take longer than the tool is used.
            cargo.args(["install", "--locked", "--debug", "--version", tool.version]).args(tool.features);
            cargo.arg("--root").arg(&root).arg(tool.name).env("CARGO_PROFILE_DEV_DEBUG", "none");
            run(&mut cargo, &format!("installing {} {}", tool.name, tool.version))?;
        }
        Ok(program)
    }

    fn of_python(&self, package: PythonPackage) -> Result<PathBuf> {
        let root = self.0.join(format!("{}-{}", package.name, package.version));
        let program = root.join(package.program).with_extension(env::consts::EXE_EXTENSION);
        if !program.is_file() {
            let unpacked = tempfile::tempdir_in(&self.0).context("cannot create a folder for a tool")?;
            let mut pip = Command::new(if cfg!(windows) { "python" } else { "python3" });
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"]);
            pip.arg(unpacked.path()).arg(format!("{}=={}", package.name, package.version));
            run(&mut pip, &format!("installing {} {}", package.name, package.version))?;
            fs::rename(unpacked.keep(), &root).context("cannot rename the folder of a tool")?;
        }
        ensure!(program.is_file(), "the package {} has no {}", package.name, package.program);
        Ok(program)
    }
}

/// Installs the standard library of a target where it is missing.
///
/// # Errors
/// Returns an error if it cannot be installed.
pub fn add_target(target: &str) -> Result<()> {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start rustc")?;
    if Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir() {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    run(rustup.args(["target", "add", target]), &format!("installing the standard library of {target}"))
}

/// Returns cargo, which sets this variable when it runs this program.
pub(crate) fn cargo() -> std::ffi::OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a command whose messages are shown.
pub(crate) fn run(command: &mut Command, what: &str) -> Result<()> {
    eprintln!("{what}");
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.stdout(Stdio::null()).status().with_context(|| format!("{what}: cannot start `{program}`"))?;
    ensure!(status.success(), "{what}: `{program}` ended with {status}; its message is above");
    Ok(())
}
