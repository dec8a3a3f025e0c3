//! Removes the incomplete output file if the command is interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

/// The exit code of an interrupted command in a shell.
const INTERRUPTED: i32 = 130;

static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on, an interrupt removes the file before the command exits.
pub fn remove_when(path: &Path) -> Result<()> {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.to_owned());
    let remove = || {
        if let Some(path) = &*TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) {
            // It may already have been renamed to the output.
            let _ = fs::remove_file(path);
        }
        exit(INTERRUPTED);
    };
    ctrlc::set_handler(remove).context("cannot listen for interrupts")
}

/// Stops tracking the file, which is renamed or removed.
pub fn forget() {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = None;
}
