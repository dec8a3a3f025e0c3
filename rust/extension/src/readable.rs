//! Values as indented text.

use godot::builtin::{AnyArray, AnyDictionary, GString, PackedStringArray, Variant, VariantType};
use godot::classes::Script;
use godot::global::var_to_str;
use godot::obj::Gd;
use varbytes::variant::ContainerType;
use varbytes::{Limits, escape};

use crate::raw::{self, is_typed, live_object, member_type};

/// The members of a container, with their keys in a Dictionary.
type Members = Box<dyn ExactSizeIterator<Item = (Option<Variant>, Variant)>>;

/// A container that is being written.
struct Open {
    members: Members,
    is_first: bool,
    closing: String,
}

/// Containers with at most so many members are written in one line, if that has at most so many characters.
const SHORT: usize = 16;
const LINE: usize = 80;

/// Deeper levels are not indented further, so that the text is not much longer than the value.
const INDENTED: usize = 48;

/// The deepest nesting of keys in keys that is shown.
const KEYS: usize = 64;

/// Returns a value in the notation of scripts, with a line for each member.
pub(crate) fn to_text(value: &Variant) -> String {
    let mut text = String::new();
    // If containers are nested too deep, for example because one contains itself, the text ends there.
    let _ = write_all(value, 0, &mut text);
    text
}

/// The end of the whole text.
struct Ended;

/// Writes a value that is nested in `keys` keys.
fn write_all(value: &Variant, keys: usize, text: &mut String) -> Result<(), Ended> {
    let mut open = Vec::new();
    write(value, text, &mut open);
    while let Some(container) = open.last_mut() {
        match container.members.next() {
            Some((key, value)) => {
                text.push_str(if container.is_first { "\n" } else { ",\n" });
                container.is_first = false;
                indent(text, open.len());
                if let Some(key) = key {
                    write_key(&key, keys, text)?;
                    text.push_str(": ");
                }
                write(&value, text, &mut open);
                if open.len() > Limits::MAX_DEPTH {
                    text.push_str("\n… nested deeper than 1024 levels");
                    return Err(Ended);
                }
            }
            None => {
                let closed = open.pop();
                text.push('\n');
                indent(text, open.len());
                text.extend(closed.map(|container| container.closing));
            }
        }
    }
    Ok(())
}

fn indent(text: &mut String, levels: usize) {
    text.extend(std::iter::repeat_n('\t', levels.min(INDENTED)));
}

/// Writes a value, or the beginning of a container.
fn write(value: &Variant, text: &mut String, open: &mut Vec<Open>) {
    let Some((opening, closing, members)) = container(value) else { return text.push_str(&leaf(value)) };
    text.push_str(&opening);
    let is_short = members.len() <= SHORT;
    match is_short.then(|| in_one_line(value, LINE.saturating_sub(opening.len()))).flatten() {
        Some(line) => *text += &(line + &closing),
        None => open.push(Open { members, is_first: true, closing }),
    }
}

/// Returns how a container begins and ends, and its members.
fn container(value: &Variant) -> Option<(String, String, Members)> {
    match value.get_type() {
        VariantType::ARRAY => {
            let array: AnyArray = value.to();
            let (opening, closing) = brackets(value, "[]", || Variant::from(array.subarray_shallow(0..0, None)));
            Some((opening, closing, Box::new((0..array.len()).map(move |index| (None, array.at(index))))))
        }
        VariantType::DICTIONARY => {
            let dictionary: AnyDictionary = value.to();
            let (opening, closing) = brackets(value, "{}", || {
                let mut empty = dictionary.duplicate_shallow();
                empty.clear();
                Variant::from(empty)
            });
            let (keys, values) = (dictionary.keys_array(), dictionary.values_array());
            Some((
                opening,
                closing,
                Box::new((0..keys.len()).map(move |index| (Some(keys.at(index)), values.at(index)))),
            ))
        }
        _ => None,
    }
}

