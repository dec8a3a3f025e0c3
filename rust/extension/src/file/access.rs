//! An open file, with a cursor. If no script can reach the engine's file, a block is read ahead, and short records are collected
//! before they are written.

use std::io;
use std::ops::Range;

use godot::builtin::PackedByteArray;
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::obj::Gd;

use super::collected::{Collected, ENOUGH};
use super::medium::Medium;
use super::record::{MAX_LENGTH, MIN_LENGTH, PREFIX, length_of, prefix_of};
use crate::error::VarBytesError;
use crate::outcome::Packet;
use crate::raw::bytes;

/// The number of bytes that are read at once. Longer ones are not kept.
const BLOCK: usize = 32 << 10;

/// The number of bytes that are read first where a script has moved the cursor. Mostly it reads only one record there.
const FIRST_BLOCK: usize = 4 << 10;

/// The least size of a value that is read alone, with the length of the next record. Otherwise much would be read twice.
const LONG: usize = BLOCK / 4;

/// An open file.
pub(super) struct Access {
    medium: Medium,
    /// The state of a file that no script can reach. `None` if scripts may have it too: then the engine's cursor is the
    /// cursor, and nothing is read ahead.
    own: Option<Own>,
    /// The bytes that were read last.
    block: PackedByteArray,
    /// Bytes to write, and where they belong.
    collected: Collected,
    collected_at: u64,
}

/// What is known of a file that no script can reach.
#[derive(Default)]
struct Own {
    cursor: u64,
    can_read: bool,
    can_write: bool,
    big_endian: bool,
    /// The place of the block in the file.
    block: Range<u64>,
    /// Whether the next bytes are read alone: the last record was a long one.
    reads_alone: bool,
    /// Whether a script has moved the cursor since a block was read.
    was_moved: bool,
    /// The end of a block that was not kept, and its place: mostly the length of the next record.
    last_of_block: Option<(u64, [u8; PREFIX])>,
}

impl Own {
    fn forget(&mut self) {
        (self.block, self.last_of_block) = (0..0, None);
    }
}

impl Access {
    /// A file that no script can reach, which was opened with these flags.
    pub(super) fn owned(file: Gd<FileAccess>, flags: ModeFlags) -> Self {
        let own = Own {
            cursor: file.get_position(),
            can_read: flags != ModeFlags::WRITE,
            can_write: flags != ModeFlags::READ,
            big_endian: file.is_big_endian(),
            ..Own::default()
        };
        Self::new(Medium::owned(file, flags), Some(own))
    }

    /// A file that scripts may use too.
    pub(super) fn shared(file: Gd<FileAccess>) -> Self {
        Self::new(Medium::shared(file), None)
    }

    fn new(medium: Medium, own: Option<Own>) -> Self {
        Self { medium, own, block: PackedByteArray::new(), collected: Collected::default(), collected_at: 0 }
    }

    pub(super) fn file(&self) -> &Gd<FileAccess> {
        self.medium.engine()
    }

    /// Returns whether no script can reach the file.
    pub(super) fn is_owned(&self) -> bool {
        self.own.is_some()
    }

    /// Returns whether reading may succeed.
    pub(super) fn can_read(&self) -> bool {
        self.own.as_ref().is_none_or(|own| own.can_read)
    }

    /// Returns whether writing may succeed.
    pub(super) fn can_write(&self) -> bool {
        self.own.as_ref().is_none_or(|own| own.can_write)
    }

    pub(super) fn is_open(&self) -> bool {
        self.own.is_some() || self.medium.is_open()
    }

    pub(super) fn close(&mut self) -> Result<(), VarBytesError> {
        self.drop_collected();
        self.own = None;
        self.block = PackedByteArray::new();
        self.medium.close()
    }

    #[inline]
    pub(super) fn is_big_endian(&self) -> bool {
        self.own.as_ref().map_or_else(|| self.medium.is_big_endian(), |own| own.big_endian)
    }

    pub(super) fn set_big_endian(&mut self, big_endian: bool) {
        self.medium.set_big_endian(big_endian);
        if let Some(own) = &mut self.own {
            own.big_endian = big_endian;
        }
    }

    /// The position of the cursor.
    #[inline]
    pub(super) fn position(&self) -> u64 {
        self.own.as_ref().map_or_else(|| self.medium.position(), |own| own.cursor)
    }

    /// Moves the cursor.
    pub(super) fn seek(&mut self, position: u64) {
        match &mut self.own {
            Some(own) => own.cursor = position,
            None => self.medium.seek(position),
        }
    }

    /// Moves the cursor, unless scripts can reach the file: then reading and preparing a write move it.
    pub(super) fn advance(&mut self, position: u64) {
        if let Some(own) = &mut self.own {
            own.cursor = position;
        }
    }

