//! Building a value from a tree instead of a packet.

use alloc::{borrow::Cow, vec::Vec};

use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::path::Path;
use crate::variant::{
    ContainerType, Image, InputEvent, NodePath, Object, PackedNumbers, Reals, Text, Variant, View, Visit, Walk,
};
use crate::{VariantType, work};

/// Calls `builder` for every value of a tree, in the same order as the reader does for a packet. `limit` is the memory
/// that it may build. Reports no spans. Errors have a path but no offset.
pub(crate) fn replay<'v, B: Builder<'v>>(
    tree: &'v Variant,
    limit: usize,
    builder: &mut B,
) -> Result<B::Value, DecodeError> {
    let mut walk = Walk::new(tree);
    let built = Replay { builder, limit, memory: limit }.build(&mut walk);
    built.map_err(|kind| DecodeError::new(kind, 0).with_path(Path::of_members(walk.0.last_members())))
}

struct Replay<'b, B> {
    builder: &'b mut B,
    limit: usize,
    /// Bytes of memory that are left.
    memory: usize,
}

enum Open<'v, B: Builder<'v>> {
    Array(B::Array),
    /// The dictionary, and the key whose value is being built.
    Dictionary(B::Dictionary, Option<B::Value>),
    /// The object, and the name of the property whose value is being built.
    Object(B::Object, &'v str),
}

impl<'v, B: Builder<'v>> Replay<'_, B> {
    fn build(&mut self, walk: &mut Walk<'v>) -> Result<B::Value, DecodeErrorKind> {
        self.charge(B::COSTS.value)?;
        let mut open = Vec::new();
        for visit in walk {
            work::add(1);
            if let (Visit::Leaf(_) | Visit::Enter(_), Some(Open::Dictionary(_, None))) = (visit, open.last()) {
                self.builder.begin_entry();
            }
            let finished = match visit {
                Visit::Leaf(value) => self.leaf(value.variant_type(), value.view())?,
                Visit::Enter(container) => {
                    open.push(self.begin(container)?);
                    continue;
                }
                Visit::Name(next) => {
                    if let Some(Open::Object(object, name)) = open.last_mut() {
                        self.builder.begin_property(object, next)?;
                        *name = next;
                    }
                    continue;
                }
                Visit::Leave(container) => match (open.pop(), container.variant_type()) {
                    (Some(Open::Array(array)), VariantType::Array) => self.builder.end_array(array)?,
                    (Some(Open::Array(array)), variant_type) => self.builder.end_typed_array(variant_type, array)?,
                    (Some(Open::Dictionary(dictionary, _)), _) => self.builder.end_dictionary(dictionary)?,
                    (Some(Open::Object(object, _)), _) => self.builder.end_object(object)?,
                    (None, _) => break,
                },
            };
            match open.last_mut() {
                None => return Ok(finished),
                Some(Open::Array(array)) => self.builder.push_element(array, finished)?,
                // A tree that was read has no duplicate keys.
                Some(Open::Dictionary(dictionary, pending)) => match pending.take() {
                    None => *pending = Some(finished),
                    Some(key) => self.builder.push_entry(dictionary, key, finished, None)?,
                },
                Some(Open::Object(object, name)) => self.builder.push_property(object, name, finished)?,
            }
        }
        Err(DecodeErrorKind::NeedsTree)
    }

    fn begin(&mut self, container: &'v Variant) -> Result<Open<'v, B>, DecodeErrorKind> {
        let costs = const { B::COSTS };
        Ok(match container.view() {
            View::Array(array) => {
                let count = array.elements().len();
                self.charge_type(array.element_type())?;
                self.charge(count.saturating_mul(costs.value).saturating_add(costs.array))?;
                let element_type = array.element_type().cloned();
                let mut open = match container.variant_type() {
                    VariantType::Array => self.builder.begin_array(count, element_type)?,
                    variant_type => self.builder.begin_typed_array(variant_type, count, element_type)?,
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
                Open::Object(self.builder.begin_object(&data.class, count)?, "")
            }
            _ => return Err(DecodeErrorKind::NeedsTree),
        })
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
        let (cost, name) = const { B::COSTS }.declared_type(container_type);
        self.charge(cost.saturating_add(const { B::COSTS }.text(name)))
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
