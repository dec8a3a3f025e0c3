//! Converts any value to text, including containers and packed arrays with their contents.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::text::text_of_simple;
use super::{EngineBuild, node_path};
use crate::variant::{Separators, Visit, Walk, write_c_escaped};
use crate::{Variant, work};

/// Levels of containers that are shown, including the outermost. The contents of deeper ones are replaced by `...`; the
/// engine also reports an error and continues.
const SHOWN_DEPTH: usize = 101;

/// Text inside a container is escaped, which doubles each backslash, and the result can be converted and escaped again:
/// a small packet could produce text that doubles at every level. Refusing this many backslashes in a row stops that
/// after five levels.
const REFUSED_BACKSLASHES: usize = 16;

/// Returns the text of a value; `None` if it is not known exactly or refused.
pub(crate) fn text_of(value: &Variant, build: EngineBuild) -> Option<String> {
    let mut text = String::new();
    write_value(&mut text, value, build).ok()?;
    Some(text)
}

/// Returns the total length of the values as text, without building the text.
pub(super) fn length_of_texts(values: &[Variant], build: EngineBuild) -> Option<usize> {
    let mut length = Length(0);
    values.iter().try_for_each(|value| write_value(&mut length, value, build)).ok()?;
    Some(length.0)
}

struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn write_value(out: &mut impl Write, value: &Variant, build: EngineBuild) -> fmt::Result {
    let mut open: Vec<Separators> = Vec::new();
    let mut walk = Walk::new(value);
    while let Some(visit) = walk.next() {
        work::add(1);
        if !matches!(visit, Visit::Leave(_))
            && let Some(container) = open.last_mut()
        {
            out.write_str(container.next())?;
        }
        match visit {
            // Text is quoted only inside a container.
            Visit::Leaf(leaf) if open.is_empty() => write_leaf(out, leaf, build)?,
            Visit::Leaf(leaf) => write_member(out, leaf, build)?,
            Visit::Enter(container) => {
                let is_dictionary = match container {
                    Variant::Array(_) => false,
                    Variant::Dictionary(_) => true,
                    // The text of an object contains its id, which differs in every run.
                    _ => return Err(fmt::Error),
                };
                if walk.depth() > SHOWN_DEPTH {
                    out.write_str(if is_dictionary { "{ ... }" } else { "[...]" })?;
                    walk.pass_over();
                } else {
                    out.write_str(if is_dictionary { "{ " } else { "[" })?;
                    open.push(Separators::of(container));
                }
            }
            Visit::Name(_) => return Err(fmt::Error),
            Visit::Leave(container) => {
                open.pop();
                out.write_str(if matches!(container, Variant::Dictionary(_)) { " }" } else { "]" })?;
            }
        }
    }
    Ok(())
}

fn write_member(out: &mut impl Write, leaf: &Variant, build: EngineBuild) -> fmt::Result {
    match leaf {
        Variant::String(string) => write_quoted(out, string),
        Variant::StringName(name) => {
            out.write_char('&')?;
            write_quoted(out, name)
        }
        Variant::NodePath(path) => {
            out.write_char('^')?;
            write_quoted(out, &node_path::to_text(path))
        }
        other => write_leaf(out, other, build),
    }
}

/// `String.c_escape` of the engine, with quotes.
fn write_quoted(out: &mut impl Write, string: &str) -> fmt::Result {
    work::add_bytes(string.len());
    let mut backslashes = 0;
    out.write_char('"')?;
    for character in string.chars() {
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
        if backslashes == REFUSED_BACKSLASHES {
            return Err(fmt::Error);
        }
        write_c_escaped(out, character)?;
    }
    out.write_char('"')
}

