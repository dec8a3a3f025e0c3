//! Where serialized values go, and the members of open containers.

use alloc::vec::Vec;

use serde_core::ser::Serialize;

use crate::error::{EncodeError, EncodeErrorKind};
use crate::options::{ReadOptions, WriteOptions};
use crate::path::Step;
use crate::profile::PlainHeaders;
use crate::serde::capture::{Announcement, Capture};
use crate::wire::{FLAG_WIDE, MAX_DEPTH, WORD};
use crate::write::fast::TreeWriter;
use crate::write::sink::put_text;
use crate::write::writer::Writer;
use crate::{Decoder, Profile, Variant, VariantType};

/// The name of the property `script` as it is written: its length, and padding to whole words.
const SCRIPT_NAME: &[u8] = b"\x06\0\0\0script\0\0";

/// Writes values to a buffer, so that the count of a container can be written after its members.
pub(super) struct ValueWriter<'s> {
    pub(super) bytes: &'s mut Vec<u8>,
    pub(super) options: WriteOptions,
    pub(super) headers: &'static PlainHeaders,
    /// The number of open containers.
    depth: usize,
}

impl<'s> ValueWriter<'s> {
    pub(super) fn new(bytes: &'s mut Vec<u8>, options: WriteOptions) -> Self {
        Self { bytes, options, headers: options.profile.plain_headers(), depth: 0 }
    }

    /// Writes a value with the writer for trees.
    #[inline]
    pub(super) fn write(
        &mut self,
        write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
    ) -> Result<(), EncodeError> {
        write(&mut Writer::new(self.bytes, self.options)).map_err(EncodeError::new)
    }

    #[inline(always)]
    pub(super) fn two_words(&mut self, header: u32, word: u32) {
        self.bytes.extend_from_slice(&(u64::from(header) | u64::from(word) << 32).to_le_bytes());
    }

    #[inline(always)]
    pub(super) fn wide(&mut self, header: u32, payload: u64) {
        let mut bytes = [0; 3 * WORD];
        bytes[..WORD].copy_from_slice(&(header | FLAG_WIDE).to_le_bytes());
        bytes[WORD..].copy_from_slice(&payload.to_le_bytes());
        self.bytes.extend_from_slice(&bytes);
    }

    #[inline(always)]
    pub(super) fn text(&mut self, header: u32, text: &str) -> Result<(), EncodeError> {
        let Ok(length) = i32::try_from(text.len()) else {
            return Err(EncodeError::new(EncodeErrorKind::TooLong { length: text.len() }));
        };
        let head = u64::from(header) | u64::from(length.cast_unsigned()) << 32;
        put_text(self.bytes, head.to_le_bytes(), text.as_bytes());
        Ok(())
    }

    /// Writes the name of a field or of an enum variant.
    #[inline(always)]
    pub(super) fn name(&mut self, name: &'static str) -> Result<(), EncodeError> {
        if !self.options.names_as_string_names {
            return self.text(self.headers.string, name);
        }
        match self.headers.string_name {
            Some(header) => self.text(header, name),
            None => self.write(|writer| writer.string_name(name)),
        }
    }

    /// Begins a container whose count is written when it ends.
    #[inline(always)]
    pub(super) fn begin(&mut self, header: u32, length: Option<usize>) -> Result<Members<'_, 's>, EncodeError> {
        self.two_words(header, 0);
        self.depth += 1;
        if self.depth > MAX_DEPTH && length != Some(0) && self.options.profile.limits_writing_depth() {
            return Err(EncodeError::new(EncodeErrorKind::DepthLimit { limit: MAX_DEPTH }));
        }
        let count_at = self.bytes.len() - WORD;
        Ok(Members { key_start: 0, count: 0, count_at, writer: self, is_variant: false })
    }

    /// Begins a container whose header `write` writes, with a count that is written when it ends.
    pub(super) fn begin_with(
        &mut self,
        length: Option<usize>,
        write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
    ) -> Result<Members<'_, 's>, EncodeError> {
        self.write(write)?;
        let mut members = self.begin(0, length)?;
        // The header and the count are already there.
        members.count_at -= 2 * WORD;
        let end = members.count_at + WORD;
        members.writer.bytes.truncate(end);
        Ok(members)
    }

    /// Begins the dictionary of an enum variant, and the container of its content.
    #[inline]
    pub(super) fn begin_variant(
        &mut self,
        variant: &'static str,
        header: u32,
        length: usize,
    ) -> Result<Members<'_, 's>, EncodeError> {
        self.two_words(self.headers.dictionary, 1);
        self.depth += 1;
        self.name(variant)?;
        let mut members = self.begin(header, Some(length))?;
        members.is_variant = true;
        Ok(members)
    }

