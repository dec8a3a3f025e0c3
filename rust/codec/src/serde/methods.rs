//! The methods of `Decoder` and `Encoder` for Rust types.

use alloc::vec::Vec;
use core::mem;

use serde_core::de::{Deserialize, DeserializeOwned, Error as _};
use serde_core::ser::{Error as _, Serialize};

use crate::decoder::Decoded;
use crate::error::{DecodeError, EncodeError};
use crate::options::{ReadOptions, WriteOptions, setters};
#[cfg(feature = "std")]
use crate::record::{Framing, RecordReader, RecordWriter};
use crate::serde::error::{Duplicates, located, needs_tree, unexpected};
use crate::serde::leaves::Leaves;
use crate::serde::reader::{Borrowed, Mode, Order, Rewritten, ValueReader};
use crate::serde::value_writer::ValueWriter;
use crate::serde::variant_ser::encode;
use crate::{Decoder, Encoder, Profile, Variant};

/// The memory that a packet starts with: with what allocators add, a block of 256 bytes.
const CAPACITY: usize = 240;

/// The part of it that small packets need.
const SMALL: usize = 144;

impl Decoder {
    /// Reads a Rust value with these settings. [`from_bytes`](crate::from_bytes) describes the form of each type.
    ///
    /// Bytes after the value are ignored, or an error in strict reading. Strict reading checks the packet first.
    /// [`Limits::memory`](crate::Limits::memory) counts the memory that a [`Variant`] would take.
    ///
    /// ```
    /// use varbytes::{Decoder, Profile};
    ///
    /// let bytes = varbytes::to_bytes(&[1, 2, 3])?;
    /// let decoder = Decoder::untrusted(&bytes).profile(Profile::GODOT_4_2).strict(true);
    /// assert_eq!(decoder.deserialize::<Vec<u8>>(&bytes)?, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::missing_errors_doc, reason = "the documentation of `Decoder` has the errors")]
    pub fn deserialize<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T, DecodeError> {
        if self.options.strict {
            self.check(bytes)?;
            return self.engine_exact().deserialize(bytes);
        }
        self.read_value(bytes, &mut 0)
    }

    /// Like [`deserialize`](Self::deserialize), and returns the length of the value. Bytes after it are ignored, also
    /// in strict reading.
    ///
    /// ```
    /// use varbytes::Decoder;
    ///
    /// let decoded = Decoder::new().deserialize_prefix::<u8>(&[2, 0, 0, 0, 7, 0, 0, 0, b'm', b'o', b'r', b'e'])?;
    /// assert_eq!((decoded.value, decoded.consumed), (7, 8));
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[expect(clippy::missing_errors_doc, reason = "the documentation of `Decoder` has the errors")]
    pub fn deserialize_prefix<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<Decoded<T>, DecodeError> {
        let decoder = if self.options.strict {
            self.decode_prefix(bytes)?;
            self.engine_exact()
        } else {
            *self
        };
        let mut used = 0;
        let value = decoder.read_value(bytes, &mut used)?;
        Ok(Decoded { value, consumed: used.min(bytes.len()), used })
    }

    /// Reads a Rust value from a record with these settings, as [`from_reader`](crate::from_reader) does.
    ///
    /// ```
    /// use varbytes::{Decoder, Profile};
    ///
    /// let godot_3 = Decoder::new().profile(Profile::GODOT_3_5);
    /// let file = [12, 0, 0, 0, 21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0];
    /// assert_eq!(godot_3.deserialize_record::<Vec<i32>>(&file[..])?, Some(vec![99]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`from_reader`](crate::from_reader).
    #[cfg(feature = "std")]
    pub fn deserialize_record<T: DeserializeOwned>(&self, reader: impl std::io::Read) -> std::io::Result<Option<T>> {
        RecordReader::new(reader, Framing::new(usize::MAX)).decoder(*self).deserialize()
    }

