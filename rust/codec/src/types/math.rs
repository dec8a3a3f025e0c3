//! Types with a fixed number of reals or integers.

use crate::build::builder::Builder;
use crate::error::{DecodeError, EncodeErrorKind};
use crate::float::{narrow, widen};
use crate::read::input::Input;
use crate::variant::Reals;
use crate::wire::{FLAG_WIDE, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Precision, VariantType};

/// The reason to refuse 4-byte components in strict reading.
pub(crate) const NARROW_IN_DOUBLE: &str = "4-byte components in a double-precision engine";

/// The number of bytes that Pandemonium requires to be left for a `Projection`, which takes 64.
const PANDEMONIUM_PROJECTION: usize = 248;

// A type with another number of reals needs a line in `read_reals`.
const _: () = {
    let mut types = VariantType::ALL;
    while let [variant_type, rest @ ..] = types {
        assert!(matches!(variant_type.real_components(), 0 | 2 | 3 | 4 | 6 | 9 | 12 | 16));
        types = rest;
    }
};

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_reals(&mut self, variant_type: VariantType, flags: u32) -> Result<B::Value, DecodeError> {
        if variant_type == VariantType::Projection
            && self.imitates_vector_bugs()
            && self.cursor.remaining() < PANDEMONIUM_PROJECTION
        {
            return Err(self.cursor.truncated(PANDEMONIUM_PROJECTION));
        }
        let wide = flags & FLAG_WIDE != 0 && self.options.profile.has_double_precision();
        if !wide && self.options.strict {
            let written_so =
                self.options.precision != Some(Precision::Double) || !self.options.profile.flags_wide(variant_type);
            self.require(written_so, self.cursor.position() - 2, NARROW_IN_DOUBLE)?;
        }
        match variant_type.real_components() {
            2 => self.read_components::<2>(variant_type, wide),
            3 => self.read_components::<3>(variant_type, wide),
            4 => self.read_components::<4>(variant_type, wide),
            6 => self.read_components::<6>(variant_type, wide),
            9 => self.read_components::<9>(variant_type, wide),
            12 => self.read_components::<12>(variant_type, wide),
            _ => self.read_components::<16>(variant_type, wide),
        }
    }

    fn read_components<const N: usize>(
        &mut self,
        variant_type: VariantType,
        wide: bool,
    ) -> Result<B::Value, DecodeError> {
        if wide {
            return self.read_wide_components::<N>(variant_type);
        }
        let mut components = [0.0; N];
        self.read_numbers(&mut components, f32::from_le_bytes)?;
        self.charge(B::COSTS.reals(N, false), 0)?;
        self.reread_fourth(variant_type);
        Ok(self.builder.reals(variant_type, Reals::Single(&components)))
    }

    fn read_wide_components<const N: usize>(&mut self, variant_type: VariantType) -> Result<B::Value, DecodeError> {
        let start = self.cursor.position();
        let mut components = [0.0; N];
        self.read_numbers(&mut components, f64::from_le_bytes)?;
        self.charge(B::COSTS.reals(N, true), 0)?;
        if self.options.precision == Some(Precision::Single) {
            self.require(false, start - 2, "8-byte components in a single-precision engine")?;
            return Ok(self.builder.reals(variant_type, Reals::Single(&components.map(narrow))));
        }
        Ok(self.builder.reals(variant_type, Reals::Double(&components)))
    }

    #[inline]
    fn read_numbers<T, const SIZE: usize>(
        &mut self,
        numbers: &mut [T],
        from_bytes: impl Fn([u8; SIZE]) -> T,
    ) -> Result<(), DecodeError> {
        let bytes = self.cursor.take(numbers.len() * SIZE)?;
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = from_bytes(*bytes);
        }
        Ok(())
    }

    /// Returns whether to imitate the bugs of Pandemonium 3.8 and later.
    pub(crate) fn imitates_vector_bugs(&self) -> bool {
        self.options.profile.has_faulty_vectors() && self.imitates_engine_bugs()
    }

    /// Imitates a bug of Pandemonium: it reads a `Vector4` or `Vector4i` but advances by only three components, so the
    /// next value is read from the fourth one.
    fn reread_fourth(&mut self, variant_type: VariantType) {
        if matches!(variant_type, VariantType::Vector4 | VariantType::Vector4i) && self.imitates_vector_bugs() {
            self.cursor = self.cursor.at(self.cursor.position() - WORD);
        }
    }

    pub(crate) fn read_integers(&mut self, variant_type: VariantType) -> Result<B::Value, DecodeError> {
        let mut components = [0; 4];
        let components = &mut components[..variant_type.integer_components()];
        self.read_numbers(components, i32::from_le_bytes)?;
        self.reread_fourth(variant_type);
        Ok(self.builder.integers(variant_type, components))
    }

    pub(crate) fn read_color(&mut self) -> Result<B::Value, DecodeError> {
        let mut components = [0.0; 4];
        self.read_numbers(&mut components, f32::from_le_bytes)?;
        Ok(self.builder.color(components))
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a type made of a few 4-byte reals with a single call of the sink. `BYTES` is its length with the header.
    #[inline(always)]
    pub(crate) fn few_reals<const BYTES: usize>(&mut self, header: u32, components: &[f32]) {
        let mut bytes = [0; BYTES];
        let (first, rest) = bytes.split_at_mut(WORD);
        first.copy_from_slice(&header.to_le_bytes());
        for (bytes, component) in rest.as_chunks_mut().0.iter_mut().zip(components) {
            *bytes = component.to_le_bytes();
        }
        self.sink.put(&bytes);
    }

    /// Writes a type made of reals: the header and its components in wire order, 4 or 8 bytes each. [Example](Self)
    ///
    /// # Panics
    /// If the number of components is not that of the type.
    #[inline]
    pub fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Result<(), EncodeErrorKind> {
        assert_eq!(reals.len(), variant_type.real_components(), "components of {variant_type}");
        let wide = self.writes_wide(reals.precision());
        let header = u32::from(self.type_id(variant_type)?);
        match (reals, wide) {
            (Reals::Single(components @ [_, _]), false) => self.few_reals::<12>(header, components),
            (Reals::Single(components @ [_, _, _]), false) => self.few_reals::<16>(header, components),
            (Reals::Single(components @ [_, _, _, _]), false) => self.few_reals::<20>(header, components),
            _ => {
                self.word(header | self.wide_flag(variant_type, wide));
                self.components(reals, wide);
            }
        }
        Ok(())
    }

    /// Writes components without a header, with 8 bytes each if `wide` is set and 4 otherwise.
    pub(crate) fn components(&mut self, reals: Reals<'_>, wide: bool) {
        match (reals, wide) {
            (Reals::Single(components), false) => self.sink.put_numbers(components, f32::to_le_bytes),
            (Reals::Single(components), true) => self.sink.put_numbers(components, |real| widen(real).to_le_bytes()),
            (Reals::Double(components), true) => self.sink.put_numbers(components, f64::to_le_bytes),
            (Reals::Double(components), false) => self.sink.put_numbers(components, |real| narrow(real).to_le_bytes()),
        }
    }

    /// Writes a type made of 32-bit integers: the header and its components in wire order. [Example](Self)
    ///
    /// # Panics
    /// If the number of components is not that of the type.
    pub fn integers(&mut self, variant_type: VariantType, integers: &[i32]) -> Result<(), EncodeErrorKind> {
        assert_eq!(integers.len(), variant_type.integer_components(), "components of {variant_type}");
        self.header(variant_type, 0)?;
        integers.iter().for_each(|integer| self.word(integer.cast_unsigned()));
        Ok(())
    }

    /// Writes a `Color`: red, green, blue, alpha; 4 bytes each in every build. [Example](Self)
    pub fn color(&mut self, components: [f32; 4]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Color, 0)?;
        components.iter().for_each(|component| self.sink.put(&component.to_le_bytes()));
        Ok(())
    }
}
