//! Converts packets and files of records between engine versions.

mod destination;
mod interrupted;
mod names;
mod permissions;
mod place;
mod report;
mod told;

use std::fs::{File, Metadata};
use std::io::{Read, StdinLock, Write, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use same_file::Handle;
use varbytes::migrate::Migration;
use varbytes::record::Framing;
use varbytes::{Precision, Profile};

use crate::fault::Fault;
use crate::limits::{LengthArgument, LimitArguments, ensure_double};
use crate::records::Records;
use crate::standard::{OutputClosed, WrongUsage, read_all};
use destination::Destination;
use place::{Place, is_same, is_stream};
use report::{Form, Report};
use told::Told;

#[derive(Args)]
pub struct Arguments {
    /// File to convert; `-` or nothing means standard input
    #[arg(value_name = "INPUT")]
    input: Option<PathBuf>,
    /// Engine version that wrote the input, for example godot-3.6; any release of a known engine
    #[arg(long, value_name = "NAME")]
    from: Profile,
    /// Engine version that will read the output, for example godot-4.6
    #[arg(long, value_name = "NAME")]
    to: Profile,
    /// File to write, not INPUT; `-` or nothing means standard output. An existing file is replaced atomically at the
    /// end, also if it is read-only
    #[arg(short, long, value_name = "OUTPUT", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Replace INPUT with the converted file, and keep the original under another name
    #[arg(long, requires = "input")]
    in_place: bool,
    /// Suffix for the name of the kept original; if that name exists, a number is added
    #[arg(long, value_name = "SUFFIX", default_value = ".bak", requires = "in_place", value_parser = suffix)]
    backup_suffix: String,
    /// The input is one value, as `var_to_bytes` writes it. This is the default
    #[arg(long, conflicts_with = "records")]
    packet: bool,
    /// The input is records, as `FileAccess.store_var` and `StreamPeer.put_var` write them: a length of 4 bytes, then
    /// the bytes of the value. Only one record at a time is in memory
    #[arg(long)]
    records: bool,
    /// The lengths of records are big-endian, as with `FileAccess.big_endian`. Values are always little-endian
    #[arg(long, requires = "records")]
    big_endian: bool,
    /// Convert full objects (class and properties). Without this option, input with a full object is refused. Only the
    /// target engine knows its classes and properties: it refuses unknown classes and ignores unknown properties
    #[arg(long)]
    objects: bool,
    /// JSON file with new names of classes and properties; other names are not changed.
    /// {"classes": {"Old": "New"}, "properties": {"Old": {"old": "new"}, "*": {"old": "new"}}}: classes have their old
    /// names, and `*` means every class without an entry for the property
    #[arg(long, value_name = "FILE", requires = "objects")]
    names: Option<PathBuf>,
    /// Write 64-bit vector components, as a double-precision build does
    #[arg(long, conflicts_with = "single")]
    double: bool,
    /// Write 32-bit vector components, as a single-precision build does. Without --double and --single, values keep
    /// their width
    #[arg(long)]
    single: bool,
    /// Drop bytes after a value, as the engine does, and report them as a loss. Without this option they are an error,
    /// because they mean most often that another engine version wrote the input
    #[arg(long)]
    drop_trailing: bool,
    /// Fail and write nothing if there is a loss
    #[arg(long)]
    exact: bool,
    /// Format of the report: text, or JSON with one object per line: {"summary": {...}} first, then {"record",
    /// "offset", "path", "kind", "what", "why"} for each loss; after a failure {"error": {...}} first. Paths are cut to
    /// 500 characters
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    report: Form,
    /// Maximum number of losses with a line in the report; the others are only counted, by kind
    #[arg(long, value_name = "COUNT", default_value_t = Migration::MAX_LOSSES)]
    max_losses: usize,
    /// Write the report to this file instead of standard error; `-` means standard output. A file is replaced at the end
    #[arg(long, value_name = "FILE")]
    report_file: Option<PathBuf>,
    #[command(flatten)]
    max_length: LengthArgument,
    // Last, because its help heading applies to all arguments after it.
    #[command(flatten)]
    limits: LimitArguments,
}

fn suffix(text: &str) -> Result<String, &'static str> {
    match text {
        "" => Err("it is empty"),
        _ if text.contains(['/', '\\']) => Err("it contains a path separator"),
        // After a colon, Windows names a part of the same file.
        _ if cfg!(windows) && text.contains(':') => Err("it contains a colon"),
        _ => Ok(text.to_owned()),
    }
}

