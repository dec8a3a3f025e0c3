//! What each engine version writes and accepts, as data.

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

/// How many bytes a real takes on the wire when a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 4 bytes: ordinary builds of the engine.
    Single,
    /// 8 bytes: engines built with `precision=double`.
    Double,
}

/// What an engine does with a member whose type is not the one its typed container asks for.
///
/// In every case a member that cannot be converted is left out and the rest is read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemberCoercion {
    /// Godot 4.3 to 4.5: `String` and `StringName` to each other, `int` to `float` through 32 bits, `null` to objects.
    Few,
    /// Godot 4.6: every pair that `Variant.can_convert_strict` allows (pull request 114808).
    Strict,
}

/// An engine version's rules: which types it has under which numbers, and how it reads and writes them.
///
/// A profile is found by name. Every released version resolves to the profile that covers it:
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

/// One row of the table.
struct Rules {
    name: &'static str,
    engine: &'static str,
    /// The first and the last release that the row covers.
    first: Version,
    last: Version,
    /// Types in the order of their ids.
    types: &'static [VariantType],
    /// The id of each type.
    ids: [u8; VariantType::ALL.len()],
    /// The headers of plain values, which follow from the ids.
    plain: PlainHeaders,
    /// Whether the type is the lowest byte of the header alone, and the rest flags.
    masked_header: bool,
    numbers: Numbers,
    /// Whether reals of 8 bytes are known, with a flag in the header.
    wide_components: bool,
    /// Whether `Vector4` and `Projection` have that flag too.
    wide_vector4_flag: bool,
    /// Whether a `RID` has an id of 8 bytes.
    rid_payload: bool,
    objects: ObjectForms,
    /// Whether an object's script is written as its path; before, as an object.
    script_as_path: bool,
    /// Whether arrays carry their element type, and what happens to members of another one.
    typed_array: Option<MemberCoercion>,
    /// The same for dictionaries.
    typed_dictionary: bool,
    /// Whether the highest bit of a container's count is kept.
    shared_bit: bool,
    text_reading: TextReading,
    text_writing: TextWriting,
    /// Whether a string's padding has to be there.
    string_padding_required: bool,
    /// Whose padding is undefined memory.
    undefined_padding: UndefinedPadding,
    /// Whether a `NodePath` may be a plain string.
    obsolete_node_path: bool,
    /// Whether a `NodePath` has a property beside its subnames.
    node_path_property: bool,
    /// Whether a `NodePath` without names keeps its subnames when it is read.
    nameless_path: bool,
    /// Whether an absolute `NodePath` without names and subnames is read as such.
    root_path: bool,
    /// Whether a `StringName` stays one where it is a dictionary's key.
    name_keys: bool,
    keys: KeyRules,
    depth: Depth,
    /// Whether vectors of four components are read, and arrays of them written, with Pandemonium's faults.
    faulty_vectors: bool,
}

/// How wide `int` and `float` are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// 4 bytes always.
    Narrow,
    /// Ints 8 bytes always, floats as below.
    WideInts,
    /// 4 bytes where that is exact, else 8.
    Shortest,
}

/// The forms of `Object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectForms {
    /// The header and nothing else: an object cannot be written.
    HeaderAlone,
    /// By id or in full; null as the id 0 or the empty class.
    NullInOwnForm,
    /// By id or in full; null as `Nil`.
    NullAsNil,
}

/// What is made of the bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextReading {
    /// As below; what is not even that gives an empty text.
    Unchecked,
    /// UTF-8 with surrogates, most overlong forms and numbers up to 2^31 - 1.
    Lenient,
    /// UTF-8 as Unicode has it.
    Unicode,
}

/// What becomes of text that is not Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextWriting {
    /// Each unit is written by its value.
    EachUnit,
    /// A pair of surrogates is written as the character it stands for, any other as a space.
    JoinedSurrogates,
    /// There is none.
    Unicode,
}

/// Which padding an engine leaves as undefined memory, from none to all. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UndefinedPadding {
    /// All padding is zero.
    Nowhere,
    /// That of the strings of a `NodePath`.
    NodePaths,
    /// That of a `PackedByteArray` too.
    Bytes,
    /// That of strings, of names and of an `Image` too.
    Strings,
    /// All padding: that of the strings of a `PackedStringArray` too.
    Everywhere,
}

