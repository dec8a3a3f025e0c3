//! Writes values with full objects. Getters of scripts run meanwhile and can change the value, so nothing is borrowed while
//! they run: each member is fetched when it is written.

use std::collections::{HashSet, VecDeque};

use godot::builtin::{GString, StringName, VarDictionary, Variant};
use godot::classes::{ClassDb, Object};
use godot::meta::ToGodot;
use godot::obj::{EngineBitfield, Gd, Singleton};
use godot::register::info::PropertyUsageFlags;
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, Limits, Path, Step};

use super::by_engine::{ByEngine, WriteObjects};
use super::leaf::{begin_array, begin_dictionary, key_step, write_leaf};
use crate::error::VarBytesError;
use crate::raw::{self, View, view};
use crate::scripts::{PROJECT, SCRIPT};

/// A container or object whose members are being written.
struct Open {
    /// The container or object itself.
    holder: Variant,
    count: usize,
    next: usize,
    kind: Kind,
}

enum Kind {
    Array,
    /// Keys and values in turn, as they were when the header of the Dictionary was written.
    Dictionary(Vec<Variant>),
    /// The properties that have not been written yet.
    Object {
        left: VecDeque<StringName>,
        name: StringName,
    },
}

/// Writes a value, with objects by the engine as long as it accepts them. Returns whether it has objects.
pub(super) fn write<S: Sink>(
    value: &Variant,
    writer: &mut Writer<'_, S>,
    objects: WriteObjects<'_>,
    mut engine: ByEngine<'_>,
) -> Result<bool, VarBytesError> {
    let mut open = Vec::new();
    write_value(writer, value, &mut open, objects, &mut engine)?;
    while let Some(depth) = open.len().checked_sub(1) {
        let innermost = &mut open[depth];
        innermost.write_by_engine(writer, depth, &mut engine);
        match innermost.next_member(writer) {
            Ok(None) => drop(open.pop()),
            Ok(Some(member)) => write_value(writer, &member, &mut open, objects, &mut engine)?,
            Err(kind) => return Err(VarBytesError::from_encode(&kind, &path(&open))),
        }
    }
    Ok(engine.had_objects())
}

impl Open {
    /// Lets the engine write the next members of an Array as long as they are objects.
    fn write_by_engine<S: Sink>(&mut self, writer: &mut Writer<'_, S>, depth: usize, engine: &mut ByEngine<'_>) {
        while matches!(self.kind, Kind::Array) {
            let members = raw::members(&self.holder);
            let left = members.get(self.next..self.count.min(members.len())).unwrap_or_default();
            match engine.members(left, depth, |bytes| writer.encoded(bytes)) {
                0 => return,
                written => self.next += written,
            }
        }
    }

    /// Returns the next member, after writing its name if it is a property.
    fn next_member<S: Sink>(&mut self, writer: &mut Writer<'_, S>) -> Result<Option<Variant>, EncodeErrorKind> {
        let at = self.next;
        if at == self.count {
            return Ok(None);
        }
        self.next += 1;
        match &mut self.kind {
            // A getter may have shortened the array; the engine would read past its end.
            Kind::Array => Ok(Some(raw::members(&self.holder).get(at).cloned().unwrap_or_default())),
            Kind::Dictionary(parts) => Ok(parts.get(at).cloned()),
            Kind::Object { left, name } => {
                *name = left.pop_front().unwrap_or_default();
                writer.property_name(&name.to_string())?;
                let Some(object) = raw::live_object(&self.holder) else { return Ok(Some(Variant::nil())) };
                if *name == SCRIPT { script_path(&object).map(Some) } else { Ok(Some(object.get(&*name))) }
            }
        }
    }
}

/// Returns what is written for the script of an object: its path, or null if it has no script.
fn script_path(object: &Gd<Object>) -> Result<Variant, EncodeErrorKind> {
    let Some(script) = object.get_script() else { return Ok(Variant::nil()) };
    let path = script.get_path();
    if path.begins_with(PROJECT) {
        return Ok(path.to_variant());
    }
    Err(EncodeErrorKind::InvalidScriptPath { path: path.to_string() })
}

fn write_value<S: Sink>(
    writer: &mut Writer<'_, S>,
    value: &Variant,
    open: &mut Vec<Open>,
    objects: WriteObjects<'_>,
    engine: &mut ByEngine<'_>,
) -> Result<(), VarBytesError> {
    let failed = |kind: EncodeErrorKind, open: &[Open]| VarBytesError::from_encode(&kind, &path(open));
    if open.len() > Limits::MAX_DEPTH {
        return Err(failed(EncodeErrorKind::DepthLimit { limit: Limits::MAX_DEPTH }, open));
    }
    let leaf = view(value);
    let (count, kind) = match leaf {
        View::Array => {
            let count = raw::members(value).len();
            begin_array(writer, value, count).map_err(|kind| failed(kind, open))?;
            (count, Kind::Array)
        }
        View::Dictionary if write_flat(writer, value, open)? => return Ok(()),
        View::Dictionary => {
            let mut entries = raw::Entries::of(value);
            let mut parts = Vec::with_capacity(2 * entries.len());
            while let Some((key, value)) = entries.next() {
                parts.extend([key.clone(), value.clone()]);
            }
            begin_dictionary(writer, value, parts.len() / 2).map_err(|kind| failed(kind, open))?;
            (parts.len(), Kind::Dictionary(parts))
        }
        View::Object if let Some(bytes) = engine.object(value, open.len()) => {
            writer.encoded(bytes.as_slice());
            return Ok(());
        }
        View::Object => match raw::live_object(value) {
            None => return writer.null_object().map_err(|kind| failed(kind, open)),
            Some(object) => {
                let left =
                    properties(&object, objects).map_err(|reason| VarBytesError::refused(reason, &path(open)))?;
                let class = object.get_class().to_string();
                writer.begin_object(&class, left.len()).map_err(|kind| failed(kind, open))?;
                (left.len(), Kind::Object { left, name: StringName::default() })
            }
        },
        _ => return write_leaf(writer, value, &leaf).map_err(|kind| failed(kind, open)),
    };
    open.push(Open { holder: value.clone(), count, next: 0, kind });
    Ok(())
}

