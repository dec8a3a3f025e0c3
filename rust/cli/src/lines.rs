//! Many values: one line of output for each line of input.

use std::io::{self, BufRead, BufReader, BufWriter, StdoutLock, Write, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use varbytes::Encoder;

use crate::answer;
use crate::limits::Decoding;
use crate::standard::{open, output_error};

/// Large enough for few system calls.
const BUFFER: usize = 1 << 16;

pub fn decode(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let (mut bytes, mut answered) = (Vec::new(), Vec::new());
    each_line(input, |line, output| {
        answered.clear();
        answer::decode(decoder, line, &mut bytes, &mut answered);
        output.write_all(&answered)
    })
}

pub fn encode(encoder: &Encoder) -> Result<()> {
    let (mut bytes, mut answered) = (Vec::new(), Vec::new());
    each_line(None, |line, output| {
        answered.clear();
        answer::encode(encoder, line, &mut bytes, &mut answered);
        output.write_all(&answered)
    })
}

pub fn inspect(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let mut bytes = Vec::new();
    each_line(input, |line, output| answer::inspect(decoder, line, &mut bytes, output))
}

/// Answers each line of a file or standard input by what `answer` writes, on standard output.
///
/// Answers are held back only while more lines are at hand, so that a program may also ask and wait.
fn each_line(
    input: Option<&Path>,
    mut answer: impl FnMut(&[u8], &mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
) -> Result<()> {
    let (input, name) = open(input)?;
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).with_context(|| format!("cannot read {name}"))? == 0 {
            return output.flush().map_err(output_error);
        }
        let written = answer(line.trim_ascii(), &mut output).and_then(|()| output.write_all(b"\n"));
        let is_last = !input.buffer().contains(&b'\n');
        written.and_then(|()| if is_last { output.flush() } else { Ok(()) }).map_err(output_error)?;
    }
}
