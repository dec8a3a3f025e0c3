//! Records which kinds of values occurred, to detect a generator that never generates one of them.

use std::collections::BTreeSet;

use godot::builtin::{AnyArray, AnyDictionary, Variant, VariantType};
use godot::classes::Object;
use godot::prelude::*;

/// The classes of full objects.
const CLASSES: [&str; 5] = ["EncodedObjectAsID", "Gradient", "PlaceholderTexture2D", "RefCounted", "Resource"];

/// The number of types.
const TYPES: i32 = 39;

/// The kinds that have occurred. Only outermost values count.
#[derive(Default)]
pub(crate) struct Variety(BTreeSet<String>);

impl Variety {
    pub(crate) fn add(&mut self, value: &Variant) {
        let variant_type = value.get_type();
        self.0.insert(type_name(variant_type.ord()));
        match variant_type {
            VariantType::FLOAT if value.to::<f64>().is_nan() => self.add_kind("NaN"),
            VariantType::ARRAY if is_typed_and_full(value, value.to::<AnyArray>().is_empty()) => {
                self.add_kind(if value.call("get_typed_script", &[]).is_nil() {
                    "typed Array"
                } else {
                    "Array of items"
                });
            }
            VariantType::DICTIONARY if !value.to::<AnyDictionary>().is_empty() => {
                let keys = value.call("is_typed_key", &[]).to::<bool>();
                let values = value.call("is_typed_value", &[]).to::<bool>();
                self.0.insert(dictionary_name(keys, values));
            }
            VariantType::OBJECT => match value.to::<Option<Gd<Object>>>() {
                Some(object) if object.get_script().is_some() => self.add_kind("object with a script"),
                Some(object) => self.add_kind(&object.get_class().to_string()),
                None => {}
            },
            _ => {}
        }
    }

    fn add_kind(&mut self, kind: &str) {
        self.0.insert(kind.to_owned());
    }

    /// Returns the kinds that have not occurred.
    pub(crate) fn missing(&self) -> Vec<String> {
        let types = (0..TYPES).map(type_name);
        let dictionaries = [(false, false), (false, true), (true, false), (true, true)];
        let others = ["NaN", "typed Array", "Array of items", "object with a script"];
        types
            .chain(dictionaries.map(|(keys, values)| dictionary_name(keys, values)))
            .chain(CLASSES.into_iter().chain(others).map(str::to_owned))
            .filter(|kind| !self.0.contains(kind))
            .collect()
    }
}

fn type_name(variant_type: i32) -> String {
    format!("value of type {variant_type}")
}

fn dictionary_name(keys: bool, values: bool) -> String {
    format!("Dictionary with members (keys typed: {keys}, values typed: {values})")
}

fn is_typed_and_full(array: &Variant, is_empty: bool) -> bool {
    !is_empty && array.call("is_typed", &[]).to()
}
