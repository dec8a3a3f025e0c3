//! Writes single values and the headers of containers.

use godot::builtin::{NodePath, StringName, Variant};
use godot::global::var_to_str;
use varbytes::variant::{ContainerType, Reals};
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, Profile, Step};

use crate::raw::{self, Name, View, chars, view};

/// Writes the header of an Array. The members follow.
pub(crate) fn begin_array<S: Sink>(
    writer: &mut Writer<'_, S>,
    array: &Variant,
    count: usize,
) -> Result<(), EncodeErrorKind> {
    let element_type = if raw::is_typed(array) { raw::member_type(array, false) } else { None };
    writer.begin_array(count, element_type.as_ref())
}

/// Writes the header of a Dictionary. The entries follow.
pub(crate) fn begin_dictionary<S: Sink>(
    writer: &mut Writer<'_, S>,
    dictionary: &Variant,
    count: usize,
) -> Result<(), EncodeErrorKind> {
    if !raw::is_typed(dictionary) {
        return writer.begin_dictionary(count, None, None);
    }
    let key_type = raw::member_type(dictionary, true);
    let value_type = raw::member_type(dictionary, false);
    writer.begin_dictionary(count, key_type.as_ref(), value_type.as_ref())
}

/// Returns the paths of the scripts that are the types of a container.
pub(super) fn scripts_of_types(container: &Variant) -> impl Iterator<Item = String> {
    let keys_and_values: &[bool] = match view(container) {
        View::Array if raw::is_typed(container) => &[false],
        View::Dictionary if raw::is_typed(container) => &[true, false],
        _ => &[],
    };
    keys_and_values.iter().filter_map(|keys| match raw::member_type(container, *keys) {
        Some(ContainerType::Script(path)) => Some(path),
        _ => None,
    })
}

/// Writes a value that is not an Array, Dictionary or object.
// The view is not copied: it was just written in small parts, so a copy causes a store-forwarding stall.
#[inline]
pub(crate) fn write_leaf<S: Sink>(
    writer: &mut Writer<'_, S>,
    value: &Variant,
    leaf: &View<'_>,
) -> Result<(), EncodeErrorKind> {
    match *leaf {
        View::Nil | View::Object | View::Array | View::Dictionary => writer.nil(),
        View::Bool(value) => writer.bool(value),
        View::Int(value) => writer.int(value),
        View::Float(value) => writer.float(value),
        View::String(chars) => writer.string_utf32(chars),
        View::StringName(ref name) => writer.string_name_utf32(chars(name.text())),
        View::Reals(variant_type, components) => writer.reals(variant_type, Reals::Single(components)),
        View::Integers(variant_type, components) => writer.integers(variant_type, components),
        View::Color(components) => writer.color(components),
        View::NodePath if raw::is_empty_path(value) => writer.node_path(false, &[""; 0], &[""; 0]),
        View::NodePath => node_path(writer, &value.to::<NodePath>()),
        View::Rid(id) => writer.rid(id),
        View::Callable => writer.callable(),
        View::Signal => {
            let (name, object_id) = raw::signal_parts(value);
            writer.signal_utf32(chars(name.text()), object_id)
        }
        View::Bytes(elements) => writer.packed_bytes(elements),
        View::Int32(elements) => writer.packed_int32(elements),
        View::Int64(elements) => writer.packed_int64(elements),
        View::Float32(elements) => writer.packed_float32(elements),
        View::Float64(elements) => writer.packed_float64(elements),
        View::Strings(elements) => writer.packed_strings_utf32(elements.iter().map(chars)),
        View::PackedReals(variant_type, components) => writer.packed_reals(variant_type, Reals::Single(components)),
    }
}

fn node_path<S: Sink>(writer: &mut Writer<'_, S>, path: &NodePath) -> Result<(), EncodeErrorKind> {
    fn chars_of<'t>(name: &'t Name<'_>) -> &'t [u32] {
        chars(name.text())
    }
    let count = path.get_name_count();
    let names = (0..count).map(|index| path.get_name(index));
    let names: Vec<StringName> =
        names.chain((0..path.get_subname_count()).map(|index| path.get_subname(index))).collect();
    let texts: Vec<Name<'_>> = names.iter().map(raw::name).collect();
    let (names, subnames) = texts.split_at(count);
    writer.node_path_utf32(path.is_absolute(), names.iter().map(chars_of), subnames.iter().map(chars_of))
}

/// Returns the step of a path to the value with this key.
pub(crate) fn key_step(index: usize, key: &Variant) -> Step {
    let text = match view(key) {
        View::Int(number) => Some(number.to_string()),
        View::String(text) => Some(quoted(text)),
        View::StringName(ref name) => Some(format!("&{}", quoted(chars(name.text())))),
        View::Bool(_) | View::Float(_) | View::Reals(..) | View::Integers(..) | View::Color(_) => {
            Some(raw::text_of(&var_to_str(key)))
        }
        _ => None,
    };
    Step::Value(index, text)
}

/// Returns text in quotes, cut after 40 characters, as the codec's paths show it.
fn quoted(text: &[u32]) -> String {
    const SHOWN: usize = 40;
    let shown = raw::lossy_text(&text[..text.len().min(SHOWN)]);
    let end = if text.len() > SHOWN { "…" } else { "" };
    format!("{shown:?}{end}")
}

// `view` has a case for each type.
const _: () = assert!(Profile::NEWEST.types().len() == 39);
