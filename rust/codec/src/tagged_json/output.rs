//! Writes the parts of values as JSON.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{self, Display, Write as _};

use json_event_parser::{JsonEvent, LowLevelJsonSerializer};

use crate::variant::{ContainerType, Object, PackedIntegers, Reals, Signal, View};
use crate::{Variant, VariantType, work};

/// JSON text being written.
#[derive(Default)]
pub(super) struct Output {
    serializer: LowLevelJsonSerializer,
    text: Vec<u8>,
    digits: String,
}

impl Output {
    pub(super) fn into_string(self) -> String {
        crate::escape::json(String::from_utf8(self.text).unwrap_or_default())
    }

    pub(super) fn event(&mut self, event: JsonEvent<'_>) {
        // Writing to memory does not fail, and the events are correctly nested.
        let before = self.text.len();
        let written = self.serializer.serialize_event(event, &mut self.text);
        work::add_bytes(self.text.len() - before);
        debug_assert!(written.is_ok(), "{written:?}");
    }

    pub(super) fn key(&mut self, key: &str) {
        self.event(JsonEvent::ObjectKey(key.into()));
    }

    pub(super) fn string(&mut self, text: &str) {
        self.event(JsonEvent::String(text.into()));
    }

    /// Writes what `print` prints, as a JSON string.
    fn printed(&mut self, print: impl FnOnce(&mut String) -> fmt::Result) {
        let mut digits = core::mem::take(&mut self.digits);
        digits.clear();
        let _ = print(&mut digits);
        self.string(&digits);
        self.digits = digits;
    }

    pub(super) fn decimal(&mut self, number: impl Display) {
        self.printed(|digits| write!(digits, "{number}"));
    }

    pub(super) fn number(&mut self, number: impl Display) {
        let mut digits = core::mem::take(&mut self.digits);
        digits.clear();
        let _ = write!(digits, "{number}");
        self.event(JsonEvent::Number(digits.as_str().into()));
        self.digits = digits;
    }

    pub(super) fn single(&mut self, real: f32) {
        self.printed(|digits| write!(digits, "{:08x}", real.to_bits()));
    }

    fn double(&mut self, real: f64) {
        self.printed(|digits| write!(digits, "{:016x}", real.to_bits()));
    }

    pub(super) fn hex(&mut self, bytes: &[u8]) {
        self.printed(|digits| bytes.iter().try_for_each(|byte| write!(digits, "{byte:02x}")));
    }

    pub(super) fn list<T>(&mut self, members: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.event(JsonEvent::StartArray);
        members.into_iter().for_each(|member| write(self, member));
        self.event(JsonEvent::EndArray);
    }

    fn components(&mut self, reals: Reals<'_>) {
        match reals {
            Reals::Single(components) => self.list(components, |output, real| output.single(*real)),
            Reals::Double(components) => self.list(components, |output, real| output.double(*real)),
        }
    }

    pub(super) fn integers(&mut self, integers: &[i32]) {
        self.list(integers, |output, integer| output.number(*integer));
    }

    /// Writes a value whose content `write` adds.
    pub(super) fn tagged(&mut self, variant_type: VariantType, write: impl FnOnce(&mut Self)) {
        self.open(variant_type);
        self.key("value");
        write(self);
        self.event(JsonEvent::EndObject);
    }

    /// Writes a value that contains no others.
    pub(super) fn leaf(&mut self, leaf: &Variant) {
        self.leaf_of(leaf.variant_type(), leaf.view());
    }

    /// The same for a type and the content of its value.
    pub(super) fn leaf_of(&mut self, variant_type: VariantType, view: View<'_>) {
        self.tagged(variant_type, |output| output.view(view));
    }

