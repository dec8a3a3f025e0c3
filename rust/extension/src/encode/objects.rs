//! Writes values with full objects. Getters of scripts run meanwhile and can change the value, so nothing is borrowed while
//! they run: each member is fetched when it is written.

use std::sync::Arc;

use arrayvec::ArrayVec;
use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, Limits, Path, Step};

use super::by_engine::{ByEngine, WriteObjects};
use super::leaf::{begin_array, begin_dictionary, key_step, scripts_of_types, write_leaf};
use super::properties::{KnownProperties, Properties};
use crate::error::VarBytesError;
use crate::raw::{self, Kept, Taken, View, view};
use crate::scripts::{PROJECT, SCRIPT};

/// What is needed to write objects.
pub(super) struct ObjectWriting<'p> {
    objects: WriteObjects<'p>,
    engine: ByEngine<'p>,
    known: Taken<KnownProperties>,
    had_objects: bool,
}

impl<'p> ObjectWriting<'p> {
    pub(super) fn new(objects: WriteObjects<'p>) -> Self {
        static KNOWN: Kept<KnownProperties> = Kept::new();
        let mut known = KNOWN.take_or(KnownProperties::default);
        known.begin_packet();
        Self { objects, engine: ByEngine::new(objects), known, had_objects: false }
    }

    /// Returns the properties to write of an object, if they are known from its class and script.
    fn known(&mut self, object: &Variant) -> Option<Arc<Properties>> {
        self.known.of(object, self.objects)
    }

    fn knows(&mut self, object: &Variant) -> bool {
        self.known.knows(object, self.objects)
    }

    /// Returns the bytes of a value that the engine writes at once: an object, an Array of nothing else if there is no policy, or a small
    /// value with native objects. Returns `None` for other values, and if an object is written faster here.
    pub(super) fn whole(&mut self, value: &Variant) -> Option<PackedByteArray> {
        match view(value) {
            View::Object if !self.knows(value) => self.by_engine(value, 0),
            View::Array if matches!(self.objects, WriteObjects::Full) => {
                let count = raw::members(value).len();
                let is_whole = count > 0 && (0..count).all(|at| self.for_engine(value, at).is_some());
                if is_whole { self.engine.array(value) } else { self.small(value) }
            }
            View::Array | View::Dictionary => self.small(value),
            _ => None,
        }
    }

    /// Returns the engine's bytes of a small value with native objects. Large objects need not be copied then.
    fn small(&mut self, value: &Variant) -> Option<PackedByteArray> {
        let mut natives = ArrayVec::new();
        let is_small = add_natives(value, &mut { MOST_PARTS }, &mut natives) && !natives.is_empty();
        let policy = self.objects.policy();
        let may_write =
            is_small && natives.iter().all(|object| !self.knows(object) && self.known.native.may_write(object, policy));
        if may_write { self.engine.object(value, 0) } else { None }
    }

    /// Returns the member of an Array if it is an object that the engine may write, and that is not written faster here.
    fn for_engine(&mut self, array: &Variant, at: usize) -> Option<Variant> {
        // A copy, because scripts that the policy loads can change the Array.
        let member = raw::members(array).get(at).filter(|member| matches!(view(member), View::Object))?.clone();
        (!self.knows(&member) && self.may_be_by_engine(&member)).then_some(member)
    }

    /// Returns the engine's bytes of an object at a depth, or `None` if it must not write it, or if it or the policy refuses it.
    fn by_engine(&mut self, object: &Variant, depth: usize) -> Option<PackedByteArray> {
        self.may_be_by_engine(object).then(|| self.engine.object(object, depth)).flatten()
    }

    fn may_be_by_engine(&mut self, object: &Variant) -> bool {
        let policy = self.objects.policy();
        policy.is_none() || self.known.native.may_write(object, policy)
    }
}

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
    Object(Arc<Properties>),
}

/// Writes a value. Objects whose properties are not known from their class and script are written by the engine as long as it accepts
/// them. Returns whether the value has objects.
pub(super) fn write<S: Sink>(
    value: &Variant,
    writer: &mut Writer<'_, S>,
    mut objects: ObjectWriting<'_>,
) -> Result<bool, VarBytesError> {
    let mut open = Vec::new();
    write_value(writer, value, &mut open, &mut objects)?;
    while let Some(depth) = open.len().checked_sub(1) {
        let innermost = &mut open[depth];
        innermost.write_by_engine(writer, depth, &mut objects);
        match innermost.next_member(writer) {
            Ok(None) => drop(open.pop()),
            Ok(Some(member)) => write_value(writer, &member, &mut open, &mut objects)?,
            Err(kind) => return Err(VarBytesError::from_encode(&kind, &path(&open))),
        }
    }
    Ok(objects.had_objects)
}

