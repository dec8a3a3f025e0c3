//! Runs a script in an engine and detects every kind of failure.

mod error;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub use error::RunError;

use super::child::{self, Cut, Ended, Stream};
use super::{Engine, display};

/// The default time limit of a run.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

/// How long an engine may run after it reported a failure. The report takes some more lines and a crash some time, but
/// a script that stopped before its `quit()` would run forever.
const AFTER_FAILURE: Duration = Duration::from_secs(2);

/// `ERROR` lines of engines that continue without a file that they should load. Some still exit with code 0: Godot 3
/// does if the script to run is missing. A resource that fails to load is not included, because decoding a malicious
/// object can request one.
const LOAD_FAILURES: [&str; 6] = [
    ": Parse Error",
    "Failed to load script",
    "Can't load script",
    "Can't open dynamic library",
    "GDExtension dynamic library not found",
    "Error loading extension",
];

/// Lines that engines print at exit if an object was not freed.
const LEAKS: [&str; 3] = ["ObjectDB instances leaked", "resources still in use at exit", "leaked at exit"];

/// A script to run, with its options.
#[derive(Clone, Debug)]
pub struct RunRequest<'a> {
    /// The project's folder. The engine may write into it; see
    /// [`stage_project`](super::stage_project).
    pub project: &'a Path,
    /// The script, for example `res://conformance/judge.gd`. It extends `SceneTree` and calls `quit()`. Without a
    /// script, a plugin of the project calls `quit()` in the editor.
    pub script: Option<&'a str>,
    /// The arguments after `--`: `OS.get_cmdline_user_args()`, or in Godot 3 the part of `OS.get_cmdline_args()` after
    /// `--`.
    pub arguments: Vec<OsString>,
    /// The time limit.
    pub timeout: Duration,
    /// Environment variables in addition to those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether to open the project in the editor. The engine must include the editor.
    pub in_editor: bool,
    /// Whether the engine is an exported game, which runs its own main scene and takes no project.
    pub is_exported: bool,
    /// Whether objects still alive at the end make the run a failure.
    pub fail_on_leaks: bool,
    /// Whether runtime errors in scripts are ignored. Godot 3 reports one if its decoding function refuses bytes.
    pub allow_script_errors: bool,
}

impl<'a> RunRequest<'a> {
    /// Runs `script` of `project` without arguments, for at most two minutes.
    #[must_use]
    pub fn new(project: &'a Path, script: &'a str) -> Self {
        Self { script: Some(script), in_editor: false, ..Self::editor(project) }
    }

    /// Runs the main scene of an exported game in its folder, for at most two minutes.
    #[must_use]
    pub fn exported(game: &'a Path) -> Self {
        Self { in_editor: false, is_exported: true, ..Self::editor(game) }
    }

    /// Opens `project` in the editor, without a window, for at most two minutes.
    #[must_use]
    pub fn editor(project: &'a Path) -> Self {
        Self {
            project,
            script: None,
            arguments: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            environment: Vec::new(),
            in_editor: true,
            is_exported: false,
            fail_on_leaks: false,
            allow_script_errors: false,
        }
    }
}

/// The output of a successful run.
#[derive(Clone, Debug)]
pub struct RunOutput {
    /// Standard output, which starts with the engine's banner.
    pub stdout: String,
    /// Standard error: warnings and errors of the engine that do not fail the run.
    pub stderr: String,
    /// The duration.
    pub elapsed: Duration,
}

impl RunOutput {
    /// Returns the script's report that it finished: its last line, a JSON object in which `complete` is true. The
    /// engine's exit code does not prove this.
    ///
    /// # Errors
    ///
    /// [`RunError::Incomplete`] if the last line is anything else.
    pub fn completion(&self) -> Result<serde_json::Value, RunError> {
        let last = self.stdout.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("");
        match serde_json::from_str::<serde_json::Value>(last) {
            Ok(value) if value.get("complete") == Some(&true.into()) => Ok(value),
            _ => Err(RunError::Incomplete {
                last: last.chars().take(200).collect(),
                tail: child::tail("", &self.stderr),
            }),
        }
    }
}

impl Engine {
    /// Runs a script without a window and waits for it to finish.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the engine crashes, hangs, reports a failure or exits with a code other than 0. Whether the
    /// script finished is checked separately by [`RunOutput::completion`].
    pub fn run(&self, request: &RunRequest<'_>) -> Result<RunOutput, RunError> {
        self.run_watched(request, &mut |_| ())
    }

