//! Reading a file that is larger than the memory allowed.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use varbytes::{Encoder, Profile};

use crate::documents::save;

/// Address space that the command may use, its own code included.
pub const ALLOWED: u64 = 64 << 20;

/// Units in a record: about 1 MB.
const UNITS: u32 = 10_000;

/// What reading such a file came to.
#[derive(Clone, Copy, Debug)]
pub struct Streamed {
    /// Bytes of the file.
    pub bytes: u64,
    /// How long it took to read it, and to write what it was converted to.
    pub time: Duration,
}

/// Writes a file of records, as `store_var` does, eight times as large as the memory allowed, and has `varbytes convert`
/// read it with no more than that.
///
/// # Errors
/// When it does not, or with too little room in `folder`.
pub fn measure(command: &Path, folder: &Path) -> Result<Streamed> {
    let folder = tempfile::tempdir_in(folder).context("no folder for the file")?;
    let (input, output) = (folder.path().join("large.save"), folder.path().join("converted.save"));
    let old: Profile = "godot-3.6".parse()?;
    let record = Encoder::new().profile(old).encode(&save(UNITS))?;
    let length = u32::try_from(record.len())?.to_le_bytes();
    let mut file = BufWriter::new(File::create(&input)?);
    let mut bytes = 0;
    while bytes < 8 * ALLOWED {
        file.write_all(&length)?;
        file.write_all(&record)?;
        bytes += (length.len() + record.len()) as u64;
    }
    file.into_inner()?.sync_all()?;
    let limit = ALLOWED >> 10;
    let start = Instant::now();
    // A limit on address space is set by whoever starts the program.
    let status = Command::new("sh")
        .args(["-c", &format!("ulimit -v {limit} && exec \"$@\""), "sh"])
        .arg(command)
        .args(["convert", "--from", "godot-3.6", "--to", "godot-4.6", "--records"])
        .arg(&input)
        .arg("--output")
        .arg(&output)
        .status()
        .context("cannot start a shell")?;
    if !status.success() {
        bail!("{} does not read a file of {bytes} bytes with {ALLOWED} bytes of memory", command.display());
    }
    if output.metadata()?.len() < bytes {
        bail!("less was written than read");
    }
    Ok(Streamed { bytes, time: start.elapsed() })
}
