//! `Serialize` and `Deserialize` for the types made of numbers.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde_core::ser::{Error as _, Serialize, SerializeSeq, SerializeTuple, Serializer};

use crate::VariantType;
use crate::error::EncodeError;
use crate::float::{narrow, narrow_bits, widen};
use crate::serde::buffered::has_pattern;
use crate::serde::error::is_own;
use crate::serde::names;
use crate::variant::{
    AABB, Basis, Color, Plane, Projection, Quaternion, Reals, Rect2, Rect2i, Text, Transform2D, Transform3D, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// The reals of a vector, as a tuple.
pub(super) struct Components<'v>(pub(super) Reals<'v>);

impl Serialize for Components<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        match self.0 {
            Reals::Single(reals) => reals.iter().try_for_each(|real| tuple.serialize_element(real))?,
            Reals::Double(reals) => reals.iter().try_for_each(|real| tuple.serialize_element(real))?,
        }
        tuple.end()
    }
}

/// The reals of a packed array, and the number of reals in each element.
pub(super) struct Vectors<'v>(pub(super) Reals<'v>, pub(super) usize);

impl Serialize for Vectors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(reals, count) = *self;
        let mut seq = serializer.serialize_seq(Some(reals.len() / count))?;
        match (reals, count) {
            (Reals::Single(reals), 1) => reals.iter().try_for_each(|real| seq.serialize_element(real))?,
            (Reals::Double(reals), 1) => reals.iter().try_for_each(|real| seq.serialize_element(real))?,
            (Reals::Single(reals), _) => {
                reals
                    .chunks_exact(count)
                    .try_for_each(|vector| seq.serialize_element(&Components(Reals::Single(vector))))?;
            }
            (Reals::Double(reals), _) => {
                reals
                    .chunks_exact(count)
                    .try_for_each(|vector| seq.serialize_element(&Components(Reals::Double(vector))))?;
            }
        }
        seq.end()
    }
}

impl Serialize for Text {
    /// Text that is not valid Unicode is an error for this crate's serializer; a tree keeps it. In other formats, it has
    /// U+FFFD.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Text with a NUL is refused with its position.
        let is_own = || type_name::<S::Error>() == type_name::<EncodeError>();
        if !self.is_unicode() && !self.contains('\0') && is_own() {
            return Err(S::Error::custom("text is not valid Unicode, which only a tree can hold; convert it first"));
        }
        serializer.serialize_str(self)
    }
}

/// A component, in the precision in which it was read.
enum Component {
    Single(f32),
    Double(f64),
    Int(i64),
}

struct ComponentVisitor;

