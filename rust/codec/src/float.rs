//! Conversions between 32-bit and 64-bit floats that preserve NaN payloads.
//!
//! Rust does not specify the bits of a converted NaN. The processors that engines run on do: they keep the sign and the
//! upper payload bits and set the quiet bit.

const QUIET_32: u32 = 1 << 22;
const QUIET_64: u64 = 1 << 51;

/// Converts to 64 bits, as `(double)value` in the engine.
#[inline]
pub(crate) fn widen(value: f32) -> f64 {
    if value.is_nan() { f64::from_bits(widen_bits(value).to_bits() | QUIET_64) } else { f64::from(value) }
}

/// Converts to 32 bits, as `(float)value` in the engine.
#[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest is what the engine does")]
pub(crate) fn narrow(value: f64) -> f32 {
    if value.is_nan() { f32::from_bits(narrow_bits(value).to_bits() | QUIET_32) } else { value as f32 }
}

/// Converts to 64 bits without quieting a NaN.
pub(crate) fn widen_bits(value: f32) -> f64 {
    if !value.is_nan() {
        return f64::from(value);
    }
    let bits = value.to_bits();
    let sign = u64::from(bits >> 31) << 63;
    let payload = u64::from(bits & 0x007F_FFFF) << 29;
    f64::from_bits(sign | 0x7FF0_0000_0000_0000 | payload)
}

/// Converts what [`widen_bits`] has returned back to 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "the number had 32 bits")]
pub(crate) fn narrow_bits(value: f64) -> f32 {
    if !value.is_nan() {
        return value as f32;
    }
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u32) << 31;
    let payload = ((bits >> 29) as u32) & 0x007F_FFFF;
    f32::from_bits(sign | 0x7F80_0000 | payload)
}

/// Converts to 32 bits if that is exact. The engine then writes the value in 32 bits. Returns `None` for NaN.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what is lost shows in the comparison")]
pub(crate) fn narrow_exactly(value: f64) -> Option<f32> {
    let narrowed = value as f32;
    #[expect(clippy::float_cmp, reason = "the engine's own test; no NaN passes it")]
    let exact = f64::from(narrowed) == value;
    exact.then_some(narrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_a_signalling_nan_quiets_it_and_keeps_its_payload() {
        assert_eq!(widen(f32::from_bits(0xFF80_0001)).to_bits(), 0xFFF8_0000_2000_0000);
    }

    #[test]
    fn narrowing_a_nan_keeps_the_upper_payload_and_is_quiet() {
        assert_eq!(narrow(f64::from_bits(0x7FF0_0000_4000_0000)).to_bits(), 0x7FC0_0002);
    }

    #[test]
    fn only_values_that_survive_are_narrowed_exactly() {
        assert_eq!(narrow_exactly(0.1), None);
        assert_eq!(narrow_exactly(1e39), None);
        assert_eq!(narrow_exactly(f64::NAN), None);
        assert_eq!(narrow_exactly(f64::INFINITY), Some(f32::INFINITY));
        assert_eq!(narrow_exactly(-0.0).map(f32::to_bits), Some(0x8000_0000));
    }
}