    fn view(&mut self, view: View<'_>) {
        match view {
            View::Bool(value) => self.event(JsonEvent::Boolean(value)),
            View::Int(value) => self.decimal(value),
            View::Float(value) => self.double(value),
            View::Text(text) => self.text(text),
            View::Reals(reals) | View::PackedReals(reals, 1) => self.components(reals),
            View::Integers(integers) => self.integers(integers.as_slice()),
            View::Color(color) => self.components(Reals::Single(&color.to_array())),
            View::NodePath(path) => {
                self.node_path(path.absolute, &path.names, &path.subnames, path.property.as_ref(), Self::text);
            }
            View::Rid(id) => self.decimal(id),
            View::Object(Object::Id(id)) => self.object_id(*id),
            View::Signal(Signal { name, object_id }) => self.signal(name, *object_id),
            View::PackedBytes(bytes) => self.hex(bytes),
            View::PackedInt64s(elements) => self.list(elements, Self::decimal),
            View::PackedIntegers(PackedIntegers::One(elements)) => self.integers(elements),
            View::PackedIntegers(elements) => {
                self.event(JsonEvent::StartArray);
                elements.for_each(|element| self.integers(element));
                self.event(JsonEvent::EndArray);
            }
            View::PackedReals(Reals::Single(reals), components) => {
                self.list(reals.chunks(components), |output, element| output.components(Reals::Single(element)));
            }
            View::PackedReals(Reals::Double(reals), components) => {
                self.list(reals.chunks(components), |output, element| output.components(Reals::Double(element)));
            }
            View::PackedColors(elements) => {
                self.list(elements, |output, color| output.components(Reals::Single(&color.to_array())));
            }
            View::PackedTexts(elements) => self.list(elements, Self::text),
            View::Image(image) => self.image(image),
            View::InputEvent(event) => self.input_event(event),
            View::Nothing | View::Object(_) | View::Array(_) | View::Dictionary(_) => self.event(JsonEvent::Null),
        }
    }

    pub(super) fn node_path<T>(
        &mut self,
        absolute: bool,
        names: &[T],
        subnames: &[T],
        property: Option<&T>,
        write: impl Fn(&mut Self, &T),
    ) {
        self.event(JsonEvent::StartObject);
        self.key("absolute");
        self.event(JsonEvent::Boolean(absolute));
        self.key("names");
        self.list(names, &write);
        self.key("subnames");
        self.list(subnames, &write);
        if let Some(property) = property {
            self.key("property");
            write(self, property);
        }
        self.event(JsonEvent::EndObject);
    }

    // Ids are signed in scripts, for example in `get_instance_id()`.
    fn object_id(&mut self, id: u64) {
        self.event(JsonEvent::StartObject);
        self.key("id");
        self.decimal(id.cast_signed());
        self.event(JsonEvent::EndObject);
    }

    pub(super) fn signal(&mut self, name: &str, object_id: u64) {
        self.event(JsonEvent::StartObject);
        self.key("name");
        self.string(name);
        self.key("object_id");
        self.decimal(object_id.cast_signed());
        self.event(JsonEvent::EndObject);
    }

    fn open(&mut self, variant_type: VariantType) {
        self.event(JsonEvent::StartObject);
        self.key("type");
        self.string(variant_type.name());
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
        self.string(name);
        self.event(JsonEvent::EndObject);
    }

    /// Writes the start of a list of members, after their types.
    pub(super) fn open_list(&mut self, variant_type: VariantType, member_types: &[(&str, Option<&ContainerType>)]) {
        self.open(variant_type);
        member_types.iter().for_each(|(key, container_type)| self.container_type(key, *container_type));
        self.key("value");
        self.event(JsonEvent::StartArray);
    }

    pub(super) fn open_array(&mut self, variant_type: VariantType, element_type: Option<&ContainerType>) {
        self.open_list(variant_type, &[("element_type", element_type)]);
    }

    pub(super) fn open_dictionary(&mut self, key_type: Option<&ContainerType>, value_type: Option<&ContainerType>) {
        self.open_list(VariantType::Dictionary, &[("key_type", key_type), ("value_type", value_type)]);
    }

    pub(super) fn open_object(&mut self, class: &str) {
        self.open(VariantType::Object);
        self.key("value");
        self.event(JsonEvent::StartObject);
        self.key("class");
        self.string(class);
        self.key("properties");
        self.event(JsonEvent::StartArray);
    }

    pub(super) fn open_property(&mut self, name: &str) {
        self.event(JsonEvent::StartArray);
        self.string(name);
    }

    pub(super) fn close_list(&mut self, shared: bool) {
        self.event(JsonEvent::EndArray);
        if shared {
            self.key("shared");
            self.event(JsonEvent::Boolean(true));
        }
        self.event(JsonEvent::EndObject);
    }

    pub(super) fn close_object(&mut self) {
        self.event(JsonEvent::EndArray);
        self.event(JsonEvent::EndObject);
        self.event(JsonEvent::EndObject);
    }
}
