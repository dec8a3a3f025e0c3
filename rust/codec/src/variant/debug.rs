//! `Debug` without recursion.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::math::Reals;
use super::members::ContainerType;
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};
use super::view::View;
use super::walk::{Separators, Visit, Walk};
use crate::escape::Escaped;
use crate::variant_type::{Number, Shape};
use crate::{VariantType, work};

/// The deepest indentation, so that the text of a deep value stays in proportion to it.
const INDENTED_LEVELS: usize = 32;

/// Shows the value on one line, or with `{:#?}` one member on each: types by name, containers in brackets,
/// `Dictionary{1: true}`. The content is [escaped](crate::escape), and nothing is cut.
impl fmt::Debug for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_indented = formatter.alternate();
        // The separators and the number of members so far, for each open container.
        let mut before: Vec<(Separators, usize)> = Vec::new();
        let mut named = false;
        for visit in Walk::new(self) {
            work::add(1);
            let depth = before.len();
            if !matches!(visit, Visit::Leave(_))
                && !core::mem::take(&mut named)
                && let Some((separators, count)) = before.last_mut()
            {
                *count += 1;
                match (separators.next(), is_indented) {
                    (": ", _) => formatter.write_str(": ")?,
                    (separator, false) => formatter.write_str(separator)?,
                    (separator, true) => {
                        formatter.write_str(separator.trim_end())?;
                        begin_line(formatter, depth)?;
                    }
                }
            }
            match visit {
                Visit::Leaf(leaf) => write!(formatter, "{}", Escaped(Shown(leaf)))?,
                Visit::Enter(container) => {
                    before.push((Separators::of(container), 0));
                    write!(formatter, "{}", Escaped(Shown(container)))?;
                }
                Visit::Name(name) => {
                    write!(formatter, "{}: ", Escaped(name))?;
                    named = true;
                }
                Visit::Leave(container) => {
                    if before.pop().is_some_and(|(_, count)| count > 0) && is_indented {
                        formatter.write_str(",")?;
                        begin_line(formatter, depth - 1)?;
                    }
                    formatter.write_str(if container.as_array().is_some() { "]" } else { "}" })?;
                }
            }
        }
        Ok(())
    }
}

fn begin_line(formatter: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    write!(formatter, "\n{:width$}", "", width = 4 * depth.min(INDENTED_LEVELS))
}

/// A value that contains no others, or the beginning of a container.
struct Shown<'v>(&'v Variant);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        open(self.0, formatter)
    }
}

fn open(container: &Variant, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match container {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            match array.element_type() {
                None => write!(formatter, "{}[", container.variant_type()),
                Some(element_type) => write!(formatter, "{}<{element_type}>[", container.variant_type()),
            }
        }
        Variant::Dictionary(dictionary) => match (dictionary.key_type(), dictionary.value_type()) {
            (None, None) => formatter.write_str("Dictionary{"),
            _ => show_types(dictionary, formatter).and_then(|()| formatter.write_str("{")),
        },
        Variant::Object(Object::Data(data)) => write!(formatter, "Object {}{{", data.class),
        leaf => show_leaf(leaf, formatter),
    }
}

fn show_types(dictionary: &Dictionary, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let name = |declared: Option<&ContainerType>| declared.map_or("Variant".into(), ToString::to_string);
    write!(formatter, "Dictionary<{}, {}>", name(dictionary.key_type()), name(dictionary.value_type()))
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

/// Shows the members, after the type of a typed array.
impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(element_type) = self.element_type() {
            write!(formatter, "Array<{element_type}>")?;
        }
        formatter.debug_list().entries(self.elements()).finish()
    }
}

/// Shows the entries, after the types of a typed dictionary.
impl fmt::Debug for Dictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key_type().is_some() || self.value_type().is_some() {
            show_types(self, formatter)?;
        }
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
