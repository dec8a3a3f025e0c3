//! Writing records into a file: all of a record or nothing, and nothing over what might be data.

use godot::builtin::PackedByteArray;

use super::record::{LEAST, PREFIX};
use super::record_file::{RecordFile, Unsettled, WholeRecords};
use crate::failure::{ErrorKind, Failure};

impl RecordFile {
    /// Adds a record in one write. Where it must be in the file at once (`settled`) and cannot be, the file is what
    /// it was before.
    pub(crate) fn put(&mut self, record: &PackedByteArray, settled: bool) -> Result<(), Failure> {
        self.require_open()?;
        let start = self.file.get_position();
        let end = start + record.len() as u64;
        match &mut self.unsettled {
            Some(unsettled) if unsettled.end == start && unsettled.overwritten.is_none() => unsettled.end = end,
            _ => {
                self.settle_open()?;
                let place = self.place_for(start, end);
                self.seek_to(start);
                self.unsettled = Some(place?);
            }
        }
        if !self.file.store_buffer(record) {
            return Err(self.undo());
        }
        self.appends_at = (end > self.known_length).then_some(end);
        let whole = self.whole_records();
        if whole.end == start {
            self.set_whole_records(WholeRecords { count: whole.count + 1, end });
        } else if start < whole.end {
            self.forget_whole_records();
        }
        if settled { self.settle_open() } else { Ok(()) }
    }

    /// Whether a record may be written there, and what it overwrites. The cursor moves.
    fn place_for(&mut self, start: u64, end: u64) -> Result<Unsettled, Failure> {
        self.known_length = self.file.get_length();
        let length = self.known_length;
        let mut overwritten = None;
        if start > length {
            return Err(Failure::argument(format!(
                "the cursor is at {start}, and {} has {length} bytes: a record there would leave a gap, so call \
                 repair() or seek_end() first",
                self.place()
            )));
        }
        if start < length {
            self.require_whole_records(start, end)?;
            if self.appends_at == Some(start) {
                let message = format!(
                    "the file was to end here, and another program has added {} bytes: call seek_end() to add after them",
                    length - start
                );
                return Err(self.fault(ErrorKind::Stream, "file_grew", message, start));
            }
            self.seek_to(start);
            overwritten = Some(self.file.get_buffer(i64::try_from(end.min(length) - start).unwrap_or(i64::MAX)));
        } else if self.whole_records().end != start {
            let whole = self.find_whole_records()?;
            if whole.end < start {
                return Err(self.incomplete_end(whole.end));
            }
        }
        Ok(Unsettled { start, end, length, overwritten, whole: self.whole_records() })
    }

    /// That whole records, and nothing else, stand in the file from `start` to `end`, or to where the file ends.
    fn require_whole_records(&mut self, start: u64, end: u64) -> Result<(), Failure> {
        self.require_readable(start)?;
        let mut at = start;
        while at < end.min(self.known_length) {
            match self.whole_record_at(at) {
                Some(length @ LEAST..) => at += PREFIX as u64 + u64::from(length),
                _ => return Err(self.incomplete_end(at)),
            }
        }
        if at > end {
            return Err(Failure::argument(format!(
                "a record of {} bytes at {start} of {} would cut into one that ends at {at}: to replace a record, the \
                 new one must be as long as the old; to replace all, open the file with FileAccess.WRITE",
                end - start,
                self.place()
            )));
        }
        Ok(())
    }

    /// Makes sure that all records handed to the engine are in the file.
    pub(crate) fn settle(&mut self) -> Result<(), Failure> {
        self.require_open()?;
        self.settle_open()
    }

    pub(super) fn settle_open(&mut self) -> Result<(), Failure> {
        let Some(unsettled) = &self.unsettled else { return Ok(()) };
        let end = unsettled.end;
        self.file.flush();
        // The engine does not tell when flushing fails. The length of the file does.
        self.known_length = self.file.get_length();
        if self.known_length < end {
            return Err(self.undo());
        }
        self.unsettled = None;
        Ok(())
    }

    /// Takes back what did not arrive whole, and says so.
    fn undo(&mut self) -> Failure {
        let Some(Unsettled { start, end, length, overwritten, whole }) = self.unsettled.take() else {
            return Failure::stream(format!("{} could not be written", self.place()), -1);
        };
        let error = self.file.get_error();
        let mut left_behind = String::new();
        if let Some(overwritten) = overwritten {
            self.seek_to(start);
            let restored = self.file.store_buffer(&overwritten);
            self.file.flush();
            if !restored {
                left_behind = ", and what was there before could not be written again".to_owned();
            }
        }
        self.known_length = self.file.get_length();
        if self.known_length > length {
            let resized = self.file.resize(i64::try_from(length).unwrap_or(i64::MAX));
            self.known_length = self.file.get_length();
            if self.known_length > length {
                left_behind = format!(", and what arrived of them could not be taken back ({resized:?})");
            }
        }
        self.set_whole_records(whole);
        self.seek_to(start);
        let message = format!(
            "{} bytes could not be written (engine error {error:?}){left_behind}: is the disk full, or the file open for \
             reading alone?",
            end - start,
        );
        self.fault(ErrorKind::Stream, "stream", message, start)
    }
}
