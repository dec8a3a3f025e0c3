//! What a caller is willing to spend on a packet.

/// Bounds on what decoding may use. Crossing one is a failure of its own category, never a malformation.
///
/// The defaults bound only the depth, by the engine's own maximum. Even without the others, memory stays
/// proportional to the packet: a value of 4 bytes becomes a [`Variant`](crate::Variant) of 24, a container of
/// 8 bytes takes a few hundred while it is open, and no count is trusted before the bytes behind it exist.
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
    /// Bytes that the decoded tree may take: 24 for each value, and the strings and packed arrays
    /// themselves. Counted alike whatever is built. The search for equal keys takes up to 24 bytes an entry
    /// besides, of the dictionaries that are open, while it lasts.
    pub memory: usize,
    /// Members that all containers and packed arrays of a packet may have together.
    pub elements: usize,
    /// Bytes of UTF-8 that any one string may have.
    pub string_length: usize,
}

impl Limits {
    /// No bound but the engine's own on depth.
    pub const NONE: Self =
        Self { depth: usize::MAX, memory: usize::MAX, elements: usize::MAX, string_length: usize::MAX };
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}
