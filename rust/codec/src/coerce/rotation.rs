//! Conversion between `Quaternion` and `Basis`.

use super::EngineBuild;
use super::geometry::{self, components};
use super::real::Real;
use crate::variant::{Basis, Quaternion, Reals};
use crate::{Architecture, Variant, VariantType};

type Rows<R> = [[R; 3]; 3];

/// Returns the quaternion of a basis. If the basis is not a rotation, the result is the identity, except in a release
/// build, which computes a quaternion anyway. Returns `None` if that has a NaN, which depends on the compiler.
pub(crate) fn quaternion_of_basis(basis: &Variant, build: EngineBuild) -> Option<Variant> {
    let is_double = build.is_double() || matches!(basis.as_reals()?, Reals::Double(_));
    Some(Variant::from(if is_double {
        Quaternion::from_f64_array(quaternion(rows_of(components::<f64, 9>(basis)), build.is_release)?)
    } else {
        Quaternion::from(quaternion(rows_of(components::<f32, 9>(basis)), build.is_release)?)
    }))
}

/// Returns the `Basis` of a quaternion, or the `Transform3D` with that basis. Returns `None` if its components are
/// different NaNs, because the result depends on the operand order that the compiler chose.
pub(crate) fn from_quaternion(quaternion: &Variant, to: VariantType, build: EngineBuild) -> Option<Variant> {
    let architecture = build.architecture;
    let is_double = build.is_double() || matches!(quaternion.as_reals()?, Reals::Double(_));
    let basis = Variant::from(if is_double {
        Basis::from_f64_array(basis::<f64>(components(quaternion), architecture)?)
    } else {
        Basis::from(basis::<f32>(components(quaternion), architecture)?)
    });
    if to == VariantType::Basis { Some(basis) } else { geometry::convert(&basis, to, build) }
}

fn rows_of<R: Real>([xx, xy, xz, yx, yy, yz, zx, zy, zz]: [R; 9]) -> Rows<R> {
    [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]
}

fn quaternion<R: Real>(rows: Rows<R>, is_release: bool) -> Option<[R; 4]> {
    let finite = rows.iter().flatten().all(|component| component.is_finite());
    if !is_release && (!finite || !is_rotation(&rows)) {
        return Some([R::ZERO, R::ZERO, R::ZERO, R::ONE]);
    }
    let computed = if finite { Some(compute(rows)) } else { None };
    computed.filter(|components| !components.iter().any(|component| component.is_nan()))
}

/// The order of operations is the engine's, here and below. A different order rounds differently.
fn compute<R: Real>(rows: Rows<R>) -> [R; 4] {
    let trace = rows[0][0] + rows[1][1] + rows[2][2];
    let mut result = [R::ZERO; 4];
    if trace > R::ZERO {
        let root = (trace + R::ONE).square_root();
        let scale = R::HALF / root;
        result[0] = (rows[2][1] - rows[1][2]) * scale;
        result[1] = (rows[0][2] - rows[2][0]) * scale;
        result[2] = (rows[1][0] - rows[0][1]) * scale;
        result[3] = root * R::HALF;
        return result;
    }
    // The axis of the largest component on the diagonal, and the other two axes.
    let larger = usize::from(rows[0][0] < rows[1][1]);
    let first = if rows[larger][larger] < rows[2][2] { 2 } else { larger };
    let (second, third) = ((first + 1) % 3, (first + 2) % 3);
    let root = (rows[first][first] - rows[second][second] - rows[third][third] + R::ONE).square_root();
    let scale = R::HALF / root;
    result[first] = root * R::HALF;
    result[second] = (rows[second][first] + rows[first][second]) * scale;
    result[third] = (rows[third][first] + rows[first][third]) * scale;
    result[3] = (rows[third][second] - rows[second][third]) * scale;
    result
}

/// Returns whether the axes are orthogonal and of equal length and the determinant is 1, within the engine's tolerance.
fn is_rotation<R: Real>(rows: &Rows<R>) -> bool {
    let axis = |index: usize| [rows[0][index], rows[1][index], rows[2][index]];
    let (x, y, z) = (axis(0), axis(1), axis(2));
    let length = dot(x, x);
    let is_zero = |value: R| value.abs() < R::TOLERANCE;
    is_equal(length, dot(y, y))
        && is_equal(length, dot(z, z))
        && is_zero(dot(x, y))
        && is_zero(dot(x, z))
        && is_zero(dot(y, z))
        && (determinant(rows) - R::ONE).abs() < R::UNIT_TOLERANCE
}

