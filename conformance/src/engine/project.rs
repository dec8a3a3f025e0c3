//! Copies a project to a temporary folder that an engine may write into.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The file that makes a folder a project.
const PROJECT_FILE: &str = "project.godot";

/// Files that the engine creates itself, or does not need.
const NOT_COPIED: [&str; 3] = [".godot", ".import", ".git"];

/// A project could not be copied.
#[derive(Debug, thiserror::Error)]
#[error("cannot copy `{}` for the engine to work in", path.display())]
pub struct StageError {
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

/// Copies `parts` of a project (files and folders at its top level) to a temporary folder, which is removed when the
/// result is dropped. The copy keeps `.godot` folders and `.uid` files of the engine out of the checkout. Without
/// parts, the whole project is copied. `project.godot` is always copied.
///
/// The copy contains the engine's list of extensions, so they load in the first run; the engine itself writes this list
/// only after the editor has scanned the project. Relative paths out of the project, for example in a `.gdextension`
/// file, are not valid in the copy.
///
/// # Errors
///
/// [`StageError`] if the project has no `project.godot`, or a file cannot be copied.
pub fn stage_project(project: &Path, parts: &[&str]) -> Result<TempDir, StageError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| StageError { path, source }
    };
    let heart = project.join(PROJECT_FILE);
    fs::metadata(&heart).map_err(failed(&heart))?;
    let stage = TempDir::with_prefix("varbytes-project-").map_err(failed(&std::env::temp_dir()))?;
    let mut extensions = Vec::new();
    copy(project, stage.path(), "res://", &mut extensions, &|name| {
        parts.is_empty() || name == PROJECT_FILE || parts.iter().any(|part| name == *part)
    })?;
    if !extensions.is_empty() {
        extensions.sort();
        let folder = stage.path().join(".godot");
        let list = folder.join("extension_list.cfg");
        fs::create_dir(&folder).and_then(|()| fs::write(&list, extensions.join("\n") + "\n")).map_err(failed(&list))?;
    }
    Ok(stage)
}

fn copy(
    from: &Path,
    to: &Path,
    resource: &str,
    extensions: &mut Vec<String>,
    wanted: &dyn Fn(&OsStr) -> bool,
) -> Result<(), StageError> {
    let failed = |source| StageError { path: from.to_owned(), source };
    for entry in fs::read_dir(from).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        if NOT_COPIED.iter().any(|other| name == *other) || !wanted(&name) {
            continue;
        }
        let (source, target) = (from.join(&name), to.join(&name));
        let resource = format!("{resource}{}", name.to_string_lossy());
        if source.is_dir() {
            fs::create_dir(&target).map_err(failed)?;
            copy(&source, &target, &format!("{resource}/"), extensions, &|_| true)?;
            continue;
        }
        // The target of a link is copied: an addon under development is often linked into a project.
        fs::copy(&source, &target).map_err(|error| StageError { path: source, source: error })?;
        if target.extension().is_some_and(|e| e == "gdextension") {
            extensions.push(resource);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_leaves_the_engines_own_files_and_lists_extensions() {
        let project = TempDir::new().expect("a folder");
        for folder in [".godot", "addons/a"] {
            fs::create_dir_all(project.path().join(folder)).expect("a folder");
        }
        for file in ["project.godot", ".godot/cache", "addons/a/a.gdextension", "main.gd"] {
            fs::write(project.path().join(file), file).expect("a file");
        }
        let stage = stage_project(project.path(), &[]).expect("a copy");
        let read = |file: &str| fs::read_to_string(stage.path().join(file)).ok();
        assert_eq!(read("main.gd").as_deref(), Some("main.gd"));
        assert_eq!(read(".godot/cache"), None);
        assert_eq!(read(".godot/extension_list.cfg").as_deref(), Some("res://addons/a/a.gdextension\n"));
    }

    #[test]
    fn a_copy_of_parts_holds_nothing_else() {
        let project = TempDir::new().expect("a folder");
        for folder in ["addons/a", "tests/addons"] {
            fs::create_dir_all(project.path().join(folder)).expect("a folder");
        }
        for file in ["project.godot", "addons/a/a.gdextension", "tests/addons/b.gd"] {
            fs::write(project.path().join(file), file).expect("a file");
        }
        let stage = stage_project(project.path(), &["tests"]).expect("a copy");
        assert!(stage.path().join("project.godot").exists());
        assert!(stage.path().join("tests/addons/b.gd").exists());
        assert!(!stage.path().join("addons").exists() && !stage.path().join(".godot").exists());
    }

    #[test]
    fn a_folder_without_a_project_is_refused() {
        let folder = TempDir::new().expect("a folder");
        let error = stage_project(folder.path(), &[]).expect_err("no project");
        assert!(error.path.ends_with("project.godot"));
    }
}
