//! Packed arrays of numbers, vectors and colors, and values that the engine reads from the packet.

use godot::builtin::{Color, PackedArray, PackedByteArray, Vector2, Vector3, Vector4};
use godot::meta::{PackedElement, ToGodot};
use varbytes::VariantType;
use varbytes::build::PackedNumbers;

use crate::engine_profile::is_template;
use crate::raw::{self, NewValue};

/// The bytes of a packed array that the engine reads faster.
const LONG: usize = 1024;

/// Lets the engine read a long packed array from the array that contains the packet. The engine alone can create an array without
/// filling it with zeros first, and exported games contain the engine's optimized code.
///
/// Returns `None` if that is not faster, and if `elements` are not part of the array.
pub(super) fn read_by_engine(
    array: Option<&PackedByteArray>,
    elements: &[u8],
    variant_type: VariantType,
) -> Option<NewValue> {
    /// A header and a count.
    const BEFORE: usize = 8;
    let array = array.filter(|_| elements.len() >= LONG && is_template());
    read_around(array, elements, BEFORE, variant_type)
}

/// Lets the engine read a value from the array that contains the packet. `part` are bytes of the value, `before` bytes after its
/// start. Returns `None` if they are not part of the array.
pub(super) fn read_around(
    array: Option<&PackedByteArray>,
    part: &[u8],
    before: usize,
    variant_type: VariantType,
) -> Option<NewValue> {
    let array = array?;
    let bytes = raw::bytes(array);
    let start = part.as_ptr().addr().checked_sub(bytes.as_ptr().addr() + before)?;
    if start + before + part.len() > bytes.len() {
        return None;
    }
    raw::decode_var(array, start, variant_type)
}

/// Returns the packed array.
pub(super) fn packed_array(numbers: &PackedNumbers<'_>) -> NewValue {
    match numbers.variant_type() {
        VariantType::PackedInt32Array => scalars(numbers, i32::from_le_bytes),
        VariantType::PackedInt64Array => scalars(numbers, i64::from_le_bytes),
        VariantType::PackedFloat32Array => scalars(numbers, f32::from_le_bytes),
        VariantType::PackedFloat64Array => scalars(numbers, f64::from_le_bytes),
        VariantType::PackedVector2Array => vectors(numbers, |[x, y]: [f32; 2]| Vector2 { x, y }),
        VariantType::PackedVector3Array => vectors(numbers, |[x, y, z]: [f32; 3]| Vector3 { x, y, z }),
        VariantType::PackedVector4Array => vectors(numbers, |[x, y, z, w]: [f32; 4]| Vector4 { x, y, z, w }),
        VariantType::PackedColorArray => vectors(numbers, |[r, g, b, a]: [f32; 4]| Color { r, g, b, a }),
        // No other type consists of numbers.
        _ => raw::scalar::nil(),
    }
}

/// A packed array of numbers of `SIZE` bytes.
fn scalars<T: PackedElement + Copy, const SIZE: usize>(
    numbers: &PackedNumbers<'_>,
    from_bytes: impl Fn([u8; SIZE]) -> T,
) -> NewValue
where
    PackedArray<T>: ToGodot,
{
    raw::packed(numbers.len(), |elements: &mut [T]| {
        for (element, bytes) in elements.iter_mut().zip(numbers.bytes().as_chunks().0) {
            *element = from_bytes(*bytes);
        }
    })
}

/// A packed array of vectors or colors of `N` components.
fn vectors<T: PackedElement + Copy, const N: usize>(
    numbers: &PackedNumbers<'_>,
    vector: impl Fn([f32; N]) -> T,
) -> NewValue
where
    PackedArray<T>: ToGodot,
{
    let bytes = numbers.bytes();
    raw::packed(numbers.len(), |elements: &mut [T]| {
        if numbers.is_wide() {
            let vectors = bytes.as_chunks::<8>().0.as_chunks::<N>().0;
            for (element, components) in elements.iter_mut().zip(vectors) {
                // Rounded, as the engine does.
                *element = vector(components.map(|component| f64::from_le_bytes(component) as f32));
            }
        } else {
            let vectors = bytes.as_chunks::<4>().0.as_chunks::<N>().0;
            for (element, components) in elements.iter_mut().zip(vectors) {
                *element = vector(components.map(f32::from_le_bytes));
            }
        }
    })
}
