//! The command `varbytes`: Godot's Variant binary format on one side, tagged JSON on the other,
//! or the same format of another engine version.

mod answer;
mod convert;
mod limits;
mod lines;
mod text;
mod whole;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use varbytes::escape::{MESSAGE_LENGTH, shortened};
use varbytes::{Decoder, Encoder, Precision, Profile};

use limits::{Decoding, LimitArguments};

/// Godot's Variant binary format (`var_to_bytes` / `bytes_to_var`) to and from tagged JSON, and from one engine
/// version to another.
#[derive(Parser)]
#[command(version, about, long_about = None)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Reads the format and writes tagged JSON.
    ///
    /// Raw bytes are read from standard input, and the JSON of the value they begin with is written to
    /// standard output; standard error says where bytes follow the value. With --lines, each line of input is a packet in hexadecimal and each line of output
    /// is {"ok": VALUE, "used": N} or {"error": {"kind", "category", "offset", "path", "message"}}.
    Decode(DecodeArguments),
    /// Reads tagged JSON and writes the format.
    ///
    /// The JSON of one value is read from standard input, and its bytes are written to standard output.
    /// With --lines, each line of input is a value and each line of output is {"ok": "hexadecimal"} or
    /// {"error": {...}}.
    Encode(EncodeArguments),
    /// Reads the format and writes what each part of it means: offset, bytes, meaning.
    ///
    /// Raw bytes are read from standard input; with --lines, packets in hexadecimal, one a line. The exit code is 1
    /// where the bytes cannot be read to the end of the value.
    Inspect(DecodeArguments),
    /// Turns what one engine version wrote into what another reads, and reports whatever is not the same there.
    ///
    /// Types are renumbered, renamed and widened; where the other engine has no such type, its nearest takes the
    /// place. Standard input is read and standard output written unless files are named, and either all of the
    /// output is written or, after a failure, nothing.
    ///
    /// The report goes to standard error: a line that sums up, then a line for each part of a value that could
    /// not be carried over exactly, with its path, what became of it and why.
    ///
    /// The exit code is 0 when it is done, with or without losses; 1 when it failed, or when --exact was given
    /// and something was lost; 2 when the command line is wrong.
    Convert(convert::Arguments),
}

#[derive(Args)]
struct DecodeArguments {
    #[command(flatten)]
    common: CommonArguments,
    /// Accept only bytes that the engine itself writes. Padding that it leaves undefined may hold anything, such as that of
    /// a `NodePath` before Godot 4.6.3.
    #[arg(long)]
    strict: bool,
    /// With --strict, refuse padding other than zero even where the engine leaves it undefined.
    #[arg(long, requires = "strict")]
    zero_padding: bool,
    /// Turn reals of 8 bytes into such of 4, as an engine of single precision does on reading.
    #[arg(long)]
    single: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

impl DecodeArguments {
    fn decoder(&self) -> Decoding {
        let CommonArguments { engine, objects, correct_faults, .. } = self.common;
        let decoder = Decoder::new().profile(engine).objects(objects).correct_faults(correct_faults);
        let decoder = decoder.strict(self.strict).zero_padding(self.zero_padding);
        let decoder = if self.single { decoder.precision(Precision::Single) } else { decoder };
        Decoding { decoder, limits: self.limits }
    }
}

#[derive(Args)]
struct EncodeArguments {
    #[command(flatten)]
    common: CommonArguments,
    /// Write reals in 8 bytes, as an engine built with double precision does.
    #[arg(long)]
    double: bool,
}

#[derive(Args)]
struct CommonArguments {
    /// The engine version to read or write as, such as godot-4.6, godot-3.6 or pandemonium-5.
    ///
    /// Any release works, and a name that does not is answered with the list of those that do.
    #[arg(long, value_name = "NAME", default_value_t = Profile::NEWEST)]
    engine: Profile,
    /// Allow full objects (class and properties), as `bytes_to_var_with_objects` and its counterpart do.
    #[arg(long)]
    objects: bool,
    /// Read and write values as they were meant where that engine is known to do it wrongly, as Pandemonium does with
    /// vectors of four components. Without this, its mistakes are made as it makes them.
    #[arg(long)]
    correct_faults: bool,
    /// Work line by line; a bad line is answered like any other, and the next one read.
    #[arg(long)]
    lines: bool,
}

fn main() -> ExitCode {
    let done = match Command::parse().action {
        Action::Decode(arguments) => {
            let decoder = arguments.decoder();
            if arguments.common.lines { lines::decode(&decoder) } else { whole::decode(&decoder) }
        }
        Action::Inspect(arguments) => {
            let decoder = arguments.decoder();
            if arguments.common.lines { lines::inspect(&decoder) } else { whole::inspect(&decoder) }
        }
        Action::Encode(arguments) => {
            let CommonArguments { engine, objects, correct_faults, lines } = arguments.common;
            let mut encoder = Encoder::new().profile(engine).full_objects(objects).correct_faults(correct_faults);
            if arguments.double {
                encoder = encoder.precision(Precision::Double);
            }
            if lines { lines::encode(&encoder) } else { whole::encode(&encoder) }
        }
        Action::Convert(arguments) => convert::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if error.is::<convert::Said>() => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}", shortened(format_args!("varbytes: {error:#}"), MESSAGE_LENGTH));
            ExitCode::FAILURE
        }
    }
}

/// Whether whoever read our output has stopped reading, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
