//! What is done when somebody stops the command: the file that is not whole goes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

/// What a shell says of a command that was interrupted.
const INTERRUPTED: i32 = 130;

static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on, being interrupted or ended removes the file first.
pub fn remove_when(path: &Path) -> Result<()> {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.to_owned());
    let remove = || {
        if let Some(path) = &*TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) {
            // Gone already, where it has just taken the name of the output.
            let _ = fs::remove_file(path);
        }
        exit(INTERRUPTED);
    };
    ctrlc::set_handler(remove).context("cannot listen for interrupts")
}

/// The file has its own name now, or is gone.
pub fn forget() {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = None;
}
