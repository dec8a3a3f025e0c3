//! Vectors, rectangles and transforms: components are copied, rounded or truncated.

use alloc::vec::Vec;

use Source::{At, One, Zero};

use super::EngineBuild;
use super::real::Real;
use crate::variant::{Reals, View};
use crate::{Variant, VariantType};

/// The source of a component of the result.
#[derive(Clone, Copy)]
enum Source {
    /// The component of the value at this index in wire order.
    At(usize),
    Zero,
    One,
}

/// `Transform2D` from `Transform3D`: the upper left of the basis column by column, the origin without z.
const FLATTENED: [Source; 6] = [At(0), At(3), At(1), At(4), At(9), At(10)];

/// `Transform3D` from `Transform2D`: the z axis and the z coordinate keep their defaults.
const RAISED: [Source; 12] = [At(0), At(2), Zero, At(1), At(3), Zero, Zero, Zero, One, At(4), At(5), Zero];

/// `Transform3D` from `Basis`: the origin at zero.
const PLACED: [Source; 12] = [At(0), At(1), At(2), At(3), At(4), At(5), At(6), At(7), At(8), Zero, Zero, Zero];

/// `Transform3D` from `Projection`: the three upper rows.
const UNPROJECTED: [Source; 12] =
    [At(0), At(4), At(8), At(1), At(5), At(9), At(2), At(6), At(10), At(12), At(13), At(14)];

/// `Projection` from `Transform3D`: column by column, the lowest row 0, 0, 0, 1.
#[rustfmt::skip]
const PROJECTED: [Source; 16] = [
    At(0), At(3), At(6), Zero,
    At(1), At(4), At(7), Zero,
    At(2), At(5), At(8), Zero,
    At(9), At(10), At(11), One,
];

/// Returns `None` for pairs of types that this file does not handle.
pub(crate) fn convert(value: &Variant, to: VariantType, build: EngineBuild) -> Option<Variant> {
    use VariantType as T;
    let sources: &[Source] = match (value.variant_type(), to) {
        (T::Vector2i, T::Vector2) | (T::Vector3i, T::Vector3) | (T::Vector4i, T::Vector4) | (T::Rect2i, T::Rect2) => {
            let count = to.real_components();
            return if build.is_double() {
                Variant::from_reals(to, Reals::Double(&components::<f64, 4>(value)[..count]))
            } else {
                Variant::from_reals(to, Reals::Single(&components::<f32, 4>(value)[..count]))
            };
        }
        (T::Vector2, T::Vector2i) | (T::Vector3, T::Vector3i) | (T::Vector4, T::Vector4i) | (T::Rect2, T::Rect2i) => {
            let integers = components::<f64, 4>(value).map(|component| build.architecture.to_i32(component));
            return Variant::from_integers(to, &integers[..to.integer_components()]);
        }
        (T::Transform3D, T::Transform2D) => &FLATTENED,
        (T::Transform2D, T::Transform3D) => &RAISED,
        (T::Basis, T::Transform3D) => &PLACED,
        (T::Projection, T::Transform3D) => &UNPROJECTED,
        (T::Transform3D, T::Projection) => &PROJECTED,
        _ => return None,
    };
    match value.as_reals()? {
        Reals::Single(components) => Variant::from_reals(to, Reals::Single(&pick(components, sources))),
        Reals::Double(components) => Variant::from_reals(to, Reals::Double(&pick(components, sources))),
    }
}

fn pick<R: Real>(components: &[R], sources: &[Source]) -> Vec<R> {
    let pick = |source: &Source| match source {
        At(index) => components[*index],
        Zero => R::ZERO,
        One => R::ONE,
    };
    sources.iter().map(pick).collect()
}

/// Returns the components of a value made of numbers, truncated or padded with zeros.
pub(crate) fn components<R: Real, const N: usize>(value: &Variant) -> [R; N] {
    let mut components = [R::ZERO; N];
    match value.view() {
        View::Integers(integers) => fill(&mut components, integers.as_slice(), R::from_i32),
        View::Reals(Reals::Single(reals)) => fill(&mut components, reals, R::from_f32),
        View::Reals(Reals::Double(reals)) => fill(&mut components, reals, R::from_f64),
        _ => {}
    }
    components
}

