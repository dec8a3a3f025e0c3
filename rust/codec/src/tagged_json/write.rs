//! Values to text.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{Display, Write as _};

use json_event_parser::{JsonEvent, LowLevelJsonSerializer};

use crate::build::builder::Builder;
use crate::build::builder::DuplicateKeys;
use crate::variant::PackedNumbers;
use crate::variant::{
    Array, ContainerType, Image, InputEvent, InputEventKind, NodePath, Object, PackedReals, Reals, Text, Visit, Walk,
};
use crate::{DecodeError, DecodeErrorKind, Decoded, Decoder, Variant, VariantType, work};

/// Decodes `bytes` into tagged JSON, without a tree in between.
///
/// # Errors
/// As [`Decoder::decode`].
pub fn decode(decoder: &Decoder, bytes: &[u8]) -> Result<Decoded<String>, DecodeError> {
    let mut builder = TaggedJsonBuilder::default();
    let Decoded { consumed, used, .. } = decoder.decode_with(bytes, &mut builder)?;
    Ok(Decoded { value: builder.into_string(), consumed, used })
}

/// The tagged JSON of a value.
#[must_use]
pub fn to_string(value: &Variant) -> String {
    let mut text = TaggedJsonBuilder::default();
    // The open containers, and how many keys and values of each were begun.
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
                text.open_container(container);
                continue;
            }
            Visit::Leave(container) => {
                open.pop();
                text.close_container(container.variant_type(), is_shared(container));
            }
        }
        // A value is complete, and with it perhaps the pair it is the second half of.
        match open.last() {
            Some((VariantType::Dictionary, begun)) if begun % 2 == 0 => text.event(JsonEvent::EndArray),
            Some((VariantType::Object, _)) => text.event(JsonEvent::EndArray),
            _ => {}
        }
    }
    text.into_string()
}

fn is_shared(container: &Variant) -> bool {
    match container {
        Variant::Dictionary(dictionary) => dictionary.is_shared(),
        other => other.as_array().is_some_and(Array::is_shared),
    }
}

/// Builds tagged JSON as values are read.
#[derive(Default)]
pub struct TaggedJsonBuilder {
    serializer: LowLevelJsonSerializer,
    output: Vec<u8>,
    digits: String,
}

impl TaggedJsonBuilder {
    /// The text of the value that was read. Control characters, line separators and marks of direction in strings
    /// are escaped, as [`escape::json`](crate::escape::json) does.
    #[must_use]
    pub fn into_string(self) -> String {
        crate::escape::json(String::from_utf8(self.output).unwrap_or_default())
    }

    fn event(&mut self, event: JsonEvent<'_>) {
        // Writing to memory does not fail, and the reader calls in the order that nesting demands.
        let before = self.output.len();
        let written = self.serializer.serialize_event(event, &mut self.output);
        work::add_bytes(self.output.len() - before);
        debug_assert!(written.is_ok(), "{written:?}");
    }

    fn key(&mut self, key: &str) {
        self.event(JsonEvent::ObjectKey(key.into()));
    }

    fn text(&mut self, text: &str) {
        self.event(JsonEvent::String(text.into()));
    }

    fn texts(&mut self, texts: &[impl AsRef<str>]) {
        self.list(texts, |output, text| output.text(text.as_ref()));
    }

    /// What `print` prints, as a JSON string.
    fn printed(&mut self, print: impl FnOnce(&mut String) -> core::fmt::Result) {
        let mut digits = core::mem::take(&mut self.digits);
        digits.clear();
        // Printing to a String does not fail.
        let _ = print(&mut digits);
        self.text(&digits);
        self.digits = digits;
    }

    fn decimal(&mut self, number: impl Display) {
        self.printed(|digits| write!(digits, "{number}"));
    }

    fn number(&mut self, number: impl Display) {
        let mut digits = core::mem::take(&mut self.digits);
        digits.clear();
        let _ = write!(digits, "{number}");
        self.event(JsonEvent::Number(digits.as_str().into()));
        self.digits = digits;
    }

    fn single(&mut self, real: f32) {
        self.printed(|digits| write!(digits, "{:08x}", real.to_bits()));
    }

    fn double(&mut self, real: f64) {
        self.printed(|digits| write!(digits, "{:016x}", real.to_bits()));
    }

    fn hex(&mut self, bytes: &[u8]) {
        self.printed(|digits| bytes.iter().try_for_each(|byte| write!(digits, "{byte:02x}")));
    }

    fn list<T>(&mut self, members: &[T], write: impl Fn(&mut Self, &T)) {
        self.event(JsonEvent::StartArray);
        members.iter().for_each(|member| write(self, member));
        self.event(JsonEvent::EndArray);
    }

