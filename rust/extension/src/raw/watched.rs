//! Lists of names whose changes are noticed without reading the names.

use godot::builtin::{Dictionary, GString, PackedStringArray, Variant};
use godot::meta::ToGodot;

use super::entries::Entries;
use super::interface::{STRING, STRINGS};
use super::view::{View, chars, elements, payload, type_of, view};

/// A list of names, and what was in it.
pub(crate) struct Watched {
    list: Variant,
    before: Vec<Entry>,
}

/// The engine copies text and packed arrays when they are changed while they are shared, so those that have the same place as
/// before are unchanged.
struct Entry {
    name: Place,
    names: Place,
    _shared: (GString, PackedStringArray),
}

/// The address and the number of elements. The address is 0 if there are none.
#[derive(PartialEq)]
struct Place(usize, usize);

// SAFETY: the engine counts the references atomically. Here the list is only read, as every thread may do while none changes it.
unsafe impl Send for Watched {}

impl Watched {
    pub(crate) fn new(list: &Dictionary<GString, PackedStringArray>) -> Self {
        let entry = |(name, names): (GString, PackedStringArray)| Entry {
            name: Place::of(chars(&name)),
            names: Place::of(names.as_slice()),
            _shared: (name, names),
        };
        Self { list: list.to_variant(), before: list.iter_shared().map(entry).collect() }
    }

    /// Returns whether the list has the same entries as before, in the same order.
    pub(crate) fn is_unchanged(&self) -> bool {
        let mut entries = Entries::of(&self.list);
        self.before.iter().all(|before| {
            entries.next().is_some_and(|(key, value)| {
                before.name == Place::of(text(key)) && before.names == Place::of(texts(value))
            })
        }) && entries.len() == 0
    }
}

/// Returns the characters of a key, or none if it is no String.
#[inline(always)]
fn text(key: &Variant) -> &[u32] {
    if type_of(key) != STRING {
        return &[];
    }
    // SAFETY: the payload of a String.
    chars(unsafe { &*payload::<GString>(key, STRING) })
}

/// Returns the elements of a PackedStringArray, or none if it is no such array.
#[inline(always)]
fn texts(value: &Variant) -> &[GString] {
    if type_of(value) == STRINGS {
        // SAFETY: the payload of a packed array of strings.
        if let Some(texts) = unsafe { elements(payload::<u8>(value, STRINGS)) } {
            return texts;
        }
    }
    match view(value) {
        View::Strings(texts) => texts,
        _ => &[],
    }
}

impl Place {
    fn of<T>(elements: &[T]) -> Self {
        Self(if elements.is_empty() { 0 } else { elements.as_ptr().addr() }, elements.len())
    }
}
