//! `Display`: the text of `var_to_str`, without recursion.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::float_text::{of_double, of_single};
use super::key_order::sorted;
use super::math::Reals;
use super::members::ContainerType;
use super::owned::{Object, Variant};
use super::view::View;
use super::walk::{Visit, Walk};
use crate::{VariantType, work};

/// The text of `var_to_str` in Godot 4.6, which `str_to_var` reads back. Dictionaries are shown in the order of their
/// keys, as there.
///
/// Most invisible characters are not escaped: use [`escape`](crate::escape) to show untrusted values. Types that Godot 4 does
/// not have are shown with their name in the same style.
///
/// ```
/// use varbytes::{variant, variant::Vector2};
///
/// assert_eq!(variant!([1, 2.0, "a\"b", Vector2::new(0.5, -1.0), null]).to_string(),
///     r#"[1, 2.0, "a\"b", Vector2(0.5, -1), null]"#);
/// assert_eq!(variant!({"hp": 7}).to_string(), "{\n\"hp\": 7\n}");
/// ```
impl fmt::Display for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The members so far of each open container; keys and values of a dictionary count separately.
        let mut open: Vec<(&Self, usize)> = Vec::new();
        let mut named = false;
        let sorted = sorted(self);
        for visit in Walk::new(sorted.as_ref().unwrap_or(self)) {
            work::add(1);
            if matches!(visit, Visit::Leaf(_) | Visit::Enter(_))
                && let Some((container, count)) = open.last_mut()
            {
                if !core::mem::take(&mut named) {
                    separate(container, *count, formatter)?;
                }
                *count += 1;
            }
            match visit {
                Visit::Leaf(leaf) => write_leaf(leaf, formatter)?,
                Visit::Enter(container) => {
                    begin(container, formatter)?;
                    open.push((container, 0));
                }
                Visit::Name(name) => {
                    formatter.write_str(",")?;
                    write_quoted(name, formatter)?;
                    formatter.write_str(":")?;
                    named = true;
                }
                Visit::Leave(container) => {
                    let count = open.pop().map_or(0, |(_, count)| count);
                    end(container, count, formatter)?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for super::Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Variant::Array(self.clone()).fmt(formatter)
    }
}

impl fmt::Display for super::Dictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Variant::Dictionary(self.clone()).fmt(formatter)
    }
}

fn separate(container: &Variant, count: usize, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str(match container {
        Variant::Dictionary(_) if count == 0 => "\n",
        Variant::Dictionary(_) if !count.is_multiple_of(2) => ": ",
        Variant::Dictionary(_) => ",\n",
        _ if count == 0 => "",
        _ => ", ",
    })
}

fn begin(container: &Variant, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match container {
        Variant::Object(Object::Data(data)) => write!(formatter, "Object({}", data.class),
        Variant::Dictionary(dictionary) => {
            if dictionary.key_type().is_some() || dictionary.value_type().is_some() {
                formatter.write_str("Dictionary[")?;
                write_type(dictionary.key_type(), formatter)?;
                formatter.write_str(", ")?;
                write_type(dictionary.value_type(), formatter)?;
                formatter.write_str("](")?;
            }
            formatter.write_str("{")
        }
        other => {
            if let Some(element_type) = other.as_array().and_then(|array| array.element_type()) {
                write!(formatter, "{}[", other.variant_type())?;
                write_type(Some(element_type), formatter)?;
                formatter.write_str("](")?;
            }
            formatter.write_str("[")
        }
    }
}

fn end(container: &Variant, count: usize, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let typed = match container {
        Variant::Object(_) => return formatter.write_str(")\n"),
        Variant::Dictionary(dictionary) => {
            formatter.write_str(if count > 0 { "\n}" } else { "}" })?;
            dictionary.key_type().is_some() || dictionary.value_type().is_some()
        }
        other => {
            formatter.write_str("]")?;
            other.as_array().is_some_and(|array| array.element_type().is_some())
        }
    };
    formatter.write_str(if typed { ")" } else { "" })
}

fn write_type(declared: Option<&ContainerType>, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match declared {
        None => formatter.write_str("Variant"),
        Some(ContainerType::Builtin(builtin)) => formatter.write_str(builtin.name()),
        Some(ContainerType::Class(name)) => formatter.write_str(name),
        Some(ContainerType::Script(path)) => {
            formatter.write_str("Resource(")?;
            write_quoted(path, formatter)?;
            formatter.write_str(")")
        }
        Some(ContainerType::Unknown(id)) => write!(formatter, "{id}"),
    }
}

