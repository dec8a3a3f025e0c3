//! Which properties of an object are written.

use std::collections::HashSet;
use std::sync::Arc;
use std::{iter, ptr};

use godot::builtin::{StringName, Variant};
use godot::classes::{ClassDb, Object, Resource, Script};
use godot::obj::{Gd, Singleton};

use super::by_engine::WriteObjects;
use super::native_objects::NativeClasses;
use super::object_kind::ObjectKind;
use crate::engine_profile;
use crate::policy::{AllowedObject, Listed, METADATA, Policy, listed};
use crate::raw::{self, Declared, WatchedScript};
use crate::scripts::SCRIPT;

/// The properties to write of an object, in the engine's order.
pub(super) struct Properties {
    pub(super) class: String,
    pub(super) list: Vec<Property>,
    /// What the policy allows of the object, if there is one.
    allowed: Option<AllowedObject>,
    /// Whether other values of the object would be refused.
    depends_on_values: bool,
}

#[derive(Clone)]
pub(super) struct Property {
    pub(super) name: StringName,
    /// The same name.
    pub(super) text: String,
}

impl Properties {
    /// Returns the properties of an object that lives, or the reason why the object is refused.
    pub(super) fn of(object: &Variant, objects: WriteObjects<'_>) -> Result<Arc<Self>, String> {
        match raw::live_object(object) {
            Some(object) => Self::of_object(&object, objects).map(Arc::new),
            None => Err("the object was freed while it was written".to_owned()),
        }
    }

    fn of_object(object: &Gd<Object>, objects: WriteObjects<'_>) -> Result<Self, String> {
        let class = object.get_class();
        if !ClassDb::singleton().can_instantiate(&StringName::from(&class)) {
            return Err(format!("class {class} cannot be instantiated, so the object could not be read again"));
        }
        let class = class.to_string();
        let script = object.get_script().map(|script| script.get_path().to_string());
        // Before the properties are listed, which runs `_get_property_list` of the script.
        let checked = match objects {
            WriteObjects::Allowed(policy) => Some(Checked::new(object, &class, script.as_deref(), policy)?),
            _ => None,
        };
        let mut all = listed(&object.get_property_list());
        all.retain(|property| property.is_stored() || property.is_property());
        let (mut list, mut depends_on_values) = (Vec::new(), false);
        for property in &all {
            let is_written =
                checked.as_ref().map_or(property.is_stored(), |checked| checked.is_written(property, &all));
            if is_written {
                list.push(Property { name: StringName::from(property.name.as_str()), text: property.name.clone() });
            } else if let Some(checked) = &checked {
                depends_on_values |= checked.omits_by_value(property)?;
            }
        }
        if let Some(checked) = &checked {
            checked.refuse_missing(&all)?;
        }
        let allowed = checked.map(|checked| checked.allowed);
        Ok(Self { class, list, allowed, depends_on_values })
    }

    /// Returns the properties of an object that has metadata of these names besides.
    fn with_metadata(self: &Arc<Self>, names: &[Variant]) -> Arc<Self> {
        let names = names.iter().map(|name| format!("{METADATA}{name}"));
        let names = names.filter(|text| self.allowed.as_ref().is_none_or(|allowed| allowed.property(text)));
        let mut metadata =
            names.map(|text| Property { name: StringName::from(text.as_str()), text }).collect::<Vec<_>>();
        if metadata.is_empty() {
            return self.clone();
        }
        let mut list = self.list.clone();
        list.append(&mut metadata);
        Arc::new(Self { class: self.class.clone(), list, allowed: None, depends_on_values: false })
    }
}

/// An object that a policy allows, and its properties.
struct Checked<'o> {
    object: &'o Gd<Object>,
    class: &'o str,
    script: Option<&'o str>,
    policy: &'o Policy,
    allowed: AllowedObject,
    has_own_list: bool,
}

impl<'o> Checked<'o> {
    fn new(
        object: &'o Gd<Object>,
        class: &'o str,
        script: Option<&'o str>,
        policy: &'o Policy,
    ) -> Result<Self, String> {
        let allowed = policy.object(class, script).map_err(|reason| reason + &file_of(object))?;
        let has_own_list = object.has_method("_get_property_list");
        Ok(Self { object, class, script, policy, allowed, has_own_list })
    }

