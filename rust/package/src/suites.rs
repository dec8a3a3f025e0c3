//! The project's own scripts with the packed addon: its suites, its benchmark, its demo.

use std::env::consts::OS;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Engine, RunOutput, RunRequest, stage_project};
use varbytes_conformance::vectors::GODOT_4;
use varbytes_conformance::vectors_folder;

use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::{ADDON, MANIFEST, archive, repository};

/// The parts of the project that the runs need beside the addon, which comes from the zip.
const PARTS: [&str; 4] = ["conformance", "tests", "benchmark", "demo"];

/// Suites in which `VarBytes` alone makes values, so that whatever is left over is its own. The built-ins leave
/// objects behind by design.
const WITHOUT_LEAKS: [&str; 15] = [
    "results",
    "depth",
    "attacks",
    "policy",
    "typed_members",
    "changed_meanwhile",
    "records",
    "append",
    "following",
    "record_streams",
    "other_engines",
    "other_records",
    "inspection",
    "readme",
    "threads",
];

/// Assumptions about the engine's memory that the library can do without: each of them, and all.
const FORGOTTEN: [&str; 9] = [
    "type",
    "payloads",
    "odd_payloads",
    "even_payloads",
    "assembling",
    "string_length",
    "packed_length",
    "entries",
    "all",
];

/// Where the suite in Rust stands in the copy of the project.
const PARITY: &str = "parity";

/// A copy of the project with the addon from a zip.
pub struct Project(tempfile::TempDir);

impl Project {
    /// Stages it.
    ///
    /// # Errors
    /// When it cannot be copied or the zip cannot be unpacked.
    pub fn stage(repository: &Path, zip: &Path) -> Result<Self> {
        let project = Self(stage_project(&repository.join("godot_project"), &PARTS)?);
        archive::unpack(zip, project.0.path())?;
        project.list_extension(&format!("{ADDON}/{MANIFEST}"))?;
        Ok(project)
    }

    /// The folder of the addon in the copy.
    #[must_use]
    pub fn addon(&self) -> PathBuf {
        self.0.path().join(ADDON)
    }

