//! The sequences that are read and written as packed arrays.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::VariantType;
use crate::serde::error::{into_array, is_own};
use crate::serde::names;
use crate::serde::packed::{FromPacked, Packed, PackedSequence};
use crate::serde::packed_element::{Element, FromElement};

/// An element of a sequence that is written.
struct Written<'e, E>(&'e E);

impl<E: Element> Serialize for Written<'_, E> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// The elements of a sequence that is written.
struct Elements<I>(I);

impl<'e, E: Element + 'e, I: Iterator<Item = &'e E> + Clone> Serialize for Elements<I> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone().map(Written))
    }
}

macro_rules! sequences {
    ($([$($generics:tt)*] $sequence:ty;)*) => {$(
        impl<$($generics)*> PackedSequence for $sequence {
            const ARRAY: VariantType = E::ARRAY;

            fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(names::of(E::ARRAY), &Elements(self.iter()))
            }
        }
    )*};
}

sequences! {
    [E: Element] [E];
    [E: Element] Vec<E>;
    [E: Element] Box<[E]>;
    [E: Element] VecDeque<E>;
    [E: Element, const N: usize] [E; N];
    [E: Element + Clone] Cow<'_, [E]>;
}

impl<T: PackedSequence + ?Sized> PackedSequence for &T {
    const ARRAY: VariantType = T::ARRAY;

    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize_packed(serializer)
    }
}

impl<T: PackedSequence> PackedSequence for Option<T> {
    const ARRAY: VariantType = T::ARRAY;

    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Packed).serialize(serializer)
    }
}

macro_rules! from_vec {
    ($([$($bound:tt)*] $sequence:ty;)*) => {$(
        impl<'de, E: FromElement<'de> $($bound)*> FromPacked<'de> for $sequence {
            fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = ElementsVisitor(PhantomData::<E>);
                deserializer.deserialize_newtype_struct(names::of(E::ARRAY), visitor).map(Self::from)
            }
        }
    )*};
}

from_vec! {
    [] Vec<E>;
    [] Box<[E]>;
    [] VecDeque<E>;
    [+ Clone] Cow<'_, [E]>;
}

impl<'de, E: FromElement<'de>, const N: usize> FromPacked<'de> for [E; N] {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        into_array(Vec::<E>::deserialize_packed(deserializer)?)
    }
}

impl<'de, T: FromPacked<'de>> FromPacked<'de> for Option<T> {
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(|Packed(sequence)| sequence))
    }
}

/// Reads an element.
struct ElementSeed<E>(PhantomData<E>);

impl<'de, E: FromElement<'de>> DeserializeSeed<'de> for ElementSeed<E> {
    type Value = E;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<E, D::Error> {
        E::read(deserializer)
    }
}

/// Reads elements.
struct ElementsVisitor<E>(PhantomData<E>);

impl<'de, E: FromElement<'de>> Visitor<'de> for ElementsVisitor<E> {
    type Value = Vec<E>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(E::ARRAY.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<E>, D::Error> {
        // Bytes in one of serde's buffers are no sequence.
        if E::ARRAY == VariantType::PackedByteArray && is_own::<D::Error>() {
            return deserializer.deserialize_bytes(self);
        }
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<E>, A::Error> {
        // At most 64 KiB before the elements are there.
        let limit = 0x1_0000 / size_of::<E>().max(1);
        let mut elements = Vec::with_capacity(access.size_hint().unwrap_or_default().min(limit));
        while let Some(element) = access.next_element_seed(ElementSeed(PhantomData))? {
            elements.push(element);
        }
        Ok(elements)
    }

    fn visit_bytes<R: Error>(self, bytes: &[u8]) -> Result<Vec<E>, R> {
        bytes.iter().map(|byte| E::read((*byte).into_deserializer())).collect()
    }
}