    /// Returns whether a property is written: if the object stores it, which `_validate_property` can decide, or if the list of the script
    /// names it. A variable and an entry of `_get_property_list` can have one name: then the one that is stored is written.
    fn is_written(&self, property: &Listed, all: &[Listed]) -> bool {
        let Listed { name, .. } = property;
        let mut same = all.iter().filter(|other| other.name == *name);
        if name == SCRIPT && !same.clone().next().is_some_and(|first| ptr::eq(first, property)) {
            // One of `_get_property_list`. An object that is read has only one script.
            return false;
        }
        if !self.allowed.property(name) || property.is_stored() {
            return self.allowed.property(name);
        }
        self.allowed.is_of_script(name)
            && self.script.is_some_and(|script| self.policy.names(script, name))
            && same.clone().all(|other| !other.is_stored())
            && same.next().is_some_and(|first| ptr::eq(first, property))
    }

    /// Returns whether the value of a property decides that it may be left out, or an error if it may not be.
    fn omits_by_value(&self, property: &Listed) -> Result<bool, String> {
        let Self { object, class, policy, allowed, .. } = self;
        let name = &property.name;
        if !property.is_stored() || self.has_own_list || name.starts_with(METADATA) {
            return Ok(false);
        }
        let is_excluded = policy.excludes(class, allowed, name);
        if is_excluded && !has_default(object, class, name) || policy.misses(class, allowed, name) {
            return Err(format!(
                "property {name} is not allowed: \"*\" for {class} does not cover it: list it by name"
            ));
        }
        Ok(is_excluded)
    }

    /// Refuses the object if a list names a property that it does not have, or that another list would have to name.
    fn refuse_missing(&self, all: &[Listed]) -> Result<(), String> {
        let Self { class, allowed, .. } = self;
        let found: HashSet<&str> = all.iter().map(|property| property.name.as_str()).collect();
        // Which ones there are can differ from object to object: metadata, and what a script lists.
        let varies = |name: &str| name.contains('/') || self.has_own_list;
        for (owner, name) in self.policy.named(class, self.script) {
            if !found.contains(name) && !varies(name) {
                return Err(format!(
                    "property {name} is listed for {owner}, which does not have it: remove it, or list it next to \"*\" if only \
                     older bytes have it"
                ));
            }
            if !allowed.property(name) {
                let reason = match allowed.is_shared(name) {
                    true => format!("class {class} and the script both have it: list it for both"),
                    false => format!("is one of class {class}: list it there"),
                };
                return Err(format!("property {name} is listed for {owner}, but {reason}"));
            }
        }
        Ok(())
    }
}

/// Returns what to do instead with a refused object that is a file of the project. It would be written with all that it contains.
fn file_of(object: &Gd<Object>) -> String {
    let path =
        object.clone().try_cast::<Resource>().map(|resource| resource.get_path().to_string()).unwrap_or_default();
    match path.as_str() {
        "" => path,
        _ => format!(" (it is the file {path}: to load it again, store its path instead)"),
    }
}

/// Returns whether a property has the value of a new object.
fn has_default(object: &Gd<Object>, class: &str, name: &str) -> bool {
    let default = ClassDb::singleton().class_get_property_default_value(class, &StringName::from(name));
    object.get(&StringName::from(name)) == default
}

/// The properties of objects that were written before. The engine takes most of its time for an object to list them.
#[derive(Default)]
pub(super) struct KnownProperties {
    known: Vec<Known>,
    /// The place of the one that was found last.
    last: usize,
    /// The frame in which the packet is written.
    frame: u64,
    pub(super) native: NativeClasses,
}

struct Known {
    kind: ObjectKind,
    /// See [`WriteObjects::policy_id`].
    policy: u64,
    /// Without metadata; `None` if they can differ from object to object.
    properties: Option<Arc<Properties>>,
    /// The script and its base scripts.
    scripts: Vec<WatchedScript>,
    /// What the script declared, if there is one.
    declared: Option<Declared>,
    /// The last frame in which this was compared. To compare it for each packet would take too long.
    frame: u64,
}

impl KnownProperties {
    /// The most kinds that are kept.
    const MOST: usize = 64;

