//! Building a value from a tree instead of a packet.

use alloc::{borrow::Cow, vec::Vec};

use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::path::Step;
use crate::variant::{ContainerType, Image, InputEvent, NodePath, Object, PackedNumbers, Reals, Text, Variant, View};
use crate::{VariantType, work};

/// Calls a builder for every value of a tree, in the same order as the reader does for a packet. Reports no spans.
pub(crate) struct Replay<'v, 'b, B: Builder<'v>> {
    builder: &'b mut B,
    levels: Vec<Level<'v, B>>,
    limit: usize,
    /// Bytes of memory that are left.
    memory: usize,
}

/// A container whose members are being built.
struct Level<'v, B: Builder<'v>> {
    container: &'v Variant,
    open: Open<'v, B>,
    /// The member being built. Keys and values of a dictionary count separately.
    index: usize,
}

enum Open<'v, B: Builder<'v>> {
    Array(B::Array),
    /// The dictionary, and the key whose value is being built.
    Dictionary(B::Dictionary, Option<B::Value>),
    Object(B::Object),
}

impl<'v, B: Builder<'v>> Level<'v, B> {
    /// Returns the next member to build. Tells the builder if it starts an entry or a property.
    fn next_member(&mut self, builder: &mut B) -> Result<Option<&'v Variant>, DecodeErrorKind> {
        Ok(match (self.container.view(), &mut self.open) {
            (View::Array(array), _) => array.elements().get(self.index),
            (View::Dictionary(dictionary), _) => {
                let entry = dictionary.entries().get(self.index / 2);
                let is_key = self.index.is_multiple_of(2);
                if is_key && entry.is_some() {
                    builder.begin_entry();
                }
                entry.map(|(key, value)| if is_key { key } else { value })
            }
            (View::Object(Object::Data(data)), Open::Object(object)) => match data.properties.get(self.index) {
                Some((name, value)) => {
                    builder.begin_property(object, name)?;
                    Some(value)
                }
                None => None,
            },
            _ => None,
        })
    }

    fn add(&mut self, builder: &mut B, value: B::Value) -> Result<(), DecodeErrorKind> {
        match &mut self.open {
            Open::Array(array) => builder.push_element(array, value)?,
            Open::Dictionary(dictionary, pending) => match pending.take() {
                None => *pending = Some(value),
                // A tree that was read has no duplicate keys.
                Some(key) => builder.push_entry(dictionary, key, value, None)?,
            },
            Open::Object(object) => {
                let name = match self.container.view() {
                    View::Object(Object::Data(data)) => data.properties.get(self.index),
                    _ => None,
                };
                builder.push_property(object, name.map_or("", |(name, _)| name), value)?;
            }
        }
        self.index += 1;
        Ok(())
    }

    fn end(self, builder: &mut B) -> Result<B::Value, DecodeErrorKind> {
        match self.open {
            Open::Array(array) => match self.container.variant_type() {
                VariantType::Array => builder.end_array(array),
                variant_type => builder.end_typed_array(variant_type, array),
            },
            Open::Dictionary(dictionary, _) => builder.end_dictionary(dictionary),
            Open::Object(object) => builder.end_object(object),
        }
    }
}

