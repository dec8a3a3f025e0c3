//! Writing a tree.

use alloc::{borrow::ToOwned, vec::Vec};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::path::{Path, Step, key_text};
use crate::variant::{Object, Reals, RoomyWalk, Visit, Walk};
use crate::wire::{MAX_DEPTH, SCRIPT_PROPERTY};
use crate::write::fast::PlainWriter;
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Variant, VariantType, work};

/// Levels that are written by recursion, which is quick. Each costs a few hundred bytes of stack.
const RECURSIVE_LEVELS: usize = 16;

/// Writes a tree: its upper levels by recursion, what is deeper with a list of the containers that are open. As long
/// as that is no deeper than engines go, it stands on the stack too.
pub(crate) struct TreeWriter<'s, S: Sink> {
    plain: PlainWriter<'s, S>,
}

impl<'s, S: Sink> TreeWriter<'s, S> {
    pub(crate) fn new(writer: Writer<'s, S>) -> Self {
        Self { plain: PlainWriter::new(writer) }
    }

    /// Writes the outermost value.
    #[inline]
    pub(crate) fn write(mut self, value: &Variant) -> Result<(), EncodeError> {
        let mut counted = 0;
        self.member(value, 0, &mut counted).map_err(EncodeError::with_steps_turned)?;
        self.plain.writer.sink.count(counted);
        Ok(())
    }

    /// Writes a value at a depth counted from 0. Where bytes are only counted, those of plain values are added to
    /// `counted`: a sum that stays in a register does not have to be waited for.
    #[inline(always)]
    fn member(&mut self, value: &Variant, depth: usize, counted: &mut usize) -> Result<(), EncodeError> {
        work::add(1);
        if let Some(length) = self.plain.length_alone(value) {
            *counted += length;
            return Ok(());
        }
        if self.plain.take(value) { Ok(()) } else { self.other(value, depth) }
    }

    /// Writes what is not plain.
    fn other(&mut self, value: &Variant, depth: usize) -> Result<(), EncodeError> {
        if depth == RECURSIVE_LEVELS {
            return self.deep(value);
        }
        if !self.plain.begin(value) {
            self.plain.writer.value(value, depth).map_err(EncodeError::new)?;
        }
        let mut counted = 0;
        match value {
            Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                for (index, element) in array.elements().iter().enumerate() {
                    let within = |error: EncodeError| error.within(Step::Index(index));
                    self.member(element, depth + 1, &mut counted).map_err(within)?;
                }
            }
            Variant::Dictionary(dictionary) => {
                for (index, (key, value)) in dictionary.entries().iter().enumerate() {
                    let within = |error: EncodeError| error.within(Step::Key(index));
                    self.member(key, depth + 1, &mut counted).map_err(within)?;
                    let within = |error: EncodeError| error.within(Step::Value(index, key_text(key)));
                    self.member(value, depth + 1, &mut counted).map_err(within)?;
                }
            }
            Variant::Object(Object::Data(data)) => {
                for (name, value) in &data.properties {
                    let written = self.property(name, value, depth + 1, &mut counted);
                    written.map_err(|error| error.within(Step::Property(name.to_owned())))?;
                }
            }
            _ => return Ok(()),
        }
        self.plain.writer.sink.count(counted);
        Ok(())
    }

    fn property(&mut self, name: &str, value: &Variant, depth: usize, counted: &mut usize) -> Result<(), EncodeError> {
        let writer = &mut self.plain.writer;
        writer.property_name(name).map_err(EncodeError::new)?;
        if name == SCRIPT_PROPERTY {
            writer.check_script(value).map_err(EncodeError::new)?;
        }
        self.member(value, depth, counted)
    }

    /// Writes a value and what is in it without recursion.
    #[inline(never)]
    fn deep(&mut self, value: &Variant) -> Result<(), EncodeError> {
        let mut room = [const { None }; MAX_DEPTH];
        let mut walk = RoomyWalk::new(value, &mut room[..]);
        let mut is_script = false;
        let mut visits = 0;
        loop {
            let depth = RECURSIVE_LEVELS + walk.depth();
            let Some(visit) = walk.next() else { return Ok(()) };
            work::add(1);
            visits += 1;
            let is_plain = !is_script
                && depth <= MAX_DEPTH
                && match visit {
                    Visit::Leaf(value) => self.plain.take(value),
                    Visit::Enter(value) => self.plain.begin(value),
                    Visit::Name(_) | Visit::Leave(_) => false,
                };
            if is_plain {
                continue;
            }
            let writer = &mut self.plain.writer;
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
                let steps = path_of_visit(value, visits);
                return Err(steps.steps.into_iter().rev().fold(EncodeError::new(kind), EncodeError::within));
            }
        }
    }
}

impl<S: Sink> Writer<'_, S> {
    /// A leaf, or the beginning of a container, at a depth counted from 0.
    pub(crate) fn value(&mut self, value: &Variant, depth: usize) -> Result<(), EncodeErrorKind> {
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
pub(crate) fn path_of_visit(value: &Variant, number: usize) -> Path {
    // The containers entered so far, and how many keys, values or members were visited in each.
    let mut open: Vec<(&Variant, usize, Option<Step>)> = Vec::new();
    for visit in Walk::new(value).take(number) {
        work::add(1);
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
