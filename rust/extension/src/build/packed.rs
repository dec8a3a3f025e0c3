//! Packed arrays of numbers, vectors and colors, and values that the engine reads from the packet.

use godot::builtin::{Color, PackedArray, PackedByteArray, Vector2, Vector3, Vector4};
use godot::meta::{PackedElement, ToGodot};
use varbytes::VariantType;

use crate::engine_profile::is_template;
use crate::raw::{self, BYTE_ORDER_MARK, NewValue};

/// The bytes of a header.
pub(super) const HEADER: usize = 4;
/// The bytes of a header and a count.
pub(super) const BEFORE_MEMBERS: usize = HEADER + 4;
/// The bytes of an object by its id: a header, and the id.
pub(super) const OBJECT_ID: usize = HEADER + 8;

/// The bytes of a packed array of numbers that the engine reads faster, for most types.
pub(crate) const READ_BY_ENGINE: usize = 24 << 10;

/// Lets the engine read a long packed array of numbers from the array that contains the packet. The engine alone can create it without
/// filling it with zeros first, and exported games contain the engine's optimized code.
///
/// Returns `None` if that is not faster, and if `elements` are not part of the array.
fn read_by_engine(array: Option<&PackedByteArray>, elements: &[u8], variant_type: VariantType) -> Option<NewValue> {
    let least = match variant_type {
        // Measured in exported games: the engine takes longer for these up to 384 KB.
        VariantType::PackedFloat64Array | VariantType::PackedVector2Array => 16 * READ_BY_ENGINE,
        _ => READ_BY_ENGINE,
    };
    let is_faster = elements.len() >= least && variant_type != VariantType::PackedByteArray && is_template();
    let array = array.filter(|_| is_faster);
    read_around(array, elements, BEFORE_MEMBERS, variant_type)
}

/// Lets the engine read a value from the array that contains the packet. `part` are bytes of the value, `before` bytes after its
/// start. Returns `None` if they are not part of the array.
pub(super) fn read_around(
    array: Option<&PackedByteArray>,
    part: &[u8],
    before: usize,
    variant_type: VariantType,
) -> Option<NewValue> {
    let start = start_around(array?, part, before)?;
    raw::decode_var(array?, start, variant_type)
}

/// Returns the bytes of the array that contains the packet, from the start of a value, for the same arguments.
pub(super) fn bytes_around<'a>(array: Option<&'a PackedByteArray>, part: &[u8], before: usize) -> Option<&'a [u8]> {
    raw::bytes(array?).get(start_around(array?, part, before)?..)
}

fn start_around(array: &PackedByteArray, part: &[u8], before: usize) -> Option<usize> {
    let bytes = raw::bytes(array);
    let part_start = part.as_ptr().addr().checked_sub(bytes.as_ptr().addr())?;
    let before_part = bytes.get(..part_start).filter(|_| part_start + part.len() <= bytes.len())?;
    // The decoder drops a byte order mark. A length or a count that ends in such bytes would be too large.
    let unmarked = before_part.strip_suffix(BYTE_ORDER_MARK.as_bytes()).filter(|_| before > 0);
    unmarked.unwrap_or(before_part).len().checked_sub(before)
}

/// Returns a packed array that is not of strings: its bytes on the wire, where reals have 8 bytes if `is_wide`. `array` is the one
/// that contains the packet, if it is known.
pub(super) fn packed_array(
    variant_type: VariantType,
    bytes: &[u8],
    is_wide: bool,
    array: Option<&PackedByteArray>,
) -> NewValue {
    if let Some(value) = read_by_engine(array, bytes, variant_type) {
        return value;
    }
    match variant_type {
        VariantType::PackedByteArray => raw::packed_of_wire::<u8>(bytes),
        VariantType::PackedInt32Array => raw::packed_of_wire::<i32>(bytes),
        VariantType::PackedInt64Array => raw::packed_of_wire::<i64>(bytes),
        VariantType::PackedFloat32Array => raw::packed_of_wire::<f32>(bytes),
        VariantType::PackedFloat64Array => raw::packed_of_wire::<f64>(bytes),
        VariantType::PackedVector2Array if is_wide => narrowed(bytes, |[x, y]: [f32; 2]| Vector2 { x, y }),
        VariantType::PackedVector2Array => raw::packed_of_wire::<Vector2>(bytes),
        VariantType::PackedVector3Array if is_wide => narrowed(bytes, |[x, y, z]: [f32; 3]| Vector3 { x, y, z }),
        VariantType::PackedVector3Array => raw::packed_of_wire::<Vector3>(bytes),
        VariantType::PackedVector4Array if is_wide => narrowed(bytes, |[x, y, z, w]: [f32; 4]| Vector4 { x, y, z, w }),
        VariantType::PackedVector4Array => raw::packed_of_wire::<Vector4>(bytes),
        VariantType::PackedColorArray => raw::packed_of_wire::<Color>(bytes),
        // No other type of this engine consists of numbers.
        _ => raw::scalar::nil(),
    }
}

/// A packed array of vectors of `N` components, which have 8 bytes on the wire.
fn narrowed<T: PackedElement + Copy, const N: usize>(bytes: &[u8], vector: impl Fn([f32; N]) -> T) -> NewValue
where
    PackedArray<T>: ToGodot,
{
    let vectors = bytes.as_chunks::<8>().0.as_chunks::<N>().0;
    raw::packed(vectors.len(), |elements: &mut [T]| {
        for (element, components) in elements.iter_mut().zip(vectors) {
            // Rounded, as the engine does.
            *element = vector(components.map(|component| f64::from_le_bytes(component) as f32));
        }
    })
}
