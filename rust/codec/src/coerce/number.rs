//! Converts text to numbers.

use crate::Architecture;

/// 10 to the powers of two, from which an exponent is composed.
const POWERS_OF_TEN: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];

const DIGITS_READ: usize = 18;

/// `String.to_int`: reads all digits before the first point and ignores other characters between them. Each minus
/// before the first nonzero digit flips the sign.
///
/// Text with 20 or more digits, including leading zeros, saturates if it is out of range. Text with 19 digits wraps
/// around.
pub(crate) fn parse_int(text: &str) -> i64 {
    const TENTH: u64 = i64::MAX.unsigned_abs() / 10;
    let mut magnitude: u64 = 0;
    // The engine counts digits in 8 bits, so the check is skipped after every 256 digits.
    let mut digit_count: u8 = 0;
    let mut negative = false;
    for byte in text.bytes().take_while(|byte| *byte != b'.') {
        match byte {
            b'0'..=b'9' => {
                let digit = u64::from(byte - b'0');
                let last = if negative { 8 } else { 7 };
                if digit_count > 18 && (magnitude > TENTH || (magnitude == TENTH && digit > last)) {
                    return if negative { i64::MIN } else { i64::MAX };
                }
                magnitude = magnitude.wrapping_mul(10).wrapping_add(digit);
                digit_count = digit_count.wrapping_add(1);
            }
            b'-' if magnitude == 0 => negative = !negative,
            _ => {}
        }
    }
    let number = magnitude.cast_signed();
    if negative { number.wrapping_neg() } else { number }
}

/// `String.to_float`, which rounds more than once and so is often slightly off. Returns `None` for an exponent of ten
/// or more digits, which overflows in the engine, and for a NaN that is not known.
pub(crate) fn parse_float(text: &str, architecture: Architecture) -> Option<f64> {
    let (negative, text) = sign(text.trim_start_matches([' ', '\t', '\n']).as_bytes());
    let magnitude = parse_magnitude(text, architecture)?;
    Some(if negative { -magnitude } else { magnitude })
}

/// Splits off a sign, and returns whether it is a minus.
const fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

fn parse_magnitude(text: &[u8], architecture: Architecture) -> Option<f64> {
    let mut point = None;
    let mut length = 0;
    for byte in text {
        match byte {
            b'0'..=b'9' => {}
            b'.' if point.is_none() => point = Some(length),
            _ => break,
        }
        length += 1;
    }
    let (mantissa, rest) = text.split_at(length);
    let digit_count = length - usize::from(point.is_some());
    if digit_count == 0 {
        return Some(0.0);
    }
    let digits_read = digit_count.min(DIGITS_READ);
    let mut digits = mantissa.iter().filter(|byte| **byte != b'.');
    let mut next_digits = |count: usize| {
        f64::from(digits.by_ref().take(count).fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
    };
    // Two exact halves; their sum is rounded.
    let upper = next_digits(digits_read.saturating_sub(DIGITS_READ / 2));
    let lower = next_digits(digits_read.min(DIGITS_READ / 2));
    let fraction = 1e9 * upper + lower;
    let written = if let [b'e' | b'E', rest @ ..] = rest {
        let (negative, rest) = sign(rest);
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            // The engine then also ignores the point: "1.5e" is 15.
            return Some(fraction);
        }
        let magnitude: i32 = str::from_utf8(&rest[..length]).ok()?.parse().ok()?;
        if negative { -magnitude } else { magnitude }
    } else {
        0
    };
    let digits_before_point = i32::try_from(point.unwrap_or(length)).ok()?;
    let exponent = written.checked_add(digits_before_point)?.checked_sub(i32::try_from(digits_read).ok()?)?;
    let scaled = scale(fraction, exponent);
    if scaled.is_nan() { architecture.default_nan() } else { Some(scaled) }
}