    /// Reads a value and sets `used` to its length, with padding that may be missing at the end.
    #[inline]
    fn read_value<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8], used: &mut usize) -> Result<T, DecodeError> {
        let mut leaves = Leaves;
        let mut reader = ValueReader::<Borrowed>::new(bytes, &self.options, &mut leaves, Order::Expected);
        match reader.begin() {
            Ok(()) => self.read_begun(&mut reader, bytes, used),
            Err(error) => Err(error.reverse_path()),
        }
    }

    // The compiler lets `deserialize` write to the place of the result only because there is one other exit, and because nothing
    // in between is a call. Otherwise the result is copied, and the processor waits for what was just written.
    #[inline(always)]
    fn read_begun<'de, T: Deserialize<'de>>(
        &self,
        reader: &mut ValueReader<'de, '_, Borrowed>,
        bytes: &'de [u8],
        used: &mut usize,
    ) -> Result<T, DecodeError> {
        let duplicates = Duplicates::now();
        let read = T::deserialize(&mut *reader);
        *used = reader.input.cursor.position;
        // Also if the type ignored the error.
        let is_ordered = !matches!(reader.order, Order::Unexpected);
        if !is_ordered || read.is_err() || reader.is_lost || reader.wants_tree || duplicates.is_past() {
            let read = self.read_again(bytes, read.err(), is_ordered, duplicates, used);
            // Those of this packet must not have the packet read again that it is in.
            duplicates.set();
            return read;
        }
        read
    }

    /// Reads a value that has structs whose keys are not their fields in order, or that could not be read for another reason.
    #[inline(never)]
    fn read_again<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
        error: Option<DecodeError>,
        is_ordered: bool,
        duplicates: Duplicates,
        used: &mut usize,
    ) -> Result<T, DecodeError> {
        let read = match error {
            Some(error) if is_ordered => Err(located(error, 0)),
            _ => read_keys::<T, Borrowed>(bytes, &self.options, used),
        };
        match read {
            // serde has other errors for an untagged enum.
            Err(error) if error.needs_tree() || duplicates.is_past() => self.read_tree(bytes, &error, used),
            Err(error) => Err(error.reverse_path()),
            read => read,
        }
    }

    /// Reads a packet whose duplicate keys are merged or whose members are converted, by a tree.
    #[cold]
    fn read_tree<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
        reason: &DecodeError,
        used: &mut usize,
    ) -> Result<T, DecodeError> {
        let tree = self.decode_prefix(bytes)?;
        *used = tree.used;
        let tree = tree.value;
        let profile = self.options.profile;
        let encoder = Encoder { options: WriteOptions::exact(profile) };
        let bytes = encoder.encode(&tree).map_err(|error| DecodeError::custom(error).with_offset(reason.offset()))?;
        match read_keys::<T, Rewritten>(&bytes, &ReadOptions::exact(profile), &mut 0) {
            Ok(value) => Ok(value),
            Err(error) if error.needs_tree() => {
                let twice = unexpected("each field once", "a field twice");
                Err(twice.with_path(reason.path().clone()).with_offset(reason.offset()).reverse_path())
            }
            Err(error) => Err(error.with_offset(reason.offset()).reverse_path()),
        }
    }
}

/// Reads a value, and the fields of structs in any order.
fn read_keys<'t, 'de, T: Deserialize<'de>, M: Mode<'t, 'de>>(
    bytes: &'t [u8],
    options: &ReadOptions,
    used: &mut usize,
) -> Result<T, DecodeError> {
    let mut leaves = Leaves;
    let mut reader = ValueReader::<M>::new(bytes, options, &mut leaves, Order::Any);
    reader.begin()?;
    let (start, duplicates) = (reader.state(), Duplicates::now());
    let read = T::deserialize(&mut reader).and_then(|value| reader.find_end(start, 0).map(|()| value));
    *used = reader.position();
    match read {
        Ok(_) if (reader.wants_tree || duplicates.is_past()) && !M::IS_TREE => Err(needs_tree()),
        read => read.map_err(|error| located(error, 0)),
    }
}

/// Takes the buffer while a value is written, and puts it back, also if a `Serialize` of the caller panics.
struct Appended<'b> {
    bytes: &'b mut Vec<u8>,
    writer: ValueWriter,
    /// The end of what is kept.
    end: usize,
}

impl<'b> Appended<'b> {
    fn new(bytes: &'b mut Vec<u8>, options: WriteOptions) -> Self {
        let end = bytes.len();
        Self { end, writer: ValueWriter::new(mem::take(bytes), end, options), bytes }
    }
}

