//! Runs the project's test suites, benchmark and demo with the packed addon.

use std::env::consts::OS;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Engine, RunOutput, RunRequest, stage_project};
use varbytes_conformance::vectors::GODOT_4;
use varbytes_conformance::vectors_folder;

use crate::benchmark::{self, Case};
use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::{ADDON, MANIFEST, archive, examples, repository};

/// The parts of the project that are copied. The addon comes from the zip.
const PARTS: [&str; 4] = ["conformance", "tests", "benchmark", "demo"];

/// Suites in which only `VarBytes` creates values, so that every leak is its own. The built-in functions leak objects by
/// design.
const WITHOUT_LEAKS: [&str; 37] = [
    "results",
    "dropped_results",
    "depth",
    "attacks",
    "policy",
    "shadowed_properties",
    "misuse",
    "validation",
    "differences",
    "small_stack",
    "notations",
    "typed_members",
    "changed_meanwhile",
    "silence",
    "records",
    "append",
    "several_writers",
    "loggers",
    "following",
    "many_records",
    "record_streams",
    "connections",
    "stream_handlers",
    "packet_peers",
    "scripted_peers",
    "tasks",
    "other_engines",
    "other_records",
    "inspection",
    "readme",
    "examples",
    "threads",
    "panel",
    "panel_edits",
    "panel_files",
    "panel_jobs",
    "panel_scene",
];

/// Those of packets and peers for which the engine would print errors, in which nothing may be printed.
const SILENT: [&str; 5] = ["silence", "connections", "stream_handlers", "packet_peers", "scripted_peers"];

/// Assumptions about the engine's memory that are disabled one by one, and then all together.
const DISABLED: [&str; 14] = [
    "type",
    "payloads",
    "odd_payloads",
    "even_payloads",
    "assembling",
    "packed_in_word",
    "string_length",
    "packed_length",
    "packed_references",
    "array_members",
    "entries",
    "member_types",
    "reference_count",
    "all",
];

/// The folder of the Rust test suite in the copy of the project.
const PARITY: &str = "parity";

/// A copy of the project with the addon from a zip.
pub struct Project(tempfile::TempDir);

impl Project {
    /// Copies the project and unpacks the zip into it.
    ///
    /// # Errors
    /// Returns an error if the project cannot be copied or the zip cannot be unpacked.
    pub fn stage(repository: &Path, zip: &Path) -> Result<Self> {
        let project = Self(stage_project(&repository.join("godot_project"), &PARTS)?);
        archive::unpack(zip, project.0.path())?;
        examples::write(repository, project.0.path())?;
        project.list_extension(&format!("{ADDON}/{MANIFEST}"))?;
        Ok(project)
    }

    /// Returns the folder of the addon in the copy.
    #[must_use]
    pub fn addon(&self) -> PathBuf {
        self.0.path().join(ADDON)
    }

    /// Returns the folder of the copy.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Adds the Rust test suite, a separate extension.
    ///
    /// # Errors
    /// Returns an error if it cannot be copied.
    pub fn add_parity(&self, library: &Path) -> Result<()> {
        let name = library.file_name().context("the library of the Rust test suite has no name")?;
        let folder = self.0.path().join(PARITY);
        fs::create_dir_all(&folder).context("cannot create a folder in the copy of the project")?;
        fs::copy(library, folder.join(name)).with_context(|| format!("cannot copy {}", library.display()))?;
        let manifest = format!(
            "[configuration]\n\nentry_symbol = \"varbytes_parity_init\"\ncompatibility_minimum = \"4.4\"\n\n\
             [libraries]\n\n{OS} = \"{}\"\n",
            name.to_string_lossy()
        );
        fs::write(folder.join("parity.gdextension"), manifest)
            .context("cannot write the manifest of the Rust test suite")?;
        self.list_extension(&format!("{PARITY}/parity.gdextension"))
    }

    /// Adds an extension to the list that the editor creates when it first opens a project.
    fn list_extension(&self, path: &str) -> Result<()> {
        let folder = self.0.path().join(".godot");
        let list = folder.join("extension_list.cfg");
        fs::create_dir_all(&folder).context("cannot create a folder in the copy of the project")?;
        let listed = fs::read_to_string(&list).unwrap_or_default();
        fs::write(&list, format!("{listed}res://{path}\n")).context("cannot list extensions in the copy of the project")
    }

    /// Runs all suites: those that must not leak each in a process of its own.
    ///
    /// # Errors
    /// Returns an error if a suite fails, does not finish, leaks, or prints, or if a suite that should fail does not.
    pub fn test(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        self.notices_script_errors(engine)?;
        self.suites(engine, ["--except", &WITHOUT_LEAKS.join(",")], false, on_line)?;
        for suite in WITHOUT_LEAKS {
            let output = self.suites(engine, ["--suite", suite], true, on_line)?;
            if SILENT.contains(&suite) {
                let printed: Vec<&str> = output.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
                ensure!(printed.is_empty(), "{suite} prints {} lines; the first is: {}", printed.len(), printed[0]);
            }
        }
        self.quits_while_working(engine)?;
        DISABLED.iter().try_for_each(|assumption| self.with_official_interface(engine, assumption, on_line))?;
        self.both_paths(engine, on_line)
    }

