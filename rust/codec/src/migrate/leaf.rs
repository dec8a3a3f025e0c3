//! Migration of values that contain no others.

use alloc::vec::Vec;

use super::LossKind;
use super::loss::short;
use super::rebuild::Rebuild;
use crate::float::{narrow, narrow_exactly, widen};
use crate::profile::{Numbers, ObjectForms, TextWriting};
use crate::variant::{
    Array, ContainerType, Dictionary, InputEvent, InputEventKind, Modifiers, NodePath, Object, Reals, Text, View,
    is_surrogate, joined,
};
use crate::variant_type::Shape;
use crate::{Precision, Variant, VariantType, work};

impl Rebuild<'_, '_> {
    pub(super) fn leaf(&mut self, leaf: &Variant) -> Variant {
        work::add_bytes_of(|| leaf.content_size());
        if self.migration.to.type_id(leaf.variant_type()).is_none() {
            return self.replace(leaf);
        }
        let narrows_numbers = self.migration.to.numbers() == Numbers::Narrow;
        match leaf {
            Variant::Int(value) if narrows_numbers && i32::try_from(*value).is_err() => {
                #[expect(clippy::cast_precision_loss, reason = "reported")]
                let rounded = widen(narrow(*value as f64));
                self.lose(LossKind::Number, format_args!("int {value} becomes float {rounded:?}"));
                Variant::Float(rounded)
            }
            Variant::Float(value) if narrows_numbers && !is_single(*value) => {
                let rounded = widen(narrow(*value));
                self.lose(LossKind::Number, format_args!("float {value:?} becomes {rounded:?}"));
                Variant::Float(rounded)
            }
            Variant::String(path) if self.at_script() && !self.migration.to.script_as_path() => {
                self.lose(LossKind::Script, format_args!("script {path:?} becomes null"));
                Variant::Nil
            }
            Variant::String(text) => Variant::String(self.text(text)),
            Variant::StringName(text) if self.at_key() && !self.migration.to.keeps_name_keys() => {
                self.lose(LossKind::NameKey, format_args!("StringName {text:?} becomes a String"));
                Variant::String(self.text(text))
            }
            Variant::StringName(text) => Variant::StringName(self.text(text).into()),
            Variant::PackedStringArray(texts) => {
                Variant::PackedStringArray(texts.iter().map(|text| self.text(text)).collect())
            }
            Variant::NodePath(path) => self.node_path(path),
            Variant::RID(id) if *id != 0 && !self.migration.to.has_rid_payload() => {
                self.lose(LossKind::RidId, format_args!("RID({id}) becomes RID(0)"));
                Variant::RID(0)
            }
            Variant::Object(Object::Null) if self.migration.to.objects() == ObjectForms::NullAsNil => {
                self.lose(LossKind::NullObject, format_args!("null object becomes null"));
                Variant::Nil
            }
            Variant::Object(Object::Id(id)) if self.migration.to.objects() == ObjectForms::HeaderAlone => {
                self.lose(LossKind::Object, format_args!("object id {id} becomes null"));
                Variant::Object(Object::Null)
            }
            other => match other.view() {
                // `PackedFloat64Array` has one component and is not narrowed.
                View::Reals(Reals::Double(components)) | View::PackedReals(Reals::Double(components), 2..)
                    if self.narrows() =>
                {
                    self.narrowed(other.variant_type(), components)
                }
                View::Reals(reals) => {
                    self.report_missing_flag(other.variant_type(), reals);
                    other.clone()
                }
                _ => other.clone(),
            },
        }
    }

