//! Members of containers that have a fixed size or are short packed arrays, and runs of the former in an Array.

use std::ptr::NonNull;

use godot::builtin::{GString, Variant};
use varbytes::build::FixedRun;
use varbytes::write::{Sink, Writer};

use super::engine::engine;
use super::interface::STRINGS;
use super::numbers::WireNumbers;
use super::view::{DirectNumbers, elements, payload};

/// A Variant as three words.
type Words = [u64; 3];

/// The engine's number of the type in the first word of a Variant.
const fn type_in(words: Words) -> usize {
    (words[0] & 0xFFFF_FFFF) as usize
}

/// The first members of an Array, which all have the same type: null, `bool`, `RID`, `Color`, or a type that is made of
/// components of 4 bytes.
#[derive(Clone, Copy)]
pub(crate) struct MemberRun<'v> {
    variant_type: usize,
    members: &'v [Words],
}

impl<'v> MemberRun<'v> {
    /// Returns the members of the same type as the first one, or `None` if that is another type, or if the layout is not
    /// as assumed.
    #[inline]
    pub(crate) fn of(members: &'v [Variant]) -> Option<Self> {
        const { assert!(size_of::<Variant>() == size_of::<Words>() && align_of::<Variant>() <= align_of::<Words>()) };
        let layout = &engine().layout;
        if !layout.typed || cfg!(target_endian = "big") || !members.as_ptr().cast::<Words>().is_aligned() {
            return None;
        }
        // SAFETY: a Variant is three words. All are initialized except bits of the first word and of words after the payload,
        // which the engine leaves as they were in memory that it has initialized.
        let words = unsafe { std::slice::from_raw_parts(members.as_ptr().cast::<Words>(), members.len()) };
        let variant_type = type_in(*words.first()?);
        let is_fixed = match variant_type {
            0 => true,
            1 | 5..=10 | 12..=15 | 20 | 23 => layout.in_place[variant_type],
            11 | 16..=19 => layout.boxed[variant_type],
            _ => false,
        };
        if !is_fixed {
            return None;
        }
        let count = words.iter().position(|member| type_in(*member) != variant_type).unwrap_or(words.len());
        Some(Self { variant_type, members: &words[..count] })
    }

    /// The number of members.
    pub(crate) const fn len(&self) -> usize {
        self.members.len()
    }

    /// The number of bytes that the members take.
    #[inline]
    pub(crate) const fn size(&self) -> usize {
        let member = match self.variant_type {
            0 => 4,
            1 => 8,
            5 | 6 | 23 => 12,
            9 | 10 => 16,
            7 | 8 | 12..=15 | 20 => 20,
            11 | 16 => 28,
            17 => 40,
            18 => 52,
            _ => 68,
        };
        self.len() * member
    }

    /// Writes the members as they are encoded: a header, and the components.
    #[inline]
    pub(crate) fn write<S: Sink>(&self, writer: &mut Writer<'_, S>) {
        match self.variant_type {
            0 => writer.encoded_each(self.members, |_| [0; 4]),
            1 => writer.encoded_each(self.members, encoded_bool),
            5 | 6 | 23 => self.in_place::<12, S>(writer),
            9 | 10 => self.in_place::<16, S>(writer),
            7 | 8 | 12..=15 | 20 => self.in_place::<20, S>(writer),
            11 | 16 => self.boxed::<28, S>(writer),
            17 => self.boxed::<40, S>(writer),
            18 => self.boxed::<52, S>(writer),
            _ => self.boxed::<68, S>(writer),
        }
    }

    /// Writes members whose payload is in the Variant. `SIZE` includes the header.
    #[inline]
    fn in_place<const SIZE: usize, S: Sink>(&self, writer: &mut Writer<'_, S>) {
        let header = self.variant_type as u64;
        writer.encoded_each(self.members, |[_, first, second]| encoded::<SIZE>([header, first, second]));
    }

    /// Writes members whose payload is elsewhere. `SIZE` includes the header.
    #[inline]
    fn boxed<const SIZE: usize, S: Sink>(&self, writer: &mut Writer<'_, S>) {
        let header = (self.variant_type as u32).to_le_bytes();
        writer.encoded_each(self.members, |[_, payload, _]| {
            let mut bytes = [0; SIZE];
            bytes[..4].copy_from_slice(&header);
            // SAFETY: the payload of a live Variant of this type, which has that many bytes after the header. That its address
            // is in the Variant was verified when the library was loaded.
            bytes[4..].copy_from_slice(unsafe { std::slice::from_raw_parts(payload as *const u8, SIZE - 4) });
            bytes
        });
    }
}

/// Writes a value as it is encoded, if it is null, a `bool`, `RID`, `Color`, `Callable`, of a type that is made of components of 4 bytes,
/// a short packed array of numbers, or a packed array without strings. Returns whether it is.
#[inline(always)]
pub(crate) fn write_fixed<S: Sink>(numbers: DirectNumbers, value: &Variant, writer: &mut Writer<'_, S>) -> bool {
    if cfg!(target_endian = "big") {
        return false;
    }
    let words = numbers.words(value);
    let variant_type = type_in(words);
    match variant_type {
        0 => writer.encoded(&[0; 4]),
        1 => writer.encoded(&encoded_bool(words)),
        5 | 6 | 23 => writer.encoded(&encoded::<12>(words)),
        9 | 10 => writer.encoded(&encoded::<16>(words)),
        7 | 8 | 12..=15 | 20 => writer.encoded(&encoded::<20>(words)),
        11 | 16..=19 => match MemberRun::of(std::slice::from_ref(value)) {
            Some(run) => run.write(writer),
            None => return false,
        },
        25 => writer.encoded(&[25, 0, 0, 0]),
        // SAFETY: the type was just read.
        29..=33 | 35..=38 => return unsafe { write_packed(value, variant_type, writer) },
        // SAFETY: as above.
        34 => match unsafe { elements::<GString>(payload(value, STRINGS)) } {
            Some([]) => writer.encoded(&[34, 0, 0, 0, 0, 0, 0, 0]),
            _ => return false,
        },
        _ => return false,
    }
    true
}