/// Input longer than this gets a progress bar.
const LONG: u64 = 16 << 20;

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.double {
        ensure_double(arguments.to, "the engine version of --to has no double precision; leave --double out")?;
    }
    if arguments.in_place && named(arguments.input.as_deref()).is_none() {
        return Err(WrongUsage("standard input cannot be converted in place; name a file").into());
    }
    // Opened first, so that an error is reported before the input is replaced.
    let (told, opened) = match Told::open(arguments) {
        Ok(told) => (told, Ok(())),
        Err(error) => (Told::standard_error()?, Err(error)),
    };
    let mut report = Report::new(arguments.report, arguments.records, arguments.max_losses);
    let done = opened.and_then(|()| convert(arguments, &mut report));
    let failure = done.as_ref().err().filter(|error| !error.is::<OutputClosed>());
    if let Some(error) = failure {
        report.failed(error);
    }
    // A program that reads JSON from standard error gets the error there, so no other text is printed.
    let is_told = failure.is_some() && arguments.report == Form::Json && told.is_standard_error();
    let is_wanted = arguments.report_file.is_some();
    let success = report.success();
    match (done, report.write(told)) {
        (Err(_), Ok(())) if is_told => Err(Reported.into()),
        (Ok(()), Err(error)) if is_wanted => Err(error.context(NotReported(success))),
        (Err(closed), Err(error)) if is_wanted && closed.is::<OutputClosed>() => {
            Err(error.context(NotReported(success)))
        }
        (done, _) => done,
    }
}

/// A failure that is already in the report.
#[derive(Debug)]
pub struct Reported;

impl std::fmt::Display for Reported {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("see the report")
    }
}

impl std::error::Error for Reported {}

/// The number of losses, with --exact.
#[derive(Debug)]
pub struct NotExact(u64);

impl std::fmt::Display for NotExact {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let noun = if self.0 == 1 { "loss" } else { "losses" };
        write!(formatter, "{} {noun}, and --exact was given; nothing was written", self.0)
    }
}

impl std::error::Error for NotExact {}

/// The input was converted, but the report that was asked for could not be written. Has what was done.
#[derive(Debug)]
pub struct NotReported(String);

impl std::fmt::Display for NotReported {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn convert(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let path = named(arguments.input.as_deref());
    let output = named(arguments.output.as_deref());
    if let (Some(names), Some(target)) = (&arguments.names, output.or(path.filter(|_| arguments.in_place))) {
        let shown = target.display();
        ensure!(
            !is_same(names, target),
            "the output would overwrite {shown}, which is the table of names; name another file"
        );
    }
    if let Some(target) = output {
        let shown = target.display();
        let is_input = path.map_or_else(|| is_stream(target, Handle::stdin()), |path| is_same(path, target));
        ensure!(
            !is_input,
            "the output would overwrite {shown}, which is the input; use --in-place, which keeps a backup"
        );
    }
    let migration = migration(arguments)?;
    let (input, mut destination): (Input, _) = match path {
        Some(path) if arguments.in_place => {
            let (file, destination) = Destination::in_place(path, &arguments.backup_suffix)?;
            (Input::File(file), destination)
        }
        Some(path) => {
            let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            (Input::File(file), Destination::new(Place::of_output(output)?)?)
        }
        None => (Input::Standard(stdin().lock()), Destination::new(Place::of_output(output)?)?),
    };
    let name = path.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let length = input.length();
    let progress = progress(length.filter(|_| arguments.records));
    interrupted::clear_first(progress.clone());
    if arguments.records {
        // A record can have any length; of a false one, only so many bytes are read as there are.
        let framing = Framing::new(arguments.max_length.of_input()).big_endian(arguments.big_endian);
        let records = Records::new(progress.wrap_read(input), name, framing, arguments.from)?;
        convert_records(records, arguments, migration, &mut destination, report)?;
    } else {
        let bytes = read_all(input, &name, arguments.max_length.of_input())?;
        convert_packet(&bytes, arguments, &migration, &mut destination, report)?;
    }
    progress.finish_and_clear();
    if arguments.exact && report.losses() > 0 {
        return Err(NotExact(report.losses()).into());
    }
    report.made(destination.finish()?);
    Ok(())
}

enum Input {
    File(File),
    Standard(StdinLock<'static>),
}

impl Input {
    /// Returns its length, if known.
    fn length(&self) -> Option<u64> {
        let Self::File(file) = self else { return None };
        file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len())
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::File(file) => file.read(bytes),
            Self::Standard(input) => input.read(bytes),
        }
    }
}

