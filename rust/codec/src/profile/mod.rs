//! Profiles: what each engine version writes and accepts, as data.

#[cfg(test)]
mod format_tables;
mod name;
mod plain_headers;
mod table;
mod types;

use core::fmt;

pub use name::UnknownProfile;

use crate::VariantType;
pub(crate) use plain_headers::PlainHeaders;
use table::ROWS;

/// The size of a real on the wire when a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 4 bytes, as ordinary builds of the engine.
    Single,
    /// 8 bytes, as engines built with `precision=double`.
    Double,
}

/// How an engine coerces a member whose type does not match its typed container.
///
/// A member that cannot be coerced is dropped, and reading continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemberCoercion {
    /// Godot 4.3 to 4.5: `String` and `StringName` to each other, `int` to `float` via 32 bits, `null` to objects.
    Few,
    /// Godot 4.6: every pair that `Variant.can_convert_strict` allows (pull request 114808).
    Strict,
}

/// The rules of an engine version: its types and their ids, and how it reads and writes them.
///
/// Look up a profile by name. Every release version has a profile:
///
/// ```
/// use varbytes::Profile;
///
/// assert_eq!(Profile::from_name("godot-4.4.1")?.name(), "godot-4.4");
/// assert_eq!(Profile::from_name("3.6.2")?.name(), "godot-3.5");
/// assert_eq!(Profile::from_name("pandemonium-4.1")?.name(), "pandemonium-3.8");
/// assert!(Profile::from_name("godot-9.9").unwrap_err().to_string().contains("godot-4.6"));
/// # Ok::<(), varbytes::UnknownProfile>(())
/// ```
#[derive(Clone, Copy)]
pub struct Profile(&'static Rules);

/// A release of an engine: major, minor, patch.
type Version = (u16, u16, u16);

/// A row of the table.
struct Rules {
    name: &'static str,
    engine: &'static str,
    /// The first and the last release that the row applies to.
    first: Version,
    last: Version,
    /// Types in the order of their ids.
    types: &'static [VariantType],
    /// The id of each type.
    ids: [u8; VariantType::ALL.len()],
    /// The headers of common values, computed from the ids.
    plain: PlainHeaders,
    /// Whether only the lowest byte of the header is the type, and the rest are flags.
    masked_header: bool,
    numbers: Numbers,
    /// Whether 8-byte reals are supported, with a flag in the header.
    wide_components: bool,
    /// Whether `Vector4` and `Projection` have this flag too.
    wide_vector4_flag: bool,
    /// Whether a `RID` has an 8-byte id.
    rid_payload: bool,
    objects: ObjectForms,
    /// Whether the script of an object is written as its path instead of as an object.
    script_as_path: bool,
    /// Whether arrays have an element type, and how members of other types are coerced.
    typed_array: Option<MemberCoercion>,
    /// The same for dictionaries.
    typed_dictionary: bool,
    /// Whether the highest bit of a container's count is preserved.
    shared_bit: bool,
    text_reading: TextReading,
    text_writing: TextWriting,
    /// Whether the padding of a string is required.
    string_padding_required: bool,
    /// Which padding is undefined memory.
    undefined_padding: UndefinedPadding,
    /// Whether a `NodePath` may be a plain string.
    obsolete_node_path: bool,
    /// Whether a `NodePath` has a property in addition to its subnames.
    node_path_property: bool,
    /// Whether reading a `NodePath` without names keeps its subnames.
    nameless_path: bool,
    /// Whether reading an absolute `NodePath` without names and subnames keeps it absolute.
    root_path: bool,
    /// Whether a `StringName` that is a dictionary key stays a `StringName`.
    name_keys: bool,
    keys: KeyRules,
    depth: Depth,
    /// Whether the engine reads vectors of four components, and writes arrays of them, with Pandemonium's bugs.
    faulty_vectors: bool,
}

/// The size in which `int` and `float` are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Always 4 bytes.
    Narrow,
    /// Ints always 8 bytes, floats as in `Shortest`.
    WideInts,
    /// 4 bytes if that is exact, otherwise 8.
    Shortest,
}

/// The forms of `Object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectForms {
    /// Only a header: objects cannot be written.
    HeaderAlone,
    /// By id or in full; null is the id 0 or an empty class.
    NullInOwnForm,
    /// By id or in full; null is `Nil`.
    NullAsNil,
}

/// How the bytes of text are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextReading {
    /// As in `Lenient`; invalid text becomes empty.
    Unchecked,
    /// UTF-8 that may contain surrogates, most overlong forms and numbers up to 2^31 - 1.
    Lenient,
    /// Valid UTF-8 only.
    Unicode,
}

