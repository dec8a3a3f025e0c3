//! Limits on the resources that decoding a packet may use.

/// Limits on what decoding may use. Exceeding one is an error of the category [`Limit`](crate::Category::Limit).
///
/// [`untrusted`](Self::untrusted) is the preset for untrusted input. The default limits only the depth, to the engine's
/// own maximum. Even without limits, no count is trusted before its bytes exist.
///
/// ```
/// use varbytes::{Category, Decoder, Limits, Variant};
///
/// let bytes = varbytes::encode(&Variant::from(vec![0u8; 5000]))?;
/// let limits = Limits::default().memory(4096);
/// let error = Decoder::new().limits(limits).decode(&bytes).unwrap_err();
/// assert_eq!(error.category(), Category::Limit);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The deepest level of nesting; the outermost value is at level 0. The engine's own maximum always applies as
    /// well: 1024 in every engine since Godot 3.4.3.
    pub depth: usize,
    /// Bytes of memory that the built value may take, by [the costs of each kind of value](crate::build::MemoryCosts).
    /// They are charged before anything is built. The estimate can be off by a factor of two. The search for
    /// duplicate keys takes up to 24 more bytes for each entry of the open dictionaries.
    pub memory: usize,
    /// Values in all containers of a packet: members of arrays, keys and values of dictionaries, properties of objects.
    /// Elements of packed arrays that become members of an array count too.
    pub values: usize,
    /// Elements of any kind in all packed arrays of a packet: bytes, strings, vectors.
    pub packed_elements: usize,
    /// UTF-8 bytes of a string, of a name, or of the name of a class or property. The NUL that ends the strings of a
    /// `PackedStringArray` does not count.
    pub string_length: usize,
}

/// Declares a method for each limit that returns the limits with a new value of it.
macro_rules! setters {
    ($($name:ident($value:ident): $subject:literal;)*) => {$(
        #[doc = concat!("Returns these limits with another [`", stringify!($name), "`](field@Self::", stringify!($name),
            "): ", $subject, ".")]
        ///
        /// ```
        #[doc = concat!("let limits = varbytes::Limits::NONE.", stringify!($name), "(100);")]
        #[doc = concat!("assert_eq!(limits.", stringify!($name), ", 100);")]
        /// ```
        #[must_use]
        pub const fn $name(mut self, $value: usize) -> Self {
            self.$name = $value;
            self
        }
    )*};
}

impl Limits {
    setters! {
        depth(levels): "the deepest level";
        memory(bytes): "bytes of memory for the value";
        values(count): "values in all containers";
        packed_elements(count): "elements of all packed arrays";
        string_length(bytes): "bytes of a string";
    }

    /// The deepest level that engines read and write since Godot 3.4.3. The outermost value is at level 0.
    ///
    /// ```
    /// let mut deep = varbytes::Variant::Nil;
    /// for _ in 0..varbytes::Limits::MAX_DEPTH + 1 {
    ///     deep = varbytes::variant!([deep]);
    /// }
    /// assert!(varbytes::encode(&deep).is_err());
    /// ```
    pub const MAX_DEPTH: usize = crate::wire::MAX_DEPTH;

    /// No limits except the engine's own limit on depth.
    pub const NONE: Self = Self {
        depth: usize::MAX,
        memory: usize::MAX,
        values: usize::MAX,
        packed_elements: usize::MAX,
        string_length: usize::MAX,
    };

    /// Returns the preset for untrusted input of `bytes` bytes.
    ///
    /// Nothing that an engine writes exceeds it. It prevents small packets from becoming large values: `memory` is 64
    /// times their length plus 4096 bytes, `values` a quarter of their length, because each value takes at least 4
    /// bytes, and `packed_elements` and `string_length` their length. This also bounds the coercion of members of typed
    /// containers.
    ///
    /// It does not know how much memory you have. Limit the length of packets first, and lower `memory` and `depth` if
    /// you need less.
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
            // Of what engines write, an object id takes the most in a running engine: 12 bytes become about 400.
            memory: bytes.saturating_mul(64).saturating_add(4096),
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
