//! What each engine version writes and accepts, as data.

use core::fmt;
use core::str::FromStr;

use alloc::{borrow::ToOwned, string::String};

use crate::VariantType;

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
pub enum MemberConversion {
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
/// assert_eq!(Profile::from_name("4.1")?.name(), "godot-4.0");
/// assert!(Profile::from_name("godot-9.9").unwrap_err().to_string().contains("godot-4.6"));
/// # Ok::<(), varbytes::UnknownProfile>(())
/// ```
#[derive(Clone, Copy)]
pub struct Profile(&'static Rules);

/// One row of the table below.
struct Rules {
    name: &'static str,
    /// The versions the row covers, as `(first, last)` minor versions of major version 4.
    minors: (u32, u32),
    /// Types in the order of their ids.
    types: &'static [VariantType],
    /// Whether a double-precision build flags the 8-byte components of `Vector4` and `Projection`
    /// (pull request 83202).
    wide_vector4_flag: bool,
    /// Whether arrays carry their element type, and what happens to members of another one
    /// (pull request 78219).
    typed_array: Option<MemberConversion>,
    /// The same for dictionaries (pull request 98120).
    typed_dictionary: bool,
    /// Whether an object's script is written as its path (pull request 78219); before, as an object.
    script_as_path: bool,
}

// What changes from row to row is all that changes on the wire between these versions.
const GODOT_4: &[Rules] = &[
    Rules {
        name: "godot-4.0",
        minors: (0, 1),
        types: TYPES_4_0,
        wide_vector4_flag: false,
        typed_array: None,
        typed_dictionary: false,
        script_as_path: false,
    },
    Rules {
        name: "godot-4.2",
        minors: (2, 2),
        types: TYPES_4_0,
        wide_vector4_flag: true,
        typed_array: None,
        typed_dictionary: false,
        script_as_path: false,
    },
    Rules {
        name: "godot-4.3",
        minors: (3, 3),
        types: TYPES_4_3,
        wide_vector4_flag: true,
        typed_array: Some(MemberConversion::Few),
        typed_dictionary: false,
        script_as_path: true,
    },
    Rules {
        name: "godot-4.4",
        minors: (4, 5),
        types: TYPES_4_3,
        wide_vector4_flag: true,
        typed_array: Some(MemberConversion::Few),
        typed_dictionary: true,
        script_as_path: true,
    },
    Rules {
        name: "godot-4.6",
        minors: (6, 6),
        types: TYPES_4_3,
        wide_vector4_flag: true,
        typed_array: Some(MemberConversion::Strict),
        typed_dictionary: true,
        script_as_path: true,
    },
];

const TYPES_4_3: &[VariantType] = VariantType::ALL;
// PackedVector4Array, the last one, came with 4.3 (pull request 85474).
const TYPES_4_0: &[VariantType] = VariantType::ALL.split_at(38).0;

impl Profile {
    /// Godot 4.0 and 4.1.
    pub const GODOT_4_0: Self = Self(&GODOT_4[0]);
    /// Godot 4.2.
    pub const GODOT_4_2: Self = Self(&GODOT_4[1]);
    /// Godot 4.3.
    pub const GODOT_4_3: Self = Self(&GODOT_4[2]);
    /// Godot 4.4 and 4.5.
    pub const GODOT_4_4: Self = Self(&GODOT_4[3]);
    /// Godot 4.6.
    pub const GODOT_4_6: Self = Self(&GODOT_4[4]);
    /// The newest engine known here.
    pub const NEWEST: Self = Self::GODOT_4_6;

    /// Every profile, oldest engine first.
    pub const ALL: &'static [Self] =
        &[Self::GODOT_4_0, Self::GODOT_4_2, Self::GODOT_4_3, Self::GODOT_4_4, Self::GODOT_4_6];

    /// The profile that covers an engine version such as `godot-4.6`, `godot-4.4.1` or `4.2`.
    ///
    /// # Errors
    /// [`UnknownProfile`], which lists the names there are, for anything else.
    pub fn from_name(name: &str) -> Result<Self, UnknownProfile> {
        let unknown = || UnknownProfile { name: name.to_owned() };
        let version = name.strip_prefix("godot-").unwrap_or(name);
        let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
        let (major, minor) = (numbers.next().flatten(), numbers.next().flatten());
        let patch_is_number = numbers.next().is_none_or(|patch| patch.is_some());
        let minor =
            minor.filter(|_| major == Some(4) && patch_is_number && numbers.next().is_none()).ok_or_else(unknown)?;
        let covers = |rules: &&Rules| (rules.minors.0..=rules.minors.1).contains(&minor);
        GODOT_4.iter().find(covers).map(Self).ok_or_else(unknown)
    }

    /// The name of the profile: the oldest engine it covers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
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
        let id = variant_type as u8;
        (self.type_of_id(id) == Some(variant_type)).then_some(id)
    }

    /// Whether reals of 8 bytes are marked as such in the header of a value of that type.
    ///
    /// Godot 4.0 and 4.1 forgot the mark on `Vector4` and `Projection`, which makes what their
    /// double-precision builds write unreadable to every engine.
    #[must_use]
    pub const fn flags_wide(self, variant_type: VariantType) -> bool {
        self.0.wide_vector4_flag || !matches!(variant_type, VariantType::Vector4 | VariantType::Projection)
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
    pub const fn member_conversion(self) -> Option<MemberConversion> {
        self.0.typed_array
    }

    /// Whether a full object's script is its `res://` path (4.3 on) rather than an object with source code.
    #[must_use]
    pub const fn script_as_path(self) -> bool {
        self.0.script_as_path
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

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Self::from_name(name)
    }
}

/// A name that no profile has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProfile {
    name: String,
}

impl fmt::Display for UnknownProfile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no engine is known as `{}`; these are: ", self.name)?;
        for (index, profile) in Profile::ALL.iter().enumerate() {
            write!(formatter, "{}{profile}", if index == 0 { "" } else { ", " })?;
        }
        formatter.write_str(" (and every version they cover, such as godot-4.5 or godot-4.6.3)")
    }
}

impl core::error::Error for UnknownProfile {}
