//! Reads records from a `FileAccess` and finds where they begin and end.

use std::ops::Range;

use godot::builtin::PackedByteArray;
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::obj::Gd;

use super::access::Access;
use super::record::{MAX_LENGTH, MIN_LENGTH, PREFIX, SizeLimit, length_of, other_than_length};
use crate::error::{ErrorKind, RecordError, VarBytesError, signed};
use crate::outcome::Packet;
use crate::raw::bytes;

/// The name of the error for bytes after the complete records.
const INCOMPLETE_END: &str = "incomplete_end";

/// An open file with records.
pub(crate) struct RecordFile {
    pub(super) access: Access,
    path: String,
    /// Where the first record begins.
    pub(super) origin: u64,
    /// The length of the file when it was last asked for; the file can have grown since. Asking takes longer than reading a
    /// small record, because the engine seeks to the end and back.
    pub(super) known_length: u64,
    /// The complete records found so far, from the origin on.
    pub(super) whole: WholeRecords,
    pub(super) unflushed: Option<Unflushed>,
    /// Where the file ended when the cursor was moved there to add records.
    pub(super) appends_at: Option<u64>,
    /// Whether scripts may use the file too, and it ended at the cursor when it was passed here.
    pub(super) began_empty: bool,
    /// Where an incomplete record was reported, and the length of the file at that time.
    reported: Option<(u64, u64)>,
    /// The length of the file before and after another program has shortened it to less than the position of the cursor.
    shortened: Option<(u64, u64)>,
}

/// Consecutive complete records.
#[derive(Clone, Copy)]
pub(crate) struct WholeRecords {
    pub(crate) count: u64,
    pub(crate) end: u64,
}

/// Records that were passed to the engine but may not be in the file yet, and the state of the file before them.
pub(super) struct Unflushed {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) length: u64,
    pub(super) overwritten: Option<PackedByteArray>,
    pub(super) whole: WholeRecords,
    /// Whether the length of the file was compared in this call. Another program can change the file between two calls.
    pub(super) is_compared: bool,
}

/// A record that was found.
pub(crate) struct RecordPart {
    pub(crate) start: u64,
    /// Where its value is in the block.
    payload: Range<usize>,
}

/// A record that was read.
pub(crate) struct Record {
    pub(crate) start: u64,
    /// Bytes of the file, and where the value is in them.
    block: PackedByteArray,
    payload: Range<usize>,
}

impl Record {
    /// The bytes of the value.
    pub(crate) fn payload(&self) -> Packet<'_> {
        packet(&self.block, self.start, &self.payload)
    }
}

/// Returns the bytes of a value that are a part of a block, of the record at `start`.
fn packet<'b>(block: &'b PackedByteArray, start: u64, payload: &Range<usize>) -> Packet<'b> {
    let base = usize::try_from(start).map_or(usize::MAX / 2, |start| start + PREFIX);
    Packet { bytes: &bytes(block)[payload.clone()], base, array: Some(block), is_tried: false }
}

impl RecordFile {
    /// Opens the records of a file that no script can reach, which was opened with these flags.
    pub(crate) fn owned(file: Gd<FileAccess>, flags: ModeFlags) -> Self {
        Self::new(Access::owned(file, flags))
    }

    /// Opens the records of a file that scripts may use too. The first record begins at the cursor.
    pub(crate) fn shared(file: Gd<FileAccess>) -> Self {
        Self::new(Access::shared(file))
    }

    fn new(access: Access) -> Self {
        let path = access.file().get_path().to_string();
        let (origin, known_length) = (access.position(), access.length());
        let whole = WholeRecords { count: 0, end: origin };
        let began_empty = !access.is_owned() && origin == known_length;
        Self {
            access,
            path,
            origin,
            known_length,
            whole,
            unflushed: None,
            appends_at: None,
            began_empty,
            reported: None,
            shortened: None,
        }
    }

