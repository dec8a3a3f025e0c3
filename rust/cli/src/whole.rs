//! One value: raw bytes to tagged JSON and back.

use std::io::{BufWriter, Read, Write, stdin, stdout};

use anyhow::{Context, Result};
use varbytes::{Decoded, Encoder, inspect_to, tagged_json};

use crate::limits::Decoding;
use crate::standard::{output_error, say};
use crate::text::write_text;

pub fn decode(decoder: &Decoding) -> Result<()> {
    let bytes = read_all()?;
    let Decoded { mut value, consumed, .. } = tagged_json::decode(&decoder.of(bytes.len()), &bytes)?;
    value.push('\n');
    write_all(value.as_bytes())?;
    let left = bytes.len() - consumed;
    if left > 0 {
        let hint = "use --strict to refuse them, or convert --records for a file of store_var records";
        say(format_args!("varbytes: ignored {left} bytes after the value, at offset {consumed}; {hint}"));
    }
    Ok(())
}

pub fn encode(encoder: &Encoder) -> Result<()> {
    let value = tagged_json::from_slice(&read_all()?)?;
    write_all(&encoder.encode(&value)?)
}

pub fn inspect(decoder: &Decoding) -> Result<()> {
    let bytes = read_all()?;
    let mut output = BufWriter::new(stdout().lock());
    let outcome = write_text(&mut output, |text| inspect_to(&decoder.of(bytes.len()), &bytes, text));
    let outcome = outcome.and_then(|outcome| output.flush().map(|()| outcome)).map_err(output_error)?;
    outcome.map(drop).map_err(Into::into)
}

fn read_all() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}

fn write_all(bytes: &[u8]) -> Result<()> {
    let mut output = stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(output_error)
}
