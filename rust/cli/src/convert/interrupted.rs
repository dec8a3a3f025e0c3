//! Removes incomplete output files if the command is stopped by a signal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::Result;

use crate::standard::say;

/// A shell adds this to the number of the signal.
const STOPPED: i32 = 128;

struct State {
    /// The temporary files.
    files: Vec<PathBuf>,
    /// Whether some output has been written.
    written: bool,
}

static STATE: Mutex<State> = Mutex::new(State { files: Vec::new(), written: false });

/// From now on, a signal removes the file before the command exits.
pub fn remove_when(path: &Path) -> Result<()> {
    static LISTENING: OnceLock<std::io::Result<()>> = OnceLock::new();
    state().files.push(path.to_owned());
    let listening = LISTENING.get_or_init(listen);
    listening.as_ref().copied().map_err(|error| anyhow::anyhow!("cannot listen for signals: {error}"))
}

/// Does what gives the temporary file its name. A signal waits until then.
pub fn complete<T>(path: &Path, name: impl FnOnce() -> Result<T>) -> Result<T> {
    let mut state = state();
    let named = name();
    state.files.retain(|file| file != path);
    state.written |= named.is_ok();
    named
}

/// From now on, a signal may leave a part of the output.
pub fn begin_stream() {
    state().written = true;
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stop(signal: i32, name: &str) -> ! {
    let state = state();
    for file in &state.files {
        let _ = fs::remove_file(file);
    }
    say(format_args!("varbytes: stopped by {name}{}", if state.written { "" } else { "; nothing was written" }));
    exit(STOPPED + signal);
}

#[cfg(unix)]
fn listen() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::signal_name;

    // With a handler, a write beyond the limit of a file's size fails instead of ending the command.
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default())?;
    // `nohup` has some signals ignored, which stays so.
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal)))?;
    std::thread::Builder::new().spawn(move || {
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
fn listen() -> std::io::Result<()> {
    ctrlc::set_handler(|| stop(2, "an interrupt")).map_err(std::io::Error::other)
}
