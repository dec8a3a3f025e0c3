//! The memory that values take.

use core::mem::size_of;

use crate::Variant;
use crate::variant::{
    Components, ContainerType, NodePath, NodePathRef, ObjectData, ObjectRef, Signal, Text, VariantRef,
};

/// The memory that each kind of value takes in a [`Builder`](super::Builder), in bytes.
///
/// The reader charges these costs to [`Limits::memory`](crate::Limits::memory) before the builder allocates anything
/// for them, also for converted members of typed containers. [`Builder::COSTS`](super::Builder::COSTS) is
/// [`TREE`](Self::TREE) unless a builder sets its own:
///
/// ```
/// use varbytes::build::MemoryCosts;
///
/// /// An engine with 4 bytes for a character of text, and 48 for a dictionary.
/// const COSTS: MemoryCosts = MemoryCosts { text_byte: 4, dictionary: 48, ..MemoryCosts::TREE };
/// ```
///
/// To measure them, decode a packet of one million values of one kind in an array, divide the growth of the process
/// by their number, and subtract [`value`](Self::value). Include the allocator's overhead per allocation. Round up:
/// with a cost that is too low, a packet can take more memory than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCosts {
    /// The slot of a value: the outermost one or a member of an array. `null`, `bool`, `int`, `float`, `RID`, `Color`
    /// and types of up to 4 integers or 3 reals cost nothing else. All other costs, except those of entries and
    /// properties, are added to this one.
    pub value: usize,
    /// An `Array`, without the slots of its members.
    pub array: usize,
    /// A `Dictionary`, without its entries.
    pub dictionary: usize,
    /// An entry of a dictionary: the slots of key and value, and their share of the hash table.
    pub entry: usize,
    /// The declared type of an array's members, or of a dictionary's keys or values. The name of a class or script is
    /// added twice: as text, and with one byte per byte of UTF-8.
    pub container_type: usize,
    /// An object with class and properties, without its properties and without the text of its class.
    pub object: usize,
    /// A property of an object: the slot of its value, and its name without the text.
    pub property: usize,
    /// An object that is known only by its id.
    pub object_id: usize,
    /// A `String`, without its text.
    pub string: usize,
    /// A `StringName`, without its text.
    pub string_name: usize,
    /// A `NodePath`, without its names.
    pub node_path: usize,
    /// A name or subname of a `NodePath`, without its text.
    pub name: usize,
    /// A `Signal`, without the text of its name.
    pub signal: usize,
    /// A `Callable`.
    pub callable: usize,
    /// A byte of any text, counted in UTF-8.
    pub text_byte: usize,
    /// A packed array, without its elements.
    pub packed_array: usize,
    /// A byte of the elements of a packed array, as encoded in the packet. Components that a single-precision build
    /// narrows are counted with their 8 bytes.
    pub packed_byte: usize,
    /// An element of a `PackedStringArray`, without its text.
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
    /// A component of 8 bytes of any type made of reals. Added to the cost of that type.
    pub wide_real: usize,
}

impl MemoryCosts {
    /// The costs of [`Variant`].
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

    /// The costs of [`VariantRef`], which borrows text and packed arrays from the packet.
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

    /// The cost of a type made of reals, without its slot.
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

    /// The cost of a declared type, and the length of its name, which also costs as text.
    pub(crate) fn declared_type(&self, declared: Option<&ContainerType>) -> (usize, usize) {
        let name = match declared {
            None => return (0, 0),
            Some(ContainerType::Builtin(_) | ContainerType::Unknown(_)) => 0,
            Some(ContainerType::Class(name) | ContainerType::Script(name)) => name.len(),
        };
        (self.container_type.saturating_add(name), name)
    }

    /// The cost of `length` bytes of text.
    #[inline(always)]
    pub(crate) const fn text(&self, length: usize) -> usize {
        length.saturating_mul(self.text_byte)
    }
}
