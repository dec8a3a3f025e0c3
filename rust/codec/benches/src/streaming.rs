//! Reading records that are together larger than the memory allowed.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use varbytes::{Encoder, Profile};

use crate::documents::save;

/// Address space that the command may use, its own code included.
pub const ALLOWED: u64 = 64 << 20;

/// Bytes of all records together.
const TOGETHER: u64 = 1 << 30;

/// Units in a record: about 1 MB.
const UNITS: u32 = 10_000;

/// What reading them came to.
#[derive(Clone, Copy, Debug)]
pub struct Streamed {
    /// Bytes of the records.
    pub bytes: u64,
    /// How long it took to read and convert them.
    pub time: Duration,
}

/// Has `varbytes convert` read records, as `store_var` writes them, of sixteen times the memory it may use. They come
/// through a pipe, of which it cannot know the length, and nothing takes room on a disk.
///
/// # Errors
/// When it does not read them all.
pub fn measure(command: &Path) -> Result<Streamed> {
    let old: Profile = "godot-3.6".parse()?;
    let value = Encoder::new().profile(old).encode(&save(UNITS))?;
    let record = [&u32::try_from(value.len())?.to_le_bytes(), &value[..]].concat();
    let count = TOGETHER.div_ceil(record.len() as u64);
    let bytes = count * record.len() as u64;

    let start = Instant::now();
    // A limit on address space is set by whoever starts the program.
    let mut converting = Command::new("sh")
        .args(["-c", &format!("ulimit -v {} && exec \"$@\"", ALLOWED >> 10), "sh"])
        .arg(command)
        .args(["convert", "--from", "godot-3.6", "--to", "godot-4.6", "--records"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start a shell")?;
    let mut input = converting.stdin.take().context("no way in")?;
    let mut output = converting.stdout.take().context("no way out")?;
    let writing = thread::spawn(move || (0..count).try_for_each(|_| input.write_all(&record)));
    let converted = io::copy(&mut output, &mut io::sink())?;
    let status = converting.wait()?;
    let written = writing.join().is_ok_and(|written| written.is_ok());
    // Nothing of a save takes less room in the newer version.
    if !status.success() || !written || converted < bytes {
        bail!("{} does not convert {bytes} bytes with {ALLOWED} bytes of memory", command.display());
    }
    Ok(Streamed { bytes, time: start.elapsed() })
}
