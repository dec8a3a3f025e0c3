//! The table of profiles: a row for each engine version, with what it changes. All differences between engines are
//! here.

use super::plain_headers::Numbers;
use super::rules::{
    KeyRules, MemberCoercion, ObjectForms, Profile, Row, Rules, TextReading, TextWriting, UndefinedPadding,
};
use super::types;

/// The last patch release of a row that applies to all releases of a minor version.
const ANY: u16 = u16::MAX;

/// Godot 1 and 2. Numbers have 32 bits, containers have a "shared" bit, objects are only a header, and reading
/// validates little.
const GODOT_2_1: Rules = Rules {
    name: "godot-2.1",
    engine: "godot",
    releases: [(1, 0, 0), (2, 1, 4)],
    types: types::GODOT_2,
    masks_header: false,
    numbers: Numbers::Narrow,
    has_double_precision: false,
    flags_wide_vector4: false,
    has_rid_payload: false,
    objects: ObjectForms::HeaderAlone,
    script_as_path: false,
    member_coercion: None,
    types_dictionaries: false,
    has_shared_bit: true,
    text_reading: TextReading::Unchecked,
    text_writing: TextWriting::EachUnit,
    requires_string_padding: false,
    undefined_padding: UndefinedPadding::Everywhere,
    reads_obsolete_node_path: true,
    has_node_path_property: true,
    keeps_nameless_path: false,
    keeps_root_path: false,
    keeps_name_keys: true,
    keys: KeyRules::GODOT_3,
    limits_reading_depth: false,
    limits_writing_depth: false,
    has_faulty_vectors: false,
};

/// The validation of 2018 (commit feaf0342, issue 20558). Taken from a fork of that time.
const GODOT_2_1_5: Rules = Rules {
    name: "godot-2.1.5",
    releases: [(2, 1, 5), (2, 1, ANY)],
    masks_header: true,
    text_reading: TextReading::Lenient,
    requires_string_padding: true,
    undefined_padding: UndefinedPadding::Strings,
    reads_obsolete_node_path: false,
    ..GODOT_2_1
};

/// New type ids, 64-bit numbers with a flag, objects. Ints are always written in 8 bytes (issue 15383).
const GODOT_3_0: Rules = Rules {
    name: "godot-3.0",
    releases: [(3, 0, 0), (3, 0, 5)],
    types: types::GODOT_3,
    masks_header: true,
    numbers: Numbers::WideInts,
    objects: ObjectForms::NullInOwnForm,
    has_shared_bit: false,
    has_node_path_property: false,
    keeps_nameless_path: true,
    ..GODOT_2_1
};

/// The validation of 2018 (commit feaf0342, issue 20558), which also sets the padding of `PackedStringArray` to zero.
/// The padding of strings is zero since 3.0.3 (pull request 17257), that of `PackedByteArray` since 3.1.2 (pull request
/// 29011).
const GODOT_3_0_6: Rules = Rules {
    name: "godot-3.0.6",
    releases: [(3, 0, 6), (3, 0, ANY)],
    text_reading: TextReading::Lenient,
    requires_string_padding: true,
    undefined_padding: UndefinedPadding::Bytes,
    reads_obsolete_node_path: false,
    ..GODOT_3_0
};

/// Ints are written in 4 bytes if they fit (pull request 22223).
const GODOT_3_1: Rules =
    Rules { name: "godot-3.1", releases: [(3, 1, 0), (3, 1, ANY)], numbers: Numbers::Shortest, ..GODOT_3_0_6 };

/// Null objects are written as nil.
const GODOT_3_2: Rules = Rules {
    name: "godot-3.2",
    releases: [(3, 2, 0), (3, 3, 4)],
    objects: ObjectForms::NullAsNil,
    undefined_padding: UndefinedPadding::NodePaths,
    ..GODOT_3_1
};

/// Reading has a maximum depth (pull request 58111).
const GODOT_3_3_5: Rules =
    Rules { name: "godot-3.3.5", releases: [(3, 3, 5), (3, 3, ANY)], limits_reading_depth: true, ..GODOT_3_2 };

