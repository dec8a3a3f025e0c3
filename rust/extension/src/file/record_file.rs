//! Records in one of the engine's files: where they begin and end, and that they arrive whole.

use godot::builtin::PackedByteArray;
use godot::classes::FileAccess;
use godot::obj::Gd;

use super::record::{LEAST, MOST, PREFIX, RecordFailure, SizeLimit};
use crate::failure::{ErrorKind, Failure};

/// An open file, and what is known of it.
pub(crate) struct RecordFile {
    pub(super) file: Gd<FileAccess>,
    place: String,
    /// Where the first record begins.
    origin: u64,
    /// A length that the file has at least. Asking each time would cost more than reading a small record: the engine
    /// goes to the end and back.
    pub(super) known_length: u64,
    /// The whole records found so far, from the origin on.
    whole: WholeRecords,
    pub(super) unsettled: Option<Unsettled>,
    /// Where the file ended when the cursor was put there, to add records.
    pub(super) appends_at: Option<u64>,
    /// Where a record was found incomplete, and the length of the file then.
    reported: Option<(u64, u64)>,
}

/// Whole records, one after another.
#[derive(Clone, Copy)]
pub(crate) struct WholeRecords {
    pub(crate) count: u64,
    pub(crate) end: u64,
}

/// Records that were handed to the engine and not yet seen to be in the file, and what was there before.
pub(super) struct Unsettled {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) length: u64,
    pub(super) overwritten: Option<PackedByteArray>,
    pub(super) whole: WholeRecords,
}

/// A record as it stands in the file.
pub(crate) struct Stored {
    pub(crate) start: u64,
    pub(crate) payload: PackedByteArray,
}

impl RecordFile {
    /// The records of a file from its cursor on.
    pub(crate) fn new(file: Gd<FileAccess>) -> Self {
        let place = file.get_path().to_string();
        let (origin, known_length) = (file.get_position(), file.get_length());
        let whole = WholeRecords { count: 0, end: origin };
        Self { file, place, origin, known_length, whole, unsettled: None, appends_at: None, reported: None }
    }

    /// The file's path, for messages.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The engine's own file, while it is open.
    pub(crate) fn file(&self) -> Option<Gd<FileAccess>> {
        self.file.is_open().then(|| self.file.clone())
    }

    pub(crate) fn set_big_endian(&mut self, big_endian: bool) {
        if self.file.is_open() && self.file.is_big_endian() != big_endian {
            self.file.set_big_endian(big_endian);
            // Records of the other byte order are others.
            self.forget_whole_records();
        }
    }

    /// Whether anything follows the cursor that was not reported as incomplete already.
    pub(crate) fn has_next(&mut self) -> bool {
        self.file.is_open() && {
            let position = self.file.get_position();
            match self.reported {
                Some((start, length)) if start == position => self.reaches(length + 1),
                _ => self.reaches(position + 1),
            }
        }
    }

    /// Takes the next record. Afterwards the cursor is behind it, or before it where it is not whole.
    pub(crate) fn take(&mut self, limit: SizeLimit) -> Result<Stored, RecordFailure> {
        let (start, length) = self.begin(limit)?;
        let mut payload = PackedByteArray::new();
        if length > 0 {
            payload = self.file.get_buffer(i64::from(length));
        }
        if payload.len() < length as usize {
            let message = format!(
                "{} of a record's {length} bytes could be read (engine error {:?})",
                payload.len(),
                self.file.get_error()
            );
            self.seek_to(start);
            return Err(self.fault(ErrorKind::Stream, "stream", message, start).into());
        }
        Ok(Stored { start, payload })
    }

    /// Goes past the next record. Gives the length of its value.
    pub(crate) fn skip(&mut self) -> Result<usize, RecordFailure> {
        let (start, length) = self.begin(SizeLimit::NONE)?;
        self.seek_to(start + PREFIX as u64 + u64::from(length));
        Ok(length as usize)
    }

    /// Reads where the next record begins and how long its value is; all of it is in the file.
    fn begin(&mut self, limit: SizeLimit) -> Result<(u64, u32), RecordFailure> {
        self.settle()?;
        self.appends_at = None;
        let start = self.file.get_position();
        let body = start + PREFIX as u64;
        if !self.reaches(body) {
            let left = self.known_length.saturating_sub(start);
            return Err(if left == 0 {
                let message = "the file ends here: ask has_next() before next()".to_owned();
                self.fault(ErrorKind::Truncated, "end_of_file", message, start).into()
            } else {
                let message = format!("the file ends within the length of a record: {left} of {PREFIX} bytes");
                self.incomplete(ErrorKind::Truncated, "record_truncated", message, start)
            });
        }
        // The engine turns the number round where the file is big-endian.
        let length = self.file.get_32();
        if length > MOST {
            self.seek_to(start);
            self.reported = Some((start, self.known_length));
            return Err(Failure::of_length(length.cast_signed(), start).of_file(&self.place).into());
        }
        if length < LEAST {
            // The engine gives 0 where it cannot read.
            self.require_readable(start)?;
            self.seek_to(body);
        }
        let end = body + u64::from(length);
        let refusal = limit.refusal(length);
        if !self.reaches(end) {
            let left = self.known_length.saturating_sub(body);
            return Err(match refusal {
                Some(message) => self.incomplete(ErrorKind::Limit, "record_too_long", message, start),
                None => {
                    let message = format!(
                        "a record of {length} bytes begins, and {left} are left in the file: it was cut off or is still \
                         being written, is in the other byte order, or is no record"
                    );
                    self.incomplete(ErrorKind::Truncated, "record_truncated", message, start)
                }
            });
        }
        if let Some(message) = refusal {
            self.seek_to(end);
            return Err(RecordFailure::passed(self.fault(ErrorKind::Limit, "record_too_long", message, start)));
        }
        Ok((start, length))
    }

