//! The engines that are run, and how each is asked.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use varbytes::Profile;

use crate::engine::{
    Connection, ConnectionError, Engine, EnginePackage, EngineVersion, RunError, RunOutput, RunRequest, StageError,
    stage_project,
};
use crate::vectors_folder;

/// An engine that is run to hold the codec to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name of its folder of vectors, and of a profile that covers it.
    pub name: &'static str,
    /// Where it comes from.
    pub package: EnginePackage,
    /// The project that holds its scripts, below `godot_project/`.
    project: &'static str,
    /// The parts of that project that its scripts need; all of it where none is named.
    parts: &'static [&'static str],
    /// Where in the project the scripts are.
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

    /// Godot 3.6, whose scripts are in another language than those of Godot 4.
    pub const GODOT_3_6: Self =
        Self { name: "godot-3.6", package: EnginePackage::GODOT_3_6, project: "godot3", parts: &[], scripts: "res://" };

    /// Godot 3.2, with the scripts of Godot 3.6.
    pub const GODOT_3_2: Self = Self { name: "godot-3.2", package: EnginePackage::GODOT_3_2, ..Self::GODOT_3_6 };

    /// All of them, newest first.
    pub const ALL: [Self; 3] = [Self::GODOT_4, Self::GODOT_3_6, Self::GODOT_3_2];

    /// The reference of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reference| reference.name == name)
    }

    /// The folder of its committed vectors.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        vectors_folder().join(self.name)
    }

    /// The profile for a version of the engine, and whether it covers that version: for one newer than the
    /// table, the newest of its line has to do.
    ///
    /// # Panics
    /// Never: a reference has the name of a profile.
    #[must_use]
    pub fn profile(&self, version: &EngineVersion) -> (Profile, bool) {
        match Profile::from_name(&version.profile_name()) {
            Ok(profile) => (profile, true),
            Err(_) => (self.newest_profile(), false),
        }
    }

    /// The profile of its name, or a later one whose name begins with that: `godot-4.6.3` for `godot-4.6`.
    fn newest_profile(&self) -> Profile {
        let first = Profile::from_name(self.name).expect("a reference has the name of a profile");
        let newest = Profile::ALL.iter().rfind(|profile| profile.name().starts_with(first.name()));
        newest.copied().unwrap_or(first)
    }
}

/// An engine with a copy of its project to work in.
#[derive(Debug)]
pub struct Running {
    /// As which reference it runs.
    pub reference: Reference,
    /// The engine.
    pub engine: Engine,
    project: TempDir,
}

impl Running {
    /// Makes a copy of what the engine needs to write vectors and to judge packets: scripts alone, so that this
    /// works before the addon is built.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn new(reference: Reference, engine: Engine) -> Result<Self, StageError> {
        let projects = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../godot_project");
        let project = stage_project(&projects.join(reference.project), reference.parts)?;
        Ok(Self { reference, engine, project })
    }

    /// The profile that covers it, or has to do.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.reference.profile(&self.engine.version).0
    }

    /// Runs one of the project's scripts and hands each line it prints to `on_line`.
    ///
    /// # Errors
    /// As [`Engine::run`].
    pub fn run(
        &self,
        script: &str,
        arguments: Vec<OsString>,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<RunOutput, RunError> {
        let script = format!("{}{script}", self.reference.scripts);
        let mut request = RunRequest::new(self.project.path(), &script);
        request.arguments = arguments;
        self.engine.run_watched(&request, on_line)
    }

    /// Starts one of the project's scripts that answers over a connection; `limit` is for each answer.
    ///
    /// # Errors
    /// As [`Engine::connect`].
    pub fn connect(&self, script: &str, limit: Duration) -> Result<Connection, ConnectionError> {
        let script = format!("{}{script}", self.reference.scripts);
        let mut request = RunRequest::new(self.project.path(), &script);
        request.timeout = limit;
        self.engine.connect(&request)
    }
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
    fn a_version_newer_than_the_table_gets_the_newest_profile_of_its_line() {
        let version: EngineVersion = "4.99.stable.official".parse().expect("a version");
        assert_eq!(Reference::GODOT_4.profile(&version), (Profile::NEWEST, false));
        let version: EngineVersion = "4.6.3.stable.official".parse().expect("a version");
        assert_eq!(Reference::GODOT_4.profile(&version), (Profile::NEWEST, true));
    }
}