    /// Writes a `Variant` that serde's data model lacks.
    #[cold]
    pub(super) fn variant<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        // The first call announces that the second one is to give the encoded value.
        let _ = value.serialize(Announcement);
        let Capture { profile, encoded } = value.serialize(Capture::default())?;
        let options = ReadOptions { profile, objects: true, fixes_engine_bugs: true, ..ReadOptions::default() };
        let tree = Decoder { options }.decode(&encoded).map_err(serde_core::ser::Error::custom)?;
        TreeWriter::new(Writer::new(self.bytes, self.options)).write_at(&tree, self.depth)
    }
}

/// The members of an open container.
pub(super) struct Members<'w, 's> {
    writer: &'w mut ValueWriter<'s>,
    count_at: usize,
    count: usize,
    key_start: usize,
    /// Whether it is the content of an enum variant, which is in a dictionary of its own.
    is_variant: bool,
}

impl Members<'_, '_> {
    #[inline(always)]
    pub(super) fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.serialize(&mut *self.writer).map_err(|error| error.within(Step::Index(self.count)))?;
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key_start = self.writer.bytes.len();
        key.serialize(&mut *self.writer).map_err(|error| error.within(Step::Key(self.count)))
    }

    #[inline(always)]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.serialize(&mut *self.writer).map_err(|error| error.within(self.step()))?;
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), EncodeError> {
        self.key_start = self.writer.bytes.len();
        self.writer.name(name)?;
        self.value(value)
    }

    /// Writes the value of a property, whose name has no header.
    pub(super) fn property<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let start = self.position();
        let is_script = self.written(self.key_start) == SCRIPT_NAME;
        let written = value.serialize(&mut *self.writer);
        let written = written.and_then(|()| if is_script { self.check_script(start) } else { Ok(()) });
        written.map_err(|error| error.within(self.property_step()))?;
        self.count += 1;
        Ok(())
    }

    /// Checks the value of the property `script`, which starts at `start`.
    fn check_script(&mut self, start: usize) -> Result<(), EncodeError> {
        let options = ReadOptions { profile: self.profile(), objects: true, ..ReadOptions::default() };
        let script = Decoder { options }.decode(self.written(start)).map_err(serde_core::ser::Error::custom)?;
        self.writer.write(|writer| writer.check_script(&script))
    }

    #[cold]
    pub(super) fn property_step(&self) -> Step {
        let header = VariantType::String as u32;
        let name = [&header.to_le_bytes()[..], &self.writer.bytes[self.key_start..]].concat();
        let name = Decoder::new().decode(&name).ok();
        Step::Property(name.as_ref().and_then(Variant::as_str).unwrap_or_default().into())
    }

    pub(super) fn position(&self) -> usize {
        self.writer.bytes.len()
    }

    /// Returns the number of members so far.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the bytes from `start` on.
    pub(super) fn written(&self, start: usize) -> &[u8] {
        self.writer.bytes.get(start..).unwrap_or_default()
    }

    /// Removes bytes that were written.
    pub(super) fn remove(&mut self, start: usize, length: usize) {
        self.writer.bytes.drain(start..start + length);
    }

    pub(super) const fn profile(&self) -> Profile {
        self.writer.options.profile
    }

    /// Returns the step to the value that was written last.
    #[cold]
    pub(super) fn last_step(&self) -> Step {
        match self.step() {
            Step::Value(index, key) => Step::Value(index - 1, key),
            other => other,
        }
    }

    /// Returns the step to the value of the last key.
    #[cold]
    pub(super) fn step(&self) -> Step {
        let decoder = Decoder::new().profile(self.writer.options.profile);
        let key = decoder.decode(&self.writer.bytes[self.key_start..]).ok();
        Step::Value(self.count, key.as_ref().and_then(crate::path::key_text))
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<(), EncodeError> {
        let Ok(count) = i32::try_from(self.count) else {
            return Err(EncodeError::new(EncodeErrorKind::TooLong { length: self.count }));
        };
        if let Some(place) = self.writer.bytes.get_mut(self.count_at..).and_then(<[u8]>::first_chunk_mut) {
            *place = count.to_le_bytes();
        }
        self.writer.depth -= 1 + usize::from(self.is_variant);
        Ok(())
    }
}
