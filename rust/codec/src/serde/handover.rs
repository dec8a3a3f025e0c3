//! Passes a value of any type from the reader to `Variant`, with the options to read it. Serde has no other way to pass
//! both.

use serde_core::de::value::U64Deserializer;
use serde_core::de::{DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::DecodeError;
use crate::options::ReadOptions;
use crate::serde::error::unexpected;
use crate::{Architecture, Limits, Precision, Profile};

/// The variant of an enum whose index is the options, and whose content is the encoded value.
pub(super) struct Handover<'t> {
    options: u64,
    encoded: &'t [u8],
}

impl<'t> Handover<'t> {
    pub(super) fn new(options: &ReadOptions, encoded: &'t [u8]) -> Self {
        let profile = Profile::ALL.iter().position(|profile| *profile == options.profile).unwrap_or_default();
        let precision = match options.precision {
            None => 0,
            Some(Precision::Single) => 1,
            Some(Precision::Double) => 2,
        };
        let flags = [
            options.objects,
            options.enforces_types,
            options.is_release,
            options.fixes_engine_bugs,
            options.slow_path_only,
            options.keeps_text,
            options.keeps_marks,
        ];
        let architecture = Architecture::ALL.iter().position(|known| *known == options.architecture);
        let architecture = architecture.unwrap_or_default() as u64;
        let flags = flags.iter().rev().fold(0, |word, flag| word << 1 | u64::from(*flag));
        Self { options: (profile as u64) << 24 | architecture << 16 | precision << 8 | flags, encoded }
    }
}

/// Returns the options of a handover. Its limits have been checked.
pub(super) fn options(word: u64) -> ReadOptions {
    let flag = |index: u32| word >> index & 1 != 0;
    ReadOptions {
        profile: usize::try_from(word >> 24)
            .ok()
            .and_then(|index| Profile::ALL.get(index))
            .copied()
            .unwrap_or_default(),
        objects: flag(0),
        strict: false,
        zero_padding: false,
        enforces_types: flag(1),
        limits: Limits::NONE,
        precision: match word >> 8 & 0xFF {
            1 => Some(Precision::Single),
            2 => Some(Precision::Double),
            _ => None,
        },
        is_release: flag(2),
        architecture: Architecture::ALL.get((word >> 16 & 0xFF) as usize).copied().unwrap_or_default(),
        fixes_engine_bugs: flag(3),
        keeps_text: flag(5),
        keeps_marks: flag(6),
        slow_path_only: flag(4),
    }
}

impl<'de> EnumAccess<'de> for Handover<'_> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), DecodeError> {
        let options: U64Deserializer<DecodeError> = self.options.into_deserializer();
        Ok((seed.deserialize(options)?, self))
    }
}

impl<'de> VariantAccess<'de> for Handover<'_> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Err(unexpected("a Variant", "a unit"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, DecodeError> {
        seed.deserialize(Encoded(self.encoded))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_bytes(self.encoded)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_bytes(self.encoded)
    }
}

struct Encoded<'t>(&'t [u8]);

impl<'de> Deserializer<'de> for Encoded<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_bytes(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
