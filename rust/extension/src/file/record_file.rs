//! Records in one of the engine's files: where they begin and end, and that they arrive whole.

use godot::builtin::PackedByteArray;
use godot::classes::FileAccess;
use godot::obj::Gd;

use super::record::PREFIX;
use crate::failure::{ErrorKind, Failure};

/// An open file, and what is known of it.
pub(crate) struct RecordFile {
    file: Gd<FileAccess>,
    place: String,
    /// A length that the file has at least. Asking each time would cost more than reading a small record: the engine
    /// goes to the end and back.
    known_length: u64,
    unsettled: Option<Unsettled>,
}

/// Records that were handed to the engine and not yet seen to be in the file.
struct Unsettled {
    start: u64,
    end: u64,
    /// Whether the file ended at `start`, so that it can be cut there again.
    appends: bool,
}

/// A record as it stands in the file.
pub(crate) struct Stored {
    pub(crate) start: u64,
    pub(crate) payload: PackedByteArray,
}

impl RecordFile {
    pub(crate) fn new(file: Gd<FileAccess>) -> Self {
        let place = file.get_path().to_string();
        let known_length = file.get_length();
        Self { file, place, known_length, unsettled: None }
    }

    /// The file's path, for messages.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The engine's own file, while it is open.
    pub(crate) fn file(&self) -> Option<Gd<FileAccess>> {
        self.file.is_open().then(|| self.file.clone())
    }

    /// Whether anything follows the cursor.
    pub(crate) fn has_next(&mut self) -> bool {
        self.file.is_open() && {
            let position = self.file.get_position();
            self.reaches(position + 1)
        }
    }

    /// Takes the next record. Afterwards the cursor is behind it, or at the end of the file where it is cut off.
    pub(crate) fn take(&mut self, max_size: i64) -> Result<Stored, Failure> {
        let (start, length) = self.begin(max_size)?;
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
            self.seek_to(start + PREFIX as u64 + u64::from(length));
            return Err(self.fault(ErrorKind::Stream, "stream", message, start));
        }
        Ok(Stored { start, payload })
    }

    /// Goes past the next record. Gives the length of its value.
    pub(crate) fn skip(&mut self) -> Result<usize, Failure> {
        let (start, length) = self.begin(0)?;
        self.seek_to(start + PREFIX as u64 + u64::from(length));
        Ok(length as usize)
    }

    /// Reads where the next record begins and how long its value is; all of it is in the file.
    fn begin(&mut self, max_size: i64) -> Result<(u64, u32), Failure> {
        self.settle()?;
        let start = self.file.get_position();
        let body = start + PREFIX as u64;
        if !self.reaches(body) {
            let left = self.known_length.saturating_sub(start);
            self.seek_to(self.known_length.max(start));
            return Err(if left == 0 {
                let message = "the file ends here: ask has_next() before next()".to_owned();
                self.fault(ErrorKind::Truncated, "end_of_file", message, start)
            } else {
                let message = format!("the file ends within the length of a record: {left} of {PREFIX} bytes");
                self.fault(ErrorKind::Truncated, "record_truncated", message, start)
            });
        }
        // The engine turns the number round where the file is big-endian.
        let length = self.file.get_32();
        let end = body + u64::from(length);
        if !self.reaches(end) {
            let left = self.known_length.saturating_sub(body);
            self.seek_to(self.known_length);
            let message = format!(
                "a record of {length} bytes begins, and {left} are left in the file: it was cut off, is in the other \
                 byte order, or is no record"
            );
            return Err(self.fault(ErrorKind::Truncated, "record_truncated", message, start));
        }
        if max_size > 0 && i64::from(length) > max_size {
            self.seek_to(end);
            let message = format!("a record of {length} bytes begins, and max_record_size is {max_size}");
            return Err(self.fault(ErrorKind::Limit, "record_too_long", message, start));
        }
        Ok((start, length))
    }

    /// Adds a record in one write. Where it must be in the file at once (`settled`) and cannot be, the file is what
    /// it was before.
    pub(crate) fn put(&mut self, record: &PackedByteArray, settled: bool) -> Result<(), Failure> {
        self.require_open()?;
        let start = self.file.get_position();
        let end = start + record.len() as u64;
        match &mut self.unsettled {
            Some(unsettled) if unsettled.end == start => unsettled.end = end,
            _ => {
                self.settle_open()?;
                let appends = start >= self.known_length;
                self.unsettled = Some(Unsettled { start, end, appends });
            }
        }
        if !self.file.store_buffer(record) {
            return Err(self.undo());
        }
        if settled { self.settle_open() } else { Ok(()) }
    }

    /// Makes sure that all records handed to the engine are in the file.
    pub(crate) fn settle(&mut self) -> Result<(), Failure> {
        self.require_open()?;
        self.settle_open()
    }

    fn settle_open(&mut self) -> Result<(), Failure> {
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
        let Some(Unsettled { start, end, appends }) = self.unsettled.take() else {
            return Failure::stream(format!("{} could not be written", self.place), -1);
        };
        let mut left_behind = String::new();
        self.known_length = self.file.get_length();
        if appends && self.known_length > start {
            let resized = self.file.resize(i64::try_from(start).unwrap_or(i64::MAX));
            self.known_length = self.file.get_length();
            if self.known_length > start {
                left_behind = format!(", and what arrived of them could not be taken back ({resized:?})");
            }
        }
        self.seek_to(start);
        let message = format!(
            "{} bytes could not be written (engine error {:?}){left_behind}: is the disk full, or the file open for \
             reading alone?",
            end - start,
            self.file.get_error()
        );
        self.fault(ErrorKind::Stream, "stream", message, start)
    }

    /// Moves the cursor. Positions behind the end are allowed, as the engine allows them.
    pub(crate) fn seek(&mut self, position: i64) -> Result<(), Failure> {
        self.settle()?;
        let position = u64::try_from(position)
            .map_err(|_| Failure::argument(format!("position {position} is before the beginning of {}", self.place)))?;
        self.seek_to(position);
        Ok(())
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

    fn seek_to(&mut self, position: u64) {
        self.file.seek(position);
    }

    fn reaches(&mut self, end: u64) -> bool {
        if end > self.known_length {
            // It may have grown: another program may be adding to it.
            self.known_length = self.file.get_length();
        }
        end <= self.known_length
    }

    fn require_open(&self) -> Result<(), Failure> {
        if self.file.is_open() {
            return Ok(());
        }
        Err(Failure::stream(format!("{} is closed: open it again", self.place), -1))
    }

    fn fault(&self, kind: ErrorKind, name: &'static str, message: String, offset: u64) -> Failure {
        let mut failure = Failure::of_record(kind, name, message, offset);
        failure.message = format!("{} of {}", failure.message, self.place);
        failure
    }
}
