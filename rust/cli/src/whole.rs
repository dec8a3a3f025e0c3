//! One value: raw bytes to tagged JSON and back.

use std::io::{BufWriter, Write, stdout};
use std::path::Path;

use anyhow::{Result, anyhow};
use varbytes::{Category, Decoded, Encoder, inspect_to, tagged_json};

use crate::fault::Fault;
use crate::hint;
use crate::limits::{Decoding, LengthArgument};
use crate::standard::{open, output_error, read_all, say};
use crate::text::write_text;

pub fn decode(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let bytes = read(input, decoder.max_length)?;
    let decoded = tagged_json::decode(&decoder.of(bytes.len()), &bytes);
    let Decoded { mut value, consumed, .. } =
        decoded.map_err(|error| Fault::from(error).in_packet(&bytes, decoder.engine))?;
    value.push('\n');
    write_all(value.as_bytes())?;
    let left = bytes.len() - consumed;
    if left > 0 {
        let hint = hint::of_packet(&bytes).unwrap_or("use --strict to refuse them");
        say(format_args!("varbytes: ignored {left} bytes after the value, at offset {consumed}; {hint}"));
    }
    Ok(())
}

pub fn encode(encoder: &Encoder, max_length: LengthArgument) -> Result<()> {
    let value = tagged_json::from_slice(&read(None, max_length)?)?;
    let encoded = encoder.encode(&value).map_err(|error| match error.category() {
        Category::NotAllowed => anyhow!("{error}; use --objects"),
        _ => error.into(),
    });
    write_all(&encoded?)
}

pub fn inspect(decoder: &Decoding, input: Option<&Path>) -> Result<()> {
    let bytes = read(input, decoder.max_length)?;
    let mut output = BufWriter::new(stdout().lock());
    let outcome = write_text(&mut output, |text| inspect_to(&decoder.of(bytes.len()), &bytes, text));
    let outcome = outcome.and_then(|outcome| output.flush().map(|()| outcome)).map_err(output_error)?;
    let Decoded { consumed, .. } = outcome.map_err(|error| Fault::from(error).in_packet(&bytes, decoder.engine))?;
    // The text says how many bytes follow.
    if let Some(hint) = hint::of_packet(&bytes).filter(|_| consumed < bytes.len()) {
        say(format_args!("varbytes: {hint}"));
    }
    Ok(())
}

fn read(input: Option<&Path>, max_length: LengthArgument) -> Result<Vec<u8>> {
    let (input, name) = open(input)?;
    read_all(input, &name, max_length.of_input())
}

fn write_all(bytes: &[u8]) -> Result<()> {
    let mut output = stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(output_error)
}
