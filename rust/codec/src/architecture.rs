//! The processor architecture of an engine, as far as conversions depend on it.

use core::fmt;
use core::str::FromStr;

use crate::coerce::Real;

/// The processor architecture that an engine is built for.
///
/// It changes how a float becomes an integer that cannot hold it, which happens when a typed container holds a value of
/// another type. All other bytes are the same on every architecture.
///
/// | float | [`X86_64`](Self::X86_64) | [`Arm64`](Self::Arm64), [`Wasm32`](Self::Wasm32) |
/// |---|---|---|
/// | above the range | the lowest integer | the highest integer |
/// | below the range | the lowest integer | the lowest integer |
/// | NaN | the lowest integer | 0 |
/// | negative, to a byte | its lowest 8 bits | 0 |
///
/// What an invalid operation returns, for example zero times infinity, is a negative NaN on `X86_64` and a positive one on
/// `Arm64`. On `Wasm32` the sign depends on the browser, so a conversion with such a result is refused.
///
/// The rules were observed in running engines; that for `Arm64` ran in an emulator.
///
/// ```
/// use varbytes::{Architecture, Decoder, Variant};
///
/// // An Array[int] that holds the float 1e19.
/// let packet = [28, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0, 61, 145, 96, 228, 88, 225, 67];
/// let member = |architecture| {
///     let value = Decoder::new().architecture(architecture).decode(&packet).unwrap();
///     let Variant::Array(array) = value else { unreachable!() };
///     array.elements()[0].clone()
/// };
/// assert_eq!(member(Architecture::X86_64), Variant::from(i64::MIN));
/// assert_eq!(member(Architecture::Wasm32), Variant::from(i64::MAX));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Architecture {
    /// `x86_64`, most computers; the default.
    #[default]
    X86_64,
    /// `arm64`, most phones and Macs.
    Arm64,
    /// `wasm32`, browsers.
    Wasm32,
}

impl Architecture {
    /// Every architecture.
    pub const ALL: &'static [Self] = &[Self::X86_64, Self::Arm64, Self::Wasm32];

    /// Its name, which `Engine.get_architecture_name` returns.
    ///
    /// ```
    /// assert_eq!(varbytes::Architecture::Arm64.name(), "arm64");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Arm64 => "arm64",
            Self::Wasm32 => "wasm32",
        }
    }

    /// Truncates a float to 64 bits.
    #[expect(clippy::cast_possible_truncation, reason = "cutting the fraction off is the purpose")]
    pub(crate) fn to_i64(self, value: f64) -> i64 {
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        let is_in_range = (-LIMIT..LIMIT).contains(&value);
        if is_in_range || self != Self::X86_64 { value as i64 } else { i64::MIN }
    }

    /// Truncates a float to 32 bits.
    #[expect(clippy::cast_possible_truncation, reason = "cutting the fraction off is the purpose")]
    pub(crate) fn to_i32(self, value: f64) -> i32 {
        const LIMIT: f64 = 2_147_483_648.0;
        let is_in_range = value > -LIMIT - 1.0 && value < LIMIT;
        if is_in_range || self != Self::X86_64 { value as i32 } else { i32::MIN }
    }

    /// Truncates a float to the lowest 8 bits of an integer of 32 bits, which is signed only on `x86_64`.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what the engine does")]
    pub(crate) fn to_u8(self, value: f64) -> u8 {
        if self == Self::X86_64 { self.to_i32(value) as u8 } else { value as u32 as u8 }
    }

    /// Returns the NaN of an invalid operation; `None` if it is not known.
    pub(crate) fn default_nan<R: Real>(self) -> Option<R> {
        match self {
            Self::X86_64 => Some(R::NEGATIVE_NAN),
            Self::Arm64 => Some(R::POSITIVE_NAN),
            Self::Wasm32 => None,
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name is not that of a known [`Architecture`].
///
/// ```
/// use varbytes::{Architecture, UnknownArchitecture};
///
/// assert_eq!("arm64".parse(), Ok(Architecture::Arm64));
/// assert_eq!("riscv64".parse::<Architecture>(), Err(UnknownArchitecture));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownArchitecture;

impl fmt::Display for UnknownArchitecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown architecture; the known ones are x86_64, arm64 and wasm32")
    }
}

impl core::error::Error for UnknownArchitecture {}

impl FromStr for Architecture {
    type Err = UnknownArchitecture;

    fn from_str(name: &str) -> Result<Self, UnknownArchitecture> {
        Self::ALL.iter().copied().find(|architecture| architecture.name() == name).ok_or(UnknownArchitecture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86_64: Architecture = Architecture::X86_64;
    const WASM32: Architecture = Architecture::Wasm32;

    // Expected values: observed on 4.6.3 (x86-64) and on 4.6.0 for the web.

    #[test]
    fn a_float_outside_64_bits_is_the_lowest_int_on_x86_64() {
        for value in [f64::NAN, f64::INFINITY, 1e19, 9_223_372_036_854_775_808.0, -1e19] {
            assert_eq!(X86_64.to_i64(value), i64::MIN, "{value}");
        }
        assert_eq!(X86_64.to_i64(-1.9), -1);
        assert_eq!(X86_64.to_i64(9_223_372_036_854_774_784.0), 9_223_372_036_854_774_784);
    }

    #[test]
    fn a_float_outside_32_bits_is_the_lowest_of_them_on_x86_64() {
        for value in [f64::NAN, f64::NEG_INFINITY, 1e10, 2_147_483_648.0, -2_147_483_649.0] {
            assert_eq!(X86_64.to_i32(value), i32::MIN, "{value}");
        }
        assert_eq!(X86_64.to_i32(2_147_483_647.9), i32::MAX);
    }

    #[test]
    fn a_float_outside_of_an_integer_becomes_the_nearest_on_wasm32() {
        assert_eq!([1e19, -1e19, f64::NAN].map(|value| WASM32.to_i64(value)), [i64::MAX, i64::MIN, 0]);
        assert_eq!([1e10, -1e10, f64::NAN].map(|value| WASM32.to_i32(value)), [i32::MAX, i32::MIN, 0]);
        assert_eq!([300.7, -1.5, 1e10, f64::NAN].map(|value| WASM32.to_u8(value)), [44, 0, 255, 0]);
    }

    #[test]
    fn every_architecture_is_found_by_its_name() {
        for architecture in Architecture::ALL {
            assert_eq!(architecture.name().parse(), Ok(*architecture));
        }
        assert_eq!("x86_32".parse::<Architecture>(), Err(UnknownArchitecture));
    }
}
