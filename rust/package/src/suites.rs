//! The project's own scripts with the packed addon: its suites, its benchmark, its demo.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Engine, RunOutput, RunRequest, stage_project};
use varbytes_conformance::vectors::GODOT_4;
use varbytes_conformance::vectors_folder;

use crate::{ADDON, MANIFEST, archive};

/// The parts of the project that the runs need beside the addon, which comes from the zip.
const PARTS: [&str; 4] = ["conformance", "tests", "benchmark", "demo"];

/// Suites in which `VarBytes` alone makes values, so that whatever is left over is its own. The built-ins leave
/// objects behind by design.
const WITHOUT_LEAKS: [&str; 8] =
    ["results", "depth", "attacks", "policy", "records", "record_streams", "inspection", "threads"];

/// A copy of the project with the addon from a zip.
pub struct Project(tempfile::TempDir);

impl Project {
    /// Stages it.
    ///
    /// # Errors
    /// When it cannot be copied or the zip cannot be unpacked.
    pub fn stage(repository: &Path, zip: &Path) -> Result<Self> {
        let stage = stage_project(&repository.join("godot_project"), &PARTS)?;
        archive::unpack(zip, stage.path())?;
        let folder = stage.path().join(".godot");
        fs::create_dir_all(&folder).context("cannot make a folder in the copy of the project")?;
        fs::write(folder.join("extension_list.cfg"), format!("res://{ADDON}/{MANIFEST}\n"))
            .context("cannot list the addon in the copy of the project")?;
        Ok(Self(stage))
    }

    /// Runs all suites, and once more those in which nothing may be left over.
    ///
    /// # Errors
    /// When a suite fails, does not come to its end, or leaves something over.
    pub fn test(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        self.suites(engine, None, on_line)?;
        WITHOUT_LEAKS.iter().try_for_each(|suite| self.suites(engine, Some(suite), on_line))
    }

    fn suites(&self, engine: &Engine, suite: Option<&str>, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut request = self.request("res://tests/run.gd");
        request.arguments = vec!["--vectors".into(), vectors_folder().join(GODOT_4).into()];
        if let Some(suite) = suite {
            request.arguments.extend(["--suite".into(), suite.into()]);
            request.fail_on_leaks = true;
        }
        let output = engine.run_watched(&request, on_line)?;
        ends_with(&output, "VARBYTES TESTS PASSED")
    }

    /// Reads the addon's pages in the help of the editor.
    ///
    /// # Errors
    /// When something is not described there.
    pub fn help(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut request = self.request("res://tests/help.gd");
        request.in_editor = true;
        // Of the first start the second one keeps the cache, without which the editor shows no descriptions.
        let cache = self.0.path().join(".godot").join("cache");
        request.environment = vec![("XDG_CACHE_HOME".into(), cache.into())];
        request.arguments = vec!["--prepare".into()];
        ends_with(&engine.run(&request)?, "VARBYTES HELP PREPARED")?;
        request.arguments.clear();
        ends_with(&engine.run_watched(&request, on_line)?, "VARBYTES HELP PASSED")
    }

    /// Runs the benchmark and gives its table.
    ///
    /// # Errors
    /// When it does not come to its end.
    pub fn benchmark(&self, engine: &Engine) -> Result<String> {
        let output = engine.run(&self.request("res://benchmark/benchmark.gd"))?;
        ends_with(&output, "VARBYTES BENCHMARK DONE")?;
        Ok(output.stdout)
    }

    /// Runs the demo without a window and gives what it shows.
    ///
    /// # Errors
    /// When the malicious packet is not refused.
    pub fn demo(&self, engine: &Engine) -> Result<String> {
        // The demo is a scene; a script that opens it stands in for the editor's play button.
        let opener =
            "extends SceneTree\nfunc _initialize() -> void:\n\tchange_scene_to_file(\"res://demo/demo.tscn\")\n";
        fs::write(self.0.path().join("open_demo.gd"), opener).context("cannot write into the copy of the project")?;
        let mut request = self.request("res://open_demo.gd");
        request.arguments = vec!["--check".into()];
        let output = engine.run(&request)?;
        ends_with(&output, "VARBYTES DEMO PASSED")?;
        Ok(output.stdout)
    }

    pub(crate) fn request(&self, script: &'static str) -> RunRequest<'_> {
        let mut request = RunRequest::new(self.0.path(), script);
        request.timeout = Duration::from_secs(600);
        request
    }
}

/// The exit code of an engine is no proof that a script came to its end. What the engine itself prints when it leaves
/// may follow.
pub(crate) fn ends_with(output: &RunOutput, sentinel: &str) -> Result<()> {
    let said = output.stdout.lines().any(|line| line == sentinel);
    ensure!(said, "the run did not end with `{sentinel}`:\n{}\n{}", output.stdout, output.stderr);
    Ok(())
}
