//! The rules of an engine version.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::plain_headers::{Numbers, PlainHeaders};
use super::types::{NO_ID, ids};
use crate::VariantType;
use crate::variant_type::Shape;
use crate::wire::TYPE_MASK;

/// The size of a real on the wire when a value is written. Engines have only these two.
///
/// ```
/// use varbytes::{Encoder, Precision, variant::Vector3};
///
/// let position = Vector3::new(1.0, 2.0, 3.0).into();
/// assert_eq!(Encoder::new().precision(Precision::Single).encode(&position)?.len(), 16);
/// assert_eq!(Encoder::new().precision(Precision::Double).encode(&position)?.len(), 28);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
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
///
/// ```
/// use varbytes::{MemberCoercion, Profile};
///
/// assert_eq!(Profile::GODOT_4_3.member_coercion(), Some(MemberCoercion::Few));
/// assert_eq!(Profile::GODOT_4_6.member_coercion(), Some(MemberCoercion::Strict));
/// ```
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
///
/// It can be a key, for example to encode a value once for all clients that read it alike:
///
/// ```
/// use std::collections::HashSet;
/// use varbytes::Profile;
///
/// let clients = ["4.6", "4.6.2", "4.3"];
/// let profiles = clients.into_iter().map(Profile::from_name).collect::<Result<HashSet<_>, _>>()?;
/// assert_eq!(profiles, HashSet::from([Profile::GODOT_4_6, Profile::GODOT_4_3]));
/// # Ok::<(), varbytes::UnknownProfile>(())
/// ```
///
/// It tells what the engine version has:
///
/// ```
/// use varbytes::{MemberCoercion, Profile, VariantType};
///
/// let profile = Profile::GODOT_4_6;
/// assert!(profile.types().contains(&VariantType::PackedVector4Array));
/// assert!(profile.has_double_precision() && profile.has_rid_payload() && profile.script_as_path());
/// assert!(profile.types_dictionaries() && !profile.has_shared_bit());
/// assert_eq!(profile.member_coercion(), Some(MemberCoercion::Strict));
/// ```
#[derive(Clone, Copy)]
pub struct Profile(pub(super) &'static Row);

/// A row of the table, with what is computed from it.
pub(super) struct Row {
    pub(super) rules: Rules,
    /// The id of each type.
    ids: [u8; VariantType::ALL.len()],
    plain_headers: PlainHeaders,
    numbers_of_ids: [(VariantType, usize); IDS],
}

/// More than the ids of any engine.
const IDS: usize = 48;

impl Row {
    pub(super) const fn new(rules: Rules) -> Self {
        let ids = ids(rules.types);
        let plain_headers = PlainHeaders::new(&ids, rules.numbers);
        let numbers_of_ids = numbers_of_ids(&rules);
        Self { rules, ids, plain_headers, numbers_of_ids }
    }
}

/// Returns the type of each id and how many numbers of 4 bytes a value of it has: 0 if it consists of anything else, or the engine
/// has bugs with vectors.
const fn numbers_of_ids(rules: &Rules) -> [(VariantType, usize); IDS] {
    let mut of_ids = [(VariantType::Nil, 0); IDS];
    let mut id = 0;
    while id < rules.types.len() && !rules.has_faulty_vectors {
        if let Shape::Fixed(_, count) = rules.types[id].shape() {
            of_ids[id] = (rules.types[id], count);
        }
        id += 1;
    }
    of_ids
}

/// A release of an engine: major, minor, patch.
pub(super) type Version = (u16, u16, u16);

macro_rules! rules {
    ($($(#[$doc:meta])* $vis:vis $name:ident: $type:ty,)*) => {
        /// What a row of the table states. [`Profile`] has a method for each field.
        pub(super) struct Rules {
            $(pub(super) $name: $type,)*
        }

        impl Profile {
            $(
                $(#[$doc])*
                #[must_use]
                $vis const fn $name(self) -> $type {
                    self.0.rules.$name
                }
            )*
        }
    };
}

rules! {
    /// Returns the name of the profile: the oldest engine version it applies to.
    ///
    /// [`Profile`] has an example.
    pub name: &'static str,
    pub(super) engine: &'static str,
    /// The first and the last release that the profile applies to.
    pub(super) releases: [Version; 2],
    /// Returns the types of the engine in the order of their ids.
    ///
    /// [`Profile`] has an example.
    pub types: &'static [VariantType],
    /// Whether only the lowest byte of the header is the type, and the rest are flags.
    pub(crate) masks_header: bool,
    pub(crate) numbers: Numbers,
    /// Returns whether the engine can be built with double precision, so that 8-byte reals are supported, with a flag in
    /// the header (since 4.0).
    ///
    /// [`Profile`] has an example.
    pub has_double_precision: bool,
    /// Whether `Vector4` and `Projection` have this flag too.
    pub(super) flags_wide_vector4: bool,
    /// Returns whether a `RID` has an id on the wire, of 8 bytes (since 4.0).
    ///
    /// [`Profile`] has an example.
    pub has_rid_payload: bool,
    pub(crate) objects: ObjectForms,
    /// Returns whether the script of a full object is its `res://` path (since 4.3) instead of an object with source
    /// code.
    ///
    /// [`Profile`] has an example.
    pub script_as_path: bool,
    /// Returns how members are coerced whose type does not match their typed container; `None` if containers have no
    /// types.
    ///
    /// [`Profile`] has an example.
    pub member_coercion: Option<MemberCoercion>,
    /// Returns whether dictionaries have key and value types (since 4.4).
    ///
    /// [`Profile`] has an example.
    pub types_dictionaries: bool,
    /// Returns whether arrays and dictionaries have a "shared" bit, the highest of their count, which is preserved
    /// (before 3.0).
    ///
    /// [`Profile`] has an example.
    pub has_shared_bit: bool,
    pub(crate) text_reading: TextReading,
    pub(crate) text_writing: TextWriting,
    pub(crate) requires_string_padding: bool,
    pub(crate) undefined_padding: UndefinedPadding,
    /// Whether a `NodePath` may be a plain string.
    pub(crate) reads_obsolete_node_path: bool,
    /// Whether a `NodePath` has a property in addition to its subnames.
    pub(crate) has_node_path_property: bool,
    /// Whether reading a `NodePath` without names keeps its subnames.
    pub(crate) keeps_nameless_path: bool,
    /// Whether reading an absolute `NodePath` without names and subnames keeps it absolute.
    pub(crate) keeps_root_path: bool,
    /// Whether a `StringName` that is a dictionary key stays a `StringName`.
    pub(crate) keeps_name_keys: bool,
    pub(crate) keys: KeyRules,
    /// Whether reading checks the engine's maximum depth.
    pub(crate) limits_reading_depth: bool,
    pub(crate) limits_writing_depth: bool,
    /// Whether the engine reads vectors of four components, and writes arrays of them, with Pandemonium's bugs.
    pub(crate) has_faulty_vectors: bool,
}

impl Profile {
    /// Returns the type with this id.
    ///
    /// ```
    /// use varbytes::{Profile, VariantType};
    ///
    /// assert_eq!(Profile::GODOT_3_5.type_of_id(21), Some(VariantType::PackedInt32Array));
    /// assert_eq!(Profile::GODOT_4_6.type_of_id(21), Some(VariantType::StringName));
    /// ```
    #[must_use]
    #[inline]
    pub fn type_of_id(self, id: u8) -> Option<VariantType> {
        self.types().get(usize::from(id)).copied()
    }

    /// Returns the id of a type; `None` if the engine does not have it.
    ///
    /// ```
    /// use varbytes::{Profile, VariantType};
    ///
    /// assert_eq!(Profile::GODOT_4_6.type_id(VariantType::StringName), Some(21));
    /// assert_eq!(Profile::GODOT_3_5.type_id(VariantType::StringName), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn type_id(self, variant_type: VariantType) -> Option<u8> {
        let id = self.0.ids[variant_type as usize];
        (id != NO_ID).then_some(id)
    }

    /// Returns whether arguments of remote procedure calls are shortened: in Godot 4 and engines derived from it.
    pub(crate) fn shortens_arguments(self) -> bool {
        self.keys().by_content
    }

    /// Returns the type of a header word. From Godot 2.1.5 on, only the lowest byte counts, before that the whole word.
    #[must_use]
    #[inline]
    pub(crate) fn type_of_header(self, header: u32) -> Option<VariantType> {
        if !self.masks_header() && header > 0xFF {
            return None;
        }
        self.type_of_id(header.to_le_bytes()[0])
    }

    /// Returns whether [`type_of_header`](Self::type_of_header) returns that type.
    #[inline(always)]
    pub(crate) fn is_header_of(self, variant_type: VariantType, header: u32) -> bool {
        let id = if self.masks_header() { header & TYPE_MASK } else { header };
        self.type_id(variant_type).is_some_and(|wanted| u32::from(wanted) == id)
    }

    /// Returns the type of a value with this header and how many numbers of 4 bytes follow, if it consists of reals or integers and
    /// has no flags.
    #[inline(always)]
    pub(crate) fn numbers_of_header(self, header: u32) -> Option<(VariantType, usize)> {
        let (variant_type, count) = *self.0.numbers_of_ids.get(header as usize)?;
        (count != 0).then_some((variant_type, count))
    }

    #[inline]
    pub(crate) const fn plain_headers(self) -> &'static PlainHeaders {
        &self.0.plain_headers
    }

    /// Returns whether the header of a value of this type has a flag for 8-byte reals.
    ///
    /// Godot 4.0 and 4.1 omit the flag for `Vector4` and `Projection`. No engine can read these values if a
    /// double-precision build of 4.0 or 4.1 wrote them.
    ///
    /// ```
    /// use varbytes::{Profile, VariantType};
    ///
    /// assert!(Profile::GODOT_4_6.flags_wide(VariantType::Vector4));
    /// assert!(!Profile::GODOT_4_0.flags_wide(VariantType::Vector4));
    /// ```
    #[must_use]
    pub const fn flags_wide(self, variant_type: VariantType) -> bool {
        let has_four = matches!(variant_type, VariantType::Vector4 | VariantType::Projection);
        self.has_double_precision() && (self.flags_wide_vector4() || !has_four)
    }

    /// Returns whether arrays have an element type (since 4.3).
    ///
    /// ```
    /// use varbytes::Profile;
    ///
    /// assert!(Profile::GODOT_4_3.types_arrays() && !Profile::GODOT_4_2.types_arrays());
    /// ```
    #[must_use]
    pub const fn types_arrays(self) -> bool {
        self.member_coercion().is_some()
    }

    /// Returns whether text is Unicode (since 4.0, and Pandemonium 3.8). Otherwise it is any numbers up to 2^31 - 1.
    ///
    /// ```
    /// use varbytes::Profile;
    ///
    /// assert!(Profile::GODOT_4_0.text_is_unicode() && !Profile::GODOT_3_5.text_is_unicode());
    /// ```
    #[must_use]
    pub const fn text_is_unicode(self) -> bool {
        matches!(self.text_reading(), TextReading::Unicode)
    }
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
    pub(super) const GODOT_3: Self = Self { by_content: false, packed_nan_equal: false };
    /// Godot 3.5 and 3.6; observed on 3.6.2.
    pub(super) const GODOT_3_5: Self = Self { by_content: false, packed_nan_equal: true };
    /// Godot 4; observed on 4.6.3.
    pub(crate) const GODOT_4: Self = Self { by_content: true, packed_nan_equal: true };
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Profile {}

impl Hash for Profile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

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
