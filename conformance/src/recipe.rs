//! Recipes: descriptions of values, from which a script builds the values without the engine's codec.
//!
//! A recipe is a list of values, each with its type number and content: numbers in their width, text as a count and
//! UTF-32 units, packed arrays as a count and elements. A container has the types of its members and the number of
//! values before it that become its members. The script is `recipe.gd` of either project.

mod makeable;

use varbytes::variant::{Color, ContainerType, Object, PackedReals, Reals, Text, Visit, Walk};
use varbytes::{Profile, Variant, VariantType};

pub use makeable::{Components, makeable};

/// The count of properties that marks an object by id.
const BY_ID: i32 = -1;

/// Appends the recipe of a value to `recipe`. The value must be [`makeable`] in the engine of `profile`.
///
/// # Panics
/// If it is not.
pub fn write(value: &Variant, profile: Profile, recipe: &mut Vec<u8>) {
    let mut writer = Writer { profile, recipe };
    for visit in Walk::new(value) {
        match visit {
            Visit::Leaf(leaf) => writer.leaf(leaf),
            Visit::Leave(container) => writer.container(container),
            Visit::Enter(_) | Visit::Name(_) => {}
        }
    }
}

struct Writer<'r> {
    profile: Profile,
    recipe: &'r mut Vec<u8>,
}

impl Writer<'_> {
    fn leaf(&mut self, leaf: &Variant) {
        self.variant_type(leaf.variant_type());
        match leaf.as_reals() {
            Some(Reals::Single(components)) => return self.singles(components),
            Some(Reals::Double(components)) => return self.doubles(components),
            None => {}
        }
        match leaf {
            Variant::Nil | Variant::Callable | Variant::Signal(_) => {}
            Variant::Bool(value) => self.put([u8::from(*value)]),
            Variant::Int(value) => self.put(value.to_le_bytes()),
            Variant::Float(value) => self.put(value.to_le_bytes()),
            Variant::String(text) => self.text(text),
            Variant::StringName(text) => self.text(text),
            Variant::Vector2i(value) => self.integers(&[value.x, value.y]),
            Variant::Vector3i(value) => self.integers(&[value.x, value.y, value.z]),
            Variant::Vector4i(value) => self.integers(&[value.x, value.y, value.z, value.w]),
            Variant::Rect2i(value) => self.integers(&[value.position_x, value.position_y, value.size_x, value.size_y]),
            Variant::Color(value) => self.color(*value),
            Variant::NodePath(path) => {
                let mut text = if path.absolute { "/".to_owned() } else { String::new() };
                let names: Vec<&str> = path.names.iter().map(Text::as_str).collect();
                text.push_str(&names.join("/"));
                path.subnames.iter().for_each(|subname| text.extend([":", subname.as_str()]));
                self.text(&Text::from(text));
            }
            Variant::RID(id) => self.put(id.to_le_bytes()),
            Variant::Object(Object::Id(id)) => {
                self.integers(&[BY_ID]);
                self.put(id.to_le_bytes());
            }
            Variant::PackedByteArray(elements) => self.packed(elements, |element| [*element]),
            Variant::PackedInt32Array(elements) => self.packed(elements, |element| element.to_le_bytes()),
            Variant::PackedInt64Array(elements) => self.packed(elements, |element| element.to_le_bytes()),
            Variant::PackedFloat32Array(elements) => self.packed(elements, |element| element.to_le_bytes()),
            Variant::PackedFloat64Array(elements) => self.packed(elements, |element| element.to_le_bytes()),
            Variant::PackedStringArray(elements) => {
                self.count(elements.len());
                elements.iter().for_each(|element| self.text(element));
            }
            Variant::PackedColorArray(elements) => {
                self.count(elements.len());
                elements.iter().for_each(|element| self.color(*element));
            }
            Variant::PackedVector2Array(elements) => self.vectors(elements),
            Variant::PackedVector3Array(elements) => self.vectors(elements),
            Variant::PackedVector4Array(elements) => self.vectors(elements),
            other => unreachable!("a script cannot make {other:?}"),
        }
    }

    fn container(&mut self, container: &Variant) {
        self.variant_type(container.variant_type());
        match container {
            Variant::Array(array) => {
                self.count(array.elements().len());
                self.container_type(array.element_type());
            }
            Variant::Dictionary(dictionary) => {
                self.count(dictionary.entries().len());
                self.container_type(dictionary.key_type());
                self.container_type(dictionary.value_type());
            }
            Variant::Object(Object::Data(data)) => self.count(data.properties.len()),
            other => unreachable!("a script cannot make {other:?}"),
        }
    }

    fn container_type(&mut self, container_type: Option<&ContainerType>) {
        match container_type {
            None => self.variant_type(VariantType::Nil),
            Some(ContainerType::Builtin(VariantType::Object)) => self.class(""),
            Some(ContainerType::Builtin(builtin)) => self.variant_type(*builtin),
            Some(ContainerType::Class(class)) => self.class(class),
            Some(ContainerType::Unknown(number)) => unreachable!("no engine that is run has the type {number}"),
            Some(ContainerType::Script(path)) => unreachable!("a script cannot make members of {path}"),
        }
    }

    fn class(&mut self, class: &str) {
        self.variant_type(VariantType::Object);
        self.text(&Text::from(class));
    }

    fn variant_type(&mut self, variant_type: VariantType) {
        self.put([self.profile.type_id(variant_type).expect("a type of the engine")]);
    }

    fn text(&mut self, text: &Text) {
        let units = text.units().map_or_else(|| text.as_str().chars().map(u32::from).collect(), <[u32]>::to_vec);
        self.packed(&units, |unit| unit.to_le_bytes());
    }

    fn vectors<const N: usize>(&mut self, elements: &PackedReals<N>) {
        self.count(elements.len());
        match elements {
            PackedReals::Single(elements) => elements.iter().for_each(|element| self.singles(element)),
            PackedReals::Double(elements) => elements.iter().for_each(|element| self.doubles(element)),
        }
    }

    fn color(&mut self, color: Color) {
        self.singles(&[color.r, color.g, color.b, color.a]);
    }

    fn singles(&mut self, components: &[f32]) {
        components.iter().for_each(|component| self.put(component.to_le_bytes()));
    }

    fn doubles(&mut self, components: &[f64]) {
        components.iter().for_each(|component| self.put(component.to_le_bytes()));
    }

    fn integers(&mut self, integers: &[i32]) {
        integers.iter().for_each(|integer| self.put(integer.to_le_bytes()));
    }

    fn packed<T, const N: usize>(&mut self, elements: &[T], bytes: impl Fn(&T) -> [u8; N]) {
        self.count(elements.len());
        elements.iter().for_each(|element| self.put(bytes(element)));
    }

    fn count(&mut self, count: usize) {
        self.put(u32::try_from(count).expect("a count of the format").to_le_bytes());
    }

    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.recipe.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(value: &Variant) -> Vec<u8> {
        let mut recipe = Vec::new();
        write(value, Profile::GODOT_4_6, &mut recipe);
        recipe
    }

    #[test]
    fn a_container_follows_its_members() {
        let array = Variant::from(vec![Variant::Nil, Variant::from(true)]);
        assert_eq!(recipe(&array), [0, 1, 1, 28, 2, 0, 0, 0, 0]);
    }

    #[test]
    fn text_is_utf_32_after_its_length() {
        assert_eq!(recipe(&Variant::from("é")), [4, 1, 0, 0, 0, 0xE9, 0, 0, 0]);
    }
}
