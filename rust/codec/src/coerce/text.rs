//! The text of values that contain no others, as `str` returns it in the engine.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::EngineBuild;
use super::node_path;
use crate::float::widen;
use crate::variant::{Object, Reals, View};
use crate::{Variant, VariantType};

/// Returns the text of a value. Returns `None` for text, containers and packed arrays, and if the text is not known
/// exactly: for an object, whose id differs in every run, and a signal of an object.
pub(crate) fn text_of_simple(value: &Variant, build: EngineBuild) -> Option<String> {
    let variant_type = value.variant_type();
    Some(match value.view() {
        // A packet does not contain the target of a callable.
        View::Nothing => if variant_type == VariantType::Callable { "null::null" } else { "<null>" }.to_owned(),
        View::Bool(value) => value.to_string(),
        View::Int(value) => value.to_string(),
        View::Float(value) => WIDE.show(value, ".0", build),
        View::NodePath(path) => node_path::to_text(path),
        View::Rid(id) => format!("RID({})", id.cast_signed()),
        View::Color(color) => fill("(0, 1, 2, 3)", |index| show_decimals(widen(color.to_array()[index]), 4)),
        View::Object(Object::Null) => "<Object#null>".to_owned(),
        View::Signal(signal) if signal.object_id == 0 => format!("null::[signal]{}", signal.name),
        View::Integers(integers) => fill(template(variant_type)?, |index| integers.as_slice()[index].to_string()),
        View::Reals(reals) => fill(template(variant_type)?, |index| {
            let whole = match (variant_type, index) {
                (VariantType::Quaternion, _) | (VariantType::Plane, 3) => "",
                _ => ".0",
            };
            match reals {
                Reals::Single(components) if build.is_double() => WIDE.show(widen(components[index]), whole, build),
                Reals::Single(components) => NARROW.show(widen(components[index]), whole, build),
                Reals::Double(components) => WIDE.show(components[index], whole, build),
            }
        }),
        _ => return None,
    })
}

/// Returns the text of a type that consists of several numbers, with their indices in wire order in their places.
const fn template(variant_type: VariantType) -> Option<&'static str> {
    use VariantType as T;
    Some(match variant_type {
        T::Vector2 | T::Vector2i => "(0, 1)",
        T::Vector3 | T::Vector3i => "(0, 1, 2)",
        T::Vector4 | T::Vector4i | T::Quaternion => "(0, 1, 2, 3)",
        T::Plane => "[N: (0, 1, 2), D: 3]",
        T::Rect2 | T::Rect2i => "[P: (0, 1), S: (2, 3)]",
        T::AABB => "[P: (0, 1, 2), S: (3, 4, 5)]",
        T::Transform2D => "[X: (0, 1), Y: (2, 3), O: (4, 5)]",
        T::Basis => "[X: (0, 3, 6), Y: (1, 4, 7), Z: (2, 5, 8)]",
        T::Transform3D => "[X: (0, 3, 6), Y: (1, 4, 7), Z: (2, 5, 8), O: (9, 10, 11)]",
        T::Projection => "[X: (0, 1, 2, 3), Y: (4, 5, 6, 7), Z: (8, 9, 10, 11), W: (12, 13, 14, 15)]",
        _ => return None,
    })
}

/// Replaces each index in a template.
fn fill(template: &str, show: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for part in template.split_inclusive(|character: char| !character.is_ascii_digit()) {
        let digits = part.trim_end_matches(|character: char| !character.is_ascii_digit());
        if let Ok(index) = digits.parse() {
            text.push_str(&show(index));
        }
        text.push_str(&part[digits.len()..]);
    }
    text
}

/// How a number is shown in one of the two precisions.
struct Digits {
    /// Decimals of a number below 10. Each further power of ten has one less.
    decimals: usize,
    /// The lowest number that counts as each power of ten, from 100 on. The engine uses the logarithm, which the C
    /// library (glibc) also rounds up to an integer for a few numbers below the power.
    powers_of_ten: &'static [f64],
}

