//! The assumptions about the engine's memory. `layout_checks` decides which of them hold.
//!
//! These are the assumptions:
//! * A `Variant` begins with its type as a 4-byte word. If the payload is stored in place, it is at byte 8. Bytes 4 to 7 have
//!   no meaning. If the payload of a math type is not stored in place, its address is at byte 8.
//! * A `String` is a pointer to its UTF-32 characters. Their number, including the NUL at the end, is before them.
//! * A `StringName` is a pointer to its data, which has the `String`.
//! * A `Signal` is its name, then the id of its object in 8 bytes. A `Callable` of nothing is zeros.
//! * A `Variant` of a packed array is its type and the address of the array; its last word has no meaning.
//! * A packed array is one word without meaning, then a pointer to its elements. Their number is before them.
//! * The number of Variants that share a packed array is before it, as a 4-byte word.
//! * An `Array` consists of contiguous `Variant`s. A pointer to the first is in its memory, and their number before them.
//! * The entries of a `Dictionary` are a linked list in insertion order. Each has next, previous, key and value. A pointer to
//!   the first is in the dictionary itself.
//! * The memory of an `Array` has the type of its members as a 4-byte word, and that of a `Dictionary` those of its keys and of its
//!   values. It is 0 if they can be of any type.
//! * A new member of an `Array[Array]` is an empty Array of its own.
//! * The memory of an object begins with all members of the class `Object`. If the object is a `RefCounted`, its reference
//!   count follows, as a 4-byte word.

use godot::builtin::Variant;

use super::array_members::ArrayMembers;
use super::interface::TYPES;
use super::member_types::MemberTypes;

/// An environment variable for tests: the assumptions that are treated as if they did not hold, separated by commas. Their
/// names are in [`Layout::disable`].
const DISABLED: &str = "VARBYTES_OFFICIAL_INTERFACE";

/// The offset of the payload in a Variant.
pub(super) const PAYLOAD: usize = 8;
/// The offset of the pointer to the elements in a packed array.
pub(super) const ELEMENTS: usize = size_of::<usize>();
/// The offsets of the parts of a dictionary entry.
pub(super) const NEXT: usize = 0;
pub(super) const PREVIOUS: usize = 8;
pub(super) const KEY: usize = 16;
pub(super) const VALUE: usize = KEY + size_of::<Variant>();

/// Which assumptions hold.
pub(super) struct Layout {
    /// The first word of every Variant is its type.
    pub(super) typed: bool,
    /// The payload of this type is stored in place, and has the assumed form if the type is `Callable` or `Signal`.
    pub(super) in_place: [bool; TYPES],
    /// The address of the payload of this type is stored in place.
    pub(super) boxed: [bool; TYPES],
    /// A Variant assembled from type and payload equals the engine's.
    pub(super) assembled: bool,
    /// A Variant of a packed array is its type and one more word.
    pub(super) packed_in_word: bool,
    /// The distance in bytes from the length of a String to its first character.
    pub(super) string_length: Option<usize>,
    /// The offset of the String in the data of a StringName.
    pub(super) name_text: Option<usize>,
    /// The distance in bytes from the length of a packed array to its first element.
    pub(super) packed_length: Option<usize>,
    /// The distance in bytes from the number of Variants that share a packed array to the array.
    pub(super) packed_references: Option<usize>,
    /// Where the members of an Array are.
    pub(super) array_members: Option<ArrayMembers>,
    /// The offset of the pointer to the first entry in a dictionary's memory.
    pub(super) first_entry: Option<usize>,
    /// Where containers have the type of their members.
    pub(super) member_types: Option<MemberTypes>,
    /// The number of 4-byte words in the memory of an object before its reference count.
    pub(super) reference_count: Option<usize>,
    /// The assumptions that a test has disabled.
    pub(super) disabled: Vec<String>,
}

impl Layout {
    /// No assumption holds: the official interface is used for everything.
    pub(super) const UNKNOWN: Self = Self {
        typed: false,
        in_place: [false; TYPES],
        boxed: [false; TYPES],
        assembled: false,
        packed_in_word: false,
        string_length: None,
        name_text: None,
        packed_length: None,
        packed_references: None,
        array_members: None,
        first_entry: None,
        member_types: None,
        reference_count: None,
        disabled: Vec::new(),
    };

    /// Disables the assumptions that an environment variable names.
    pub(super) fn with_disabled(mut self) -> Self {
        if let Ok(disabled) = std::env::var(DISABLED) {
            disabled.split(',').for_each(|assumption| self.disable(assumption));
        }
        self
    }

    /// Disables one assumption and those that depend on it.
    fn disable(&mut self, assumption: &str) {
        match assumption {
            "type" => (self.typed, self.assembled) = (false, false),
            "payloads" => (self.in_place, self.boxed, self.assembled) = ([false; TYPES], [false; TYPES], false),
            // As in an engine that stores some types elsewhere.
            "odd_payloads" => {
                self.in_place.iter_mut().skip(1).step_by(2).for_each(|in_place| *in_place = false);
                self.assembled = false;
            }
            "even_payloads" => self.in_place.iter_mut().step_by(2).for_each(|in_place| *in_place = false),
            "assembling" => self.assembled = false,
            "packed_in_word" => self.packed_in_word = false,
            "string_length" => (self.string_length, self.name_text) = (None, None),
            "packed_length" => self.packed_length = None,
            "packed_references" => self.packed_references = None,
            "array_members" => self.array_members = None,
            "entries" => self.first_entry = None,
            "member_types" => self.member_types = None,
            "reference_count" => self.reference_count = None,
            "all" => *self = Self::UNKNOWN,
            _ => return,
        }
        self.disabled.push(assumption.to_owned());
    }

    pub(super) fn report(&self) -> String {
        let direct = self.in_place.iter().filter(|in_place| **in_place).count();
        format!(
            "type in the first word: {}, payload in place: {direct} types, assembled: {}, packed arrays in a word: {}, string length: {}, name text: {}, packed length: {}, packed references: {}, members of Arrays: {}, linked list of entries: {}, member types: {}, reference count: {}, disabled: {}",
            self.typed,
            self.assembled,
            self.packed_in_word,
            self.string_length.is_some(),
            self.name_text.is_some(),
            self.packed_length.is_some(),
            self.packed_references.is_some(),
            self.array_members.is_some(),
            self.first_entry.is_some(),
            self.member_types.is_some(),
            self.reference_count.is_some(),
            self.disabled.join(" ")
        )
    }
}

/// Assembles a Variant from a type and the four words of its payload.
///
/// # Safety
/// The words must be what the engine stores in a Variant of this type. Nothing else may own what they own.
#[inline]
pub(super) unsafe fn assemble(variant_type: usize, words: [u32; 4]) -> Variant {
    const { assert!(size_of::<Variant>() == 24 && align_of::<Variant>() <= 8) };
    // SAFETY: the sizes are equal. The caller guarantees the content.
    unsafe {
        // Whole words: moving a word right after writing its halves causes a store-forwarding stall.
        let word = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        std::mem::transmute::<[u64; 3], Variant>([
            variant_type as u64,
            word(words[0], words[1]),
            word(words[2], words[3]),
        ])
    }
}
