//! Removes incomplete output files if the command is stopped by a signal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use anyhow::Result;
use indicatif::ProgressBar;
use tempfile::NamedTempFile;

use crate::standard::say;

/// How long standard error, which can be a pipe that is not read, may hold up the end of the command.
const MESSAGE_TIME: Duration = Duration::from_millis(500);

struct State {
    /// The temporary files.
    files: Vec<PathBuf>,
    written: Written,
    /// Whether only the report is left to write.
    is_reporting: bool,
    bar: Option<ProgressBar>,
}

/// How much of the output is written.
#[derive(Clone, Copy)]
pub enum Written {
    Nothing,
    Part,
    All,
}

static STATE: Mutex<State> =
    Mutex::new(State { files: Vec::new(), written: Written::Nothing, is_reporting: false, bar: None });

/// Whether the files are removed, so that another signal ends the command at once.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

impl State {
    fn set_written(&mut self, written: Written) {
        if !self.is_reporting {
            self.written = written;
        }
    }
}

/// Creates a temporary file, which a signal removes before it ends the command.
pub fn temporary(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    static LISTENING: OnceLock<io::Result<()>> = OnceLock::new();
    let listening = LISTENING.get_or_init(listen);
    listening.as_ref().map_err(|error| io::Error::new(error.kind(), format!("cannot listen for signals: {error}")))?;
    let mut state = state();
    let file = create()?;
    state.files.push(file.path().to_owned());
    Ok(file)
}

/// Does what gives the temporary file its name. A signal waits until then.
pub fn complete<T>(path: &Path, name: impl FnOnce() -> Result<T>) -> Result<T> {
    let mut state = state();
    let named = name();
    state.files.retain(|file| file != path);
    if named.is_ok() {
        state.set_written(Written::All);
    }
    named
}

/// Sets how much of a stream is written.
pub fn set_written(written: Written) {
    state().set_written(written);
}

/// What is written from now on is the report.
pub fn begin_report() {
    state().is_reporting = true;
}

/// Sets the bar that is cleared before the message about a signal.
pub fn clear_first(bar: ProgressBar) {
    state().bar = Some(bar);
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stop(signal: i32, name: &str) -> ! {
    // Held to the end, so that no other file is created or named.
    let mut state = state();
    for file in &state.files {
        let _ = fs::remove_file(file);
    }
    IS_STOPPED.store(true, Ordering::SeqCst);
    let written = match state.written {
        Written::Nothing => "nothing was written",
        Written::Part => "the output is incomplete",
        Written::All => "the output was written",
    };
    let message = format!("varbytes: stopped by {name}; {written}");
    let bar = state.bar.take();
    let (said, wait) = channel();
    let speaker = Builder::new().spawn(move || {
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        say(message);
        let _ = said.send(());
    });
    if speaker.is_ok() {
        let _ = wait.recv_timeout(MESSAGE_TIME);
    }
    end(signal)
}

/// Ends the command as the signal does without a handler: a shell tells this from an exit code, and ends its script.
#[cfg(unix)]
fn end(signal: i32) -> ! {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::abort()
}

#[cfg(not(unix))]
fn end(signal: i32) -> ! {
    std::process::exit(128 + signal)
}

#[cfg(unix)]
fn listen() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::flag::register_conditional_default;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::signal_name;

    // `nohup` has some signals ignored, which stays so.
    let heard: Vec<i32> =
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| !is_ignored(*signal)).collect();
    for signal in &heard {
        register_conditional_default(*signal, &IS_STOPPED)?;
    }
    let mut signals = Signals::new(heard)?;
    Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            stop(signal, signal_name(signal).unwrap_or("a signal"));
        }
    })?;
    Ok(())
}

/// Returns whether this process ignores a signal, as far as the system has a file that says so, which Linux has.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored >> (signal - 1) & 1 != 0)
}

#[cfg(not(unix))]
fn listen() -> io::Result<()> {
    ctrlc::set_handler(|| stop(2, "an interrupt")).map_err(io::Error::other)
}
