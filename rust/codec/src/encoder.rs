//! The encoder: its settings and its methods that write a tree.

use alloc::vec::Vec;

use crate::error::EncodeError;
use crate::options::{WriteOptions, setters};
use crate::path::Path;
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
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Sets the engine version to write for.
        profile(profile: Profile) => profile: profile;

        /// Sets whether objects with class and properties may be written, as `var_to_bytes_with_objects` does.
        ///
        /// If `true`, a container typed by a class or a script is written with that name. Otherwise it is written as a
        /// container of object ids.
        objects(objects: bool) => objects: objects;

        /// Writes all reals as an engine of that precision does. Values of the other precision are converted.
        precision(precision: Precision) => precision: Some(precision);

        /// Sets whether to write the correct value in cases where a bug makes the engine write a wrong one. The known
        /// case is the fourth component in a `PoolVector4iArray` of Pandemonium.
        fix_engine_bugs(fix: bool) => fixes_engine_bugs: fix;
    }

    /// Encodes `value`, with one allocation of exactly the right size.
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

    /// Encodes `value` and appends it to `bytes`. On an error, `bytes` is unchanged.
    pub fn encode_into(&self, value: &Variant, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let before = bytes.len();
        self.encode_to(value, bytes).inspect_err(|_| bytes.truncate(before))
    }

    /// Returns the number of bytes that [`encode`](Self::encode) would return.
    pub fn encoded_len(&self, value: &Variant) -> Result<usize, EncodeError> {
        let mut length = Length::default();
        self.encode_to(value, &mut length)?;
        Ok(length.0)
    }

    /// Returns the path to the part of `value` that contains the byte at `offset` of its encoding. Use it to find out
    /// where two encodings differ.
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
    pub fn writer<'s, S: Sink>(&self, sink: &'s mut S) -> Writer<'s, S> {
        Writer::new(sink, self.options)
    }

    /// Encodes `value` into any [`Sink`]. On an error, the sink has received a part of the bytes.
    pub fn encode_to(&self, value: &Variant, sink: &mut impl Sink) -> Result<(), EncodeError> {
        TreeWriter::new(self.writer(sink)).write(value)
    }
}
