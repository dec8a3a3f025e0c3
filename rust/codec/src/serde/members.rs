//! Containers that are being written, and their members.

use serde_core::ser::Serialize;

use crate::error::{EncodeError, EncodeErrorKind};
use crate::options::ReadOptions;
use crate::path::Step;
use crate::serde::value_writer::{Output, ValueWriter};
use crate::wire::WORD;
use crate::write::writer::Writer;
use crate::{Decoder, Profile, Variant, VariantType};

/// The name of the property `script` as it is written: its length, and padding to whole words.
const SCRIPT_NAME: &[u8] = b"\x06\0\0\0script\0\0";

impl<'w> Output<'w> {
    /// Begins a container whose count is written when it ends.
    #[inline(always)]
    fn begin(mut self, header: u32, length: Option<usize>) -> Result<Members<'w>, EncodeError> {
        self.position = self.reborrow().two_words(header, 0);
        self.begin_members(length)
    }

    /// Begins the members of a container whose header and count have been written.
    #[inline(always)]
    fn begin_members(self, length: Option<usize>) -> Result<Members<'w>, EncodeError> {
        self.writer.open(length)?;
        Ok(Members::new(self))
    }

    /// Begins a container whose header `write` writes, with a count that is written when it ends.
    pub(super) fn begin_with(
        mut self,
        length: Option<usize>,
        write: impl FnOnce(&mut Writer<'_, Output<'_>>) -> Result<(), EncodeErrorKind>,
    ) -> Result<Members<'w>, EncodeError> {
        self.position = self.reborrow().write(write)?;
        self.begin_members(length)
    }

    #[inline(always)]
    pub(super) fn begin_array(self, length: Option<usize>) -> Result<Members<'w>, EncodeError> {
        let header = self.writer.headers.array;
        self.begin(header, length)
    }

    #[inline(always)]
    pub(super) fn begin_dictionary(self, length: Option<usize>) -> Result<Members<'w>, EncodeError> {
        let header = self.writer.headers.dictionary;
        self.begin(header, length)
    }

    /// Begins the dictionary of an enum variant, and the container of its content.
    pub(super) fn begin_variant(
        mut self,
        variant: &'static str,
        length: usize,
        begin: impl FnOnce(Self, Option<usize>) -> Result<Members<'w>, EncodeError>,
    ) -> Result<Members<'w>, EncodeError> {
        let header = self.writer.headers.dictionary;
        self.position = self.reborrow().two_words(header, 1);
        self.writer.open(Some(1))?;
        self.position = self.reborrow().name(variant)?;
        let mut members = begin(self, Some(length))?;
        members.is_variant = true;
        Ok(members)
    }
}

/// The members of an open container.
pub(super) struct Members<'w> {
    writer: &'w mut ValueWriter,
    /// Where the next member goes.
    position: usize,
    count_at: usize,
    count: usize,
    key_start: usize,
    /// The number of open containers, with this one. A member that failed may have left some open.
    depth: usize,
    /// Whether it is the content of an enum variant, which is in a dictionary of its own.
    pub(super) is_variant: bool,
}

impl<'w> Members<'w> {
    /// Begins after the count, which is written at the end.
    #[inline(always)]
    pub(super) fn new(output: Output<'w>) -> Self {
        let Output { writer, position } = output;
        let depth = writer.depth;
        Self { writer, position, count_at: position - WORD, count: 0, key_start: 0, depth, is_variant: false }
    }

    #[inline(always)]
    fn output(&mut self) -> Output<'_> {
        Output { writer: self.writer, position: self.position }
    }

    #[inline(always)]
    pub(super) fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match value.serialize(self.output()) {
            Ok(position) => self.position = position,
            Err(error) => {
                self.writer.depth = self.depth;
                return Err(error.within(Step::Index(self.count)));
            }
        }
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key_start = self.position;
        match key.serialize(self.output()) {
            Ok(position) => self.position = position,
            Err(error) => {
                self.writer.depth = self.depth;
                return Err(error.within(Step::Key(self.count)));
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match value.serialize(self.output()) {
            Ok(position) => self.position = position,
            // By value, so that the members stay in registers.
            Err(error) => {
                self.writer.depth = self.depth;
                return Err(within_value(error, self.writer, self.key_start, self.count));
            }
        }
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), EncodeError> {
        self.key_start = self.position;
        self.position = self.output().name(name)?;
        self.value(value)
    }

    /// Writes the value of a property, whose name has no header.
    pub(super) fn property<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let start = self.position;
        let is_script = self.written(self.key_start) == SCRIPT_NAME;
        let written = value.serialize(self.output()).and_then(|position| {
            self.position = position;
            if is_script { self.check_script(start) } else { Ok(()) }
        });
        written.map_err(|error| error.within(self.property_step()))?;
        self.count += 1;
        Ok(())
    }

    /// Checks the value of the property `script`, which starts at `start`.
    fn check_script(&mut self, start: usize) -> Result<(), EncodeError> {
        let options = ReadOptions { profile: self.profile(), objects: true, ..ReadOptions::default() };
        let script = Decoder { options }.decode(self.written(start)).map_err(serde_core::ser::Error::custom)?;
        self.output().write(|writer| writer.check_script(&script))?;
        Ok(())
    }

    #[cold]
    pub(super) fn property_step(&self) -> Step {
        let header = VariantType::String as u32;
        let name = [&header.to_le_bytes()[..], &self.writer.bytes[self.key_start..]].concat();
        let name = Decoder::new().decode(&name).ok();
        Step::Property(name.as_ref().and_then(Variant::as_str).unwrap_or_default().into())
    }

    pub(super) const fn position(&self) -> usize {
        self.position
    }

    /// Returns the number of members so far.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the bytes from `start` on.
    pub(super) fn written(&self, start: usize) -> &[u8] {
        self.writer.bytes.get(start..self.position).unwrap_or_default()
    }

    /// Removes bytes that were written.
    pub(super) fn remove(&mut self, start: usize, length: usize) {
        self.writer.bytes.copy_within(start + length..self.position, start);
        self.position -= length;
    }

    pub(super) const fn profile(&self) -> Profile {
        self.writer.options.profile
    }

    /// Returns an error of the value that was written last.
    #[cold]
    pub(super) fn within_last(&self, error: EncodeError) -> EncodeError {
        within_value(error, self.writer, self.key_start, self.count - 1)
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<usize, EncodeError> {
        let Ok(count) = i32::try_from(self.count) else {
            return Err(EncodeError::new(EncodeErrorKind::TooLong { length: self.count }));
        };
        if let Some(place) = self.writer.bytes.get_mut(self.count_at..).and_then(<[u8]>::first_chunk_mut) {
            *place = count.to_le_bytes();
        }
        self.writer.depth -= 1 + usize::from(self.is_variant);
        Ok(self.position)
    }
}

/// Adds the step to the value at `index`, whose key starts at `key_start`.
#[cold]
#[inline(never)]
fn within_value(error: EncodeError, writer: &ValueWriter, key_start: usize, index: usize) -> EncodeError {
    let decoder = Decoder::new().profile(writer.options.profile);
    let key = writer.bytes.get(key_start..).and_then(|bytes| decoder.decode(bytes).ok());
    error.within(Step::Value(index, key.as_ref().and_then(crate::path::key_text)))
}