/// Writing has a maximum depth; reading has one only since 3.4.3.
const GODOT_3_4: Rules =
    Rules { name: "godot-3.4", releases: [(3, 4, 0), (3, 4, 2)], limits_writing_depth: true, ..GODOT_3_2 };

const GODOT_3_4_3: Rules =
    Rules { name: "godot-3.4.3", releases: [(3, 4, 3), (3, 4, ANY)], limits_reading_depth: true, ..GODOT_3_4 };

/// Text is written with surrogates joined or replaced by spaces. Equal NaNs in float arrays are the same key.
const GODOT_3_5: Rules = Rules {
    name: "godot-3.5",
    releases: [(3, 5, 0), (3, 6, ANY)],
    text_writing: TextWriting::JoinedSurrogates,
    keys: KeyRules::GODOT_3_5,
    ..GODOT_3_4_3
};

/// New ids for 38 types; ids in RIDs, double precision, strict UTF-8. A `StringName` becomes a `String` if it is a
/// dictionary key (pull request 50057).
const GODOT_4_0: Rules = Rules {
    name: "godot-4.0",
    releases: [(4, 0, 0), (4, 1, ANY)],
    types: types::GODOT_4_0,
    has_double_precision: true,
    has_rid_payload: true,
    text_reading: TextReading::Unicode,
    text_writing: TextWriting::Unicode,
    keeps_name_keys: false,
    keys: KeyRules::GODOT_4,
    ..GODOT_3_5
};

/// `Vector4` and `Projection` have the flag for 8-byte components (pull request 83202).
const GODOT_4_2: Rules =
    Rules { name: "godot-4.2", releases: [(4, 2, 0), (4, 2, ANY)], flags_wide_vector4: true, ..GODOT_4_0 };

/// Typed arrays and scripts by path (pull request 78219), `PackedVector4Array` (pull request 85474), the path `/`
/// (pull request 81822).
const GODOT_4_3: Rules = Rules {
    name: "godot-4.3",
    releases: [(4, 3, 0), (4, 3, ANY)],
    types: types::GODOT_4_3,
    member_coercion: Some(MemberCoercion::Few),
    script_as_path: true,
    keeps_root_path: true,
    ..GODOT_4_2
};

/// Typed dictionaries (pull request 98120), keys of type `StringName` (pull request 70096).
const GODOT_4_4: Rules = Rules {
    name: "godot-4.4",
    releases: [(4, 4, 0), (4, 5, ANY)],
    types_dictionaries: true,
    keeps_name_keys: true,
    ..GODOT_4_3
};

/// More coercions of members (pull request 114808).
const GODOT_4_6: Rules = Rules {
    name: "godot-4.6",
    releases: [(4, 6, 0), (4, 6, 2)],
    member_coercion: Some(MemberCoercion::Strict),
    ..GODOT_4_4
};

/// The padding of a `NodePath` is zero, like all other padding (pull request 116105).
const GODOT_4_6_3: Rules = Rules {
    name: "godot-4.6.3",
    releases: [(4, 6, 3), (4, 7, ANY)],
    undefined_padding: UndefinedPadding::Nowhere,
    ..GODOT_4_6
};

/// The format of Godot 4.3.
const REDOT_4_3: Rules = Rules { name: "redot-4.3", engine: "redot", releases: [(4, 3, 0), (4, 3, ANY)], ..GODOT_4_3 };

/// The format of Godot 4.5, from which 26.1 and later are derived. The structs of 26.3 are not supported.
const REDOT_26: Rules = Rules { name: "redot-26", engine: "redot", releases: [(26, 0, 0), (26, 3, ANY)], ..GODOT_4_4 };

/// The format of Godot 4.3.
const BLAZIUM_4_3: Rules =
    Rules { name: "blazium-4.3", engine: "blazium", releases: [(4, 3, 0), (4, 3, ANY)], ..GODOT_4_3 };

