//! Follows the advice of the addon's page in a project made from scratch: the first import, an export, and what happens if the
//! library is missing.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use varbytes_conformance::engine::Engine;

use crate::platform::Platform;
use crate::trial::write;
use crate::{ADDON, MANIFEST, archive, exported};

/// The commands of this language on the addon's page are those for build servers.
const COMMANDS: [&str; 2] = ["```sh\n", "```"];

/// The game that the commands of the page export.
const GAME: &str = "game/game.x86_64";

/// A script that names a class of the addon.
const MAIN: &str = "extends Node\n\n\nfunc _ready() -> void:\n\tprint(\"VARBYTES GAME \", \
                    VarBytes.decode(VarBytes.var_to_bytes([7])).value)\n\tget_tree().quit()\n";

const SCENE: &str = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://main.gd\" id=\"1\"]\n\n\
                     [node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

/// The longest time that a command may take.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The project, and a folder for the output of commands and the engine's settings.
struct Fresh<'a> {
    project: TempDir,
    home: TempDir,
    engine: &'a Engine,
}

/// Imports and exports a new project by the commands of the addon's page, runs the game, and removes the library from the game and
/// from the project.
///
/// # Errors
/// Returns an error if a command fails, or if a missing library is not reported.
pub fn run(engine: &Engine, template: &Engine, zip: &Path) -> Result<()> {
    let folder = |prefix| tempfile::Builder::new().prefix(prefix).tempdir().context("cannot create a folder");
    let fresh = Fresh { project: folder("varbytes-fresh-")?, home: folder("varbytes-home-")?, engine };
    let root = fresh.project.path();
    archive::unpack(zip, root)?;
    fresh.create(template)?;
    let page = fs::read_to_string(root.join(ADDON).join("README.md")).context("cannot read the addon's page")?;
    let commands = page.split_once(COMMANDS[0]).and_then(|(_, rest)| rest.split_once(COMMANDS[1]));
    let (commands, _) = commands.context("the addon's page has no commands for build servers")?;

    let (status, said) = fresh.shell(commands)?;
    ensure!(status.success(), "the commands of the addon's page end with {status}:\n{said}");
    let data = fs::read(root.join(GAME).with_extension("pck")).context("the export wrote no data")?;
    ensure!(contains(&data, b"guard.gd"), "the exported game does not contain the addon");
    ensure!(!contains(&data, b"varbytes/editor/"), "the exported game contains the panel");
    let (status, said) = fresh.play(template)?;
    ensure!(status.success() && said.contains("VARBYTES GAME [7]"), "the exported game ends with {status}:\n{said}");
    ensure!(!said.contains("godot-rust"), "the exported game prints more than its scripts do:\n{said}");

    remove_libraries(&root.join("game"))?;
    let (status, said) = fresh.play(template)?;
    ensure!(
        status.code() == Some(1) && said.contains("is missing, the library for Linux"),
        "a game without the library ends with {status}:\n{said}"
    );

    let manifest = root.join(ADDON).join(MANIFEST);
    let text = fs::read_to_string(&manifest).context("cannot read the manifest")?;
    let host = Platform::host().to_string().replace('-', ".release.");
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with(&host)).collect();
    ensure!(without.len() < text.lines().count(), "the manifest has no library {host}");
    write(&manifest, &without.join("\n"))?;
    let settings = fs::read_to_string(root.join("project.godot")).context("cannot read the settings")?;
    let plugin = format!("\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://{ADDON}/plugin.cfg\")\n");
    write(&root.join("project.godot"), &(settings + &plugin))?;
    let export = commands.lines().last().unwrap_or_default();
    let (status, said) = fresh.shell(export)?;
    ensure!(
        !status.success() && said.contains("has no library for linux.release"),
        "an export without a library ends with {status}:\n{said}"
    );
    Ok(())
}

