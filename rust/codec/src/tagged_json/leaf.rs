//! Reads values that contain no others from JSON.

use alloc::{borrow::ToOwned, format, vec::Vec};
use core::iter;

use super::godot2::{image, input_event, text};
use super::tape::{Fault, Json, Part};
use crate::variant::{Color, NodePath, Reals, Signal};
use crate::variant_type::{Number, Shape};
use crate::{Variant, VariantType};

/// Reads a value of a type from the JSON of its content. Vectors may have their precision beside it.
pub(super) fn leaf(variant_type: VariantType, json: Json<'_, '_>, precision: Option<&str>) -> Result<Variant, Fault> {
    let wrong = || format!("`value` of {} must be {}", variant_type.with_article(), form(variant_type));
    Ok(match (variant_type.shape(), variant_type, json.part()) {
        (Shape::Fixed(Number::Real, count), ..) => {
            let wrong = || format!("{} must have {count} components", variant_type.with_article());
            let components = reals(iter::once(json), count, precision, wrong)?;
            Variant::from_reals(variant_type, components.as_reals()).ok_or_else(wrong)?
        }
        (Shape::Fixed(Number::Int32, count), ..) => {
            let value = Variant::from_integers(variant_type, &json.list(Json::integer)?);
            value.ok_or_else(|| format!("{} must have {count} components", variant_type.with_article()))?
        }
        (Shape::Fixed(..), ..) => Variant::Color(color(json)?),
        (Shape::Packed(Number::Byte, _), _, Part::Text(_)) => json.bytes("`value`")?.into(),
        (Shape::Packed(Number::Int32, 1), ..) => json.list(Json::integer)?.into(),
        (Shape::Packed(Number::Int32, count), ..) => {
            let vectors = json.members().ok_or("expected a list of vectors")?;
            let integers = components(vectors, Json::integer, count, || of_each_vector(count))?;
            Variant::from_packed_integers(variant_type, &integers).ok_or_else(wrong)?
        }
        (Shape::Packed(Number::Int64, _), ..) => json.list(Json::int)?.into(),
        (Shape::Packed(Number::Float32, 1), ..) => json.list(Json::single)?.into(),
        (Shape::Packed(Number::Float32, _), ..) => json.list(color)?.into(),
        (Shape::Packed(Number::Float64, _), ..) => json.list(Json::double)?.into(),
        (Shape::Packed(Number::Real, count), ..) => {
            let vectors = json.members().ok_or("expected a list of vectors")?;
            let components = reals(vectors, count, precision, || of_each_vector(count))?;
            Variant::from_packed_reals(variant_type, components.as_reals()).ok_or_else(wrong)?
        }
        (_, VariantType::PackedStringArray, _) => json.list(text)?.into(),
        (_, VariantType::Nil, Part::Null) => Variant::Nil,
        (_, VariantType::Callable, Part::Null) => Variant::Callable,
        (_, VariantType::Bool, Part::Bool(value)) => Variant::Bool(*value),
        (_, VariantType::Int, _) => Variant::Int(json.int()?),
        (_, VariantType::Float, _) => Variant::Float(json.double()?),
        (_, VariantType::String, _) => Variant::String(text(json)?),
        (_, VariantType::StringName, _) => Variant::StringName(text(json)?.into()),
        (_, VariantType::NodePath, _) => {
            let fields = json.fields(&["absolute", "names", "subnames", "property"])?;
            let [Some(absolute), Some(names), Some(subnames), property] = fields else { return Err(wrong()) };
            let Part::Bool(absolute) = *absolute.part() else { return Err(wrong()) };
            let (names, subnames) = (names.list(text)?, subnames.list(text)?);
            Variant::from(NodePath { absolute, names, subnames, property: property.map(text).transpose()? })
        }
        (_, VariantType::RID, _) => Variant::RID(json.decimal("an unsigned 64-bit integer")?),
        (_, VariantType::Signal, _) => {
            let [Some(name), Some(id)] = json.fields(&["name", "object_id"])? else { return Err(wrong()) };
            Variant::from(Signal { name: name.string("a string")?.to_owned(), object_id: id.object_id()? })
        }
        (_, VariantType::Image, _) => image(json)?.into(),
        (_, VariantType::InputEvent, _) => input_event(json)?.into(),
        _ => return Err(wrong()),
    })
}

/// Describes the JSON of a type.
fn form(variant_type: VariantType) -> &'static str {
    match variant_type {
        VariantType::Nil | VariantType::Callable => "null",
        VariantType::Bool => "true or false",
        VariantType::PackedByteArray => "a string of hexadecimal digits, two for each byte",
        VariantType::NodePath => "an object with the keys absolute, names and subnames",
        VariantType::Signal => "an object with the keys name and object_id",
        _ => "of another form",
    }
}

fn of_each_vector(count: usize) -> Fault {
    format!("each vector must have {count} components")
}

/// Components in one precision.
enum Components {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Components {
    fn as_reals(&self) -> Reals<'_> {
        match self {
            Self::Single(components) => Reals::Single(components),
            Self::Double(components) => Reals::Double(components),
        }
    }
}

/// Reads vectors of `count` components each, in the given precision or else in the one that the first hexadecimal digits have.
fn reals<'p, 't: 'p>(
    vectors: impl Iterator<Item = Json<'p, 't>> + Clone,
    count: usize,
    precision: Option<&str>,
    wrong: impl Fn() -> Fault,
) -> Result<Components, Fault> {
    let double = match precision {
        Some("double") => true,
        Some("single") => false,
        Some(_) => return Err("`precision` must be \"single\" or \"double\"".to_owned()),
        None => {
            let digits =
                vectors.clone().filter_map(Json::members).flatten().find_map(|component| match component.part() {
                    Part::Text(digits) => Some(digits.len()),
                    _ => None,
                });
            digits == Some(16)
        }
    };
    Ok(if double {
        Components::Double(components(vectors, Json::double, count, wrong)?)
    } else {
        Components::Single(components(vectors, Json::single, count, wrong)?)
    })
}

/// Reads the components of vectors.
fn components<'p, 't: 'p, T>(
    vectors: impl Iterator<Item = Json<'p, 't>>,
    component: impl Fn(Json<'p, 't>) -> Result<T, Fault>,
    count: usize,
    wrong: impl Fn() -> Fault,
) -> Result<Vec<T>, Fault> {
    let mut components = Vec::new();
    for vector in vectors {
        let before = components.len();
        for member in vector.members().ok_or("expected a list of components")? {
            components.push(component(member)?);
        }
        if components.len() != before + count {
            return Err(wrong());
        }
    }
    Ok(components)
}

fn color(json: Json<'_, '_>) -> Result<Color, Fault> {
    let components = json.list(Json::single)?;
    let components = <[f32; 4]>::try_from(components).map_err(|_| "a Color must have 4 components")?;
    Ok(components.into())
}