impl Visitor<'_> for ComponentVisitor {
    type Value = Component;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number")
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<Component, E> {
        Ok(Component::Single(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Component, E> {
        Ok(Component::Double(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Component, E> {
        Ok(Component::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Component, E> {
        i64::try_from(value).map(Component::Int).map_err(|_| E::custom("a component is too large"))
    }
}

/// Reads a component of an integer or of a real type, in the form in which formats that do not describe themselves have it.
struct ComponentSeed {
    is_integer: bool,
}

impl<'de> DeserializeSeed<'de> for ComponentSeed {
    type Value = Component;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Component, D::Error> {
        if self.is_integer {
            deserializer.deserialize_i32(ComponentVisitor)
        } else {
            deserializer.deserialize_f32(ComponentVisitor)
        }
    }
}

impl Component {
    #[expect(clippy::cast_precision_loss, reason = "as the engine converts an int to a float")]
    fn double(&self) -> f64 {
        match self {
            Self::Single(value) => widen(*value),
            Self::Double(value) => *value,
            Self::Int(value) => *value as f64,
        }
    }

    fn single(&self) -> f32 {
        match self {
            Self::Single(value) => *value,
            other => narrow(other.double()),
        }
    }

    /// Returns a component in single precision, some of which are buffered as doubles.
    fn unbuffered(&self) -> f32 {
        match self {
            Self::Double(value) => narrow_bits(*value),
            other => other.single(),
        }
    }

    fn int<E: Error>(&self) -> Result<i32, E> {
        let int = match self {
            Self::Int(value) => i32::try_from(*value).ok(),
            Self::Single(_) | Self::Double(_) => None,
        };
        int.ok_or_else(|| E::custom("a component is not an int of 32 bits"))
    }
}

/// Receives the components of a type.
struct VectorVisitor<T> {
    variant_type: VariantType,
    /// Whether components of 8 bytes keep their precision. Other formats have no other floats.
    keeps_doubles: bool,
    vector: PhantomData<T>,
}

/// What the precisions of components say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precisions {
    /// Nothing: all are meant in single precision.
    Single,
    /// All are meant in double precision if one is.
    Kept,
    /// All are in single precision. The buffer has some as doubles.
    Buffered,
}

/// A type that is made of components.
trait FromComponents: Sized {
    const IS_INTEGER: bool = false;

    fn from_components<E: Error>(components: &[Component], precisions: Precisions) -> Result<Self, E>;
}

impl<'de, T: FromComponents> Visitor<'de> for VectorVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.variant_type.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<T, D::Error> {
        // Serde's buffers do not know that their content is not human-readable.
        self.keeps_doubles = !deserializer.is_human_readable() || is_own::<D::Error>();
        let components = self.variant_type.real_components() + self.variant_type.integer_components();
        let components = if self.variant_type == VariantType::Color { 4 } else { components };
        deserializer.deserialize_tuple(components, self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        let mut components = [const { Component::Int(0) }; 16];
        let mut count = 0;
        while let Some(place) = components.get_mut(count) {
            let seed = ComponentSeed { is_integer: T::IS_INTEGER };
            let Some(component) = access.next_element_seed(seed)? else { break };
            *place = component;
            count += 1;
        }
        let components = &mut components[..count];
        let is_buffered = !is_own_access::<A>() && is_buffered(self.variant_type, components);
        if is_buffered {
            names::transpose(self.variant_type, components);
        }
        let precisions = match (is_buffered, self.keeps_doubles) {
            (true, _) => Precisions::Buffered,
            (false, true) => Precisions::Kept,
            (false, false) => Precisions::Single,
        };
        T::from_components::<A::Error>(components, precisions).map_err(|error| {
            if is_length(count, self.variant_type) { error } else { A::Error::invalid_length(count, &self) }
        })
    }
}

/// Returns whether components come from a sequence of this crate, and not from one of serde's buffers.
fn is_own_access<A>() -> bool {
    let mut name = type_name::<A>();
    // Not `trim_start_matches`, which is not evaluated by the compiler.
    while let Some(target) = name.strip_prefix("&mut ") {
        name = target;
    }
    name.starts_with(concat!(env!("CARGO_CRATE_NAME"), "::"))
}

/// Returns whether components in single precision come from one of serde's buffers, which has a matrix column by column.
fn is_buffered(variant_type: VariantType, components: &[Component]) -> bool {
    let are_real = components.iter().all(|component| !matches!(component, Component::Int(_)));
    let is_double = |component: &Component| matches!(component, Component::Double(_));
    are_real && has_pattern(variant_type, components.iter().map(is_double))
}

fn is_length(count: usize, variant_type: VariantType) -> bool {
    let components = variant_type.real_components() + variant_type.integer_components();
    count == if variant_type == VariantType::Color { 4 } else { components }
}

macro_rules! serde_impls {
    ($($name:ident)*) => {$(
        impl<'de> Deserialize<'de> for $name {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let variant_type = VariantType::$name;
                let visitor = VectorVisitor { variant_type, keeps_doubles: true, vector: PhantomData };
                deserializer.deserialize_newtype_struct(names::of(variant_type), visitor)
            }
        }
    )*};
}

macro_rules! reals {
    ($($name:ident[$count:literal])*) => {
        $(
            impl Serialize for $name {
                #[inline]
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_newtype_struct(names::of(VariantType::$name), &Components(self.0.as_reals()))
                }
            }

            impl FromComponents for $name {
                #[inline]
                fn from_components<E: Error>(components: &[Component], precisions: Precisions) -> Result<Self, E> {
                    let components: &[Component; $count] = components.try_into().map_err(E::custom)?;
                    let is_double = || components.iter().any(|component| matches!(component, Component::Double(_)));
                    Ok(match precisions {
                        Precisions::Buffered => components.each_ref().map(Component::unbuffered).into(),
                        Precisions::Kept if is_double() => {
                            Self::from_f64_array(components.each_ref().map(Component::double))
                        }
                        _ => components.each_ref().map(Component::single).into(),
                    })
                }
            }
        )*
        serde_impls! { $($name)* }
    };
}

macro_rules! integers {
    ($($name:ident[$count:literal])*) => {
        $(
            impl Serialize for $name {
                #[inline]
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_newtype_struct(names::of(VariantType::$name), &self.to_array())
                }
            }

            impl FromComponents for $name {
                const IS_INTEGER: bool = true;

                #[inline]
                fn from_components<E: Error>(components: &[Component], _: Precisions) -> Result<Self, E> {
                    let components: &[Component; $count] = components.try_into().map_err(E::custom)?;
                    let mut integers = [0; $count];
                    for (integer, component) in integers.iter_mut().zip(components) {
                        *integer = component.int()?;
                    }
                    Ok(integers.into())
                }
            }
        )*
        serde_impls! { $($name)* }
    };
}

reals! {
    Vector2[2] Vector3[3] Vector4[4] Rect2[4] Plane[4] Quaternion[4] AABB[6] Transform2D[6] Basis[9] Transform3D[12]
    Projection[16]
}

integers! { Vector2i[2] Vector3i[3] Vector4i[4] Rect2i[4] }

impl Serialize for Color {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::of(VariantType::Color), &self.to_array())
    }
}

impl FromComponents for Color {
    fn from_components<E: Error>(components: &[Component], _: Precisions) -> Result<Self, E> {
        let components: &[Component; 4] = components.try_into().map_err(E::custom)?;
        Ok(components.each_ref().map(Component::unbuffered).into())
    }
}

serde_impls! { Color }
