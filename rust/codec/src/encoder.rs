//! Encoding: the settings, and the ways to write a tree.

use alloc::vec::Vec;

use crate::error::EncodeError;
use crate::options::WriteOptions;
use crate::path::Path;
use crate::variant::{Visit, Walk};
use crate::write::sink::{Length, Sink, SmallBufferSink};
use crate::write::tree::{TreeWriter, path_of_visit};
use crate::write::writer::Writer;
use crate::{Precision, Profile, Variant, work};

/// How values are written: for which engine version, with which precision, with or without full objects.
///
/// What is written is canonical: the bytes that engine writes, every padding byte zero.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    options: WriteOptions,
}

impl Encoder {
    /// For the newest engine known, without full objects, each value at the precision it has.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The engine version to write for.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.profile = profile;
        self
    }

    /// Whether objects with class and properties may be written, as `var_to_bytes_with_objects` does.
    ///
    /// It also decides how containers typed by a class or a script are written: by that name, or as
    /// containers of ids.
    #[must_use]
    pub fn objects(mut self, objects: bool) -> Self {
        self.options.objects = objects;
        self
    }

    /// Writes all reals as an engine of that precision does, converting where a value has the other one.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.options.precision = Some(precision);
        self
    }

    /// Whether values are written as they are meant where the engine is known to write them wrongly: the fourth
    /// component in a `PoolVector4iArray` of Pandemonium.
    #[must_use]
    pub fn fix_engine_bugs(mut self, fix: bool) -> Self {
        self.options.fixes_engine_bugs = fix;
        self
    }

    /// The bytes of `value`, in one allocation of exactly their number.
    ///
    /// # Errors
    /// Of every [`EncodeErrorKind`](crate::EncodeErrorKind), with the path to the part of the value at fault.
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

    /// Appends the bytes of `value` to `bytes`, which on an error is left as it was.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_into(&self, value: &Variant, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let before = bytes.len();
        self.encode_to(value, bytes).inspect_err(|_| bytes.truncate(before))
    }

    /// The number of bytes that [`encode`](Self::encode) gives.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encoded_len(&self, value: &Variant) -> Result<usize, EncodeError> {
        let mut length = Length::default();
        self.encode_to(value, &mut length)?;
        Ok(length.0)
    }

    /// The part of `value` that holds the byte at `offset` of its encoding: where to look when bytes differ.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn path_at(&self, value: &Variant, offset: usize) -> Result<Path, EncodeError> {
        let mut length = Length::default();
        let mut writer = self.writer(&mut length);
        let mut walk = Walk::new(value);
        let mut visits = 0;
        let mut holder = 1;
        loop {
            let depth = walk.depth();
            let Some(visit) = walk.next() else { break };
            visits += 1;
            if writer.sink.0 <= offset && !matches!(visit, Visit::Leave(_)) {
                holder = visits;
            }
            let written = match visit {
                Visit::Leaf(value) | Visit::Enter(value) => writer.value(value, depth),
                Visit::Name(name) => writer.property_name(name),
                Visit::Leave(_) => Ok(()),
            };
            written.map_err(|kind| EncodeError::new(kind).with_path(path_of_visit(value, visits)))?;
        }
        Ok(path_of_visit(value, holder))
    }

    /// A [`Writer`] with these settings, for values that are not in a tree.
    pub fn writer<'s, S: Sink>(&self, sink: &'s mut S) -> Writer<'s, S> {
        Writer::new(sink, self.options)
    }

    /// Writes the bytes of `value` to any [`Sink`], which on an error has received some of them.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_to(&self, value: &Variant, sink: &mut impl Sink) -> Result<(), EncodeError> {
        TreeWriter::new(self.writer(sink)).write(value)
    }
}
