//! A running engine reads every shape of Rust types as the value that it should be, and writes it back.
//!
//! A missing engine is reported; `cargo conformance --require-engine` fetches it.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::io::Write;

use glam::{Affine2, Affine3A, IVec3, Mat3, Mat4, Quat, Vec2, Vec3};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::math::Godot;
use varbytes::record::{Framing, RecordReader};
use varbytes::typed::{Container, Member};
use varbytes::variant::{Color, NodePath, Rect2i};
use varbytes::{Variant, VariantType};
use varbytes_conformance::engine::locate;
use varbytes_conformance::reference::{Reference, Running};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Item {
    name: String,
    count: u8,
}

impl Member for Item {
    const TYPE: VariantType = VariantType::Dictionary;
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum External {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Struct { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Newtype(i32),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(bound(
    deserialize = "T: varbytes::packed::PackedSequence + From<Vec<T::Element>>, T::Element: DeserializeOwned"
))]
struct Packed<T: varbytes::packed::PackedSequence>(#[serde(with = "varbytes::packed")] T);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Typed<T: Container + DeserializeOwned>(#[serde(with = "varbytes::typed")] T);

/// Where the shapes go, or where they come from.
enum Pass<'p> {
    Write(&'p mut Vec<u8>),
    Read(&'p mut RecordReader<&'p [u8]>),
}

impl Pass<'_> {
    fn shape<T: Serialize + DeserializeOwned + PartialEq + Debug>(&mut self, value: T) {
        match self {
            Self::Write(file) => varbytes::to_writer(file, &value).unwrap(),
            Self::Read(records) => assert_eq!(records.deserialize::<T>().unwrap(), Some(value)),
        }
    }
}

/// Every shape, in the order of `serde_shapes.gd`.
fn shapes(pass: &mut Pass<'_>) {
    let item = || Item { name: "axe".into(), count: 1 };
    pass.shape(item());
    pass.shape(None::<i32>);
    pass.shape(Some(7));
    pass.shape((7, "x".to_owned()));
    pass.shape(Vec::<i32>::new());
    pass.shape(BTreeMap::<String, i32>::new());
    pass.shape(true);
    pass.shape(i64::MIN);
    pass.shape(0.1f64);
    pass.shape(1.5f32);
    pass.shape("é😀".to_owned());
    pass.shape(External::Unit);
    pass.shape(External::Newtype(7));
    pass.shape(External::Tuple(7, true));
    pass.shape(External::Struct { a: 7 });
    pass.shape(Internal::Unit);
    pass.shape(Internal::Struct { a: 7 });
    pass.shape(Adjacent::Newtype(7));
    pass.shape(Untagged::Number(7));
    pass.shape(Untagged::Text("text".into()));
    pass.shape(BTreeMap::from([(1, "one".to_owned()), (2, "two".to_owned())]));
    let tile: mint::Vector2<i32> = [1, -2].into();
    pass.shape(BTreeMap::from([(Godot(tile), [Vec3::new(1.0, 2.0, 3.0)])]));
    pass.shape(Packed(vec![1u8, 2, 3]));
    pass.shape(Packed(vec![1i32, -2]));
    pass.shape(Packed(vec![1i64 << 40]));
    pass.shape(Packed(vec![0.5f32]));
    pass.shape(Packed(vec![0.1f64]));
    pass.shape(Packed(vec!["a".to_owned(), "é".to_owned()]));
    pass.shape(Packed(vec![[1.0f32, 2.0]]));
    pass.shape(Packed(Vec::<[f32; 3]>::new()));
    pass.shape(Packed(vec![Color::new(1.0, 0.5, 0.25, 1.0)]));
    pass.shape(Typed(vec![1, 2, 3]));
    pass.shape(Typed(vec![item()]));
    pass.shape(Typed(BTreeMap::from([("Ada".to_owned(), 7)])));
    pass.shape(Typed(BTreeMap::from([(varbytes::variant::Vector2i::new(1, -2), vec![true])])));
    pass.shape(Vec2::new(1.0, 2.0));
    pass.shape(IVec3::new(1, 2, 3));
    pass.shape(Quat::IDENTITY);
    let numbers: [f32; 16] = std::array::from_fn(|index| 1.0 + f32::from(u8::try_from(index).unwrap()));
    pass.shape(Affine2::from_cols_slice(&numbers[..6]));
    // The arguments of a Basis in a script are its columns, as in glam.
    pass.shape(Mat3::from_cols_slice(&numbers[..9]));
    pass.shape(Affine3A::from_cols_slice(&numbers[..12]));
    pass.shape(Mat4::from_cols_slice(&numbers));
    pass.shape(Godot(mint::Point3::<f32>::from([1.0, 2.0, 3.0])));
    pass.shape(Godot(mint::ColumnMatrix3::<f32>::from(Mat3::from_cols_slice(&numbers[..9]).to_cols_array())));
    pass.shape(Color::new(1.0, 0.5, 0.25, 1.0));
    let path: NodePath = "/root/A:b".parse().unwrap();
    let values = [Variant::StringName(Box::new("name".into())), path.into(), Rect2i::new(1, 2, 3, 4).into()];
    pass.shape(Vec::from(values));
}

#[test]
fn the_engine_reads_rust_types_as_its_own_values_and_writes_them_back() {
    let engine = locate(Reference::GODOT_4.package).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: Rust types are read by Godot {}\n", engine.version),
        None => "NOTICE: Godot 4 was not found; Rust types are read by no engine\n".to_owned(),
    };
    // Directly on standard error, because the test harness hides the output of passing tests.
    let _ = std::io::stderr().write_all(notice.as_bytes());
    let mut written = Vec::new();
    shapes(&mut Pass::Write(&mut written));
    shapes(&mut Pass::Read(&mut RecordReader::new(&written[..], Framing::new(1 << 20))));
    let Some(engine) = engine else { return };

    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("from-rust"), folder.path().join("from-engine"));
    fs::write(&input, &written).unwrap();
    let arguments = vec!["--input".into(), input.into(), "--output".into(), output.clone().into()];
    let engine = Running::new(Reference::GODOT_4, engine).unwrap();
    engine.run("serde_shapes.gd", arguments, &mut |_| ()).and_then(|output| output.completion()).unwrap();
    let returned = fs::read(output).unwrap();
    shapes(&mut Pass::Read(&mut RecordReader::new(&returned[..], Framing::new(1 << 20))));
    assert_eq!(returned, written);
}
