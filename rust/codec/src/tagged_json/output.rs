//! Writes the parts of values as JSON.

use alloc::{format, string::String};
use core::fmt::{self, Display, Write as _};

use json_event_parser::JsonEvent;

use super::write::TaggedJsonBuilder;
use crate::variant::{ContainerType, PackedNumbers, Reals};
use crate::variant_type::Shape;
use crate::work;

impl TaggedJsonBuilder {
    pub(super) fn event(&mut self, event: JsonEvent<'_>) {
        // Writing to memory does not fail, and the events are correctly nested.
        let before = self.text.len();
        let written = self.serializer.serialize_event(event, &mut self.text);
        work::add_bytes(self.text.len() - before);
        debug_assert!(written.is_ok(), "{written:?}");
    }

    /// Writes the key of an object member. Its value must follow.
    pub(super) fn key(&mut self, key: &str) -> &mut Self {
        self.event(JsonEvent::ObjectKey(key.into()));
        self
    }

    pub(super) fn string(&mut self, text: &str) {
        self.event(JsonEvent::String(text.into()));
    }

    /// Writes what `digits` shows.
    fn digits(&mut self, digits: fmt::Arguments<'_>, event: impl FnOnce(&str) -> JsonEvent<'_>) {
        let mut buffer = core::mem::take(&mut self.digits);
        buffer.clear();
        let _ = buffer.write_fmt(digits);
        self.event(event(&buffer));
        self.digits = buffer;
    }

    pub(super) fn decimal(&mut self, number: impl Display) {
        self.digits(format_args!("{number}"), |digits| JsonEvent::String(digits.into()));
    }

    pub(super) fn number(&mut self, number: impl Display) {
        self.digits(format_args!("{number}"), |digits| JsonEvent::Number(digits.into()));
    }

    pub(super) fn single(&mut self, real: f32) {
        self.digits(format_args!("{:08x}", real.to_bits()), |digits| JsonEvent::String(digits.into()));
    }

    pub(super) fn double(&mut self, real: f64) {
        self.digits(format_args!("{:016x}", real.to_bits()), |digits| JsonEvent::String(digits.into()));
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
        self.string(&digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect::<String>());
    }

    pub(super) fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.event(JsonEvent::StartObject);
        write(self);
        self.event(JsonEvent::EndObject);
    }

    pub(super) fn list<T>(&mut self, members: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.event(JsonEvent::StartArray);
        members.into_iter().for_each(|member| write(self, member));
        self.event(JsonEvent::EndArray);
    }

    pub(super) fn components(&mut self, reals: Reals<'_>) {
        match reals {
            Reals::Single(components) => self.list(components, |json, real| json.single(*real)),
            Reals::Double(components) => self.list(components, |json, real| json.double(*real)),
        }
    }

    pub(super) fn packed(&mut self, numbers: &PackedNumbers<'_>) {
        let Shape::Packed(_, count) = numbers.variant_type().shape() else { return };
        if let Some(integers) = numbers.int32s() {
            self.elements(&integers, count, Self::number);
        } else if let Some(integers) = numbers.int64s() {
            self.elements(&integers, count, Self::decimal);
        } else if let Some(reals) = numbers.float32s() {
            self.elements(&reals, count, Self::single);
        } else if let Some(reals) = numbers.float64s() {
            self.elements(&reals, count, Self::double);
        }
        // Digits would show it, but there are none.
        if numbers.is_empty() && count > 1 && numbers.is_wide() && !numbers.is_narrowed() {
            self.key("precision").string("double");
        }
    }

    /// Writes elements of `count` components each.
    fn elements<T: Copy>(&mut self, components: &[T], count: usize, write: impl Fn(&mut Self, T)) {
        if count == 1 {
            return self.list(components, |json, component| write(json, *component));
        }
        let element = |json: &mut Self, element| json.list(element, |json, component: &T| write(json, *component));
        self.list(components.chunks(count), element);
    }

    pub(super) fn node_path<T>(
        &mut self,
        absolute: bool,
        [names, subnames]: [&[T]; 2],
        property: Option<&T>,
        write: impl Fn(&mut Self, &T),
    ) {
        self.object(|json| {
            json.key("absolute").event(JsonEvent::Boolean(absolute));
            json.key("names").list(names, &write);
            json.key("subnames").list(subnames, &write);
            if let Some(property) = property {
                write(json.key("property"), property);
            }
        });
    }

    /// Writes the start of a value, up to its content.
    pub(super) fn begin(&mut self, variant_type: &str, member_types: &[(&str, Option<ContainerType>)]) {
        self.event(JsonEvent::StartObject);
        self.key("type").string(variant_type);
        for (key, member_type) in member_types {
            let (kind, name) = match member_type {
                None => continue,
                Some(ContainerType::Builtin(builtin)) => ("builtin", builtin.name()),
                Some(ContainerType::Class(class)) => ("class", class.as_str()),
                Some(ContainerType::Script(path)) => ("script", path.as_str()),
                Some(ContainerType::Unknown(number)) => ("unknown", &*format!("{number}")),
            };
            self.key(key).object(|json| json.key(kind).string(name));
        }
        self.key("value");
    }

    /// Writes the end of a list of members, and whether the container is "shared".
    pub(super) fn end_list(&mut self, shared: bool) {
        self.event(JsonEvent::EndArray);
        if shared {
            self.key("shared").event(JsonEvent::Boolean(true));
        }
        self.event(JsonEvent::EndObject);
    }
}