const WIDE: Digits = Digits {
    decimals: 14,
    powers_of_ten: &[
        99.999_999_999_999_99,
        999.999_999_999_999_4,
        9_999.999_999_999_996,
        99_999.999_999_999_91,
        999_999.999_999_999,
        9_999_999.999_999_99,
        99_999_999.999_999_91,
        999_999_999.999_997_9,
        9_999_999_999.999_98,
        99_999_999_999.999_8,
        999_999_999_999.997_9,
        9_999_999_999_999.98,
        99_999_999_999_999.81,
        999_999_999_999_998.0,
    ],
};

const NARROW: Digits = Digits {
    decimals: 6,
    powers_of_ten: &[
        99.999_992_370_605_47,
        999.999_755_859_375,
        9_999.998_046_875,
        99_999.945_312_5,
        999_999.5,
        9_999_995.0,
    ],
};

impl Digits {
    /// `String.num_real` of the engine, with the suffix of a number without a fraction.
    fn show(&self, value: f64, whole: &str, build: EngineBuild) -> String {
        /// Decimals if none would be left.
        const FALLBACK: usize = 6;
        let integer = build.architecture.to_i64(value);
        #[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "the engine's own test")]
        if integer as f64 == value {
            return format!("{integer}{whole}");
        }
        let magnitude = value.abs();
        let power = if magnitude > 10.0 {
            1 + self.powers_of_ten.iter().take_while(|lowest| magnitude >= **lowest).count()
        } else {
            0
        };
        show_decimals(value, self.decimals.checked_sub(power).unwrap_or(FALLBACK))
    }
}

/// `String.num` of the engine: this many decimals without trailing zeros, except the first.
fn show_decimals(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_finite() && value.abs() >= FIRST_WHOLE {
        return whole_digits(value) + if decimals > 0 { ".0" } else { "" };
    }
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').len());
        if text.ends_with('.') {
            text.push('0');
        }
    }
    text
}

