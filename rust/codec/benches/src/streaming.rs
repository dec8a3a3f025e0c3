//! Reading what is larger than the memory allowed: records, and the members of one value.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use varbytes::{Encoder, Profile, Variant};

use crate::documents::save;

/// Address space that a program may use, its own code included.
pub const ALLOWED: u64 = 64 << 20;

/// Bytes of everything together.
pub const TOGETHER: u64 = 1 << 30;

/// Units in a record: about 1 MB.
const UNITS: u32 = 10_000;

/// What reading it came to.
#[derive(Clone, Copy, Debug)]
pub struct Streamed {
    /// Bytes read.
    pub bytes: u64,
    /// How long that took.
    pub time: Duration,
}

/// Has `varbytes convert` read records, as `store_var` writes them, of sixteen times the memory it may use. They come
/// through a pipe, of which it cannot know the length, and nothing takes room on a disk.
///
/// # Errors
/// When it does not read them all.
pub fn records(command: &Path) -> Result<Streamed> {
    let old: Profile = "godot-3.6".parse()?;
    let value = Encoder::new().profile(old).encode(&save(UNITS))?;
    let record = [&u32::try_from(value.len())?.to_le_bytes(), &value[..]].concat();
    let count = TOGETHER.div_ceil(record.len() as u64);
    let mut program = limited(command);
    program.args(["convert", "--from", "godot-3.6", "--to", "godot-4.6", "--records"]);
    let streamed = count * record.len() as u64;
    run(&mut program, &[], &record, count, streamed, |output| {
        let converted = io::copy(output, &mut io::sink())?;
        // Nothing of a save takes less room in the newer version.
        ensure!(converted >= streamed, "{converted} bytes converted, of {streamed}");
        Ok(())
    })
}

/// Has `stream-members` read one Array of `together` bytes, member by member.
///
/// # Errors
/// When it does not read them all.
pub fn members(program: &Path, together: u64) -> Result<Streamed> {
    let member = varbytes::encode(&save(1))?;
    let count = together.div_ceil(member.len() as u64);
    // The beginning of an Array of no members, and in the place of its count theirs.
    let mut begin = varbytes::encode(&Variant::from(Vec::<Variant>::new()))?;
    let place = begin.len() - 4;
    begin[place..].copy_from_slice(&u32::try_from(count)?.to_le_bytes());
    let bytes = begin.len() as u64 + count * member.len() as u64;
    run(&mut limited(program), &begin, &member, count, bytes, |output| {
        let mut said = String::new();
        output.read_to_string(&mut said)?;
        ensure!(said.trim() == count.to_string(), "{said} members read, of {count}");
        Ok(())
    })
}

/// A program with a limit on its address space, which is set by whoever starts it.
fn limited(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {} && exec \"$@\"", ALLOWED >> 10), "sh"]).arg(program);
    command
}

fn run(
    program: &mut Command,
    begin: &[u8],
    part: &[u8],
    count: u64,
    bytes: u64,
    read: impl FnOnce(&mut dyn Read) -> Result<()>,
) -> Result<Streamed> {
    let start = Instant::now();
    let mut running = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start a shell")?;
    let mut input = io::BufWriter::with_capacity(1 << 16, running.stdin.take().context("no way in")?);
    let mut output = running.stdout.take().context("no way out")?;
    thread::scope(|scope| {
        let writing = scope.spawn(move || {
            input.write_all(begin)?;
            (0..count).try_for_each(|_| input.write_all(part))?;
            input.flush()
        });
        let answer = read(&mut output);
        let status = running.wait()?;
        let written = writing.join().is_ok_and(|written| written.is_ok());
        ensure!(status.success() && written, "{program:?} does not read {bytes} bytes with {ALLOWED} bytes of memory");
        answer
    })?;
    Ok(Streamed { bytes, time: start.elapsed() })
}