    /// Returns the length of the file, without what is still collected. Returns 0 if it is not known.
    pub(super) fn length(&self) -> u64 {
        self.try_length().unwrap_or(0)
    }

    /// Returns the length of the file, without what is still collected.
    pub(super) fn try_length(&self) -> io::Result<u64> {
        self.medium.length()
    }

    /// Reads bytes into the block. Returns where they are there; fewer if the file ends or cannot be read. Moves the cursor
    /// after them only if scripts can reach the file.
    pub(super) fn read(&mut self, position: u64, size: usize) -> Range<usize> {
        let end = position + size as u64;
        let Some(own) = &mut self.own else {
            self.block = self.medium.read(position, size as u64);
            return 0..self.block.len();
        };
        if position < own.block.start || end > own.block.end {
            let is_long = size >= LONG;
            let count = if is_long {
                size + PREFIX
            } else if own.reads_alone {
                size
            } else if own.was_moved {
                FIRST_BLOCK
            } else {
                BLOCK
            };
            (own.reads_alone, own.was_moved, own.last_of_block) = (is_long, false, None);
            self.block = self.medium.read(position, count as u64);
            own.block = position..position + self.block.len() as u64;
        }
        let start = usize::try_from(position - own.block.start).unwrap_or(usize::MAX);
        start..(start + size).min(bytes(&self.block).len())
    }

    /// Reads the length before a record, as [`read`](Self::read) does.
    pub(super) fn read_prefix(&mut self, position: u64) -> Option<[u8; PREFIX]> {
        let known = self.own.as_ref().and_then(|own| own.last_of_block).filter(|(place, _)| *place == position);
        known.map(|(_, prefix)| prefix).or_else(|| {
            let prefix = self.read(position, PREFIX);
            self.part(prefix).first_chunk().copied()
        })
    }

    /// Returns the start of the record at the cursor, and where its value is in the block, and moves the cursor after it. Returns
    /// `None` if not all of it is in the block, or if its length is invalid or above `most`.
    #[inline(always)]
    pub(super) fn take_record_in_block(&mut self, most: u64) -> Option<(u64, Range<usize>)> {
        let own = self.own.as_mut()?;
        let ahead = own.block.end.checked_sub(own.cursor).filter(|_| own.block.start <= own.cursor)?;
        let begin = own.cursor;
        let start = usize::try_from(begin - own.block.start).ok()? + PREFIX;
        let prefix = bytes(&self.block).get(start - PREFIX..)?.first_chunk()?;
        let length = length_of(*prefix, own.big_endian);
        let size = PREFIX as u64 + u64::from(length);
        if size > ahead || !(MIN_LENGTH..=MAX_LENGTH).contains(&length) || u64::from(length) > most {
            return None;
        }
        own.cursor += size;
        Some((begin, start..start + length as usize))
    }

    /// Returns a part of the block.
    #[inline(always)]
    pub(super) fn part(&self, part: Range<usize>) -> &[u8] {
        &bytes(&self.block)[part]
    }

    /// Returns the block.
    pub(super) fn whole_block(&self) -> &PackedByteArray {
        &self.block
    }

    /// Returns the block as an array of its own. A long one is not kept.
    pub(super) fn block(&mut self) -> PackedByteArray {
        if bytes(&self.block).len() <= BLOCK {
            return self.block.clone();
        }
        let block = std::mem::take(&mut self.block);
        if let Some(own) = &mut self.own {
            let place = own.block.end.checked_sub(PREFIX as u64);
            own.forget();
            own.last_of_block = place.zip(bytes(&block).last_chunk().copied());
        }
        block
    }

    /// Frees the block, which was used, if it is long.
    #[inline]
    pub(super) fn drop_long_block(&mut self) {
        if bytes(&self.block).len() > BLOCK {
            drop(self.block());
        }
    }

    /// Forgets what was read ahead. The next read is from the file.
    pub(super) fn forget(&mut self) {
        if let Some(own) = &mut self.own {
            own.forget();
        }
    }

    /// Does the same after a script has moved the cursor.
    pub(super) fn forget_after_seek(&mut self) {
        if let Some(own) = &mut self.own {
            own.forget();
            own.was_moved = true;
        }
    }

    /// Returns a copy of bytes of the file. Moves the cursor if scripts can reach the file.
    pub(super) fn copy(&mut self, start: u64, size: u64) -> PackedByteArray {
        self.forget();
        self.medium.read(start, size)
    }

