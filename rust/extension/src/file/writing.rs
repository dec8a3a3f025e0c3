//! Writes records into a file: a complete record or nothing, and never over bytes that may be data.

use super::access::Access;
use super::record::{MIN_LENGTH, PREFIX};
use super::record_file::{RecordFile, Unflushed, WholeRecords};
use crate::error::{ErrorKind, VarBytesError};
use crate::outcome::Packet;

impl RecordFile {
    /// Writes a record at the cursor: the length of a value, and its bytes, which are not too many. With `flush`, the record is in the
    /// file when this returns. After an error the file is as it was before.
    pub(crate) fn put(&mut self, payload: Packet<'_>, flush: bool) -> Result<(), VarBytesError> {
        let size = (PREFIX + payload.bytes.len()) as u64;
        self.put_with(size, 1, flush, |access, end| access.write(payload, end))
    }

    /// Writes a record at the cursor as [`put`](Self::put) does. `write` writes its value to the start of a space and returns its
    /// size, or `None` if it does not fit. Returns the same. Writes nothing and returns `None` if other records are overwritten.
    pub(crate) fn put_in_place(
        &mut self,
        flush: bool,
        write: impl FnOnce(&mut [u8]) -> Option<usize>,
    ) -> Result<Option<usize>, VarBytesError> {
        self.require_open()?;
        let start = self.position();
        if flush || self.access.is_almost_enough() {
            self.require_unchanged()?;
        }
        if !self.continues_at(start) {
            self.flush_open()?;
            self.ask_length()?;
            if start != self.known_length {
                return Ok(None);
            }
            self.begin_write(start, start)?;
        }
        let Some(size) = self.access.collect(start, write) else {
            self.compare_again();
            return Ok(None);
        };
        let end = start + (PREFIX + size) as u64;
        let written = self.access.write_enough();
        self.end_write((start, end), 1, written, flush)?;
        Ok(Some(size))
    }