    /// Begins a packet.
    pub(super) fn begin_packet(&mut self) {
        self.frame = raw::frames();
        self.native.begin_packet();
    }

    /// Returns the properties of an object if, apart from metadata, its class and its script alone decide which ones it has and whether
    /// they are written.
    pub(super) fn of(&mut self, object: &Variant, objects: WriteObjects<'_>) -> Option<Arc<Properties>> {
        let metadata = self.look_up(object, objects)?;
        let known = &self.known[self.last];
        match raw::members(&metadata) {
            [] => known.properties.clone(),
            names => known.properties.as_ref().map(|properties| properties.with_metadata(names)),
        }
    }

    /// Returns whether [`of`](Self::of) returns properties.
    pub(super) fn knows(&mut self, object: &Variant, objects: WriteObjects<'_>) -> bool {
        self.look_up(object, objects).is_some() && self.known[self.last].properties.is_some()
    }

    /// Finds the kind of an object, and puts it at the last place. Returns an Array with the names of the object's metadata.
    fn look_up(&mut self, object: &Variant, objects: WriteObjects<'_>) -> Option<Variant> {
        let kind = ObjectKind::of(object)?;
        let metadata = raw::metadata_names(object)?;
        let policy = objects.policy_id();
        let is_it = |known: &Known| known.kind == kind && known.policy == policy;
        if !self.known.get(self.last).is_some_and(is_it) {
            self.last = self.known.iter().position(is_it).unwrap_or(self.known.len());
        }
        let frame = self.frame;
        if !self.known.get_mut(self.last).is_some_and(|known| known.is_current(object, frame)) {
            self.find(object, kind, objects)?;
        }
        Some(metadata)
    }

    /// Lists the properties of an object, and puts them at the last place.
    #[cold]
    fn find(&mut self, object: &Variant, kind: ObjectKind, objects: WriteObjects<'_>) -> Option<()> {
        // Objects of the editor have other properties while their script does not run.
        if engine_profile::is_editor() {
            return None;
        }
        let object = raw::live_object(object)?;
        let scripts: Vec<Gd<Script>> =
            iter::successors(object.get_script(), |script| script.get_base_script()).collect();
        // Before the list is read, so that a change meanwhile is noticed.
        let watched: Vec<WatchedScript> = scripts.iter().map(WatchedScript::new).collect();
        let declared = Declared::by_script_of(&object);
        if watched.iter().any(WatchedScript::has_source) && !WatchedScript::is_watching() {
            return None;
        }
        // Of other languages it is not known what decides.
        let is_fixed = scripts.iter().all(|script| script.get_class() == "GDScript")
            && !declared.as_ref().is_some_and(Declared::decides);
        let mut properties = None;
        if is_fixed {
            let mut listed = Properties::of_object(&object, objects).ok()?;
            listed.list.retain(|property| !property.text.starts_with(METADATA));
            properties = Some(listed).filter(|listed| !listed.depends_on_values).map(Arc::new);
        }
        if self.last >= Self::MOST {
            self.known.clear();
            self.last = 0;
        }
        let (policy, frame) = (objects.policy_id(), self.frame);
        let found = Known { kind, policy, properties, scripts: watched, declared, frame };
        match self.known.get_mut(self.last) {
            Some(known) => *known = found,
            None => self.known.push(found),
        }
        Some(())
    }
}

impl Known {
    /// Returns whether the scripts have not been loaded again: they could declare other properties. This is noticed at once if they
    /// have source code, and else in the next frame.
    fn is_current(&mut self, object: &Variant, frame: u64) -> bool {
        let has_same_source =
            |script: &WatchedScript| script.has_same_source() && (WatchedScript::is_watching() || !script.has_source());
        let is_current = self.scripts.iter().all(has_same_source)
            // A policy goes by the path.
            && (self.policy == 0 || self.scripts.first().is_none_or(WatchedScript::has_same_path))
            && (self.frame == frame || self.declares_the_same(object));
        if is_current {
            self.frame = frame;
        }
        is_current
    }

    #[cold]
    fn declares_the_same(&self, object: &Variant) -> bool {
        // Without known properties, each object lists its own.
        self.scripts.is_empty()
            || self.properties.is_none()
            || raw::live_object(object).is_some_and(|object| Declared::by_script_of(&object) == self.declared)
    }
}
