//! `Clone`, without recursion.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};

use super::{Array, Dictionary, Object, ObjectData, Variant, Visit, Walk};
use crate::work;

impl Clone for Variant {
    fn clone(&self) -> Self {
        clone_tree(self)
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        Self::with_type(self.element_type().cloned(), self.elements().to_vec()).with_shared(self.is_shared())
    }
}

impl Clone for Dictionary {
    fn clone(&self) -> Self {
        Self::with_types(self.key_type().cloned(), self.value_type().cloned(), self.entries().to_vec())
            .with_shared(self.is_shared())
    }
}

impl Clone for ObjectData {
    fn clone(&self) -> Self {
        Self { class: self.class.clone(), properties: self.properties.clone() }
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Id(id) => Self::Id(*id),
            Self::Data(data) => Self::Data(data.clone()),
        }
    }
}

/// A container being copied, its members so far.
enum Copy {
    Array(Vec<Variant>),
    Dictionary(Vec<(Variant, Variant)>, Option<Variant>),
    Object(Vec<(String, Variant)>, String),
}

fn clone_tree(value: &Variant) -> Variant {
    let mut open: Vec<Copy> = Vec::new();
    for visit in Walk::new(value) {
        work::add(1);
        let finished = match visit {
            Visit::Leaf(leaf) => {
                work::add_bytes_of(|| leaf.content_size());
                leaf.cloned_leaf()
            }
            Visit::Enter(container) => {
                open.push(match container {
                    Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                        Copy::Array(Vec::with_capacity(array.elements().len()))
                    }
                    Variant::Dictionary(dictionary) => {
                        Copy::Dictionary(Vec::with_capacity(dictionary.entries().len()), None)
                    }
                    Variant::Object(Object::Data(data)) => {
                        Copy::Object(Vec::with_capacity(data.properties.len()), String::new())
                    }
                    _ => continue,
                });
                continue;
            }
            Visit::Name(name) => {
                if let Some(Copy::Object(_, property)) = open.last_mut() {
                    name.clone_into(property);
                }
                continue;
            }
            Visit::Leave(container) => match (container, open.pop()) {
                (Variant::Dictionary(dictionary), Some(Copy::Dictionary(entries, _))) => {
                    let (key_type, value_type) = (dictionary.key_type().cloned(), dictionary.value_type().cloned());
                    let copy = Dictionary::with_types(key_type, value_type, entries);
                    copy.with_shared(dictionary.is_shared()).into()
                }
                (Variant::Object(Object::Data(data)), Some(Copy::Object(properties, _))) => {
                    Variant::Object(Object::Data(Box::new(ObjectData { class: data.class.clone(), properties })))
                }
                (container, Some(Copy::Array(elements))) => {
                    let Some(array) = container.as_array() else { continue };
                    let copy = Array::with_type(array.element_type().cloned(), elements);
                    Variant::from_array(container.variant_type(), copy.with_shared(array.is_shared()))
                }
                _ => continue,
            },
        };
        match open.last_mut() {
            None => return finished,
            Some(Copy::Array(elements)) => elements.push(finished),
            Some(Copy::Dictionary(entries, key)) => match key.take() {
                None => *key = Some(finished),
                Some(key) => entries.push((key, finished)),
            },
            Some(Copy::Object(properties, name)) => properties.push((core::mem::take(name), finished)),
        }
    }
    Variant::Nil
}
