//! Builds the library of the addon.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::manifest::Library;
use crate::platform::Floor;
use crate::tools::{self, RCODESIGN, Tools};

/// The package of the extension.
const PACKAGE: &str = "varbytes-godot";

/// The package of the codec's command.
const COMMAND: &str = "varbytes-cli";

/// The package of the program that loads the library without an engine.
const HOST: &str = "varbytes-host";

/// The package of the Rust test suite.
const PARITY: &str = "varbytes-parity";

/// Published files need no debug information and should not contain local paths. The decoder and the builder of engine values are in
/// different crates and have to be inlined into one loop. The bindings of the engine are optimized again in that step.
const PROFILE: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_DEBUG", "none"),
    ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
    ("CARGO_PROFILE_RELEASE_LTO", "fat"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
];

/// Who links.
pub enum Linker {
    /// The system's linker, for this machine.
    System,
    /// zig, for any platform.
    Zig(Tools),
}

/// Builds a library into `folder`, under its name in the `.gdextension` file. Both kinds are optimized. Only the library for
/// the editor contains the text of the editor help.
///
/// # Errors
/// Returns an error if the library cannot be built.
pub fn build(repository: &Path, library: &Library, linker: &Linker, folder: &Path) -> Result<()> {
    let target = folder.join(&library.path);
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    }
    let platform = library.platform();
    if !platform.is_every_mac() {
        let built = cargo(repository, library, linker, platform.targets().first().copied())?;
        fs::copy(&built, &target).with_context(|| format!("cannot copy {}", built.display()))?;
        return Ok(());
    }
    let mut parts = Vec::new();
    for machine in platform.targets() {
        // The second build would overwrite the first, which has the same name.
        let kept = folder.join(format!("{machine}.dylib"));
        fs::copy(cargo(repository, library, linker, Some(machine))?, &kept)
            .context("cannot copy the library of one target")?;
        parts.push(kept);
    }
    let (mut join, mut sign) = match linker {
        Linker::System => {
            let (mut join, mut sign) = (Command::new("lipo"), Command::new("codesign"));
            join.arg("-create").arg("-output").arg(&target);
            sign.args(["--force", "--sign", "-"]).arg(&target);
            (join, sign)
        }
        Linker::Zig(tools) => {
            let program = tools.of_crate(RCODESIGN)?;
            let (mut join, mut sign) = (Command::new(&program), Command::new(&program));
            join.arg("macho-universal-create").arg("--output").arg(&target);
            sign.arg("sign").arg(&target);
            (join, sign)
        }
    };
    tools::run(join.args(&parts), "joining the libraries of both machines")?;
    // Without a certificate: ad hoc.
    tools::run(&mut sign, "signing the library")
}

/// Builds the Rust test suite, a separate extension. Returns the path of its library.
///
/// # Errors
/// Returns an error if it cannot be built.
pub fn build_parity(repository: &Path) -> Result<PathBuf> {
    let manifest = repository.join("rust/parity/Cargo.toml");
    let mut command = system_cargo("build");
    // Not optimized, so that the bindings are the same as in the tests of the workspace.
    command.args(["--message-format", "json-render-diagnostics", "--manifest-path"]).arg(manifest);
    artifact(&mut command, PARITY, "cdylib")
}

/// Builds the program that loads the addon's library without an engine, and the command of the codec. Returns their paths.
///
/// # Errors
/// Returns an error if one cannot be built.
pub fn build_programs(repository: &Path, tools: &Tools, target: &str) -> Result<[PathBuf; 2]> {
    tools::add_target(target)?;
    let build = |package: &str| {
        let mut command = tools.zigbuild("zigbuild")?;
        command.current_dir(repository).args(["--target", target, "--message-format", "json-render-diagnostics"]);
        artifact(command.args(["--package", package]), package, "bin")
    };
    Ok([build(HOST)?, build(COMMAND)?])
}

/// Returns a command that compares another command of the codec with the vectors.
#[must_use]
pub fn conformance_check(repository: &Path, command: &str) -> Command {
    let mut check = system_cargo("run");
    check.current_dir(repository).args([
        "--release",
        "--package",
        "varbytes-conformance",
        "--bin",
        "varbytes-conformance",
    ]);
    // An emulator takes seconds to start.
    check.args(["--", "check", "--time-limit", "120", "--command", command]);
    check
}

