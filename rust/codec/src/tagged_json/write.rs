//! Writes values as tagged JSON.

use alloc::string::String;
use alloc::vec::Vec;

use json_event_parser::JsonEvent;

use super::output::Output;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::variant::{ContainerType, Object, Text, View, Visit, Walk};
use crate::{DecodeError, DecodeErrorKind, Decoded, Decoder, Variant, VariantType};

/// Decodes `bytes` directly into tagged JSON, without a tree.
///
/// # Errors
/// The same as [`Decoder::decode`].
pub fn decode(decoder: &Decoder, bytes: &[u8]) -> Result<Decoded<String>, DecodeError> {
    let mut builder = TaggedJsonBuilder::default();
    let Decoded { consumed, used, .. } = decoder.decode_with(bytes, &mut builder)?;
    decoder.refuse_trailing(bytes, consumed)?;
    Ok(Decoded { value: builder.into_string(), consumed, used })
}

/// Returns the tagged JSON of a value.
#[must_use]
pub fn to_string(value: &Variant) -> String {
    let mut text = Output::default();
    // The open containers, with the number of keys and values started in each.
    let mut open: Vec<(VariantType, usize)> = Vec::new();
    for visit in Walk::new(value) {
        if let (Some((container, begun)), Visit::Leaf(_) | Visit::Enter(_)) = (open.last_mut(), visit) {
            if *container == VariantType::Dictionary && *begun % 2 == 0 {
                text.event(JsonEvent::StartArray);
            }
            *begun += 1;
        }
        match visit {
            Visit::Leaf(leaf) => text.leaf(leaf),
            Visit::Name(name) => {
                text.open_property(name);
                continue;
            }
            Visit::Enter(container) => {
                open.push((container.variant_type(), 0));
                open_container(&mut text, container);
                continue;
            }
            Visit::Leave(container) => {
                open.pop();
                match container.view() {
                    View::Dictionary(dictionary) => text.close_list(dictionary.is_shared()),
                    View::Array(array) => text.close_list(array.is_shared()),
                    _ => text.close_object(),
                }
            }
        }
        // A value is complete, and so is the pair if the value is its second half.
        match open.last() {
            Some((VariantType::Dictionary, begun)) if begun % 2 == 0 => text.event(JsonEvent::EndArray),
            Some((VariantType::Object, _)) => text.event(JsonEvent::EndArray),
            _ => {}
        }
    }
    text.into_string()
}

fn open_container(text: &mut Output, container: &Variant) {
    match container.view() {
        View::Array(array) => text.open_array(container.variant_type(), array.element_type()),
        View::Dictionary(dictionary) => text.open_dictionary(dictionary.key_type(), dictionary.value_type()),
        View::Object(Object::Data(data)) => text.open_object(&data.class),
        _ => {}
    }
}

/// A builder that writes tagged JSON while values are read.
#[derive(Default)]
pub struct TaggedJsonBuilder(Output);

impl TaggedJsonBuilder {
    /// The JSON text. Control characters, line separators and direction marks in strings are escaped, see
    /// [`escape::json`](crate::escape::json).
    #[must_use]
    pub fn into_string(self) -> String {
        self.0.into_string()
    }
}

impl<'a> Builder<'a> for TaggedJsonBuilder {
    type Value = ();
    /// Whether the container is "shared".
    type Array = bool;
    type Dictionary = bool;
    type Object = ();
    type Strings = ();

    // Text that is written cannot be removed.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Restarted;

    fn restart(&mut self) {
        *self = Self::default();
    }

    fn leaf(&mut self, leaf: Leaf<'_, 'a>) {
        let variant_type = leaf.variant_type();
        match leaf {
            Leaf::String(text) | Leaf::StringName(text) => self.0.tagged(variant_type, |output| output.string(text)),
            Leaf::OwnedText(_, text) => self.0.tagged(variant_type, |output| output.text(text)),
            Leaf::Reals(_, reals) => self.0.leaf_of(variant_type, View::Reals(reals)),
            Leaf::Integers(_, integers) => self.0.tagged(variant_type, |output| output.integers(integers)),
            Leaf::NodePath { absolute, names, subnames } => self.0.tagged(variant_type, |output| {
                output.node_path(absolute, names, subnames, None, |output, name| output.string(name));
            }),
            Leaf::OwnedNodePath(path) => self.0.leaf_of(variant_type, View::NodePath(path)),
            Leaf::Signal { name, object_id } => {
                self.0.tagged(variant_type, |output| output.signal(name, object_id));
            }
            Leaf::PackedBytes(bytes) => self.0.leaf_of(variant_type, View::PackedBytes(bytes)),
            Leaf::Image(image) => self.0.leaf_of(variant_type, View::Image(image)),
            Leaf::InputEvent(event) => self.0.leaf_of(variant_type, View::InputEvent(event)),
            other => self.0.leaf(&other.into_variant()),
        }
    }

    fn begin_strings(&mut self, _: usize) {
        self.0.open_list(VariantType::PackedStringArray, &[]);
    }

    fn push_string(&mut self, (): &mut (), text: &'a str) {
        self.0.string(text);
    }

    fn push_owned_string(&mut self, (): &mut (), text: &Text) {
        self.0.text(text);
    }

    fn end_strings(&mut self, (): ()) {
        self.0.close_list(false);
    }

    fn begin_array(&mut self, _: usize, element_type: Option<ContainerType>) -> Result<bool, DecodeErrorKind> {
        self.0.open_array(VariantType::Array, element_type.as_ref());
        Ok(false)
    }

    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        _: usize,
        element_type: Option<ContainerType>,
    ) -> Result<bool, DecodeErrorKind> {
        self.0.open_array(variant_type, element_type.as_ref());
        Ok(false)
    }

    fn share_array(&mut self, shared: &mut bool) {
        *shared = true;
    }

    fn push_element(&mut self, _: &mut bool, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, shared: bool) -> Result<(), DecodeErrorKind> {
        self.0.close_list(shared);
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<bool, DecodeErrorKind> {
        self.0.open_dictionary(key_type.as_ref(), value_type.as_ref());
        Ok(false)
    }

    fn share_dictionary(&mut self, shared: &mut bool) {
        *shared = true;
    }

    fn begin_entry(&mut self) {
        self.0.event(JsonEvent::StartArray);
    }

    fn push_entry(&mut self, _: &mut bool, (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        self.0.event(JsonEvent::EndArray);
        Ok(())
    }

    fn end_dictionary(&mut self, shared: bool) -> Result<(), DecodeErrorKind> {
        self.0.close_list(shared);
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<(), DecodeErrorKind> {
        self.0.open_object(class);
        Ok(())
    }

    fn begin_property(&mut self, (): &mut (), name: &'a str) -> Result<(), DecodeErrorKind> {
        self.0.open_property(name);
        Ok(())
    }

    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        self.0.event(JsonEvent::EndArray);
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.0.close_object();
        Ok(())
    }
}
