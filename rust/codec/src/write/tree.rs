//! Writing a [`Variant`] tree.

use alloc::borrow::ToOwned;

use crate::error::{EncodeError, EncodeErrorKind};
use crate::path::{Path, Step};
use crate::variant::{InlineWalk, Object, PackedIntegers, Reals, View, Visit};
use crate::wire::{MAX_DEPTH, SCRIPT_PROPERTY};
use crate::write::fast::TreeWriter;
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Variant, VariantType, work};

/// The number of levels that are written by recursion, which is fast. Each takes a few hundred bytes of stack.
const RECURSIVE_LEVELS: usize = 16;

impl<S: Sink> TreeWriter<'_, S> {
    /// Writes the upper levels by recursion, and deeper levels with an explicit stack of open containers. That stack is
    /// allocated only for trees that are deeper than engines allow.
    #[inline]
    pub(crate) fn write(mut self, value: &Variant) -> Result<(), EncodeError> {
        let mut counted = 0;
        self.write_member(value, 0, &mut counted).map_err(EncodeError::reverse_path)?;
        self.writer.sink.count(counted);
        Ok(())
    }

    /// Writes a value that is within others. The steps of an error begin with the innermost one.
    #[cfg(feature = "serde")]
    pub(crate) fn write_at(mut self, value: &Variant, depth: usize) -> Result<(), EncodeError> {
        let mut counted = 0;
        self.write_member(value, depth, &mut counted)
    }

    /// Writes a value at a depth counted from 0. If the sink only counts bytes, those of common values are added to
    /// `counted`, which stays in a register.
    #[inline(always)]
    fn write_member(&mut self, value: &Variant, depth: usize, counted: &mut usize) -> Result<(), EncodeError> {
        work::add(1);
        if let Some(length) = self.length_if_counting(value) {
            *counted += length;
            return Ok(());
        }
        if self.try_write(value) { Ok(()) } else { self.write_slow(value, depth) }
    }

    fn write_slow(&mut self, value: &Variant, depth: usize) -> Result<(), EncodeError> {
        if depth >= RECURSIVE_LEVELS {
            return self.write_deep(value, depth);
        }
        if !self.try_begin_container(value) {
            self.writer.value(value, depth).map_err(EncodeError::new)?;
        }
        let mut counted = 0;
        match value {
            Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                for (index, element) in array.elements().iter().enumerate() {
                    let within = |error: EncodeError| error.within(Step::Index(index));
                    self.write_member(element, depth + 1, &mut counted).map_err(within)?;
                }
            }
            Variant::Dictionary(dictionary) => {
                for (index, (key, value)) in dictionary.entries().iter().enumerate() {
                    let within = |error: EncodeError| error.within(Step::Key(index));
                    self.write_member(key, depth + 1, &mut counted).map_err(within)?;
                    let within = |error: EncodeError| error.within(Step::to_entry(2 * index + 1, Some(key)));
                    self.write_member(value, depth + 1, &mut counted).map_err(within)?;
                }
            }
            Variant::Object(Object::Data(data)) => {
                for (name, value) in &data.properties {
                    let within = |error: EncodeError| error.within(Step::Property(name.to_owned()));
                    let writer = &mut self.writer;
                    let named = writer.property_name(name).and_then(|()| match name.as_str() {
                        SCRIPT_PROPERTY => writer.check_script(value),
                        _ => Ok(()),
                    });
                    named.map_err(|kind| within(EncodeError::new(kind)))?;
                    self.write_member(value, depth + 1, &mut counted).map_err(within)?;
                }
            }
            _ => return Ok(()),
        }
        self.writer.sink.count(counted);
        Ok(())
    }

    /// Writes a value and all its members without recursion.
    #[inline(never)]
    fn write_deep(&mut self, value: &Variant, first: usize) -> Result<(), EncodeError> {
        let mut levels = [const { None }; MAX_DEPTH];
        let mut walk = InlineWalk::new(value, &mut levels[..]);
        let mut is_script = false;
        loop {
            let depth = first + walk.depth();
            let Some(visit) = walk.next() else { return Ok(()) };
            work::add(1);
            let is_written = !is_script
                && depth <= MAX_DEPTH
                && match visit {
                    Visit::Leaf(value) => self.try_write(value),
                    Visit::Enter(value) => self.try_begin_container(value),
                    Visit::Name(_) | Visit::Leave(_) => false,
                };
            if is_written {
                continue;
            }
            let writer = &mut self.writer;
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
                let steps = Path::of_members(walk.last_members()).steps.into_iter();
                return Err(steps.rev().fold(EncodeError::new(kind), EncodeError::within));
            }
        }
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a value that holds no others, or the header of a container, at a depth counted from 0.
    pub(crate) fn value(&mut self, value: &Variant, depth: usize) -> Result<(), EncodeErrorKind> {
        if depth > MAX_DEPTH && self.options.profile.limits_writing_depth() {
            return Err(EncodeErrorKind::DepthLimit { limit: MAX_DEPTH });
        }
        let variant_type = value.variant_type();
        match value.view() {
            View::Nothing if variant_type == VariantType::Callable => self.callable(),
            View::Nothing => self.nil(),
            View::Bool(value) => self.bool(value),
            View::Int(value) => self.int(value),
            View::Float(value) => self.float(value),
            View::Text(text) => self.text(variant_type, text),
            View::Reals(reals) => self.reals(variant_type, reals),
            View::Integers(integers) => self.integers(variant_type, integers.as_slice()),
            View::Color(color) => self.color(color.to_array()),
            View::NodePath(path) => self.whole_node_path(path),
            View::Rid(id) => self.rid(id),
            View::Object(Object::Null) => self.null_object(),
            View::Object(Object::Id(id)) => self.object_id(*id),
            View::Object(Object::Data(data)) => self.begin_object(&data.class, data.properties.len()),
            View::Signal(signal) => self.signal(&signal.name, signal.object_id),
            View::Dictionary(dictionary) => {
                dictionary.check_changed().map_err(|mismatch| EncodeErrorKind::TypeMismatch { mismatch })?;
                let count = dictionary.entries().len();
                let types = (dictionary.key_type(), dictionary.value_type());
                self.begin_any_dictionary(count, types, dictionary.is_shared())
            }
            View::Array(array) => {
                array.check_changed().map_err(|mismatch| EncodeErrorKind::TypeMismatch { mismatch })?;
                let (count, element_type) = (array.elements().len(), array.element_type());
                match variant_type {
                    VariantType::Array => self.begin_any_array(count, element_type, array.is_shared()),
                    _ => self.begin_typed_array(variant_type, count, element_type),
                }
            }
            View::PackedBytes(elements) => self.packed_bytes(elements),
            View::PackedInt64s(elements) => self.packed_int64(elements),
            View::PackedIntegers(integers) => match integers {
                PackedIntegers::One(integers) => self.packed_int32(integers),
                PackedIntegers::Two(vectors) => self.packed_integers(vectors.iter().map(|vector| vector.to_array())),
                PackedIntegers::Three(vectors) => self.packed_integers(vectors.iter().map(|vector| vector.to_array())),
                PackedIntegers::Four(vectors) => self.packed_integers(vectors.iter().map(|vector| vector.to_array())),
            },
            View::PackedReals(Reals::Single(elements), 1) => self.packed_float32(elements),
            View::PackedReals(Reals::Double(elements), 1) => self.packed_float64(elements),
            View::PackedReals(reals, _) => self.packed_reals(variant_type, reals),
            View::PackedColors(elements) => self.packed_colors(elements),
            View::PackedTexts(elements) => self.packed_texts(elements),
            View::Image(image) => self.image(image),
            View::InputEvent(event) => self.input_event(event),
        }
    }
}
