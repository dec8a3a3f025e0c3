//! `Variant` and typed structs through serde, over packets that engines wrote.

use std::collections::HashMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use varbytes::variant::{
    AABB, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2, Vector2i,
    Vector3, Vector3i, Vector4, Vector4i,
};
use varbytes::{Decoder, Encoder, Profile, Variant, from_bytes};

/// A packet of `conformance/vectors`.
struct Vector {
    name: String,
    objects: bool,
    bytes: Vec<u8>,
}

/// A line of a file of vectors.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    name: String,
    hex: Option<String>,
    #[serde(default)]
    full_objects: bool,
    #[serde(default)]
    allow_objects: bool,
}

fn folder(engine: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors").join(engine)
}

fn vectors_of(path: &Path) -> Vec<Vector> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| {
        let line: Line = serde_json::from_str(line).unwrap();
        let hex = line.hex?;
        let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
        Some(Vector { name: line.name, objects: line.full_objects || line.allow_objects, bytes })
    });
    lines.flatten().collect()
}

/// Returns what an engine writes.
fn canonical(engine: &str) -> Vec<Vector> {
    let files = std::fs::read_dir(folder(engine).join("canonical")).unwrap();
    let vectors: Vec<Vector> = files.flat_map(|file| vectors_of(&file.unwrap().path())).collect();
    assert!(vectors.len() > 300, "{engine}: {} vectors", vectors.len());
    vectors
}

const ENGINES: [(&str, Profile); 3] =
    [("godot-4.6", Profile::GODOT_4_6), ("godot-3.6", Profile::GODOT_3_5), ("godot-3.2", Profile::GODOT_3_2)];

#[derive(Serialize, Deserialize)]
struct Holder {
    first: Variant,
    list: Vec<Variant>,
    map: HashMap<String, Variant>,
}

#[test]
fn a_variant_of_every_type_passes_through_serde_unchanged() {
    for (engine, profile) in ENGINES {
        for Vector { name, objects, bytes } in canonical(engine) {
            let decoder = Decoder::new().profile(profile).objects(objects).fix_engine_bugs(true);
            let encoder = Encoder::new().profile(profile).objects(objects).fix_engine_bugs(true);
            let Ok(tree) = decoder.decode(&bytes) else { panic!("{engine} {name}") };
            if encoder.encode(&tree).as_ref() != Ok(&bytes) {
                // Padding that the engine leaves undefined.
                assert!(engine.starts_with("godot-3"), "{engine} {name}");
            }
            let written = encoder.encode(&tree).unwrap();
            assert_eq!(encoder.serialize(&tree).unwrap(), written, "{engine} {name}");
            let read: Variant = decoder.deserialize(&bytes).unwrap();
            assert_eq!(encoder.encode(&read).unwrap(), written, "{engine} {name}");

            let holder = Holder {
                first: tree.clone(),
                list: vec![tree.clone(), Variant::Nil],
                map: HashMap::from([("key".to_owned(), tree)]),
            };
            let Ok(held) = encoder.serialize(&holder) else {
                // One level more than the engine writes.
                assert!(name.contains("depth") || name.contains("deep") || name.contains("nest"), "{engine} {name}");
                continue;
            };
            let read: Holder = decoder.deserialize(&held).unwrap_or_else(|error| panic!("{engine} {name}: {error}"));
            for value in [&read.first, &read.list[0], &read.map["key"]] {
                assert_eq!(encoder.encode(value).unwrap(), written, "{engine} {name}");
            }
        }
    }
}

