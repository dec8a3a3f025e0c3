//! Encoding a tree.

use alloc::{borrow::ToOwned, vec::Vec};

use super::options::WriteOptions;
use super::plain::PlainWriter;
use super::sink::{Beginning, Length, Sink};
use super::writer::Writer;
use crate::error::{EncodeError, EncodeErrorKind};
use crate::path::{Path, Step, key_text};
use crate::variant::{Object, Reals, Visit, Walk};
use crate::wire::{MAX_DEPTH, SCRIPT_PROPERTY};
use crate::{Precision, Profile, Variant, VariantType};

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
    pub fn full_objects(mut self, full_objects: bool) -> Self {
        self.options.full_objects = full_objects;
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
    pub fn correct_faults(mut self, correct: bool) -> Self {
        self.options.corrects_faults = correct;
        self
    }

    /// Keeps what engines read and do not write: null objects apart from `null`, surrogates.
    pub(crate) fn keep_everything(mut self) -> Self {
        self.options.keeps_everything = true;
        self
    }

    /// The bytes of `value`, in one allocation of exactly their number.
    ///
    /// # Errors
    /// Of every [`EncodeErrorKind`], with the path to the part of the value at fault.
    pub fn encode(&self, value: &Variant) -> Result<Vec<u8>, EncodeError> {
        let mut beginning = Beginning::new();
        self.encode_to(value, &mut beginning)?;
        if let Some(whole) = beginning.whole() {
            return Ok(whole.to_vec());
        }
        let mut bytes = Vec::with_capacity(beginning.length);
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
        let mut plain = PlainWriter::new(self.writer(sink));
        let mut walk = Walk::new(value);
        let mut visits = 0;
        let mut is_script = false;
        loop {
            let depth = walk.depth();
            if depth <= MAX_DEPTH {
                walk.take_members(&mut plain);
            }
            let Some(visit) = walk.next() else { return Ok(()) };
            visits += 1;
            if let Visit::Enter(container) = visit
                && !is_script
                && depth <= MAX_DEPTH
                && plain.begin(container)
            {
                continue;
            }
            let writer = &mut plain.writer;
            let written = match visit {
                Visit::Leaf(value) | Visit::Enter(value) => {
                    let script = if is_script { writer.check_script(value) } else { Ok(()) };
                    is_script = false;
                    script.and_then(|()| writer.value(value, depth))
                }
                Visit::Name(name) => {
                    is_script = name == SCRIPT_PROPERTY;
                    writer.property_name(name)
                }
                Visit::Leave(_) => Ok(()),
            };
            if let Err(kind) = written {
                return Err(EncodeError::new(kind).with_path(path_of_visit(value, visits + plain.taken)));
            }
        }
    }
}

impl<S: Sink> Writer<'_, S> {
    /// A leaf, or the beginning of a container, at a depth counted from 0.
    fn value(&mut self, value: &Variant, depth: usize) -> Result<(), EncodeErrorKind> {
        if depth > MAX_DEPTH && self.options.profile.depth().writing {
            return Err(EncodeErrorKind::DepthLimit { limit: MAX_DEPTH });
        }
        match value {
            Variant::Nil => self.nil(),
            Variant::Bool(value) => self.bool(*value),
            Variant::Int(value) => self.int(*value),
            Variant::Float(value) => self.float(*value),
            Variant::String(text) => self.text(VariantType::String, text),
            Variant::StringName(text) => self.text(VariantType::StringName, text),
            Variant::Vector2i(value) => self.integers(VariantType::Vector2i, &value.to_array()),
            Variant::Rect2i(value) => self.integers(VariantType::Rect2i, &value.to_array()),
            Variant::Vector3i(value) => self.integers(VariantType::Vector3i, &value.to_array()),
            Variant::Vector4i(value) => self.integers(VariantType::Vector4i, &value.to_array()),
            Variant::Color(color) => self.color(color.to_array()),
            Variant::NodePath(path) => self.whole_node_path(path),
            Variant::RID(id) => self.rid(*id),
            Variant::Object(Object::Null) => self.null_object(),
            Variant::Object(Object::Id(id)) => self.object_id(*id),
            Variant::Object(Object::Data(data)) => self.begin_object(&data.class, data.properties.len()),
            Variant::Callable => self.callable(),
            Variant::Signal(signal) => self.signal(&signal.name, signal.object_id),
            Variant::Dictionary(dictionary) => {
                let count = dictionary.entries().len();
                let types = (dictionary.key_type(), dictionary.value_type());
                self.begin_any_dictionary(count, types, dictionary.is_shared())
            }
            Variant::Array(array) => {
                self.begin_any_array(array.elements().len(), array.element_type(), array.is_shared())
            }
            Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                self.begin_typed_array(value.variant_type(), array.elements().len(), array.element_type())
            }
            Variant::Image(image) => self.image(image),
            Variant::InputEvent(event) => self.input_event(event),
            Variant::PackedVector2iArray(elements) => self.packed_integers(elements.iter().map(|v| v.to_array())),
            Variant::PackedVector3iArray(elements) => self.packed_integers(elements.iter().map(|v| v.to_array())),
            Variant::PackedVector4iArray(elements) => self.packed_integers(elements.iter().map(|v| v.to_array())),
            Variant::PackedByteArray(elements) => self.packed_bytes(elements),
            Variant::PackedInt32Array(elements) => self.packed_int32(elements),
            Variant::PackedInt64Array(elements) => self.packed_int64(elements),
            Variant::PackedFloat32Array(elements) => self.packed_float32(elements),
            Variant::PackedFloat64Array(elements) => self.packed_float64(elements),
            Variant::PackedStringArray(elements) => self.packed_texts(elements),
            Variant::PackedVector2Array(elements) => self.packed_vectors(elements),
            Variant::PackedVector3Array(elements) => self.packed_vectors(elements),
            Variant::PackedVector4Array(elements) => self.packed_vectors(elements),
            Variant::PackedColorArray(elements) => self.packed_colors(elements),
            reals => self.reals(reals.variant_type(), reals.as_reals().unwrap_or(Reals::Single(&[]))),
        }
    }
}

/// The steps to what a walk over `value` visits as its `number`th, counted from 1.
#[cold]
fn path_of_visit(value: &Variant, number: usize) -> Path {
    // The containers entered so far, and how many keys, values or members were visited in each.
    let mut open: Vec<(&Variant, usize, Option<Step>)> = Vec::new();
    for visit in Walk::new(value).take(number) {
        if let (Some((container, visited, step)), Visit::Leaf(_) | Visit::Enter(_)) = (open.last_mut(), visit) {
            match container {
                Variant::Array(_) | Variant::TypedArray(_) | Variant::PackedTypedArray(_) => {
                    *step = Some(Step::Index(*visited));
                }
                Variant::Dictionary(_) if *visited % 2 == 0 => *step = Some(Step::Key(*visited / 2)),
                Variant::Dictionary(dictionary) => {
                    let key = dictionary.entries().get(*visited / 2).and_then(|(key, _)| key_text(key));
                    *step = Some(Step::Value(*visited / 2, key));
                }
                _ => {}
            }
            *visited += 1;
        }
        match visit {
            Visit::Enter(container) => open.push((container, 0, None)),
            Visit::Leave(_) => drop(open.pop()),
            Visit::Name(name) => {
                if let Some((_, _, step)) = open.last_mut() {
                    *step = Some(Step::Property(name.to_owned()));
                }
            }
            Visit::Leaf(_) => {}
        }
    }
    open.into_iter().filter_map(|(_, _, step)| step).collect()
}