/// Returns whether two numbers are equal within a tolerance that grows with `left`.
fn is_equal<R: Real>(left: R, right: R) -> bool {
    let mut tolerance = R::TOLERANCE * left.abs();
    if tolerance < R::TOLERANCE {
        tolerance = R::TOLERANCE;
    }
    left == right || (left - right).abs() < tolerance
}

fn dot<R: Real>(left: [R; 3], right: [R; 3]) -> R {
    left[0] * right[0] + left[1] * right[1] + left[2] * right[2]
}

fn determinant<R: Real>([first, second, third]: &Rows<R>) -> R {
    first[0] * (second[1] * third[2] - third[1] * second[2]) - second[0] * (first[1] * third[2] - third[1] * first[2])
        + third[0] * (first[1] * second[2] - second[1] * first[2])
}

/// Returns the rows of a quaternion's basis; `None` if its components are different NaNs, or a NaN is not known.
fn basis<R: Real>(components: [R; 4], architecture: Architecture) -> Option<[R; 9]> {
    let mut nans = components.into_iter().filter(|component| component.is_nan()).map(R::quiet);
    // If a component is NaN, so are the length and everything else. Otherwise the length may be zero or infinite, and
    // the processor creates every NaN.
    let nan = architecture.default_nan().map(|default| nans.next().unwrap_or(default));
    if nans.any(|other| nan.is_some_and(|nan| !other.bit_eq(nan))) {
        return None;
    }
    let [x, y, z, w] = components;
    let scale = R::TWO / (x * x + y * y + z * z + w * w);
    let (xs, ys, zs) = (x * scale, y * scale, z * scale);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    let rows = [
        [R::ONE - (yy + zz), xy - wz, xz + wy],
        [xy + wz, R::ONE - (xx + zz), yz - wx],
        [xz - wy, yz + wx, R::ONE - (xx + yy)],
    ];
    let mut flat = [R::ZERO; 9];
    for (place, component) in flat.iter_mut().zip(rows.into_iter().flatten()) {
        *place = if component.is_nan() { nan? } else { component };
    }
    Some(flat)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86_64: Architecture = Architecture::X86_64;

    const NO_ROTATION: [u32; 4] = [0, 0, 0, 0x3F80_0000];

    /// Returns the bits of the quaternion of a basis given by its rows.
    #[test]
    fn a_release_build_computes_a_quaternion_of_any_finite_basis() {
        // Printed by the release template of 4.6.3. The suites of the addon compare the bits.
        let printed = ["-0.242536", "0.485071", "0.727607", "2.061553"];
        let rows = [[1.0, -4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 10.0]];
        let computed: [f32; 4] = quaternion(rows, true).unwrap();
        assert_eq!(computed.map(|component| alloc::format!("{component:.6}")), printed);
        assert_eq!(quaternion(rows, false), Some([0.0, 0.0, 0.0, 1.0]));
        assert_eq!(quaternion([[f32::NAN; 3]; 3], true), None);
    }

    fn quaternion_bits(rows: [[f32; 3]; 3]) -> [u32; 4] {
        quaternion(rows, false).unwrap().map(f32::to_bits)
    }

    fn scaled(factor: f32) -> [[f32; 3]; 3] {
        [[factor, 0.0, 0.0], [0.0, factor, 0.0], [0.0, 0.0, factor]]
    }

    // Expected bits: observed on 4.6.3. Each of the first four tests takes a different branch.

    #[test]
    fn a_quaternion_by_the_trace() {
        let rows = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]];
        assert_eq!(quaternion_bits(rows), [0x3E4C_CCCC, 0xBECC_CCCC, 0xBECC_CCCC, 0x3F4C_CCCD]);
    }

    #[test]
    fn a_quaternion_by_the_x_axis() {
        let rows = [[0.28, 0.96, 0.0], [0.96, -0.28, 0.0], [0.0, 0.0, -1.0]];
        assert_eq!(quaternion_bits(rows), [0x3F4C_CCCD, 0x3F19_9999, 0, 0]);
    }

    #[test]
    fn a_quaternion_by_the_y_axis() {
        let rows = [[-0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, -0.8]];
        assert_eq!(quaternion_bits(rows), [0, 0x3F72_DCE8, 0, 0x3EA1_E89C]);
    }

    #[test]
    fn a_quaternion_by_the_z_axis() {
        let rows = [[-0.8, -0.6, 0.0], [0.6, -0.8, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(quaternion_bits(rows), [0, 0, 0x3F72_DCE8, 0x3EA1_E89C]);
    }

    #[test]
    fn a_determinant_may_differ_from_1_by_a_thousandth() {
        assert_eq!(quaternion_bits(scaled(1.0003)), [0, 0, 0, 0x3F80_03B0]);
        assert_eq!(quaternion_bits(scaled(1.0004)), NO_ROTATION);
    }

    #[test]
    fn axes_may_differ_slightly_from_right_angles() {
        let sheared = |by: f32| [[1.0, by, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(quaternion_bits(sheared(9e-6)), [0, 0, 0xB616_FEB5, 0x3F80_0000]);
        assert_eq!(quaternion_bits(sheared(2e-5)), NO_ROTATION);
    }

    #[test]
    fn a_basis_that_is_not_a_rotation_becomes_the_identity() {
        let diagonal = |last: f32| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, last]];
        assert_eq!(quaternion_bits(diagonal(-1.0)), NO_ROTATION);
        assert_eq!(quaternion_bits(diagonal(f32::NAN)), NO_ROTATION);
    }

    /// By hand: the trace is infinite, so all components are multiplied by its inverse, zero.
    #[test]
    fn a_release_build_overflows_to_infinity() {
        let rows = |corner| [[3e38_f32, 0.0, 0.0], [0.0, 3e38, 0.0], [corner, 0.0, 0.0]];
        assert_eq!(quaternion(rows(1.0), true), Some([0.0, -0.0, 0.0, f32::INFINITY]));
        assert_eq!(quaternion(rows(f32::NAN), true), None);
    }

    #[test]
    fn a_quaternion_of_any_length_has_a_basis() {
        let expected = [
            [0x3F39_EFD4, 0xBF06_BCA2, 0x3EE2_5BA0],
            [0x3F1C_4B74, 0x3F4A_1AF2, 0xBD81_58EC],
            [0xBEA1_AF28, 0x3EA1_AF29, 0x3F65_0D79],
        ];
        assert_eq!(basis([0.1, 0.2, 0.3, 0.9], X86_64).unwrap().map(f32::to_bits), expected.as_flattened());
    }

    #[test]
    fn the_basis_of_zero_is_the_nan_of_the_processor() {
        assert_eq!(basis([0.0_f32; 4], X86_64).unwrap().map(f32::to_bits), [0xFFC0_0000; 9]);
    }

    /// Observed on 4.6.3 for `arm64`; WebAssembly leaves the sign open.
    #[test]
    fn the_nan_of_a_quaternion_of_zero_depends_on_the_architecture() {
        let basis = |architecture| basis([0.0_f32; 4], architecture).map(|rows| rows.map(f32::to_bits));
        assert_eq!(basis(Architecture::Arm64), Some([0x7FC0_0000; 9]));
        assert_eq!(basis(Architecture::Wasm32), None);
    }

    #[test]
    fn a_nan_component_fills_the_basis() {
        let quaternion = [0.0, 1.0, 0.0, f32::from_bits(0xFF80_0001)];
        assert_eq!(basis(quaternion, X86_64).unwrap().map(f32::to_bits), [0xFFC0_0001; 9]);
    }

    #[test]
    fn the_basis_of_two_different_nans_is_not_known() {
        let quaternion = [0.0, 1.0, f32::from_bits(0x7FC0_0001), f32::from_bits(0xFFC0_0002)];
        assert_eq!(basis(quaternion, X86_64), None);
    }

    #[test]
    fn double_precision_rounds_in_double_precision() {
        let third = (1.0_f64 / 3.0).to_bits();
        let rows = basis([1.0_f64, 1.0, 0.0, 1.0], X86_64).unwrap();
        assert_eq!(rows[0].to_bits().abs_diff(third), 1);
    }
}
