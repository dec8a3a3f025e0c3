//! Builds of engines that run no scripts from the command line: export templates, on this system or in a browser.
//!
//! The judge is packed with its questions into the data of a game, as a scene that runs it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::damage::Packet;
use crate::engine::{Engine, RunRequest, stage_project};
use crate::judge::{self, Verdict};

/// The name of the game: its program and its data must agree.
const GAME: &str = "judge";

/// Where the game finds its questions.
const QUESTIONS: &str = "questions.txt";

/// The script that packs a project.
const PACK: &str = r#"extends SceneTree

func _init():
	var packer := PCKPacker.new()
	var failed := packer.pck_start(OS.get_cmdline_user_args()[0]) != OK
	var folders := ["res://"]
	while not folders.is_empty():
		var folder: String = folders.pop_back()
		var access := DirAccess.open(folder)
		for name in access.get_files():
			failed = packer.add_file(folder.path_join(name), folder.path_join(name)) != OK or failed
		for name in access.get_directories():
			folders.append(folder.path_join(name))
	failed = packer.flush() != OK or failed
	print("{\"complete\": %s}" % str(not failed))
	quit()
"#;

/// The settings of the game.
const PROJECT: &str =
    "config_version=5\n\n[application]\n\nconfig/name=\"judge\"\nrun/main_scene=\"res://judge.tscn\"\n";

/// The scene that runs the judge.
const SCENE: &str = "[gd_scene load_steps=2 format=3]\n\n\
    [ext_resource type=\"Script\" path=\"res://conformance/judge.gd\" id=\"1\"]\n\n\
    [node name=\"Judge\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

/// Packs the judge with its questions into a file. `editor` is an engine that can run scripts. The game answers on
/// standard output if `prints` is set, else into the file of its option `--output`.
///
/// # Errors
/// If the project cannot be copied or packed.
pub fn pack(editor: &Engine, projects: &Path, packets: &[Packet], prints: bool, data: &Path) -> Result<()> {
    let stage = stage_project(projects, &["conformance"])?;
    let root = stage.path();
    let change = |name: &str, changes: &[(&str, &str)]| -> Result<()> {
        let path = root.join(name);
        let mut text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        for (from, to) in changes {
            ensure!(text.contains(from), "{name} no longer contains `{}`", from.trim());
            text = text.replace(from, to);
        }
        fs::write(&path, text).with_context(|| format!("cannot write {name}"))
    };
    // The same script as a node: an export template runs scenes.
    change(
        "conformance/judge.gd",
        &[
            ("extends SceneTree\n", "extends Node\n"),
            ("func _initialize() -> void:", "func _ready() -> void:"),
            ("\tquit(", "\tget_tree().quit("),
        ],
    )?;
    if prints {
        change("conformance/judge.gd", &[("output.store_line(", "print(\"JUDGE \" + ")])?;
    }
    for (name, text) in
        [("project.godot", PROJECT), ("judge.tscn", SCENE), ("pack.gd", PACK), (QUESTIONS, &judge::questions(packets))]
    {
        fs::write(root.join(name), text).with_context(|| format!("cannot write {name}"))?;
    }
    let mut request = RunRequest::new(root, "res://pack.gd");
    request.arguments = vec![data.into()];
    editor.run(&request)?.completion()?;
    Ok(())
}

/// Lets an export template read every packet.
///
/// # Errors
/// If the game cannot be packed, or its run fails or is incomplete.
pub fn verdicts(template: &Engine, editor: &Engine, projects: &Path, packets: &[Packet]) -> Result<Vec<Verdict>> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    pack(editor, projects, packets, false, &folder.path().join(GAME).with_extension("pck"))?;
    // A template looks for its data beside the program. If its own loader starts it, that is the program.
    let mut launcher = template.launcher.clone();
    let program = launcher.first_mut().context("the template has no program")?;
    let copy = folder.path().join(GAME);
    fs::copy(&*program, &copy).with_context(|| format!("cannot copy {}", program.to_string_lossy()))?;
    *program = copy.into();
    let game = Engine { launcher, ..template.clone() };
    let output = folder.path().join("verdicts.jsonl");
    let mut request = RunRequest::exported(folder.path());
    request.arguments = arguments(&output);
    game.run(&request)?;
    let answers = fs::read_to_string(&output).with_context(|| format!("cannot read {}", output.display()))?;
    judge::parse(&answers, packets.len())
}

/// Returns the arguments of the game.
fn arguments(output: &Path) -> Vec<OsString> {
    vec!["--input".into(), format!("res://{QUESTIONS}").into(), "--output".into(), output.into()]
}
