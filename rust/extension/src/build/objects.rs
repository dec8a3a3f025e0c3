//! Creates full objects as the engine's own decoder does.

use std::collections::{BTreeMap, HashMap};

use godot::builtin::{GString, StringName, Variant, VariantType};
use godot::classes::ClassDb;
use godot::meta::ToGodot;
use godot::obj::{InstanceId, Singleton};
use varbytes::DecodeErrorKind;

use super::own_types::with_types_of;
use crate::error::{short, type_name};
use crate::floods::PropertyTexts;
use crate::lookup_cache::LookupCache;
use crate::raw::{self, Kept, Taken};
use crate::scripts::{SCRIPT, inherits, load_script, refused};

/// The objects of one packet.
#[derive(Default)]
pub(crate) struct Objects {
    names: SharedNames,
    /// By their paths; `None` until the first.
    scripts: Option<HashMap<GString, Variant>>,
    /// Objects that are not reference-counted. They have to be freed if the packet is refused later.
    unowned: Vec<Variant>,
    /// Whether to note what scripts do not accept.
    notes_rejected: bool,
    /// The Strings of properties so far, unless they may collide.
    texts: Option<PropertyTexts>,
    rejected: Rejected,
}

/// What the scripts of objects did not accept, and how often. There is no line for the engine's own properties: whether they accept a
/// value is not known, because release builds do not check its type.
#[derive(Default)]
pub(crate) struct Rejected(Option<BTreeMap<RejectedKind, (Option<String>, u64)>>);

/// The script, the place of the property, and the number of the type.
type RejectedKind = (InstanceId, usize, i32);

impl Rejected {
    /// Returns one line each, or `None` if there is nothing.
    pub(crate) fn into_lines(self) -> Option<Vec<String>> {
        let all = self.0?.into_values().filter_map(|(line, count)| Some((line?, count)));
        let lines = all.map(|(line, count)| if count == 1 { line } else { format!("{line} ({count} times)") });
        let mut lines: Vec<String> = lines.collect();
        // The places of properties depend on earlier packets.
        lines.sort_unstable();
        Some(lines)
    }
}

/// A class that packets name.
struct Class {
    name: StringName,
    is_ref_counted: bool,
}

/// An object that is being filled.
pub(crate) struct ObjectFill {
    object: Variant,
}

impl ObjectFill {
    pub(crate) fn finish(self) -> Variant {
        self.object
    }
}

/// The classes and properties that packets have named so far.
struct SharedNames(Taken<Names>);

#[derive(Default)]
struct Names {
    classes: LookupCache<Class>,
    properties: LookupCache<StringName>,
}

impl Default for SharedNames {
    fn default() -> Self {
        static SHARED: Kept<Names> = Kept::new();
        Self(SHARED.take_or(Names::default))
    }
}

impl Drop for SharedNames {
    fn drop(&mut self) {
        /// Packets decide what they name. More than this is not kept.
        const MOST_BYTES: usize = 32 << 10;
        if self.0.classes.bytes() + self.0.properties.bytes() > MOST_BYTES {
            *self.0 = Names::default();
        }
    }
}

impl Objects {
    /// `hash_collisions` says whether names that collide are created, even many of them.
    pub(super) fn new(hash_collisions: bool) -> Self {
        Self { texts: (!hash_collisions).then(PropertyTexts::default), ..Self::default() }
    }

    /// Notes what scripts do not accept from now on.
    pub(super) const fn note_rejected(&mut self) {
        self.notes_rejected = true;
    }

    /// Creates an object under the same conditions as the engine.
    pub(crate) fn begin(&mut self, class: &str) -> Result<ObjectFill, DecodeErrorKind> {
        let class = self.names.0.classes.place_or(class, Class::find)?;
        self.begin_known(class)
    }

    /// Creates an object of a class that was named before, at its place.
    pub(super) fn begin_known(&mut self, class: usize) -> Result<ObjectFill, DecodeErrorKind> {
        let (class, known) = self.names.0.classes.at(class);
        let object = raw::instance_of(&known.name);
        if object.is_nil() {
            return Err(refused(format!("class {class} could not be instantiated")));
        }
        if !known.is_ref_counted {
            self.unowned.push(object.clone());
        }
        Ok(ObjectFill { object })
    }

