//! Many records in one call.

use std::ops::Range;

use godot::builtin::{AnyArray, PackedByteArray, Variant};
use godot::meta::ToGodot;

use super::collected::{Collected, ENOUGH};
use super::one::{next_locked, outcome};
use super::record::{PREFIX, length_before, prefix_of};
use super::state::State;
use crate::encode::write_into;
use crate::error::{RecordError, VarBytesError, short};
use crate::options::VarBytesOptions;
use crate::options_arg::{can_run_scripts, most_bytes, write, writes_full_objects};
use crate::outcome::{Outcome, up_to_most};
use crate::raw::{self, ArrayFill, NewValue, ObjectArgument};

/// Writes each member of an Array as a record: all, or none.
pub(super) fn store(
    file: &State,
    mut values: Variant,
    options: &ObjectArgument<VarBytesOptions>,
) -> Result<Outcome, VarBytesError> {
    let big_endian = file.run(|open| open.records.require_open().map(|()| open.records.is_big_endian()))?;
    // Scripts that run while objects are written can change the Array.
    if can_run_scripts(options) {
        values = values.to::<AnyArray>().duplicate_shallow().to_variant();
    }
    let are_full = writes_full_objects(options);
    let mut records = Records::default();
    let mut losses = Vec::new();
    let members = raw::members(&values);
    for (index, value) in members.iter().enumerate() {
        let prefix = |size: usize| prefix_of(size as u32, big_endian);
        let in_place = |are_full| records.short.add_record(|space| write_into(value, are_full, space), prefix);
        if are_full.and_then(in_place).is_some() {
            continue;
        }
        let written = write(options, value).and_then(|encoded| Ok((length_before(encoded.bytes.len())?, encoded)));
        let (length, encoded) = written.map_err(|error| of_member(error, index))?;
        losses.extend(encoded.losses.iter().map(|loss| in_member(loss, index)));
        records.add(prefix_of(length, big_endian), encoded.bytes);
    }
    let size: usize = records.pieces().map(<[u8]>::len).sum();
    if !members.is_empty() {
        let count = members.len() as u64;
        file.run(|open| open.records.put_all(records.pieces(), size as u64, count, !open.buffered))?;
    }
    Ok(Outcome::written(size - members.len() * PREFIX, up_to_most(losses)))
}

/// Records to write. The bytes of long values are not copied.
#[derive(Default)]
struct Records {
    /// All other bytes.
    short: Collected,
    /// Long values, and which of the other bytes precede each directly.
    long: Vec<(Range<usize>, PackedByteArray)>,
}

impl Records {
    fn add(&mut self, prefix: [u8; PREFIX], value: PackedByteArray) {
        self.short.add(&prefix);
        self.short.note_size(value.len());
        if value.len() < ENOUGH {
            self.short.add(value.as_slice());
        } else {
            self.long.push((self.after_long()..self.short.as_slice().len(), value));
        }
    }

    /// Returns the pieces that all bytes consist of.
    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let short = self.short.as_slice();
        let with_long = self.long.iter().flat_map(|(before, value)| [&short[before.clone()], value.as_slice()]);
        with_long.chain([&short[self.after_long()..]])
    }

    /// Returns where the bytes after the last long value begin among the other bytes.
    fn after_long(&self) -> usize {
        self.long.last().map_or(0, |(before, _)| before.end)
    }
}

/// Puts the index of a member at the start of the path in a line about it.
fn in_member(line: &str, index: usize) -> String {
    match line.strip_prefix('$') {
        Some(rest) => format!("$[{index}]{rest}"),
        None => format!("value {index}: {line}"),
    }
}

fn of_member(mut error: VarBytesError, index: usize) -> VarBytesError {
    let path = in_member(&error.path, index);
    // The message of most errors ends with the path.
    let in_value = short(&error.path).to_string();
    let message = match error.message.strip_suffix(&in_value).filter(|_| !in_value.is_empty()) {
        Some(reason) => format!("value {index}: {reason}{}", short(&path)),
        None => format!("value {index}: {}", error.message),
    };
    error.message = message;
    error.with_path(path)
}

/// Reads at most `count` records. Ends before one that cannot be read, unless it is the first.
pub(super) fn next(
    file: &State,
    count: i64,
    options: &ObjectArgument<VarBytesOptions>,
) -> Result<Outcome, RecordError> {
    let count = usize::try_from(count)
        .ok()
        .filter(|count| *count > 0)
        .ok_or_else(|| VarBytesError::argument(format!("the count of records must be 1 or more, not {count}")))
        .map_err(RecordError::skipped)?;
    let most = most_bytes(options);
    let mut batch = Batch::default();
    while batch.values.len() < count {
        let (mut start, mut unread) = (0, None);
        // The file is unlocked only for a record that can run scripts.
        file.run(|open| -> Result<(), VarBytesError> {
            match open.records.require_open() {
                Err(error) if batch.values.is_empty() => return Err(error),
                // A script has closed the file. The next call reports it.
                Err(_) => return Ok(()),
                Ok(()) => {}
            }
            while batch.values.len() < count && (batch.values.is_empty() || open.records.has_next()) {
                start = open.records.position();
                let mut used = 0;
                match next_locked(open, most, options, &mut used, &mut unread) {
                    Some(value) => batch.add(value, used),
                    None => break,
                }
            }
            Ok(())
        })?;
        if unread.is_none() {
            break;
        }
        match outcome(file, unread, options) {
            Ok(outcome) => batch.add_outcome(outcome),
            Err(error) if batch.values.is_empty() => return Err(error),
            Err(_) => {
                // The next call reports the error.
                file.run_or((), |open| open.records.return_to(start));
                break;
            }
        }
    }
    Ok(batch.finish())
}

/// The values of records.
#[derive(Default)]
struct Batch {
    values: Vec<NewValue>,
    used: usize,
    losses: Vec<String>,
}

impl Batch {
    fn add(&mut self, value: NewValue, used: usize) {
        self.values.push(value);
        self.used += used;
    }

    fn add_outcome(&mut self, Outcome { value, used, losses }: Outcome) {
        self.losses.extend(losses.iter().map(|loss| in_member(loss, self.values.len())));
        self.add(value.into(), used);
    }

    fn finish(self) -> Outcome {
        let mut array = ArrayFill::new(self.values.len(), None);
        for value in self.values {
            array.push(value);
        }
        Outcome { losses: up_to_most(self.losses), ..Outcome::new(array.finish().into_variant(), self.used) }
    }
}
