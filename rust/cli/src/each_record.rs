//! Files of records: a value for each record.

use std::io::{self, BufWriter, StdoutLock, Write, stdout};
use std::path::Path;

use anyhow::Result;
use varbytes::record::Framing;
use varbytes::{DecodeError, Decoder, inspect_to, tagged_json};

use crate::fault::Fault;
use crate::limits::Decoding;
use crate::records::{BUFFER, Record, Records};
use crate::standard::{open, output_error, say};
use crate::text::write_text;

/// Writes a line of tagged JSON for each record.
pub fn decode(decoding: &Decoding, input: Option<&Path>, big_endian: bool) -> Result<()> {
    let mut longer = Longer::default();
    let done =
        each(decoding, input, big_endian, |decoder, record, output| match tagged_json::decode(decoder, record.bytes) {
            Ok(decoded) => {
                longer.count(record, decoded.consumed);
                writeln!(output, "{}", decoded.value).map(Ok)
            }
            Err(error) => Ok(Err(error)),
        });
    longer.mention();
    done
}

/// Writes the number and the offset, the annotated text and an empty line for each record.
pub fn inspect(decoding: &Decoding, input: Option<&Path>, big_endian: bool) -> Result<()> {
    each(decoding, input, big_endian, |decoder, record, output| {
        writeln!(output, "record {}, at offset {} (0x{:x})", record.number, record.offset, record.offset)?;
        let outcome = write_text(output, |text| inspect_to(decoder, record.bytes, text))?;
        writeln!(output)?;
        Ok(outcome.map(drop))
    })
}

fn each(
    decoding: &Decoding,
    input: Option<&Path>,
    big_endian: bool,
    mut show: impl FnMut(&Decoder, &Record, &mut BufWriter<StdoutLock>) -> io::Result<Result<(), DecodeError>>,
) -> Result<()> {
    let (input, name) = open(input)?;
    let framing = Framing::new(decoding.max_length.of_input()).big_endian(big_endian);
    let mut records = Records::new(input, name, framing, decoding.engine)?;
    let mut output = BufWriter::with_capacity(BUFFER, stdout().lock());
    let mut show_all = || {
        while let Some(record) = records.next()? {
            let shown = show(&decoding.of(record.bytes.len()), &record, &mut output).map_err(output_error)?;
            shown.map_err(|error| record.fault(Fault::from(error)))?;
        }
        Ok(())
    };
    let done = show_all();
    // Also before an error, which the records before it do not have.
    output.flush().map_err(output_error).and(done)
}

/// Records with bytes after the value.
#[derive(Default)]
struct Longer {
    count: u64,
    /// The number and the offset of the first.
    first: (u64, u64),
}

impl Longer {
    fn count(&mut self, record: &Record, consumed: usize) {
        if record.bytes.len() > consumed {
            if self.count == 0 {
                self.first = (record.number, record.offset);
            }
            self.count += 1;
        }
    }

    fn mention(&self) {
        let Self { count, first: (number, offset) } = self;
        let noun = if *count == 1 { "record" } else { "records" };
        if *count > 0 {
            say(format_args!(
                "varbytes: ignored bytes after the value of {count} {noun}, first of record {number}, at offset {offset} \
                 of the input; use --strict to refuse them"
            ));
        }
    }
}
