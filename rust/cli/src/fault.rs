//! Errors in the input, with their position.

use std::fmt;

use serde::Serialize;
use varbytes::escape::{MESSAGE_LENGTH, shortened};
use varbytes::migrate::MigrationError;
use varbytes::record::RecordError;
use varbytes::{Category, DecodeError, Decoder, Limits, Profile};

use crate::answer::shown;
use crate::hint;
use crate::records::{BUFFER, Record};

/// The error.
#[derive(Debug)]
pub enum Fault {
    Migration(MigrationError),
    /// There are bytes after the value.
    Trailing {
        count: usize,
        offset: usize,
    },
    /// The input ends within a record, or the converted value is longer than a record can be.
    Record(RecordError),
}

/// An error with its record, if there are records, and a hint about what else the input could be.
#[derive(Debug)]
pub struct RecordFault {
    record: Option<(u64, u64)>,
    fault: Fault,
    hint: Option<String>,
}

/// The error as JSON.
#[derive(Serialize)]
pub struct Described {
    record: Option<u64>,
    /// The offset of the record in the input.
    record_offset: Option<u64>,
    kind: &'static str,
    category: &'static str,
    /// The offset in the bytes of the value.
    offset: Option<usize>,
    path: Option<String>,
    pub message: String,
}

impl Fault {
    /// Creates the error of input that is one value.
    pub fn in_packet(self, bytes: &[u8], from: Profile) -> RecordFault {
        // Records read as a packet fail, or end early.
        let hint = hint::of_packet(bytes).filter(|_| self.is_misread()).map(str::to_owned);
        let hint = hint.or_else(|| self.hint_of_options(bytes, from));
        RecordFault { record: None, fault: self, hint }
    }

    /// Returns whether the bytes can be something else than what they were read as.
    fn is_misread(&self) -> bool {
        match self {
            Self::Migration(MigrationError::Decode(error)) => {
                !matches!(error.category(), Category::Limit | Category::NotAllowed)
            }
            Self::Trailing { .. } => true,
            _ => false,
        }
    }

    /// Returns the option to use: the newest engine version that reads the bytes as one value, Godot first, or what
    /// goes on without one.
    fn hint_of_options(&self, bytes: &[u8], from: Profile) -> Option<String> {
        if let Self::Migration(MigrationError::Decode(error)) = self
            && error.category() == Category::NotAllowed
        {
            return Some("use --objects".to_owned());
        }
        let mut engines: Vec<Profile> = Profile::ALL.iter().rev().copied().filter(|engine| *engine != from).collect();
        engines.sort_by_key(|engine| !engine.name().starts_with("godot-"));
        // With --strict, an error does not mean that another engine version wrote the bytes.
        let can_be_another = self.is_misread() && !is_whole(bytes, from);
        let found = engines.into_iter().filter(|_| can_be_another).find(|engine| is_whole(bytes, *engine));
        match found {
            Some(engine) => Some(format!("it reads completely as {engine}: check --from")),
            None => matches!(self, Self::Trailing { .. }).then(|| "--drop-trailing drops them".to_owned()),
        }
    }

    /// Returns the name, category, offset in the value, and path.
    fn parts(&self) -> (&'static str, &'static str, Option<usize>, Option<String>) {
        match self {
            Self::Migration(MigrationError::Decode(error)) => {
                (error.kind().name(), error.category().name(), Some(error.offset()), Some(shown(error.path())))
            }
            Self::Migration(MigrationError::Encode(error)) => {
                (error.kind().name(), error.category().name(), None, Some(shown(error.path())))
            }
            Self::Trailing { offset, .. } => ("trailing_bytes", "malformed", Some(*offset), Some("$".to_owned())),
            Self::Record(RecordError::PrefixCutOff { .. }) => ("record_length", "truncated", None, None),
            Self::Record(RecordError::TooLong { .. }) => ("record_too_long", "limit", None, None),
            Self::Record(_) => ("record", "truncated", None, None),
        }
    }
}

impl RecordFault {
    /// Creates the error of a record, counted from 1, at the offset of its length.
    pub fn new(record: &Record<'_>, fault: Fault) -> Self {
        let Record { number, offset, bytes, from, start } = *record;
        let can_be_packet = fault.is_misread() || matches!(fault, Fault::Record(_));
        let hint = match fault {
            _ if number > 1 => None,
            _ if can_be_packet && starts_packet(start, from) => {
                Some("the input looks like one value; leave --records out")
            }
            Fault::Record(RecordError::CutOff { length, read, .. }) => hint_of_length(length, read),
            _ => hint::of_start(bytes),
        };
        let hint = hint.map(str::to_owned).or_else(|| fault.hint_of_options(bytes, from));
        Self { record: Some((number, offset)), fault, hint }
    }

    pub fn describe(&self) -> Described {
        let (kind, category, offset, path) = self.fault.parts();
        Described {
            record: self.record.map(|(number, _)| number),
            record_offset: self.record.map(|(_, offset)| offset),
            kind,
            category,
            offset,
            path,
            message: shortened(self, MESSAGE_LENGTH).to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Migration(error) => error.fmt(formatter),
            Self::Trailing { count, offset } => {
                let noun = if *count == 1 { "byte" } else { "bytes" };
                write!(formatter, "{count} {noun} after the value, at offset {offset}")
            }
            Self::Record(RecordError::PrefixCutOff { read, .. }) => {
                write!(formatter, "the input ends after {read} of the 4 bytes of the record's length")
            }
            Self::Record(RecordError::CutOff { length, read, .. }) => {
                write!(formatter, "the record has {length} bytes, but the input ends after {read} of them")
            }
            Self::Record(RecordError::TooLong { length, limit, .. }) if *limit < usize::MAX => {
                write!(formatter, "the record has {length} bytes, more than {limit}; see --max-length")
            }
            Self::Record(RecordError::TooLong { length, .. }) => {
                write!(formatter, "the converted value has {length} bytes, more than a record can hold")
            }
            Self::Record(error) => error.fmt(formatter),
        }
    }
}

impl fmt::Display for RecordFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((number, offset)) = self.record {
            write!(formatter, "record {number}, at offset {offset} of the input: ")?;
        }
        self.fault.fmt(formatter)?;
        match &self.hint {
            Some(hint) => write!(formatter, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RecordFault {}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Self {
        Self::Migration(error.into())
    }
}

fn check(bytes: &[u8], engine: Profile) -> Result<usize, DecodeError> {
    let decoder = Decoder::new().objects(true).limits(Limits::untrusted(bytes.len())).profile(engine);
    decoder.check(bytes).map(|decoded| decoded.consumed)
}

/// Returns whether an engine version reads the bytes as one value.
fn is_whole(bytes: &[u8], engine: Profile) -> bool {
    check(bytes, engine).is_ok_and(|consumed| consumed == bytes.len())
}

/// Returns whether the first bytes of the input are a packet, or the start of a longer one.
fn starts_packet(start: &[u8], engine: Profile) -> bool {
    let is_cut = |error: DecodeError| start.len() == BUFFER && error.category() == Category::Truncated;
    is_whole(start, engine) || check(start, engine).is_err_and(is_cut)
}

/// Returns what else a file can be whose first record would have `length` bytes, if only `read` bytes follow.
fn hint_of_length(length: u64, read: usize) -> Option<&'static str> {
    let length = u32::try_from(length).ok()?;
    if usize::try_from(length.swap_bytes()).is_ok_and(|length| length <= read) {
        return Some("the length fits in the other byte order; see --big-endian");
    }
    hint::of_start(&length.to_le_bytes()).or_else(|| hint::of_start(&length.to_be_bytes()))
}