    /// Sets a property. For the property `script`, `value` is the path of the script.
    pub(crate) fn set(&mut self, fill: &mut ObjectFill, name: &str, value: Variant) -> Result<(), DecodeErrorKind> {
        let name = self.names.0.properties.place_or(name, |name| Ok(StringName::from(name)))?;
        self.set_known(fill, name, value)
    }

    /// Sets a property that was named before, at its place.
    pub(super) fn set_known(
        &mut self,
        fill: &mut ObjectFill,
        property: usize,
        value: Variant,
    ) -> Result<(), DecodeErrorKind> {
        let is_script = self.property(property) == SCRIPT && !value.is_nil();
        let value = if is_script { self.script(value.try_to().unwrap_or_default())? } else { value };
        if let Some(texts) = &mut self.texts {
            texts.count(&value)?;
        }
        let (_, name) = self.names.0.properties.at(property);
        if !raw::set_property(&mut fill.object, name, &value) && self.notes_rejected {
            let own = raw::property(&fill.object, name);
            let converted = with_types_of(&own, &value);
            if !converted.is_some_and(|converted| raw::set_property(&mut fill.object, name, &converted)) {
                self.reject(fill, property, &value, own.get_type());
            }
        }
        Ok(())
    }

    #[cold]
    fn reject(&mut self, fill: &ObjectFill, property: usize, value: &Variant, own_type: VariantType) {
        let Some(script) = raw::script_of(&fill.object).object_id_unchecked() else { return };
        if value.is_nil() {
            return;
        }
        let (_, name) = self.names.0.properties.at(property);
        let line = || {
            let object = raw::live_object(&fill.object)?;
            let exists =
                object.get_property_list().iter_shared().any(|listed| listed.get("name") == Some(name.to_variant()));
            let what = if exists { "" } else { " does not exist, and _set" };
            let why = if own_type == value.get_type() { ", whose members do not fit" } else { "" };
            let class = object.get_class();
            let getter = ClassDb::singleton().class_get_property_getter(&StringName::from(&class), name);
            let path = raw::path_of_script(&fill.object)?.to_string();
            let (name, path, found) = (name.to_string(), short(&path), type_name(value));
            getter.is_empty().then(|| {
                format!("property {} of {path}{what} did not accept a value of type {found}{why}", short(&name))
            })
        };
        let kinds = self.rejected.0.get_or_insert_default();
        kinds.entry((script, property, value.get_type().ord)).or_insert_with(|| (line(), 0)).1 += 1;
    }

    /// Returns what objects did not accept so far, and forgets it.
    pub(super) fn take_rejected(&mut self) -> Rejected {
        std::mem::take(&mut self.rejected)
    }

    /// Returns the place of a class, if it was named before.
    pub(super) fn class_place(&mut self, class: &[u8]) -> Option<usize> {
        self.names.0.classes.place(class)
    }

    /// Returns the place of a property, if it was named before.
    pub(super) fn property_place(&mut self, property: &[u8]) -> Option<usize> {
        self.names.0.properties.place(property)
    }

    /// Returns the class at a place.
    pub(super) fn class(&self, place: usize) -> &str {
        self.names.0.classes.at(place).0
    }

    /// Returns the property at a place.
    pub(super) fn property(&self, place: usize) -> &str {
        self.names.0.properties.at(place).0
    }

    fn script(&mut self, path: GString) -> Result<Variant, DecodeErrorKind> {
        let scripts = self.scripts.get_or_insert_default();
        if let Some(known) = scripts.get(&path) {
            return Ok(known.clone());
        }
        let script = load_script(&path)?;
        scripts.insert(path, script.clone());
        Ok(script)
    }

    /// Frees the objects that nothing else would free. Called when the packet is refused.
    pub(crate) fn free(&mut self) {
        for object in self.unowned.drain(..) {
            if let Some(object) = raw::live_object(&object) {
                object.free();
            }
        }
    }
}

impl Class {
    fn find(class: &str) -> Result<Self, DecodeErrorKind> {
        let class_db = ClassDb::singleton();
        let name = StringName::from(class);
        if !class_db.can_instantiate(&name) {
            return Err(refused(format!("class {class} does not exist or cannot be instantiated")));
        }
        let is_ref_counted = inherits(class, "RefCounted");
        Ok(Self { name, is_ref_counted })
    }
}