/// The rules of Godot 3.5 with more types.
const PANDEMONIUM_3_5: Rules = Rules {
    name: "pandemonium-3.5",
    engine: "pandemonium",
    releases: [(3, 5, 0), (3, 7, ANY)],
    types: types::PANDEMONIUM_3_5,
    ..GODOT_3_5
};

/// A different order of types, strict UTF-8, and bugs in reading vectors of four components.
const PANDEMONIUM_3_8: Rules = Rules {
    name: "pandemonium-3.8",
    releases: [(3, 8, 0), (4, 9, ANY)],
    types: types::PANDEMONIUM_3_8,
    text_reading: TextReading::Unicode,
    text_writing: TextWriting::Unicode,
    has_faulty_vectors: true,
    ..PANDEMONIUM_3_5
};

/// Typed arrays as types of their own.
const PANDEMONIUM_5: Rules =
    Rules { name: "pandemonium-5", releases: [(5, 0, 0), (5, 3, ANY)], types: types::PANDEMONIUM_5, ..PANDEMONIUM_3_8 };

macro_rules! profiles {
    ($($name:ident = $doc:literal,)*) => {
        impl Profile {
            $(#[doc = $doc] pub const $name: Self = Self(&const { Row::new($name) });)*

            /// All profiles, by engine, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The newest supported engine.
            pub const NEWEST: Self = Self::GODOT_4_6_3;
        }
    };
}

profiles! {
    GODOT_2_1 = "Godot 1.0 to 2.1.4, and the engine documented as \"Mole\".",
    GODOT_2_1_5 = "Godot 2.1.5 and 2.1.6.",
    GODOT_3_0 = "Godot 3.0 to 3.0.5.",
    GODOT_3_0_6 = "Godot 3.0.6 and 3.0.7.",
    GODOT_3_1 = "Godot 3.1.",
    GODOT_3_2 = "Godot 3.2 to 3.3.4.",
    GODOT_3_3_5 = "Godot 3.3.5.",
    GODOT_3_4 = "Godot 3.4 to 3.4.2.",
    GODOT_3_4_3 = "Godot 3.4.3 to 3.4.5.",
    GODOT_3_5 = "Godot 3.5 and 3.6.",
    GODOT_4_0 = "Godot 4.0 and 4.1.",
    GODOT_4_2 = "Godot 4.2.",
    GODOT_4_3 = "Godot 4.3.",
    GODOT_4_4 = "Godot 4.4 and 4.5.",
    GODOT_4_6 = "Godot 4.6 to 4.6.2.",
    GODOT_4_6_3 = "Godot 4.6.3 and 4.7.",
    REDOT_4_3 = "Redot 4.3.",
    REDOT_26 = "Redot 26.",
    BLAZIUM_4_3 = "Blazium 4.3.",
    PANDEMONIUM_3_5 = "Pandemonium 3.5 to 3.7.",
    PANDEMONIUM_3_8 = "Pandemonium 3.8 to 4.9.",
    PANDEMONIUM_5 = "Pandemonium 5.",
}

/// Declares names of releases that follow the rules of an earlier one.
macro_rules! releases {
    ($($name:ident = $profile:ident, $doc:literal;)*) => {
        impl Profile {
            $(#[doc = concat!($doc, ": the same as [`", stringify!($profile), "`](Self::", stringify!($profile), ").")]
            pub const $name: Self = Self::$profile;)*
        }
    };
}

releases! {
    GODOT_3_3 = GODOT_3_2, "Godot 3.3 to 3.3.4";
    GODOT_3_6 = GODOT_3_5, "Godot 3.6";
    GODOT_4_1 = GODOT_4_0, "Godot 4.1";
    GODOT_4_5 = GODOT_4_4, "Godot 4.5";
    GODOT_4_7 = GODOT_4_6_3, "Godot 4.7";
}

impl Default for Profile {
    fn default() -> Self {
        Self::NEWEST
    }
}
