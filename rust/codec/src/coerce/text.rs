//! The text of values that contain no others, as `str` returns it in the engine.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::geometry::integers_of;
use super::node_path;
use super::number::to_i64;
use crate::Variant;
use crate::float::widen;
use crate::variant::{Color, Object, Reals};

/// Returns the text of a value. Returns `None` for text, containers and packed arrays, and if the text is not known
/// exactly: for an object, whose id differs in every run, and a signal of an object.
pub(crate) fn text_of_simple(value: &Variant, is_double: bool) -> Option<String> {
    Some(match value {
        Variant::Nil => "<null>".to_owned(),
        Variant::Bool(value) => value.to_string(),
        Variant::Int(value) => value.to_string(),
        Variant::Float(value) => text_of_float(*value),
        Variant::NodePath(path) => node_path::to_text(path),
        Variant::RID(id) => format!("RID({})", id.cast_signed()),
        Variant::Color(color) => text_of_color(*color),
        Variant::Object(Object::Null) => "<Object#null>".to_owned(),
        // A packet does not contain the target of a callable.
        Variant::Callable => "null::null".to_owned(),
        Variant::Signal(signal) if signal.object_id == 0 => format!("null::[signal]{}", signal.name),
        Variant::Vector2i(_) | Variant::Vector3i(_) | Variant::Vector4i(_) => {
            let integers = integers_of(value)?;
            format!("({})", join(integers.iter().map(ToString::to_string)))
        }
        Variant::Rect2i(rect) => {
            let [x, y, width, height] = rect.to_array();
            format!("[P: ({x}, {y}), S: ({width}, {height})]")
        }
        _ => text_of_reals(value, value.as_reals()?, is_double)?,
    })
}

pub(crate) fn text_of_float(value: f64) -> String {
    WIDE.show(value, WHOLE_WITH_POINT)
}

pub(crate) fn text_of_color(color: Color) -> String {
    const DECIMALS: usize = 4;
    let components = color.to_array().map(|component| show_decimals(widen(component), DECIMALS));
    format!("({})", join(components.into_iter()))
}

pub(crate) fn text_of_vector(reals: Reals<'_>, is_double: bool) -> String {
    let show = |index| text_of_component(reals, index, WHOLE_WITH_POINT, is_double);
    format!("({})", join((0..reals.len()).map(show)))
}

fn text_of_component(reals: Reals<'_>, index: usize, whole: &str, is_double: bool) -> String {
    match reals {
        Reals::Single(components) if is_double => WIDE.show(widen(components[index]), whole),
        Reals::Single(components) => NARROW.show(widen(components[index]), whole),
        Reals::Double(components) => WIDE.show(components[index], whole),
    }
}

fn text_of_reals(value: &Variant, reals: Reals<'_>, is_double: bool) -> Option<String> {
    let show = |index: usize, whole: &str| text_of_component(reals, index, whole, is_double);
    let group = |indices: &[usize]| format!("({})", join(indices.iter().map(|index| show(*index, WHOLE_WITH_POINT))));
    Some(match value {
        Variant::Vector2(_) | Variant::Vector3(_) | Variant::Vector4(_) => text_of_vector(reals, is_double),
        Variant::Quaternion(_) => format!("({})", join((0..4).map(|index| show(index, WHOLE_WITHOUT_POINT)))),
        Variant::Plane(_) => format!("[N: {}, D: {}]", group(&[0, 1, 2]), show(3, WHOLE_WITHOUT_POINT)),
        Variant::Rect2(_) => format!("[P: {}, S: {}]", group(&[0, 1]), group(&[2, 3])),
        Variant::AABB(_) => format!("[P: {}, S: {}]", group(&[0, 1, 2]), group(&[3, 4, 5])),
        Variant::Transform2D(_) => {
            format!("[X: {}, Y: {}, O: {}]", group(&[0, 1]), group(&[2, 3]), group(&[4, 5]))
        }
        Variant::Basis(_) => {
            format!("[X: {}, Y: {}, Z: {}]", group(&[0, 3, 6]), group(&[1, 4, 7]), group(&[2, 5, 8]))
        }
        Variant::Transform3D(_) => {
            let (x, y, z) = (group(&[0, 3, 6]), group(&[1, 4, 7]), group(&[2, 5, 8]));
            format!("[X: {x}, Y: {y}, Z: {z}, O: {}]", group(&[9, 10, 11]))
        }
        Variant::Projection(_) => {
            let column = |first: usize| group(&[first, first + 1, first + 2, first + 3]);
            format!("[X: {}, Y: {}, Z: {}, W: {}]", column(0), column(4), column(8), column(12))
        }
        _ => return None,
    })
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// The suffix of a number without a fraction.
const WHOLE_WITH_POINT: &str = ".0";
const WHOLE_WITHOUT_POINT: &str = "";

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
    /// `String.num_real` of the engine.
    fn show(&self, value: f64, whole: &str) -> String {
        /// Decimals if none would be left.
        const FALLBACK: usize = 6;
        let integer = to_i64(value);
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
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').len());
        if text.ends_with('.') {
            text.push('0');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;
    use crate::variant::{Basis, Plane, Quaternion, Signal, Vector2};

    fn shown(value: impl Into<Variant>) -> String {
        text_of_simple(&value.into(), false).unwrap()
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
        assert_eq!(text_of_simple(&Variant::from(Object::Id(1)), false), None);
        assert_eq!(text_of_simple(&signal("a", 1), false), None);
    }
}
