//! Changes a value in a file of `store_var`: `save_editor game.save '$["player"]["hp"]' 100`.
//!
//! The path is what error messages show. The new value is an int, a float, `true`, `false`, `null` or text. Only the first
//! record that has the path is changed; everything else keeps its bytes.

use std::env;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use varbytes::record::{Framing, RecordReader};
use varbytes::{Decoder, Encoder, Variant};

/// The longest record that is read.
const MAX_RECORD: usize = 1 << 30;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, path, value] = &arguments[..] else { bail!("usage: save_editor FILE PATH VALUE") };
    edit(Path::new(file), &path.parse()?, parse(value))
}

fn parse(text: &str) -> Variant {
    match text {
        "null" => Variant::Nil,
        "true" | "false" => (text == "true").into(),
        _ => text
            .parse::<i64>()
            .map(Variant::from)
            .or_else(|_| text.parse::<f64>().map(Variant::from))
            .unwrap_or_else(|_| text.into()),
    }
}

fn edit(file: &Path, path: &varbytes::Path, value: Variant) -> Result<()> {
    let framing = Framing::new(MAX_RECORD);
    let input = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    let permissions = input.metadata()?.permissions();
    let mut records = RecordReader::new(BufReader::new(input), framing);
    // A copy replaces the file once it is complete.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut copy = tempfile::NamedTempFile::new_in(folder)?;
    copy.as_file().set_permissions(permissions)?;
    let mut value = Some(value);
    let mut offset = 0;
    while let Some(record) = records.read_bytes()? {
        let mut bytes = record.to_vec();
        if value.is_some() {
            // Full objects stay data, and are written back as they were.
            let decoded = Decoder::new().objects(true).decode(record);
            let mut save = decoded.with_context(|| format!("in the record at offset {offset}"))?;
            if let Some(place) = save.at_mut(path) {
                println!("{path}: {place} becomes {}", value.as_ref().unwrap_or(&Variant::Nil));
                *place = value.take().unwrap_or_default();
                bytes = Encoder::new().objects(true).encode(&save)?;
            }
        }
        copy.write_all(&framing.prefix(bytes.len())?)?;
        copy.write_all(&bytes)?;
        offset = records.offset();
    }
    if value.is_some() {
        bail!("no record has {path}, up to offset {offset}");
    }
    copy.persist(file)?;
    Ok(())
}
