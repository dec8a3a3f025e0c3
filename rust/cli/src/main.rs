//! The command `varbytes`: converts Godot's Variant binary format to and from tagged JSON, and between engine versions.

mod answer;
mod convert;
mod each_record;
mod fault;
mod hint;
mod limits;
mod lines;
mod records;
mod standard;
mod text;
mod whole;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use varbytes::escape::{MESSAGE_LENGTH, shortened};
use varbytes::{Decoder, Encoder, Precision, Profile};

use limits::{Decoding, LengthArgument, LimitArguments, ensure_double};
use standard::{OutputClosed, WrongUsage, say, survive_size_limit};

/// Convert Godot's Variant binary format (`var_to_bytes` / `bytes_to_var`) to and from tagged JSON, and between engine
/// versions
#[derive(Parser)]
#[command(name = "varbytes", version, about, long_about = None)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Decode bytes to tagged JSON
    ///
    /// Reads raw bytes from a file or from standard input and writes the first value to standard output as JSON. If there are bytes
    /// after the value, a message on standard error says so; with --strict, they are an error. With --lines, each line
    /// of input is a packet in hexadecimal, and each line of output is {"ok": VALUE, "used": N} or {"error": {"kind",
    /// "category", "offset", "path", "message"}}. With --records, each record becomes a line, up to the first that
    /// cannot be read.
    Decode(DecodeArguments),
    /// Encode tagged JSON to bytes
    ///
    /// Reads the JSON of one value from standard input and writes its bytes to standard output. With --lines, each line
    /// of input is a value, and each line of output is {"ok": "hexadecimal"} or {"error": {...}}.
    Encode(EncodeArguments),
    /// Show the offset, bytes and meaning of each part of a packet
    ///
    /// Reads raw bytes from a file or from standard input or, with --lines, one packet in hexadecimal per line. The exit code is 1 if
    /// the value cannot be read completely. With --records, shows each record with its number and offset, up to the
    /// first that cannot be read.
    Inspect(DecodeArguments),
    /// Convert packets or files between engine versions
    ///
    /// Types are renumbered, renamed and widened. A type that the target version does not have is replaced by the most
    /// similar type. Without file names, reads standard input and writes standard output. After a failure, nothing is
    /// written, unless a pipe or standard output did not take all of the output; the message then says so.
    ///
    /// The report goes to standard error: first a summary, then a line for each loss, which is a part of a value that
    /// could not be converted exactly. The line has its path, the result and the reason.
    ///
    /// The exit code is 0 on success, with or without losses; 1 on failure, or if there is a loss and --exact was
    /// given; 2 if the command line is wrong; 3 if the input was converted, but the file of --report-file could not be
    /// written. A signal removes incomplete files and then ends the command as usual, which a shell shows as 128 plus
    /// its number.
    Convert(convert::Arguments),
}