/// From here on, a float has no fraction.
const FIRST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Returns all digits of a finite number without a fraction. `format!` takes ten times as long for the longest ones.
fn whole_digits(value: f64) -> String {
    /// A limb has nine decimal digits. Shifted by so many bits, it fits into 64.
    const LIMB: u64 = 1_000_000_000;
    const SHIFT: u32 = 29;
    /// The digits of the largest float, rounded up.
    const LIMBS: usize = 35;
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = value.to_bits();
    let mut exponent = ((bits >> FRACTION_BITS) & 0x7FF) as u32 - (0x3FF + FRACTION_BITS);
    let mut limbs = [0_u64; LIMBS];
    let mut rest = bits & ((1 << FRACTION_BITS) - 1) | 1 << FRACTION_BITS;
    let mut count = 0;
    while rest > 0 {
        limbs[count] = rest % LIMB;
        rest /= LIMB;
        count += 1;
    }
    while exponent > 0 {
        let shift = exponent.min(SHIFT);
        exponent -= shift;
        let mut carry = 0;
        for limb in &mut limbs[..count] {
            let shifted = (*limb << shift) + carry;
            *limb = shifted % LIMB;
            carry = shifted / LIMB;
        }
        if carry > 0 {
            limbs[count] = carry;
            count += 1;
        }
    }
    let mut text = String::with_capacity(9 * count + 3);
    if value.is_sign_negative() {
        text.push('-');
    }
    let mut limbs = limbs[..count].iter().rev();
    if let Some(first) = limbs.next() {
        text.push_str(&first.to_string());
    }
    for limb in limbs {
        let mut power = LIMB / 10;
        while power > 0 {
            text.push(char::from(b'0' + (limb / power % 10) as u8));
            power /= 10;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::vec;

    use super::*;
    use crate::variant::{Basis, Color, Plane, Quaternion, Signal, Vector2};

    fn shown(value: impl Into<Variant>) -> String {
        text_of_simple(&value.into(), EngineBuild::default()).unwrap()
    }

    fn signal(name: &str, object_id: u64) -> Variant {
        Variant::Signal(Box::new(Signal { name: name.to_owned(), object_id }))
    }

    fn float(value: f64) -> String {
        shown(value)
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn simple_values_are_shown_as_they_print() {
        assert_eq!(shown(()), "<null>");
        assert_eq!(shown(true), "true");
        assert_eq!(shown(i64::MIN), "-9223372036854775808");
        assert_eq!(shown(Variant::RID(u64::MAX)), "RID(-1)");
        assert_eq!(shown(Variant::Callable), "null::null");
        assert_eq!(shown(Object::Null), "<Object#null>");
    }

    #[test]
    fn a_whole_float_has_one_decimal_and_no_sign_of_zero() {
        assert_eq!(float(1e18), "1000000000000000000.0");
        assert_eq!(float(1e20), "100000000000000000000.0");
        assert_eq!(float(-0.0), "0.0");
    }

    #[test]
    fn a_float_has_up_to_14_decimals() {
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(1.0 / 3.0), "0.33333333333333");
        assert_eq!(float(1e-20), "0.0");
        assert_eq!(float(-1e-20), "-0.0");
    }

    #[test]
    fn a_float_above_10_has_fewer_decimals() {
        assert_eq!(float(123_456_789.123_456_79), "123456789.123457");
        assert_eq!(float(99.999_999_999_999_99), "100.0");
    }

    #[test]
    fn a_float_that_has_no_decimals_left_has_no_point() {
        assert_eq!(float(123_456_789_012_345.5), "123456789012346");
    }

    #[test]
    fn the_digits_of_a_number_without_a_fraction_are_those_of_the_standard_library() {
        let mut values = vec![FIRST_WHOLE, f64::MAX, 1e16, 1e22, 1e23, 1e300, 123_456_789e100];
        values.extend((53..1024).map(|exponent| f64::from_bits((exponent + 0x3FF) << 52)));
        values.extend((53..1024).map(|exponent| f64::from_bits((exponent + 0x3FF) << 52 | 0x000F_EDCB_A987_6543)));
        for value in values.iter().flat_map(|value| [*value, -value]) {
            assert_eq!(whole_digits(value), format!("{value:.0}"));
        }
    }

    #[test]
    fn a_float_with_fewer_decimals_than_none_has_6() {
        assert_eq!(float(999_999_999_999_999.4), "999999999999999.375");
    }

    #[test]
    fn a_float_a_little_below_a_power_of_ten_counts_as_that_power() {
        assert_eq!(float(999.999_999_999_999_4), "1000.0");
        assert_eq!(float(999.999_999_999_999_3), "999.999999999999");
    }

    #[test]
    fn nan_and_infinity_have_names() {
        assert_eq!(float(f64::NAN), "nan");
        assert_eq!(float(f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn components_have_up_to_6_decimals() {
        assert_eq!(shown(Vector2::from([0.1_f32, 1.0 / 3.0])), "(0.1, 0.333333)");
        assert_eq!(shown(Vector2::from([1e10_f32, 99.99999])), "(10000000000.0, 100.0)");
        assert_eq!(shown(Vector2::from([1_234_567.5_f32, -0.0])), "(1234568, 0.0)");
    }

    #[test]
    fn whole_components_of_a_quaternion_have_no_decimal() {
        assert_eq!(shown(Quaternion::from([0.5_f32, 1.0, 2.0, -0.0])), "(0.5, 1, 2, 0)");
        assert_eq!(shown(Plane::from([1.0_f32, 2.0, 3.0, 4.5])), "[N: (1.0, 2.0, 3.0), D: 4.5]");
    }

    #[test]
    fn components_of_a_color_have_up_to_4_decimals() {
        assert_eq!(shown(Color::from([0.000_05, -0.0, 1e10, 1.0 / 3.0])), "(0.0, -0.0, 10000000000.0, 0.3333)");
    }

    #[test]
    fn a_basis_is_shown_by_its_axes() {
        let basis = Basis::from([1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(shown(basis), "[X: (1.0, 4.0, 7.0), Y: (2.0, 5.0, 8.0), Z: (3.0, 6.0, 9.0)]");
    }

    #[test]
    fn a_signal_without_an_object_shows_only_its_name() {
        assert_eq!(shown(signal("", 0)), "null::[signal]");
        assert_eq!(shown(signal("a\"b", 0)), "null::[signal]a\"b");
    }

    #[test]
    fn the_text_of_an_object_or_its_signal_is_not_known() {
        assert_eq!(text_of_simple(&Variant::from(Object::Id(1)), EngineBuild::default()), None);
        assert_eq!(text_of_simple(&signal("a", 1), EngineBuild::default()), None);
    }
}
