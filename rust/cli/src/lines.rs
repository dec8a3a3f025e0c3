//! Many values: one line of output for each line of input.

use std::io::{self, BufRead, BufReader, BufWriter, Read, StdoutLock, Write, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use varbytes::Encoder;

use crate::answer::{self, TooLong};
use crate::limits::{Decoding, LengthArgument};
use crate::standard::{open, output_error};

/// Large enough for few system calls.
const BUFFER: usize = 1 << 16;

pub fn decode(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let mut bytes = Vec::new();
    each_answer(input, decoder.max_length, |line, answered| answer::decode(decoder, line, &mut bytes, answered))
}

pub fn encode(encoder: &Encoder, max_length: LengthArgument) -> Result<()> {
    let mut bytes = Vec::new();
    each_answer(None, max_length, |line, answered| answer::encode(encoder, line, &mut bytes, answered))
}

pub fn inspect(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let mut bytes = Vec::new();
    each_line(input, decoder.max_length, |line, output| match line {
        Ok(line) => answer::inspect(decoder, line, &mut bytes, output),
        Err(error) => writeln!(output, "{error}"),
    })
}

/// Answers each line by JSON.
fn each_answer(
    input: Option<&Path>,
    max_length: LengthArgument,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>),
) -> Result<()> {
    let mut answered = Vec::new();
    each_line(input, max_length, |line, output| {
        answered.clear();
        match line {
            Ok(line) => answer(line, &mut answered),
            Err(error) => answer::too_long(error, &mut answered),
        }
        output.write_all(&answered)
    })
}

/// Answers each line of a file or standard input by what `answer` writes, on standard output.
///
/// Answers are held back only while more lines are at hand, so that a program may also ask and wait.
fn each_line(
    input: Option<&Path>,
    max_length: LengthArgument,
    mut answer: impl FnMut(std::result::Result<&[u8], TooLong>, &mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
) -> Result<()> {
    let (input, name) = open(input)?;
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, stdout().lock());
    let mut line = Vec::new();
    let limit = max_length.of_line();
    loop {
        line.clear();
        // The end of the line is a byte more.
        let mut limited = (&mut input).take((limit as u64).saturating_add(1));
        let read = limited.read_until(b'\n', &mut line).with_context(|| format!("cannot read {name}"))?;
        if read == 0 {
            return output.flush().map_err(output_error);
        }
        let is_long = read > limit && line.last() != Some(&b'\n');
        let found = if is_long { Err(TooLong(limit)) } else { Ok(line.trim_ascii()) };
        let written = answer(found, &mut output).and_then(|()| output.write_all(b"\n"));
        let is_last = is_long || !input.buffer().contains(&b'\n');
        written.and_then(|()| if is_last { output.flush() } else { Ok(()) }).map_err(output_error)?;
        if is_long {
            input.skip_until(b'\n').with_context(|| format!("cannot read {name}"))?;
        }
    }
}