    /// The path that the file was opened with.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn is_open(&self) -> bool {
        self.access.is_open()
    }

    /// Returns whether no script can reach the file.
    pub(super) fn is_owned(&self) -> bool {
        self.access.is_owned()
    }

    /// The position of the cursor.
    #[inline]
    pub(crate) fn position(&self) -> u64 {
        self.access.position()
    }

    /// The length of the file with all records.
    pub(crate) fn length(&self) -> u64 {
        self.access.length().max(self.unflushed.as_ref().map_or(0, |unflushed| unflushed.end))
    }

    /// Returns the length of the file without what is still collected, or the error if it is not known.
    pub(super) fn length_on_disk(&self) -> Result<u64, VarBytesError> {
        self.access
            .try_length()
            .map_err(|error| VarBytesError::stream(format!("the length of {} is not known ({error})", self.path), -1))
    }

    /// Asks for the length of the file, which other programs may have changed.
    pub(crate) fn current_length(&mut self) -> u64 {
        self.note_end();
        self.refresh_length(self.position());
        self.known_length
    }

    /// Notes that the file ends at the cursor, before its length is asked for again: a record that is stored there is to be added.
    pub(super) fn note_end(&mut self) {
        if self.known_length == self.position() && self.access.is_owned() {
            self.appends_at = Some(self.known_length);
        }
    }

    pub(crate) fn is_big_endian(&self) -> bool {
        self.is_open() && self.access.is_big_endian()
    }

    pub(crate) fn set_big_endian(&mut self, big_endian: bool) {
        if self.is_open() && self.access.is_big_endian() != big_endian {
            self.access.set_big_endian(big_endian);
            // The lengths of all records change with the byte order.
            self.forget_whole_records();
        }
    }

    /// Returns whether anything follows the cursor that was not already reported as incomplete, or there is an error to report.
    pub(crate) fn has_next(&mut self) -> bool {
        self.is_open() && {
            self.note_end();
            let position = self.position();
            let reported = self.reported.filter(|(start, _)| *start == position);
            let reaches = self.reaches(position, reported.map_or(position, |(_, length)| length) + 1);
            if self.shortened.is_some() { reported.is_none() } else { reaches }
        }
    }

    /// Reads the next record into the block and moves the cursor after it. The cursor stays before an incomplete record.
    pub(crate) fn read(&mut self, limit: SizeLimit) -> Result<RecordPart, RecordError> {
        let (start, length) = self.begin(limit)?;
        let body = start + PREFIX as u64;
        let payload = self.access.read(body, length as usize);
        if payload.len() < length as usize {
            self.refresh_length(start);
            self.require_not_shortened(start)?;
            let message = format!(
                "only {} of the {length} bytes of a record could be read{}",
                payload.len(),
                self.access.failure()
            );
            return Err(self.incomplete(ErrorKind::Stream, "stream", message, start));
        }
        self.access.advance(body + u64::from(length));
        Ok(RecordPart { start, payload })
    }

    /// Fast path: returns the next record if all of it is in the block and its value has at most that many bytes, and moves the
    /// cursor after it. Returns `None` for anything else, which [`read`](Self::read) reads.
    #[inline(always)]
    pub(crate) fn next_in_block(&mut self, most: u64) -> Option<RecordPart> {
        if self.unflushed.is_some() {
            return None;
        }
        let (start, payload) = self.access.take_record_in_block(most)?;
        self.appends_at = None;
        Some(RecordPart { start, payload })
    }

    /// Returns the bytes of the value of the record that was read last.
    #[inline(always)]
    pub(crate) fn payload(&self, part: &RecordPart) -> Packet<'_> {
        packet(self.access.whole_block(), part.start, &part.payload)
    }

    /// Returns what a function reads from the bytes of the record that was read last.
    #[inline(always)]
    pub(crate) fn value<T>(&mut self, part: &RecordPart, read: impl FnOnce(Packet<'_>) -> T) -> T {
        let value = read(self.payload(part));
        self.access.drop_long_block();
        value
    }

    /// Returns the record that was read last.
    pub(crate) fn record(&mut self, RecordPart { start, payload }: RecordPart) -> Record {
        Record { start, block: self.access.block(), payload }
    }

    /// Moves the cursor after the next record. Returns the length of its value.
    pub(crate) fn skip(&mut self) -> Result<usize, RecordError> {
        let (start, length) = self.begin(SizeLimit::NONE)?;
        self.access.seek(start + PREFIX as u64 + u64::from(length));
        Ok(length as usize)
    }

    /// Reads the length of the next record and checks that the record is complete. Returns its start and length.
    fn begin(&mut self, limit: SizeLimit) -> Result<(u64, u32), RecordError> {
        self.flush()?;
        self.appends_at = None;
        let start = self.position();
        let body = start + PREFIX as u64;
        let reaches = self.reaches(start, body);
        self.require_not_shortened(start)?;
        if !reaches {
            let left = self.known_length.saturating_sub(start);
            return Err(if left == 0 {
                let message = "the file ends here: call has_next() before next()".to_owned();
                self.error_at(ErrorKind::Truncated, "end_of_file", message, start).into()
            } else {
                let message = format!("the file ends within the length of a record: {left} of {PREFIX} bytes");
                self.incomplete(ErrorKind::Truncated, "record_truncated", message, start)
            });
        }
        let length = match self.length_at(start) {
            Ok(length) => length,
            Err(error) => {
                self.refresh_length(start);
                self.require_not_shortened(start)?;
                return Err(self.stopped(error, start));
            }
        };
        if length > MAX_LENGTH {
            let error = VarBytesError::of_length(length.cast_signed(), start).of_file(&self.path);
            return Err(self.stopped(error, start));
        }
        if length < MIN_LENGTH {
            // Zeros can be the place of bytes that another program is still writing.
            self.access.forget();
        }
        self.require_records(start, length)?;
        let end = body + u64::from(length);
        let refusal = limit.refusal(length);
        if !self.reaches(start, end) {
            self.require_not_shortened(start)?;
            let left = self.known_length.saturating_sub(body);
            return Err(match refusal {
                Some(message) => self.incomplete(ErrorKind::Limit, "record_too_long", message, start),
                None => {
                    let reason = other_than_length(length, self.is_big_endian(), left);
                    let reason = reason.as_deref().unwrap_or("is still being written, or these are not records");
                    let message = format!(
                        "a record of {length} bytes begins, but only {left} are left in the file: the record was cut off, or {reason}"
                    );
                    self.incomplete(ErrorKind::Truncated, "record_truncated", message, start)
                }
            });
        }
        if let Some(message) = refusal {
            self.access.seek(end);
            return Err(RecordError::skipped(self.error_at(ErrorKind::Limit, "record_too_long", message, start)));
        }
        Ok((start, length))
    }

    /// Reads the length of a record.
    pub(super) fn length_at(&mut self, start: u64) -> Result<u32, VarBytesError> {
        match self.access.read_prefix(start) {
            Some(prefix) => Ok(length_of(prefix, self.access.is_big_endian())),
            None => Err(self.unreadable(start)),
        }
    }

    /// Returns the error for an incomplete record at `start`, and moves the cursor before it.
    pub(super) fn incomplete(
        &mut self,
        kind: ErrorKind,
        name: &'static str,
        message: String,
        start: u64,
    ) -> RecordError {
        let error = self.error_at(kind, name, message, start);
        self.stopped(error, start)
    }

    /// Moves the cursor before a record that cannot be read until the file has changed.
    fn stopped(&mut self, error: VarBytesError, start: u64) -> RecordError {
        self.access.seek(start);
        self.access.forget();
        self.reported = Some((start, self.known_length));
        error.into()
    }

    /// Finds all complete records. Bytes after the last one that can contain a value are an incomplete record, not a record, or
    /// zeros that a file system leaves after a power cut. If records are still collected because another program has changed the file,
    /// also writes them after the last complete one, if the file ends there. Moves the cursor.
    pub(super) fn find_whole_records(&mut self) -> Result<WholeRecords, VarBytesError> {
        self.require_open()?;
        if let Err(error) = self.flush_open() {
            // Another program has changed the file, so the collected records no longer fit where they were meant to go.
            let Some(unflushed) = &self.unflushed else { return Err(error) };
            self.whole = unflushed.whole;
        }
        self.access.forget();
        self.known_length = self.length_on_disk()?;
        if self.whole.end > self.known_length {
            self.forget_whole_records();
        }
        self.add_whole_records()?;
        if self.whole.end < self.known_length {
            // Another program may have replaced the records that were found before.
            self.forget_whole_records();
            self.add_whole_records()?;
        }
        if self.unflushed.is_some() && self.whole.end == self.known_length {
            self.append_collected()?;
        }
        Ok(self.whole)
    }

    /// Finds the complete records after those that are known.
    fn add_whole_records(&mut self) -> Result<(), VarBytesError> {
        let WholeRecords { mut count, mut end } = self.whole;
        while let Some(length) = self.whole_record_at(end)? {
            (count, end) = (count + 1, end + PREFIX as u64 + u64::from(length));
            if length >= MIN_LENGTH {
                self.whole = WholeRecords { count, end };
            }
        }
        Ok(())
    }

    /// Returns a copy of bytes of the file, fewer only if it ends. Moves the cursor.
    pub(super) fn copy(&mut self, start: u64, size: u64) -> Result<PackedByteArray, VarBytesError> {
        let bytes = self.access.copy(start, size);
        let count = bytes.len() as u64;
        if count < size.min(self.known_length.saturating_sub(start)) {
            Err(self.unreadable(start + count))
        } else {
            Ok(bytes)
        }
    }

    /// Returns the error for bytes at `position` that could not be read. Moves the cursor there.
    pub(super) fn unreadable(&mut self, position: u64) -> VarBytesError {
        let reason = self.access.failure();
        self.access.seek(position);
        let message = if self.access.can_read() {
            let advice = if self.is_owned() { "" } else { ": it is damaged, or not open for reading" };
            format!("{} cannot be read at {position}{reason}{advice}", self.path)
        } else {
            format!(
                "{} cannot be read, because it is open only for writing: open it with FileAccess.READ_WRITE",
                self.path
            )
        };
        VarBytesError::stream(message, signed(position))
    }

    /// Returns the length of the value of a record, or `None` if the record is incomplete. Moves the cursor.
    pub(super) fn whole_record_at(&mut self, start: u64) -> Result<Option<u32>, VarBytesError> {
        let body = start + PREFIX as u64;
        if body > self.known_length {
            return Ok(None);
        }
        let length = self.length_at(start)?;
        Ok((length <= MAX_LENGTH && body + u64::from(length) <= self.known_length).then_some(length))
    }

    /// Moves the cursor after the last complete record, where new ones belong.
    pub(crate) fn seek_end(&mut self) -> Result<(), VarBytesError> {
        let end = self.find_whole_records()?.end;
        self.begin_at(end);
        self.appends_at = (end == self.known_length).then_some(end);
        if end < self.known_length { Err(self.incomplete_end(end)) } else { Ok(()) }
    }

    pub(super) fn incomplete_end(&self, end: u64) -> VarBytesError {
        let left = self.known_length.saturating_sub(end);
        let message = format!(
            "no complete record begins here, and {left} bytes follow: call repair() to move an incomplete end to another file, \
             or repair(true) if it refuses that, so that records can be added"
        );
        self.error_at(ErrorKind::Truncated, INCOMPLETE_END, message, end)
    }

    /// Moves the cursor. Positions after the end are allowed, as in the engine, but not in files
    /// that scripts may use too: the engine refuses them for compressed ones.
    pub(crate) fn seek(&mut self, position: i64) -> Result<(), VarBytesError> {
        self.flush()?;
        let position = u64::try_from(position).map_err(|_| {
            VarBytesError::argument(format!("position {position} is before the start of {}", self.path))
        })?;
        let length = if self.access.is_owned() { u64::MAX } else { self.access.length() };
        if position > length {
            let message = format!("position {position} is after the end of {}, which has {length} bytes", self.path);
            return Err(VarBytesError::argument(message));
        }
        self.begin_at(position);
        self.access.forget_after_seek();
        Ok(())
    }

    /// Moves the cursor. An incomplete record there will be reported again.
    pub(super) fn begin_at(&mut self, position: u64) {
        self.shortened = None;
        self.move_cursor(position);
    }

    fn move_cursor(&mut self, position: u64) {
        self.reported = None;
        self.appends_at = None;
        self.access.seek(position);
    }

    /// Moves the cursor back to a record that could not be read, so that it is read and reported again.
    pub(crate) fn return_to(&mut self, start: u64) {
        if self.is_open() {
            self.move_cursor(start);
        }
    }

    /// Flushes all records and closes the file.
    pub(crate) fn close(&mut self) -> Result<(), VarBytesError> {
        if !self.is_open() {
            return Ok(());
        }
        let mut flushed = self.flush_open();
        if self.unflushed.is_some() {
            flushed = self.seek_end().map_err(|error| self.lost(error));
            self.unflushed = None;
        }
        flushed.and(self.access.close())
    }

    /// Returns the error of [`close`](Self::close) if the collected records could not be written at the end.
    fn lost(&self, mut error: VarBytesError) -> VarBytesError {
        let size = self.access.collected_size();
        if size == 0 {
            // The error says what was not written.
            return error;
        }
        if error.name == INCOMPLETE_END {
            let end = self.whole.end;
            let message = format!(
                "{size} bytes of records are lost, because the file ends with {} bytes that are not a complete record: repair() before \
                 close() writes the records after moving these bytes to another file",
                self.known_length.saturating_sub(end)
            );
            return self.error_at(error.kind, error.name, message, end);
        }
        error.message = format!("{size} bytes of records are lost: {}", error.message);
        error
    }

    pub(super) fn forget_whole_records(&mut self) {
        self.whole = WholeRecords { count: 0, end: self.origin };
    }

    /// Returns whether the file reaches `end`, for a record that begins at `start`, the cursor.
    fn reaches(&mut self, start: u64, end: u64) -> bool {
        if end > self.known_length {
            self.refresh_length(start);
        }
        end <= self.known_length
    }

    /// Asks for the length of the file: another program may be adding to it, or may have shortened it.
    fn refresh_length(&mut self, cursor: u64) {
        let length = self.length();
        let before = std::mem::replace(&mut self.known_length, length);
        if length < before.min(cursor) {
            self.shortened = Some((before, length));
            self.access.forget();
        }
    }

    /// Checks that no other program has shortened the file to less than the position of the cursor, which stays there.
    fn require_not_shortened(&mut self, start: u64) -> Result<(), RecordError> {
        let Some((before, after)) = self.shortened else { return Ok(()) };
        let message = format!(
            "another program has shortened the file from {before} to {after} bytes, so the next record is not known: seek to a \
             position within the file, such as 0, to read on there"
        );
        Err(self.incomplete(ErrorKind::Stream, "file_changed", message, start))
    }

    pub(super) fn require_open(&self) -> Result<(), VarBytesError> {
        if self.is_open() {
            return Ok(());
        }
        Err(VarBytesError::stream(format!("{} is closed: open it again", self.path), -1))
    }

    pub(super) fn error_at(&self, kind: ErrorKind, name: &'static str, message: String, offset: u64) -> VarBytesError {
        VarBytesError::of_record(kind, name, message, offset).of_file(&self.path)
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        if self.access.is_owned() {
            // Nobody is left who could get the error.
            drop(self.close());
        }
    }
}
