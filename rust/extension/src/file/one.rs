//! One record in one call.

use godot::builtin::Variant;

use super::record::{in_whole_record, length_before};
use super::record_file::Record;
use super::state::{OpenFile, State};
use crate::build::READ_BY_ENGINE;
use crate::encode::write_into;
use crate::error::{RecordError, VarBytesError};
use crate::options::VarBytesOptions;
use crate::options_arg::{
    after_fast, can_run_scripts, most_bytes, read, read_fast, read_value, write, writes_full_objects,
};
use crate::outcome::{Encoded, Outcome, Packet};
use crate::raw::{NewValue, ObjectArgument};

/// Fast path: writes a value directly to the end of the file. Returns its size, or `None` if that is not possible; nothing was
/// written then. No script runs.
pub(super) fn store_in_place(
    file: &State,
    value: &Variant,
    options: &ObjectArgument<VarBytesOptions>,
) -> Result<Option<usize>, VarBytesError> {
    let Some(are_full) = writes_full_objects(options) else { return Ok(None) };
    file.run(|open| open.records.put_in_place(!open.buffered, |space| write_into(value, are_full, space)))
}

/// Writes a value. Nothing is locked meanwhile: getters of scripts run and may use the file.
#[inline(never)]
pub(super) fn store(
    file: &State,
    value: &Variant,
    options: &ObjectArgument<VarBytesOptions>,
) -> Result<Outcome, VarBytesError> {
    let Encoded { bytes, losses } = write(options, value)?;
    length_before(bytes.len())?;
    file.run(|open| open.records.put(Packet::whole(&bytes), !open.buffered))?;
    Ok(Outcome::written(bytes.len(), losses))
}

/// What is left to do for a record after the file is unlocked.
pub(super) enum AfterUnlock {
    /// Scripts can run while it is read.
    Record(Record),
    /// The value of the record that starts there: there is an error, or more to tell than the value.
    Value(u64, Result<Outcome, VarBytesError>),
    /// The record cannot be read.
    Failed(RecordError),
}

/// Reads the next record. Returns its value and puts the number of its bytes into `used`, or puts anything else into `unread`.
#[inline(always)]
pub(super) fn next(
    file: &State,
    options: &ObjectArgument<VarBytesOptions>,
    used: &mut usize,
    unread: &mut Option<AfterUnlock>,
) -> Option<NewValue> {
    let most = most_bytes(options);
    match file.lock() {
        Ok(mut open) => next_locked(&mut open, most, options, used, unread),
        Err(error) => {
            *unread = Some(AfterUnlock::Failed(error.into()));
            None
        }
    }
}

/// Reads the next record, as [`next`] does, while the file is locked.
// Inlined, with everything but the value elsewhere: avoids a store-forwarding stall.
#[inline(always)]
pub(super) fn next_locked(
    open: &mut OpenFile,
    most: u64,
    options: &ObjectArgument<VarBytesOptions>,
    used: &mut usize,
    unread: &mut Option<AfterUnlock>,
) -> Option<NewValue> {
    let part = match open.records.next_in_block(open.limit.bytes.min(most)) {
        Some(part) => part,
        None => match open.records.read(open.limit.and(most)) {
            Ok(part) => part,
            Err(error) => {
                *unread = Some(AfterUnlock::Failed(error));
                return None;
            }
        },
    };
    let payload = open.records.payload(&part);
    // The block of a longer one is dropped, which the other path does.
    let is_tried = payload.bytes.len() < READ_BY_ENGINE;
    if is_tried && let Some(value) = read_fast(options, payload, used) {
        return Some(value);
    }
    if can_run_scripts(options) {
        *unread = Some(AfterUnlock::Record(open.records.record(part)));
        return None;
    }
    match open.records.value(&part, |payload| {
        let payload = if is_tried { after_fast(options, payload) } else { payload };
        read_value(options, payload)
    }) {
        Ok((value, length)) => {
            *used = length;
            Some(value)
        }
        Err(other) => {
            *unread = Some(AfterUnlock::Value(part.start, other));
            None
        }
    }
}

/// Does what is left to do for a record. The file is not locked here: setters of scripts run and may use it.
#[inline(never)]
pub(super) fn outcome(
    file: &State,
    unread: Option<AfterUnlock>,
    options: &ObjectArgument<VarBytesOptions>,
) -> Result<Outcome, RecordError> {
    let (start, value) = match unread {
        Some(AfterUnlock::Record(record)) => (record.start, read(options, record.payload())),
        Some(AfterUnlock::Value(start, value)) => (start, value),
        Some(AfterUnlock::Failed(error)) => return Err(error),
        None => return Ok(Outcome::done()),
    };
    value.or_else(|error| file.run(|open| Err(in_whole_record(error).in_record(start, open.records.path()))))
}
