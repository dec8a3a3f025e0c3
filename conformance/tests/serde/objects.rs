//! What serde's data model lacks: `StringName`, values of any type, and full objects.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use varbytes::typed::{Class, Typed};
use varbytes::variant::{Array, Color, Dictionary, NodePath, Rect2i, Text, Vector3};
use varbytes::{FullObject, Variant, variant};

use crate::Pass;
use crate::values::Item;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Named {
    items: Vec<Item>,
    state: State,
    keys: HashMap<String, State>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum State {
    Idle,
    Walking { speed: f32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Any {
    value: Variant,
    values: Vec<Variant>,
    array: Array,
    dictionary: Dictionary,
    text: Text,
    name: String,
}

/// The properties that a `PhysicsMaterial` stores.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Material {
    resource_local_to_scene: bool,
    resource_name: String,
    friction: f32,
    rough: bool,
    bounce: f32,
    absorbent: bool,
    script: (),
}

/// The properties that a `GradientTexture1D` stores.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Texture {
    resource_local_to_scene: bool,
    resource_name: String,
    gradient: Option<FullObject<Gradient>>,
    width: u16,
    use_hdr: bool,
    script: Option<String>,
}

/// The properties that a `Gradient` stores.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Gradient {
    resource_local_to_scene: bool,
    resource_name: String,
    interpolation_mode: u8,
    interpolation_color_space: u8,
    #[serde(with = "varbytes::packed")]
    offsets: Vec<f32>,
    #[serde(with = "varbytes::packed")]
    colors: Vec<Color>,
    script: Option<String>,
}

impl Class for Material {
    const CLASS: &'static str = "PhysicsMaterial";
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Scene {
    materials: Vec<FullObject<Material>>,
    by_name: HashMap<String, FullObject<HashMap<String, Variant>>>,
}

fn object<T>(class: &str, properties: T) -> FullObject<T> {
    FullObject { class: class.into(), properties }
}

pub fn shapes(pass: &mut Pass<'_>) {
    let walking = || State::Walking { speed: 1.5 };
    pass.shape_with_names(Item::axe());
    pass.shape_with_names(State::Idle);
    pass.shape_with_names(Named {
        items: vec![Item::axe()],
        state: walking(),
        keys: [("left".to_owned(), walking())].into(),
    });
    let name = |text: &str| Variant::StringName(Box::new(text.into()));
    pass.shape(Dictionary::from([(name("hp"), 7)]));
    let path: NodePath = "/root/A:b".parse().unwrap();
    pass.shape(vec![name("name"), path.clone().into(), Rect2i::new(1, 2, 3, 4).into()]);
    pass.shape(Any {
        value: Vector3::new(1.0, 2.0, 3.0).into(),
        values: vec![Variant::Nil, vec![1i32].into(), 0.1.into()],
        array: [1, 2].into(),
        dictionary: [(Variant::from(path), variant!([true]))].into(),
        text: "é".into(),
        name: "plain".into(),
    });
    // A `Variant` may be deeper than Rust types.
    pass.shape((1..1000).fold(variant!([7]), |inner, _| vec![inner].into()));

    let material = Material {
        resource_local_to_scene: false,
        resource_name: "ice".into(),
        friction: 0.1,
        rough: true,
        bounce: 0.25,
        absorbent: false,
        script: (),
    };
    pass.shape(object("PhysicsMaterial", material.clone()));
    pass.shape(object("RefCounted", HashMap::from([("script".to_owned(), ())])));
    let gradient = Gradient {
        resource_local_to_scene: false,
        resource_name: String::new(),
        interpolation_mode: 1,
        interpolation_color_space: 2,
        offsets: vec![0.0, 0.5],
        colors: vec![Color::new(1.0, 0.5, 0.25, 1.0), Color::new(0.0, 0.0, 0.0, 1.0)],
        script: None,
    };
    pass.shape(object(
        "GradientTexture1D",
        Texture {
            resource_local_to_scene: true,
            resource_name: "sky".into(),
            gradient: Some(object("Gradient", gradient)),
            width: 64,
            use_hdr: true,
            script: None,
        },
    ));
    pass.shape(Typed(vec![object("PhysicsMaterial", material.clone())]));
    let scripted = HashMap::from([("script".to_owned(), Variant::Nil)]);
    pass.shape(Scene {
        materials: vec![object("PhysicsMaterial", material)],
        by_name: [("one".to_owned(), object("RefCounted", scripted))].into(),
    });
}
