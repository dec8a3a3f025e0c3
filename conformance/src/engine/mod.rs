//! Finds and fetches engines, and runs scripts in them.
//!
//! [`locate()`] searches for an engine, and [`fetch()`] downloads one into a private cache folder. Both return an
//! [`Engine`], which runs a script of a project without a window and distinguishes all kinds of failure
//! ([`Engine::run`]).

mod apt;
mod cache;
pub(crate) mod child;
mod connection;
mod fetch;
mod locate;
mod packages;
mod progress;
mod project;
mod run;
mod version;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

pub use apt::AptError;
pub use cache::{CACHE_VARIABLE, UntrustedCache};
pub use connection::{Connection, ConnectionError};
pub use fetch::{FetchError, fetch};
pub use locate::{LocateError, locate};
pub use packages::{built_engine, cache_folder, fetch_source, fetch_tools};
pub use progress::Progress;
pub use project::{StageError, stage_project};
pub use run::{RunError, RunOutput, RunRequest};
pub use version::{EngineVersion, VersionError};

/// How long an engine may take to print its version. It needs a tenth of a second, or seconds with a cold disk.
const PROBE_LIMIT: Duration = Duration::from_secs(30);

/// The same in an emulator, which translates the whole engine first.
const EMULATED_PROBE_LIMIT: Duration = Duration::from_secs(300);

/// An engine that the suites run: its names and accepted versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnginePackage {
    /// The Debian package that holds the engine.
    pub name: &'static str,
    /// The Debian suite of the package.
    pub suite: &'static str,
    /// The major version the engine must have.
    pub major: u32,
    /// The minor version that the engine must have, if it matters.
    pub minor: Option<u32>,
    /// Its possible names on `PATH`, best first.
    pub commands: &'static [&'static str],
    /// The environment variable that names the engine to use.
    pub variable: &'static str,
    /// Whether it is an export template, which runs the game beside it and not a script of a project.
    pub is_template: bool,
    /// The machine that it is for, if that is another one. An emulator runs it.
    pub machine: Option<&'static Machine>,
}

/// A machine whose programs an emulator runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Debian's name.
    pub name: &'static str,
    /// The possible names of the emulator on `PATH`, best first.
    pub emulators: &'static [&'static str],
}

impl EnginePackage {
    /// Godot 4, in the current version of the suite.
    ///
    /// The Rust bindings of Godot use the same variable.
    pub const GODOT_4: Self = Self {
        name: "godot",
        suite: "forky",
        major: 4,
        minor: None,
        commands: &["godot4", "godot"],
        variable: "GDRUST_GODOT_BIN",
        is_template: false,
        machine: None,
    };

    /// The release template of Godot 4, the build that exported games run.
    pub const GODOT_4_TEMPLATE: Self = Self {
        name: "godot-template-release",
        commands: &["godot-template-release"],
        variable: "VARBYTES_GODOT_TEMPLATE_BIN",
        is_template: true,
        ..Self::GODOT_4
    };

    /// Godot 4 for 64-bit ARM, in an emulator.
    pub const GODOT_4_ARM64: Self = Self {
        commands: &[],
        variable: "VARBYTES_GODOT_ARM64_BIN",
        machine: Some(&Machine { name: "arm64", emulators: &["qemu-aarch64", "qemu-aarch64-static"] }),
        ..Self::GODOT_4
    };

    /// Godot 3.6, the last of its line, in the build that needs no display.
    pub const GODOT_3_6: Self = Self {
        name: "godot3-server",
        suite: "forky",
        major: 3,
        minor: Some(6),
        commands: &["godot3-server"],
        variable: "VARBYTES_GODOT_3_6_BIN",
        is_template: false,
        machine: None,
    };

    /// Godot 3.6.0, the oldest of its line that is packaged.
    pub const GODOT_3_6_0: Self =
        Self { suite: "trixie", variable: "VARBYTES_GODOT_3_6_0_BIN", commands: &[], ..Self::GODOT_3_6 };

    /// Godot 3.2, in the build that needs no display.
    pub const GODOT_3_2: Self = Self {
        name: "godot3-server",
        suite: "bookworm",
        major: 3,
        minor: Some(2),
        commands: &["godot3-server"],
        variable: "VARBYTES_GODOT_3_2_BIN",
        is_template: false,
        machine: None,
    };

    /// The engines that run scripts, newest first.
    pub const ALL: [Self; 3] = [Self::GODOT_4, Self::GODOT_3_6, Self::GODOT_3_2];

    /// Returns how to get the emulator of the engine's machine, if none is on `PATH` and no variable names an engine.
    #[must_use]
    pub fn missing_emulator(&self) -> Option<String> {
        let named = std::env::var_os(self.variable).is_some_and(|value| !value.is_empty());
        let machine = self.machine.filter(|machine| !named && machine.emulator().is_none())?;
        let name = machine.emulators.first().copied().unwrap_or_default();
        Some(format!("it needs {name}: apt-get install qemu-user"))
    }