#[derive(Args)]
struct DecodeArguments {
    /// File to read; `-` or nothing means standard input
    #[arg(value_name = "INPUT")]
    input: Option<PathBuf>,
    /// Engine version that wrote the input, for example godot-4.6, godot-3.6 or pandemonium-5
    ///
    /// Any release works. An unknown name is an error that lists the known ones.
    #[arg(long, visible_alias = "from", value_name = "NAME", default_value_t = Profile::NEWEST)]
    engine: Profile,
    /// The input is records, as `FileAccess.store_var` and `StreamPeer.put_var` write them: a length of 4 bytes, then
    /// the bytes of the value. Only one record at a time is in memory
    #[arg(long, conflicts_with = "lines")]
    records: bool,
    /// The lengths of records are big-endian, as with `FileAccess.big_endian`. Values are always little-endian
    #[arg(long, requires = "records")]
    big_endian: bool,
    #[command(flatten)]
    common: CommonArguments,
    /// Accept only bytes that the engine itself writes. Padding that the engine leaves undefined, for example in a
    /// `NodePath` before Godot 4.6.3, may hold anything
    #[arg(long)]
    strict: bool,
    /// With --strict, also refuse undefined padding that is not zero
    #[arg(long, requires = "strict")]
    zero_padding: bool,
    /// Narrow 64-bit vector components to 32 bits, as a single-precision build does
    #[arg(long)]
    single: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

impl DecodeArguments {
    fn decoder(&self) -> Decoding {
        let CommonArguments { objects, fix_engine_bugs, max_length, .. } = self.common;
        let engine = self.engine;
        let decoder = Decoder::new().profile(engine).objects(objects).fix_engine_bugs(fix_engine_bugs);
        let decoder = decoder.strict(self.strict).zero_padding(self.zero_padding);
        let decoder = if self.single { decoder.precision(Precision::Single) } else { decoder };
        Decoding { decoder, engine, max_length, limits: self.limits }
    }
}

#[derive(Args)]
struct EncodeArguments {
    /// Engine version that will read the output, for example godot-4.6, godot-3.6 or pandemonium-5
    ///
    /// Any release works. An unknown name is an error that lists the known ones.
    #[arg(long, visible_alias = "to", value_name = "NAME", default_value_t = Profile::NEWEST)]
    engine: Profile,
    #[command(flatten)]
    common: CommonArguments,
    /// Write 64-bit vector components, as a double-precision build does
    #[arg(long)]
    double: bool,
}

impl EncodeArguments {
    fn encoder(&self) -> Result<Encoder> {
        let CommonArguments { objects, fix_engine_bugs, .. } = self.common;
        let engine = self.engine;
        let encoder = Encoder::new().profile(engine).objects(objects).fix_engine_bugs(fix_engine_bugs);
        if !self.double {
            return Ok(encoder);
        }
        ensure_double(engine, "the engine version of --engine has no double precision; leave --double out")?;
        Ok(encoder.precision(Precision::Double))
    }
}

#[derive(Args)]
struct CommonArguments {
    /// Allow full objects (class and properties), as `bytes_to_var_with_objects` does
    #[arg(long)]
    objects: bool,
    /// Read and write what was meant, without the engine's known bugs, for example Pandemonium's with four-component
    /// vectors. By default the bugs are imitated
    #[arg(long, alias = "correct-faults")]
    fix_engine_bugs: bool,
    /// Process each line separately. A malformed line returns an error, and the next line is read
    #[arg(long)]
    lines: bool,
    #[command(flatten)]
    max_length: LengthArgument,
}

/// The exit code if the command line is wrong, as in clap.
const WRONG_USAGE: u8 = 2;

/// The exit code if the conversion succeeded, but not the report.
const NOT_REPORTED: u8 = 3;

fn main() -> ExitCode {
    survive_size_limit();
    let done = match Command::parse().action {
        Action::Decode(arguments) => {
            let (decoder, input) = (arguments.decoder(), arguments.input.as_deref());
            match (arguments.records, arguments.common.lines) {
                (true, _) => each_record::decode(&decoder, input, arguments.big_endian),
                (false, true) => lines::decode(&decoder, input),
                (false, false) => whole::decode(&decoder, input),
            }
        }
        Action::Inspect(arguments) => {
            let (decoder, input) = (arguments.decoder(), arguments.input.as_deref());
            match (arguments.records, arguments.common.lines) {
                (true, _) => each_record::inspect(&decoder, input, arguments.big_endian),
                (false, true) => lines::inspect(&decoder, input),
                (false, false) => whole::inspect(&decoder, input),
            }
        }
        Action::Encode(arguments) => arguments.encoder().and_then(|encoder| {
            let CommonArguments { lines, max_length, .. } = arguments.common;
            if lines { lines::encode(&encoder, max_length) } else { whole::encode(&encoder, max_length) }
        }),
        Action::Convert(arguments) => convert::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<OutputClosed>() => ExitCode::SUCCESS,
        Err(error) if error.is::<convert::Reported>() => ExitCode::FAILURE,
        Err(error) => {
            say(shortened(format_args!("varbytes: {error:#}"), MESSAGE_LENGTH));
            if error.is::<convert::NotReported>() {
                NOT_REPORTED.into()
            } else if error.is::<WrongUsage>() {
                WRONG_USAGE.into()
            } else {
                ExitCode::FAILURE
            }
        }
    }
}