fn convert_packet(
    bytes: &[u8],
    arguments: &Arguments,
    migration: &Migration,
    destination: &mut Destination,
    report: &mut Report,
) -> Result<()> {
    let fault = |fault: Fault| fault.in_packet(bytes, arguments.from);
    let migration = migration.clone().limits(arguments.limits.of(bytes.len()));
    let converted = migration.migrate_bytes(bytes).map_err(|error| fault(Fault::Migration(error)))?;
    report.losses_of(1, 0, &converted)?;
    let left = bytes.len() - converted.consumed;
    if left > 0 {
        if !arguments.drop_trailing {
            return Err(fault(Fault::Trailing { count: left, offset: converted.consumed }).into());
        }
        report.trailing(1, 0, left)?;
    }
    destination.write_all(&converted.value).context("cannot write the output")?;
    report.value(bytes.len(), converted.value.len());
    Ok(())
}

fn convert_records(
    mut records: Records<impl Read>,
    arguments: &Arguments,
    mut migration: Migration,
    destination: &mut Destination,
    report: &mut Report,
) -> Result<()> {
    let framing = Framing::new(usize::MAX).big_endian(arguments.big_endian);
    while let Some(record) = records.next()? {
        let fault = |fault| record.fault(fault);
        migration = migration.limits(arguments.limits.of(record.bytes.len()));
        let converted = migration.migrate_bytes(record.bytes).map_err(|error| fault(Fault::Migration(error)))?;
        report.losses_of(record.number, record.offset, &converted)?;
        let left = record.bytes.len() - converted.consumed;
        if left > 0 {
            if !arguments.drop_trailing {
                return Err(fault(Fault::Trailing { count: left, offset: converted.consumed }).into());
            }
            report.trailing(record.number, record.offset, left)?;
        }
        let prefix = framing.prefix(converted.value.len()).map_err(|error| fault(Fault::Record(error)))?;
        destination.write_all(&prefix).context("cannot write the output")?;
        destination.write_all(&converted.value).context("cannot write the output")?;
        report.value(record.bytes.len() + prefix.len(), converted.value.len() + prefix.len());
    }
    Ok(())
}

fn migration(arguments: &Arguments) -> Result<Migration> {
    let mut migration = Migration::new(arguments.from, arguments.to).objects(arguments.objects);
    migration = migration.max_losses(arguments.max_losses);
    if arguments.double {
        migration = migration.precision(Precision::Double);
    } else if arguments.single {
        migration = migration.precision(Precision::Single);
    }
    match &arguments.names {
        Some(path) => Ok(migration.names(names::read(path)?)),
        None => Ok(migration),
    }
}

/// Returns the path unless it is `-`.
fn named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| path.as_os_str() != "-")
}

/// Returns a progress bar on standard error for long input, if that is a terminal.
fn progress(length: Option<u64>) -> ProgressBar {
    match length.filter(|length| *length > LONG) {
        None => ProgressBar::hidden(),
        Some(length) => {
            let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {bytes} of {total_bytes}, {eta} left");
            let bar = ProgressBar::new(length).with_finish(ProgressFinish::AndClear);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }
    }
}