/// How text that is not Unicode is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextWriting {
    /// Each unit as its number.
    EachUnit,
    /// A pair of surrogates as its character, any other surrogate as a space.
    JoinedSurrogates,
    /// Does not occur.
    Unicode,
}

/// Which padding an engine leaves as undefined memory. Each variant includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UndefinedPadding {
    /// All padding is zero.
    Nowhere,
    /// The strings of a `NodePath`.
    NodePaths,
    /// Also `PackedByteArray`.
    Bytes,
    /// Also strings, names and `Image`.
    Strings,
    /// All padding: also the strings of a `PackedStringArray`.
    Everywhere,
}

/// Which dictionary keys the engine considers equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KeyRules {
    /// Whether dictionaries in keys are compared by content, `String` equals `StringName`, and contents of containers
    /// follow different rules than the key itself. Otherwise dictionaries always differ.
    pub(crate) by_content: bool,
    /// If dictionaries always differ: whether a NaN in a `PackedFloat32Array` equals the same NaN.
    pub(crate) packed_nan_equal: bool,
}

impl KeyRules {
    /// Godot 2.1 to 3.4; observed on 3.2.3.
    const GODOT_3: Self = Self { by_content: false, packed_nan_equal: false };
    /// Godot 3.5 and 3.6; observed on 3.6.2.
    const GODOT_3_5: Self = Self { by_content: false, packed_nan_equal: true };
    /// Godot 4; observed on 4.6.3.
    pub(crate) const GODOT_4: Self = Self { by_content: true, packed_nan_equal: true };
}

/// Whether reading and writing check the engine's maximum depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Depth {
    pub(crate) reading: bool,
    pub(crate) writing: bool,
}

