//! Runs the project's suites and benchmark as an exported game, in the release template.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use varbytes_conformance::engine::{Engine, EnginePackage, Progress, RunOutput, RunRequest, fetch, locate};

use crate::benchmark::{self, Case, FileCase, Miss};
use crate::profile;
use crate::suites::{Project, ends_with, inputs};

/// The name of the game's program and of its data.
const GAME: &str = "game";

/// A script that packs the game's data: all files of the project, unchanged, without an import or an export preset.
const PACK: &str = r#"extends SceneTree

func _init() -> void:
	var packer := PCKPacker.new()
	var failed: bool = packer.pck_start(OS.get_cmdline_user_args()[0]) != OK
	var folders: Array[String] = ["res://"]
	while not folders.is_empty():
		var folder: String = folders.pop_back()
		var access := DirAccess.open(folder)
		access.include_hidden = true
		for name: String in access.get_files():
			if name.get_extension() not in ["so", "dll", "dylib"]:
				failed = packer.add_file(folder.path_join(name), folder.path_join(name)) != OK or failed
		for name: String in access.get_directories():
			folders.append(folder.path_join(name))
	failed = packer.flush() != OK or failed
	print("VARBYTES PACK %s" % ("FAILED" if failed else "DONE"))
	quit()
"#;

/// Returns the release template of the same version as the engine.
///
/// # Errors
/// Returns an error if there is none and none can be fetched, or if it has another version.
pub fn template(engine: &Engine, progress: &mut Progress) -> Result<Engine> {
    let package = EnginePackage::GODOT_4_TEMPLATE;
    let template = match locate(package)? {
        Some(template) => template,
        None => fetch(package, progress)?,
    };
    ensure!(
        template.version == engine.version,
        "the version of the release template is {}, that of the engine {}; set {} to a matching template",
        template.version,
        engine.version,
        package.variable
    );
    Ok(template)
}

/// A project as an exported game: the release template with the library for exported games, and the data beside the program.
pub struct Game {
    folder: TempDir,
    engine: Engine,
}

impl Game {
    /// Exports a project.
    ///
    /// # Errors
    /// Returns an error if the game cannot be created.
    pub fn export(project: &Project, engine: &Engine, template: &Engine, libraries: &[&Path]) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("varbytes-game-").tempdir().context("cannot create a folder")?;
        pack(project, engine, &folder.path().join(GAME).with_extension("pck"))?;
        for library in libraries {
            let name = library.file_name().context("a library has no name")?;
            fs::copy(library, folder.path().join(name))
                .with_context(|| format!("cannot copy {}", library.display()))?;
        }
        let engine = beside(template, folder.path())?;
        Ok(Self { folder, engine })
    }

    /// Runs all suites, with fewer random values than in the engine.
    ///
    /// # Errors
    /// Returns an error if a suite fails or does not finish.
    pub fn test(&self, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut arguments = inputs();
        arguments.extend(["--values", "5000", "--packets", "5000"].map(Into::into));
        ends_with(&self.run(arguments, on_line)?, "VARBYTES TESTS PASSED")
    }

    /// Runs the benchmark with more arguments.
    ///
    /// # Errors
    /// Returns an error if it does not finish.
    pub fn benchmark(&self, arguments: &[&str], on_line: &mut dyn FnMut(&str)) -> Result<(Vec<Case>, Vec<FileCase>)> {
        let arguments = ["--benchmark"].iter().chain(arguments).map(Into::into).collect();
        let output = self.run(arguments, on_line)?;
        Ok((benchmark::cases(&output)?, benchmark::files(&output)?))
    }

    /// Profiles the calls that were below their targets. Returns a table.
    ///
    /// # Errors
    /// Returns an error if a call cannot be profiled.
    pub fn profile(&self, misses: &[Miss], on_call: &mut dyn FnMut()) -> Result<String> {
        profile::table(misses, &self.engine, &mut |engine, arguments| {
            on_call();
            ends_with(&self.run_as(engine, arguments, &mut |_| ())?, "VARBYTES BENCHMARK DONE")
        })
    }

    fn run(&self, arguments: Vec<OsString>, on_line: &mut dyn FnMut(&str)) -> Result<RunOutput> {
        self.run_as(&self.engine, arguments, on_line)
    }

    fn run_as(&self, engine: &Engine, arguments: Vec<OsString>, on_line: &mut dyn FnMut(&str)) -> Result<RunOutput> {
        let mut request = RunRequest::exported(self.folder.path());
        request.timeout = Duration::from_secs(1200);
        request.arguments = arguments;
        Ok(engine.run_watched(&request, on_line)?)
    }
}

fn pack(project: &Project, engine: &Engine, data: &Path) -> Result<()> {
    let root = project.path();
    let write =
        |name: &str, text: &str| fs::write(root.join(name), text).context("cannot write into the copy of the project");
    let settings = fs::read_to_string(root.join("project.godot")).context("cannot read the settings of the project")?;
    let demo = "run/main_scene=\"res://demo/demo.tscn\"";
    ensure!(settings.contains(demo), "the project does not start with the demo");
    write("project.godot", &settings.replace(demo, "run/main_scene=\"res://tests/exported.tscn\""))?;
    write("pack.gd", PACK)?;
    let mut request = RunRequest::new(root, "res://pack.gd");
    request.arguments = vec![data.into()];
    ends_with(&engine.run(&request)?, "VARBYTES PACK DONE")
}

/// Copies the template's program into the game's folder, where it looks for the data. If the template is started by its own
/// loader, that loader is the program.
pub(crate) fn beside(template: &Engine, folder: &Path) -> Result<Engine> {
    let mut launcher = template.launcher.clone();
    let program = launcher.first_mut().context("the release template has no program")?;
    let copy = folder.join(GAME);
    fs::copy(&*program, &copy).with_context(|| format!("cannot copy {}", program.to_string_lossy()))?;
    *program = copy.into();
    Ok(Engine { launcher, ..template.clone() })
}
