//! The members and containers that `varbytes::typed` takes.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::ser::{Serialize, Serializer};

use crate::serde::object::FullObject;
use crate::serde::packed::{Packed, PackedSequence};
use crate::serde::typed::{Class, Container, Member, Typed, serialize_members};
use crate::variant::*;
use crate::{Variant, VariantType};

macro_rules! members {
    ($($type:ident: $($member:ty),*;)*) => {$($(
        impl $crate::serde::typed::Member for $member {
            const TYPE: $crate::VariantType = $crate::VariantType::$type;
        }
    )*)*};
}
#[cfg(any(feature = "glam", feature = "mint"))]
pub(super) use members;

macro_rules! generic_members {
    ($($type:ident: [$($generics:tt)*] $member:ty;)*) => {$(
        impl<$($generics)*> Member for $member {
            const TYPE: VariantType = VariantType::$type;
        }
    )*};
}

members! {
    Nil: Variant;
    Bool: bool;
    Int: i8, u8, i16, u16, i32, u32, i64, u64, isize, usize;
    Float: f32, f64;
    String: String, &str, Box<str>, Cow<'_, str>, char, Text;
    Vector2: Vector2; Vector2i: Vector2i; Rect2: Rect2; Rect2i: Rect2i; Vector3: Vector3; Vector3i: Vector3i;
    Transform2D: Transform2D; Vector4: Vector4; Vector4i: Vector4i; Plane: Plane; Quaternion: Quaternion; AABB: AABB;
    Basis: Basis; Transform3D: Transform3D; Projection: Projection; Color: Color;
    NodePath: NodePath;
    Object: Object, ObjectData, Option<ObjectData>;
    Signal: Signal;
    Dictionary: Dictionary;
    Array: Array;
    PackedVector2Array: PackedReals<2>; PackedVector3Array: PackedReals<3>; PackedVector4Array: PackedReals<4>;
}

generic_members! {
    Array: [T: Serialize] Vec<T>;
    Array: [T: Serialize] Box<[T]>;
    Array: [T: Serialize] VecDeque<T>;
    Array: [T: Serialize] BTreeSet<T>;
    Array: [A: Serialize, B: Serialize] (A, B);
    Array: [A: Serialize, B: Serialize, C: Serialize] (A, B, C);
    Array: [A: Serialize, B: Serialize, C: Serialize, D: Serialize] (A, B, C, D);
    Dictionary: [K: Serialize, V: Serialize] BTreeMap<K, V>;
}

#[cfg(feature = "std")]
generic_members! {
    Array: [T: Serialize, H: core::hash::BuildHasher] std::collections::HashSet<T, H>;
    Dictionary: [K: Serialize, V: Serialize, H] std::collections::HashMap<K, V, H>;
}

impl<T, const N: usize> Member for [T; N]
where
    Self: Serialize,
{
    const TYPE: VariantType = VariantType::Array;
}

impl<T: PackedSequence> Member for Packed<T> {
    const TYPE: VariantType = T::ARRAY;
}

impl<C: Container> Member for Typed<C> {
    const TYPE: VariantType = C::TYPE;
}

impl<T: Class + Serialize> Member for FullObject<T> {
    const TYPE: VariantType = VariantType::Object;
    const CLASS: Option<&'static str> = Some(T::CLASS);
}

/// `None` is null, which every class allows.
impl<T: Class + Serialize> Member for Option<FullObject<T>> {
    const TYPE: VariantType = VariantType::Object;
    const CLASS: Option<&'static str> = Some(T::CLASS);
}

macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty;)*) => {$(
        impl<T: $($bound)*> Member for $pointer {
            const TYPE: VariantType = T::TYPE;
            const CLASS: Option<&'static str> = T::CLASS;
        }
    )*};
}

pointers! {
    [Member] &T;
    [Member] Box<T>;
    [Member + Clone] Cow<'_, T>;
}

macro_rules! sequences {
    ($([$($generics:tt)*] $sequence:ty;)*) => {$(
        impl<$($generics)*> Container for $sequence
        where
            Self: Serialize,
        {
            const TYPE: VariantType = VariantType::Array;

            fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize_members::<T, S>(self, serializer)
            }
        }
    )*};
}

sequences! {
    [T: Member] [T];
    [T: Member] Vec<T>;
    [T: Member] Box<[T]>;
    [T: Member, const N: usize] [T; N];
    [T: Member] VecDeque<T>;
    [T: Member] BTreeSet<T>;
    [T: Member + Clone] Cow<'_, [T]>;
}

#[cfg(feature = "std")]
sequences! { [T: Member, H: core::hash::BuildHasher] std::collections::HashSet<T, H>; }

impl<C: Container + ?Sized> Container for &C {
    const TYPE: VariantType = C::TYPE;

    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize_typed(serializer)
    }
}

impl<C: Container> Container for Option<C> {
    const TYPE: VariantType = C::TYPE;

    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Typed).serialize(serializer)
    }
}

/// A map inside of the type of its keys, with the type of its values.
struct Values<'m, M, V>(&'m M, PhantomData<V>);

impl<M: Serialize, V: Member> Serialize for Values<'_, M, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_members::<V, S>(self.0, serializer)
    }
}

macro_rules! maps {
    ($([$($generics:tt)*] $map:ty;)*) => {$(
        impl<K: Member, V: Member $($generics)*> Container for $map {
            const TYPE: VariantType = VariantType::Dictionary;

            fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize_members::<K, S>(&Values(self, PhantomData::<V>), serializer)
            }
        }
    )*};
}

maps! { [] BTreeMap<K, V>; }

#[cfg(feature = "std")]
maps! { [, H] std::collections::HashMap<K, V, H>; }