fn fill<R, C: Copy>(places: &mut [R], components: &[C], convert: impl Fn(C) -> R) {
    for (place, component) in places.iter_mut().zip(components) {
        *place = convert(*component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Basis, Projection, Rect2, Transform2D, Transform3D, Vector2, Vector3i, Vector4};
    use crate::{Architecture, Precision};

    const DOUBLE: EngineBuild =
        EngineBuild { precision: Some(Precision::Double), is_release: false, architecture: Architecture::X86_64 };

    /// Returns the components of the conversion to a type made of reals.
    fn reals(value: impl Into<Variant>, to: VariantType) -> Vec<f64> {
        let converted = convert(&value.into(), to, EngineBuild::default()).unwrap();
        let reals = converted.as_reals().unwrap();
        (0..reals.len()).map(|index| reals.at(index)).collect()
    }

    fn integers(value: impl Into<Variant>, to: VariantType) -> Vec<i32> {
        let converted = convert(&value.into(), to, EngineBuild::default()).unwrap();
        let View::Integers(integers) = converted.view() else { panic!("no integers") };
        integers.as_slice().to_vec()
    }

    /// Components 1, 2, 3, …, so that each component shows its source.
    fn numbered<const N: usize>() -> [f32; N] {
        let mut next = 0.0;
        [(); N].map(|()| {
            next += 1.0;
            next
        })
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn fractions_are_cut_off() {
        assert_eq!(integers(Vector4::from([1.9_f32, -1.9, 0.5, -0.0]), VariantType::Vector4i), [1, -1, 0, 0]);
        assert_eq!(integers(Rect2::from([1.9_f32, 2.0, 3.0, 4.0]), VariantType::Rect2i), [1, 2, 3, 4]);
    }

    #[test]
    fn values_out_of_range_become_the_lowest_integer() {
        let (lowest, highest) = (i32::MIN, 2_147_483_520);
        assert_eq!(integers(Vector2::from([f32::NAN, 2_147_483_648.0]), VariantType::Vector2i), [lowest, lowest]);
        assert_eq!(integers(Vector2::from([f32::INFINITY, 2_147_483_520.0]), VariantType::Vector2i), [lowest, highest]);
    }

    #[test]
    fn integers_above_2_to_the_24_are_rounded() {
        let vector = Vector3i::from([16_777_217, 16_777_219, i32::MAX]);
        assert_eq!(reals(vector, VariantType::Vector3), [16_777_216.0, 16_777_220.0, 2_147_483_648.0]);
    }

    #[test]
    fn integers_are_exact_in_double_precision() {
        let vector = Vector3i::from([16_777_217, 16_777_219, i32::MAX]).into();
        let converted = convert(&vector, VariantType::Vector3, DOUBLE).unwrap();
        let Some(Reals::Double(reals)) = converted.as_reals() else { panic!("single precision") };
        assert_eq!(reals, [16_777_217.0, 16_777_219.0, 2_147_483_647.0]);
    }

    #[test]
    fn a_flat_transform_loses_z() {
        let flat = [1.0, 4.0, 2.0, 5.0, 10.0, 11.0];
        assert_eq!(reals(Transform3D::from(numbered::<12>()), VariantType::Transform2D), flat);
    }

    #[test]
    fn a_transform_3d_of_a_2d_one_keeps_the_default_z() {
        let raised = [1.0, 3.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 1.0, 5.0, 6.0, 0.0];
        assert_eq!(reals(Transform2D::from(numbered::<6>()), VariantType::Transform3D), raised);
    }

    #[test]
    fn a_transform_of_a_basis_is_at_the_origin() {
        let placed = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 0.0, 0.0];
        assert_eq!(reals(Basis::from(numbered::<9>()), VariantType::Transform3D), placed);
    }

    #[test]
    fn a_transform_of_a_projection_loses_the_lowest_row() {
        let rows = [1.0, 5.0, 9.0, 2.0, 6.0, 10.0, 3.0, 7.0, 11.0, 13.0, 14.0, 15.0];
        assert_eq!(reals(Projection::from(numbered::<16>()), VariantType::Transform3D), rows);
    }

    #[test]
    fn a_projection_of_a_transform_has_the_usual_lowest_row() {
        let columns = [1.0, 4.0, 7.0, 0.0, 2.0, 5.0, 8.0, 0.0, 3.0, 6.0, 9.0, 0.0, 10.0, 11.0, 12.0, 1.0];
        assert_eq!(reals(Transform3D::from(numbered::<12>()), VariantType::Projection), columns);
    }

    #[test]
    fn components_keep_their_precision_and_their_bits() {
        let mut components = [0.1_f64; 12];
        components[0] = f64::from_bits(0x7FF0_0000_0000_0001);
        let flat =
            convert(&Transform3D::from_f64_array(components).into(), VariantType::Transform2D, EngineBuild::default())
                .unwrap();
        let Some(Reals::Double(flat)) = flat.as_reals() else { panic!("single precision") };
        assert_eq!((flat[0].to_bits(), flat[1]), (0x7FF0_0000_0000_0001, 0.1));
    }
}