impl Open {
    /// Lets the engine write the next members of an Array as long as they are objects that it may write.
    fn write_by_engine<S: Sink>(&mut self, writer: &mut Writer<'_, S>, depth: usize, objects: &mut ObjectWriting<'_>) {
        while matches!(self.kind, Kind::Array) && objects.engine.batch() > 1 {
            let members = (self.next..self.count).take(objects.engine.batch());
            let batch: Vec<Variant> = members.map_while(|at| objects.for_engine(&self.holder, at)).collect();
            let count = batch.len();
            // The policy may have loaded scripts for the last ones, which can change those before. Nothing is loaded a second time.
            if !batch.iter().all(|object| objects.may_be_by_engine(object)) {
                return;
            }
            if count < 2 || !objects.engine.members(batch, depth, |bytes| writer.encoded(bytes)) {
                return;
            }
            self.next += count;
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
            Kind::Object(properties) => {
                let property = &properties.list[at];
                writer.property_name(&property.text)?;
                match &*property.text {
                    SCRIPT => script_path(&self.holder).map(Some),
                    _ => Ok(Some(raw::property(&self.holder, &property.name))),
                }
            }
        }
    }
}

/// Returns what is written for the script of an object: its path, or null if it has no script.
fn script_path(object: &Variant) -> Result<Variant, EncodeErrorKind> {
    let Some(path) = raw::path_of_script(object) else { return Ok(Variant::nil()) };
    if path.begins_with(PROJECT) {
        return Ok(path.to_variant());
    }
    Err(EncodeErrorKind::InvalidScriptPath { path: path.to_string() })
}

fn write_value<S: Sink>(
    writer: &mut Writer<'_, S>,
    value: &Variant,
    open: &mut Vec<Open>,
    objects: &mut ObjectWriting<'_>,
) -> Result<(), VarBytesError> {
    let failed = |kind: EncodeErrorKind, open: &[Open]| VarBytesError::from_encode(&kind, &path(open));
    if open.len() > Limits::MAX_DEPTH {
        return Err(failed(EncodeErrorKind::DepthLimit { limit: Limits::MAX_DEPTH }, open));
    }
    let leaf = view(value);
    if let WriteObjects::Allowed(policy) = objects.objects {
        // Others cannot be written at all.
        for script in scripts_of_types(value).filter(|script| script.starts_with(PROJECT)) {
            policy.container_script(&script).map_err(|reason| VarBytesError::refused(reason, &path(open)))?;
        }
    }
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
        View::Object => {
            objects.had_objects = true;
            if raw::live_object_id(value).is_none() {
                return writer.null_object().map_err(|kind| failed(kind, open));
            }
            let properties = match objects.known(value) {
                Some(known) => {
                    objects.engine.skipped();
                    known
                }
                None => match objects.by_engine(value, open.len()) {
                    Some(bytes) => {
                        writer.encoded(bytes.as_slice());
                        return Ok(());
                    }
                    None => Properties::of(value, objects.objects)
                        .map_err(|reason| VarBytesError::refused(reason, &path(open)))?,
                },
            };
            writer.begin_object(&properties.class, properties.list.len()).map_err(|kind| failed(kind, open))?;
            (properties.list.len(), Kind::Object(properties))
        }
        _ => return write_leaf(writer, value, &leaf).map_err(|kind| failed(kind, open)),
    };
    open.push(Open { holder: value.clone(), count, next: 0, kind });
    Ok(())
}

/// The most parts of a small value.
const MOST_PARTS: usize = 16;

/// Adds the objects of a value. Returns whether it is small, none of them has a script, which could change the value, and the engine writes
/// everything else as it is written here, and without a message. No script runs meanwhile.
fn add_natives(value: &Variant, left: &mut usize, natives: &mut ArrayVec<Variant, MOST_PARTS>) -> bool {
    const LONG: usize = 64;
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let is_plain = |text: &[u32]| text.len() <= LONG && text.iter().all(|char| *char < 0x80);
    match view(value) {
        View::Array | View::Dictionary if raw::is_typed(value) => false,
        View::Array => raw::members(value).iter().all(|member| add_natives(member, left, natives)),
        View::Dictionary => {
            let mut entries = raw::Entries::of(value);
            while let Some((key, value)) = entries.next() {
                if !add_natives(key, left, natives) || !add_natives(value, left, natives) {
                    return false;
                }
            }
            true
        }
        View::Object => raw::script_of(value).is_nil() && natives.try_push(value.clone()).is_ok(),
        View::String(text) => is_plain(text),
        View::StringName(name) => is_plain(raw::chars(name.text())),
        View::NodePath | View::Signal => false,
        _ => !raw::is_packed(value),
    }
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
            Kind::Object(properties) => Step::Property(properties.list[at].text.to_string()),
        }
    })
}
