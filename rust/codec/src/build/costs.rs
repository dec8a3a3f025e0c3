//! What values take in memory.

use core::mem::size_of;

use crate::Variant;
use crate::variant::{Components, NodePath, NodePathRef, ObjectData, ObjectRef, Signal, Text, VariantRef};

/// What each kind of value takes in the memory of a [`Builder`](super::Builder), in bytes.
///
/// The reader charges these costs to [`Limits::memory`](crate::Limits::memory) before the builder makes anything of
/// what they stand for, converted members of typed containers included. [`Builder::COSTS`](super::Builder::COSTS) is
/// that of the tree unless a builder has its own:
///
/// ```
/// use varbytes::build::MemoryCosts;
///
/// /// An engine with 4 bytes for a character of text, and 48 for a dictionary.
/// const COSTS: MemoryCosts = MemoryCosts { text_byte: 4, dictionary: 48, ..MemoryCosts::TREE };
/// ```
///
/// To measure them, decode a packet of one million values of one kind in an array, divide the growth of the process
/// by their number, and subtract [`value`](Self::value). Include what an allocator adds to each allocation. Round up:
/// a cost that is too low lets a packet take more than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCosts {
    /// The place of a value: of the outermost one, of a member of an array. All that `null`, `bool`, `int`, `float`,
    /// `RID`, `Color` and types of up to 4 integers or 3 reals take. Every other cost but those of entries and
    /// properties is added to this one.
    pub value: usize,
    /// An `Array`, without the places of its members.
    pub array: usize,
    /// A `Dictionary`, without its entries.
    pub dictionary: usize,
    /// An entry of a dictionary: the places of key and value, and what the table of the dictionary takes for them.
    pub entry: usize,
    /// The declared type of an array's members, or of a dictionary's keys or values. The name of its class or script is
    /// charged besides, as text and once more as it is.
    pub container_type: usize,
    /// An object with class and properties, without the properties. The text of its class is charged besides.
    pub object: usize,
    /// A property of an object: its value's place, and what its name takes besides its text.
    pub property: usize,
    /// An object known by its id alone.
    pub object_id: usize,
    /// A `String`, besides its text.
    pub string: usize,
    /// A `StringName`, besides its text.
    pub string_name: usize,
    /// A `NodePath`, without its names.
    pub node_path: usize,
    /// A name or subname of a `NodePath`, besides its text.
    pub name: usize,
    /// A `Signal`, besides the text of its name.
    pub signal: usize,
    /// A `Callable`.
    pub callable: usize,
    /// A byte of UTF-8, of any text.
    pub text_byte: usize,
    /// A packed array, without its elements.
    pub packed_array: usize,
    /// A byte of the elements of a packed array, as they stand in the packet; in a build with single precision, of
    /// components that were narrowed too.
    pub packed_byte: usize,
    /// An element of a `PackedStringArray`, besides its text.
    pub packed_string: usize,
    /// `Rect2`, `Vector4`, `Plane` or `Quaternion`.
    pub four_reals: usize,
    /// `Transform2D` or `AABB`.
    pub six_reals: usize,
    /// `Basis`.
    pub nine_reals: usize,
    /// `Transform3D`.
    pub twelve_reals: usize,
    /// `Projection`.
    pub sixteen_reals: usize,
    /// A component of 8 bytes of any type made of reals, besides the cost of that type.
    pub wide_real: usize,
}

impl MemoryCosts {
    /// Those of [`Variant`].
    pub const TREE: Self = Self {
        value: size_of::<Variant>(),
        array: 0,
        dictionary: 0,
        entry: size_of::<(Variant, Variant)>(),
        container_type: 2 * size_of::<Variant>(),
        object: size_of::<ObjectData>(),
        property: size_of::<(alloc::string::String, Variant)>(),
        object_id: 0,
        string: 0,
        string_name: size_of::<Text>(),
        node_path: size_of::<NodePath>(),
        name: size_of::<Text>(),
        signal: size_of::<Signal>(),
        callable: 0,
        text_byte: 1,
        packed_array: 0,
        packed_byte: 1,
        packed_string: size_of::<Text>(),
        four_reals: size_of::<Components<4>>(),
        six_reals: size_of::<Components<6>>(),
        nine_reals: size_of::<Components<9>>(),
        twelve_reals: size_of::<Components<12>>(),
        sixteen_reals: size_of::<Components<16>>(),
        wide_real: size_of::<f64>(),
    };

    /// Those of [`VariantRef`], which leaves text and packed arrays in the packet.
    pub const BORROWED: Self = Self {
        value: size_of::<VariantRef<'_>>(),
        entry: size_of::<(VariantRef<'_>, VariantRef<'_>)>(),
        container_type: 2 * size_of::<VariantRef<'_>>(),
        object: size_of::<ObjectRef<'_>>(),
        property: size_of::<(&str, VariantRef<'_>)>(),
        string_name: 0,
        node_path: size_of::<NodePathRef<'_>>(),
        name: size_of::<&str>(),
        signal: 0,
        text_byte: 0,
        packed_byte: 0,
        packed_string: size_of::<&str>(),
        ..Self::TREE
    };

    /// A type made of that many reals, besides its place.
    #[inline]
    pub(crate) const fn reals(&self, components: usize, wide: bool) -> usize {
        let cost = match components {
            0..4 => 0,
            4 => self.four_reals,
            5..=6 => self.six_reals,
            7..=9 => self.nine_reals,
            10..=12 => self.twelve_reals,
            _ => self.sixteen_reals,
        };
        if wide { cost + components * self.wide_real } else { cost }
    }

    /// So many bytes of text.
    #[inline(always)]
    pub(crate) const fn text(&self, length: usize) -> usize {
        length.saturating_mul(self.text_byte)
    }
}
