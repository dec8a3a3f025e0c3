//! The documents that are measured.

use varbytes::variant::{Array, Color, Dictionary, NodePath, ObjectData, Text, Transform3D, Vector3, Visit, Walk};
use varbytes::{Decoder, Encoder, Variant};

/// A document, created when it is needed: some take hundreds of megabytes.
#[derive(Clone, Copy)]
pub struct Document {
    /// A short name.
    pub name: &'static str,
    /// A description.
    pub title: &'static str,
    /// Creates it.
    pub make: fn() -> Variant,
}

const THOUSAND: u32 = 1_000;
const MILLION: u32 = 1_000_000;

/// Every document, in the order of the tables.
pub const DOCUMENTS: [Document; 21] = [
    Document { name: "save", title: "game save: Array of 50,000 Dictionary of 4 keys", make: || save(50 * THOUSAND) },
    Document { name: "save-by-id", title: "the same in a Dictionary by id", make: || save_by_id(50 * THOUSAND) },
    Document { name: "packet", title: "packet of 4 keys", make: packet },
    Document { name: "dictionary", title: "Dictionary of 10,000 String to int", make: || dictionary(10 * THOUSAND) },
    Document {
        name: "unsorted",
        title: "the same, unsorted",
        make: || dictionary_of(10 * THOUSAND, |index| index * 7919 % (10 * THOUSAND)),
    },
    Document { name: "ints", title: "Array of 200,000 int", make: || each(200 * THOUSAND, Variant::from) },
    Document {
        name: "floats",
        title: "Array of 200,000 float",
        make: || each(200 * THOUSAND, |i| (f64::from(i) * 0.1).into()),
    },
    Document { name: "ascii", title: "Array of 200,000 String, ASCII", make: || strings("plain text ") },
    Document { name: "unicode", title: "Array of 200,000 String, not ASCII", make: || strings("日本語 Größe ") },
    Document { name: "nested", title: "1,000 levels of Array and Dictionary", make: || nested(THOUSAND) },
    Document { name: "scene", title: "1,000 objects of a scene", make: || scene(THOUSAND) },
    Document { name: "packed-bytes", title: "PackedByteArray of 1M", make: || million(|i| i.to_le_bytes()[0]).into() },
    Document { name: "packed-int32", title: "PackedInt32Array of 1M", make: || million(u32::cast_signed).into() },
    Document { name: "packed-int64", title: "PackedInt64Array of 1M", make: || million(|i| i64::from(i) << 20).into() },
    Document { name: "packed-float32", title: "PackedFloat32Array of 1M", make: || packed_float32(MILLION) },
    Document {
        name: "packed-float64",
        title: "PackedFloat64Array of 1M",
        make: || million(|i| f64::from(i) * 0.1).into(),
    },
    Document {
        name: "packed-strings",
        title: "PackedStringArray of 1M",
        make: || million(|i| Text::from(format!("text {i}"))).into(),
    },
    Document {
        name: "packed-vector2",
        title: "PackedVector2Array of 1M",
        make: || Variant::PackedVector2Array(million(|i| [single(i), 1.0]).into()),
    },
    Document {
        name: "packed-vector3",
        title: "PackedVector3Array of 1M",
        make: || Variant::PackedVector3Array(million(|i| [single(i), 1.0, 2.0]).into()),
    },
    Document {
        name: "packed-color",
        title: "PackedColorArray of 1M",
        make: || million(|i| Color::from([single(i), 0.5, 0.25, 1.0])).into(),
    },
    Document {
        name: "packed-vector4",
        title: "PackedVector4Array of 1M",
        make: || Variant::PackedVector4Array(million(|i| [single(i), 1.0, 2.0, 3.0]).into()),
    },
];

/// The encoder for all documents: the newest engine version, with full objects.
#[must_use]
pub fn encoder() -> Encoder {
    Encoder::new().objects(true)
}

/// The decoder for all documents: engine-exact, objects allowed.
#[must_use]
pub fn decoder() -> Decoder {
    Decoder::new().objects(true)
}

/// A save of `count` units: 108 bytes each.
#[must_use]
pub fn save(count: u32) -> Variant {
    each(count, unit)
}

/// The same units in a Dictionary by id. The peer crate does not support arrays, so it gets this save.
#[must_use]
pub fn save_by_id(count: u32) -> Variant {
    (0..count).map(|id| (id, unit(id))).collect::<Dictionary>().into()
}

