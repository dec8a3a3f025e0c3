//! Reads values that contain no others from JSON.

use alloc::{borrow::ToOwned, format, vec::Vec};

use super::godot2::{image, input_event, text};
use super::tape::{Fault, Json, Part};
use crate::variant::{Color, NodePath, Reals, Signal};
use crate::variant_type::{Number, Shape};
use crate::{Variant, VariantType};

/// Reads a value of a type from the JSON of its content. A packed array of vectors may have its precision beside it.
pub(super) fn leaf(variant_type: VariantType, json: Json<'_, '_>, precision: Option<&str>) -> Result<Variant, Fault> {
    let wrong = || format!("`value` of {} has the wrong form", variant_type.with_article());
    Ok(match (variant_type.shape(), variant_type, json.part()) {
        (Shape::Fixed(Number::Real, count), ..) => {
            let wrong = || format!("{} must have {count} components", variant_type.with_article());
            let components = reals([json], count, wrong)?;
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
            let vectors = json.list(|vector| match vector.list(Json::integer)? {
                components if components.len() == count => Ok(components),
                _ => Err(format!("each vector must have {count} components")),
            })?;
            Variant::from_packed_integers(variant_type, &vectors.concat()).ok_or_else(wrong)?
        }
        (Shape::Packed(Number::Int64, _), ..) => json.list(Json::decimal)?.into(),
        (Shape::Packed(Number::Float32, 1), ..) => json.list(Json::single)?.into(),
        (Shape::Packed(Number::Float32, _), ..) => json.list(color)?.into(),
        (Shape::Packed(Number::Float64, _), ..) => json.list(Json::double)?.into(),
        (Shape::Packed(Number::Real, count), ..) => {
            let vectors = json.members().ok_or("expected a list of vectors")?;
            let all = || format!("each vector must have {count} components, all of one precision");
            let components = reals(vectors, count, all)?;
            let reals = match (components.as_reals(), precision) {
                (reals, None) => reals,
                (reals @ Reals::Double(_), Some("double")) | (reals @ Reals::Single(_), Some("single")) => reals,
                (reals, Some("double")) if reals.is_empty() => Reals::Double(&[]),
                _ => return Err("`precision` must be \"single\" or \"double\", as the vectors".to_owned()),
            };
            Variant::from_packed_reals(variant_type, reals).ok_or_else(wrong)?
        }
        (_, VariantType::PackedStringArray, _) => json.list(text)?.into(),
        (_, VariantType::Nil, Part::Null) => Variant::Nil,
        (_, VariantType::Callable, Part::Null) => Variant::Callable,
        (_, VariantType::Bool, Part::Bool(value)) => Variant::Bool(*value),
        (_, VariantType::Int, _) => Variant::Int(json.decimal()?),
        (_, VariantType::Float, Part::Text(_)) => Variant::Float(json.double()?),
        (_, VariantType::String, _) => Variant::String(text(json)?),
        (_, VariantType::StringName, _) => Variant::StringName(text(json)?.into()),
        (_, VariantType::NodePath, _) => {
            let fields = json.fields(&["absolute", "names", "subnames", "property"])?;
            let [Some(absolute), Some(names), Some(subnames), property] = fields else { return Err(wrong()) };
            let Part::Bool(absolute) = *absolute.part() else { return Err(wrong()) };
            let (names, subnames) = (names.list(text)?, subnames.list(text)?);
            Variant::from(NodePath { absolute, names, subnames, property: property.map(text).transpose()? })
        }
        (_, VariantType::RID, Part::Text(digits)) => {
            Variant::RID(digits.parse().map_err(|_| format!("{digits:?} is not an unsigned 64-bit integer"))?)
        }
        (_, VariantType::Signal, _) => {
            let [Some(name), Some(id)] = json.fields(&["name", "object_id"])? else { return Err(wrong()) };
            Variant::from(Signal { name: name.string("a string")?.to_owned(), object_id: id.object_id()? })
        }
        (_, VariantType::Image, _) => image(json)?.into(),
        (_, VariantType::InputEvent, _) => input_event(json)?.into(),
        _ => return Err(wrong()),
    })
}

/// Components in one precision: one of the lists is empty.
struct Components(Vec<f32>, Vec<f64>);

impl Components {
    fn as_reals(&self) -> Reals<'_> {
        if self.1.is_empty() { Reals::Single(&self.0) } else { Reals::Double(&self.1) }
    }
}

/// Reads vectors of `count` components each, in the precision that the number of digits of the first one indicates.
fn reals<'p, 't: 'p>(
    vectors: impl IntoIterator<Item = Json<'p, 't>>,
    count: usize,
    wrong: impl Fn() -> Fault,
) -> Result<Components, Fault> {
    let mut components = Components(Vec::new(), Vec::new());
    for vector in vectors {
        let first = vector.members().ok_or("expected a list of components")?.next();
        let is_double = first.is_some_and(|first| matches!(first.part(), Part::Text(digits) if digits.len() == 16));
        let before = components.as_reals().len();
        if is_double {
            components.1.extend(vector.list(Json::double)?);
        } else {
            components.0.extend(vector.list(Json::single)?);
        }
        if components.as_reals().len() != before + count || !components.0.is_empty() && is_double {
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