/// Returns `fraction` times 10 to the power of `exponent`, multiplied in the engine's order.
fn scale(fraction: f64, exponent: i32) -> f64 {
    // The product of all powers is infinity.
    const GREATEST: u32 = 511;
    let magnitude = exponent.unsigned_abs().min(GREATEST);
    let mut power = 1.0;
    for (bit, factor) in POWERS_OF_TEN.iter().enumerate() {
        if magnitude >> bit & 1 == 1 {
            power *= factor;
        }
    }
    if exponent < 0 { fraction / power } else { fraction * power }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_float(text: &str) -> Option<f64> {
        super::parse_float(text, Architecture::X86_64)
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn text_is_an_int_by_its_digits_before_a_point() {
        for (text, number) in [("", 0), ("12.9", 12), ("1_0", 10), ("0x10", 10), ("1e5", 15), ("１", 0), (".5", 0)] {
            assert_eq!(parse_int(text), number, "{text}");
        }
    }

    #[test]
    fn each_minus_before_the_digits_flips_the_sign() {
        for (text, number) in [("-5", -5), ("--5", 5), ("+-5", -5), ("0-5", -5), ("5-5", 55)] {
            assert_eq!(parse_int(text), number, "{text}");
        }
    }

    #[test]
    fn an_int_of_19_digits_wraps_around() {
        assert_eq!(parse_int("9223372036854775808"), i64::MIN);
        assert_eq!(parse_int("-9223372036854775809"), i64::MAX);
        assert_eq!(parse_int("9999999999999999999"), -8_446_744_073_709_551_617);
    }

    #[test]
    fn an_int_of_more_digits_saturates() {
        assert_eq!(parse_int("09223372036854775808"), i64::MAX);
        assert_eq!(parse_int("09223372036854775807"), i64::MAX);
        assert_eq!(parse_int("-09223372036854775808"), i64::MIN);
        assert_eq!(parse_int("-99999999999999999999"), i64::MIN);
        assert_eq!(parse_int("00000000000000000000012"), 12);
    }

    #[test]
    fn after_256_digits_an_int_wraps_around_again() {
        assert_eq!(parse_int(&("0".repeat(256) + "9999999999999999999")), -8_446_744_073_709_551_617);
        assert_eq!(parse_int(&("0".repeat(257) + "9999999999999999999")), i64::MAX);
    }

    #[test]
    fn a_float_ends_at_the_first_other_character() {
        for (text, number) in [("1.5x", 1.5), (" \t\n5", 5.0), ("\r5", 0.0), (".5", 0.5), ("1..5", 1.0), ("nan", 0.0)] {
            assert_eq!(parse_float(text), Some(number), "{text}");
        }
        assert_eq!(parse_float("-x").map(f64::to_bits), Some((-0.0_f64).to_bits()));
    }

    #[test]
    fn an_exponent_without_digits_removes_the_point() {
        assert_eq!(parse_float("-1.5e-"), Some(-15.0));
    }

    #[test]
    fn digits_from_the_nineteenth_on_are_zeros() {
        assert_eq!(parse_float("12345678901234567890"), Some(12_345_678_901_234_567_168.0));
        assert_eq!(parse_float("0.000000000000000001"), Some(0.0));
    }

    #[test]
    fn exponents_are_composed_of_powers_of_two() {
        assert_eq!(parse_float("1e400"), Some(f64::INFINITY));
        assert_eq!(parse_float("5e-324"), Some(0.0));
        assert_eq!(parse_float("0e400").map(f64::to_bits), Some(0xFFF8_0000_0000_0000));
        assert_eq!(parse_float("-0e400").map(f64::to_bits), Some(0x7FF8_0000_0000_0000));
    }

    /// Observed on 4.6.3 for `arm64`; WebAssembly leaves the sign open.
    #[test]
    fn the_nan_of_zero_times_infinity_depends_on_the_architecture() {
        let parsed = |architecture| super::parse_float("0e400", architecture).map(f64::to_bits);
        assert_eq!(parsed(Architecture::Arm64), Some(0x7FF8_0000_0000_0000));
        assert_eq!(parsed(Architecture::Wasm32), None);
    }

    #[test]
    fn an_exponent_that_overflows_is_not_known() {
        assert_eq!(parse_float("1e4294967301"), None);
    }
}
