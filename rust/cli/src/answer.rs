//! The answer to each line of input.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use varbytes::escape::{MESSAGE_LENGTH, json, shortened};
use varbytes::{DecodeError, EncodeError, Encoder, Path, inspect_to, tagged_json};

use crate::limits::Decoding;
use crate::text::write_text;

/// A line with more bytes than this limit.
#[derive(Clone, Copy)]
pub struct TooLong(pub usize);

impl fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the line has more than {} bytes; see --max-length", self.0)
    }
}

#[derive(Serialize)]
struct Failure<'f> {
    error: Description<'f>,
}

#[derive(Serialize)]
struct Description<'f> {
    kind: &'f str,
    category: &'f str,
    /// Offset in the packet, or in the line if the line itself is malformed.
    offset: Option<usize>,
    path: String,
    message: String,
}

/// Answers a packet in hexadecimal with `{"ok": VALUE, "used": N}`.
pub fn decode(decoder: &Decoding, line: &[u8], bytes: &mut Vec<u8>, output: &mut Vec<u8>) {
    if let Err((error, offset)) = from_hex(line, bytes) {
        return fail(
            output,
            Description {
                kind: "invalid_hex",
                category: "malformed",
                offset: Some(offset),
                path: "$".to_owned(),
                message: format!("the line is not a packet in hexadecimal: {error}"),
            },
        );
    }
    match tagged_json::decode(&decoder.of(bytes.len()), bytes) {
        Ok(decoded) => {
            output.extend_from_slice(b"{\"ok\":");
            output.extend_from_slice(decoded.value.as_bytes());
            output.extend_from_slice(format!(",\"used\":{}}}", decoded.used).as_bytes());
        }
        Err(error) => fail(output, describe_decode_error(&error)),
    }
}

/// Answers a line that is too long.
pub fn too_long(TooLong(limit): TooLong, output: &mut Vec<u8>) {
    let message = TooLong(limit).to_string();
    fail(
        output,
        Description { kind: "line_too_long", category: "limit", offset: Some(limit), path: "$".to_owned(), message },
    );
}

/// Answers a packet in hexadecimal with its annotated text and an empty line.
pub fn inspect(decoder: &Decoding, line: &[u8], bytes: &mut Vec<u8>, output: &mut impl Write) -> io::Result<()> {
    match from_hex(line, bytes) {
        // The text says what came of it.
        Ok(()) => write_text(output, |text| inspect_to(&decoder.of(bytes.len()), bytes, text)).map(drop),
        Err((error, offset)) => writeln!(output, "not a packet in hexadecimal: {error}, at {offset}"),
    }
}

/// Answers a value in tagged JSON with `{"ok": "hexadecimal"}`.
pub fn encode(encoder: &Encoder, line: &[u8], bytes: &mut Vec<u8>, output: &mut Vec<u8>) {
    bytes.clear();
    match tagged_json::from_slice(line) {
        Err(error) => fail(
            output,
            Description {
                kind: "invalid_tagged_json",
                category: "malformed",
                offset: error.offset(),
                path: shown(error.path()),
                message: error.to_string(),
            },
        ),
        Ok(value) => match encoder.encode_into(&value, bytes) {
            Ok(()) => {
                output.extend_from_slice(b"{\"ok\":\"");
                output.extend_from_slice(hex::encode(bytes).as_bytes());
                output.extend_from_slice(b"\"}");
            }
            Err(error) => fail(output, describe_encode_error(&error)),
        },
    }
}

/// Reads the bytes of a line in hexadecimal, or returns the error and its offset in the line.
fn from_hex(line: &[u8], bytes: &mut Vec<u8>) -> Result<(), (hex::FromHexError, usize)> {
    bytes.clear();
    bytes.resize(line.len() / 2, 0);
    hex::decode_to_slice(line, bytes).map_err(|error| match error {
        hex::FromHexError::InvalidHexCharacter { index, .. } => (error, index),
        // The length says nothing if a character is wrong.
        _ => match line.iter().position(|digit| !digit.is_ascii_hexdigit()) {
            Some(index) => (hex::FromHexError::InvalidHexCharacter { c: line[index].into(), index }, index),
            None => (error, line.len()),
        },
    })
}

fn describe_decode_error(error: &DecodeError) -> Description<'_> {
    Description {
        kind: error.kind().name(),
        category: error.category().name(),
        offset: Some(error.offset()),
        path: shown(error.path()),
        message: error.to_string(),
    }
}

fn describe_encode_error(error: &EncodeError) -> Description<'_> {
    Description {
        kind: error.kind().name(),
        category: error.category().name(),
        offset: None,
        path: shown(error.path()),
        message: error.to_string(),
    }
}

/// Formats a path for a report.
pub fn shown(path: &Path) -> String {
    shortened(path, MESSAGE_LENGTH).to_string()
}

fn fail(output: &mut Vec<u8>, error: Description<'_>) {
    // Serializing only strings and numbers to memory cannot fail.
    let text = serde_json::to_string(&Failure { error }).unwrap_or_default();
    output.extend_from_slice(json(text).as_bytes());
}