impl<'v, 'b, B: Builder<'v>> Replay<'v, 'b, B> {
    /// `memory` is the limit on what is built.
    pub(crate) fn new(builder: &'b mut B, memory: usize) -> Self {
        Self { builder, levels: Vec::new(), limit: memory, memory }
    }

    /// Builds the value of a tree. Errors have a path but no offset.
    pub(crate) fn run(mut self, tree: &'v Variant) -> Result<B::Value, DecodeError> {
        self.build(tree).map_err(|kind| {
            let steps = self.levels.iter().map(|level| Step::to_member(level.container, level.index));
            DecodeError::new(kind, 0).with_path(steps.collect())
        })
    }

    fn build(&mut self, tree: &'v Variant) -> Result<B::Value, DecodeErrorKind> {
        self.charge(B::COSTS.value)?;
        let mut finished = self.begin(tree)?;
        loop {
            // A finished value may complete its container, which may complete the next one.
            if let Some(value) = finished.take() {
                let Some(level) = self.levels.last_mut() else { return Ok(value) };
                level.add(self.builder, value)?;
            }
            let Some(level) = self.levels.last_mut() else { return Err(DecodeErrorKind::NeedsTree) };
            finished = match level.next_member(self.builder)? {
                Some(member) => self.begin(member)?,
                None => match self.levels.pop() {
                    Some(level) => Some(level.end(self.builder)?),
                    None => None,
                },
            };
        }
    }

    /// Builds a value that holds no others, or opens a container and returns `None`.
    fn begin(&mut self, value: &'v Variant) -> Result<Option<B::Value>, DecodeErrorKind> {
        work::add(1);
        let variant_type = value.variant_type();
        let costs = const { B::COSTS };
        let open = match value.view() {
            View::Array(array) => {
                let count = array.elements().len();
                self.charge_type(array.element_type())?;
                self.charge(count.saturating_mul(costs.value).saturating_add(costs.array))?;
                let element_type = array.element_type().cloned();
                let mut open = match variant_type {
                    VariantType::Array => self.builder.begin_array(count, element_type)?,
                    _ => self.builder.begin_typed_array(variant_type, count, element_type)?,
                };
                if array.is_shared() {
                    self.builder.share_array(&mut open);
                }
                Open::Array(open)
            }
            View::Dictionary(dictionary) => {
                let count = dictionary.entries().len();
                let (key_type, value_type) = (dictionary.key_type(), dictionary.value_type());
                self.charge_type(key_type)?;
                self.charge_type(value_type)?;
                self.charge(count.saturating_mul(costs.entry).saturating_add(costs.dictionary))?;
                let mut open = self.builder.begin_dictionary(count, key_type.cloned(), value_type.cloned())?;
                if dictionary.is_shared() {
                    self.builder.share_dictionary(&mut open);
                }
                Open::Dictionary(open, None)
            }
            View::Object(Object::Data(data)) => {
                let count = data.properties.len();
                let names = data.properties.iter().map(|(name, _)| costs.text(name.len()));
                self.charge(names.fold(costs.text(data.class.len()), usize::saturating_add))?;
                self.charge(count.saturating_mul(costs.property).saturating_add(costs.object))?;
                Open::Object(self.builder.begin_object(&data.class, count)?)
            }
            view => return self.leaf(variant_type, view).map(Some),
        };
        self.levels.push(Level { container: value, open, index: 0 });
        Ok(None)
    }

    fn leaf(&mut self, variant_type: VariantType, view: View<'v>) -> Result<B::Value, DecodeErrorKind> {
        let costs = const { B::COSTS };
        Ok(match view {
            View::Bool(value) => self.builder.bool(value),
            View::Int(value) => self.builder.int(value),
            View::Float(value) => self.builder.float(value),
            View::Text(text) => self.text(variant_type, text)?,
            View::NodePath(path) => self.node_path(path)?,
            View::Rid(id) => self.builder.rid(id),
            View::Object(Object::Id(id)) => {
                self.charge(costs.object_id)?;
                self.builder.object_id(*id)
            }
            View::Object(_) => self.builder.null_object(),
            View::Signal(signal) => {
                self.charge(costs.text(signal.name.len()).saturating_add(costs.signal))?;
                self.builder.signal(&signal.name, signal.object_id)
            }
            View::Reals(reals) => {
                self.charge(costs.reals(reals.len(), matches!(reals, Reals::Double(_))))?;
                self.builder.reals(variant_type, reals)
            }
            View::Integers(integers) => self.builder.integers(variant_type, integers.as_slice()),
            View::Color(color) => self.builder.color(color.to_array()),
            View::PackedBytes(bytes) => {
                self.charge_packed(bytes.len())?;
                self.builder.packed_bytes(bytes)
            }
            View::PackedTexts(texts) => self.strings(texts)?,
            View::Image(image) => {
                self.charge(image.data.len().saturating_add(size_of::<Image>()))?;
                self.builder.image(image)
            }
            View::InputEvent(event) => {
                self.charge(size_of::<InputEvent>())?;
                self.builder.input_event(event)
            }
            View::Nothing if variant_type == VariantType::Callable => {
                self.charge(costs.callable)?;
                self.builder.callable()
            }
            packed => match packed_bytes(packed) {
                Some((bytes, wide)) => {
                    self.charge_packed(bytes.len())?;
                    let bytes = Cow::Owned(bytes);
                    self.builder.packed_numbers(PackedNumbers { variant_type, wide, bytes, narrow: false })
                }
                None => self.builder.nil(),
            },
        })
    }

    fn text(&mut self, variant_type: VariantType, text: &'v Text) -> Result<B::Value, DecodeErrorKind> {
        let is_name = variant_type == VariantType::StringName;
        let costs = const { B::COSTS };
        self.charge(if is_name { costs.string_name } else { costs.string })?;
        self.charge_text(text)?;
        Ok(match text.is_unicode() {
            false => self.builder.owned_text(variant_type, text),
            true if is_name => self.builder.string_name(text.as_str()),
            true => self.builder.string(text.as_str()),
        })
    }

    fn node_path(&mut self, path: &'v NodePath) -> Result<B::Value, DecodeErrorKind> {
        let parts = path.names.iter().chain(&path.subnames).chain(&path.property);
        let costs = const { B::COSTS };
        self.charge(parts.clone().count().saturating_mul(costs.name).saturating_add(costs.node_path))?;
        parts.clone().try_for_each(|part| self.charge_text(part))?;
        if path.property.is_some() || !parts.clone().all(Text::is_unicode) {
            return Ok(self.builder.owned_node_path(path));
        }
        let strings = |texts: &'v [Text]| -> Vec<&'v str> { texts.iter().map(Text::as_str).collect() };
        Ok(self.builder.node_path(path.absolute, &strings(&path.names), &strings(&path.subnames)))
    }

    fn strings(&mut self, texts: &'v [Text]) -> Result<B::Value, DecodeErrorKind> {
        self.charge_packed(0)?;
        self.charge(texts.len().saturating_mul(const { B::COSTS.packed_string }))?;
        let mut strings = self.builder.begin_strings(texts.len());
        for text in texts {
            self.charge_text(text)?;
            match text.is_unicode() {
                true => self.builder.push_string(&mut strings, text.as_str()),
                false => self.builder.push_owned_string(&mut strings, text),
            }
        }
        Ok(self.builder.end_strings(strings))
    }

    fn charge_text(&mut self, text: &Text) -> Result<(), DecodeErrorKind> {
        self.charge(const { B::COSTS }.text(text.as_bytes().len()))
    }

    fn charge_packed(&mut self, bytes: usize) -> Result<(), DecodeErrorKind> {
        let costs = const { B::COSTS };
        self.charge(bytes.saturating_mul(costs.packed_byte).saturating_add(costs.packed_array))
    }

    fn charge_type(&mut self, container_type: Option<&ContainerType>) -> Result<(), DecodeErrorKind> {
        let costs = const { B::COSTS };
        self.charge(match container_type {
            None => 0,
            Some(ContainerType::Builtin(_) | ContainerType::Unknown(_)) => costs.container_type,
            Some(ContainerType::Class(name) | ContainerType::Script(name)) => {
                costs.container_type.saturating_add(name.len()).saturating_add(costs.text(name.len()))
            }
        })
    }

    fn charge(&mut self, memory: usize) -> Result<(), DecodeErrorKind> {
        let left = self.memory.checked_sub(memory);
        self.memory = left.ok_or(DecodeErrorKind::MemoryLimit { limit: self.limit })?;
        Ok(())
    }
}

/// Returns the elements of a packed array of numbers as bytes of a packet, and whether its components have 8 bytes if
/// the type alone does not determine that. `None` for other values.
fn packed_bytes(view: View<'_>) -> Option<(Vec<u8>, bool)> {
    let reals = |reals: Reals<'_>| match reals {
        Reals::Single(reals) => reals.iter().flat_map(|real| real.to_le_bytes()).collect(),
        Reals::Double(reals) => reals.iter().flat_map(|real| real.to_le_bytes()).collect(),
    };
    Some(match view {
        View::PackedInt64s(elements) => (elements.iter().flat_map(|element| element.to_le_bytes()).collect(), false),
        View::PackedIntegers(elements) => {
            let mut bytes = Vec::new();
            elements.for_each(|element| bytes.extend(element.iter().flat_map(|integer| integer.to_le_bytes())));
            (bytes, false)
        }
        View::PackedReals(elements, components) => {
            (reals(elements), components > 1 && matches!(elements, Reals::Double(_)))
        }
        View::PackedColors(colors) => {
            (colors.iter().flat_map(|color| color.to_array()).flat_map(f32::to_le_bytes).collect(), false)
        }
        _ => return None,
    })
}