    fn components(&mut self, reals: Reals<'_>) {
        match reals {
            Reals::Single(components) => self.list(components, |output, real| output.single(*real)),
            Reals::Double(components) => self.list(components, |output, real| output.double(*real)),
        }
    }

    fn packed_vectors<const N: usize>(&mut self, elements: &PackedReals<N>) {
        match elements {
            PackedReals::Single(vectors) => {
                self.list(vectors, |output, vector| output.components(Reals::Single(vector)));
            }
            PackedReals::Double(vectors) => {
                self.list(vectors, |output, vector| output.components(Reals::Double(vector)));
            }
        }
    }

    /// A value whose JSON form `write` adds.
    fn tagged(&mut self, variant_type: VariantType, write: impl FnOnce(&mut Self)) {
        self.open(variant_type);
        self.key("value");
        write(self);
        self.event(JsonEvent::EndObject);
    }

    fn open(&mut self, variant_type: VariantType) {
        self.event(JsonEvent::StartObject);
        self.key("type");
        self.text(variant_type.name());
    }

    fn container_type(&mut self, key: &str, container_type: Option<&ContainerType>) {
        let (kind, name) = match container_type {
            None => return,
            Some(ContainerType::Builtin(builtin)) => ("builtin", builtin.name()),
            Some(ContainerType::Class(class)) => ("class", class.as_str()),
            Some(ContainerType::Script(path)) => ("script", path.as_str()),
            Some(ContainerType::Unknown(number)) => ("unknown", &*format!("{number}")),
        };
        self.key(key);
        self.event(JsonEvent::StartObject);
        self.key(kind);
        self.text(name);
        self.event(JsonEvent::EndObject);
    }

    fn open_array(&mut self, variant_type: VariantType, element_type: Option<&ContainerType>) {
        self.open(variant_type);
        self.container_type("element_type", element_type);
        self.key("value");
        self.event(JsonEvent::StartArray);
    }

    fn open_dictionary(&mut self, key_type: Option<&ContainerType>, value_type: Option<&ContainerType>) {
        self.open(VariantType::Dictionary);
        self.container_type("key_type", key_type);
        self.container_type("value_type", value_type);
        self.key("value");
        self.event(JsonEvent::StartArray);
    }

    fn open_object(&mut self, class: &str) {
        self.open(VariantType::Object);
        self.key("value");
        self.event(JsonEvent::StartObject);
        self.key("class");
        self.text(class);
        self.key("properties");
        self.event(JsonEvent::StartArray);
    }

    fn open_property(&mut self, name: &str) {
        self.event(JsonEvent::StartArray);
        self.text(name);
    }