    /// Moves the cursor to `start` and prepares writing there. Needed unless the last call was a write too.
    pub(super) fn begin_write(&mut self, start: u64) {
        self.advance(start);
        self.medium.begin_write(start);
        self.collected_at = start;
    }

    /// Writes a record at the cursor, or collects it, and moves the cursor to its end. Returns whether that succeeded.
    pub(super) fn write(&mut self, payload: Packet<'_>, end: u64) -> bool {
        let prefix = prefix_of(payload.bytes.len() as u32, self.is_big_endian());
        self.collected.add(&prefix);
        self.collected.note_size(payload.bytes.len());
        self.write_records(payload, end)
    }

    /// Collects a record at `start`, the cursor, whose value `write` writes to the start of a space, and moves the cursor to its
    /// end. Returns the size of the value, or `None` if `write` did, and then changes nothing. [`write_enough`](Self::write_enough)
    /// has to follow.
    pub(super) fn collect(&mut self, start: u64, write: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<usize> {
        let big_endian = self.is_big_endian();
        let size = self.collected.add_record(write, |size| prefix_of(size as u32, big_endian))?;
        self.move_past(start + (PREFIX + size) as u64);
        Some(size)
    }

    /// Writes what was collected if it is much, or if scripts can reach the file. Returns whether that succeeded.
    pub(super) fn write_enough(&mut self) -> bool {
        self.own.is_some() && self.collected_size() < ENOUGH || self.write_collected()
    }

    /// Returns whether [`write_enough`](Self::write_enough) would write if that many bytes were added.
    #[inline]
    pub(super) fn would_be_enough(&self, size: u64) -> bool {
        self.collected_size() as u64 + size >= ENOUGH as u64
    }

    /// Returns whether it could write after [`collect`](Self::collect).
    #[inline]
    pub(super) fn is_almost_enough(&self) -> bool {
        self.would_be_enough((PREFIX + self.collected.most()) as u64)
    }

    /// Returns how many bytes are collected.
    #[inline]
    pub(super) fn collected_size(&self) -> usize {
        self.collected.as_slice().len()
    }

    /// Returns where the collected bytes belong. Returns `None` if scripts can reach the file: then nothing stays collected.
    pub(super) fn place_of_collected(&self) -> Option<u64> {
        self.own.as_ref().map(|_| self.collected_at)
    }

    /// Changes where the collected bytes belong, and returns where they end. The cursor moves there.
    pub(super) fn move_collected(&mut self, place: u64) -> u64 {
        let end = place + self.collected_size() as u64;
        self.begin_write(place);
        self.move_past(end);
        end
    }

    /// Drops the collected bytes.
    pub(super) fn drop_collected(&mut self) {
        self.collected.clear();
    }

    /// Moves the cursor after bytes that are written or collected.
    fn move_past(&mut self, end: u64) {
        if let Some(own) = &mut self.own {
            own.forget();
            own.cursor = end;
        }
    }

    /// Writes parts of records, as [`write`](Self::write) does.
    pub(super) fn write_records(&mut self, records: Packet<'_>, end: u64) -> bool {
        self.move_past(end);
        if records.bytes.len() < ENOUGH {
            self.collected.add(records.bytes);
            return self.write_enough();
        }
        let written = self.write_collected() && self.medium.write(self.collected_at, records);
        self.collected_at = end;
        written
    }

    /// Writes what was collected. Returns whether that succeeded.
    fn write_collected(&mut self) -> bool {
        let collected = self.collected.as_slice();
        if collected.is_empty() {
            return true;
        }
        let written = self.medium.write(self.collected_at, Packet::part(collected, 0));
        self.collected_at += collected.len() as u64;
        self.collected.clear();
        written
    }

    /// Writes bytes that were there before, if they are not there. Returns whether they are there then.
    pub(super) fn restore(&mut self, start: u64, bytes: &PackedByteArray) -> bool {
        if self.copy(start, bytes.len() as u64) == *bytes {
            return true;
        }
        self.medium.begin_write(start);
        let written = self.medium.write(start, Packet::whole(bytes));
        self.medium.flush();
        written
    }

    /// Writes what was collected, also what the engine has collected. Returns whether all is in the file, or `None` if only the
    /// length of the file shows that.
    pub(super) fn flush(&mut self) -> Option<bool> {
        let written = self.write_collected();
        let is_known = self.medium.flush();
        (is_known || !written).then_some(written)
    }

    /// Returns why the last read or write failed, as [`Medium::failure`] does.
    pub(super) fn failure(&mut self) -> String {
        self.medium.failure()
    }

    /// Changes the length of the file, or returns why that failed.
    pub(super) fn resize(&mut self, length: u64) -> Result<(), String> {
        self.forget();
        self.medium.resize(length)
    }
}
