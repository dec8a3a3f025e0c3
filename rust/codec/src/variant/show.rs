//! `Clone` and `Debug`, without recursion.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};
use core::fmt;

use super::{Array, Dictionary, Object, ObjectData, Variant, Visit, Walk};
use crate::escape::Escaped;
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
            Visit::Leaf(leaf) => clone_leaf(leaf),
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

/// A copy of a value that holds no others.
fn clone_leaf(leaf: &Variant) -> Variant {
    work::add_bytes_of(|| leaf.content_size());
    match leaf {
        Variant::Nil
        | Variant::Array(_)
        | Variant::Dictionary(_)
        | Variant::TypedArray(_)
        | Variant::PackedTypedArray(_) => Variant::Nil,
        Variant::Bool(value) => Variant::Bool(*value),
        Variant::Int(value) => Variant::Int(*value),
        Variant::Float(value) => Variant::Float(*value),
        Variant::String(value) => Variant::String(value.clone()),
        Variant::Vector2(value) => Variant::Vector2(value.clone()),
        Variant::Vector2i(value) => Variant::Vector2i(*value),
        Variant::Rect2(value) => Variant::Rect2(value.clone()),
        Variant::Rect2i(value) => Variant::Rect2i(*value),
        Variant::Vector3(value) => Variant::Vector3(value.clone()),
        Variant::Vector3i(value) => Variant::Vector3i(*value),
        Variant::Transform2D(value) => Variant::Transform2D(value.clone()),
        Variant::Vector4(value) => Variant::Vector4(value.clone()),
        Variant::Vector4i(value) => Variant::Vector4i(*value),
        Variant::Plane(value) => Variant::Plane(value.clone()),
        Variant::Quaternion(value) => Variant::Quaternion(value.clone()),
        Variant::AABB(value) => Variant::AABB(value.clone()),
        Variant::Basis(value) => Variant::Basis(value.clone()),
        Variant::Transform3D(value) => Variant::Transform3D(value.clone()),
        Variant::Projection(value) => Variant::Projection(value.clone()),
        Variant::Color(value) => Variant::Color(*value),
        Variant::StringName(value) => Variant::StringName(value.clone()),
        Variant::NodePath(value) => Variant::NodePath(value.clone()),
        Variant::RID(value) => Variant::RID(*value),
        Variant::Object(Object::Id(id)) => Variant::Object(Object::Id(*id)),
        Variant::Object(_) => Variant::Object(Object::Null),
        Variant::Callable => Variant::Callable,
        Variant::Signal(value) => Variant::Signal(value.clone()),
        Variant::PackedByteArray(value) => Variant::PackedByteArray(value.clone()),
        Variant::PackedInt32Array(value) => Variant::PackedInt32Array(value.clone()),
        Variant::PackedInt64Array(value) => Variant::PackedInt64Array(value.clone()),
        Variant::PackedFloat32Array(value) => Variant::PackedFloat32Array(value.clone()),
        Variant::PackedFloat64Array(value) => Variant::PackedFloat64Array(value.clone()),
        Variant::PackedStringArray(value) => Variant::PackedStringArray(value.clone()),
        Variant::PackedVector2Array(value) => Variant::PackedVector2Array(value.clone()),
        Variant::PackedVector3Array(value) => Variant::PackedVector3Array(value.clone()),
        Variant::PackedColorArray(value) => Variant::PackedColorArray(value.clone()),
        Variant::PackedVector4Array(value) => Variant::PackedVector4Array(value.clone()),
        Variant::Image(value) => Variant::Image(value.clone()),
        Variant::InputEvent(value) => Variant::InputEvent(value.clone()),
        Variant::PackedVector2iArray(value) => Variant::PackedVector2iArray(value.clone()),
        Variant::PackedVector3iArray(value) => Variant::PackedVector3iArray(value.clone()),
        Variant::PackedVector4iArray(value) => Variant::PackedVector4iArray(value.clone()),
    }
}

/// One line whatever the flags: types by name, containers in brackets, `Dictionary{1: true}`. What it holds is
/// [escaped](crate::escape) and nothing is cut.
impl fmt::Debug for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Escaped(Shown(self)), formatter)
    }
}

struct Shown<'v>(&'v Variant);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What separates the next value from what stands before it, per open container.
        let mut before: Vec<Separators> = Vec::new();
        let mut named = false;
        for visit in Walk::new(self.0) {
            work::add(1);
            if !matches!(visit, Visit::Leave(_))
                && !core::mem::take(&mut named)
                && let Some(separators) = before.last_mut()
            {
                formatter.write_str(separators.next())?;
            }
            match visit {
                Visit::Leaf(leaf) => show_leaf(leaf, formatter)?,
                Visit::Enter(container) => {
                    before.push(Separators { keyed: matches!(container, Variant::Dictionary(_)), count: 0 });
                    open(container, formatter)?;
                }
                Visit::Name(name) => {
                    write!(formatter, "{name}: ")?;
                    named = true;
                }
                Visit::Leave(container) => {
                    before.pop();
                    formatter.write_str(if container.as_array().is_some() { "]" } else { "}" })?;
                }
            }
        }
        Ok(())
    }
}

