//! The project's suites as an exported game, in the release template that players run.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Engine, EnginePackage, Progress, RunRequest, fetch, locate};

use crate::suites::{Project, ends_with, inputs};

/// The name of the game, of its program and of its data.
const GAME: &str = "game";

/// Makes the game's data: every file of the project, as they are, without an import or an export preset.
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

/// The release template of the version that the editor's build has.
///
/// # Errors
/// When there is none and none can be fetched, or it is of another version.
pub fn template(engine: &Engine, progress: &mut Progress) -> Result<Engine> {
    let package = EnginePackage::GODOT_4_TEMPLATE;
    let template = match locate(package)? {
        Some(template) => template,
        None => fetch(package, progress)?,
    };
    ensure!(
        template.version == engine.version,
        "the release template is of {}, and the engine of {}; name a matching one in {}",
        template.version,
        engine.version,
        package.variable
    );
    Ok(template)
}

/// Runs all suites of a project as an exported game: data beside the program, the library for exported games, the
/// release template.
///
/// # Errors
/// When the game cannot be made, or a suite fails or does not come to its end.
pub fn test(
    project: &Project,
    engine: &Engine,
    template: &Engine,
    libraries: &[&Path],
    on_line: &mut dyn FnMut(&str),
) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("varbytes-game-").tempdir().context("cannot make a folder")?;
    pack(project, engine, &folder.path().join(GAME).with_extension("pck"))?;
    for library in libraries {
        let name = library.file_name().context("a library has no name")?;
        fs::copy(library, folder.path().join(name)).with_context(|| format!("cannot copy {}", library.display()))?;
    }
    let game = beside(template, folder.path())?;
    let mut request = RunRequest::exported(folder.path());
    request.timeout = Duration::from_secs(600);
    request.arguments = inputs();
    ends_with(&game.run_watched(&request, on_line)?, "VARBYTES TESTS PASSED")
}

fn pack(project: &Project, engine: &Engine, data: &Path) -> Result<()> {
    let root = project.path();
    let write =
        |name: &str, text: &str| fs::write(root.join(name), text).context("cannot write into the copy of the project");
    let settings = fs::read_to_string(root.join("project.godot")).context("cannot read the settings of the project")?;
    let main_scene = "[application]\n\nrun/main_scene=\"res://tests/exported.tscn\"\n";
    write("project.godot", &settings.replacen("[application]\n", main_scene, 1))?;
    write("pack.gd", PACK)?;
    let mut request = RunRequest::new(root, "res://pack.gd");
    request.arguments = vec![data.into()];
    ends_with(&engine.run(&request)?, "VARBYTES PACK DONE")
}

/// The template as a program in the game's folder, where it looks for the data. A template that its own loader starts
/// takes the loader for its program.
fn beside(template: &Engine, folder: &Path) -> Result<Engine> {
    let mut launcher = template.launcher.clone();
    let program = launcher.first_mut().context("the release template has no program")?;
    let copy = folder.join(GAME);
    fs::copy(&*program, &copy).with_context(|| format!("cannot copy {}", program.to_string_lossy()))?;
    *program = copy.into();
    Ok(Engine { launcher, ..template.clone() })
}