macro_rules! profiles {
    ($($(#[$doc:meta])* $name:ident = $index:literal,)*) => {
        impl Profile {
            $($(#[$doc])* pub const $name: Self = Self(&ROWS[$index]);)*

            /// All profiles, by engine, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }
    };
}

profiles! {
    /// Godot 1.0 to 2.1.4, and the engine documented as "Mole".
    GODOT_2_1 = 0,
    /// Godot 2.1.5 and 2.1.6.
    GODOT_2_1_5 = 1,
    /// Godot 3.0 to 3.0.5.
    GODOT_3_0 = 2,
    /// Godot 3.0.6 and 3.0.7.
    GODOT_3_0_6 = 3,
    /// Godot 3.1.
    GODOT_3_1 = 4,
    /// Godot 3.2 to 3.3.4.
    GODOT_3_2 = 5,
    /// Godot 3.3.5.
    GODOT_3_3_5 = 6,
    /// Godot 3.4 to 3.4.2.
    GODOT_3_4 = 7,
    /// Godot 3.4.3 to 3.4.5.
    GODOT_3_4_3 = 8,
    /// Godot 3.5 and 3.6.
    GODOT_3_5 = 9,
    /// Godot 4.0 and 4.1.
    GODOT_4_0 = 10,
    /// Godot 4.2.
    GODOT_4_2 = 11,
    /// Godot 4.3.
    GODOT_4_3 = 12,
    /// Godot 4.4 and 4.5.
    GODOT_4_4 = 13,
    /// Godot 4.6 to 4.6.2.
    GODOT_4_6 = 14,
    /// Godot 4.6.3 and 4.7.
    GODOT_4_6_3 = 15,
    /// Redot 4.3.
    REDOT_4_3 = 16,
    /// Redot 26.
    REDOT_26 = 17,
    /// Blazium 4.3.
    BLAZIUM_4_3 = 18,
    /// Pandemonium 3.5 to 3.7.
    PANDEMONIUM_3_5 = 19,
    /// Pandemonium 3.8 to 4.9.
    PANDEMONIUM_3_8 = 20,
    /// Pandemonium 5.
    PANDEMONIUM_5 = 21,
}

const _: () = assert!(Profile::ALL.len() == ROWS.len());

impl Profile {
    /// The newest supported engine.
    pub const NEWEST: Self = Self::GODOT_4_6_3;

    /// Returns the name of the profile: the oldest engine version it applies to.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the types of the engine in the order of their ids.
    #[must_use]
    pub const fn types(self) -> &'static [VariantType] {
        self.0.types
    }

    /// Returns the type with this id.
    #[must_use]
    #[inline]
    pub fn type_of_id(self, id: u8) -> Option<VariantType> {
        self.0.types.get(usize::from(id)).copied()
    }

    /// Returns the id of a type; `None` if the engine does not have it.
    #[must_use]
    #[inline]
    pub fn type_id(self, variant_type: VariantType) -> Option<u8> {
        let id = self.0.ids[variant_type as usize];
        (id != types::NO_ID).then_some(id)
    }

    /// Returns the type of a header word. From Godot 2.1.5 on, only the lowest byte counts, before that the whole word.
    #[must_use]
    #[inline]
    pub(crate) fn type_of_header(self, header: u32) -> Option<VariantType> {
        if !self.0.masked_header && header > 0xFF {
            return None;
        }
        self.type_of_id(header.to_le_bytes()[0])
    }

    /// Returns the header words of common values.
    #[inline]
    pub(crate) const fn plain_headers(self) -> &'static PlainHeaders {
        &self.0.plain
    }

    /// Returns whether only the lowest byte of the header is the type.
    pub(crate) const fn masks_header(self) -> bool {
        self.0.masked_header
    }

    /// Returns whether the header of a value of this type has a flag for 8-byte reals.
    ///
    /// Godot 4.0 and 4.1 omit the flag for `Vector4` and `Projection`. No engine can read these values if a
    /// double-precision build of 4.0 or 4.1 wrote them.
    #[must_use]
    pub const fn flags_wide(self, variant_type: VariantType) -> bool {
        self.0.wide_components
            && (self.0.wide_vector4_flag || !matches!(variant_type, VariantType::Vector4 | VariantType::Projection))
    }

    /// Returns whether the engine can be built with double precision, so that 8-byte reals are supported (since 4.0).
    #[must_use]
    pub const fn has_double_precision(self) -> bool {
        self.0.wide_components
    }

    /// Returns whether arrays have an element type (since 4.3).
    #[must_use]
    pub const fn types_arrays(self) -> bool {
        self.0.typed_array.is_some()
    }

    /// Returns whether dictionaries have key and value types (since 4.4).
    #[must_use]
    pub const fn types_dictionaries(self) -> bool {
        self.0.typed_dictionary
    }

    /// Returns how members are coerced whose type does not match their typed container; `None` if containers have no
    /// types.
    #[must_use]
    pub const fn member_coercion(self) -> Option<MemberCoercion> {
        self.0.typed_array
    }

    /// Returns whether the script of a full object is its `res://` path (since 4.3) instead of an object with source
    /// code.
    #[must_use]
    pub const fn script_as_path(self) -> bool {
        self.0.script_as_path
    }

    /// Returns whether text is Unicode (since 4.0, and Pandemonium 3.8). Otherwise it is any numbers up to 2^31 - 1.
    #[must_use]
    pub const fn text_is_unicode(self) -> bool {
        matches!(self.0.text_reading, TextReading::Unicode)
    }

    /// Returns whether arrays and dictionaries have a "shared" bit, which is preserved (before 3.0).
    #[must_use]
    pub const fn has_shared_bit(self) -> bool {
        self.0.shared_bit
    }

    /// Returns whether a `RID` has an id on the wire (since 4.0).
    #[must_use]
    pub const fn has_rid_payload(self) -> bool {
        self.0.rid_payload
    }

    pub(crate) const fn numbers(self) -> Numbers {
        self.0.numbers
    }

    pub(crate) const fn objects(self) -> ObjectForms {
        self.0.objects
    }

    pub(crate) const fn text_reading(self) -> TextReading {
        self.0.text_reading
    }

    pub(crate) const fn text_writing(self) -> TextWriting {
        self.0.text_writing
    }

    pub(crate) const fn requires_string_padding(self) -> bool {
        self.0.string_padding_required
    }

    pub(crate) const fn reads_obsolete_node_path(self) -> bool {
        self.0.obsolete_node_path
    }

    pub(crate) const fn has_node_path_property(self) -> bool {
        self.0.node_path_property
    }

    pub(crate) const fn undefined_padding(self) -> UndefinedPadding {
        self.0.undefined_padding
    }

    pub(crate) const fn keeps_nameless_path(self) -> bool {
        self.0.nameless_path
    }

    pub(crate) const fn keeps_name_keys(self) -> bool {
        self.0.name_keys
    }

    pub(crate) const fn keeps_root_path(self) -> bool {
        self.0.root_path
    }

    pub(crate) const fn keys(self) -> KeyRules {
        self.0.keys
    }

    pub(crate) const fn depth(self) -> Depth {
        self.0.depth
    }

    pub(crate) const fn has_faulty_vectors(self) -> bool {
        self.0.faulty_vectors
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::NEWEST
    }
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Profile {}

impl fmt::Debug for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Profile").field(&self.name()).finish()
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
