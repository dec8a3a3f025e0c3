//! What a caller is willing to spend on a packet.

/// Bounds on what decoding may use. Crossing one is an error of its own category, never a malformation.
///
/// [`untrusted`](Self::untrusted) is the preset for bytes that anyone may have made. The defaults bound only the
/// depth, by the engine's own maximum. Even without the others, no count is trusted before the bytes behind it exist.
/// More limits may be added: write `..Limits::default()` after those you set.
///
/// ```
/// use varbytes::{Category, Decoder, Limits, Variant};
///
/// let bytes = varbytes::encode(&Variant::from(vec![0u8; 5000]))?;
/// let limits = Limits { memory: 4096, ..Limits::default() };
/// let error = Decoder::new().limits(limits).decode(&bytes).unwrap_err();
/// assert_eq!(error.category(), Category::Limit);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The deepest a value may be nested; the outermost is at depth 0. The engine's own maximum, 1024 in
    /// every engine since Godot 3.4.3, holds whatever stands here.
    pub depth: usize,
    /// Bytes that what is built may take, by [what each kind of value takes there](crate::build::MemoryCosts), charged
    /// before anything is built. It can be off by a factor of two; the text that an engine makes of arrays in an array
    /// for a container of `PackedStringArray` is charged by what it takes at most. The search for equal keys takes up to 24 bytes an
    /// entry besides, of the dictionaries that are open, while it lasts.
    pub memory: usize,
    /// Values that all containers of a packet may have together: members of arrays, keys and values of dictionaries,
    /// properties of objects. Elements of packed arrays that become members of an array count too.
    pub values: usize,
    /// Elements that all packed arrays of a packet may have together, whatever they are: bytes, strings, vectors.
    pub packed_elements: usize,
    /// Bytes of UTF-8 that any one string may have.
    pub string_length: usize,
}

/// Memory that [`Limits::untrusted`] allows for each byte of a packet. What takes most of what engines write is an
/// object known by its id alone in a running engine: 12 bytes become about 400.
const MEMORY_FOR_A_BYTE: usize = 64;

/// Memory that it allows besides, for packets of a few bytes.
const MEMORY_BESIDES: usize = 4096;

impl Limits {
    /// The deepest level that engines read and write since Godot 3.4.3; the outermost value is at level 0.
    pub const MAX_DEPTH: usize = crate::wire::MAX_DEPTH;

    /// No bound but the engine's own on depth.
    pub const NONE: Self = Self {
        depth: usize::MAX,
        memory: usize::MAX,
        values: usize::MAX,
        packed_elements: usize::MAX,
        string_length: usize::MAX,
    };

    /// The preset for a packet of `bytes` bytes that anyone may have made.
    ///
    /// Nothing an engine writes crosses it. It stops packets from becoming much more than they are: `memory` is 64
    /// times their length and 4096 bytes, `values` a quarter of it, because each takes 4 bytes at least, and
    /// `packed_elements` and `string_length` all of it. So no conversion of a member of a typed container makes many
    /// values of a few bytes.
    ///
    /// It cannot know how much you have: bound the length of packets first, and set `memory` and `depth` where less
    /// is enough.
    ///
    /// ```
    /// use varbytes::{Category, Decoder, Limits, Variant};
    ///
    /// // Array[Array] of a PackedByteArray, each byte of which would become a value of 24 bytes.
    /// let bytes = varbytes::encode(&Variant::PackedByteArray(vec![0; 10_000].into()))?;
    /// let packet = [&[28, 0, 1, 0, 28, 0, 0, 0, 1, 0, 0, 0], &bytes[..]].concat();
    /// let error = Decoder::new().limits(Limits::untrusted(packet.len())).decode(&packet).unwrap_err();
    /// assert_eq!(error.category(), Category::Limit);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn untrusted(bytes: usize) -> Self {
        Self {
            depth: usize::MAX,
            memory: bytes.saturating_mul(MEMORY_FOR_A_BYTE).saturating_add(MEMORY_BESIDES),
            values: bytes / 4,
            packed_elements: bytes,
            string_length: bytes,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}
