//! What a file is read from and written to: the engine's file, or a file of the operating system beside it.
//!
//! The engine does not report that a flush failed, asking it for the length of a file takes three system calls, and it keeps bytes that
//! another program may have replaced. So a file that no script can reach is used through the operating system, where the engine's file
//! is one.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};

use godot::builtin::PackedByteArray;
use godot::classes::file_access::ModeFlags;
use godot::classes::{FileAccess, RefCounted};
use godot::global::Error;
use godot::obj::Gd;

use super::closed::require_complete;
use crate::error::{VarBytesError, signed};
use crate::outcome::Packet;
use crate::raw::{IntGetter, byte_array, put_packed, scalar};

/// An open file.
pub(super) struct Medium {
    engine: Gd<FileAccess>,
    /// Methods of the engine's file that are called for each record, if they are known.
    get_position: Option<IntGetter>,
    get_length: Option<IntGetter>,
    is_open: Option<IntGetter>,
    is_big_endian: Option<IntGetter>,
    system: Option<SystemFile>,
    /// Whether scripts may use the engine's file too. It can then be a compressed one.
    is_shared: bool,
    /// Whether bytes were written to a file that scripts may use, so that `close` checks it.
    has_written: bool,
    /// Where the engine's cursor is, if no script can move it and the last call that moved it wrote.
    wrote_to: Option<u64>,
    /// Where the engine's cursor says that it is after it was moved somewhere else. At the end of a compressed file, and before a damaged
    /// block, it is another position (4.6, `core/io/file_access_compressed.cpp`).
    misplaced: Option<Misplaced>,
    /// Why the last read or write failed.
    failure: Option<io::Error>,
}

#[derive(Clone, Copy)]
struct Misplaced {
    reported: u64,
    position: u64,
}

impl Medium {
    /// A file that scripts may use too.
    pub(super) fn shared(engine: Gd<FileAccess>) -> Self {
        /// The engine's hashes of the signatures: return an int, and a bool.
        const INT: i64 = 3_905_245_786;
        const BOOL: i64 = 36_873_697;
        let object: Gd<RefCounted> = engine.clone().upcast();
        let find = |name: &str, hash: i64| IntGetter::find(&object, "FileAccess", name, hash);
        Self {
            get_position: find("get_position", INT),
            get_length: find("get_length", INT),
            is_open: find("is_open", BOOL),
            is_big_endian: find("is_big_endian", BOOL),
            engine,
            system: None,
            is_shared: true,
            has_written: false,
            wrote_to: None,
            misplaced: None,
            failure: None,
        }
    }

    /// A file that no script can reach, which was opened with these flags.
    pub(super) fn owned(engine: Gd<FileAccess>, flags: ModeFlags) -> Self {
        Self { system: SystemFile::beside(&engine, flags), is_shared: false, ..Self::shared(engine) }
    }

    pub(super) fn engine(&self) -> &Gd<FileAccess> {
        &self.engine
    }

    pub(super) fn set_big_endian(&mut self, big_endian: bool) {
        self.engine.set_big_endian(big_endian);
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open.as_ref().map_or_else(|| self.engine.is_open(), |is_open| is_open.get() != 0)
    }

    pub(super) fn is_big_endian(&self) -> bool {
        self.is_big_endian
            .as_ref()
            .map_or_else(|| self.engine.is_big_endian(), |is_big_endian| is_big_endian.get() != 0)
    }

    /// Where the engine says that its cursor is.
    fn reported_position(&self) -> u64 {
        self.get_position.as_ref().map_or_else(|| self.engine.get_position(), |get| get.get().cast_unsigned())
    }

    fn reported_length(&self) -> u64 {
        self.get_length.as_ref().map_or_else(|| self.engine.get_length(), |get| get.get().cast_unsigned())
    }

    /// The position of the engine's cursor.
    pub(super) fn position(&self) -> u64 {
        let reported = self.reported_position();
        // If it is another one, a script has moved the cursor.
        self.misplaced
            .filter(|misplaced| misplaced.reported == reported)
            .map_or(reported, |misplaced| misplaced.position)
    }

