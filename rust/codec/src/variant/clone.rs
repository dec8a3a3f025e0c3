//! `Clone` without recursion.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{Array, Dictionary, Object, ObjectData, Variant, Visit, Walk};
use crate::work;

impl Clone for Variant {
    fn clone(&self) -> Self {
        clone_tree(self)
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        self.with_elements(self.elements().to_vec())
    }
}

impl Clone for Dictionary {
    fn clone(&self) -> Self {
        self.with_entries(self.entries().to_vec())
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

/// A container being copied, with its members so far.
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
                    dictionary.with_entries(entries).into()
                }
                (Variant::Object(Object::Data(data)), Some(Copy::Object(properties, _))) => {
                    ObjectData { class: data.class.clone(), properties }.into()
                }
                (container, Some(Copy::Array(elements))) => {
                    let Some(array) = container.as_array() else { continue };
                    Variant::from_array(container.variant_type(), array.with_elements(elements))
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
