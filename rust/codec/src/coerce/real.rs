//! Arithmetic in either precision of the engine.

use core::ops::{Add, Div, Mul, Sub};

use crate::float::{narrow, widen};

/// A component: `f32`, or `f64` if the engine is built with `precision=double`.
pub(crate) trait Real:
    Copy + PartialOrd + Into<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    /// `CMP_EPSILON`: the greatest difference of values that count as equal.
    const TOLERANCE: Self;
    /// `UNIT_EPSILON`: the greatest difference from 1 that counts as 1.
    const UNIT_TOLERANCE: Self;
    /// The NaN of an invalid operation, with a sign that depends on the processor.
    const NEGATIVE_NAN: Self;
    const POSITIVE_NAN: Self;

    fn from_f32(value: f32) -> Self;
    fn from_f64(value: f64) -> Self;
    /// Returns a NaN as an operation returns it: quiet.
    fn quiet(self) -> Self;
    fn bit_eq(self, other: Self) -> bool;

    fn from_i32(value: i32) -> Self {
        Self::from_f64(value.into())
    }

    fn abs(self) -> Self {
        Self::from_f64(f64::abs(self.into()))
    }

    fn is_finite(self) -> bool {
        f64::is_finite(self.into())
    }

    fn is_nan(self) -> bool {
        f64::is_nan(self.into())
    }

    /// Returns the square root of a positive normal number or infinity, rounded to nearest. 64 bits have more than twice
    /// the digits of 32 bits, so rounding again changes nothing.
    fn square_root(self) -> Self {
        if self.is_finite() { Self::from_f64(square_root(self.into())) } else { self }
    }
}

/// What both types write alike, given the bits of the positive NaN, of the sign, and of a quiet NaN.
macro_rules! alike {
    ($nan:literal, $sign:literal, $quiet:literal) => {
        const ZERO: Self = 0.0;
        const HALF: Self = 0.5;
        const ONE: Self = 1.0;
        const TWO: Self = 2.0;
        const TOLERANCE: Self = 0.000_01;
        const UNIT_TOLERANCE: Self = 0.001;
        const NEGATIVE_NAN: Self = Self::from_bits($nan | $sign);
        const POSITIVE_NAN: Self = Self::from_bits($nan);

        fn quiet(self) -> Self {
            Self::from_bits(self.to_bits() | $quiet)
        }

        fn bit_eq(self, other: Self) -> bool {
            self.to_bits() == other.to_bits()
        }
    };
}

impl Real for f32 {
    alike! { 0x7FC0_0000, 0x8000_0000, 0x0040_0000 }

    fn from_f32(value: f32) -> Self {
        value
    }

    fn from_f64(value: f64) -> Self {
        narrow(value)
    }
}

impl Real for f64 {
    alike! { 0x7FF8_0000_0000_0000, 0x8000_0000_0000_0000, 0x0008_0000_0000_0000 }

    fn from_f32(value: f32) -> Self {
        widen(value)
    }

    fn from_f64(value: f64) -> Self {
        value
    }
}

/// Returns the square root of a positive normal number, rounded to nearest. `core` has no square root.
fn square_root(value: f64) -> f64 {
    const FRACTION_BITS: u32 = 52;
    const BIAS: i64 = 1023;
    let bits = value.to_bits();
    let significand = u128::from(bits & ((1 << FRACTION_BITS) - 1) | 1 << FRACTION_BITS);
    // The value is `significand` times 2 to this power.
    let exponent = (bits >> FRACTION_BITS).cast_signed() - BIAS - i64::from(FRACTION_BITS);
    // Shifted so that the root has two more digits than the result and the exponent is even.
    let shift = 58 + (exponent & 1);
    let radicand = significand << shift;
    let root = radicand.isqrt();
    // One more digit tells whether there is a remainder, so that rounding happens only once.
    let digits = root << 1 | u128::from(root * root != radicand);
    let exponent = (exponent - shift) / 2 - 1;
    #[expect(clippy::cast_precision_loss, reason = "this rounds to the nearest")]
    let rounded = digits as f64;
    rounded * f64::from_bits((exponent + BIAS).cast_unsigned() << FRACTION_BITS)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    /// Returns pseudorandom bits, the same in every run (`SplitMix64`).
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = *state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    #[test]
    fn the_square_root_is_that_of_the_processor() {
        let mut state = 1;
        for _ in 0..1_000_000 {
            let wide = f64::from_bits(random(&mut state) >> 1);
            if wide.is_normal() {
                assert_eq!(wide.square_root().to_bits(), f64::sqrt(wide).to_bits(), "{wide:e}");
            }
            let near_one = 0.5 + f64::from_bits(random(&mut state) >> 12 | 0x3FF0_0000_0000_0000);
            assert_eq!(near_one.square_root().to_bits(), f64::sqrt(near_one).to_bits(), "{near_one:e}");
        }
    }

    #[test]
    fn the_square_root_in_32_bits_is_that_of_the_processor() {
        // All numbers between two powers of four. Roots of other numbers differ only by a power of two.
        for bits in (0x3F80_0000..0x4080_0000_u32).step_by(if cfg!(debug_assertions) { 7 } else { 1 }) {
            let value = f32::from_bits(bits);
            assert_eq!(value.square_root().to_bits(), f32::sqrt(value).to_bits(), "{value:e}");
        }
    }

    #[test]
    fn the_square_root_of_a_square_is_exact() {
        for root in [1.0_f64, 3.0, 0.125, 94_906_265.0, 1.5e-150] {
            assert_eq!((root * root).square_root().to_bits(), f64::sqrt(root * root).to_bits());
        }
    }
}
