//! The engines that are run, and their scripts.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use varbytes::Profile;

use crate::engine::{
    Connection, ConnectionError, Engine, EnginePackage, EngineVersion, RunError, RunOutput, RunRequest, StageError,
    stage_project,
};
use crate::vectors_folder;

/// An engine that is run and compared with the codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name of its folder of vectors, which is also the name of a profile.
    pub name: &'static str,
    /// The package that contains it.
    pub package: EnginePackage,
    /// The project that holds its scripts, below `godot_project/`.
    project: &'static str,
    /// The parts of the project that its scripts need; if empty, all parts.
    parts: &'static [&'static str],
    /// The folder of the scripts in the project.
    scripts: &'static str,
}

impl Reference {
    /// Godot 4.
    pub const GODOT_4: Self = Self {
        name: "godot-4.6",
        package: EnginePackage::GODOT_4,
        project: ".",
        parts: &["conformance"],
        scripts: "res://conformance/",
    };

    /// Godot 4 for 64-bit ARM.
    pub const GODOT_4_ARM64: Self = Self { package: EnginePackage::GODOT_4_ARM64, ..Self::GODOT_4 };

    /// Godot 3.6, with scripts for Godot 3.
    pub const GODOT_3_6: Self =
        Self { name: "godot-3.6", package: EnginePackage::GODOT_3_6, project: "godot3", parts: &[], scripts: "res://" };

    /// Godot 3.2, with the scripts of Godot 3.6.
    pub const GODOT_3_2: Self = Self { name: "godot-3.2", package: EnginePackage::GODOT_3_2, ..Self::GODOT_3_6 };

    /// All of them, newest first.
    pub const ALL: [Self; 3] = [Self::GODOT_4, Self::GODOT_3_6, Self::GODOT_3_2];

    /// Returns the reference with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reference| reference.name == name)
    }

    /// Returns the folder of its committed vectors.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        vectors_folder().join(self.name)
    }

    /// Returns the profile for a version of the engine, and whether it covers that version. For a version newer than
    /// the table, it is the newest profile of the same line.
    ///
    /// # Panics
    /// Never, because a reference has the name of a profile.
    #[must_use]
    pub fn profile(&self, version: &EngineVersion) -> (Profile, bool) {
        match Profile::from_name(&version.profile_name()) {
            Ok(profile) => (profile, true),
            Err(_) => (self.newest_profile(), false),
        }
    }

    /// The latest profile whose name starts with the reference's name: `godot-4.6.3` for `godot-4.6`.
    fn newest_profile(&self) -> Profile {
        let first = Profile::from_name(self.name).expect("a reference has the name of a profile");
        let newest = Profile::ALL.iter().rfind(|profile| profile.name().starts_with(first.name()));
        newest.copied().unwrap_or(first)
    }
}

/// How many times longer a script may take in an emulator.
const EMULATED: u32 = 10;

/// How a fork names its files.
#[derive(Clone, Copy, Debug)]
pub struct Endings<'e> {
    /// How the names of scripts end.
    pub script: &'e str,
    /// The name of the project file.
    pub project: &'e str,
}

impl Default for Endings<'static> {
    fn default() -> Self {
        Self { script: "gd", project: "project.godot" }
    }
}

/// An engine with its own copy of its project.
#[derive(Debug)]
pub struct Running {
    /// The reference that it runs as.
    pub reference: Reference,
    /// The engine.
    pub engine: Engine,
    project: TempDir,
    script_ending: String,
}

impl Running {
    /// Copies the scripts that the engine needs. Copies only scripts, so that this works before the addon is built.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn new(reference: Reference, engine: Engine) -> Result<Self, StageError> {
        let projects = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../godot_project");
        Self::from(&projects, reference, engine, Endings::default())
    }

    /// Does the same with scripts from another folder, for an engine that may name its files otherwise.
    ///
    /// # Errors
    /// If they cannot be copied.
    pub fn from(
        projects: &Path,
        reference: Reference,
        engine: Engine,
        endings: Endings<'_>,
    ) -> Result<Self, StageError> {
        let project = stage_project(&projects.join(reference.project), reference.parts)?;
        rename(project.path(), endings)?;
        Ok(Self { reference, engine, project, script_ending: endings.script.to_owned() })
    }

    /// Returns the path of a script in the project.
    fn path(&self, script: &str) -> String {
        let name = script.trim_end_matches("gd");
        format!("{}{name}{}", self.reference.scripts, self.script_ending)
    }

    /// Returns the profile that covers it, or the nearest one.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.reference.profile(&self.engine.version).0
    }

    /// Runs one of the project's scripts and passes each printed line to `on_line`.
    ///
    /// # Errors
    /// The same as [`Engine::run`].
    pub fn run(
        &self,
        script: &str,
        arguments: Vec<OsString>,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<RunOutput, RunError> {
        let script = self.path(script);
        let mut request = RunRequest::new(self.project.path(), &script);
        request.arguments = arguments;
        if self.reference.package.machine.is_some() {
            request.timeout *= EMULATED;
        }
        self.engine.run_watched(&request, on_line)
    }

    /// Starts one of the project's scripts that answers over a connection; `limit` is for each answer.
    ///
    /// # Errors
    /// The same as [`Engine::connect`].
    pub fn connect(&self, script: &str, limit: Duration) -> Result<Connection, ConnectionError> {
        let script = self.path(script);
        let mut request = RunRequest::new(self.project.path(), &script);
        request.timeout = limit;
        self.engine.connect(&request)
    }
}

/// Renames the files of a project, and the scripts that scripts load.
fn rename(folder: &Path, endings: Endings<'_>) -> Result<(), StageError> {
    let ordinary = Endings::default();
    if (endings.script, endings.project) == (ordinary.script, ordinary.project) {
        return Ok(());
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| StageError { path, source }
    };
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        if path.is_dir() {
            rename(&path, endings)?;
        } else if path.extension().is_some_and(|extension| extension == "gd") {
            let text = fs::read_to_string(&path).map_err(failed(&path))?;
            let text = text.replace(".gd\"", &format!(".{}\"", endings.script));
            fs::write(&path, text).map_err(failed(&path))?;
            fs::rename(&path, path.with_extension(endings.script)).map_err(failed(&path))?;
        } else if path.ends_with(ordinary.project) {
            fs::rename(&path, path.with_file_name(endings.project)).map_err(failed(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_has_the_name_of_a_profile() {
        for reference in Reference::ALL {
            assert!(Profile::from_name(reference.name).is_ok(), "{}", reference.name);
        }
    }

    #[test]
    fn a_fork_may_name_its_files_otherwise() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("a")).expect("a folder");
        fs::write(folder.path().join("project.godot"), "").expect("a file");
        fs::write(folder.path().join("a/judge.gd"), "preload(\"res://a/codec.gd\")").expect("a file");
        rename(folder.path(), Endings { script: "script", project: "project.other" }).expect("renamed");
        let text = fs::read_to_string(folder.path().join("a/judge.script")).expect("a script");
        assert_eq!(text, "preload(\"res://a/codec.script\")");
        assert!(folder.path().join("project.other").exists() && !folder.path().join("a/judge.gd").exists());
    }

    #[test]
    fn a_version_newer_than_the_table_gets_the_newest_profile_of_its_line() {
        let version: EngineVersion = "4.99.stable.official".parse().expect("a version");
        assert_eq!(Reference::GODOT_4.profile(&version), (Profile::NEWEST, false));
        let version: EngineVersion = "4.6.3.stable.official".parse().expect("a version");
        assert_eq!(Reference::GODOT_4.profile(&version), (Profile::NEWEST, true));
    }
}
