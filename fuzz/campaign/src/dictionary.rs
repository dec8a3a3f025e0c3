//! The dictionary of headers, counts and lengths that libFuzzer inserts into inputs.

use std::collections::BTreeMap;
use std::fmt::Write;

use varbytes::{Profile, VariantType};

/// Extreme counts and lengths.
const SIZES: [(u32, &str); 6] = [
    (0x7FFF_FFFF, "the greatest count"),
    (0x8000_0000, "the highest bit of a count: shared, or a NodePath in its present form"),
    (0x8000_0001, "the same and one"),
    (0xFFFF_FFFF, "minus one"),
    (0xFFFF_FFFC, "what padding makes 0"),
    (1 << 16, "more than there is"),
];

/// Headers with flags.
const FLAGS: [(VariantType, &[u32]); 14] = [
    (VariantType::Int, &[1]),
    (VariantType::Float, &[1]),
    (VariantType::Vector2, &[1]),
    (VariantType::Vector4, &[1]),
    (VariantType::Transform3D, &[1]),
    (VariantType::Projection, &[1]),
    (VariantType::Object, &[1]),
    (VariantType::Array, &[1, 2, 3]),
    (VariantType::Dictionary, &[1, 4, 5, 6, 9, 10, 15]),
    (VariantType::PackedVector2Array, &[1]),
    (VariantType::PackedVector3Array, &[1]),
    (VariantType::PackedVector4Array, &[1]),
    (VariantType::TypedArray, &[1]),
    (VariantType::PackedTypedArray, &[1]),
];

/// Text content that the codec checks.
const TEXTS: [(&[u8], &str); 5] = [
    (b"res://", "begins the path of a script"),
    (b"script\0\0", "the property that holds it, with its padding"),
    (b"EncodedObjectAsID\0\0\0", "the class of an object known by its id"),
    (b"\xEF\xBB\xBF", "a byte order mark"),
    (b"\xED\xA0\xBD", "a surrogate"),
];

/// Returns the dictionary in libFuzzer's format.
#[must_use]
pub fn text() -> String {
    let mut text = String::from("# Words of the format. Written by `cargo fuzz-campaign --update-corpus`.\n");
    text.push_str("\n# Headers: the number of a type, and the engines that have it under that number.\n");
    for (word, meanings) in headers() {
        entry(&mut text, &word.to_le_bytes(), &meanings);
    }
    text.push_str("\n# Counts and lengths.\n");
    for (word, meaning) in SIZES {
        entry(&mut text, &word.to_le_bytes(), meaning);
    }
    text.push_str("\n# Texts.\n");
    for (bytes, meaning) in TEXTS {
        entry(&mut text, bytes, meaning);
    }
    text
}

/// Returns every header, with its meanings and the first engine of each.
fn headers() -> BTreeMap<u32, String> {
    let mut headers: BTreeMap<u32, String> = BTreeMap::new();
    for profile in [Profile::GODOT_4_6, Profile::GODOT_3_5, Profile::GODOT_2_1, Profile::PANDEMONIUM_5] {
        for (id, variant_type) in (0u32..).zip(profile.types()) {
            let flags = FLAGS.iter().find(|(flagged, _)| flagged == variant_type).map_or(&[][..], |(_, flags)| *flags);
            for flags in [0].iter().chain(flags) {
                let meanings = headers.entry(id | flags << 16).or_default();
                let comma = if meanings.is_empty() { "" } else { ", " };
                // Writing to a String cannot fail.
                let _ = write!(meanings, "{comma}{variant_type} of {profile}");
            }
        }
    }
    headers
}

fn entry(text: &mut String, bytes: &[u8], meaning: &str) {
    let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "# {meaning}\n\"{escaped}\"");
}
