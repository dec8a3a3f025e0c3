//! The lists of allowed classes and scripts, converted from what a script assigns.

use std::collections::HashMap;

use godot::builtin::{
    AnyArray, AnyDictionary, Dictionary, GString, PackedStringArray, StringName, Variant, VariantType,
};
use godot::classes::Engine;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::obj::Singleton;
use godot::register::property::{Export, SimpleVar};

use crate::error::type_name;
use crate::policy::refuse_never_allowed;
use crate::raw::Watched;
use crate::scripts::PROJECT;

/// A list in the options. To scripts it is a `Dictionary[String, PackedStringArray]` that accepts any Dictionary of names
/// and lists of names.
#[derive(Clone, Debug, Default)]
pub struct AllowedList {
    list: Dictionary<GString, PackedStringArray>,
    /// What is wrong with the Dictionary that a script assigned. The setter prints it: the bindings would name a Rust file.
    wrong: Option<String>,
}

impl AllowedList {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns each name with its properties.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        self.list.iter_shared().map(|(name, properties)| {
            (name.to_string(), properties.as_slice().iter().map(ToString::to_string).collect())
        })
    }

    /// Returns each script with its properties. Scripts can be added in place, past the setter, by their unique ids too.
    pub(crate) fn scripts(&self) -> HashMap<String, Vec<String>> {
        let mut scripts = HashMap::<_, Vec<_>>::new();
        for (name, properties) in self.pairs() {
            let path = path_of(&GString::from(&name)).map_or(name, |path| path.to_string());
            scripts.entry(path).or_default().extend(properties);
        }
        scripts
    }

    /// Returns the list as one whose changes are noticed.
    pub(crate) fn watched(&self) -> Watched {
        Watched::new(&self.list)
    }

    /// Returns the list, or what is wrong with what a script assigned.
    pub(crate) fn of_classes(self) -> Result<Self, String> {
        let list = self.checked(r#"{"Resource": ["resource_name"]}"#)?;
        for (name, _) in list.pairs() {
            if name.is_empty() || name.contains('/') {
                return Err(format!(
                    "must have names of classes as keys, but one of its keys is \"{name}\" (scripts are listed in allowed_scripts)"
                ));
            }
            refuse_never_allowed(&name).map_err(|reason| format!("cannot list what is never allowed: {reason}"))?;
        }
        Ok(list)
    }

    fn checked(self, example: &str) -> Result<Self, String> {
        match self.wrong {
            None => Ok(self),
            Some(wrong) => Err(format!("must be a Dictionary[String, PackedStringArray] like {example}, but {wrong}")),
        }
    }

    /// Returns the list as [`of_classes`](Self::of_classes) does, if its names are paths of files of the project, or their unique ids,
    /// which are replaced by the paths.
    pub(crate) fn of_files(self) -> Result<Self, String> {
        let Self { list, .. } = self.checked(r#"{"res://item.gd": ["title"]}"#)?;
        let mut of_paths = Dictionary::new();
        for (name, properties) in list.iter_shared() {
            let path = path_of(&name).ok_or_else(|| {
                format!(
                    "must have paths that begin with {PROJECT}, or unique ids of files of the project, as keys, but one of its keys \
                     is \"{name}\""
                )
            })?;
            // A file can be listed by its path and by its id.
            let mut all: PackedStringArray = of_paths.get(&path).unwrap_or_default();
            all.extend_array(&properties);
            of_paths.set(&path, &all);
        }
        Ok(Self { list: of_paths, wrong: None })
    }

    fn from_script(value: &AnyDictionary) -> Result<Dictionary<GString, PackedStringArray>, String> {
        let mut list = Dictionary::new();
        for (key, value) in value.iter_shared() {
            let name = text(&key).ok_or_else(|| format!("one of its keys is {}", shown(&key)))?;
            let properties = names(&value).map_err(|wrong| format!("the list of \"{name}\" {wrong}"))?;
            list.set(&name, &properties);
        }
        Ok(list)
    }
}

impl GodotConvert for AllowedList {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<GString, PackedStringArray>::godot_shape()
    }
}

impl ToGodot for AllowedList {
    type Pass = ByValue;

    fn to_godot(&self) -> AnyDictionary {
        self.list.clone().upcast_any_dictionary()
    }
}

impl FromGodot for AllowedList {
    fn try_from_godot(value: AnyDictionary) -> Result<Self, ConvertError> {
        let (list, wrong) = match Self::from_script(&value) {
            Ok(list) => (list, None),
            Err(wrong) => (Dictionary::new(), Some(wrong)),
        };
        Ok(Self { list, wrong })
    }
}

impl SimpleVar for AllowedList {}

impl Export for AllowedList {}

fn names(value: &Variant) -> Result<PackedStringArray, String> {
    // Checked first: the engine would convert other types to an empty list.
    match value.get_type() {
        VariantType::PACKED_STRING_ARRAY => Ok(value.to()),
        VariantType::ARRAY => value
            .to::<AnyArray>()
            .iter_shared()
            .map(|member| text(&member).ok_or_else(|| format!("contains {}", shown(&member))))
            .collect(),
        _ => Err(format!("is {}", shown(value))),
    }
}

fn text(value: &Variant) -> Option<GString> {
    match value.get_type() {
        VariantType::STRING => value.try_to().ok(),
        VariantType::STRING_NAME => value.try_to::<StringName>().ok().map(|name| GString::from(&name)),
        _ => None,
    }
}

/// Returns the path of a file of the project by its path or its unique id.
fn path_of(name: &GString) -> Option<GString> {
    /// The engine's number for an id that is not valid.
    const INVALID: i64 = -1;
    if name.begins_with(PROJECT) {
        return Some(name.simplify_path());
    }
    if !name.begins_with("uid://") {
        return None;
    }
    let mut ids = Engine::singleton().get_singleton("ResourceUID")?;
    let id = ids.call("text_to_id", &[name.to_variant()]);
    let is_known = id != INVALID.to_variant() && ids.call("has_id", std::slice::from_ref(&id)).booleanize();
    is_known.then(|| ids.call("get_id_path", &[id]).to())
}

/// Returns the type of a value by its name in scripts.
fn shown(value: &Variant) -> String {
    if value.is_nil() {
        return "null".to_owned();
    }
    format!("a value of type {}", type_name(value))
}