    /// Writes `count` complete records at the cursor, as [`put`](Self::put) does. They are `size` bytes, in pieces.
    pub(crate) fn put_all<'b>(
        &mut self,
        mut pieces: impl Iterator<Item = &'b [u8]>,
        size: u64,
        count: u64,
        flush: bool,
    ) -> Result<(), VarBytesError> {
        self.put_with(size, count, flush, |access, end| {
            let mut at = end - size;
            pieces.all(|piece| {
                at += piece.len() as u64;
                access.write_records(Packet::part(piece, 0), at)
            })
        })
    }

    /// Writes `size` bytes of `count` complete records at the cursor with a function, which gets the end of the last one.
    fn put_with(
        &mut self,
        size: u64,
        count: u64,
        flush: bool,
        write: impl FnOnce(&mut Access, u64) -> bool,
    ) -> Result<(), VarBytesError> {
        self.require_open()?;
        let start = self.position();
        let end = start + size;
        if flush || self.access.would_be_enough(size) {
            self.require_unchanged()?;
        }
        if !self.continues_at(start) {
            self.flush_open()?;
            self.ask_length()?;
            self.begin_write(start, end)?;
        }
        let written = write(&mut self.access, end);
        self.end_write((start, end), count, written, flush)
    }

    /// Asks for the length of the file, before a record is written at the cursor.
    fn ask_length(&mut self) -> Result<(), VarBytesError> {
        self.note_end();
        self.known_length = self.length_on_disk()?;
        Ok(())
    }

    /// Forgets that the length of the file was compared, and a place where nothing was written. Scripts can run before the next record is
    /// written, and other programs too.
    fn compare_again(&mut self) {
        self.unflushed = self.unflushed.take().filter(|unflushed| unflushed.start < unflushed.end);
        if let Some(unflushed) = &mut self.unflushed {
            unflushed.is_compared = false;
        }
    }

    /// Returns whether a record at `start` follows those that are not flushed.
    fn continues_at(&self, start: u64) -> bool {
        matches!(&self.unflushed, Some(unflushed) if unflushed.end == start && unflushed.overwritten.is_none())
    }

    /// Prepares writing from `start` to `end`. Needed unless the last call was a write too.
    fn begin_write(&mut self, start: u64, end: u64) -> Result<(), VarBytesError> {
        let prepared = self.prepare_write(start, end);
        // Also after an error, because the cursor was moved.
        self.access.begin_write(start);
        self.unflushed = Some(prepared?);
        Ok(())
    }

    /// Completes writing `count` records from `start` to `end`, or undoes it if it failed.
    fn end_write(
        &mut self,
        (start, end): (u64, u64),
        count: u64,
        written: bool,
        flush: bool,
    ) -> Result<(), VarBytesError> {
        if let Some(unflushed) = &mut self.unflushed {
            unflushed.end = end;
            // If the record is not flushed now, another program can change the file before it is.
            unflushed.is_compared = flush;
        }
        if !written {
            return Err(self.undo());
        }
        self.appends_at = (end > self.known_length).then_some(end);
        let whole = self.whole;
        if whole.end == start {
            self.whole = WholeRecords { count: whole.count + count, end };
        } else if start < whole.end {
            self.forget_whole_records();
        }
        if flush { self.flush_open() } else { Ok(()) }
    }

    /// Checks that a record may be written from `start` to `end` of a file of the known length, and reads the bytes that it
    /// overwrites. Moves the cursor.
    fn prepare_write(&mut self, start: u64, end: u64) -> Result<Unflushed, VarBytesError> {
        if !self.access.can_write() {
            return Err(self.only_for_reading(start));
        }
        let length = self.known_length;
        let mut overwritten = None;
        if start > length {
            return Err(VarBytesError::argument(format!(
                "the cursor is at {start}, but {} has only {length} bytes: a record here would leave a gap, so call \
                 repair() or seek_end() first",
                self.path()
            )));
        }
        if start < length {
            if self.appends_at == Some(start) {
                return Err(self.grew(start, "call seek_end() to add records after them"));
            }
            self.require_whole_records(start, end)?;
            overwritten = Some(self.copy(start, end.min(length) - start)?);
        } else if self.whole.end != start && !self.began_empty {
            let whole = self.find_whole_records()?;
            if whole.end < start {
                return Err(self.incomplete_end(whole.end));
            }
        }
        Ok(Unflushed { start, end, length, overwritten, whole: self.whole, is_compared: true })
    }

    /// Returns the error for a file that is open only for reading.
    pub(super) fn only_for_reading(&self, position: u64) -> VarBytesError {
        let or_copy = match self.path().starts_with("res://") {
            true => " or, if it is in an exported game, copy it to user:// first",
            false => "",
        };
        let message = format!("{} is open only for reading: open it with FileAccess.READ_WRITE{or_copy}", self.path());
        self.error_at(ErrorKind::Stream, "stream", message, position)
    }

    /// Returns the error for a file that should end at `end`.
    fn grew(&self, end: u64, advice: &str) -> VarBytesError {
        let message = format!(
            "another program has added {} bytes at the end of the file: {advice}",
            self.known_length.saturating_sub(end)
        );
        self.error_at(ErrorKind::Stream, "file_grew", message, end)
    }

    /// Checks that no other program has changed the length of the file since the collected records got their place, unless this
    /// call has compared it already.
    #[inline(always)]
    fn require_unchanged(&mut self) -> Result<(), VarBytesError> {
        if self.unflushed.as_ref().is_some_and(|unflushed| !unflushed.is_compared) { self.compare() } else { Ok(()) }
    }

    /// Compares the length of the file. If it has changed, the collected records stay for
    /// [`append_collected`](Self::append_collected), or are dropped if they replace others.
    #[inline(never)]
    fn compare(&mut self) -> Result<(), VarBytesError> {
        let (Some(unflushed), Some(place)) = (&mut self.unflushed, self.access.place_of_collected()) else {
            return Ok(());
        };
        let (end, before) = (unflushed.end, unflushed.length.max(place));
        let replaces = unflushed.overwritten.is_some();
        let length = self.access.length();
        if length == before || replaces && end <= unflushed.length.min(length) {
            unflushed.is_compared = true;
            return Ok(());
        }
        self.known_length = length;
        let left = end - place;
        if left == 0 {
            // All of them are in the file already.
            self.unflushed = None;
            return Ok(());
        }
        if replaces {
            self.unflushed = None;
            self.access.drop_collected();
            self.access.seek(place);
            self.forget_whole_records();
            let message = format!(
                "another program has changed the length of the file from {before} to {length} bytes, so {left} bytes that \
                 replace records were not written"
            );
            return Err(self.error_at(ErrorKind::Stream, "file_changed", message, place));
        }
        let advice =
            format!("{left} bytes of records are still in memory, so call seek_end() to write them at the end");
        if length > before {
            return Err(self.grew(before, &advice));
        }
        let message = format!("another program has shortened the file from {before} to {length} bytes: {advice}");
        Err(self.error_at(ErrorKind::Stream, "file_changed", message, place))
    }

    /// Writes the collected records after the last complete record, which is the end of the file.
    pub(super) fn append_collected(&mut self) -> Result<(), VarBytesError> {
        let whole = self.whole;
        let end = self.access.move_collected(whole.end);
        self.unflushed =
            Some(Unflushed { start: whole.end, end, length: whole.end, overwritten: None, whole, is_compared: true });
        self.flush_open()?;
        self.find_whole_records().map(drop)
    }

    /// Checks that the file has only complete records from `start` to `end`, or to its end.
    fn require_whole_records(&mut self, start: u64, end: u64) -> Result<(), VarBytesError> {
        // Another program may have replaced the records that were read ahead.
        self.access.forget();
        let mut at = start;
        while at < end.min(self.known_length) {
            match self.whole_record_at(at)? {
                Some(length @ MIN_LENGTH..) => at += PREFIX as u64 + u64::from(length),
                _ => return Err(self.incomplete_end(at)),
            }
        }
        if at > end {
            return Err(VarBytesError::argument(format!(
                "a record of {} bytes at {start} of {} would overwrite a part of a record that ends at {at}: to add records, call \
                 repair() or seek_end() first; to replace a record, the new one must have the same length; to replace all, \
                 open the file with FileAccess.WRITE",
                end - start,
                self.path()
            )));
        }
        Ok(())
    }

    /// Makes sure that all records are in the file.
    pub(crate) fn flush(&mut self) -> Result<(), VarBytesError> {
        self.require_open()?;
        self.flush_open()
    }

    pub(super) fn flush_open(&mut self) -> Result<(), VarBytesError> {
        self.require_unchanged()?;
        let Some(unflushed) = &self.unflushed else { return Ok(()) };
        let end = unflushed.end;
        let is_written = match self.access.flush() {
            Some(true) => {
                self.known_length = self.known_length.max(end);
                true
            }
            Some(false) => false,
            None => {
                self.known_length = self.access.length();
                self.known_length >= end
            }
        };
        if !is_written {
            return Err(self.undo());
        }
        self.unflushed = None;
        Ok(())
    }

    /// Removes records that were not written completely. Returns the error.
    fn undo(&mut self) -> VarBytesError {
        let Some(Unflushed { start, end, length, overwritten, whole, .. }) = self.unflushed.take() else {
            return VarBytesError::stream(format!("{} could not be written", self.path()), -1);
        };
        self.access.drop_collected();
        let reason = self.access.failure();
        let mut left_behind = String::new();
        if let Some(overwritten) = overwritten
            && !self.access.restore(start, &overwritten)
        {
            left_behind = ", and the bytes that were there before could not be restored".to_owned();
        }
        self.known_length = self.length();
        if self.known_length > length {
            let resized = self.access.resize(length);
            self.known_length = self.length();
            if self.known_length > length {
                left_behind = format!(
                    ", and the part that was written could not be removed ({})",
                    resized.err().unwrap_or_default()
                );
                // No other program has added them.
                self.appends_at = None;
            }
        }
        self.whole = whole;
        self.access.forget();
        self.access.seek(start);
        let message = format!(
            "{} bytes could not be written{reason}{left_behind}: is the disk full, or is the file open only for reading?",
            end - start,
        );
        self.error_at(ErrorKind::Stream, "stream", message, start)
    }
}
