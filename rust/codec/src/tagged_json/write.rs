//! Values to text.

use alloc::{string::String, vec::Vec};
use core::fmt::{Display, Write as _};

use json_event_parser::{JsonEvent, LowLevelJsonSerializer};

use crate::codec::{Builder, DuplicateKeys, PackedNumbers};
use crate::variant::{ContainerType, Object, PackedReals, Reals, Visit, Walk};
use crate::{DecodeError, DecodeErrorKind, Decoded, Decoder, Variant, VariantType};

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
                text.close_container(container.variant_type());
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

/// Builds tagged JSON as values are read.
#[derive(Default)]
pub struct TaggedJsonBuilder {
    serializer: LowLevelJsonSerializer,
    output: Vec<u8>,
    digits: String,
}

impl TaggedJsonBuilder {
    /// The text of the value that was read.
    #[must_use]
    pub fn into_string(self) -> String {
        String::from_utf8(self.output).unwrap_or_default()
    }

    fn event(&mut self, event: JsonEvent<'_>) {
        // Writing to memory does not fail, and the reader calls in the order that nesting demands.
        let written = self.serializer.serialize_event(event, &mut self.output);
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

    fn number(&mut self, number: i32) {
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
        };
        self.key(key);
        self.event(JsonEvent::StartObject);
        self.key(kind);
        self.text(name);
        self.event(JsonEvent::EndObject);
    }

    fn open_array(&mut self, element_type: Option<&ContainerType>) {
        self.open(VariantType::Array);
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
            Variant::Array(array) => self.open_array(array.element_type()),
            Variant::Dictionary(dictionary) => self.open_dictionary(dictionary.key_type(), dictionary.value_type()),
            Variant::Object(Object::Data(data)) => self.open_object(&data.class),
            _ => {}
        }
    }

    fn close_container(&mut self, variant_type: VariantType) {
        self.event(JsonEvent::EndArray);
        if variant_type == VariantType::Object {
            self.event(JsonEvent::EndObject);
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
                Variant::String(text) | Variant::StringName(text) => output.text(text),
                Variant::Vector2i(value) => output.integers_of(&value.to_array()),
                Variant::Rect2i(value) => output.integers_of(&value.to_array()),
                Variant::Vector3i(value) => output.integers_of(&value.to_array()),
                Variant::Vector4i(value) => output.integers_of(&value.to_array()),
                Variant::Color(color) => output.components(Reals::Single(&color.to_array())),
                Variant::NodePath(path) => output.node_path_of(path.absolute, &path.names, &path.subnames),
                Variant::RID(id) => output.decimal(id),
                Variant::Object(Object::Id(id)) => output.object_id_of(*id),
                Variant::Signal(signal) => output.signal_of(&signal.name, signal.object_id),
                Variant::PackedByteArray(bytes) => output.hex(bytes),
                Variant::PackedInt32Array(elements) => output.integers_of(elements),
                Variant::PackedInt64Array(elements) => output.list(elements, |output, element| output.decimal(element)),
                Variant::PackedFloat32Array(elements) => output.components(Reals::Single(elements)),
                Variant::PackedFloat64Array(elements) => output.components(Reals::Double(elements)),
                Variant::PackedStringArray(elements) => output.texts(elements),
                Variant::PackedVector2Array(elements) => output.packed_vectors(elements),
                Variant::PackedVector3Array(elements) => output.packed_vectors(elements),
                Variant::PackedVector4Array(elements) => output.packed_vectors(elements),
                Variant::PackedColorArray(elements) => {
                    output.list(elements, |output, color| output.components(Reals::Single(&color.to_array())));
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
    type Array = ();
    type Dictionary = ();
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

    fn begin_strings(&mut self, _: usize) {
        self.open(VariantType::PackedStringArray);
        self.key("value");
        self.event(JsonEvent::StartArray);
    }

    fn push_string(&mut self, (): &mut (), text: &'a str) {
        self.text(text);
    }

    fn end_strings(&mut self, (): ()) {
        self.close_container(VariantType::PackedStringArray);
    }

    fn begin_array(&mut self, _: usize, element_type: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        self.open_array(element_type.as_ref());
        Ok(())
    }

    fn push_element(&mut self, (): &mut (), (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.close_container(VariantType::Array);
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        self.open_dictionary(key_type.as_ref(), value_type.as_ref());
        Ok(())
    }

    fn begin_entry(&mut self) {
        self.event(JsonEvent::StartArray);
    }

    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        self.event(JsonEvent::EndArray);
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.close_container(VariantType::Dictionary);
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
        self.close_container(VariantType::Object);
        Ok(())
    }
}
