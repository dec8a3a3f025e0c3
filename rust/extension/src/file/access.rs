//! The engine's file, with a block that is read ahead if no script can reach that file.

use std::ops::Range;

use godot::builtin::PackedByteArray;
use godot::classes::FileAccess;
use godot::global::Error;
use godot::obj::Gd;

use super::record::PREFIX;
use crate::error::signed;

/// The number of bytes that are read at once. Longer records are read alone.
const BLOCK: usize = 32 << 10;

/// An open file.
pub(super) struct Access {
    file: Gd<FileAccess>,
    /// The state of a file that no script can reach. `None` if scripts may have it too: then the engine's cursor is the
    /// cursor, and nothing is read ahead.
    own: Option<Own>,
    /// The bytes that were read last.
    block: PackedByteArray,
}

/// What is known of a file that no script can reach.
#[derive(Default)]
struct Own {
    cursor: u64,
    big_endian: bool,
    /// The place of the block in the file.
    block: Range<u64>,
    /// Where the engine's cursor is, if the last call that moved it wrote.
    wrote_to: Option<u64>,
    /// Whether the next bytes are read alone: the last record was a long one.
    reads_alone: bool,
}

impl Access {
    /// A file that no script can reach.
    pub(super) fn owned(file: Gd<FileAccess>) -> Self {
        let own = Own { cursor: file.get_position(), big_endian: file.is_big_endian(), ..Own::default() };
        Self { file, own: Some(own), block: PackedByteArray::new() }
    }

    /// A file that scripts may use too.
    pub(super) fn shared(file: Gd<FileAccess>) -> Self {
        Self { file, own: None, block: PackedByteArray::new() }
    }

    pub(super) fn file(&self) -> &Gd<FileAccess> {
        &self.file
    }

    pub(super) fn is_open(&self) -> bool {
        self.own.is_some() || self.file.is_open()
    }

    pub(super) fn close(&mut self) {
        self.own = None;
        self.block = PackedByteArray::new();
        self.file.close();
    }

    pub(super) fn is_big_endian(&self) -> bool {
        self.own.as_ref().map_or_else(|| self.file.is_big_endian(), |own| own.big_endian)
    }

    pub(super) fn set_big_endian(&mut self, big_endian: bool) {
        self.file.set_big_endian(big_endian);
        if let Some(own) = &mut self.own {
            own.big_endian = big_endian;
        }
    }

    /// The position of the cursor.
    pub(super) fn position(&self) -> u64 {
        self.own.as_ref().map_or_else(|| self.file.get_position(), |own| own.cursor)
    }

    /// Moves the cursor.
    pub(super) fn seek(&mut self, position: u64) {
        match &mut self.own {
            Some(own) => own.cursor = position,
            None => self.file.seek(position),
        }
    }

    /// Moves the cursor after bytes that [`read`](Self::read) returned.
    pub(super) fn advance(&mut self, position: u64) {
        if let Some(own) = &mut self.own {
            own.cursor = position;
        }
    }

    /// Returns the length of the file. The engine seeks to the end and back, which takes longer than reading a small record.
    pub(super) fn length(&self) -> u64 {
        self.file.get_length()
    }

    /// Reads bytes into the block. Returns where they are there; fewer if the file ends or cannot be read. Moves the cursor
    /// after them only if scripts can reach the file.
    pub(super) fn read(&mut self, position: u64, size: usize) -> Range<usize> {
        let end = position + size as u64;
        let Some(own) = &mut self.own else {
            if self.file.get_position() != position {
                self.file.seek(position);
            }
            self.block = if size == 0 { PackedByteArray::new() } else { self.file.get_buffer(signed(size)) };
            return 0..self.block.len();
        };
        if position < own.block.start || end > own.block.end {
            let count = if own.reads_alone { size } else { size.max(BLOCK) };
            own.reads_alone = size > BLOCK;
            own.wrote_to = None;
            self.file.seek(position);
            self.block = self.file.get_buffer(signed(count));
            own.block = position..position + self.block.len() as u64;
        }
        let start = usize::try_from(position - own.block.start).unwrap_or(usize::MAX);
        start..(start + size).min(self.block.len())
    }

    /// The first bytes of a part of the block.
    pub(super) fn prefix(&self, part: Range<usize>) -> Option<[u8; PREFIX]> {
        self.block.as_slice()[part].first_chunk().copied()
    }

    /// Returns the block. A long one is not kept.
    pub(super) fn block(&mut self) -> PackedByteArray {
        if self.block.len() <= BLOCK {
            return self.block.clone();
        }
        let block = std::mem::take(&mut self.block);
        self.forget();
        block
    }

    /// Reads again from the file what was read ahead.
    pub(super) fn forget(&mut self) {
        if let Some(own) = &mut self.own {
            own.block = 0..0;
            own.wrote_to = None;
        }
    }

    /// Returns a copy of bytes of the file. Moves the cursor if scripts can reach the file.
    pub(super) fn copy(&mut self, start: u64, size: u64) -> PackedByteArray {
        self.forget();
        self.file.seek(start);
        self.file.get_buffer(signed(size))
    }

    /// Prepares writing at a position that is not known to be the engine's.
    pub(super) fn begin_write(&mut self, start: u64) {
        if self.own.as_ref().is_none_or(|own| own.wrote_to != Some(start)) {
            self.forget();
            self.file.seek(start);
        }
    }

    /// Writes a record at the engine's cursor, and moves the cursor to its end. Returns whether the engine took all.
    pub(super) fn write(&mut self, length: u32, payload: &PackedByteArray, end: u64) -> bool {
        if let Some(own) = &mut self.own {
            (own.block, own.wrote_to, own.cursor) = (0..0, Some(end), end);
        }
        // The engine applies the byte order of the file.
        self.file.store_32(length) && self.file.store_buffer(payload)
    }

    /// Writes bytes that were there before. Returns whether the engine took all.
    pub(super) fn restore(&mut self, start: u64, bytes: &PackedByteArray) -> bool {
        self.file.seek(start);
        let taken = self.file.store_buffer(bytes);
        self.file.flush();
        taken
    }

    pub(super) fn flush(&mut self) {
        self.file.flush();
    }

    pub(super) fn resize(&mut self, length: u64) -> Error {
        self.forget();
        self.file.resize(signed(length))
    }
}