    /// The folder of the copy.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Adds the suite in Rust, an extension of its own.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn add_parity(&self, library: &Path) -> Result<()> {
        let name = library.file_name().context("the library of the suite in Rust has no name")?;
        let folder = self.0.path().join(PARITY);
        fs::create_dir_all(&folder).context("cannot make a folder in the copy of the project")?;
        fs::copy(library, folder.join(name)).with_context(|| format!("cannot copy {}", library.display()))?;
        let manifest = format!(
            "[configuration]\n\nentry_symbol = \"varbytes_parity_init\"\ncompatibility_minimum = \"4.4\"\n\n\
             [libraries]\n\n{OS} = \"{}\"\n",
            name.to_string_lossy()
        );
        fs::write(folder.join("parity.gdextension"), manifest).context("cannot name the suite in Rust")?;
        self.list_extension(&format!("{PARITY}/parity.gdextension"))
    }

    /// Adds to the list of extensions that the editor makes when it first opens a project.
    fn list_extension(&self, path: &str) -> Result<()> {
        let folder = self.0.path().join(".godot");
        let list = folder.join("extension_list.cfg");
        fs::create_dir_all(&folder).context("cannot make a folder in the copy of the project")?;
        let listed = fs::read_to_string(&list).unwrap_or_default();
        fs::write(&list, format!("{listed}res://{path}\n")).context("cannot list extensions in the copy of the project")
    }

    /// Runs all suites, and once more those in which nothing may be left over.
    ///
    /// # Errors
    /// When a suite fails, does not come to its end, or leaves something over; or when a suite that is made to go
    /// wrong does not fail.
    pub fn test(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        self.notices_script_errors(engine)?;
        self.suites(engine, None, on_line)?;
        WITHOUT_LEAKS.iter().try_for_each(|suite| self.suites(engine, Some(suite), on_line))?;
        self.is_silent(engine, on_line)?;
        FORGOTTEN.iter().try_for_each(|assumption| self.with_official_interface(engine, assumption, on_line))
    }

    /// Runs the suite of packets about which the engine would print errors, and counts these.
    fn is_silent(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut request = self.request("res://tests/run.gd");
        request.arguments = vec!["--suite".into(), "silence".into()];
        let output = engine.run_watched(&request, on_line)?;
        ends_with(&output, "VARBYTES TESTS PASSED")?;
        let printed: Vec<&str> = output.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
        ensure!(printed.is_empty(), "decoding prints {} lines, the first of them: {}", printed.len(), printed[0]);
        Ok(())
    }

    /// Runs suites as in an engine where an assumption about its memory does not hold.
    fn with_official_interface(&self, engine: &Engine, assumption: &str, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        for suite in ["vectors", "random_values", "damaged_packets", "policy", "changed_meanwhile", "records"] {
            let mut request = self.request("res://tests/run.gd");
            request.arguments = inputs();
            request.arguments.extend(["--suite", suite, "--values", "2000", "--packets", "2000"].map(Into::into));
            request.environment = vec![("VARBYTES_OFFICIAL_INTERFACE".into(), assumption.into())];
            let output = engine.run_watched(&request, on_line)?;
            ends_with(&output, "VARBYTES TESTS PASSED")
                .with_context(|| format!("without the assumption {assumption}"))?;
        }
        Ok(())
    }

    fn suites(&self, engine: &Engine, suite: Option<&str>, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut request = self.request("res://tests/run.gd");
        request.arguments = inputs();
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

    /// A script error within a function ends that function alone, and the suite goes on with null. Puts two suites into
    /// the copy that do just that and find null as they expect, and looks that their runs fail: where the engine has its
    /// messages, by its message, and where it has not, by what is missing.
    fn notices_script_errors(&self, engine: &Engine) -> Result<()> {
        for (suite, call, noticed_by) in [
            ("error_in_helper", "_helper()", "SCRIPT ERROR"),
            ("silent_error", "quietly(_helper)", "a script error stopped"),
        ] {
            let script = format!(
                "extends \"res://tests/suite.gd\"\n\n\nfunc run() -> bool:\n\tcheck({call} == null, \"null\")\n\
                 \treturn true\n\n\nfunc _helper() -> Variant:\n\tvar nothing: Variant = null\n\
                 \treturn nothing.on_purpose()\n"
            );
            let path = self.0.path().join(format!("tests/suites/{suite}.gd"));
            fs::write(path, script).context("cannot write into the copy of the project")?;
            let error = self.suites(engine, Some(suite), &mut |_| ()).err();
            let error = error.with_context(|| format!("the suite {suite} stopped at a script error, and passed"))?;
            let said = format!("{error:#}");
            ensure!(said.contains(noticed_by), "the suite {suite} failed for another reason: {said}");
        }
        Ok(())
    }

    /// Opens the project in the editor, has it load the addon's library anew, and runs the suites with what it has
    /// then.
    ///
    /// # Errors
    /// When the library is not let go of, or a suite fails with the one loaded in its place.
    pub fn reload(&self, engine: &Engine, manifest: &Manifest, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        // What is in memory is named by its path without links.
        let root = fs::canonicalize(self.0.path()).context("the copy of the project is gone")?;
        self.open_to_editor(&root)?;
        let libraries = manifest.libraries(&Platform::host())?;
        let path_of = |release: bool| {
            let library = libraries.iter().find(|library| library.is_release() == release);
            library.map(|library| root.join(ADDON).join(&library.path)).context("a library is missing")
        };
        let mut request = RunRequest::editor(&root);
        request.timeout = Duration::from_secs(600);
        request.arguments = inputs();
        // Fewer than in a game: the editor keeps every message, printed or not, until its next frame, and the engine's
        // queue, 32 MiB, is full after some fifty thousand packets.
        request.arguments.extend(["--values", "10000", "--packets", "5000"].map(Into::into));
        request.arguments.extend(["--library".into(), path_of(false)?.into(), "--other".into(), path_of(true)?.into()]);
        let output = engine.run_watched(&request, on_line)?;
        ends_with(&output, "VARBYTES RELOAD PASSED")
    }

    /// Has the editor run what a game would: it runs no scripts but tools.
    fn open_to_editor(&self, root: &Path) -> Result<()> {
        for part in ["conformance", "tests"] {
            make_tools(&root.join(part))?;
        }
        let project = root.join("project.godot");
        let settings = fs::read_to_string(&project).context("cannot read the settings of the project")?;
        let plugin = "[editor_plugins]\n\nenabled=PackedStringArray(\"res://tests/reload/plugin.cfg\")\n";
        fs::write(&project, format!("{settings}\n{plugin}")).context("cannot write the settings of the project")
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

/// Where the suites find what they try.
pub(crate) fn inputs() -> Vec<OsString> {
    let corpus = repository().join("fuzz/corpus/addon");
    vec!["--vectors".into(), vectors_folder().join(GODOT_4).into(), "--corpus".into(), corpus.into()]
}

/// Makes a tool of every script in a folder that is none.
fn make_tools(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            make_tools(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "gd") {
            let script = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if !script.starts_with("@tool") {
                // On the first line, so that the numbers of the others stay.
                fs::write(&path, format!("@tool {script}")).context("cannot write into the copy of the project")?;
            }
        }
    }
    Ok(())
}

/// The exit code of an engine is no proof that a script came to its end. What the engine itself prints when it leaves
/// may follow.
pub(crate) fn ends_with(output: &RunOutput, sentinel: &str) -> Result<()> {
    let said = output.stdout.lines().any(|line| line == sentinel);
    ensure!(said, "the run did not end with `{sentinel}`:\n{}\n{}", output.stdout, output.stderr);
    Ok(())
}
