//! Constants of the format: masks, flags, sizes, limits of the engine.

/// Length of the header word that begins every value, and of every count and length word.
pub(crate) const WORD: usize = 4;

/// Every value and every variable-length part is padded to a multiple of this many bytes.
pub(crate) const ALIGNMENT: usize = 4;

/// The bits of the header word that hold the type id. Published documentation says `0xFFFF`, but engines since 3.0 use
/// only the lowest byte.
pub(crate) const TYPE_MASK: u32 = 0x0000_00FF;

/// Header flag of `int` and `float`: the payload has 8 bytes instead of 4. For types made of reals: each component has
/// 8 bytes instead of 4.
pub(crate) const FLAG_WIDE: u32 = 1 << 16;

/// Header flag of `Object`: the payload is an instance id.
pub(crate) const FLAG_OBJECT_ID: u32 = 1 << 16;

/// Position of the two header bits that hold the container kind of an `Array`, or of the keys of a `Dictionary`.
pub(crate) const FIRST_KIND_SHIFT: u32 = 16;

/// The same for the values of a `Dictionary`.
pub(crate) const SECOND_KIND_SHIFT: u32 = 18;

/// The two bits themselves, shifted down.
pub(crate) const KIND_MASK: u32 = 0b11;

/// Container kinds: no type, a built-in type's id, a class name, a script's path.
pub(crate) const KIND_NONE: u32 = 0;
pub(crate) const KIND_BUILTIN: u32 = 1;
pub(crate) const KIND_CLASS: u32 = 2;
pub(crate) const KIND_SCRIPT: u32 = 3;

/// The highest bit of a container's count: "shared" in Godot 1 and 2. Later engines ignore it.
pub(crate) const COUNT_SHARED: u32 = 1 << 31;

/// The bit of a `NodePath`'s first word that distinguishes the current form from the obsolete string form.
pub(crate) const NODE_PATH_MARK: u32 = 1 << 31;

/// `NodePath` flag: the path is absolute.
pub(crate) const NODE_PATH_ABSOLUTE: u32 = 1;

/// `NodePath` flag: one more string follows, which later engines read as a subname. Only Godot 1 and 2 write it.
pub(crate) const NODE_PATH_PROPERTY: u32 = 1 << 1;

/// The class of objects that are written as ids.
pub(crate) const ENCODED_OBJECT_AS_ID: &str = "EncodedObjectAsID";

/// The prefix of every script path on the wire.
pub(crate) const SCRIPT_PATH_PREFIX: &str = "res://";

/// The property of a full object that holds its script.
pub(crate) const SCRIPT_PROPERTY: &str = "script";

/// `Variant::MAX_RECURSION_DEPTH`: the deepest level that works. The outermost value is at level 0.
pub(crate) const MAX_DEPTH: usize = 1024;

/// The UTF-8 byte order mark, which engines drop from the start of a string.
pub(crate) const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// Returns the number of zero bytes that pad `length` to a multiple of [`ALIGNMENT`].
#[inline]
pub(crate) const fn padding(length: usize) -> usize {
    length.wrapping_neg() % ALIGNMENT
}

/// Returns `length` with its padding.
#[inline(always)]
pub(crate) const fn padded(length: usize) -> usize {
    (length + (ALIGNMENT - 1)) & !(ALIGNMENT - 1)
}

/// Converts bytes to little-endian words of 8 bytes.
#[inline(always)]
pub(crate) fn little_endian_words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u64; WORDS] {
    const { assert!(BYTES == 8 * WORDS) }
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
