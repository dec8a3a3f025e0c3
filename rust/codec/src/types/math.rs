//! Types with a fixed number of reals or integers.

use crate::build::builder::Builder;
use crate::error::{DecodeError, EncodeErrorKind};
use crate::float::{narrow, widen};
use crate::read::input::Input;
use crate::variant::Reals;
use crate::wire::FLAG_WIDE;
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Precision, VariantType};

/// The greatest number of components of a type: those of `Projection`.
const MOST: usize = 16;

/// The reason to refuse 4-byte components in strict reading.
pub(crate) const NARROW_IN_DOUBLE: &str = "4-byte components in a double-precision engine";

/// The number of bytes that Pandemonium requires to be left for a `Projection`, which takes 64.
const PANDEMONIUM_PROJECTION: usize = 248;

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_reals(&mut self, variant_type: VariantType, flags: u32) -> Result<B::Value, DecodeError> {
        let count = variant_type.real_components();
        if variant_type == VariantType::Projection
            && self.imitates_vector_bugs()
            && self.cursor.remaining() < PANDEMONIUM_PROJECTION
        {
            return Err(self.cursor.truncated(PANDEMONIUM_PROJECTION));
        }
        if flags & FLAG_WIDE == 0 || !self.options.profile.has_double_precision() {
            if self.options.strict {
                let written_so =
                    self.options.precision != Some(Precision::Double) || !self.options.profile.flags_wide(variant_type);
                self.require(written_so, self.cursor.position() - 2, NARROW_IN_DOUBLE)?;
            }
            match count {
                2 => return self.read_few_reals::<2>(variant_type),
                3 => return self.read_few_reals::<3>(variant_type),
                4 => return self.read_few_reals::<4>(variant_type),
                _ => {}
            }
            let mut components = [0.0; MOST];
            let bytes = self.cursor.take(count * 4)?;
            for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
                *component = f32::from_le_bytes(*bytes);
            }
            self.charge(B::COSTS.reals(count, false), 0)?;
            self.reread_fourth(variant_type);
            return Ok(self.builder.reals(variant_type, Reals::Single(&components[..count])));
        }
        let start = self.cursor.position();
        let mut components = [0.0; MOST];
        let bytes = self.cursor.take(count * 8)?;
        for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
            *component = f64::from_le_bytes(*bytes);
        }
        self.charge(B::COSTS.reals(count, true), 0)?;
        let components = &components[..count];
        if self.options.precision == Some(Precision::Single) {
            self.require(false, start - 2, "8-byte components in a single-precision engine")?;
            let mut narrowed = [0.0; MOST];
            for (narrowed, component) in narrowed.iter_mut().zip(components) {
                *narrowed = narrow(*component);
            }
            return Ok(self.builder.reals(variant_type, Reals::Single(&narrowed[..count])));
        }
        Ok(self.builder.reals(variant_type, Reals::Double(components)))
    }

    /// Reads the components of a common type, such as a vector.
    #[inline]
    fn read_few_reals<const N: usize>(&mut self, variant_type: VariantType) -> Result<B::Value, DecodeError> {
        let mut components = [0.0; N];
        let bytes = self.cursor.take(N * 4)?;
        for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
            *component = f32::from_le_bytes(*bytes);
        }
        self.charge(B::COSTS.reals(N, false), 0)?;
        self.reread_fourth(variant_type);
        Ok(self.builder.reals(variant_type, Reals::Single(&components)))
    }

    /// Returns whether to imitate the bugs of Pandemonium 3.8 and later.
    pub(crate) fn imitates_vector_bugs(&self) -> bool {
        self.options.profile.has_faulty_vectors() && self.imitates_engine_bugs()
    }

    /// Imitates a bug of Pandemonium: it reads a `Vector4` or `Vector4i` but advances by only three components, so the
    /// next value is read from the fourth one.
    fn reread_fourth(&mut self, variant_type: VariantType) {
        if matches!(variant_type, VariantType::Vector4 | VariantType::Vector4i) && self.imitates_vector_bugs() {
            self.cursor.go_back(4);
        }
    }

    pub(crate) fn read_integers(&mut self, variant_type: VariantType) -> Result<B::Value, DecodeError> {
        let mut components = [0; 4];
        let count = variant_type.integer_components();
        let bytes = self.cursor.take(count * 4)?;
        for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
            *component = i32::from_le_bytes(*bytes);
        }
        self.reread_fourth(variant_type);
        Ok(self.builder.integers(variant_type, &components[..count]))
    }

    pub(crate) fn read_color(&mut self) -> Result<B::Value, DecodeError> {
        let bytes: [u8; 16] = self.cursor.take_array()?;
        let mut components = [0.0; 4];
        for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
            *component = f32::from_le_bytes(*bytes);
        }
        Ok(self.builder.color(components))
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a type made of a few 4-byte reals with a single call of the sink.
    #[inline]
    fn few_reals<const N: usize, const SIZE: usize>(
        &mut self,
        variant_type: VariantType,
        components: &[f32; N],
    ) -> Result<(), EncodeErrorKind> {
        const { assert!(SIZE == 4 + 4 * N) };
        let id = self.options.profile.type_id(variant_type);
        let mut bytes = [0; SIZE];
        let words = bytes.as_chunks_mut::<4>().0;
        words[0] = u32::from(id.ok_or(EncodeErrorKind::UnsupportedType { variant_type })?).to_le_bytes();
        for (word, component) in words[1..].iter_mut().zip(components) {
            *word = component.to_le_bytes();
        }
        self.sink.put(&bytes);
        Ok(())
    }

    /// Writes a type made of reals: the header and its components in wire order, 4 or 8 bytes each.
    ///
    /// # Panics
    /// If the number of components is not that of the type.
    #[inline]
    pub fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Result<(), EncodeErrorKind> {
        assert_eq!(reals.len(), variant_type.real_components(), "components of {variant_type}");
        let wide = self.writes_wide(reals.precision());
        if let (Reals::Single(components), false) = (reals, wide) {
            match *components {
                [x, y] => return self.few_reals::<2, 12>(variant_type, &[x, y]),
                [x, y, z] => return self.few_reals::<3, 16>(variant_type, &[x, y, z]),
                [x, y, z, w] => return self.few_reals::<4, 20>(variant_type, &[x, y, z, w]),
                _ => {}
            }
        }
        self.header(variant_type, self.wide_flag(variant_type, wide))?;
        self.components(reals, wide);
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

    /// Writes a type made of 32-bit integers: the header and its components in wire order.
    ///
    /// # Panics
    /// If the number of components is not that of the type.
    pub fn integers(&mut self, variant_type: VariantType, integers: &[i32]) -> Result<(), EncodeErrorKind> {
        assert_eq!(integers.len(), variant_type.integer_components(), "components of {variant_type}");
        self.header(variant_type, 0)?;
        integers.iter().for_each(|integer| self.word(integer.cast_unsigned()));
        Ok(())
    }

    /// Writes a `Color`: red, green, blue, alpha; 4 bytes each in every build.
    pub fn color(&mut self, components: [f32; 4]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Color, 0)?;
        components.iter().for_each(|component| self.sink.put(&component.to_le_bytes()));
        Ok(())
    }
}
