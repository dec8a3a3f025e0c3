//! Tests the addon in engines that lack a function. It must either work, or report the reason and register nothing. It must
//! not abort.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Engine, RunRequest};

use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::repository;

/// Methods of built-in types and classes that the library looks up by name.
const LOOKED_UP: [&str; 12] = [
    "method size",
    "method resize",
    "method is_typed",
    "method get_typed_builtin",
    "method get_typed_key_class_name",
    "method get_typed_value_script",
    "class Object",
    "class RefCounted",
    "class ClassDB",
    "class RenderingServer",
    "class FileAccess",
    "class Node",
];

/// The last line of the script.
const END: &str = "VARBYTES LACKING END";

/// Runs the library once without each function that it requests from the engine. `libraries` is the folder to which the paths
/// in the `.gdextension` file are relative. `parity` is the library that hides functions. Returns how many were hidden.
///
/// # Errors
/// Returns an error if the engine does not run the script to its end, or if the addon registers only some of its classes or
/// does not report why it registers none.
pub fn run(engine: &Engine, manifest: &Manifest, libraries: &Path, parity: &Path) -> Result<usize> {
    let project = tempfile::Builder::new().prefix("varbytes-lacking-").tempdir().context("cannot create a project")?;
    let root = project.path();
    let library = manifest.libraries(&Platform::host())?.into_iter().find(|library| !library.is_release());
    let library = libraries.join(&library.context("a library is missing")?.path);
    let copy = |from: &Path, name: &str| {
        fs::copy(from, root.join(name)).map(drop).with_context(|| format!("cannot copy {}", from.display()))
    };
    copy(&repository().join("godot_project/tests/lacking.gd"), "lacking.gd")?;
    copy(parity, "parity.so")?;
    let write =
        |name: &str, text: &str| fs::write(root.join(name), text).with_context(|| format!("cannot write {name}"));
    write("project.godot", "config_version=5\n")?;
    let os = std::env::consts::OS;
    write(
        "parity.gdextension",
        &format!(
            "[configuration]\n\nentry_symbol = \"varbytes_lacking_init\"\ncompatibility_minimum = \"4.4\"\n\n\
             [libraries]\n\n{os} = \"parity.so\"\n"
        ),
    )?;
    fs::create_dir(root.join(".godot")).context("cannot create a folder")?;
    write(".godot/extension_list.cfg", "res://parity.gdextension\n")?;

    let names = root.join("names");
    let said = said_without(engine, root, &library, "nothing", Some(&names))?;
    ensure!(said.works, "the addon does not work in a complete engine: {}", said.all);
    let asked = fs::read_to_string(&names).context("the library requested no function")?;
    let asked: BTreeSet<&str> = asked.lines().collect();
    let lacking: Vec<&str> = asked.into_iter().chain(LOOKED_UP).collect();
    let mut absent = 0;
    for name in &lacking {
        let said = said_without(engine, root, &library, name, None)?;
        ensure!(
            said.works || said.names_reason,
            "without {name}, the addon is missing and reports no reason: {}",
            said.all
        );
        absent += usize::from(!said.works);
    }
    ensure!(absent > 0, "the addon works without every function of the engine, so none was hidden");
    Ok(lacking.len())
}

/// The output of a run.
struct Said {
    works: bool,
    /// Whether standard error says that the addon cannot be used.
    names_reason: bool,
    all: String,
}

fn said_without(engine: &Engine, root: &Path, library: &Path, name: &str, names: Option<&Path>) -> Result<Said> {
    let mut request = RunRequest::new(root, "res://lacking.gd");
    request.environment = vec![("VARBYTES_LIBRARY".into(), library.into()), ("VARBYTES_LACKS".into(), name.into())];
    request.environment.extend(names.map(|names| ("VARBYTES_NAMES".into(), names.into())));
    let home = tempfile::tempdir().context("cannot create a home folder for the engine")?;
    let mut command = engine.script_command(&request, home.path()).context("cannot prepare the engine")?;
    // Not run as other scripts: an extension that cannot be loaded is not an error here.
    let Output { status, stdout, stderr } = command.output().context("cannot start the engine")?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    let all = format!("{status}\n{stdout}\n{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    ensure!(status.success() && lines.contains(&END), "without {name}, the engine did not finish: {all}");
    let works = lines.contains(&"VARBYTES WORKS");
    ensure!(
        works || lines.contains(&"VARBYTES ABSENT"),
        "without {name}, the addon registers only some of its classes: {all}"
    );
    let names_reason = stderr.contains("VarBytes cannot work in this engine");
    Ok(Said { works, names_reason, all })
}
