//! One value: raw bytes on one side, tagged JSON on the other.

use std::io::{Read, Write, stdin, stdout};

use anyhow::{Context, Result};
use varbytes::{Decoder, Encoder, tagged_json};

pub fn decode(decoder: &Decoder) -> Result<()> {
    let bytes = read_all()?;
    let mut text = tagged_json::decode(decoder, &bytes)?.value;
    text.push('\n');
    write_all(text.as_bytes())
}

pub fn encode(encoder: &Encoder) -> Result<()> {
    let value = tagged_json::from_slice(&read_all()?)?;
    write_all(&encoder.encode(&value)?)
}

pub fn inspect(decoder: &Decoder) -> Result<()> {
    write_all(varbytes::inspect(decoder, &read_all()?).as_bytes())
}

fn read_all() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}

// Without context, so that a closed pipe can still be told from other failures.
fn write_all(bytes: &[u8]) -> Result<()> {
    let mut output = stdout().lock();
    output.write_all(bytes)?;
    output.flush()?;
    Ok(())
}
