//! The addon in engines that lack something: it works, or says that it cannot and registers nothing; it never aborts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Engine, RunRequest};

use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::repository;

/// Methods of built-in types, and classes, that the library looks up by name.
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

/// What the script says last.
const END: &str = "VARBYTES LACKING END";

/// Runs the library of `libraries`, a folder as the `.gdextension` file names them from, once without each function that
/// it asks the engine for. `parity` is the library that stands between them. Gives how many were hidden.
///
/// # Errors
/// When the engine ends in any other way than by the script, or the addon is there in part, or is not there and does not
/// say why.
pub fn run(engine: &Engine, manifest: &Manifest, libraries: &Path, parity: &Path) -> Result<usize> {
    let project = tempfile::Builder::new().prefix("varbytes-lacking-").tempdir().context("cannot make a project")?;
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
    fs::create_dir(root.join(".godot")).context("cannot make a folder")?;
    write(".godot/extension_list.cfg", "res://parity.gdextension\n")?;

    let names = root.join("names");
    let said = said_without(engine, root, &library, "nothing", Some(&names))?;
    ensure!(said.works, "the addon does not work in an engine that lacks nothing: {}", said.all);
    let asked = fs::read_to_string(&names).context("the library asked the engine for nothing")?;
    let asked: BTreeSet<&str> = asked.lines().collect();
    let lacking: Vec<&str> = asked.into_iter().chain(LOOKED_UP).collect();
    let mut absent = 0;
    for name in &lacking {
        let said = said_without(engine, root, &library, name, None)?;
        ensure!(
            said.works || said.names_reason,
            "without {name}, the addon is not there and does not say why: {}",
            said.all
        );
        absent += usize::from(!said.works);
    }
    ensure!(absent > 0, "the addon works without any function of the engine, so none was hidden");
    Ok(lacking.len())
}

/// What a run says.
struct Said {
    works: bool,
    /// Whether the standard error says that the addon cannot be used.
    names_reason: bool,
    all: String,
}

fn said_without(engine: &Engine, root: &Path, library: &Path, name: &str, names: Option<&Path>) -> Result<Said> {
    let mut request = RunRequest::new(root, "res://lacking.gd");
    request.environment = vec![("VARBYTES_LIBRARY".into(), library.into()), ("VARBYTES_LACKS".into(), name.into())];
    request.environment.extend(names.map(|names| ("VARBYTES_NAMES".into(), names.into())));
    let home = tempfile::tempdir().context("cannot make a home for the engine")?;
    let mut command = engine.script_command(&request, home.path()).context("cannot prepare the engine")?;
    // Not run as other scripts are: that an extension cannot be loaded is no failure here.
    let Output { status, stdout, stderr } = command.output().context("cannot start the engine")?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    let all = format!("{status}\n{stdout}\n{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    ensure!(status.success() && lines.contains(&END), "without {name}, the engine did not come to its end: {all}");
    let works = lines.contains(&"VARBYTES WORKS");
    ensure!(works || lines.contains(&"VARBYTES ABSENT"), "without {name}, the addon is there in part: {all}");
    let names_reason = stderr.contains("VarBytes cannot work in this engine");
    Ok(Said { works, names_reason, all })
}