struct Separators {
    keyed: bool,
    count: usize,
}

impl Separators {
    fn next(&mut self) -> &'static str {
        let separator = match (self.keyed, self.count) {
            (_, 0) => "",
            (true, count) if count % 2 == 1 => ": ",
            _ => ", ",
        };
        self.count += 1;
        separator
    }
}

fn open(container: &Variant, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match container {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            match array.element_type() {
                None => write!(formatter, "{}[", container.variant_type()),
                Some(element_type) => write!(formatter, "{}<{element_type:?}>[", container.variant_type()),
            }
        }
        Variant::Dictionary(dictionary) => match (dictionary.key_type(), dictionary.value_type()) {
            (None, None) => formatter.write_str("Dictionary{"),
            (key_type, value_type) => write!(formatter, "Dictionary<{key_type:?}, {value_type:?}>{{"),
        },
        Variant::Object(Object::Data(data)) => write!(formatter, "Object {}{{", data.class),
        leaf => show_leaf(leaf, formatter),
    }
}

fn show_leaf(leaf: &Variant, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(reals) = leaf.as_reals() {
        return match reals {
            super::Reals::Single(components) => write!(formatter, "{}{components:?}", leaf.variant_type()),
            super::Reals::Double(components) => write!(formatter, "{}{components:?}", leaf.variant_type()),
        };
    }
    match leaf {
        Variant::Nil => formatter.write_str("Nil"),
        Variant::Bool(value) => write!(formatter, "{value}"),
        Variant::Int(value) => write!(formatter, "{value}"),
        Variant::Float(value) => write!(formatter, "{value:?}"),
        Variant::String(text) => write!(formatter, "{text:?}"),
        Variant::StringName(text) => write!(formatter, "&{text:?}"),
        Variant::Vector2i(value) => write!(formatter, "{value:?}"),
        Variant::Rect2i(value) => write!(formatter, "{value:?}"),
        Variant::Vector3i(value) => write!(formatter, "{value:?}"),
        Variant::Vector4i(value) => write!(formatter, "{value:?}"),
        Variant::Color(value) => write!(formatter, "{value:?}"),
        Variant::NodePath(path) => write!(formatter, "{path:?}"),
        Variant::RID(id) => write!(formatter, "RID({id})"),
        Variant::Object(Object::Id(id)) => write!(formatter, "Object #{id}"),
        Variant::Object(_) => formatter.write_str("Object null"),
        Variant::Callable => formatter.write_str("Callable"),
        Variant::Signal(signal) => write!(formatter, "{signal:?}"),
        Variant::PackedByteArray(elements) => write!(formatter, "PackedByteArray{elements:?}"),
        Variant::PackedInt32Array(elements) => write!(formatter, "PackedInt32Array{elements:?}"),
        Variant::PackedInt64Array(elements) => write!(formatter, "PackedInt64Array{elements:?}"),
        Variant::PackedFloat32Array(elements) => write!(formatter, "PackedFloat32Array{elements:?}"),
        Variant::PackedFloat64Array(elements) => write!(formatter, "PackedFloat64Array{elements:?}"),
        Variant::PackedStringArray(elements) => write!(formatter, "PackedStringArray{elements:?}"),
        Variant::PackedVector2Array(elements) => write!(formatter, "PackedVector2Array {elements:?}"),
        Variant::PackedVector3Array(elements) => write!(formatter, "PackedVector3Array {elements:?}"),
        Variant::PackedColorArray(elements) => write!(formatter, "PackedColorArray{elements:?}"),
        Variant::PackedVector4Array(elements) => write!(formatter, "PackedVector4Array {elements:?}"),
        Variant::Image(image) => write!(formatter, "{image:?}"),
        Variant::InputEvent(event) => write!(formatter, "{event:?}"),
        Variant::PackedVector2iArray(elements) => write!(formatter, "PackedVector2iArray{elements:?}"),
        Variant::PackedVector3iArray(elements) => write!(formatter, "PackedVector3iArray{elements:?}"),
        Variant::PackedVector4iArray(elements) => write!(formatter, "PackedVector4iArray{elements:?}"),
        other => formatter.write_str(other.variant_type().name()),
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.elements()).finish()
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.entries().iter().map(|(key, value)| (key, value))).finish()
    }
}

impl fmt::Debug for ObjectData {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let properties = self.properties.iter().map(|(name, value)| (name, value));
        fmt::Display::fmt(&Escaped(&self.class), formatter)?;
        formatter.debug_map().entries(properties).finish()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("Null"),
            Self::Id(id) => write!(formatter, "Id({id})"),
            Self::Data(data) => write!(formatter, "{data:?}"),
        }
    }
}
