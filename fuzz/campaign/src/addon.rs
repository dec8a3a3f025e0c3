//! The target `addon`, which runs inside an engine: an extension calls libFuzzer's loop.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, OS};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;
use varbytes_conformance::engine::{Engine, EnginePackage, RunRequest, locate, stage_project};

use crate::{fuzz_folder, tools};

/// The name of the target.
pub const ADDON: &str = "addon";

/// The library with the addon and libFuzzer.
const LIBRARY: &str = "varbytes_fuzz_addon";

/// The script that calls the library.
const SCRIPT: &str = "res://fuzz/run.gd";

/// A copy of the project with the target, removed when this is dropped.
pub struct Addon {
    project: TempDir,
}

impl Addon {
    /// Builds the target and stages it for the engine on this machine.
    ///
    /// # Errors
    /// If there is no engine, or the target cannot be built or staged.
    pub fn prepare() -> Result<Self> {
        let engine = locate(EnginePackage::GODOT_4)?.context("the target `addon` needs Godot 4")?;
        let library = build()?;
        let project = stage_project(&fuzz_folder().join("../godot_project"), &["tests"])?;
        let addon = Self { project };
        addon
            .stage(&library)
            .and_then(|()| addon.write_launcher(&engine))
            .context("cannot stage the target `addon`")?;
        Ok(addon)
    }

    /// Returns the command of the target, for libFuzzer's arguments. The engine changes its working directory, so paths
    /// are absolute.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new("sh");
        command.arg(self.launcher());
        command
    }

    fn stage(&self, library: &Path) -> Result<()> {
        let (root, name) = (self.project.path(), library.file_name().context("a library has a name")?);
        for folder in ["fuzz", ".godot", "home"] {
            fs::create_dir_all(root.join(folder))?;
        }
        fs::copy(library, root.join("fuzz").join(name))?;
        fs::copy(fuzz_folder().join("addon/run.gd"), root.join("fuzz/run.gd"))?;
        // The entry point is the addon's, which is part of this library.
        let manifest = format!(
            "[configuration]\n\nentry_symbol = \"varbytes_init\"\ncompatibility_minimum = \"4.4\"\n\n\
             [libraries]\n\n{OS} = \"{}\"\n",
            name.to_string_lossy()
        );
        fs::write(root.join("fuzz/addon.gdextension"), manifest)?;
        fs::write(root.join(".godot/extension_list.cfg"), "res://fuzz/addon.gdextension\n")?;
        Ok(())
    }

    /// libFuzzer restarts itself to minimise a finding, with the command that it was given as its name.
    fn write_launcher(&self, engine: &Engine) -> Result<()> {
        let mut engine = engine.clone();
        // libFuzzer handles crashes.
        engine.launcher.push("--disable-crash-handler".into());
        let mut request = RunRequest::new(self.project.path(), SCRIPT);
        request.arguments = vec![format!("sh {}", self.launcher().display()).into()];
        let command = engine.script_command(&request, &self.project.path().join("home"))?;
        let mut script = String::new();
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                writeln!(script, "export {}={}", name.to_string_lossy(), quoted(value))?;
            }
        }
        let words = [command.get_program()].into_iter().chain(command.get_args()).map(quoted);
        writeln!(script, "exec {} \"$@\"", words.collect::<Vec<_>>().join(" "))?;
        Ok(fs::write(self.launcher(), script)?)
    }

    fn launcher(&self) -> PathBuf {
        self.project.path().join("fuzz.sh")
    }
}

/// Builds the library, with coverage counters in the addon's own crates.
fn build() -> Result<PathBuf> {
    let target = fuzz_folder().join("target").join(ADDON);
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "build", "--release", "--target-dir"]).arg(&target);
    // Only the addon's entry point is used, not those of other linked extensions.
    command.env("GDRUST_MAIN_EXTENSION", "VarBytesLibrary").current_dir(fuzz_folder().join(ADDON));
    tools::run(&mut command)?;
    Ok(target.join("release").join(format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}")))
}

/// Quotes a word for the shell.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
}