    /// Like [`Engine::run`], but also passes each line of standard output to `on_line`.
    ///
    /// # Errors
    ///
    /// The same as [`Engine::run`].
    pub fn run_watched(&self, request: &RunRequest<'_>, on_line: &mut dyn FnMut(&str)) -> Result<RunOutput, RunError> {
        let (mut command, _home) = self.prepared(request)?;
        let limit = Instant::now() + request.timeout;
        let mut report = None;
        let ended = child::run(&mut command, limit, |stream, line| {
            if stream == Stream::Out {
                on_line(line);
                return None;
            }
            if report.is_some() || !is_failure(line, request.allow_script_errors) {
                return None;
            }
            report = Some(line.to_owned());
            Some(limit.min(Instant::now() + AFTER_FAILURE))
        })
        .map_err(|source| RunError::Start { program: display(&self.launcher), source })?;
        judge(ended, report, request)
    }

    /// Returns the command for a run, and the home folder that must exist while it runs.
    pub(super) fn prepared(&self, request: &RunRequest<'_>) -> Result<(Command, TempDir), RunError> {
        let home = TempDir::with_prefix("varbytes-home-").map_err(|source| RunError::Home { source })?;
        let command = self.script_command(request, home.path()).map_err(|source| RunError::Home { source })?;
        Ok((command, home))
    }

    /// Returns the command for a run, with that folder as the engine's home.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn script_command(&self, request: &RunRequest<'_>, home: &Path) -> io::Result<Command> {
        let mut command = self.command();
        settle(&mut command, home)?;
        // Godot 3 has a separate headless build instead of the option.
        if self.version.major >= 4 {
            command.arg("--headless");
        }
        if request.in_editor {
            command.arg("--editor");
        }
        if !request.is_exported {
            command.arg("--path").arg(request.project);
        }
        if let Some(script) = request.script {
            command.args(["-s", script]);
        }
        if !request.arguments.is_empty() {
            command.arg("--").args(&request.arguments);
        }
        command.envs(request.environment.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }
}

/// Sets a separate home for the engine, so that the user's editor settings are not used and parallel runs do not
/// interfere. Also sets the language, which the engine's messages depend on.
fn settle(command: &mut Command, home: &Path) -> io::Result<()> {
    command.env("HOME", home).env("LANG", "en_US.UTF-8").env("LC_ALL", "C");
    for (variable, folder) in [
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_RUNTIME_DIR", ".run"),
    ] {
        let folder = home.join(folder);
        fs::create_dir_all(&folder)?;
        command.env(variable, folder);
    }
    Ok(())
}

/// Returns whether a line of standard error fails the run. Only lines of the engine itself count, not what a script
/// prints about its data.
fn is_failure(line: &str, allow_script_errors: bool) -> bool {
    let line = line.trim_start();
    if line.starts_with("handle_crash") {
        return true;
    }
    if line.starts_with("SCRIPT ERROR") && !allow_script_errors {
        return true;
    }
    (line.starts_with("ERROR") || line.starts_with("SCRIPT ERROR"))
        && LOAD_FAILURES.iter().any(|text| line.contains(text))
}

/// Returns the most serious failure of a run.
fn judge(ended: Ended, report: Option<String>, request: &RunRequest<'_>) -> Result<RunOutput, RunError> {
    let tail = || child::tail(&ended.stdout, &ended.stderr);
    // The engine's own message comes first, because its handler turns every crash into SIGABRT.
    let crash = ended.stderr.lines().find(|line| line.starts_with("handle_crash"));
    if let Some(line) = crash {
        return Err(RunError::Crashed { how: line.trim_start_matches("handle_crash: ").to_owned(), tail: tail() });
    }
    if ended.cut.is_none() && child::signal(ended.status).is_some() {
        return Err(RunError::Crashed { how: child::describe(ended.status), tail: tail() });
    }
    if let Some(line) = report {
        return Err(RunError::Reported { line, tail: tail() });
    }
    match ended.cut {
        Some(Cut::Deadline) => {
            return Err(RunError::TimedOut { limit: request.timeout, tail: tail() });
        }
        Some(Cut::Flood) => return Err(RunError::Flooded { tail: tail() }),
        None => {}
    }
    if let Some(code) = ended.status.code().filter(|code| *code != 0) {
        return Err(RunError::ExitCode { code, tail: tail() });
    }
    if request.fail_on_leaks {
        let leak = ended.stderr.lines().find(|line| LEAKS.iter().any(|text| line.contains(text)));
        if let Some(line) = leak {
            let line = line.to_owned();
            return Err(RunError::Leaked { line, tail: tail() });
        }
    }
    Ok(RunOutput { stdout: ended.stdout, stderr: ended.stderr, elapsed: ended.elapsed })
}

#[cfg(test)]
mod tests;
