//! The target `addon`, which runs inside an engine: libFuzzer's loop is called by an extension of its own.

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

/// What the target is called.
pub const ADDON: &str = "addon";

/// The library with the addon and libFuzzer.
const LIBRARY: &str = "varbytes_fuzz_addon";

/// The script that calls it.
const SCRIPT: &str = "res://fuzz/run.gd";

/// A copy of the project with the target in it, which goes when this is dropped.
pub struct Addon {
    project: TempDir,
}

impl Addon {
    /// Builds the target and stages it for the engine there is.
    ///
    /// # Errors
    /// When there is no engine, or it cannot be built or staged.
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

    /// The target, to be given libFuzzer's arguments. The engine works in the project's folder, so paths are absolute.
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
        // The entry is the one of the addon, which is in there.
        let manifest = format!(
            "[configuration]\n\nentry_symbol = \"varbytes_init\"\ncompatibility_minimum = \"4.4\"\n\n\
             [libraries]\n\n{OS} = \"{}\"\n",
            name.to_string_lossy()
        );
        fs::write(root.join("fuzz/addon.gdextension"), manifest)?;
        fs::write(root.join(".godot/extension_list.cfg"), "res://fuzz/addon.gdextension\n")?;
        Ok(())
    }

    /// libFuzzer starts itself anew to make a finding small, by the command it was given as its name.
    fn write_launcher(&self, engine: &Engine) -> Result<()> {
        let mut engine = engine.clone();
        // What crashes is libFuzzer's to see.
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

/// Builds the library, the addon's own crates with what counts coverage.
fn build() -> Result<PathBuf> {
    let target = fuzz_folder().join("target").join(ADDON);
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "build", "--release", "--target-dir"]).arg(&target);
    // Of the extensions that are linked into this one, the addon alone is entered.
    command.env("GDRUST_MAIN_EXTENSION", "VarBytesLibrary").current_dir(fuzz_folder().join(ADDON));
    tools::run(&mut command)?;
    Ok(target.join("release").join(format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}")))
}

/// A word as the shell takes it.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
}