fn unit(id: u32) -> Variant {
    let entries: [(&str, Variant); 4] = [
        ("id", id.into()),
        ("name", format!("unit {id:05}").into()),
        ("hp", (f64::from(id) * 0.5).into()),
        ("pos", Vector3::from([single(id) * 0.25, 2.5, -3.0]).into()),
    ];
    entries.into_iter().collect::<Dictionary>().into()
}

/// A packet that a client sends many times per second: 112 bytes.
#[must_use]
pub fn packet() -> Variant {
    let entries: [(&str, Variant); 4] = [
        ("id", 1234.into()),
        ("name", "player_one".into()),
        ("pos", Vector3::from([1.5f32, 2.5, -3.0]).into()),
        ("alive", true.into()),
    ];
    entries.into_iter().collect::<Dictionary>().into()
}

/// `count` strings, each with an int.
#[must_use]
pub fn dictionary(count: u32) -> Variant {
    dictionary_of(count, |index| index)
}

/// The same with other numbers instead of 0, 1, 2 and so on.
fn dictionary_of(count: u32, number: impl Fn(u32) -> u32) -> Variant {
    (0..count).map(|index| (format!("key_{}", number(index)), index)).collect::<Dictionary>().into()
}

/// 200,000 strings with the same beginning.
#[must_use]
pub fn strings(beginning: &str) -> Variant {
    each(200 * THOUSAND, |index| format!("{beginning}{index}").into())
}

/// `depth` alternating arrays and dictionaries, each inside the one before.
#[must_use]
pub fn nested(depth: u32) -> Variant {
    (0..depth).fold(Variant::from(depth), |inner, level| {
        if level % 2 == 0 {
            Variant::from(vec![inner])
        } else {
            [("inner", inner)].into_iter().collect::<Dictionary>().into()
        }
    })
}

/// `count` scene nodes as full objects, each with a mesh and its material inside.
#[must_use]
pub fn scene(count: u32) -> Variant {
    each(count, |index| {
        let material = object(
            "StandardMaterial3D",
            vec![
                ("albedo_color", Color::from([0.25, 0.5, 0.75, 1.0]).into()),
                ("roughness", 0.5.into()),
                ("metallic", 0.25.into()),
            ],
        );
        let mesh = object("BoxMesh", vec![("size", Vector3::from([1.0f32, 2.0, 3.0]).into()), ("material", material)]);
        let place = [1.0f32, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, single(index), 0.0, 2.5];
        let parent = NodePath {
            absolute: true,
            names: vec!["root".into(), "level".into()],
            subnames: Vec::new(),
            property: None,
        };
        object(
            "MeshInstance3D",
            vec![
                ("name", Variant::StringName(format!("crate_{index}").into())),
                ("script", "res://scripts/crate.gd".into()),
                ("transform", Transform3D::from(place).into()),
                ("visible", true.into()),
                ("layers", 1.into()),
                ("parent", parent.into()),
                ("groups", vec!["solid".to_owned(), "movable".to_owned()].into()),
                ("mesh", mesh),
            ],
        )
    })
}

fn object(class: &str, properties: Vec<(&str, Variant)>) -> Variant {
    let properties = properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    ObjectData { class: class.to_owned(), properties }.into()
}

/// `count` floats of 4 bytes.
#[must_use]
pub fn packed_float32(count: u32) -> Variant {
    (0..count).map(|index| single(index) * 0.5).collect::<Vec<f32>>().into()
}

fn million<T>(element: impl Fn(u32) -> T) -> Vec<T> {
    (0..MILLION).map(element).collect()
}

fn each(count: u32, element: impl Fn(u32) -> Variant) -> Variant {
    (0..count).map(element).collect::<Array>().into()
}

#[expect(clippy::cast_precision_loss, reason = "below 2^24, exact")]
fn single(index: u32) -> f32 {
    index as f32
}

/// The number of values, keys, property names and elements of packed arrays.
#[must_use]
pub fn values(value: &Variant) -> usize {
    Walk::new(value)
        .map(|visit| match visit {
            Visit::Leaf(leaf) => leaf.packed_len().unwrap_or(1),
            Visit::Enter(_) | Visit::Name(_) => 1,
            Visit::Leave(_) => 0,
        })
        .sum()
}