    /// Replaces a value of a type that the target does not have.
    fn replace(&mut self, leaf: &Variant) -> Variant {
        let found = leaf.variant_type();
        let replaced = match leaf.view() {
            View::Integers(integers) => match found {
                VariantType::Vector2i => return self.reals_of(found, VariantType::Vector2, integers.as_slice()),
                VariantType::Rect2i => return self.reals_of(found, VariantType::Rect2, integers.as_slice()),
                VariantType::Vector3i => return self.reals_of(found, VariantType::Vector3, integers.as_slice()),
                _ => Variant::from(integers.as_slice().to_vec()),
            },
            View::Reals(reals) | View::PackedReals(reals, 1) => numbers_of(reals),
            View::Text(text) => Variant::String(self.text(text)),
            View::PackedInt64s(elements) => {
                let narrow: Option<Vec<i32>> = elements.iter().map(|element| i32::try_from(*element).ok()).collect();
                let wide = || elements.iter().map(|element| Variant::Int(*element)).collect::<Vec<_>>().into();
                narrow.map_or_else(wide, Variant::from)
            }
            View::PackedReals(..) => {
                let elements = leaf.packed_elements().into_iter().flatten();
                elements.filter_map(|element| element.as_reals().map(numbers_of)).collect::<Vec<_>>().into()
            }
            View::PackedIntegers(_) => {
                // Typed if the target supports it.
                let to = self.migration.to;
                let member = found.packed_element().filter(|member| to.types_arrays() && to.type_id(*member).is_some());
                let members = leaf.packed_elements().into_iter().flatten().collect();
                Array::with_type_unchecked(member.map(ContainerType::Builtin), members).into()
            }
            View::Image(image) => {
                let numbers = image.numbers().map(|(name, number)| (name, Variant::from(number)));
                numbers.into_iter().chain([("data", image.data.clone().into())]).collect::<Dictionary>().into()
            }
            View::InputEvent(event) => event_fields(event),
            _ => {
                self.lose(LossKind::Dropped, format_args!("{} becomes null", short(leaf)));
                return Variant::Nil;
            }
        };
        self.lose(LossKind::Type, format_args!("{found} becomes {}", replaced.variant_type()));
        // The target may not support the replacement either.
        self.inner(replaced)
    }

    /// Migrates a leaf, or an array or a dictionary of leaves.
    fn inner(&mut self, value: Variant) -> Variant {
        match value {
            Variant::Array(array) => {
                let members = array.elements().iter().map(|member| self.leaf(member)).collect();
                Array::with_type_unchecked(array.element_type().cloned(), members).into()
            }
            Variant::Dictionary(dictionary) => {
                let entries = dictionary.into_entries().into_iter();
                Dictionary::from_distinct(entries.map(|(key, value)| (key, self.leaf(&value))).collect()).into()
            }
            leaf => self.leaf(&leaf),
        }
    }

    fn reals_of(&mut self, found: VariantType, into: VariantType, integers: &[i32]) -> Variant {
        let singles: Vec<f32> = integers.iter().map(|integer| narrow(f64::from(*integer))).collect();
        let exact = integers.iter().all(|integer| narrow_exactly(f64::from(*integer)).is_some());
        let kind = if exact { LossKind::Type } else { LossKind::Number };
        self.lose(kind, format_args!("{found} {integers:?} becomes {into} {singles:?}"));
        Variant::from_reals(into, Reals::Single(&singles)).unwrap_or_default()
    }

    /// Returns whether 8-byte reals must be narrowed to 4 bytes.
    fn narrows(&self) -> bool {
        !self.migration.to.has_double_precision() || self.migration.options.precision == Some(Precision::Single)
    }

    /// Reports 8-byte components that the engine writes without a flag in the header, and so reads back as 4 bytes
    /// each.
    fn report_missing_flag(&mut self, variant_type: VariantType, reals: Reals<'_>) {
        let to = self.migration.to;
        let is_wide = self.migration.options.precision.unwrap_or(reals.precision()) == Precision::Double;
        if is_wide && to.has_double_precision() && !to.flags_wide(variant_type) {
            self.lose(
                LossKind::ReadsBackDifferently,
                format_args!("{variant_type} of 8 bytes a component, but its header does not say so"),
            );
        }
    }