/// Fast path: writes a Dictionary without objects and containers. No script runs meanwhile, so its keys and values are not
/// copied. Returns false, with nothing written, for any other Dictionary.
fn write_flat<S: Sink>(writer: &mut Writer<'_, S>, dictionary: &Variant, open: &[Open]) -> Result<bool, VarBytesError> {
    let is_leaf = |part: &Variant| !matches!(view(part), View::Array | View::Dictionary | View::Object);
    let mut entries = raw::Entries::of(dictionary);
    let count = entries.len();
    // At the deepest level the slow path reports the error.
    if open.len() == Limits::MAX_DEPTH {
        return Ok(false);
    }
    while let Some((key, value)) = entries.next() {
        if !is_leaf(key) || !is_leaf(value) {
            return Ok(false);
        }
    }
    begin_dictionary(writer, dictionary, count).map_err(|kind| VarBytesError::from_encode(&kind, &path(open)))?;
    let mut entries = raw::Entries::of(dictionary);
    let mut index = 0;
    while let Some((key, value)) = entries.next() {
        let within = |step| steps(open).chain([step]).collect::<Path>();
        write_leaf(writer, key, &view(key))
            .map_err(|kind| VarBytesError::from_encode(&kind, &within(Step::Key(index))))?;
        write_leaf(writer, value, &view(value))
            .map_err(|kind| VarBytesError::from_encode(&kind, &within(key_step(index, key))))?;
        index += 1;
    }
    Ok(true)
}

/// Returns the properties to write, in the engine's order, or the reason why the object is refused.
fn properties(object: &Gd<Object>, objects: WriteObjects<'_>) -> Result<VecDeque<StringName>, String> {
    let class = object.get_class();
    if !ClassDb::singleton().can_instantiate(&StringName::from(&class)) {
        return Err(format!("class {class} cannot be instantiated, so the object could not be read again"));
    }
    let (class, script) = (class.to_string(), script_of(object));
    let allowed = match objects {
        WriteObjects::Allowed(policy) => Some((policy, policy.object(&class, script.as_deref())?)),
        _ => None,
    };
    let stored = PropertyUsageFlags::STORAGE.ord();
    let (mut names, mut found) = (VecDeque::new(), HashSet::new());
    for property in object.get_property_list().iter_shared() {
        let property: VarDictionary = property;
        let usage = property.get("usage").and_then(|usage| usage.try_to::<i64>().ok()).unwrap_or(0).cast_unsigned();
        let name = property.get("name").and_then(|name| name.try_to::<GString>().ok()).unwrap_or_default();
        let is_stored = usage & stored != 0;
        let is_written = match &allowed {
            None => is_stored,
            Some((_, allowed)) => {
                let text = name.to_string();
                let is_written = is_stored && allowed.property(&text) || allowed.is_of_script(&text);
                found.insert(text);
                is_written
            }
        };
        if is_written {
            names.push_back(StringName::from(&name));
        }
    }
    if let Some((policy, allowed)) = allowed {
        // Which ones there are can differ from object to object: metadata, and what a script lists.
        let varies = |name: &str| name.contains('/') || object.has_method("_get_property_list");
        for (owner, name) in policy.named(&class, script.as_deref()) {
            if !found.contains(name) && !varies(name) {
                return Err(format!("property {name} is listed for {owner}, which does not have it"));
            }
            if !allowed.property(name) {
                return Err(format!(
                    "property {name} is listed for {owner}, but is one of class {class}: list it there"
                ));
            }
        }
    }
    Ok(names)
}

fn script_of(object: &Gd<Object>) -> Option<String> {
    object.get_script().map(|script| script.get_path().to_string())
}

/// Returns the path of the value that is being written.
#[cold]
fn path(open: &[Open]) -> Path {
    steps(open).collect()
}

fn steps(open: &[Open]) -> impl Iterator<Item = Step> {
    open.iter().map(|open| {
        let at = open.next.saturating_sub(1);
        match &open.kind {
            Kind::Array => Step::Index(at),
            Kind::Dictionary(_) if at.is_multiple_of(2) => Step::Key(at / 2),
            Kind::Dictionary(parts) => key_step(at / 2, &parts[at - 1]),
            Kind::Object { name, .. } => Step::Property(name.to_string()),
        }
    })
}