    /// Moves the engine's cursor.
    pub(super) fn seek(&mut self, position: u64) {
        self.wrote_to = None;
        self.engine.seek(position);
        let reported = self.reported_position();
        self.misplaced = (reported != position).then_some(Misplaced { reported, position });
        if self.misplaced.is_some() && self.is_shared && position < self.reported_length() {
            self.leave_damaged_block(position);
        }
    }

    /// Moves the engine's cursor to the start instead of `position`, where a compressed file is damaged: the engine takes the content of
    /// the block before for that of the damaged one, until it reads another block.
    fn leave_damaged_block(&mut self, position: u64) {
        self.engine.seek(0);
        self.misplaced = Some(Misplaced { reported: self.reported_position(), position });
    }

    /// Closes the file. Fails if bytes that were written are not in it: the engine writes compressed and encrypted files only now.
    pub(super) fn close(&mut self) -> Result<(), VarBytesError> {
        let closed = self.system.take().map_or(Ok(()), SystemFile::close);
        let path = self.engine.get_path();
        let written = self.has_written.then(|| self.reported_length());
        self.engine.close();
        closed.map_err(|error| {
            VarBytesError::stream(
                format!("{path} was closed, but records that were written last may be lost ({error})"),
                -1,
            )
        })?;
        written.map_or(Ok(()), |length| require_complete(&path, length))
    }

    /// Returns the length of the file. The engine seeks to the end and back, which takes longer than reading a small record.
    pub(super) fn length(&self) -> io::Result<u64> {
        self.system.as_ref().map_or_else(|| Ok(self.reported_length()), SystemFile::length)
    }

    /// Reads up to `size` bytes; fewer if the file ends or cannot be read. Moves the engine's cursor.
    pub(super) fn read(&mut self, position: u64, size: u64) -> PackedByteArray {
        self.wrote_to = None;
        if let Some(file) = &self.system {
            let (bytes, failure) = file.read(position, size);
            self.failure = failure;
            return bytes;
        }
        if self.misplaced.is_some() || self.reported_position() != position {
            self.seek(position);
        }
        if size == 0 || self.misplaced.is_some() {
            return PackedByteArray::new();
        }
        let bytes = self.engine.get_buffer(signed(size));
        if self.is_shared && self.reported_position() != position + bytes.len() as u64 {
            // A compressed file is damaged here. The engine returns bytes of no meaning.
            self.leave_damaged_block(position);
            return PackedByteArray::new();
        }
        bytes
    }

    /// Prepares writing.
    pub(super) fn begin_write(&mut self, position: u64) {
        if self.system.is_none() && (self.is_shared || self.wrote_to != Some(position)) {
            self.seek(position);
        }
    }

    /// Writes bytes at a position, which is the engine's cursor. Returns whether that succeeded.
    pub(super) fn write(&mut self, position: u64, payload: Packet<'_>) -> bool {
        if let Some(file) = &self.system {
            self.failure = file.write(position, payload.bytes).err();
            return self.failure.is_none();
        }
        self.wrote_to = Some(position + payload.bytes.len() as u64);
        self.has_written = self.is_shared;
        match payload.array {
            Some(array) => self.engine.store_buffer(array),
            None => self.engine.store_buffer(&PackedByteArray::from(payload.bytes)),
        }
    }

    /// Lets the engine write its buffer into the file. Returns whether [`write`](Self::write) reports all failures: the engine
    /// does not report that a flush failed.
    pub(super) fn flush(&mut self) -> bool {
        if self.system.is_none() {
            self.engine.flush();
        }
        self.system.is_some()
    }

    /// Returns why the last read or write failed, as a part of a message that follows what failed.
    pub(super) fn failure(&mut self) -> String {
        match self.failure.take() {
            Some(error) => format!(" ({error})"),
            None if self.system.is_some() => format!(" ({})", io::ErrorKind::UnexpectedEof),
            None => reason(self.engine.get_error()),
        }
    }

    /// Changes the length of the file, or returns why that failed.
    pub(super) fn resize(&mut self, length: u64) -> Result<(), String> {
        self.wrote_to = None;
        if let Some(file) = &self.system {
            return file.resize(length).map_err(|error| error.to_string());
        }
        match self.engine.resize(signed(length)) {
            Error::OK => Ok(()),
            error => Err(format!("engine error {error:?}")),
        }
    }
}

