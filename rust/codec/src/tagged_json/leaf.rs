//! Reads values that contain no others from JSON.

use alloc::{borrow::ToOwned, format, vec::Vec};

use super::godot2::{image, input_event, text};
use super::parts::{Fault, decimal, double, fields, hex_bytes, integer, list, single, string_at};
use super::tape::{Part, Tape};
use crate::variant::{Color, NodePath, Reals, Signal};
use crate::variant_type::{Number, Shape};
use crate::{Variant, VariantType};

/// Reads a value of a type from the JSON of its content.
pub(super) fn leaf(tape: &Tape<'_>, variant_type: VariantType, position: usize) -> Result<Variant, Fault> {
    let wrong = || format!("`value` of a {variant_type} has the wrong form");
    Ok(match (variant_type.shape(), variant_type, tape.part(position)) {
        (Shape::Fixed(Number::Real, count), ..) => {
            let components = reals(tape, position)?;
            let value = Variant::from_reals(variant_type, components.as_reals());
            value.ok_or_else(|| format!("a {variant_type} must have {count} components"))?
        }
        (Shape::Fixed(Number::Int32, count), ..) => {
            let value = Variant::from_integers(variant_type, &list(tape, position, integer)?);
            value.ok_or_else(|| format!("a {variant_type} must have {count} components"))?
        }
        (Shape::Fixed(..), ..) => Variant::Color(color(tape, position)?),
        (Shape::Packed(Number::Byte, _), _, Part::Text(digits)) => hex_bytes(digits)?.into(),
        (Shape::Packed(Number::Int32, 1), ..) => list(tape, position, integer)?.into(),
        (Shape::Packed(Number::Int32, count), ..) => {
            let integers = integer_vectors(tape, position, count)?;
            Variant::from_packed_integers(variant_type, &integers).ok_or_else(wrong)?
        }
        (Shape::Packed(Number::Int64, _), ..) => list(tape, position, decimal)?.into(),
        (Shape::Packed(Number::Float32, 1), ..) => list(tape, position, single)?.into(),
        (Shape::Packed(Number::Float32, _), ..) => list(tape, position, color)?.into(),
        (Shape::Packed(Number::Float64, _), ..) => list(tape, position, double)?.into(),
        (Shape::Packed(Number::Real, count), ..) => {
            let components = real_vectors(tape, position, count)?;
            Variant::from_packed_reals(variant_type, components.as_reals()).ok_or_else(wrong)?
        }
        (_, VariantType::PackedStringArray, _) => list(tape, position, text)?.into(),
        (_, VariantType::Nil, Part::Null) => Variant::Nil,
        (_, VariantType::Callable, Part::Null) => Variant::Callable,
        (_, VariantType::Bool, Part::Bool(value)) => Variant::Bool(*value),
        (_, VariantType::Int, _) => Variant::Int(decimal(tape, position)?),
        (_, VariantType::Float, Part::Text(_)) => Variant::Float(double(tape, position)?),
        (_, VariantType::String, _) => Variant::String(text(tape, position)?),
        (_, VariantType::StringName, _) => Variant::StringName(text(tape, position)?.into()),
        (_, VariantType::NodePath, _) => {
            let fields = fields(tape, position, &["absolute", "names", "subnames", "property"])?;
            let [Some(absolute), Some(names), Some(subnames), property] = fields else { return Err(wrong()) };
            let Part::Bool(absolute) = *tape.part(absolute) else { return Err(wrong()) };
            Variant::from(NodePath {
                absolute,
                names: list(tape, names, text)?,
                subnames: list(tape, subnames, text)?,
                property: property.map(|property| text(tape, property)).transpose()?,
            })
        }
        (_, VariantType::RID, Part::Text(digits)) => {
            Variant::RID(digits.parse().map_err(|_| format!("{digits:?} is not an unsigned 64-bit integer"))?)
        }
        (_, VariantType::Signal, _) => {
            let [Some(name), Some(id)] = fields(tape, position, &["name", "object_id"])? else {
                return Err(wrong());
            };
            let name = string_at(tape, name, "a string")?.to_owned();
            Variant::from(Signal { name, object_id: object_id(tape, id)? })
        }
        (_, VariantType::Image, _) => image(tape, position)?.into(),
        (_, VariantType::InputEvent, _) => input_event(tape, position)?.into(),
        _ => return Err(wrong()),
    })
}

/// Reads an instance id, which is signed in scripts and unsigned on the wire.
pub(super) fn object_id(tape: &Tape<'_>, position: usize) -> Result<u64, Fault> {
    let digits = string_at(tape, position, "an instance id")?;
    let signed = digits.parse::<i64>().map(i64::cast_unsigned);
    signed.or_else(|_| digits.parse()).map_err(|_| format!("{digits:?} is not a 64-bit instance id"))
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

/// Reads components in the precision that the number of digits of the first one indicates.
fn reals(tape: &Tape<'_>, position: usize) -> Result<Components, Fault> {
    let first = tape.members(position).ok_or("expected a list of components")?.next();
    let is_double = first.is_some_and(|first| matches!(tape.part(first), Part::Text(digits) if digits.len() == 16));
    if is_double {
        list(tape, position, double).map(Components::Double)
    } else {
        list(tape, position, single).map(Components::Single)
    }
}

fn color(tape: &Tape<'_>, position: usize) -> Result<Color, Fault> {
    let components = list(tape, position, single)?;
    let components = <[f32; 4]>::try_from(components).map_err(|_| "a Color must have 4 components")?;
    Ok(components.into())
}

/// Reads the components of vectors of `count` integers each.
fn integer_vectors(tape: &Tape<'_>, position: usize, count: usize) -> Result<Vec<i32>, Fault> {
    let vectors = list(tape, position, |tape, vector| match list(tape, vector, integer)? {
        components if components.len() == count => Ok(components),
        _ => Err(format!("each vector must have {count} components")),
    })?;
    Ok(vectors.concat())
}

/// Reads the components of vectors of `count` reals each, all in the same precision.
fn real_vectors(tape: &Tape<'_>, position: usize, count: usize) -> Result<Components, Fault> {
    let wrong = || format!("each vector must have {count} components, all of one precision");
    let (mut singles, mut doubles) = (Vec::new(), Vec::new());
    for vector in tape.members(position).ok_or("expected a list of vectors")? {
        match reals(tape, vector)? {
            Components::Single(vector) if vector.len() == count => singles.extend(vector),
            Components::Double(vector) if vector.len() == count => doubles.extend(vector),
            _ => return Err(wrong()),
        }
    }
    match (singles.is_empty(), doubles.is_empty()) {
        (_, true) => Ok(Components::Single(singles)),
        (true, false) => Ok(Components::Double(doubles)),
        (false, false) => Err(wrong()),
    }
}