    /// Runs the suites that compare values and bytes with what engines wrote, and that of files.
    ///
    /// # Errors
    /// Returns an error if a suite fails or does not finish.
    pub fn vectors(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        for suite in ["vectors", "records"] {
            let mut request = self.request("res://tests/run.gd");
            // An emulator takes ten times as long.
            request.timeout = Duration::from_secs(1800);
            request.arguments = inputs();
            request.arguments.extend(["--suite", suite].map(Into::into));
            let output = engine.run_watched(&request, on_line)?;
            ends_with(&output, "VARBYTES TESTS PASSED").with_context(|| format!("the suite {suite}"))?;
        }
        Ok(())
    }

    /// Reads every vector and damaged packets with the fast path and without it, and compares values, bytes used and errors.
    fn both_paths(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut results = Vec::new();
        for (fast, variable) in [(true, None), (false, Some(("VARBYTES_SLOW_PATH".into(), "1".into())))] {
            let file = self.0.path().join(format!("results-{fast}"));
            let mut request = self.request("res://tests/run.gd");
            request.arguments = inputs();
            request.arguments.extend(["--suite".into(), "paths".into(), "--results".into(), file.clone().into()]);
            request.environment = variable.into_iter().collect();
            let output = engine.run_watched(&request, on_line)?;
            ends_with(&output, "VARBYTES TESTS PASSED")?;
            ensure!(
                output.stdout.contains(&format!("fast path: {fast}")),
                "the run with fast path: {fast} used the other path"
            );
            results.push(fs::read_to_string(&file).context("the suite wrote no results")?);
        }
        ensure!(
            results[0].lines().count() == results[1].lines().count(),
            "the paths return different numbers of results"
        );
        for (fast, slow) in results[0].lines().zip(results[1].lines()) {
            ensure!(fast == slow, "the paths differ:\nfast: {fast}\nslow: {slow}");
        }
        Ok(())
    }

    /// Quits while other threads read and write values.
    fn quits_while_working(&self, engine: &Engine) -> Result<()> {
        const TREE: &str = "res://tests/quitting.gd";
        const LOOP: &str = "res://tests/quitting_loop.gd";
        for (script, arguments) in [(TREE, &[][..]), (TREE, &["--later"]), (LOOP, &[])] {
            let mut request = self.request(script);
            request.timeout = Duration::from_secs(60);
            request.arguments = arguments.iter().map(Into::into).collect();
            request.fail_on_leaks = true;
            ends_with(&engine.run(&request)?, "VARBYTES QUITS").context("quitting while other threads work")?;
        }
        Ok(())
    }

    /// Runs suites as in an engine for which an assumption about its memory does not hold.
    fn with_official_interface(&self, engine: &Engine, assumption: &str, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let suites =
            ["vectors", "random_values", "damaged_packets", "policy", "changed_meanwhile", "records"].join(",");
        let mut request = self.request("res://tests/run.gd");
        request.arguments = inputs();
        request.arguments.extend(["--suite", &suites, "--values", "1000", "--packets", "2000"].map(Into::into));
        request.environment = vec![("VARBYTES_OFFICIAL_INTERFACE".into(), assumption.into())];
        let output = engine.run_watched(&request, on_line)?;
        ensure!(
            output.stdout.contains(&format!("disabled: {assumption},")),
            "the library does not know the assumption {assumption}"
        );
        ends_with(&output, "VARBYTES TESTS PASSED").with_context(|| format!("without the assumption {assumption}"))
    }

