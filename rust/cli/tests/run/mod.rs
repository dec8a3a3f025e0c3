//! Helpers: running the command, and files of records.
#![allow(dead_code, reason = "each test uses only a part")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `varbytes` with arguments separated by spaces.
pub fn varbytes(arguments: &str, input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_varbytes"))
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

pub fn record(bytes: &[u8], big_endian: bool) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap();
    let prefix = if big_endian { length.to_be_bytes() } else { length.to_le_bytes() };
    [&prefix[..], bytes].concat()
}

pub fn records(values: impl IntoIterator<Item = Vec<u8>>, big_endian: bool) -> Vec<u8> {
    values.into_iter().flat_map(|bytes| record(&bytes, big_endian)).collect()
}

pub fn read_records(mut bytes: &[u8], big_endian: bool) -> Vec<Vec<u8>> {
    let mut read = Vec::new();
    while let Some((prefix, rest)) = bytes.split_first_chunk::<4>() {
        let length = if big_endian { u32::from_be_bytes(*prefix) } else { u32::from_le_bytes(*prefix) };
        let (value, rest) = rest.split_at(length as usize);
        read.push(value.to_vec());
        bytes = rest;
    }
    assert!(bytes.is_empty());
    read
}