    /// The record at `start` is not all there: the cursor waits before it.
    fn incomplete(&mut self, kind: ErrorKind, name: &'static str, message: String, start: u64) -> RecordFailure {
        self.seek_to(start);
        self.reported = Some((start, self.known_length));
        self.fault(kind, name, message, start).into()
    }

    /// Finds all whole records. What follows the last one that can hold a value is no record, is incomplete, or is the
    /// zeroes that a file system leaves after a power cut. The cursor moves.
    pub(super) fn find_whole_records(&mut self) -> Result<WholeRecords, Failure> {
        self.settle()?;
        self.known_length = self.file.get_length();
        if self.whole.end > self.known_length {
            self.forget_whole_records();
        }
        let WholeRecords { mut count, mut end } = self.whole;
        if end < self.known_length {
            self.require_readable(end)?;
        }
        while let Some(length) = self.whole_record_at(end) {
            (count, end) = (count + 1, end + PREFIX as u64 + u64::from(length));
            if length >= LEAST {
                self.whole = WholeRecords { count, end };
            }
        }
        Ok(self.whole)
    }

    /// That the file, which goes on at `position`, is open for reading. The cursor moves.
    pub(super) fn require_readable(&mut self, position: u64) -> Result<(), Failure> {
        self.seek_to(position);
        if !self.file.get_buffer(1).is_empty() {
            return Ok(());
        }
        self.seek_to(position);
        let message = format!("{} cannot be read here: open it with FileAccess.READ_WRITE", self.place);
        Err(Failure::stream(message, i64::try_from(position).unwrap_or(i64::MAX)))
    }

    /// The length of the value of a record, where all of it is in the file.
    pub(super) fn whole_record_at(&mut self, start: u64) -> Option<u32> {
        let body = start + PREFIX as u64;
        if body > self.known_length {
            return None;
        }
        self.seek_to(start);
        let length = self.file.get_32();
        (length <= MOST && body + u64::from(length) <= self.known_length).then_some(length)
    }

    /// Goes behind the last whole record, where new ones belong.
    pub(crate) fn seek_end(&mut self) -> Result<(), Failure> {
        let end = self.find_whole_records()?.end;
        self.begin_at(end);
        self.appends_at = Some(end);
        if end < self.known_length { Err(self.incomplete_end(end)) } else { Ok(()) }
    }

    pub(super) fn incomplete_end(&self, end: u64) -> Failure {
        let left = self.known_length.saturating_sub(end);
        let message = format!(
            "the last whole record ends here, and {left} bytes follow that are no whole record: repair() moves them to \
             another file, so that records can be added"
        );
        self.fault(ErrorKind::Truncated, "incomplete_end", message, end)
    }

    /// Moves the cursor. Positions behind the end are allowed, as the engine allows them.
    pub(crate) fn seek(&mut self, position: i64) -> Result<(), Failure> {
        self.settle()?;
        let position = u64::try_from(position)
            .map_err(|_| Failure::argument(format!("position {position} is before the beginning of {}", self.place)))?;
        self.begin_at(position);
        Ok(())
    }

    /// Moves the cursor, and has what follows it reported again.
    pub(super) fn begin_at(&mut self, position: u64) {
        self.reported = None;
        self.appends_at = None;
        self.seek_to(position);
    }

    /// Closes the file, after all records are in it.
    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        if !self.file.is_open() {
            return Ok(());
        }
        let settled = self.settle_open();
        self.file.close();
        settled
    }

    pub(super) fn seek_to(&mut self, position: u64) {
        self.file.seek(position);
    }

    pub(super) fn set_whole_records(&mut self, whole: WholeRecords) {
        self.whole = whole;
    }

    pub(super) fn whole_records(&self) -> WholeRecords {
        self.whole
    }

    pub(super) fn forget_whole_records(&mut self) {
        self.whole = WholeRecords { count: 0, end: self.origin };
    }

    fn reaches(&mut self, end: u64) -> bool {
        if end > self.known_length {
            // It may have grown: another program may be adding to it.
            self.known_length = self.file.get_length();
        }
        end <= self.known_length
    }

    pub(super) fn require_open(&self) -> Result<(), Failure> {
        if self.file.is_open() {
            return Ok(());
        }
        Err(Failure::stream(format!("{} is closed: open it again", self.place), -1))
    }

    pub(super) fn fault(&self, kind: ErrorKind, name: &'static str, message: String, offset: u64) -> Failure {
        Failure::of_record(kind, name, message, offset).of_file(&self.place)
    }
}
