//! Vectors in serde's buffers, which hold flattened fields and the content of some enums.
//!
//! A buffer has no Godot types, but it keeps whether a number has 32 or 64 bits. So each type made of numbers in single
//! precision is buffered with its own pattern of the two, and a [`Variant`] is read from the buffer with its type. Other
//! readers convert the numbers, which changes none.

use alloc::vec::Vec;
use core::any::type_name;

use serde_core::de::SeqAccess;

use crate::float::narrow_bits;
use crate::serde::leaves::{Number, Vector};
use crate::serde::names;
use crate::variant::Reals;
use crate::variant_type::Shape;
use crate::{Variant, VariantType};

/// Each type and its pattern: the components of 64 bits. A packed array has one for each of its elements. If all components
/// have 32 bits, or all have 64, the sequence is an array of numbers.
const PATTERNS: [(VariantType, u16); 20] = {
    use VariantType::*;
    [
        (Vector2, 0b01),
        (PackedVector2Array, 0b10),
        (Vector2i, 0b01),
        (Vector3, 0b001),
        (PackedVector3Array, 0b010),
        (Vector3i, 0b001),
        (Vector4, 0b0001),
        (Rect2, 0b0010),
        (Plane, 0b0011),
        (Quaternion, 0b0100),
        (Color, 0b0101),
        (PackedVector4Array, 0b0110),
        (PackedColorArray, 0b0111),
        (Vector4i, 0b0001),
        (Rect2i, 0b0010),
        (AABB, 0b01),
        (Transform2D, 0b10),
        (Basis, 1),
        (Transform3D, 1),
        (Projection, 1),
    ]
};

/// Returns whether the components of 64 bits are those of the type in a buffer.
pub(super) fn has_pattern(variant_type: VariantType, mut wide: impl Iterator<Item = bool>) -> bool {
    let pattern = PATTERNS.iter().find(|(of_type, _)| *of_type == variant_type).map(|(_, pattern)| *pattern);
    pattern.is_some_and(|pattern| (0..).zip(&mut wide).all(|(index, wide)| (pattern >> index & 1 != 0) == wide))
}

/// Returns whether the components are integers, and their number.
const fn components(variant_type: VariantType) -> (bool, usize) {
    match variant_type.shape() {
        Shape::Fixed(number, count) | Shape::Packed(number, count) => {
            (matches!(number, crate::variant_type::Number::Int32), count)
        }
        _ => (false, 0),
    }
}

/// Returns whether a visitor fills one of serde's buffers, which nothing else tells. They are named `ContentVisitor` and
/// `TagOrContentVisitor`.
#[inline]
pub(super) fn is_buffer<V>() -> bool {
    let name = type_name::<V>();
    name.starts_with("serde") && name.trim_end_matches("<'_>").ends_with("ContentVisitor")
}

impl Vector {
    /// Gives the numbers the pattern of their type, for a visitor that [fills a buffer](is_buffer). A matrix in single
    /// precision is ordered column by column, because glam reads it from there without its name.
    pub(super) fn buffered(mut self, variant_type: VariantType) -> Self {
        if matches!(self.numbers_mut(), [Number::Single(_), ..]) {
            names::transpose(variant_type, self.numbers_mut());
        }
        let pattern = PATTERNS.iter().find(|(of_type, _)| *of_type == variant_type).map_or(0, |(_, pattern)| *pattern);
        for (index, number) in self.numbers_mut().iter_mut().enumerate() {
            *number = match *number {
                Number::Single(value) if pattern >> index & 1 != 0 => Number::BufferedAsDouble(value),
                Number::Int(value) if pattern >> index & 1 == 0 => match i32::try_from(value) {
                    Ok(value) => Number::BufferedAsInt32(value),
                    Err(_) => Number::Int(value),
                },
                other => other,
            };
        }
        self
    }
}

/// A value in a buffer, or a value anywhere.
pub(super) enum Element {
    Single(f32),
    Double(f64),
    Int32(i32),
    Int64(i64),
    /// An element of a packed array.
    Packed(VariantType, Variant),
    Other(Variant),
}

