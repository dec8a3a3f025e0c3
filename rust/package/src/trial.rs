//! Tests the zip in a new, empty project in a running engine.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use varbytes_conformance::engine::{Engine, EnginePackage, RunRequest, locate};

use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::{ADDON, MANIFEST, archive};

/// The scripts of the trial by their names in the project.
const SCRIPTS: [(&str, &str); 9] = [
    ("trial.gd", include_str!("../trial/trial.gd")),
    ("part.gd", include_str!("../trial/part.gd")),
    ("item.gd", include_str!("../trial/item.gd")),
    ("var_bytes.gd", include_str!("../trial/var_bytes.gd")),
    ("var_bytes_options.gd", include_str!("../trial/var_bytes_options.gd")),
    ("var_bytes_result.gd", include_str!("../trial/var_bytes_result.gd")),
    ("var_bytes_file.gd", include_str!("../trial/var_bytes_file.gd")),
    ("var_bytes_stream.gd", include_str!("../trial/var_bytes_stream.gd")),
    ("var_bytes_task.gd", include_str!("../trial/var_bytes_task.gd")),
];

/// The last line of the script if all checks pass.
const SENTINEL: &str = "VARBYTES TRIAL PASSED";

/// The prefixes of the engine's error messages and warnings.
const COMPLAINTS: [&str; 4] = ["SCRIPT ERROR", "ERROR", "WARNING", "USER "];

/// Returns the engine to test in.
///
/// # Errors
/// Returns an error if there is none, or if the named one cannot be used.
pub fn engine() -> Result<Engine> {
    locate(EnginePackage::GODOT_4)?.context(
        "Godot 4 was not found: set GDRUST_GODOT_BIN to its path, put godot4 or godot on PATH, or run `cargo \
         conformance`, which fetches it",
    )
}

/// Unpacks the zip into a new project and calls every method of every class. First with the library for the editor, which
/// this engine loads, then with the one for exported games in its place. Returns the summary of the script.
///
/// # Errors
/// Returns an error for a wrong result, a method that was not called, an engine error or warning, or a leak.
pub fn run(engine: &Engine, zip: &Path, manifest: &Manifest, platform: &Platform) -> Result<String> {
    let project = tempfile::Builder::new().prefix("varbytes-trial-").tempdir().context("cannot create a project")?;
    let root = project.path();
    archive::unpack(zip, root)?;
    let version = format!("{}.{}", engine.version.major, engine.version.minor);
    let settings = format!(
        "config_version=5\n\n[application]\n\nconfig/name=\"trial\"\nconfig/features=PackedStringArray(\"{version}\")\n"
    );
    write(&root.join("project.godot"), &settings)?;
    for (name, text) in SCRIPTS {
        write(&root.join(name), text)?;
    }
    // Normally the editor creates this list when it first opens a project.
    write(&root.join(".godot/extension_list.cfg"), &format!("res://{ADDON}/{MANIFEST}\n"))?;

    let said = play(engine, root).context("the library for the editor does not work in a new project")?;
    let libraries = manifest.libraries(platform)?;
    let path_of = |release: bool| {
        let found = libraries.iter().find(|library| library.is_release() == release);
        found.map(|library| root.join(ADDON).join(&library.path)).context("a library is missing")
    };
    fs::copy(path_of(true)?, path_of(false)?).context("cannot replace one library with the other")?;
    let said_by_release =
        play(engine, root).context("the library for exported games does not work in a new project")?;
    ensure!(said == said_by_release, "the two libraries differ: `{said}` and `{said_by_release}`");
    Ok(said)
}

/// Runs the script. Returns its last line before the sentinel.
fn play(engine: &Engine, project: &Path) -> Result<String> {
    let mut request = RunRequest::new(project, "res://trial.gd");
    // An emulator takes ten times as long.
    request.timeout = Duration::from_secs(600);
    request.fail_on_leaks = true;
    let output = engine.run(&request)?;
    if let Some(line) = output.stderr.lines().find(|line| COMPLAINTS.iter().any(|start| line.starts_with(start))) {
        bail!("the engine printed: {line}; its standard error:\n{}", output.stderr);
    }
    let said: Vec<&str> = output.stdout.lines().filter(|line| !line.trim().is_empty()).collect();
    let Some((&SENTINEL, before)) = said.split_last() else {
        bail!("the script did not end with `{SENTINEL}`:\n{}", said.join("\n"));
    };
    Ok(before.last().copied().unwrap_or_default().to_owned())
}

/// Writes a text file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("cannot write {}", path.display()))
}