/// What the engine takes for the same dictionary key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KeyRules {
    /// Whether dictionaries in keys are compared by what they hold, and `String` and `StringName` alike, and
    /// what is inside containers by other rules than what is not. Otherwise dictionaries differ always.
    pub(crate) by_content: bool,
    /// Where dictionaries differ always: whether a NaN in a `PackedFloat32Array` equals the same NaN.
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

/// Where the engine's greatest depth is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Depth {
    pub(crate) reading: bool,
    pub(crate) writing: bool,
}

macro_rules! profiles {
    ($($(#[$doc:meta])* $name:ident = $index:literal,)*) => {
        impl Profile {
            $($(#[$doc])* pub const $name: Self = Self(&ROWS[$index]);)*

            /// Every profile, by engine, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }
    };
}

profiles! {
    /// Godot 1.0 to 2.1.4, and what is documented as "Mole".
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
    /// The newest engine known here.
    pub const NEWEST: Self = Self::GODOT_4_6_3;

    /// The name of the profile: the oldest engine it covers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The types of the engine, in the order of the numbers it writes for them.
    #[must_use]
    pub const fn types(self) -> &'static [VariantType] {
        self.0.types
    }

    /// The type that the engine writes as `id`.
    #[must_use]
    #[inline]
    pub fn type_of_id(self, id: u8) -> Option<VariantType> {
        self.0.types.get(usize::from(id)).copied()
    }

    /// The number the engine writes for a type, `None` for a type it does not have.
    #[must_use]
    #[inline]
    pub fn type_id(self, variant_type: VariantType) -> Option<u8> {
        let id = self.0.ids[variant_type as usize];
        (id != types::NO_ID).then_some(id)
    }

    /// The types of a header word: from Godot 2.1.5 on the lowest byte alone decides, before the whole word.
    #[must_use]
    #[inline]
    pub(crate) fn type_of_header(self, header: u32) -> Option<VariantType> {
        if !self.0.masked_header && header > 0xFF {
            return None;
        }
        self.type_of_id(header.to_le_bytes()[0])
    }

    /// The header words of plain values.
    #[inline]
    pub(crate) const fn plain_headers(self) -> &'static PlainHeaders {
        &self.0.plain
    }

    /// Whether the type is the lowest byte of the header alone.
    pub(crate) const fn masks_header(self) -> bool {
        self.0.masked_header
    }

    /// Whether reals of 8 bytes are marked as such in the header of a value of that type.
    ///
    /// Godot 4.0 and 4.1 forgot the mark on `Vector4` and `Projection`, which makes what their
    /// double-precision builds write unreadable to every engine.
    #[must_use]
    pub const fn flags_wide(self, variant_type: VariantType) -> bool {
        self.0.wide_components
            && (self.0.wide_vector4_flag || !matches!(variant_type, VariantType::Vector4 | VariantType::Projection))
    }

    /// Whether the engine can be built with double precision, so that reals of 8 bytes are known (4.0 on).
    #[must_use]
    pub const fn has_double_precision(self) -> bool {
        self.0.wide_components
    }

    /// Whether arrays carry the type of their elements (4.3 on).
    #[must_use]
    pub const fn types_arrays(self) -> bool {
        self.0.typed_array.is_some()
    }

    /// Whether dictionaries carry the types of their keys and values (4.4 on).
    #[must_use]
    pub const fn types_dictionaries(self) -> bool {
        self.0.typed_dictionary
    }

    /// What happens to a member of another type than its typed container asks for; `None` where
    /// containers carry no types.
    #[must_use]
    pub const fn member_coercion(self) -> Option<MemberCoercion> {
        self.0.typed_array
    }

    /// Whether a full object's script is its `res://` path (4.3 on) rather than an object with source code.
    #[must_use]
    pub const fn script_as_path(self) -> bool {
        self.0.script_as_path
    }

    /// Whether text is Unicode (4.0 on, and Pandemonium 3.8 on); else it is any numbers up to 2^31 - 1.
    #[must_use]
    pub const fn text_is_unicode(self) -> bool {
        matches!(self.0.text_reading, TextReading::Unicode)
    }

    /// Whether arrays and dictionaries have a "shared" bit, which is kept (before 3.0).
    #[must_use]
    pub const fn has_shared_bit(self) -> bool {
        self.0.shared_bit
    }

    /// Whether a `RID` has an id on the wire (4.0 on).
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