/// What a value is read as.
pub(super) trait FromElement {
    fn from_element(element: Element) -> Self;
}

impl FromElement for Element {
    #[inline]
    fn from_element(element: Element) -> Self {
        element
    }
}

impl FromElement for Variant {
    #[inline]
    fn from_element(element: Element) -> Self {
        element.into_variant()
    }
}

impl Element {
    #[inline]
    fn into_variant(self) -> Variant {
        match self {
            Self::Single(number) => number.into(),
            Self::Double(number) => number.into(),
            Self::Int32(number) => number.into(),
            Self::Int64(number) => number.into(),
            Self::Packed(_, value) | Self::Other(value) => value,
        }
    }
}

/// Reads a sequence from a buffer.
pub(super) fn read_sequence<'de, A: SeqAccess<'de>>(mut access: A) -> Result<Element, A::Error> {
    let mut elements = Vec::new();
    while let Some(element) = access.next_element()? {
        elements.push(element);
    }
    Ok(vector(&elements)
        .or_else(|| packed(&elements).map(Element::Other))
        .unwrap_or_else(|| Element::Other(elements.into_iter().map(Element::into_variant).collect::<Vec<_>>().into())))
}

/// Returns the vector with this pattern.
fn vector(elements: &[Element]) -> Option<Element> {
    let (mut reals, mut integers, mut pattern) = ([0.0; 16], [0; 4], 0);
    let is_integer = matches!(elements.first()?, Element::Int32(_) | Element::Int64(_));
    for (index, element) in elements.iter().enumerate() {
        match (element, is_integer) {
            (Element::Single(number), false) => *reals.get_mut(index)? = *number,
            (Element::Double(number), false) => {
                *reals.get_mut(index)? = narrow_bits(*number);
                pattern |= 1 << index;
            }
            (Element::Int32(number), true) => *integers.get_mut(index)? = *number,
            (Element::Int64(number), true) => {
                *integers.get_mut(index)? = i32::try_from(*number).ok()?;
                pattern |= 1 << index;
            }
            _ => return None,
        }
    }
    let shape = (is_integer, elements.len());
    let (found, _) = PATTERNS.into_iter().find(|(of_type, own)| components(*of_type) == shape && *own == pattern)?;
    let single = found.packed_element().unwrap_or(found);
    names::transpose(found, &mut reals);
    let vector = match single {
        VariantType::Color => Variant::Color([reals[0], reals[1], reals[2], reals[3]].into()),
        _ if is_integer => Variant::from_integers(single, &integers[..elements.len()])?,
        _ => Variant::from_reals(single, Reals::Single(&reals[..elements.len()]))?,
    };
    Some(if single == found { Element::Other(vector) } else { Element::Packed(found, vector) })
}

/// Returns the packed array of these elements.
fn packed(elements: &[Element]) -> Option<Variant> {
    match elements.first()? {
        Element::Single(_) => {
            let number = |element: &Element| if let Element::Single(number) = element { Some(*number) } else { None };
            Some(elements.iter().map(number).collect::<Option<Vec<_>>>()?.into())
        }
        Element::Int32(_) => {
            let number = |element: &Element| if let Element::Int32(number) = element { Some(*number) } else { None };
            Some(elements.iter().map(number).collect::<Option<Vec<_>>>()?.into())
        }
        Element::Packed(first, _) => {
            let mut reals = Vec::new();
            for element in elements {
                match element {
                    Element::Packed(of_type, _) if of_type != first => return None,
                    Element::Packed(_, Variant::Color(color)) => reals.extend(color.to_array()),
                    Element::Packed(_, vector) => match vector.as_reals()? {
                        Reals::Single(components) => reals.extend(components),
                        Reals::Double(_) => return None,
                    },
                    _ => return None,
                }
            }
            Variant::from_packed_reals(*first, Reals::Single(&reals))
        }
        _ => None,
    }
}
