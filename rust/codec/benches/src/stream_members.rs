//! Reads one value from standard input, member by member, and prints the number of members.

use std::io::{Read, stdin};

use anyhow::{Result, bail};
use varbytes::Decoder;
use varbytes::stream::{Piece, StreamDecoder};

fn main() -> Result<()> {
    let mut stream = StreamDecoder::new(Decoder::new(), 1);
    let mut input = stdin().lock();
    let mut bytes = vec![0; 1 << 16];
    let mut members = 0u64;
    while !stream.is_finished() {
        match stream.next()? {
            Some(Piece::Value(_)) => members += 1,
            Some(_) => {}
            None => match input.read(&mut bytes)? {
                0 => stream.end(),
                count => stream.feed(&bytes[..count]),
            },
        }
    }
    if input.read(&mut bytes)? != 0 {
        bail!("there are bytes after the value");
    }
    println!("{members}");
    Ok(())
}
