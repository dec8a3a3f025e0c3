//! Full objects.
//!
//! The setters of these classes are fast for any value, because packets with these objects are damaged too. The setters of
//! other classes can take very long for damaged values (`Curve2D`), or never return (`LabelSettings`).

use godot::classes::{EncodedObjectAsId, Gradient, PlaceholderTexture2D, RefCounted, ResourceLoader, Script};
use godot::global;
use godot::prelude::*;
use rand::RngExt;

use super::{DEEPEST, RandomValues};

/// The script of the tests.
pub(crate) const ITEM: &str = "res://tests/fixtures/item.gd";

/// The script for objects with a script.
#[derive(Clone)]
pub(crate) struct Objects {
    item: Gd<Script>,
}

impl Objects {
    /// Loads the script.
    ///
    /// # Errors
    /// Returns an error if the project does not contain it.
    pub(crate) fn load() -> Result<Self, String> {
        let script = ResourceLoader::singleton().load(ITEM).and_then(|script| script.try_cast::<Script>().ok());
        script.map(|item| Self { item }).ok_or_else(|| format!("{ITEM} is not in this project"))
    }
}

impl RandomValues {
    /// Returns an object or null. Always returns null for values without full objects.
    pub(super) fn object(&mut self, depth: u32) -> Variant {
        if self.objects.is_none() {
            return null_object();
        }
        match self.random.random_range(0..7) {
            0 => null_object(),
            1 => self.item(depth),
            2 => {
                let mut texture = PlaceholderTexture2D::new_gd();
                texture.set_size(self.vector2());
                texture.to_variant()
            }
            3 => {
                let mut gradient = Gradient::new_gd();
                gradient.set_name(&self.text());
                gradient.set_offset(0, self.random.random_range(0.0..1.0));
                gradient.set_color(0, self.color());
                gradient.to_variant()
            }
            4 => {
                let mut id = EncodedObjectAsId::new_gd();
                id.set_object_id(self.random.random());
                id.to_variant()
            }
            5 => {
                let mut counted = RefCounted::new_gd();
                counted.set_meta("note", &self.inner(depth));
                counted.to_variant()
            }
            _ => {
                let mut resource = Resource::new_gd();
                resource.set_name(&self.text());
                resource.set_meta("note", &self.inner(depth));
                resource.to_variant()
            }
        }
    }

    /// Returns an Array that is typed by the script.
    pub(super) fn items(&mut self, depth: u32) -> Variant {
        let Some(objects) = &self.objects else { return VarArray::new().to_variant() };
        let items = objects.item.clone().call("list", &[]);
        for _ in 0..self.random.random_range(0..3) {
            let item = if self.random.random_ratio(4, 5) { self.item(depth) } else { null_object() };
            items.call("push_back", &[item]);
        }
        items
    }

    fn item(&mut self, depth: u32) -> Variant {
        let Some(objects) = &self.objects else { return Variant::nil() };
        let mut item = objects.item.clone().call("new", &[]).to::<Gd<Resource>>();
        item.set("title", &GString::from(&self.text()).to_variant());
        item.set("count", &self.whole().to_variant());
        if depth < DEEPEST {
            item.set("parts", &varray![&self.inner(depth)].to_variant());
        }
        item.to_variant()
    }

    fn inner(&mut self, depth: u32) -> Variant {
        self.at_depth((depth + 1).min(DEEPEST))
    }
}

/// Returns a null object, which differs from null. The bindings cannot create one, but the engine reads one.
fn null_object() -> Variant {
    global::bytes_to_var_with_objects(&PackedByteArray::from([24, 0, 0, 0, 0, 0, 0, 0]))
}
