//! `Debug` without recursion.

use alloc::vec::Vec;
use core::fmt;

use super::math::Reals;
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};
use super::view::View;
use super::walk::{Separators, Visit, Walk};
use crate::escape::Escaped;
use crate::variant_type::{Number, Shape};
use crate::{VariantType, work};

/// Shows the value on one line, whatever the flags: types by name, containers in brackets, `Dictionary{1: true}`. The
/// content is [escaped](crate::escape), and nothing is cut.
impl fmt::Debug for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Escaped(Shown(self)), formatter)
    }
}

struct Shown<'v>(&'v Variant);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The separator before the next value, for each open container.
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
                    before.push(Separators::of(container));
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
    let variant_type = leaf.variant_type();
    match leaf.view() {
        View::Reals(Reals::Single(components)) => write!(formatter, "{variant_type}{components:?}"),
        View::Reals(Reals::Double(components)) => write!(formatter, "{variant_type}{components:?}"),
        View::Rid(id) => write!(formatter, "RID({id})"),
        View::Object(Object::Id(id)) => write!(formatter, "Object #{id}"),
        View::Object(_) => formatter.write_str("Object null"),
        View::Text(text) if variant_type == VariantType::StringName => write!(formatter, "&{text:?}"),
        _ => {
            if leaf.packed_len().is_some() {
                write!(formatter, "{variant_type}")?;
                // The precision comes first.
                if matches!(variant_type.shape(), Shape::Packed(Number::Real, _)) {
                    formatter.write_str(" ")?;
                }
            }
            match leaf.content() {
                Some(content) => write!(formatter, "{content:?}"),
                None => formatter.write_str(variant_type.name()),
            }
        }
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
