//! Sequences and maps: of values, packed and typed, with keys of any type, and deep.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde::{Deserialize, Serialize};
use varbytes::Variant;
use varbytes::math::Godot;
use varbytes::packed::Packed;
use varbytes::typed::Typed;
use varbytes::variant::{Array, Color, Dictionary, NodePath, Vector2, Vector2i, Vector3, Vector4};

use crate::Pass;
use crate::values::Item;

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Team {
    Red,
    Blue,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Nested {
    inner: Option<Box<Nested>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Fields {
    #[serde(with = "varbytes::packed")]
    points: Vec<[f32; 3]>,
    #[serde(with = "varbytes::typed")]
    items: Vec<Item>,
    #[serde(with = "varbytes::typed")]
    scores: BTreeMap<String, f64>,
    #[serde(with = "varbytes::packed")]
    none: Vec<String>,
}

fn text(text: &str) -> String {
    text.to_owned()
}

pub fn shapes(pass: &mut Pass<'_>) {
    pass.shape(Vec::<i32>::new());
    pass.shape(BTreeMap::<String, i32>::new());
    pass.shape([[1, 2], [3, 4]]);
    pass.shape((VecDeque::from([1]), BTreeSet::from([2, 3]), vec![Item::axe()]));
    pass.shape(BTreeMap::from([(1, text("one")), (2, text("two"))]));
    pass.shape(BTreeMap::from([(i64::MIN, 1u8), (i64::MAX, 2)]));
    pass.shape(BTreeMap::from([(false, 0.5f32), (true, 1.0)]));
    pass.shape(BTreeMap::from([('a', ()), ('é', ())]));
    pass.shape(BTreeMap::from([(Team::Red, Team::Blue)]));
    pass.shape(BTreeMap::from([((1, true), [text("a tuple")])]));
    pass.shape(BTreeMap::from([(None, 0), (Some(1), 1)]));
    pass.shape(HashMap::from([(Vector2i::new(1, -2), BTreeMap::from([(text("inner"), 7)]))]));
    packed(pass);
    typed(pass);
    pass.shape(Fields {
        points: vec![[1.0, 2.0, 3.0]],
        items: vec![Item::axe()],
        scores: [(text("Ada"), 0.1)].into(),
        none: Vec::new(),
    });
    // As deep as values in values are read.
    pass.shape((1..128).fold(Nested::default(), |inner, _| Nested { inner: Some(inner.into()) }));
}

fn packed(pass: &mut Pass<'_>) {
    pass.shape(Packed(vec![1u8, 2, 3]));
    pass.shape(Packed(vec![1i32, -2]));
    pass.shape(Packed(vec![i8::MIN]));
    pass.shape(Packed(vec![i16::MIN]));
    pass.shape(Packed(vec![u16::MAX]));
    pass.shape(Packed(vec![1i64 << 40]));
    pass.shape(Packed(vec![u32::MAX]));
    pass.shape(Packed(vec![0.5f32, f32::INFINITY]));
    pass.shape(Packed(vec![0.1f64, f64::NEG_INFINITY]));
    pass.shape(Packed(vec![text("a"), text("é")]));
    pass.shape(Packed(Box::<[Vector2]>::from([Vector2::new(1.0, 2.0)])));
    pass.shape(Packed(vec![Vector3::new(1.0, 2.0, 3.0)]));
    pass.shape(Packed(vec![Vector4::new(1.0, 2.0, 3.0, 4.0)]));
    pass.shape(Packed(vec![[1.0f32, 2.0]]));
    pass.shape(Packed(vec![[1.0f32, 2.0, 3.0]]));
    pass.shape(Packed(vec![[1.0f32, 2.0, 3.0, 4.0]]));
    pass.shape(Packed(vec![Color::new(1.0, 0.5, 0.25, 1.0)]));
    pass.shape(Packed(vec![glam::Vec2::new(1.0, 2.0), glam::Vec2::ZERO]));
    pass.shape(Packed(vec![glam::Vec3A::new(1.0, 2.0, 3.0)]));
    pass.shape(Packed(VecDeque::from([Godot(mint::Vector3::from([1.0f32, 2.0, 3.0]))])));
    pass.shape(Packed([0.5f32; 2]));
    pass.shape((Packed(Some(vec![1i32])), Packed(None::<Vec<i32>>)));
    pass.shape_in_double_precision(Packed(vec![[1.0f64, 2.0], [0.5, -0.5]]));
    pass.shape((Packed(Vec::<u8>::new()), Packed(Vec::<i32>::new()), Packed(Vec::<i64>::new())));
    pass.shape((Packed(Vec::<f32>::new()), Packed(Vec::<f64>::new()), Packed(Vec::<String>::new())));
    pass.shape((Packed(Vec::<[f32; 2]>::new()), Packed(Vec::<[f32; 3]>::new()), Packed(Vec::<Color>::new())));
}

fn typed(pass: &mut Pass<'_>) {
    pass.shape(Typed(vec![true]));
    pass.shape(Typed(vec![1, 2, 3]));
    pass.shape(Typed(vec![0.5f32]));
    pass.shape(Typed(vec![text("a")]));
    pass.shape(Typed(vec!['a']));
    pass.shape(Typed(vec![Item::axe()]));
    pass.shape(Typed(vec![vec![1], vec![]]));
    pass.shape(Typed(vec![Dictionary::from([("a", 1)])]));
    pass.shape(Typed(Box::<[Array]>::from([Array::from([1])])));
    pass.shape(Typed(vec![Vector2i::new(1, -2)]));
    pass.shape(Typed(vec![Color::new(1.0, 0.5, 0.25, 1.0)]));
    pass.shape(Typed(Vec::<u8>::new()));
    pass.shape(Typed(BTreeMap::from([(text("Ada"), 7)])));
    pass.shape(Typed(BTreeMap::from([(7, text("Ada"))])));
    pass.shape(Typed(BTreeMap::from([(Vector2i::new(1, -2), vec![true])])));
    pass.shape(Typed(HashMap::from([(true, Item::axe())])));
    pass.shape(Typed(BTreeMap::from([(text("inner"), BTreeMap::from([(1, 2)]))])));
    pass.shape(Typed(BTreeMap::<String, Vector3>::new()));
    pass.shape(Typed(vec![glam::Vec3::new(1.0, 2.0, 3.0)]));
    pass.shape(Typed(BTreeMap::from([(text("home"), Godot(mint::Vector2::from([4i32, 2])))])));
    pass.shape(Typed(BTreeMap::from([(text("any"), Variant::from(Vector3::new(1.0, 2.0, 3.0)))])));
    pass.shape(Typed(vec!["a/b:c".parse::<NodePath>().unwrap()]));
    pass.shape(Typed(VecDeque::from([Packed(vec![1i32, 2])])));
    pass.shape(Typed(Some(BTreeSet::from([1, 2]))));
}
