//! The encoder: its settings and its methods that write a tree.

use alloc::vec::Vec;

use crate::error::EncodeError;
use crate::options::{WriteOptions, setters};
use crate::path::Path;
use crate::single::{NumberBytes, Single};
use crate::variant::{Visit, Walk};
use crate::write::fast::TreeWriter;
use crate::write::sink::{Length, Sink, SmallBufferSink};
use crate::write::writer::Writer;
use crate::{Precision, Profile, Variant, work};

/// Writes values for one engine version, with one precision, with or without full objects.
///
/// The output is canonical: the bytes that the engine writes, with zeroes in all padding.
///
/// ```
/// use varbytes::{Encoder, Precision, Profile, Variant, variant::Vector2};
///
/// let value = Variant::from(Vector2::from([1.0f32, -2.0]));
/// let encoder = Encoder::new().profile(Profile::GODOT_4_2).precision(Precision::Double);
/// assert_eq!(encoder.encoded_len(&value)?, 20);
/// assert_eq!(encoder.encode(&value)?[..4], [5, 0, 1, 0]);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// Every method that writes returns any [`EncodeErrorKind`](crate::EncodeErrorKind), with the path to the part that
/// cannot be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    pub(crate) options: WriteOptions,
}

#[expect(clippy::missing_errors_doc, reason = "the documentation of `Encoder` has the errors")]
impl Encoder {
    /// Creates an encoder for the newest known engine. Full objects are refused, and values keep their precision.
    ///
    /// ```
    /// use varbytes::{Encoder, variant};
    ///
    /// assert_eq!(Encoder::new().encode(&variant!(null))?, [0, 0, 0, 0]);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { options: WriteOptions::DEFAULT }
    }

    setters! {
        /// Sets the engine version to write for.
        ///
        /// A type that this version does not have is an error. Floats get its width, as in the engine: where it writes 4
        /// bytes, such as for vectors before Godot 4, a number greater than any `f32` becomes infinite without an error.
        /// [`Migration`](crate::migrate::Migration) reports numbers that change.
        ///
        /// ```
        /// use varbytes::{Encoder, Profile, Variant};
        ///
        /// let name = Variant::StringName("jump".into());
        /// assert!(Encoder::new().encode(&name).is_ok());
        /// let error = Encoder::new().profile(Profile::GODOT_3_5).encode(&name).unwrap_err();
        /// assert_eq!(error.to_string(), "StringName does not exist in this engine version, path $");
        /// ```
        profile(profile: Profile) => profile: profile;

        /// Sets whether objects with class and properties may be written, as `var_to_bytes_with_objects` does.
        ///
        /// If `true`, a container typed by a class or a script is written with that name. Otherwise it is written as a
        /// container of object ids.
        ///
        /// ```
        /// use varbytes::{Encoder, Variant, variant::ObjectData};
        ///
        /// let node = Variant::from(ObjectData { class: "Node".into(), properties: vec![] });
        /// assert!(Encoder::new().encode(&node).is_err());
        /// assert_eq!(Encoder::new().objects(true).encode(&node)?[..4], [24, 0, 0, 0]);
        /// # Ok::<(), varbytes::EncodeError>(())
        /// ```
        objects(objects: bool) => objects: objects;

        /// Writes all reals as an engine of that precision does. Values of the other precision are converted.
        ///
        /// ```
        /// use varbytes::{Encoder, Precision, variant::Vector2};
        ///
        /// let encoder = Encoder::new().precision(Precision::Double);
        /// assert_eq!(encoder.encode(&Vector2::new(1.0, 2.0).into())?.len(), 20);
        /// # Ok::<(), varbytes::EncodeError>(())
        /// ```
        precision(precision: Precision) => precision: Some(precision);

        /// Sets whether to write the correct value in cases where a bug makes the engine write a wrong one. The known
        /// case is the fourth component in a `PoolVector4iArray` of Pandemonium.
        ///
        /// ```
        /// use varbytes::{Encoder, Profile, Variant, variant::Vector4i};
        ///
        /// let vectors = Variant::from(vec![Vector4i::new(1, 2, 3, 4)]);
        /// let engine = Encoder::new().profile(Profile::PANDEMONIUM_5);
        /// assert!(engine.encode(&vectors)?.ends_with(&[3, 0, 0, 0, 3, 0, 0, 0]));
        /// assert!(engine.fix_engine_bugs(true).encode(&vectors)?.ends_with(&[3, 0, 0, 0, 4, 0, 0, 0]));
        /// # Ok::<(), varbytes::EncodeError>(())
        /// ```
        fix_engine_bugs(fix: bool) => fixes_engine_bugs: fix;
    }

    /// Encodes `value`, with one allocation of exactly the right size.
    ///
    /// ```
    /// use varbytes::Encoder;
    ///
    /// assert_eq!(Encoder::new().encode(&7.into())?, [2, 0, 0, 0, 7, 0, 0, 0]);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    pub fn encode(&self, value: &Variant) -> Result<Vec<u8>, EncodeError> {
        let mut buffer = SmallBufferSink::default();
        self.encode_to(value, &mut buffer)?;
        if let Some(bytes) = buffer.bytes() {
            return Ok(bytes.to_vec());
        }
        work::add_bytes(buffer.length());
        let mut bytes = Vec::with_capacity(buffer.length());
        self.encode_to(value, &mut bytes)?;
        Ok(bytes)
    }

    /// Encodes `null`, a `bool` or a number. Returns `None` for another value, and if the engine cannot store it exactly; use
    /// another method then.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn encode_number(&self, value: Single<'_>) -> Option<NumberBytes> {
        value.number_bytes(self.options.profile.plain_headers())
    }

    /// Encodes `value` and appends it to `bytes`. On an error, `bytes` is unchanged.
    ///
    /// ```
    /// use varbytes::Encoder;
    ///
    /// let mut packet = b"head".to_vec();
    /// Encoder::new().encode_into(&7.into(), &mut packet)?;
    /// assert_eq!(packet, *b"head\x02\0\0\0\x07\0\0\0");
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    pub fn encode_into(&self, value: &Variant, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let before = bytes.len();
        self.encode_to(value, bytes).inspect_err(|_| bytes.truncate(before))
    }

    /// Returns the number of bytes that [`encode`](Self::encode) would return.
    ///
    /// ```
    /// use varbytes::{Encoder, variant};
    ///
    /// assert_eq!(Encoder::new().encoded_len(&variant!({"name": "Ada"}))?, 32);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    pub fn encoded_len(&self, value: &Variant) -> Result<usize, EncodeError> {
        let mut length = Length::default();
        self.encode_to(value, &mut length)?;
        Ok(length.0)
    }

    /// Returns the path to the part of `value` that contains the byte at `offset` of its encoding. Use it to find out
    /// where two encodings differ.
    ///
    /// ```
    /// use varbytes::{Encoder, variant};
    ///
    /// let (old, new) = (variant!({"name": "Ada", "hp": 10}), variant!({"name": "Ada", "hp": 9}));
    /// let (old_bytes, new_bytes) = (varbytes::encode(&old)?, varbytes::encode(&new)?);
    /// let difference = old_bytes.iter().zip(&new_bytes).position(|(old, new)| old != new).unwrap();
    /// assert_eq!(Encoder::new().path_at(&new, difference)?.to_string(), r#"$["hp"]"#);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    pub fn path_at(&self, value: &Variant, offset: usize) -> Result<Path, EncodeError> {
        let mut length = Length::default();
        let mut writer = self.writer(&mut length);
        let mut walk = Walk::new(value);
        let (mut visits, mut holder) = (0, 0);
        loop {
            let depth = walk.depth();
            let Some(visit) = walk.next() else { break };
            if writer.sink.0 <= offset && !matches!(visit, Visit::Leave(_)) {
                holder = visits;
            }
            visits += 1;
            let written = match visit {
                Visit::Leaf(value) | Visit::Enter(value) => writer.value(value, depth),
                Visit::Name(name) => writer.property_name(name),
                Visit::Leave(_) => Ok(()),
            };
            let path = || Path::of_members(walk.0.last_members());
            written.map_err(|kind| EncodeError::new(kind).with_path(path()))?;
        }
        let mut walk = Walk::new(value);
        walk.nth(holder);
        Ok(Path::of_members(walk.0.last_members()))
    }

    /// Returns a [`Writer`] with these settings, which writes values without a tree.
    ///
    /// ```
    /// use varbytes::{Encoder, variant};
    ///
    /// let mut bytes = Vec::new();
    /// let mut writer = Encoder::new().writer(&mut bytes);
    /// writer.begin_dictionary(1, None, None)?;
    /// writer.string("hp")?;
    /// writer.int(10)?;
    /// assert_eq!(bytes, varbytes::encode(&variant!({"hp": 10})).unwrap());
    /// # Ok::<(), varbytes::EncodeErrorKind>(())
    /// ```
    pub fn writer<'s, S: Sink>(&self, sink: &'s mut S) -> Writer<'s, S> {
        Writer::new(sink, self.options)
    }

    /// Encodes `value` into any [`Sink`]. On an error, the sink has received a part of the bytes.
    ///
    /// ```
    /// use varbytes::Encoder;
    /// use varbytes::write::IoSink;
    ///
    /// let mut sink = IoSink::new(std::io::sink());
    /// Encoder::new().encode_to(&"to a file".into(), &mut sink)?;
    /// sink.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode_to(&self, value: &Variant, sink: &mut impl Sink) -> Result<(), EncodeError> {
        TreeWriter::new(self.writer(sink)).write(value)
    }
}
