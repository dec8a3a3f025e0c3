//! Conversion between `Array` and packed arrays.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::EngineBuild;
use super::color;
use super::geometry::components;
use super::nested_text::text_of;
use super::number::{parse_float, parse_int};
use super::real::Real;
use crate::float::narrow;
use crate::variant::{Array, Color, PackedReals, Reals};
use crate::{Architecture, Variant, VariantType, work};

/// Returns an untyped array of the elements of a packed array; `None` for other values.
pub(crate) fn to_array(packed: Variant) -> Option<Array> {
    match packed {
        Variant::PackedStringArray(elements) => Some(elements.into_iter().map(Variant::from).collect()),
        packed => packed.packed_elements().map(Array::from_iter),
    }
}

/// Creates a packed array from members. A member of an unrelated type becomes zero. Returns `None` if an element is not
/// known exactly.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "integers lose their upper bits")]
pub(crate) fn from_array(members: &[Variant], to: VariantType, build: EngineBuild) -> Option<Variant> {
    let (architecture, is_double) = (build.architecture, build.is_double());
    work::add_bytes_of(|| members.iter().map(|member| 8 + member.content_size()).sum());
    Some(match to {
        VariantType::PackedByteArray => {
            integers(members, |value| architecture.to_u8(value), |value| value as u8)?.into()
        }
        VariantType::PackedInt32Array => {
            integers(members, |value| architecture.to_i32(value), |value| value as i32)?.into()
        }
        VariantType::PackedInt64Array => integers(members, |value| architecture.to_i64(value), |value| value)?.into(),
        VariantType::PackedFloat32Array => floats(members, architecture, narrow, |value| value as f32)?.into(),
        VariantType::PackedFloat64Array => floats(members, architecture, |value| value, |value| value as f64)?.into(),
        VariantType::PackedStringArray => {
            members.iter().map(|member| text_of(member, build)).collect::<Option<Vec<_>>>()?.into()
        }
        VariantType::PackedColorArray => members.iter().map(color_of).collect::<Vec<_>>().into(),
        VariantType::PackedVector2Array => Variant::PackedVector2Array(packed_vectors(members, is_double)),
        VariantType::PackedVector3Array => Variant::PackedVector3Array(packed_vectors(members, is_double)),
        VariantType::PackedVector4Array => Variant::PackedVector4Array(packed_vectors(members, is_double)),
        _ => return None,
    })
}

fn integers<T: Default>(members: &[Variant], float: impl Fn(f64) -> T, int: fn(i64) -> T) -> Option<Vec<T>> {
    numbers(members, float, int, |text| Some(int(parse_int(text))))
}

fn floats<T: Default>(
    members: &[Variant],
    architecture: Architecture,
    float: fn(f64) -> T,
    int: fn(i64) -> T,
) -> Option<Vec<T>> {
    numbers(members, float, int, |text| parse_float(text, architecture).map(float))
}

fn numbers<T: Default>(
    members: &[Variant],
    float: impl Fn(f64) -> T,
    int: fn(i64) -> T,
    text: impl Fn(&str) -> Option<T>,
) -> Option<Vec<T>> {
    let number = |member: &Variant| match member {
        Variant::Bool(value) => Some(int(i64::from(*value))),
        Variant::Int(value) => Some(int(*value)),
        Variant::Float(value) => Some(float(*value)),
        Variant::String(string) => text(string),
        _ => Some(T::default()),
    };
    members.iter().map(number).collect()
}

fn color_of(member: &Variant) -> Color {
    match member {
        Variant::Color(color) => *color,
        Variant::Int(number) => color::from_int(*number),
        Variant::String(text) => color::from_text(text),
        _ => color::BLACK,
    }
}

/// Uses double precision if any member has it, because then a double-precision engine wrote the packet.
fn packed_vectors<const N: usize>(members: &[Variant], is_double: bool) -> PackedReals<N> {
    let has_doubles = |member: &Variant| is_vector(member) && matches!(member.as_reals(), Some(Reals::Double(_)));
    if is_double || members.iter().any(has_doubles) {
        PackedReals::Double(Box::new(members.iter().map(vector).collect()))
    } else {
        PackedReals::Single(members.iter().map(vector).collect())
    }
}

fn vector<R: Real, const N: usize>(member: &Variant) -> [R; N] {
    if is_vector(member) { components(member) } else { [R::ZERO; N] }
}