impl Drop for Appended<'_> {
    fn drop(&mut self) {
        *self.bytes = mem::take(&mut self.writer.bytes);
        self.bytes.truncate(self.end);
    }
}

impl Encoder {
    setters! {
        /// Sets whether names of fields and of enum variants are written as `StringName` instead of `String`. Only
        /// [`serialize`](Self::serialize) has such names.
        ///
        /// ```
        /// use serde::Serialize;
        /// use varbytes::{Encoder, VariantType};
        ///
        /// #[derive(Serialize)]
        /// struct Player {
        ///     hp: i32,
        /// }
        ///
        /// let bytes = Encoder::new().names_as_string_names(true).serialize(&Player { hp: 7 })?;
        /// let player = varbytes::decode(&bytes)?;
        /// let (key, _) = player.as_dictionary().unwrap().get_key_value("hp").unwrap();
        /// assert_eq!(key.variant_type(), VariantType::StringName);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        names_as_string_names(as_string_names: bool) => names_as_string_names: as_string_names;
    }

    /// Writes a Rust value with these settings. [`from_bytes`](crate::from_bytes) describes the form of each type.
    ///
    /// ```
    /// use varbytes::{Encoder, Precision};
    ///
    /// let encoder = Encoder::new().precision(Precision::Single);
    /// assert_eq!(encoder.serialize(&true)?, [1, 0, 0, 0, 1, 0, 0, 0]);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    #[expect(clippy::missing_errors_doc, reason = "the documentation of `Encoder` has the errors")]
    pub fn serialize<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::with_capacity(CAPACITY);
        // Not zero: the compiler would replace both calls by a call of `calloc`, which takes longer.
        bytes.resize(SMALL, u8::MAX);
        let mut writer = ValueWriter::new(bytes, 0, self.options);
        let end = value.serialize(writer.output()).map_err(EncodeError::reverse_path)?;
        writer.bytes.truncate(end);
        Ok(writer.bytes)
    }

    /// Writes a Rust value and appends it to `bytes`. On an error, `bytes` is unchanged.
    ///
    /// ```
    /// use varbytes::Encoder;
    ///
    /// let mut packet = b"head".to_vec();
    /// Encoder::new().serialize_into(&7, &mut packet)?;
    /// assert_eq!(packet, *b"head\x02\0\0\0\x07\0\0\0");
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    #[expect(clippy::missing_errors_doc, reason = "the documentation of `Encoder` has the errors")]
    pub fn serialize_into<T: Serialize + ?Sized>(&self, value: &T, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut appended = Appended::new(bytes, self.options);
        appended.end = value.serialize(appended.writer.output()).map_err(EncodeError::reverse_path)?;
        Ok(())
    }

    /// Writes a Rust value as a record with these settings, as [`to_writer`](crate::to_writer) does.
    ///
    /// ```
    /// use varbytes::{Encoder, Profile};
    ///
    /// let mut file = Vec::new();
    /// Encoder::new().profile(Profile::GODOT_3_5).serialize_record(&mut file, &7)?;
    /// assert_eq!(file, [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_writer`](crate::to_writer).
    #[cfg(feature = "std")]
    pub fn serialize_record<T: Serialize + ?Sized>(
        &self,
        writer: impl std::io::Write,
        value: &T,
    ) -> std::io::Result<()> {
        RecordWriter::new(writer, Framing::new(usize::MAX)).encoder(*self).serialize(value)
    }
}

pub(super) fn to_variant<T: Serialize + ?Sized>(value: &T) -> Result<Variant, EncodeError> {
    let profile = Profile::default();
    let bytes = Encoder { options: WriteOptions::exact(profile) }.serialize(value)?;
    Decoder { options: ReadOptions::exact(profile) }.decode(&bytes).map_err(EncodeError::custom)
}

pub(super) fn from_variant<T: DeserializeOwned>(value: &Variant) -> Result<T, DecodeError> {
    let encoded = encode(value).map_err(|error| DecodeError::custom(error).with_offset(0))?;
    let profile = encoded.first().and_then(|index| Profile::ALL.get(usize::from(*index))).copied().unwrap_or_default();
    Decoder { options: ReadOptions::exact(profile) }.deserialize(encoded.get(1..).unwrap_or_default())
}
