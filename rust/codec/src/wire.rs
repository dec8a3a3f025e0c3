//! Every number of the format that is not data: masks, flags, sizes, limits of the engine.

/// Length of the header word that begins every value, and of every count and length word.
pub(crate) const WORD: usize = 4;

/// Every value and every variable-length part is padded to a multiple of this many bytes.
pub(crate) const ALIGNMENT: usize = 4;

/// The bits of the header word that hold the type id. Published documentation says `0xFFFF`; engines
/// since 3.0 look at the lowest byte alone.
pub(crate) const TYPE_MASK: u32 = 0x0000_00FF;

/// Header flag of `int` and `float`: the payload is 8 bytes instead of 4. Of types made of reals: each
/// component is 8 bytes instead of 4.
pub(crate) const FLAG_WIDE: u32 = 1 << 16;

/// Header flag of `Object`: the payload is an instance id.
pub(crate) const FLAG_OBJECT_ID: u32 = 1 << 16;

/// Position in the header of the two bits that say how an `Array`'s element type, or a `Dictionary`'s
/// key type, is given.
pub(crate) const FIRST_KIND_SHIFT: u32 = 16;

/// The same for a `Dictionary`'s value type.
pub(crate) const SECOND_KIND_SHIFT: u32 = 18;

/// The two bits themselves, shifted down.
pub(crate) const KIND_MASK: u32 = 0b11;

/// Container kinds: no type, a built-in type's id, a class name, a script's path.
pub(crate) const KIND_NONE: u32 = 0;
pub(crate) const KIND_BUILTIN: u32 = 1;
pub(crate) const KIND_CLASS: u32 = 2;
pub(crate) const KIND_SCRIPT: u32 = 3;

/// The bit of a container's count that 2.x used for "shared" and that every later reader ignores.
pub(crate) const COUNT_SHARED: u32 = 1 << 31;

/// The bit of a `NodePath`'s first word that tells the present form from the obsolete string form.
pub(crate) const NODE_PATH_MARK: u32 = 1 << 31;

/// `NodePath` flag: the path is absolute.
pub(crate) const NODE_PATH_ABSOLUTE: u32 = 1;

/// `NodePath` flag: one more string follows, which readers take for a further subname. Only 2.x wrote it.
pub(crate) const NODE_PATH_PROPERTY: u32 = 1 << 1;

/// The class that stands for "some object" wherever objects are reduced to ids.
pub(crate) const ENCODED_OBJECT_AS_ID: &str = "EncodedObjectAsID";

/// What the path of every script that can be named on the wire begins with.
pub(crate) const SCRIPT_PATH_PREFIX: &str = "res://";

/// The property of a full object that holds its script.
pub(crate) const SCRIPT_PROPERTY: &str = "script";

/// `Variant::MAX_RECURSION_DEPTH`: the top value is at depth 0, and this depth is the last that works.
pub(crate) const MAX_DEPTH: usize = 1024;

/// UTF-8 byte order mark, which readers drop from the front of a string.
pub(crate) const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// The zero bytes that bring `length` up to the next multiple of [`ALIGNMENT`].
#[inline]
pub(crate) const fn padding(length: usize) -> usize {
    length.wrapping_neg() % ALIGNMENT
}

/// Words of 8 bytes, which are little-endian as everything on the wire.
#[inline(always)]
pub(crate) fn little_endian_words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u64; WORDS] {
    const { assert!(BYTES == 8 * WORDS) }
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
