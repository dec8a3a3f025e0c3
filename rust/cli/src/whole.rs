//! One value: raw bytes to tagged JSON and back.

use std::io::{BufWriter, Read, Write, stdout};
use std::path::Path;

use anyhow::{Context, Error, Result, anyhow};
use varbytes::{DecodeError, Decoded, Encoder, inspect_to, tagged_json};

use crate::hint;
use crate::limits::Decoding;
use crate::standard::{open, output_error, say};
use crate::text::write_text;

pub fn decode(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let bytes = read_all(input)?;
    let decoded = tagged_json::decode(&decoder.of(bytes.len()), &bytes).map_err(|error| hinted(error, &bytes))?;
    let Decoded { mut value, consumed, .. } = decoded;
    value.push('\n');
    write_all(value.as_bytes())?;
    let left = bytes.len() - consumed;
    if left > 0 {
        let hint = hint::of_packet(&bytes).unwrap_or("use --strict to refuse them");
        say(format_args!("varbytes: ignored {left} bytes after the value, at offset {consumed}; {hint}"));
    }
    Ok(())
}

pub fn encode(encoder: &Encoder) -> Result<()> {
    let value = tagged_json::from_slice(&read_all(None)?)?;
    write_all(&encoder.encode(&value)?)
}

pub fn inspect(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let bytes = read_all(input)?;
    let mut output = BufWriter::new(stdout().lock());
    let outcome = write_text(&mut output, |text| inspect_to(&decoder.of(bytes.len()), &bytes, text));
    let outcome = outcome.and_then(|outcome| output.flush().map(|()| outcome)).map_err(output_error)?;
    outcome.map(drop).map_err(|error| hinted(error, &bytes))
}

fn read_all(input: Option<&Path>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut input, name) = open(input)?;
    input.read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    Ok(bytes)
}

/// Returns the error, and what else the input can be.
fn hinted(error: DecodeError, bytes: &[u8]) -> Error {
    match hint::of_packet(bytes) {
        Some(hint) => anyhow!("{error}; {hint}"),
        None => error.into(),
    }
}

fn write_all(bytes: &[u8]) -> Result<()> {
    let mut output = stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(output_error)
}
