//! Where the members of an Array are in the engine's memory.

use godot::builtin::{VarArray, Variant};
use godot::meta::ToGodot;
use godot::sys;

use super::interface::{ARRAY, Interface};

/// The place of the pointer to the first member, and that of their number.
#[derive(Clone, Copy)]
pub(super) struct ArrayMembers {
    /// The offset of the pointer in the memory of an Array, in bytes. It is null if there are no members.
    pointer: usize,
    /// The distance in bytes from the number to the first member.
    count: usize,
}

impl ArrayMembers {
    /// Finds the places, or returns `None` if they are not as assumed.
    pub(super) fn verify(interface: &Interface) -> Option<Self> {
        /// No more words than the memory of an Array has: a count of references, a vector of two words, another pointer and the
        /// type of the members.
        const WORDS: usize = 6;
        let arrays = sample_arrays();
        let variants: Vec<Variant> = arrays.iter().map(ToGodot::to_variant).collect();
        // SAFETY: the getter belongs to the type.
        let address = |variant: &Variant| unsafe { interface.payload[ARRAY](variant.var_sys().cast_mut()) };
        let is_first = |pointer: usize, variant: &Variant, array: &VarArray| {
            let place = address(variant);
            // SAFETY: the word belongs to the memory of an Array, see above. It is only compared.
            let found = unsafe { place.cast::<*const u8>().read().byte_add(pointer).cast::<*const Variant>().read() };
            // SAFETY: a live Array, and the index of a member if there is one.
            let official =
                || unsafe { sys::interface_fn!(array_operator_index_const)(place.cast_const().cast(), 0).cast() };
            if array.is_empty() { found.is_null() } else { std::ptr::eq(found, official()) }
        };
        let pointer = (0..WORDS)
            .map(|word| word * size_of::<usize>())
            .find(|pointer| variants.iter().zip(&arrays).all(|(variant, array)| is_first(*pointer, variant, array)))?;
        let is_count = |count: usize, variant: &Variant, array: &VarArray| {
            // SAFETY: the vector has its number of members and its references before the first one, which are at least two words.
            let found =
                unsafe { Self { pointer, count }.first(address(variant).cast()).byte_sub(count).cast::<u64>().read() };
            found == array.len() as u64
        };
        let mut counts = [8, 16].into_iter().filter(|count| {
            let mut filled = variants.iter().zip(&arrays).filter(|(_, array)| !array.is_empty());
            filled.all(|(variant, array)| is_count(*count, variant, array))
        });
        let count = counts.next().filter(|_| counts.next().is_none())?;
        Some(Self { pointer, count })
    }

    /// Returns the address of the first member, or null if there are none.
    ///
    /// # Safety
    /// There must be an Array.
    #[inline(always)]
    pub(super) unsafe fn first(self, array: *const u8) -> *mut Variant {
        // SAFETY: an Array is a pointer to its memory, where the address is, as verified when the library was loaded.
        unsafe { array.cast::<*const u8>().read().byte_add(self.pointer).cast::<*mut Variant>().read() }
    }

    /// Returns the members.
    ///
    /// # Safety
    /// There must be an Array, which lives for `'a`.
    #[inline(always)]
    pub(super) unsafe fn all<'a>(self, array: *const u8) -> &'a [Variant] {
        // SAFETY: by the caller; as above.
        unsafe {
            let first = self.first(array);
            if first.is_null() {
                return &[];
            }
            std::slice::from_raw_parts(first, first.byte_sub(self.count).cast::<u64>().read() as usize)
        }
    }
}

/// Arrays that were filled, resized or shortened, and empty ones.
fn sample_arrays() -> Vec<VarArray> {
    let filled = |size: usize| (0..size as i64).map(|member| member.to_variant()).collect::<VarArray>();
    let mut arrays = Vec::new();
    for size in [0, 1, 2, 3, 7, 40] {
        let mut resized = VarArray::new();
        resized.resize(size, &Variant::nil());
        let mut shortened = filled(size + 1);
        shortened.pop();
        arrays.extend([filled(size), resized, shortened]);
    }
    arrays
}