/// Writes a packed array of numbers. Returns false if it is not short or the layout is not as assumed.
///
/// # Safety
/// `value` must be of that type.
#[inline(always)]
unsafe fn write_packed<S: Sink>(value: &Variant, variant_type: usize, writer: &mut Writer<'_, S>) -> bool {
    // SAFETY: by the caller. Each type has elements of that size, and any bytes are such an element.
    unsafe {
        let array = payload(value, variant_type);
        match variant_type {
            29 => write_elements::<1, S>(array, variant_type, writer),
            30 | 32 => write_elements::<4, S>(array, variant_type, writer),
            31 | 33 | 35 => write_elements::<8, S>(array, variant_type, writer),
            36 => write_elements::<12, S>(array, variant_type, writer),
            _ => write_elements::<16, S>(array, variant_type, writer),
        }
    }
}

/// # Safety
/// There must be a packed array of elements of `SIZE` bytes, which can have any values.
#[inline(always)]
unsafe fn write_elements<const SIZE: usize, S: Sink>(
    array: *const u8,
    variant_type: usize,
    writer: &mut Writer<'_, S>,
) -> bool {
    /// Longer ones are left to the slow path: sinks treat long pieces in a way of their own.
    const MOST: usize = 512;
    // SAFETY: by the caller.
    let Some(elements) = (unsafe { elements::<[u8; SIZE]>(array) }) else { return false };
    if elements.len() > MOST / SIZE {
        return false;
    }
    let head = variant_type as u64 | (elements.len() as u64) << 32;
    writer.encoded_unpadded(head.to_le_bytes(), elements.as_flattened());
    true
}

#[inline(always)]
fn encoded_bool([_, payload, _]: Words) -> [u8; 8] {
    [1, 0, 0, 0, (payload & 0xFF != 0) as u8, 0, 0, 0]
}

/// Returns the header and the payload of a Variant that has it in place.
#[inline(always)]
fn encoded<const SIZE: usize>(words: Words) -> [u8; SIZE] {
    let [_, first, second] = words;
    let words = [type_in(words) as u64 | first << 32, first >> 32 | second << 32, second >> 32];
    let mut bytes = [0; SIZE];
    for (target, byte) in bytes.iter_mut().zip(words.map(u64::to_le_bytes).as_flattened()) {
        *target = *byte;
    }
    bytes
}

/// Writes members that are encoded over the members of an Array, and returns how many were written.
///
/// # Safety
/// From `first` on, there must be `room` live Variants, each of which is null or, in a typed Array, of the same type.
pub(super) unsafe fn fill(first: NonNull<Variant>, room: usize, members: FixedRun<'_>) -> usize {
    let variant_type = members.variant_type as usize;
    let layout = &engine().layout;
    let in_place = layout.assembled && layout.in_place[variant_type];
    // SAFETY: by the caller. Types with a payload in place own nothing that would have to be dropped.
    unsafe {
        match variant_type {
            // Null is what the engine has put there.
            0 => members.payloads().take(room).count(),
            5 | 6 | 23 if in_place => fill_in_place::<12>(first, room, variant_type, members),
            9 | 10 if in_place => fill_in_place::<16>(first, room, variant_type, members),
            7 | 8 | 12..=15 | 20 if in_place => fill_in_place::<20>(first, room, variant_type, members),
            _ => fill_by_engine(first, room, variant_type, members),
        }
    }
}

/// # Safety
/// As for [`fill`]. The type must own nothing and have its payload in place. `SIZE` is the size of a member with its header.
unsafe fn fill_in_place<const SIZE: usize>(
    first: NonNull<Variant>,
    room: usize,
    variant_type: usize,
    members: FixedRun<'_>,
) -> usize {
    let elements = members.elements::<SIZE>();
    let count = elements.len().min(room);
    for (index, element) in elements[..count].iter().enumerate() {
        let mut words = [0_u64; 4];
        for (index, bytes) in element.as_chunks().0.iter().skip(1).enumerate() {
            words[index] = u64::from(u32::from_le_bytes(*bytes));
        }
        let value: Words = [variant_type as u64, words[0] | words[1] << 32, words[2] | words[3] << 32];
        // SAFETY: by the caller.
        unsafe { first.add(index).cast::<Words>().write(value) };
    }
    count
}

/// # Safety
/// As for [`fill`].
unsafe fn fill_by_engine(first: NonNull<Variant>, room: usize, variant_type: usize, members: FixedRun<'_>) -> usize {
    let mut written = 0;
    for bytes in members.payloads().take(room) {
        // SAFETY: by the caller. The payload has as many components as the encoded form, in the same order.
        unsafe { WireNumbers { variant_type, bytes }.by_engine_over(first.add(written).as_ptr()) };
        written += 1;
    }
    written
}