/// Writes a character as the engine's `String.c_escape` does.
pub(crate) fn write_c_escaped(out: &mut impl Write, character: char) -> fmt::Result {
    let escaped = match character {
        '\x07' => 'a',
        '\x08' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\x0B' => 'v',
        '\x0C' => 'f',
        '\r' => 'r',
        '\'' | '"' | '\\' => character,
        other => return out.write_char(other),
    };
    out.write_char('\\')?;
    out.write_char(escaped)
}

/// Writes a name, a path or text of a packed array in quotes. Single quotes and control characters are escaped too.
fn write_escaped(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("\"")?;
    text.chars().try_for_each(|character| write_c_escaped(formatter, character))?;
    formatter.write_str("\"")
}

/// Writes text in quotes. Only quotes and backslashes are escaped.
fn write_quoted(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("\"")?;
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            formatter.write_str("\\")?;
        }
        formatter.write_char(character)?;
    }
    formatter.write_str("\"")
}

/// Writes a type with its numbers in parentheses.
fn write_list<T: fmt::Display>(
    name: VariantType,
    items: impl Iterator<Item = T>,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(formatter, "{name}(")?;
    for (index, item) in items.enumerate() {
        formatter.write_str(if index > 0 { ", " } else { "" })?;
        write!(formatter, "{item}")?;
    }
    formatter.write_str(")")
}

fn write_leaf(leaf: &Variant, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let name = leaf.variant_type();
    match leaf.view() {
        View::Nothing if name == VariantType::Nil => formatter.write_str("null"),
        View::Nothing => write!(formatter, "{name}()"),
        View::Bool(value) => write!(formatter, "{value}"),
        View::Int(value) => write!(formatter, "{value}"),
        View::Float(value) => {
            let text = of_double(value);
            let has_fraction = text.contains(['.', 'e', 'n']);
            write!(formatter, "{text}{}", if has_fraction { "" } else { ".0" })
        }
        View::Text(text) if name == VariantType::StringName => {
            formatter.write_str("&")?;
            write_escaped(text, formatter)
        }
        View::Text(text) => write_quoted(text, formatter),
        View::NodePath(path) => {
            formatter.write_str("NodePath(")?;
            write_escaped(&alloc::format!("{path}"), formatter)?;
            formatter.write_str(")")
        }
        View::Rid(0) => formatter.write_str("RID()"),
        View::Rid(id) => write!(formatter, "RID({})", id.cast_signed()),
        View::Object(Object::Null) => formatter.write_str("null"),
        View::Object(Object::Id(id)) => {
            writeln!(formatter, "Object(EncodedObjectAsID,\"object_id\":{},\"script\":null)", id.cast_signed())
        }
        View::Signal(_) => formatter.write_str("Signal()"),
        View::Reals(reals) | View::PackedReals(reals, _) => write_reals(name, reals, formatter),
        View::Integers(integers) => write_list(name, integers.as_slice().iter(), formatter),
        View::Color(color) => write_list(name, color.to_array().into_iter().map(of_single), formatter),
        View::PackedBytes(elements) => write_list(name, elements.iter(), formatter),
        View::PackedInt64s(elements) => write_list(name, elements.iter(), formatter),
        View::PackedIntegers(elements) => {
            let mut integers = Vec::new();
            elements.for_each(|element| integers.extend_from_slice(element));
            write_list(name, integers.into_iter(), formatter)
        }
        View::PackedColors(elements) => {
            write_list(name, elements.iter().flat_map(|color| color.to_array()).map(of_single), formatter)
        }
        View::PackedTexts(elements) => {
            write!(formatter, "{name}(")?;
            for (index, text) in elements.iter().enumerate() {
                formatter.write_str(if index > 0 { ", " } else { "" })?;
                write_escaped(text, formatter)?;
            }
            formatter.write_str(")")
        }
        // The walk enters containers.
        View::Object(Object::Data(_)) | View::Array(_) | View::Dictionary(_) => Ok(()),
        View::Image(_) | View::InputEvent(_) => write!(formatter, "{name}({leaf:?})"),
    }
}

fn write_reals(name: VariantType, reals: Reals<'_>, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match reals {
        Reals::Single(reals) => write_list(name, reals.iter().map(|real| of_single(*real)), formatter),
        Reals::Double(reals) => write_list(name, reals.iter().map(|real| of_double(*real)), formatter),
    }
}