    fn open_container(&mut self, container: &Variant) {
        match container {
            Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                self.open_array(container.variant_type(), array.element_type());
            }
            Variant::Dictionary(dictionary) => self.open_dictionary(dictionary.key_type(), dictionary.value_type()),
            Variant::Object(Object::Data(data)) => self.open_object(&data.class),
            _ => {}
        }
    }

    fn close_container(&mut self, variant_type: VariantType, shared: bool) {
        self.event(JsonEvent::EndArray);
        if variant_type == VariantType::Object {
            self.event(JsonEvent::EndObject);
        }
        if shared {
            self.key("shared");
            self.event(JsonEvent::Boolean(true));
        }
        self.event(JsonEvent::EndObject);
    }

    /// A value that holds no others.
    fn leaf(&mut self, leaf: &Variant) {
        self.tagged(leaf.variant_type(), |output| {
            if let Some(reals) = leaf.as_reals() {
                return output.components(reals);
            }
            match leaf {
                Variant::Bool(value) => output.event(JsonEvent::Boolean(*value)),
                Variant::Int(value) => output.decimal(value),
                Variant::Float(value) => output.double(*value),
                Variant::String(text) => output.any_text(text),
                Variant::StringName(text) => output.any_text(text),
                Variant::Vector2i(value) => output.integers_of(&value.to_array()),
                Variant::Rect2i(value) => output.integers_of(&value.to_array()),
                Variant::Vector3i(value) => output.integers_of(&value.to_array()),
                Variant::Vector4i(value) => output.integers_of(&value.to_array()),
                Variant::Color(color) => output.components(Reals::Single(&color.to_array())),
                Variant::NodePath(path) => output.whole_node_path(path),
                Variant::RID(id) => output.decimal(id),
                Variant::Object(Object::Id(id)) => output.object_id_of(*id),
                Variant::Signal(signal) => output.signal_of(&signal.name, signal.object_id),
                Variant::PackedByteArray(bytes) => output.hex(bytes),
                Variant::PackedInt32Array(elements) => output.integers_of(elements),
                Variant::PackedInt64Array(elements) => output.list(elements, |output, element| output.decimal(element)),
                Variant::PackedFloat32Array(elements) => output.components(Reals::Single(elements)),
                Variant::PackedFloat64Array(elements) => output.components(Reals::Double(elements)),
                Variant::PackedStringArray(elements) => output.list(elements, Self::any_text),
                Variant::PackedVector2Array(elements) => output.packed_vectors(elements),
                Variant::PackedVector3Array(elements) => output.packed_vectors(elements),
                Variant::PackedVector4Array(elements) => output.packed_vectors(elements),
                Variant::PackedColorArray(elements) => {
                    output.list(elements, |output, color| output.components(Reals::Single(&color.to_array())));
                }
                Variant::Image(image) => output.image_of(image),
                Variant::InputEvent(event) => output.event_of(event),
                Variant::PackedVector2iArray(elements) => {
                    output.list(elements, |output, v| output.integers_of(&v.to_array()));
                }
                Variant::PackedVector3iArray(elements) => {
                    output.list(elements, |output, v| output.integers_of(&v.to_array()));
                }
                Variant::PackedVector4iArray(elements) => {
                    output.list(elements, |output, v| output.integers_of(&v.to_array()));
                }
                _ => output.event(JsonEvent::Null),
            }
        });
    }

    fn integers_of(&mut self, integers: &[i32]) {
        self.list(integers, |output, integer| output.number(*integer));
    }

    fn node_path_of(&mut self, absolute: bool, names: &[impl AsRef<str>], subnames: &[impl AsRef<str>]) {
        self.event(JsonEvent::StartObject);
        self.key("absolute");
        self.event(JsonEvent::Boolean(absolute));
        self.key("names");
        self.texts(names);
        self.key("subnames");
        self.texts(subnames);
        self.event(JsonEvent::EndObject);
    }

    fn whole_node_path(&mut self, path: &NodePath) {
        self.event(JsonEvent::StartObject);
        self.key("absolute");
        self.event(JsonEvent::Boolean(path.absolute));
        self.key("names");
        self.list(&path.names, Self::any_text);
        self.key("subnames");
        self.list(&path.subnames, Self::any_text);
        if let Some(property) = &path.property {
            self.key("property");
            self.any_text(property);
        }
        self.event(JsonEvent::EndObject);
    }

    /// Text, as its units where it is not Unicode.
    fn any_text(&mut self, text: &Text) {
        let Some(units) = text.units() else { return self.text(text) };
        self.event(JsonEvent::StartObject);
        self.key("code_units");
        self.list(units, |output, unit| output.number(*unit));
        self.event(JsonEvent::EndObject);
    }

    fn image_of(&mut self, image: &Image) {
        self.event(JsonEvent::StartObject);
        let numbers =
            [("format", image.format), ("mipmaps", image.mipmaps), ("width", image.width), ("height", image.height)];
        numbers.iter().for_each(|(name, number)| self.named_number(name, *number));
        self.key("data");
        self.hex(&image.data);
        self.event(JsonEvent::EndObject);
    }

    fn event_of(&mut self, event: &InputEvent) {
        self.event(JsonEvent::StartObject);
        self.key("event");
        self.text(event.kind.name());
        self.named_number("device", event.device);
        match event.kind {
            InputEventKind::Key { modifiers, scancode } => {
                let held = [
                    ("shift", modifiers.shift),
                    ("alt", modifiers.alt),
                    ("meta", modifiers.meta),
                    ("control", modifiers.control),
                ];
                self.key("modifiers");
                self.event(JsonEvent::StartArray);
                held.iter().filter(|(_, held)| *held).for_each(|(name, _)| self.text(name));
                self.event(JsonEvent::EndArray);
                self.named_number("scancode", scancode);
            }
            InputEventKind::MouseButton { button_index } | InputEventKind::JoyButton { button_index } => {
                self.named_number("button_index", button_index);
            }
            InputEventKind::JoyMotion { axis, value } => {
                self.named_number("axis", axis);
                self.key("value");
                self.single(value);
            }
            InputEventKind::ScreenTouch { index } => self.named_number("index", index),
            InputEventKind::Other(number) => self.named_number("kind", number),
            _ => {}
        }
        self.event(JsonEvent::EndObject);
    }

    fn named_number(&mut self, name: &str, number: u32) {
        self.key(name);
        self.number(number);
    }

    // Ids are signed where a script sees them, in `get_instance_id()` above all.
    fn object_id_of(&mut self, id: u64) {
        self.event(JsonEvent::StartObject);
        self.key("id");
        self.decimal(id.cast_signed());
        self.event(JsonEvent::EndObject);
    }

    fn signal_of(&mut self, name: &str, object_id: u64) {
        self.event(JsonEvent::StartObject);
        self.key("name");
        self.text(name);
        self.key("object_id");
        self.decimal(object_id.cast_signed());
        self.event(JsonEvent::EndObject);
    }
}

