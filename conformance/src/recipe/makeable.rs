//! Changes any value into the most similar value that a script can make.

use varbytes::variant::{
    Array, Color, ContainerType, Dictionary, NodePath, Object, ObjectData, PackedReals, Reals, Signal, Text,
};
use varbytes::{Precision, Profile, Variant, VariantType};

use crate::compare::members_mut;

/// The class of objects by id, and the class of all other objects here, which has no stored properties.
const STAND_IN: &str = "EncodedObjectAsID";
const PLAIN: &str = "RefCounted";

/// What makes a value from a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// A script: components have 32 bits, and signalling NaNs become quiet.
    OfScripts,
    /// The engine's own code, in a build of this precision.
    OfEngine(Precision),
}

/// Returns the most similar value to `value` that can be made in the engine of `profile`.
/// Names of a `NodePath` are not empty and
/// lose the separators `/` and `:`. A `Signal` has no object. With `full_objects`, each object is a `RefCounted` with
/// values as metadata; without, objects are ids.
#[must_use]
pub fn makeable(mut value: Variant, profile: Profile, full_objects: bool, components: Components) -> Variant {
    let mut pending = vec![&mut value];
    while let Some(value) = pending.pop() {
        adapt(value, profile, full_objects, components);
        pending.extend(members_mut(value));
    }
    value
}

fn adapt(value: &mut Variant, profile: Profile, full_objects: bool, components: Components) {
    let is_double = components == Components::OfEngine(Precision::Double);
    let quiet = if components == Components::OfScripts { quiet } else { |component| component };
    if let Some(reals) = value.as_reals() {
        let variant_type = value.variant_type();
        let adapted = if is_double {
            let doubles: Vec<f64> = match reals {
                Reals::Single(components) => components.iter().copied().map(f64::from).collect(),
                Reals::Double(components) => components.to_vec(),
            };
            Variant::from_reals(variant_type, Reals::Double(&doubles))
        } else {
            let singles: Vec<f32> = match reals {
                Reals::Single(components) => components.iter().copied().map(quiet).collect(),
                Reals::Double(components) => components.iter().copied().map(narrow).collect(),
            };
            Variant::from_reals(variant_type, Reals::Single(&singles))
        };
        *value = adapted.expect("as many as the type has");
        return;
    }
    match value {
        Variant::Color(color) => *color = quiet_color(*color, quiet),
        Variant::PackedColorArray(colors) => {
            colors.iter_mut().for_each(|color| *color = quiet_color(*color, quiet));
        }
        Variant::PackedFloat32Array(elements) => elements.iter_mut().for_each(|element| *element = quiet(*element)),
        Variant::PackedVector2Array(elements) => adapt_all(elements, is_double, quiet),
        Variant::PackedVector3Array(elements) => adapt_all(elements, is_double, quiet),
        Variant::PackedVector4Array(elements) => adapt_all(elements, is_double, quiet),
        Variant::NodePath(path) => divide(path),
        Variant::Signal(signal) => **signal = Signal { name: String::new(), object_id: 0 },
        Variant::Array(array) => {
            let element_type = array.element_type().map(|element_type| near(element_type, full_objects));
            *array = Array::with_type_unchecked(element_type, std::mem::take(array).into_elements());
        }
        Variant::Dictionary(dictionary) => {
            let key_type = dictionary.key_type().map(|key_type| near(key_type, full_objects));
            let value_type = dictionary.value_type().map(|value_type| near(value_type, full_objects));
            let entries = std::mem::take(dictionary).into_entries();
            *dictionary = Dictionary::with_types_unchecked(key_type, value_type, entries);
        }
        Variant::Object(Object::Data(data)) => *value = plain(data),
        Variant::RID(id) if !profile.has_rid_payload() => *id = 0,
        _ => {}
    }
}

/// Returns the members as metadata, without null values.
fn plain(data: &mut ObjectData) -> Variant {
    let values = std::mem::take(&mut data.properties).into_iter().map(|(_, value)| value);
    let values = values.filter(|value| value.variant_type() != VariantType::Nil);
    let metadata = values.enumerate().map(|(index, value)| (format!("metadata/m{}", index + 1), value));
    let script = ("script".to_owned(), Variant::Nil);
    Variant::from(ObjectData { class: PLAIN.to_owned(), properties: std::iter::once(script).chain(metadata).collect() })
}

/// Returns a type that every object made here fits.
fn near(container_type: &ContainerType, full_objects: bool) -> ContainerType {
    match container_type {
        ContainerType::Builtin(builtin) => ContainerType::Builtin(*builtin),
        _ if full_objects => ContainerType::Class(PLAIN.to_owned()),
        _ => ContainerType::Class(STAND_IN.to_owned()),
    }
}

fn divide(path: &mut NodePath) {
    for names in [&mut path.names, &mut path.subnames] {
        for name in names.iter_mut().filter(|name| name.units().is_some() || name.as_str().contains(['/', ':'])) {
            // A script can only give the text of the whole path, which is split again.
            *name = Text::from(name.as_str().replace(['/', ':', char::REPLACEMENT_CHARACTER], "_"));
        }
        names.retain(|name| !name.as_str().is_empty());
    }
}

fn adapt_all<const N: usize>(elements: &mut PackedReals<N>, is_double: bool, quiet: fn(f32) -> f32) {
    if is_double {
        if let PackedReals::Single(singles) = elements {
            let doubles: Vec<[f64; N]> = singles.iter().map(|element| element.map(f64::from)).collect();
            *elements = PackedReals::from_f64_vec(doubles);
        }
        return;
    }
    let singles: Vec<[f32; N]> = match elements {
        PackedReals::Single(elements) => elements.iter().map(|element| element.map(quiet)).collect(),
        PackedReals::Double(elements) => elements.iter().map(|element| element.map(narrow)).collect(),
    };
    *elements = singles.into();
}

fn quiet_color(color: Color, quiet: fn(f32) -> f32) -> Color {
    Color::from([color.r, color.g, color.b, color.a].map(quiet))
}

/// Sets the bit that makes a NaN quiet.
fn quiet(component: f32) -> f32 {
    if component.is_nan() { f32::from_bits(component.to_bits() | 1 << 22) } else { component }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers that are too large become infinite, as in the engine")]
fn narrow(component: f64) -> f32 {
    quiet(component as f32)
}