/// Returns an error of the engine as a part of a message that follows what failed. Some failures have none.
fn reason(error: Error) -> String {
    if error == Error::OK { String::new() } else { format!(" (engine error {error:?})") }
}

/// An open file of the operating system.
struct SystemFile {
    file: File,
}

impl SystemFile {
    /// Opens the file that the engine has just opened. Returns `None` if it is in `res://`, or is not a file that can be found: then the
    /// engine's file is used.
    fn beside(engine: &Gd<FileAccess>, flags: ModeFlags) -> Option<Self> {
        let (can_read, can_write) = match flags {
            ModeFlags::READ => (true, false),
            ModeFlags::WRITE => (false, true),
            ModeFlags::READ_WRITE | ModeFlags::WRITE_READ => (true, true),
            _ => return None,
        };
        if engine.get_path().begins_with("res://") {
            return None;
        }
        let path = engine.get_path_absolute().to_string();
        let file = OpenOptions::new().read(can_read).write(can_write).open(path).ok()?;
        let found = file.metadata().ok()?;
        (found.is_file() && found.len() == engine.get_length()).then_some(Self { file })
    }

    fn length(&self) -> io::Result<u64> {
        // Not from the metadata: after a file system has been asked for the time of the last change, the next write has to store it.
        (&self.file).seek(SeekFrom::End(0))
    }

    fn resize(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    /// Closes the file. Some file systems, such as those in a network, report only now that they could not write.
    fn close(self) -> io::Result<()> {
        #[cfg(all(unix, not(target_os = "emscripten")))]
        nix::unistd::close(self.file)?;
        Ok(())
    }

    /// Reads up to `size` bytes; fewer if the file ends or cannot be read. Returns why it cannot be read too.
    fn read(&self, position: u64, size: u64) -> (PackedByteArray, Option<io::Error>) {
        /// So many bytes are read without asking for the length of the file first.
        const FEW: u64 = 4 << 10;
        let left = match size {
            ..=FEW => Ok(size),
            _ => self.length().map(|length| length.saturating_sub(position)),
        };
        let size = match left {
            Ok(left) => size.min(left),
            Err(error) => return (PackedByteArray::new(), Some(error)),
        };
        // Without memory for them, none are read.
        let (mut array, mut read, mut failure) = (scalar::null(), 0, Some(io::ErrorKind::OutOfMemory.into()));
        put_packed(&mut array, usize::try_from(size).unwrap_or(usize::MAX), |bytes: &mut [u8]| {
            (read, failure) = self.read_all(position, bytes);
            bytes[read..].fill(0);
        });
        let mut bytes = byte_array(&array);
        if read < bytes.len() {
            drop(array);
            bytes.resize(read);
        }
        (bytes, failure)
    }

    /// Reads until the space is full, the file ends or it cannot be read. Returns how many bytes were read, and why it cannot be read.
    fn read_all(&self, position: u64, bytes: &mut [u8]) -> (usize, Option<io::Error>) {
        let mut read = 0;
        while read < bytes.len() {
            match self.read_some(position + read as u64, &mut bytes[read..]) {
                Ok(0) => break,
                Ok(count) => read += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (read, Some(error)),
            }
        }
        (read, None)
    }

    /// Writes all bytes.
    fn write(&self, mut position: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.write_some(position, bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    position += count as u64;
                    bytes = &bytes[count..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    fn read_some(&self, position: u64, bytes: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, bytes, position)
    }

    #[cfg(unix)]
    fn write_some(&self, position: u64, bytes: &[u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(&self.file, bytes, position)
    }

    #[cfg(not(unix))]
    fn read_some(&self, position: u64, bytes: &mut [u8]) -> io::Result<usize> {
        use std::io::Read;
        (&self.file).seek(SeekFrom::Start(position))?;
        (&self.file).read(bytes)
    }

    #[cfg(not(unix))]
    fn write_some(&self, position: u64, bytes: &[u8]) -> io::Result<usize> {
        use std::io::Write;
        (&self.file).seek(SeekFrom::Start(position))?;
        (&self.file).write(bytes)
    }
}
