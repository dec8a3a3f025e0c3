//! Writes values as tagged JSON.

use alloc::string::String;
use alloc::vec::Vec;

use json_event_parser::{JsonEvent, LowLevelJsonSerializer};

use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::build::replay::replay;
use crate::variant::{ContainerType, Reals, Text};
use crate::{DecodeError, DecodeErrorKind, Decoded, Decoder, Variant, VariantType};

/// Decodes `bytes` directly into tagged JSON, without a tree.
///
/// ```
/// use varbytes::{Decoder, tagged_json};
///
/// let decoded = tagged_json::decode(&Decoder::new(), &[2, 0, 0, 0, 7, 0, 0, 0])?;
/// assert_eq!(decoded.value, r#"{"type":"int","value":"7"}"#);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
///
/// # Errors
/// The same as [`Decoder::decode`].
pub fn decode(decoder: &Decoder, bytes: &[u8]) -> Result<Decoded<String>, DecodeError> {
    let mut builder = TaggedJsonBuilder::default();
    let decoded = decoder.decode_with(bytes, &mut builder)?;
    let Decoded { consumed, used, .. } = decoder.refuse_trailing(bytes, decoded)?;
    Ok(Decoded { value: builder.into_string(), consumed, used })
}

/// Returns the tagged JSON of a value.
///
/// ```
/// assert_eq!(varbytes::tagged_json::to_string(&7.into()), r#"{"type":"int","value":"7"}"#);
/// ```
#[must_use]
pub fn to_string(value: &Variant) -> String {
    let mut builder = TaggedJsonBuilder::default();
    // The builder refuses nothing, and its memory is not limited.
    let written = replay(value, usize::MAX, &mut builder);
    debug_assert!(written.is_ok(), "{written:?}");
    builder.into_string()
}

/// A builder that writes tagged JSON while values are read.
///
/// ```
/// use varbytes::Decoder;
/// use varbytes::tagged_json::TaggedJsonBuilder;
///
/// let mut builder = TaggedJsonBuilder::default();
/// Decoder::new().decode_with(&[2, 0, 0, 0, 7, 0, 0, 0], &mut builder)?;
/// assert_eq!(builder.into_string(), r#"{"type":"int","value":"7"}"#);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
#[derive(Default)]
pub struct TaggedJsonBuilder {
    pub(super) serializer: LowLevelJsonSerializer,
    pub(super) text: Vec<u8>,
    /// The digits of the number being written.
    pub(super) digits: String,
}

impl TaggedJsonBuilder {
    /// The JSON text. Control characters, line separators and direction marks in strings are escaped, see
    /// [`escape::json`](crate::escape::json).
    ///
    /// [`TaggedJsonBuilder`] has an example.
    #[must_use]
    pub fn into_string(self) -> String {
        crate::escape::json(String::from_utf8(self.text).unwrap_or_default())
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
        self.begin(leaf.variant_type().name(), &[]);
        match leaf {
            Leaf::Nil | Leaf::Callable | Leaf::NullObject => self.event(JsonEvent::Null),
            Leaf::Bool(value) => self.event(JsonEvent::Boolean(value)),
            Leaf::Int(value) => self.decimal(value),
            Leaf::Float(value) => self.double(value),
            Leaf::String(text) | Leaf::StringName(text) => self.string(text),
            Leaf::OwnedText(_, text) => self.text(text),
            Leaf::Reals(_, reals) => self.components(reals),
            Leaf::Integers(_, integers) => self.list(integers, |json, integer| json.number(*integer)),
            Leaf::Color(components) => self.components(Reals::Single(&components)),
            Leaf::NodePath { absolute, names, subnames } => {
                self.node_path(absolute, [names, subnames], None, |json, name| json.string(name));
            }
            Leaf::OwnedNodePath(path) => {
                self.node_path(path.absolute, [&path.names, &path.subnames], path.property.as_ref(), Self::text);
            }
            Leaf::RID(id) => self.decimal(id),
            // Ids are signed in scripts, for example in `get_instance_id()`.
            Leaf::ObjectId(id) => self.object(|json| json.key("id").decimal(id.cast_signed())),
            Leaf::Signal { name, object_id } => self.object(|json| {
                json.key("name").string(name);
                json.key("object_id").decimal(object_id.cast_signed());
            }),
            Leaf::PackedBytes(bytes) => self.bytes(bytes),
            Leaf::PackedNumbers(numbers) => self.packed(&numbers),
            Leaf::Image(image) => self.image(image),
            Leaf::InputEvent(event) => self.input_event(event),
        }
        self.event(JsonEvent::EndObject);
    }

    fn begin_strings(&mut self, _: usize) {
        self.begin(VariantType::PackedStringArray.name(), &[]);
        self.event(JsonEvent::StartArray);
    }

    fn push_string(&mut self, (): &mut (), text: &'a str) {
        self.string(text);
    }

    fn push_owned_string(&mut self, (): &mut (), text: &Text) {
        self.text(text);
    }

    fn end_strings(&mut self, (): ()) {
        self.end_list(false);
    }

    fn begin_array(&mut self, count: usize, element_type: Option<ContainerType>) -> Result<bool, DecodeErrorKind> {
        self.begin_typed_array(VariantType::Array, count, element_type)
    }

    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        _: usize,
        element_type: Option<ContainerType>,
    ) -> Result<bool, DecodeErrorKind> {
        self.begin(variant_type.name(), &[("element_type", element_type)]);
        self.event(JsonEvent::StartArray);
        Ok(false)
    }

    fn share_array(&mut self, shared: &mut bool) {
        *shared = true;
    }

    fn push_element(&mut self, _: &mut bool, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, shared: bool) -> Result<(), DecodeErrorKind> {
        self.end_list(shared);
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<bool, DecodeErrorKind> {
        self.begin(VariantType::Dictionary.name(), &[("key_type", key_type), ("value_type", value_type)]);
        self.event(JsonEvent::StartArray);
        Ok(false)
    }

    fn share_dictionary(&mut self, shared: &mut bool) {
        *shared = true;
    }

    fn begin_entry(&mut self) {
        self.event(JsonEvent::StartArray);
    }

    fn push_entry(&mut self, _: &mut bool, (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        self.event(JsonEvent::EndArray);
        Ok(())
    }

    fn end_dictionary(&mut self, shared: bool) -> Result<(), DecodeErrorKind> {
        self.end_list(shared);
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<(), DecodeErrorKind> {
        self.begin(VariantType::Object.name(), &[]);
        self.event(JsonEvent::StartObject);
        self.key("class").string(class);
        self.key("properties").event(JsonEvent::StartArray);
        Ok(())
    }

    fn begin_property(&mut self, (): &mut (), name: &'a str) -> Result<(), DecodeErrorKind> {
        self.event(JsonEvent::StartArray);
        self.string(name);
        Ok(())
    }

    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        self.event(JsonEvent::EndArray);
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.end_list(false);
        self.event(JsonEvent::EndObject);
        Ok(())
    }
}