impl<'a> Builder<'a> for TaggedJsonBuilder {
    type Value = ();
    /// Whether it is "shared".
    type Array = bool;
    type Dictionary = bool;
    type Object = ();
    type Strings = ();

    // What has been written cannot be taken back.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Restarted;

    fn restart(&mut self) {
        *self = Self::default();
    }

    fn nil(&mut self) {
        self.leaf(&Variant::Nil);
    }

    fn bool(&mut self, value: bool) {
        self.leaf(&Variant::Bool(value));
    }

    fn int(&mut self, value: i64) {
        self.leaf(&Variant::Int(value));
    }

    fn float(&mut self, value: f64) {
        self.leaf(&Variant::Float(value));
    }

    fn string(&mut self, text: &'a str) {
        self.tagged(VariantType::String, |output| output.text(text));
    }

    fn string_name(&mut self, text: &'a str) {
        self.tagged(VariantType::StringName, |output| output.text(text));
    }

    fn made_string(&mut self, variant_type: VariantType, text: &Text) {
        self.tagged(variant_type, |output| output.any_text(text));
    }

    fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) {
        self.tagged(variant_type, |output| output.components(reals));
    }

    fn integers(&mut self, variant_type: VariantType, integers: &[i32]) {
        self.tagged(variant_type, |output| output.integers_of(integers));
    }

    fn color(&mut self, components: [f32; 4]) {
        self.leaf(&Variant::Color(components.into()));
    }

    fn node_path(&mut self, absolute: bool, names: &[&'a str], subnames: &[&'a str]) {
        self.tagged(VariantType::NodePath, |output| output.node_path_of(absolute, names, subnames));
    }

    fn made_node_path(&mut self, path: &NodePath) {
        self.tagged(VariantType::NodePath, |output| output.whole_node_path(path));
    }

    fn rid(&mut self, id: u64) {
        self.leaf(&Variant::RID(id));
    }

    fn null_object(&mut self) {
        self.leaf(&Variant::Object(Object::Null));
    }

    fn object_id(&mut self, id: u64) {
        self.leaf(&Variant::Object(Object::Id(id)));
    }

    fn callable(&mut self) {
        self.leaf(&Variant::Callable);
    }

    fn signal(&mut self, name: &'a str, object_id: u64) {
        self.tagged(VariantType::Signal, |output| output.signal_of(name, object_id));
    }

    fn packed_bytes(&mut self, bytes: &'a [u8]) {
        self.tagged(VariantType::PackedByteArray, |output| output.hex(bytes));
    }

    fn packed_numbers(&mut self, numbers: PackedNumbers<'a>) {
        self.leaf(&numbers.to_variant());
    }

    fn image(&mut self, image: &Image) {
        self.tagged(VariantType::Image, |output| output.image_of(image));
    }

    fn input_event(&mut self, event: &InputEvent) {
        self.tagged(VariantType::InputEvent, |output| output.event_of(event));
    }

    fn begin_strings(&mut self, _: usize) {
        self.open(VariantType::PackedStringArray);
        self.key("value");
        self.event(JsonEvent::StartArray);
    }

    fn push_string(&mut self, (): &mut (), text: &'a str) {
        self.text(text);
    }

    fn push_made_string(&mut self, (): &mut (), text: &Text) {
        self.any_text(text);
    }

    fn end_strings(&mut self, (): ()) {
        self.close_container(VariantType::PackedStringArray, false);
    }

    fn begin_array(&mut self, _: usize, element_type: Option<ContainerType>) -> Result<bool, DecodeErrorKind> {
        self.open_array(VariantType::Array, element_type.as_ref());
        Ok(false)
    }

    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        _: usize,
        element_type: Option<ContainerType>,
    ) -> Result<bool, DecodeErrorKind> {
        self.open_array(variant_type, element_type.as_ref());
        Ok(false)
    }

    fn share_array(&mut self, shared: &mut bool) {
        *shared = true;
    }

    fn push_element(&mut self, _: &mut bool, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, shared: bool) -> Result<(), DecodeErrorKind> {
        self.close_container(VariantType::Array, shared);
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<bool, DecodeErrorKind> {
        self.open_dictionary(key_type.as_ref(), value_type.as_ref());
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
        self.close_container(VariantType::Dictionary, shared);
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<(), DecodeErrorKind> {
        self.open_object(class);
        Ok(())
    }

    fn begin_property(&mut self, (): &mut (), name: &'a str) -> Result<(), DecodeErrorKind> {
        self.open_property(name);
        Ok(())
    }

    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        self.event(JsonEvent::EndArray);
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.close_container(VariantType::Object, false);
        Ok(())
    }
}