    /// Runs the suites that the option chooses.
    fn suites(
        &self,
        engine: &Engine,
        option: [&str; 2],
        fail_on_leaks: bool,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<RunOutput> {
        let mut request = self.request("res://tests/run.gd");
        request.arguments = inputs();
        request.arguments.extend(option.map(Into::into));
        request.fail_on_leaks = fail_on_leaks;
        let output = engine.run_watched(&request, on_line)?;
        ends_with(&output, "VARBYTES TESTS PASSED")?;
        Ok(output)
    }

    /// Checks the addon's pages in the editor help.
    ///
    /// # Errors
    /// Returns an error if something is not described.
    pub fn help(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut request = self.request("res://tests/help.gd");
        request.in_editor = true;
        // The second start needs the cache of the first one, or the editor shows no descriptions.
        let cache = self.0.path().join(".godot").join("cache");
        request.environment = vec![("XDG_CACHE_HOME".into(), cache.into())];
        request.arguments = vec!["--prepare".into()];
        ends_with(&engine.run(&request)?, "VARBYTES HELP PREPARED")?;
        request.arguments.clear();
        ends_with(&engine.run_watched(&request, on_line)?, "VARBYTES HELP PASSED")
    }

    /// Checks that script errors make a suite fail. A script error ends only its function, and the suite continues with null.
    /// Adds two suites that do this and expect null. The first must fail because of the engine's message. The second runs
    /// without messages and must fail because a step is missing.
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
            let error = self.suites(engine, ["--suite", suite], true, &mut |_| ()).err();
            let error = error.with_context(|| format!("the suite {suite} passed although it had a script error"))?;
            let said = format!("{error:#}");
            ensure!(said.contains(noticed_by), "the suite {suite} failed for another reason: {said}");
        }
        Ok(())
    }

    /// Opens the project in the editor, makes it reload the addon's library, and runs the suites.
    ///
    /// # Errors
    /// Returns an error if the old library is not unloaded, or a suite fails with the new one.
    pub fn reload(&self, engine: &Engine, manifest: &Manifest, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        // The system lists loaded libraries by their paths without links.
        let root = fs::canonicalize(self.0.path()).context("the copy of the project cannot be found")?;
        self.open_to_editor(&root)?;
        let libraries = manifest.libraries(&Platform::host())?;
        let path_of = |release: bool| {
            let library = libraries.iter().find(|library| library.is_release() == release);
            library.map(|library| root.join(ADDON).join(&library.path)).context("a library is missing")
        };
        let mut request = RunRequest::editor(&root);
        request.timeout = Duration::from_secs(600);
        request.arguments = inputs();
        // Fewer than in a game: the editor keeps every message, even those not printed, until its next frame. The engine's
        // queue of 32 MiB is full after about fifty thousand packets.
        request.arguments.extend(["--values", "2000", "--packets", "2000"].map(Into::into));
        request.arguments.extend(["--library".into(), path_of(false)?.into(), "--other".into(), path_of(true)?.into()]);
        let output = engine.run_watched(&request, on_line)?;
        ends_with(&output, "VARBYTES RELOAD PASSED")
    }

    /// Makes the scripts of a game run in the editor, which runs only tool scripts.
    fn open_to_editor(&self, root: &Path) -> Result<()> {
        for part in ["conformance", "tests"] {
            make_tools(&root.join(part))?;
        }
        let project = root.join("project.godot");
        let settings = fs::read_to_string(&project).context("cannot read the settings of the project")?;
        let plugin = "[editor_plugins]\n\nenabled=PackedStringArray(\"res://tests/reload/plugin.cfg\")\n";
        fs::write(&project, format!("{settings}\n{plugin}")).context("cannot write the settings of the project")
    }

    /// Runs the benchmark in the editor's engine.
    ///
    /// # Errors
    /// Returns an error if it does not finish.
    pub fn benchmark(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<Vec<Case>> {
        let mut request = self.request("res://benchmark/benchmark.gd");
        request.timeout = Duration::from_secs(1200);
        benchmark::cases(&engine.run_watched(&request, on_line)?)
    }

    /// Runs a script of the benchmark that prints a table. Returns its output, which ends with `last_line`.
    ///
    /// # Errors
    /// Returns an error if it does not finish.
    pub fn measure(&self, engine: &Engine, script: &'static str, last_line: &str) -> Result<String> {
        let output = engine.run(&self.request(script))?;
        ends_with(&output, last_line)?;
        Ok(output.stdout)
    }

    pub(crate) fn request(&self, script: &'static str) -> RunRequest<'_> {
        let mut request = RunRequest::new(self.0.path(), script);
        request.timeout = Duration::from_secs(600);
        request
    }
}

/// Unpacks the zip of the demo and runs it as it is, without a window. Returns its output.
///
/// # Errors
/// Returns an error if an attack is not refused, or does no damage to the built-in functions.
pub fn demo(engine: &Engine, zip: &Path) -> Result<String> {
    let folder = tempfile::Builder::new().prefix("varbytes-demo-").tempdir().context("cannot create a folder")?;
    archive::unpack(zip, folder.path())?;
    // Without a script, the engine runs the main scene.
    let request = RunRequest { in_editor: false, ..RunRequest::editor(folder.path()) };
    let output = engine.run(&request)?;
    ends_with(&output, "VARBYTES DEMO PASSED")?;
    Ok(output.stdout)
}

/// Returns the arguments with the inputs of the suites.
pub(crate) fn inputs() -> Vec<OsString> {
    let corpus = repository().join("fuzz/corpus/addon");
    vec!["--vectors".into(), vectors_folder().join(GODOT_4).into(), "--corpus".into(), corpus.into()]
}

/// Adds `@tool` to every script in a folder that lacks it.
fn make_tools(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            make_tools(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "gd") {
            let script = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if !script.starts_with("@tool") {
                // On the first line, so that line numbers do not change.
                fs::write(&path, format!("@tool {script}")).context("cannot write into the copy of the project")?;
            }
        }
    }
    Ok(())
}

/// Checks that a script finished, and that the library did not panic; the exit code of the engine does not prove that. The engine
/// can print more lines after the last one of the script.
pub(crate) fn ends_with(output: &RunOutput, sentinel: &str) -> Result<()> {
    let said = output.stdout.lines().any(|line| line == sentinel);
    ensure!(said, "the run did not print `{sentinel}`:\n{}\n{}", output.stdout, output.stderr);
    // An exported game continues after a call that returned null in place of a result.
    let panicked = output.stderr.contains("VarBytes: internal error");
    ensure!(!panicked, "the library panicked:\n{}\n{}", output.stdout, output.stderr);
    Ok(())
}
