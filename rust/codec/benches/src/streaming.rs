//! Reads input larger than the allowed memory: records, and the members of one value.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use varbytes::{Encoder, Profile, Variant};

use crate::documents::save;

/// Address space of the program, including its own code.
pub const ALLOWED: u64 = 64 << 20;

/// Total bytes of the input.
pub const TOGETHER: u64 = 1 << 30;

/// Units in a record: about 1 MB.
const UNITS: u32 = 10_000;

/// The result of reading it.
#[derive(Clone, Copy, Debug)]
pub struct Streamed {
    /// Bytes read.
    pub bytes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Lets `varbytes convert` read `store_var` records of sixteen times the memory that it may use. They come through a
/// pipe, so it does not know their length and nothing is stored on a disk.
///
/// # Errors
/// If it does not read all of them.
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
        // No part of a save is shorter in the newer version.
        ensure!(converted >= streamed, "{converted} bytes converted, of {streamed}");
        Ok(())
    })
}

/// Lets `stream-members` read one Array of `together` bytes, member by member.
///
/// # Errors
/// If it does not read all of them.
pub fn members(program: &Path, together: u64) -> Result<Streamed> {
    let member = varbytes::encode(&save(1))?;
    let count = together.div_ceil(member.len() as u64);
    // The header of an empty Array, with the count replaced.
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

/// A command that runs a program with a limit on its address space.
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
    let mut input =
        io::BufWriter::with_capacity(1 << 16, running.stdin.take().context("the program has no standard input")?);
    let mut output = running.stdout.take().context("the program has no standard output")?;
    thread::scope(|scope| {
        let writing = scope.spawn(move || {
            input.write_all(begin)?;
            (0..count).try_for_each(|_| input.write_all(part))?;
            input.flush()
        });
        let answer = read(&mut output);
        let status = running.wait()?;
        let written = writing.join().is_ok_and(|written| written.is_ok());
        ensure!(status.success() && written, "{program:?} cannot read {bytes} bytes with {ALLOWED} bytes of memory");
        answer
    })?;
    Ok(Streamed { bytes, time: start.elapsed() })
}