/// Writes the text of a value that is not a container. Elements of packed arrays are shown like the members of an
/// `Array`, at any depth.
fn write_leaf(out: &mut impl Write, leaf: &Variant, build: EngineBuild) -> fmt::Result {
    work::add_bytes_of(|| leaf.content_size());
    if let Some(elements) = leaf.packed_elements().filter(|_| leaf.variant_type().is_packed_in_godot_4()) {
        out.write_char('[')?;
        for (index, element) in elements.enumerate() {
            out.write_str(if index > 0 { ", " } else { "" })?;
            write_member(out, &element, build)?;
        }
        return out.write_char(']');
    }
    match leaf.as_text() {
        Some(text) => out.write_str(text.as_str()),
        None => out.write_str(&text_of_simple(leaf, build).ok_or(fmt::Error)?),
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::{format, vec};

    use super::*;
    use crate::VariantType;
    use crate::coerce::convert;
    use crate::variant::{Array, Color, ContainerType, Dictionary, Object, ObjectData};

    fn shown(value: impl Into<Variant>) -> String {
        text_of(&value.into(), EngineBuild::default()).unwrap()
    }

    fn array(members: impl Into<Vec<Variant>>) -> Variant {
        Variant::from(members.into())
    }

    fn dictionary(key: impl Into<Variant>, value: impl Into<Variant>) -> Variant {
        Variant::from(vec![(key.into(), value.into())])
    }

    /// Returns `innermost` nested in this many containers.
    fn nested(innermost: Variant, levels: usize, wrap: impl Fn(Variant) -> Variant) -> Variant {
        (0..levels).fold(innermost, |value, _| wrap(value))
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn arrays_have_brackets_and_dictionaries_braces_with_spaces() {
        assert_eq!(shown(array([1.into(), 2.0.into(), array([])])), "[1, 2.0, []]");
        let entries = vec![(1.into(), 2.into()), (array([3.into()]), dictionary((), true))];
        assert_eq!(shown(entries), "{ 1: 2, [3]: { <null>: true } }");
    }

    #[test]
    fn an_empty_dictionary_has_both_spaces() {
        assert_eq!(shown(Dictionary::new()), "{  }");
    }

    #[test]
    fn the_type_of_a_container_is_not_shown() {
        let integers = Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into()]);
        assert_eq!(shown(integers), "[1]");
    }

    #[test]
    fn text_is_quoted_only_inside_containers() {
        let path = node_path::parse("a\":b");
        let members = ["a".into(), Variant::StringName("b".into()), Variant::from(path.clone())];
        assert_eq!(shown(array(members)), r#"["a", &"b", ^"a\":b"]"#);
        assert_eq!(shown(dictionary("a", Variant::StringName("".into()))), r#"{ "a": &"" }"#);
        assert_eq!(shown("a"), "a");
        assert_eq!(shown(Variant::StringName("a\"b".into())), "a\"b");
        assert_eq!(shown(path), "a\":b");
    }

    #[test]
    fn quotes_backslashes_and_seven_control_characters_are_escaped() {
        assert_eq!(shown(array(["\x07\x08\t\n\x0B\x0C\r\"'\\".into()])), r#"["\a\b\t\n\v\f\r\"\'\\"]"#);
        assert_eq!(shown(array(["\x01\x1B\x7F\u{9F}é😀/".into()])), "[\"\x01\x1B\x7F\u{9F}é😀/\"]");
    }

    #[test]
    fn elements_of_packed_arrays_are_shown_as_members() {
        assert_eq!(shown(Vec::<u8>::new()), "[]");
        assert_eq!(shown(vec![1_u8, 255]), "[1, 255]");
        assert_eq!(shown(vec![-1_i32]), "[-1]");
        assert_eq!(shown(vec![i64::MIN]), "[-9223372036854775808]");
        assert_eq!(shown(vec!["a'".to_owned(), "b".to_owned()]), r#"["a\'", "b"]"#);
        assert_eq!(shown(vec![Color::from([1.0, 0.1, 2.0, -0.0])]), "[(1.0, 0.1, 2.0, -0.0)]");
    }

    #[test]
    fn numbers_of_a_packed_array_are_shown_at_double_precision_and_vectors_are_not() {
        assert_eq!(shown(vec![0.1_f32, 1.0, -0.0, f32::NAN]), "[0.10000000149012, 1.0, 0.0, nan]");
        assert_eq!(shown(vec![0.1_f64]), "[0.1]");
        assert_eq!(
            shown(Variant::PackedVector2Array(vec![[1.0_f32, 0.1], [0.0; 2]].into())),
            "[(1.0, 0.1), (0.0, 0.0)]"
        );
        assert_eq!(shown(Variant::PackedVector4Array(vec![[0.1_f32; 4]].into())), "[(0.1, 0.1, 0.1, 0.1)]");
    }

    #[test]
    fn the_102nd_array_has_dots_for_its_members() {
        let wrap = |value| array([value]);
        let text = format!("{}1{}", "[".repeat(101), "]".repeat(101));
        assert_eq!(shown(nested(1.into(), 101, wrap)), text);
        let text = format!("{}[...]{}", "[".repeat(101), "]".repeat(101));
        assert_eq!(shown(nested(array([]), 101, wrap)), text);
        assert_eq!(shown(nested(1.into(), 1024, wrap)), text);
    }

    #[test]
    fn the_102nd_dictionary_has_dots_for_its_entries() {
        let wrap = |value| dictionary(0, value);
        let text = format!("{}{{ ... }}{}", "{ 0: ".repeat(101), " }".repeat(101));
        assert_eq!(shown(nested(Dictionary::new().into(), 101, wrap)), text);
        assert_eq!(shown(nested(1.into(), 1024, wrap)), text);
    }

    #[test]
    fn keys_count_to_the_depth_and_members_next_to_them_are_shown() {
        let wrap = |value| Variant::from(vec![(value, 1.into()), (2.into(), 3.into())]);
        let text = format!("{}[...]{}", "{ ".repeat(101), ": 1, 2: 3 }".repeat(101));
        assert_eq!(shown(nested(array([]), 101, wrap)), text);
    }

    #[test]
    fn a_packed_array_is_shown_at_any_depth() {
        let text = format!("{}[7]{}", "[".repeat(101), "]".repeat(101));
        assert_eq!(shown(nested(vec![7_u8].into(), 101, |value| array([value]))), text);
    }

    #[test]
    fn a_container_of_an_object_is_not_known_unless_the_object_is_too_deep() {
        let of_id = Variant::from(Object::Id(1));
        assert_eq!(text_of(&dictionary(1, of_id.clone()), EngineBuild::default()), None);
        assert_eq!(text_of(&array([ObjectData::default().into()]), EngineBuild::default()), None);
        assert!(text_of(&nested(of_id, 102, |value| array([value])), EngineBuild::default()).is_some());
    }

    // Expected values: this crate's own bound. The engine shows such text, too.

    #[test]
    fn many_backslashes_in_a_row_are_refused() {
        let text = |backslashes: usize| array(["\\".repeat(backslashes).into()]);
        assert_eq!(shown(text(15)), format!("[\"{}\"]", "\\".repeat(30)));
        assert_eq!(text_of(&text(16), EngineBuild::default()), None);
    }

    #[test]
    fn repeated_escaping_stops_before_the_text_is_large() {
        let mut value = Variant::from(vec!["\"".to_owned()]);
        let mut levels = 0;
        while let Ok(converted) = convert(array([value]), VariantType::PackedStringArray, EngineBuild::default()) {
            value = converted;
            levels += 1;
        }
        assert_eq!(levels, 5);
    }
}