    fn narrowed(&mut self, variant_type: VariantType, components: &[f64]) -> Variant {
        let singles: Vec<f32> = components.iter().map(|component| narrow(*component)).collect();
        if let Some(index) = components.iter().position(|component| !is_single(*component)) {
            match variant_type.shape() {
                Shape::Packed(_, count) => self.lose(
                    LossKind::Number,
                    format_args!("elements of {variant_type} are rounded, the first at {}", index / count),
                ),
                _ => self.lose(LossKind::Number, format_args!("{variant_type} {components:?} becomes {singles:?}")),
            }
        }
        let reals = Reals::Single(&singles);
        let value = Variant::from_reals(variant_type, reals);
        value.or_else(|| Variant::from_packed_reals(variant_type, reals)).unwrap_or_default()
    }

    pub(super) fn text(&mut self, text: &Text) -> Text {
        let Some(units) = text.units() else {
            if text.starts_with('\u{FEFF}') {
                self.lose(LossKind::UnreadableText, format_args!("text {}", short(text)));
            }
            return text.clone();
        };
        // Engines end text at a NUL, and it cannot be written.
        if let Some(end) = units.iter().position(|unit| *unit == 0) {
            self.lose(LossKind::UnreadableText, format_args!("text {}", short(text)));
            return self.text(&Text::from_units(&units[..end]));
        }
        let written = match self.migration.to.text_writing() {
            TextWriting::EachUnit => text.clone(),
            TextWriting::Unicode => text.with_surrogates_joined().into(),
            TextWriting::JoinedSurrogates => {
                let space = |unit| if is_surrogate(unit) { u32::from(' ') } else { unit };
                Text::from_units(&joined(units).map(space).collect::<Vec<_>>())
            }
        };
        if written != *text {
            self.lose(LossKind::Text, format_args!("text {} becomes {}", short(text), short(&written)));
        }
        written
    }

    fn node_path(&mut self, path: &NodePath) -> Variant {
        let mut texts = |parts: &[Text]| parts.iter().map(|part| self.text(part)).collect::<Vec<_>>();
        let (names, mut subnames) = (texts(&path.names), texts(&path.subnames));
        let mut property = path.property.as_ref().map(|property| self.text(property));
        let to = self.migration.to;
        if !to.has_node_path_property() && property.is_some() {
            self.lose(LossKind::NodePath, format_args!("the property of NodePath {path} becomes a subname"));
            subnames.extend(property.take());
        }
        let is_nameless = names.is_empty() && (!subnames.is_empty() || property.is_some());
        let is_root = path.absolute && names.is_empty() && !is_nameless;
        if is_root && !to.keeps_root_path() || is_nameless && !to.keeps_nameless_path() {
            self.lose(LossKind::NodePath, format_args!("NodePath {path} is read as an empty one"));
        }
        NodePath { absolute: path.absolute, names, subnames, property }.into()
    }
}

/// Returns whether the number fits in 4 bytes exactly. NaN payloads must fit too.
fn is_single(number: f64) -> bool {
    widen(narrow(number)).to_bits() == number.to_bits()
}

/// Returns the numbers as the narrowest array that holds them exactly.
fn numbers_of(reals: Reals<'_>) -> Variant {
    match reals {
        Reals::Single(numbers) => numbers.to_vec().into(),
        Reals::Double(numbers) if numbers.iter().all(|number| is_single(*number)) => {
            numbers.iter().map(|number| narrow(*number)).collect::<Vec<f32>>().into()
        }
        Reals::Double(numbers) => numbers.iter().map(|number| Variant::Float(*number)).collect::<Vec<_>>().into(),
    }
}

fn event_fields(event: &InputEvent) -> Variant {
    let mut fields = Vec::from([("event", event.kind.name().into()), ("device", event.device.into())]);
    if let InputEventKind::Key { mut modifiers, .. } = event.kind {
        fields.extend(Modifiers::FIELDS.map(|(name, field)| (name, Variant::from(*field(&mut modifiers)))));
    }
    fields.extend(event.kind.named_number().map(|(name, number)| (name, number.into())));
    if let InputEventKind::JoyMotion { value, .. } = event.kind {
        fields.push(("value", value.into()));
    }
    fields.into_iter().collect::<Dictionary>().into()
}
