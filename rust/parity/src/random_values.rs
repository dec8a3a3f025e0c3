//! Generates random values of every type. Equal random numbers generate equal values.

mod containers;
mod numbers;
mod objects;

use godot::builtin::{
    Callable, GString, NodePath, PackedArray, Rect2i, Rid, Signal, StringName, Variant, Vector2i, Vector3i, Vector4i,
};
use godot::meta::{PackedElement, ToGodot};
use godot::prelude::*;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

pub(crate) use objects::{ITEM, Objects};

const TEXTS: [&str; 12] =
    ["", "a", "abc", "abcd", "name", "é", "日本語", "😀", "a/b:c", "with space", "%d\n\t", "0123456789abcdef"];

const PATHS: [&str; 8] = ["", "/", ".", "../a", "/root/é/c:d:e", ":x", "a//b", "a/b:c:d"];

/// The number of types in Godot 4.4 and later.
const TYPES: u32 = 39;

/// At this depth no more containers are generated.
const DEEPEST: u32 = 4;

/// Generates values.
pub(crate) struct RandomValues {
    random: Box<dyn Rng>,
    /// The parts of full objects; `None` for values without them.
    objects: Option<Objects>,
}

impl RandomValues {
    pub(crate) fn new(random: impl Rng + 'static, objects: Option<Objects>) -> Self {
        Self { random: Box::new(random), objects }
    }

    /// Returns a value of any type.
    pub(crate) fn value(&mut self) -> Variant {
        self.at_depth(0)
    }

    fn at_depth(&mut self, depth: u32) -> Variant {
        if depth >= DEEPEST {
            // Types from 27 are containers and packed arrays.
            let leaf = self.random.random_range(0..27);
            return self.of_type(leaf, depth);
        }
        // Containers are more frequent than other types, or most values would be flat.
        match self.random.random_range(0..20) {
            0..3 => self.array(depth),
            3..6 => self.dictionary(depth),
            6..8 if self.objects.is_some() => self.object(depth),
            _ => {
                let any = self.random.random_range(0..TYPES);
                self.of_type(any, depth)
            }
        }
    }

    /// Returns a value of the type with this number in the engine.
    fn of_type(&mut self, variant_type: u32, depth: u32) -> Variant {
        match variant_type {
            0 => Variant::nil(),
            1 => self.random.random::<bool>().to_variant(),
            2 => self.whole().to_variant(),
            3 => self.double().to_variant(),
            4 => GString::from(&self.text()).to_variant(),
            5 => self.vector2().to_variant(),
            6 => Vector2i::new(self.whole32(), self.whole32()).to_variant(),
            7 => Rect2::new(self.vector2(), self.vector2()).to_variant(),
            8 => {
                let mut vector = || Vector2i::new(self.whole32(), self.whole32());
                Rect2i::new(vector(), vector()).to_variant()
            }
            9 => self.vector3().to_variant(),
            10 => Vector3i::new(self.whole32(), self.whole32(), self.whole32()).to_variant(),
            11 => self.transform2d().to_variant(),
            12 => self.vector4().to_variant(),
            13 => Vector4i::new(self.whole32(), self.whole32(), self.whole32(), self.whole32()).to_variant(),
            14 => self.plane().to_variant(),
            15 => self.quaternion().to_variant(),
            16 => Aabb { position: self.vector3(), size: self.vector3() }.to_variant(),
            17 => self.basis().to_variant(),
            18 => Transform3D { basis: self.basis(), origin: self.vector3() }.to_variant(),
            19 => self.projection().to_variant(),
            20 => self.color().to_variant(),
            21 => StringName::from(&self.text()).to_variant(),
            22 => {
                let path = *PATHS.choose(&mut self.random).unwrap_or(&"");
                NodePath::from(path).to_variant()
            }
            23 => Rid::new(self.random.random()).to_variant(),
            24 => self.object(depth),
            25 => Callable::invalid().to_variant(),
            26 => Signal::invalid().to_variant(),
            27 => self.dictionary(depth),
            28 => self.array(depth),
            29 => self.packed(|values| values.random.random::<u8>()),
            30 => self.packed(Self::whole32),
            31 => self.packed(Self::whole),
            32 => self.packed(Self::real),
            33 => self.packed(Self::double),
            34 => self.packed(|values| GString::from(&values.text())),
            35 => self.packed(Self::vector2),
            36 => self.packed(Self::vector3),
            37 => self.packed(Self::color),
            _ => self.packed(Self::vector4),
        }
    }

    fn text(&mut self) -> String {
        if self.random.random_ratio(7, 10) {
            return (*TEXTS.choose(&mut self.random).unwrap_or(&"")).to_owned();
        }
        let length = self.random.random_range(0..40);
        let character = |_| match self.random.random_range(0..4) {
            0 => self.random.random_range('\u{1}'..='\u{7F}'),
            1 => self.random.random_range('\u{80}'..='\u{7FF}'),
            2 => self.random.random_range('\u{800}'..='\u{FFFF}'),
            _ => self.random.random_range('\u{10000}'..='\u{10FFFF}'),
        };
        (0..length).map(character).collect()
    }

    fn packed<T: PackedElement>(&mut self, mut element: impl FnMut(&mut Self) -> T) -> Variant
    where
        PackedArray<T>: ToGodot + FromIterator<T>,
    {
        let count = self.random.random_range(0..8);
        (0..count).map(|_| element(self)).collect::<PackedArray<T>>().to_variant()
    }
}