    /// Returns whether this version of an engine is accepted.
    #[must_use]
    pub fn accepts(&self, version: &EngineVersion) -> bool {
        version.major == self.major && self.minor.is_none_or(|minor| minor == version.minor)
    }

    /// Asks `launcher` for its version, as [`Engine::probe`] does. In an emulator it may take longer.
    pub(crate) fn probe(&self, launcher: Vec<OsString>, origin: Origin) -> Result<Engine, ProbeError> {
        Engine::probe_within(launcher, origin, self.machine.map_or(PROBE_LIMIT, |_| EMULATED_PROBE_LIMIT))
    }
}

/// "Godot 4", "Godot 3.6".
impl fmt::Display for EnginePackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Godot {}", self.major)?;
        self.minor.map_or(Ok(()), |minor| write!(f, ".{minor}"))?;
        self.machine.map_or(Ok(()), |machine| write!(f, " for {}", machine.name))?;
        if self.is_template { f.write_str(" (release template)") } else { Ok(()) }
    }
}

impl Machine {
    /// Returns the emulator, or `None` if it is not on `PATH`.
    fn emulator(&self) -> Option<OsString> {
        self.emulators.iter().find_map(|name| which::which(name).ok()).map(Into::into)
    }
}

/// Where an engine was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This environment variable names it.
    Variable(&'static str),
    /// It is on `PATH`.
    Path,
    /// [`fetch()`] put it into the cache folder.
    Cache,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(variable) => write!(formatter, "named by {variable}"),
            Self::Path => formatter.write_str("found on PATH"),
            Self::Cache => formatter.write_str("fetched from Debian"),
        }
    }
}

/// An engine that has printed its version, so it starts on this machine.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The program and its first arguments.
    pub launcher: Vec<OsString>,
    /// Its version.
    pub version: EngineVersion,
    /// Its origin.
    pub origin: Origin,
}

impl Engine {
    /// Asks `launcher` for its version.
    ///
    /// # Errors
    ///
    /// [`ProbeError`] if it does not start, does not answer in time, or does not print a version.
    pub fn probe(launcher: Vec<OsString>, origin: Origin) -> Result<Self, ProbeError> {
        Self::probe_within(launcher, origin, PROBE_LIMIT)
    }

    fn probe_within(launcher: Vec<OsString>, origin: Origin, limit: Duration) -> Result<Self, ProbeError> {
        let program = display(&launcher);
        let mut command = command(&launcher);
        command.arg("--version");
        let answer = match child::run(&mut command, Instant::now() + limit, |_, _| None) {
            Ok(answer) => answer,
            Err(source) => return Err(ProbeError::Start { program, source }),
        };
        if answer.cut.is_some() {
            return Err(ProbeError::Silent { program, limit });
        }
        // The exit code is ignored: Godot 3.2 answers correctly and exits with 255. Warnings may come before the
        // answer.
        let version = answer.stdout.lines().rev().find_map(|l| l.parse().ok());
        match version {
            Some(version) => Ok(Self { launcher, version, origin }),
            None => Err(ProbeError::Answer {
                program,
                status: child::describe(answer.status),
                tail: child::tail(&answer.stdout, &answer.stderr),
            }),
        }
    }

    /// Returns a command that starts the engine.
    #[must_use]
    pub fn command(&self) -> Command {
        command(&self.launcher)
    }
}

/// Why a program was not accepted as an engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// It could not be started.
    #[error("`{program} --version` could not be started")]
    Start {
        /// The program.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// It did not print anything in time.
    #[error("`{program} --version` did not end within {} s and was killed", limit.as_secs())]
    Silent {
        /// The program.
        program: String,
        /// The time it had.
        limit: Duration,
    },
    /// It did not print a version of Godot.
    #[error("`{program} --version` ended ({status}) without naming a version of Godot{tail}")]
    Answer {
        /// The program.
        program: String,
        /// How it ended.
        status: String,
        /// The end of its output.
        tail: String,
    },
}

fn command(launcher: &[OsString]) -> Command {
    let (program, arguments) = launcher.split_first().map_or((OsStr::new(""), &[][..]), |(p, a)| (p.as_os_str(), a));
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Returns the last part of a launcher, which identifies the engine.
fn display(launcher: &[OsString]) -> String {
    launcher.last().map_or_else(String::new, |word| word.to_string_lossy().into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_a_program_that_does_not_answer_tells_the_time_it_had() {
        let launcher = ["sh", "-c", "sleep 600"].map(OsString::from).to_vec();
        let error = Engine::probe_within(launcher, Origin::Path, Duration::from_secs(1)).expect_err("no answer");
        assert_eq!(error.to_string(), "`sleep 600 --version` did not end within 1 s and was killed");
    }
}
