//! Lists of names and scripts whose changes are noticed, most of them without reading what was changed.

use godot::builtin::{Array, Dictionary, GString, PackedStringArray, VarDictionary, Variant};
use godot::classes::{Object, Script};
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};
use godot::sys;

use super::entries::Entries;
use super::interface::{STRING, STRINGS};
use super::scripts::{path_of, source_of};
use super::view::{chars, packed, payload, type_of};

/// A list of names, and what was in it.
pub(crate) struct Watched {
    list: Variant,
    before: Vec<Entry>,
}

/// The engine copies text and packed arrays when they are changed while they are shared, so those that have the same place as
/// before are unchanged.
struct Entry {
    name: usize,
    names: usize,
    _shared: (GString, PackedStringArray),
}

// SAFETY: the engine counts the references atomically. Here the list is only read, as every thread may do while none changes it.
unsafe impl Send for Watched {}

impl Watched {
    pub(crate) fn new(list: &Dictionary<GString, PackedStringArray>) -> Self {
        let entry = |(name, names): (GString, PackedStringArray)| Entry {
            name: address(chars(&name)),
            names: address(names.as_slice()),
            _shared: (name, names),
        };
        Self { list: list.to_variant(), before: list.iter_shared().map(entry).collect() }
    }

    /// Returns whether the list has the same entries as before, in the same order.
    pub(crate) fn is_unchanged(&self) -> bool {
        let mut entries = Entries::of(&self.list);
        self.before.iter().all(|before| {
            entries
                .next()
                .is_some_and(|(key, value)| before.name == address(text(key)) && before.names == address(texts(value)))
        }) && entries.len() == 0
    }
}

/// The source code and the path of a script, as they were. The source code changes when the editor or a game loads the script again.
pub(crate) struct WatchedScript {
    script: InstanceId,
    source: GString,
    path: GString,
}

// SAFETY: the engine counts the references to text atomically. Here the text is never read.
unsafe impl Send for WatchedScript {}

impl WatchedScript {
    pub(crate) fn new(script: &Gd<Script>) -> Self {
        Self { script: script.instance_id(), source: script.get_source_code(), path: script.get_path() }
    }

    /// Returns whether changes are noticed in this thread.
    pub(crate) fn is_watching() -> bool {
        sys::is_main_thread()
    }

    /// Returns whether the script has source code. In most exported games, none has.
    pub(crate) fn has_source(&self) -> bool {
        !self.source.is_empty()
    }

    /// Returns whether the script still has the same source code. In another thread than the main thread, which can load the script
    /// again meanwhile, returns true.
    pub(crate) fn has_same_source(&self) -> bool {
        !Self::is_watching() || source_of(self.script).is_some_and(|source| is_same(&source, &self.source))
    }

    /// Returns whether the script still has the same path.
    pub(crate) fn has_same_path(&self) -> bool {
        path_of(self.script).is_some_and(|path| is_same(&path, &self.path))
    }
}

/// What a script declares. It changes when the script is compiled again, which its source code does not always show: a compiled script
/// has none, and classes within other scripts have none of their own.
#[derive(PartialEq)]
pub(crate) struct Declared {
    script: InstanceId,
    path: GString,
    properties: Array<VarDictionary>,
    /// Whether it has methods that decide which properties an object has.
    decides: bool,
}

// SAFETY: the engine counts the references to text and arrays atomically. Here they are only read, and nothing else refers to them.
unsafe impl Send for Declared {}

impl Declared {
    /// Returns `None` for an object without a script.
    pub(crate) fn by_script_of(object: &Gd<Object>) -> Option<Self> {
        let decides = object.has_method("_get_property_list") || object.has_method("_validate_property");
        Some(Self { decides, ..Self::of_script(&object.get_script()?) })
    }

    /// Leaves the methods of objects out.
    pub(crate) fn of_script(script: &Gd<Script>) -> Self {
        let (id, path, properties) = (script.instance_id(), script.get_path(), script.get_script_property_list());
        Self { script: id, path, properties, decides: false }
    }

    /// Returns whether the script still has the same path and declares the same.
    pub(crate) fn is_current(&self) -> bool {
        Gd::try_from_instance_id(self.script).is_ok_and(|script| Self::of_script(&script) == *self)
    }

    /// Returns whether methods decide which properties an object has.
    pub(crate) const fn decides(&self) -> bool {
        self.decides
    }
}

/// Returns whether two texts are the same one, not only equal.
fn is_same(text: &GString, before: &GString) -> bool {
    address(chars(text)) == address(chars(before))
}

/// Returns the characters of a key, or none if it is not a String.
#[inline(always)]
fn text(key: &Variant) -> &[u32] {
    if type_of(key) != STRING {
        return &[];
    }
    // SAFETY: the payload of a String.
    chars(unsafe { &*payload::<GString>(key, STRING) })
}

/// Returns the elements of a PackedStringArray, or none if it is not one.
#[inline(always)]
fn texts(value: &Variant) -> &[GString] {
    if type_of(value) != STRINGS {
        return &[];
    }
    // SAFETY: a packed array of strings, and its access.
    unsafe { packed(value, STRINGS, sys::interface_fn!(packed_string_array_operator_index_const)) }
}

/// Returns the address of the elements, or 0 if there are none.
#[inline(always)]
fn address<T>(elements: &[T]) -> usize {
    if elements.is_empty() { 0 } else { elements.as_ptr().addr() }
}
