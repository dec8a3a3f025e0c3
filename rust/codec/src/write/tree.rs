//! Writing a tree.

use alloc::{borrow::ToOwned, vec::Vec};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::path::{Path, Step};
use crate::variant::{InlineWalk, Object, PackedIntegers, Reals, View, Visit, Walk};
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
        self.member(value, 0, &mut counted).map_err(EncodeError::reverse_path)?;
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
                    let within = |error: EncodeError| error.within(Step::to_entry(2 * index + 1, Some(key)));
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
        let mut levels = [const { None }; MAX_DEPTH];
        let mut walk = InlineWalk::new(value, &mut levels[..]);
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
                let count = dictionary.entries().len();
                let types = (dictionary.key_type(), dictionary.value_type());
                self.begin_any_dictionary(count, types, dictionary.is_shared())
            }
            View::Array(array) if variant_type == VariantType::Array => {
                self.begin_any_array(array.elements().len(), array.element_type(), array.is_shared())
            }
            View::Array(array) => self.begin_typed_array(variant_type, array.elements().len(), array.element_type()),
            View::PackedBytes(elements) => self.packed_bytes(elements),
            View::PackedInt64s(elements) => self.packed_int64(elements),
            View::PackedIntegers(PackedIntegers::One(elements)) => self.packed_int32(elements),
            View::PackedIntegers(PackedIntegers::Two(elements)) => {
                self.packed_integers(elements.iter().map(|vector| vector.to_array()))
            }
            View::PackedIntegers(PackedIntegers::Three(elements)) => {
                self.packed_integers(elements.iter().map(|vector| vector.to_array()))
            }
            View::PackedIntegers(PackedIntegers::Four(elements)) => {
                self.packed_integers(elements.iter().map(|vector| vector.to_array()))
            }
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

/// The steps to what a walk over `value` visits as its `number`th, counted from 1.
#[cold]
pub(crate) fn path_of_visit(value: &Variant, number: usize) -> Path {
    // The containers entered so far, and how many names or else members were visited in each.
    let mut open: Vec<(&Variant, usize)> = Vec::new();
    for visit in Walk::new(value).take(number) {
        work::add(1);
        if let Some((container, visited)) = open.last_mut() {
            let is_named = matches!(container, Variant::Object(_));
            *visited += match visit {
                Visit::Name(_) => 1,
                Visit::Leaf(_) | Visit::Enter(_) => usize::from(!is_named),
                Visit::Leave(_) => 0,
            };
        }
        match visit {
            Visit::Enter(container) => open.push((container, 0)),
            Visit::Leave(_) => drop(open.pop()),
            Visit::Name(_) | Visit::Leaf(_) => {}
        }
    }
    let entered = open.into_iter().filter(|(_, visited)| *visited > 0);
    entered.map(|(container, visited)| Step::to_member(container, visited - 1)).collect()
}