#[test]
fn a_variant_is_read_as_the_tree_is_and_refused_where_it_is() {
    let mut refused = 0;
    for (engine, profile) in ENGINES {
        let mut vectors = canonical(engine);
        for file in ["non_canonical.jsonl", "rejected.jsonl"] {
            vectors.extend(vectors_of(&folder(engine).join(file)));
        }
        for Vector { name, objects, bytes } in vectors {
            for strict in [false, true] {
                let decoder = Decoder::new().profile(profile).objects(objects).strict(strict);
                let encoder = Encoder::new().profile(profile).objects(objects).fix_engine_bugs(true);
                match (decoder.decode(&bytes), decoder.deserialize::<Variant>(&bytes)) {
                    (Ok(tree), Ok(read)) => {
                        assert_eq!(encoder.encode(&tree), encoder.encode(&read), "{engine} {name}");
                    }
                    (Err(expected), Err(error)) => {
                        refused += 1;
                        assert_eq!(expected.to_string(), error.to_string(), "{engine} {name}");
                    }
                    (expected, read) => panic!("{engine} {name}: {expected:?} but {read:?}"),
                }
                let ignored = decoder.deserialize::<IgnoredAny>(&bytes);
                assert_eq!(ignored.is_ok(), decoder.decode(&bytes).is_ok(), "{engine} {name}: {ignored:?}");
            }
        }
    }
    assert!(refused > 500, "only {refused} packets were refused");
}

/// Reads every packet of a type into a Rust type and returns it to the same bytes.
fn assert_returns<T: Serialize + DeserializeOwned + Debug>(file: &str) -> usize {
    let vectors = vectors_of(&folder("godot-4.6").join("canonical").join(format!("{file}.jsonl")));
    for Vector { name, bytes, .. } in vectors.iter().filter(|vector| !vector.objects) {
        let value: T = from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(&varbytes::to_bytes(&value).unwrap(), bytes, "{name}: {value:?}");
    }
    vectors.len()
}

#[test]
fn values_that_an_engine_wrote_return_to_the_same_bytes_from_rust_types() {
    let counts = [
        assert_returns::<()>("Nil"),
        assert_returns::<bool>("bool"),
        assert_returns::<i64>("int"),
        assert_returns::<f64>("float"),
        assert_returns::<String>("String"),
        assert_returns::<Vector2>("Vector2"),
        assert_returns::<Vector2i>("Vector2i"),
        assert_returns::<Vector3>("Vector3"),
        assert_returns::<Vector3i>("Vector3i"),
        assert_returns::<Vector4>("Vector4"),
        assert_returns::<Vector4i>("Vector4i"),
        assert_returns::<Rect2>("Rect2"),
        assert_returns::<Rect2i>("Rect2i"),
        assert_returns::<Plane>("Plane"),
        assert_returns::<Quaternion>("Quaternion"),
        assert_returns::<AABB>("AABB"),
        assert_returns::<Basis>("Basis"),
        assert_returns::<Transform2D>("Transform2D"),
        assert_returns::<Transform3D>("Transform3D"),
        assert_returns::<Projection>("Projection"),
        assert_returns::<Color>("Color"),
        assert_returns::<serde_bytes::ByteBuf>("PackedByteArray"),
        assert_returns::<Packed<i32>>("PackedInt32Array"),
        assert_returns::<Packed<i64>>("PackedInt64Array"),
        assert_returns::<Packed<f32>>("PackedFloat32Array"),
        assert_returns::<Packed<f64>>("PackedFloat64Array"),
        assert_returns::<Packed<String>>("PackedStringArray"),
        assert_returns::<Packed<Vector2>>("PackedVector2Array"),
        assert_returns::<Packed<Vector3>>("PackedVector3Array"),
        assert_returns::<Packed<Vector4>>("PackedVector4Array"),
        assert_returns::<Packed<Color>>("PackedColorArray"),
        assert_returns::<varbytes::variant::Array>("Array"),
        assert_returns::<varbytes::variant::Dictionary>("Dictionary"),
    ];
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn a_packed_array_without_elements_keeps_its_precision() {
    let empty = Variant::PackedVector2Array(varbytes::variant::PackedReals::from_f64_vec(vec![]));
    assert_eq!(varbytes::to_bytes(&empty).unwrap(), varbytes::encode(&empty).unwrap());
    assert_eq!(serde_json::to_string(&empty).unwrap(), "[]");
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(bound(deserialize = "E: varbytes::packed::PackedElement + Deserialize<'de>"))]
struct Packed<E: varbytes::packed::PackedElement>(#[serde(with = "varbytes::packed")] Vec<E>);