/// Runs cargo. Returns the path of the library.
fn cargo(repository: &Path, library: &Library, linker: &Linker, target: Option<&str>) -> Result<PathBuf> {
    let manifest = repository.join("rust/extension/Cargo.toml");
    let mut command = match linker {
        Linker::System => system_cargo("build"),
        Linker::Zig(tools) => tools.zigbuild("zigbuild")?,
    };
    command.args(["--release", "--message-format", "json-render-diagnostics", "--manifest-path"]);
    command.arg(&manifest).arg("--no-default-features");
    let extension = Extension::ask(&manifest)?;
    let features = extension.features(library);
    if !features.is_empty() {
        command.args(["--features", &features.join(",")]);
    }
    if !library.is_release() {
        // The editor reloads the library when its file changes. On Linux that requires unloading it, so the system must not
        // have to clean up its thread-local data. The bindings take care of that only in builds with debug assertions.
        // Without them, the first reload crashes the editor.
        command.args(["--config", "profile.release.package.godot-ffi.debug-assertions=true"]);
    }
    let zigs = matches!(linker, Linker::Zig(_));
    if let Some(Floor::Mac(major, minor)) = library.platform().floor() {
        command.env("MACOSX_DEPLOYMENT_TARGET", format!("{major}.{minor}"));
    }
    // The system's linker is for this machine, except on a Mac.
    if let Some(target) = target.filter(|_| zigs || library.platform().is_every_mac()) {
        tools::add_target(target)?;
        match library.platform().floor() {
            Some(Floor::Glibc(major, minor)) if zigs => {
                command.arg("--target").arg(format!("{target}.{major}.{minor}"))
            }
            _ => command.args(["--target", target]),
        };
    }
    for (name, value) in PROFILE {
        // A caller that only tries something can build with fewer passes.
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    command.args(["--config", "profile.release.package.'*'.codegen-units=16"]);
    // These flags are of no use to other builds, which would wait for this one.
    command.arg("--target-dir").arg(extension.target.join("libraries"));
    let mut flags = flags(repository, &extension.target);
    if library.platform().is_every_mac() {
        // Otherwise it is the path of the build.
        let name = library.path.rsplit('/').next().unwrap_or_default();
        flags.push(format!("-Clink-arg=-Wl,-install_name,@rpath/{name}"));
        // The signature needs a load command more. zig leaves no space for it.
        flags.push("-Clink-arg=-Wl,-headerpad_max_install_names".to_owned());
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    artifact(&mut command, PACKAGE, "cdylib")
}

/// Runs a build. Returns the path of the package's library or program.
fn artifact(command: &mut Command, package: &str, kind: &str) -> Result<PathBuf> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "{package} could not be built ({}); cargo's message is above", output.status);
    let package_id = format!("#{package}@");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).context("cargo printed something other than JSON")?;
        let is_it = message["reason"] == "compiler-artifact"
            && message["package_id"].as_str().is_some_and(|id| id.contains(&package_id))
            && message["target"]["kind"].as_array().is_some_and(|kinds| kinds.contains(&kind.into()));
        if is_it && let Some(path) = message["filenames"].as_array().and_then(|names| names.first()?.as_str()) {
            return Ok(path.into());
        }
    }
    bail!("cargo did not build {package}")
}

/// Returns the compiler's flags: those of the caller, and replacements for the local paths in messages.
fn flags(repository: &Path, target: &Path) -> Vec<String> {
    let given = env::var("RUSTFLAGS").unwrap_or_default();
    let mut flags: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
    for (folder, name) in local_folders(repository, target) {
        flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
    }
    flags
}

/// Returns the folders of a build, which must not be named in its result, and what is named instead.
fn local_folders(repository: &Path, target: &Path) -> Vec<(PathBuf, &'static str)> {
    let folders =
        [(Some(repository.to_owned()), "varbytes"), (cargo_home(), "cargo"), (Some(target.to_owned()), "target")];
    folders
        .into_iter()
        // A folder that does not exist yet cannot be canonicalized.
        .filter_map(|(folder, name)| folder.map(|folder| (fs::canonicalize(&folder).unwrap_or(folder), name)))
        .collect()
}

/// Returns the names of the folders that a library must not contain.
///
/// # Errors
/// Returns an error if cargo does not report its folders.
pub fn private_folders(repository: &Path) -> Result<Vec<String>> {
    let extension = Extension::ask(&repository.join("rust/extension/Cargo.toml"))?;
    let folders = local_folders(repository, &extension.target).into_iter();
    Ok(folders.map(|(folder, _)| folder.display().to_string()).collect())
}

fn system_cargo(subcommand: &str) -> Command {
    let mut command = Command::new(tools::cargo());
    command.arg(subcommand);
    command
}

fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// Cargo's metadata of the extension.
struct Extension {
    default_features: Vec<String>,
    target: PathBuf,
}

impl Extension {
    fn ask(manifest: &Path) -> Result<Self> {
        let mut command = system_cargo("metadata");
        command.args(["--no-deps", "--format-version", "1", "--manifest-path"]).arg(manifest);
        let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
        ensure!(output.status.success(), "cargo cannot read {} ({})", manifest.display(), output.status);
        let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo's description of the package")?;
        let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let package = packages.iter().find(|package| package["name"] == PACKAGE);
        let package = package.with_context(|| format!("{} contains no package {PACKAGE}", manifest.display()))?;
        let default = package["features"]["default"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(Self {
            default_features: default.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            target: metadata["target_directory"].as_str().context("cargo reports no target folder")?.into(),
        })
    }

    /// Returns the features to build with: the default ones, but the help only for the editor.
    fn features(&self, library: &Library) -> Vec<String> {
        const HELP: &str = "editor-help";
        self.default_features.iter().filter(|name| *name != HELP || !library.is_release()).cloned().collect()
    }
}