impl Fresh<'_> {
    /// Creates the files of a project with the guard and an export preset. The plugin is off, as in a new project: the editor's bug
    /// at the first import does not show if a plugin is on.
    fn create(&self, template: &Engine) -> Result<()> {
        let root = self.project.path();
        let version = format!("{}.{}", self.engine.version.major, self.engine.version.minor);
        let program = template.launcher.last().context("the release template has no program")?.to_string_lossy();
        for (name, text) in [
            (
                "project.godot",
                format!(
                    "config_version=5\n\n[application]\n\nconfig/name=\"fresh\"\nrun/main_scene=\"res://main.tscn\"\n\
                     config/features=PackedStringArray(\"{version}\")\n\n[autoload]\n\n\
                     Guard=\"*res://{ADDON}/guard.gd\"\n"
                ),
            ),
            (
                "export_presets.cfg",
                format!(
                    "[preset.0]\n\nname=\"Linux\"\nplatform=\"Linux\"\nrunnable=true\nexport_filter=\"all_resources\"\n\
                     include_filter=\"\"\nexclude_filter=\"\"\n\n[preset.0.options]\n\n\
                     custom_template/release=\"{program}\"\nbinary_format/architecture=\"{}\"\n\
                     varbytes/missing_library=1\n",
                    std::env::consts::ARCH.replace("aarch64", "arm64")
                ),
            ),
            ("main.gd", MAIN.to_owned()),
            ("main.tscn", SCENE.to_owned()),
        ] {
            write(&root.join(name), &text)?;
        }
        fs::create_dir_all(root.join("game")).context("cannot create a folder for the game")?;
        // The engine does not look for scripts of a project here.
        write(&root.join("game/.gdignore"), "")
    }

    /// Runs commands in the project, in which `godot` is the engine. Returns what they print.
    fn shell(&self, commands: &str) -> Result<(ExitStatus, String)> {
        let bin = self.home.path().join("bin");
        let words: Vec<String> =
            self.engine.launcher.iter().map(|word| format!("'{}'", word.to_string_lossy())).collect();
        write(&bin.join("godot"), &format!("exec {} \"$@\"\n", words.join(" ")))?;
        let mut command = Command::new("sh");
        command.args(["-ec", &format!("godot() {{ sh '{}/godot' \"$@\"; }}\n{commands}", bin.display())]);
        self.wait(&mut command)
    }

    /// Runs the exported game.
    fn play(&self, template: &Engine) -> Result<(ExitStatus, String)> {
        let program = self.project.path().join(GAME);
        let mut game = template.clone();
        let word = game.launcher.last_mut().context("the release template has no program")?;
        *word = program.into();
        if game.launcher.len() > 1 {
            // The loader of the template is the program, and the game looks for its data beside it.
            game = exported::beside(&game, &self.project.path().join("game"))?;
        }
        let mut command = game.command();
        command.arg("--headless");
        self.wait(&mut command)
    }

    /// Waits for a command. Returns what it prints.
    fn wait(&self, command: &mut Command) -> Result<(ExitStatus, String)> {
        let said = self.home.path().join("said");
        let file = File::create(&said).context("cannot write the output of a command")?;
        let other = file.try_clone().context("cannot write the output of a command")?;
        command.stdout(file).stderr(other).env("HOME", self.home.path()).current_dir(self.project.path());
        // The engine uses its own folders, not those of the user.
        for folder in ["CONFIG", "DATA", "CACHE", "STATE"] {
            command.env_remove(format!("XDG_{folder}_HOME"));
        }
        let mut child = command.spawn().context("cannot start a command")?;
        let end = Instant::now() + TIMEOUT;
        let status = loop {
            if let Some(status) = child.try_wait().context("cannot wait for a command")? {
                break status;
            }
            if Instant::now() > end {
                let _ = child.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = fs::read(&said).context("cannot read the output of a command")?;
        Ok((status, String::from_utf8_lossy(&said).into_owned()))
    }
}

fn remove_libraries(folder: &Path) -> Result<()> {
    let mut removed = 0;
    for entry in fs::read_dir(folder).context("cannot read the folder of the game")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "so") {
            fs::remove_file(path).context("cannot remove a library")?;
            removed += 1;
        }
    }
    ensure!(removed == 1, "the export copied {removed} libraries");
    Ok(())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