/// Returns the text before and after the members of a container, such as `Array[int]([` and `])`.
fn brackets(value: &Variant, pair: &str, empty: impl FnOnce() -> Variant) -> (String, String) {
    let whole = if !is_typed(value) {
        pair.to_owned()
    } else if let Some(typed) = typed_without_file(value) {
        format!("{typed}({pair})")
    } else {
        raw::text_of(&var_to_str(&empty()))
    };
    let middle = whole.rfind(pair).map_or(whole.len(), |start| start + 1);
    (whole[..middle].to_owned(), whole[middle..].to_owned())
}

/// Returns the type of a container of objects whose script has no file, such as an inner class. The engine prints errors for these,
/// and writes another type.
fn typed_without_file(value: &Variant) -> Option<String> {
    let (name, sides): (&str, &[(bool, &str)]) = match value.get_type() {
        VariantType::ARRAY => ("Array", &[(false, "get_typed_script")]),
        _ => ("Dictionary", &[(true, "get_typed_key_script"), (false, "get_typed_value_script")]),
    };
    let types: Vec<_> = sides.iter().map(|(keys, script)| (member_type(value, *keys), *script)).collect();
    if !types.iter().any(|(of, _)| matches!(of, Some(ContainerType::Script(path)) if path.is_empty())) {
        return None;
    }
    let names: Vec<String> = types
        .into_iter()
        .map(|(of, script)| match of {
            Some(ContainerType::Builtin(of)) => of.to_string(),
            Some(ContainerType::Class(class)) => class,
            Some(ContainerType::Script(path)) if path.is_empty() => name_of_script(&value.call(script, &[])),
            Some(ContainerType::Script(path)) => format!("Resource({})", literal(&path)),
            _ => "Variant".to_owned(),
        })
        .collect();
    Some(format!("{name}[{}]", names.join(", ")))
}

/// Returns the global name of a script, or the class that it extends.
fn name_of_script(script: &Variant) -> String {
    let Ok(script) = script.try_to::<Gd<Script>>() else { return "Object".to_owned() };
    let name = script.get_global_name();
    if name.is_empty() { script.get_instance_base_type().to_string() } else { name.to_string() }
}

/// Returns the members of a container in one line, if they are short.
fn in_one_line(value: &Variant, most: usize) -> Option<String> {
    let (_, _, members) = container(value)?;
    let mut line = String::new();
    for (key, value) in members {
        if key.as_ref().is_some_and(is_container) || is_container(&value) {
            return None;
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.extend(key.map(|key| leaf(&key) + ": "));
        line.push_str(&leaf(&value));
        if line.chars().count() > most {
            return None;
        }
    }
    Some(line)
}

fn is_container(value: &Variant) -> bool {
    matches!(value.get_type(), VariantType::ARRAY | VariantType::DICTIONARY)
}

/// Writes a key.
fn write_key(key: &Variant, keys: usize, text: &mut String) -> Result<(), Ended> {
    if !is_container(key) {
        text.push_str(&leaf(key));
        Ok(())
    } else if keys < KEYS {
        write_all(key, keys + 1, text)
    } else {
        text.push_str("\n… keys nested deeper than 64 levels");
        Err(Ended)
    }
}

/// Returns the text of a value that is not a container. The engine's text of names and paths cannot be read back if it has
/// control characters.
fn leaf(value: &Variant) -> String {
    let text = |text: &GString| literal(&raw::text_of(text));
    match value.get_type() {
        VariantType::STRING => text(&value.stringify()),
        VariantType::STRING_NAME => format!("&{}", text(&value.stringify())),
        VariantType::NODE_PATH => format!("NodePath({})", text(&value.stringify())),
        VariantType::PACKED_STRING_ARRAY => {
            let texts: PackedStringArray = value.to();
            let literals: Vec<String> = texts.as_slice().iter().map(text).collect();
            format!("PackedStringArray({})", literals.join(", "))
        }
        VariantType::OBJECT => live_object(value).map_or_else(
            || "null".to_owned(),
            |object| format!("<{}#{}>", object.get_class(), object.instance_id().to_i64()),
        ),
        _ => raw::text_of(&var_to_str(value)),
    }
}

/// Returns text in quotation marks, with invisible characters as escapes.
fn literal(text: &str) -> String {
    escape::json(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")))
}
