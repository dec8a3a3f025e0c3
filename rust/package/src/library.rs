//! Builds the library of the addon.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::manifest::Library;

/// The package of the extension.
const PACKAGE: &str = "varbytes-godot";

/// The package of the Rust test suite.
const PARITY: &str = "varbytes-parity";

/// The two targets of a universal library.
const APPLE: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Builds a library into `folder`, under its name in the `.gdextension` file. Both kinds are optimized. Only the library for
/// the editor contains the text of the editor help.
///
/// # Errors
/// Returns an error if the library cannot be built.
pub fn build(repository: &Path, library: &Library, folder: &Path) -> Result<()> {
    let target = folder.join(&library.path);
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    }
    if !library.platform().is_every_mac() {
        let built = cargo(repository, library, None)?;
        fs::copy(&built, &target).with_context(|| format!("cannot copy {}", built.display()))?;
        return Ok(());
    }
    let mut lipo = Command::new("lipo");
    lipo.arg("-create").arg("-output").arg(&target);
    for machine in APPLE {
        // The second build would overwrite the first, which has the same name.
        let kept = folder.join(format!("{machine}.dylib"));
        fs::copy(cargo(repository, library, Some(machine))?, &kept).context("cannot copy the library of one target")?;
        lipo.arg(&kept);
    }
    let status = lipo.status().context("cannot start `lipo`, which is part of Xcode's command line tools")?;
    ensure!(status.success(), "`lipo` could not join the libraries of both targets ({status})");
    Ok(())
}

/// Builds the Rust test suite, a separate extension. Returns the path of its library.
///
/// # Errors
/// Returns an error if it cannot be built.
pub fn build_parity(repository: &Path) -> Result<PathBuf> {
    let manifest = repository.join("rust/parity/Cargo.toml");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Not optimized, so that the bindings are the same as in the tests of the workspace.
    command.args(["build", "--message-format", "json-render-diagnostics", "--manifest-path"]).arg(manifest);
    built(&mut command, PARITY)
}

/// Runs cargo. Returns the path of the library.
fn cargo(repository: &Path, library: &Library, target: Option<&str>) -> Result<PathBuf> {
    let manifest = repository.join("rust/extension/Cargo.toml");
    // Cargo sets this variable when it runs this program.
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--message-format", "json-render-diagnostics", "--manifest-path"]);
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
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    // Published files need no debug information and should not contain local paths.
    command.env("CARGO_PROFILE_RELEASE_DEBUG", "none").env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    // The decoder and the builder of engine values are in different crates and have to be inlined into one loop. The bindings
    // of the engine take most of the build, and are optimized again in the last step.
    command.env("CARGO_PROFILE_RELEASE_LTO", "fat").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    command.args(["--config", "profile.release.package.'*'.codegen-units=16"]);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    // Published files need no debug information and should not contain local paths.
    command.env("CARGO_PROFILE_RELEASE_DEBUG", "none").env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    // The decoder and the builder of engine values are in different crates and have to be inlined into one loop. The bindings
    // of the engine take most of the build, and are optimized again in the last step.
    command.env("CARGO_PROFILE_RELEASE_LTO", "fat").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    command.args(["--config", "profile.release.package.'*'.codegen-units=16"]);
    for bindings in ["godot", "godot-core", "godot-ffi"] {
        command.arg("--config").arg(format!("profile.release.package.{bindings}.opt-level=1"));
    }
    // These flags are of no use to other builds, which would wait for this one.
    command.arg("--target-dir").arg(extension.target.join("libraries"));
    command.env(
        "CARGO_ENCODED_RUSTFLAGS",
        flags(&[
            (Some(repository), "varbytes"),
            (cargo_home().as_deref(), "cargo"),
            (Some(&extension.target), "target"),
        ]),
    );
    built(&mut command, PACKAGE)
}

/// Runs a build. Returns the path of the package's library.
fn built(command: &mut Command, package: &str) -> Result<PathBuf> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "{package} could not be built ({}); cargo's message is above", output.status);
    let name = package.replace('-', "_");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).context("cargo printed something other than JSON")?;
        let of_library = message["reason"] == "compiler-artifact"
            && message["target"]["name"] == name.as_str()
            && message["target"]["kind"].as_array().is_some_and(|kinds| kinds.contains(&"cdylib".into()));
        if of_library && let Some(path) = message["filenames"].as_array().and_then(|names| names.first()?.as_str()) {
            return Ok(path.into());
        }
    }
    bail!("cargo did not build a library of {package}")
}

/// Returns the compiler's flags: those of the caller, and replacements for the local paths in messages.
fn flags(folders: &[(Option<&Path>, &str)]) -> String {
    let given = env::var("RUSTFLAGS").unwrap_or_default();
    let mut flags: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
    for (folder, name) in folders {
        // A folder that does not exist yet cannot be canonicalized.
        let folder = folder.map(|folder| fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()));
        flags.extend(folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display())));
    }
    flags.join("\u{1f}")
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
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]).arg(manifest);
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