fn is_vector(member: &Variant) -> bool {
    use VariantType as T;
    matches!(member.variant_type(), T::Vector2 | T::Vector2i | T::Vector3 | T::Vector3i | T::Vector4 | T::Vector4i)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::variant::{Object, Quaternion, Vector2, Vector2i, Vector4i};

    fn packed(members: &[Variant], to: VariantType) -> Variant {
        from_array(members, to, EngineBuild::default()).unwrap()
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn members_become_bytes_by_their_lowest_byte() {
        let members = [300.into(), (-1).into(), 300.7.into(), (-1.5).into(), 1e10.into(), "300".into(), true.into()];
        let bytes = packed(&members, VariantType::PackedByteArray);
        assert_eq!(bytes, Variant::PackedByteArray(vec![44, 255, 44, 255, 0, 44, 1].into()));
    }

    #[test]
    fn members_become_32_bit_integers_by_their_lower_half() {
        let members = [Variant::Int(0x1_0000_0005), 1e10.into(), "4294967297".into()];
        assert_eq!(
            packed(&members, VariantType::PackedInt32Array),
            Variant::PackedInt32Array(vec![5, i32::MIN, 1].into())
        );
    }

    #[test]
    fn members_that_are_not_numbers_become_zero() {
        let members = [Variant::Nil, Variant::StringName("12".into()), Vector2i::from([3, 4]).into()];
        assert_eq!(packed(&members, VariantType::PackedInt64Array), Variant::PackedInt64Array(vec![0; 3].into()));
        assert_eq!(packed(&members, VariantType::PackedFloat64Array), Variant::PackedFloat64Array(vec![0.0; 3].into()));
    }

    #[test]
    fn an_int_is_rounded_to_32_bits_at_once() {
        // Rounding to 64 bits first would produce the midpoint of two 32-bit numbers, which then rounds to the lower
        // one.
        let members = [Variant::Int(0x0100_0001_0000_0001)];
        let expected = Variant::PackedFloat32Array(vec![f32::from_bits(0x5B80_0001)].into());
        assert_eq!(packed(&members, VariantType::PackedFloat32Array), expected);
    }

    #[test]
    fn members_become_colors() {
        let red = Color::from([1.0, 0.0, 0.0, 1.0]);
        let members = ["red".into(), Variant::StringName("red".into()), 1.0.into(), Variant::Int(0xFF00_00FF)];
        let expected = vec![red, color::BLACK, color::BLACK, red];
        assert_eq!(packed(&members, VariantType::PackedColorArray), Variant::from(expected));
    }

    #[test]
    fn vectors_are_truncated_or_padded_with_zeros() {
        let members = [Vector2::from([1.0_f32, 2.0]).into(), Vector4i::from([1, 2, 3, 4]).into()];
        let expected = PackedReals::Single(vec![[1.0, 2.0, 0.0], [1.0, 2.0, 3.0]].into());
        assert_eq!(packed(&members, VariantType::PackedVector3Array), Variant::PackedVector3Array(expected));
    }

    #[test]
    fn members_that_are_not_vectors_become_zero() {
        let members = [Quaternion::from([1.0_f32, 2.0, 3.0, 4.0]).into(), 1.into()];
        let expected = PackedReals::Single(vec![[0.0; 4]; 2].into());
        assert_eq!(packed(&members, VariantType::PackedVector4Array), Variant::PackedVector4Array(expected));
    }

    #[test]
    fn one_double_precision_vector_makes_the_array_double_precision() {
        let members = [Vector2::from_f64_array([0.1, 0.0]).into(), Vector2i::from([16_777_217, 0]).into()];
        let vectors = packed(&members, VariantType::PackedVector2Array);
        let expected = PackedReals::from_f64_vec(vec![[0.1, 0.0], [16_777_217.0, 0.0]]);
        assert!(vectors.bit_eq(&Variant::PackedVector2Array(expected)));
    }

    #[test]
    fn an_unknown_element_makes_the_array_unknown() {
        assert_eq!(from_array(&["1e4294967301".into()], VariantType::PackedFloat64Array, EngineBuild::default()), None);
        let members = ["a".into(), Variant::from(Object::Id(1))];
        assert_eq!(from_array(&members, VariantType::PackedStringArray, EngineBuild::default()), None);
    }

    #[test]
    fn elements_become_members() {
        let array = to_array(Variant::PackedByteArray(vec![1, 255].into())).unwrap();
        assert_eq!(array.elements(), [Variant::Int(1), Variant::Int(255)]);
        let array = to_array(Variant::PackedFloat32Array(vec![0.1].into())).unwrap();
        assert_eq!(array.elements(), [Variant::Float(f64::from(0.1_f32))]);
        let array = to_array(Variant::PackedVector2Array(vec![[1.0_f32, 2.0]].into())).unwrap();
        assert_eq!(array.elements(), [Variant::from(Vector2::from([1.0_f32, 2.0]))]);
    }
}
