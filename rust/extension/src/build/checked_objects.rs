//! Checks packets with full objects without the decoder's state, and creates the objects.

use std::collections::VecDeque;
use std::rc::Rc;

use arrayvec::ArrayVec;
use godot::builtin::PackedByteArray;
use varbytes::build::ObjectPolicy;
use varbytes::variant::ContainerType;
use varbytes::{
    Beginning, DecodeErrorKind, Decoder, Limits, ObjectMembers, ObjectsBeginning, Parts, Single, VariantType,
};

use super::containers::{MistypedMembers, ObjectContainers, OpenDictionary};
use super::object_types::{ObjectType, is_of_objects};
use super::objects::{ObjectFill, Objects, Rejected};
use super::single::key_of;
use super::uncommon::{ARRAY, DICTIONARY, OBJECT, by_decoder, uncommon};
use crate::error::VarBytesError;
use crate::floods::{Floods, Keys};
use crate::outcome::Packet;
use crate::raw::{ArrayFill, LazyVariant, NewValue};
use crate::scripts::{PROJECT, SCRIPT};

/// How to read a packet that may contain full objects.
#[derive(Clone, Copy)]
pub(crate) struct FastObjects {
    pub(crate) mistyped: MistypedMembers,
    /// The deepest level, which must be one that is read here.
    pub(crate) deepest: usize,
    /// Whether keys that collide are read, even many of them.
    pub(crate) hash_collisions: bool,
}

/// The most types of containers of objects.
const MOST_TYPES: usize = 32;

/// Returns whether an Array has many members, the first of which, the first of `rest`, holds no others. The decoder reads those faster.
fn is_long_run(beginning: &Beginning, rest: &[u8]) -> bool {
    const MANY: usize = 32;
    let Beginning { is_dictionary, count, types } = *beginning;
    !is_dictionary
        && count > MANY
        && types == [None; 2]
        && !matches!(rest.first(), Some(&(DICTIONARY | ARRAY | OBJECT)))
}

struct Check<'a, 'o, P> {
    decoder: &'a Decoder,
    /// The array that contains the packet, if it is known.
    array: Option<&'a PackedByteArray>,
    parts: Parts<'a>,
    policy: P,
    objects: &'o mut CheckedObjects,
    depth: usize,
    /// The deepest level.
    deepest: usize,
    floods: Floods,
    /// How many bytes the decoder may still read, so that what fails at each level is not read again at each.
    left: usize,
    /// The types of containers of objects so far.
    known_types: ArrayVec<ObjectMembers<'a>, MOST_TYPES>,
}

impl<'a, P: ObjectPolicy> Check<'a, '_, P> {
    /// Checks a value that is not [`Single`].
    fn other(&mut self, declared: Option<VariantType>) -> Option<()> {
        match *self.parts.rest().first()? {
            DICTIONARY | ARRAY => self.container(declared),
            id if declared.is_some_and(|declared| declared as u8 != id) => None,
            OBJECT => self.nested(Self::object),
            _ => {
                let (value, length) = uncommon(self.decoder, self.parts.rest(), self.array, Some(&mut self.floods))?;
                self.keep(value, length)
            }
        }
    }

    /// Keeps a value that is complete, and moves past its bytes.
    fn keep(&mut self, value: NewValue, length: usize) -> Option<()> {
        let place = self.parts.used();
        self.parts.skip(length)?;
        self.objects.kept.push_back(Kept { place, value, length });
        if self.floods.are_names_refused() { None } else { Some(()) }
    }

    /// Checks text, and counts names.
    fn accept(&mut self, single: &Single<'_>) -> Option<()> {
        match single {
            Single::NotAscii(text) => str::from_utf8(text).is_ok(),
            Single::AsciiName(name) if self.floods.counts() => self.floods.new_name(str::from_utf8(name).ok()?),
            Single::NotAsciiName(name) => {
                let name = str::from_utf8(name).ok()?;
                !self.floods.counts() || self.floods.new_name(name)
            }
            _ => true,
        }
        .then_some(())
    }

    fn nested(&mut self, check: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if self.depth == Parts::DEPTH {
            return None;
        }
        self.depth += 1;
        check(self)?;
        self.depth -= 1;
        Some(())
    }

    /// Checks a container, or lets the decoder read one that has no objects but other keys, for example, or deeper levels.
    fn container(&mut self, declared: Option<VariantType>) -> Option<()> {
        let (start, depth) = (self.parts.clone(), self.depth);
        let (names, kept) = (self.objects.names.len(), self.objects.kept.len());
        if self.nested(|check| check.parts_of_container(declared)).is_some() {
            return Some(());
        }
        self.depth = depth;
        self.objects.names.truncate(names);
        self.objects.kept.truncate(kept);
        let id = *start.rest().first()?;
        declared.is_none_or(|declared| declared as u8 == id).then_some(())?;
        self.by_decoder(start, depth)
    }

    /// Lets the decoder read a container without objects, which begins at `start` and at that depth.
    fn by_decoder(&mut self, start: Parts<'a>, depth: usize) -> Option<()> {
        if self.left == 0 {
            return None;
        }
        let decoder = (*self.decoder).limits(Limits::NONE.depth(self.deepest - depth));
        let read = by_decoder(&decoder, start.rest(), self.array, Some(&mut self.floods));
        // It fails for a container with objects, for example. Those around it have them too.
        let (value, length) = read.or_else(|| {
            self.left = 0;
            None
        })?;
        self.left = self.left.saturating_sub(length);
        self.parts = start;
        self.keep(value, length)
    }

    fn parts_of_container(&mut self, declared: Option<VariantType>) -> Option<()> {
        if let Some(beginning) = self.parts.begin_objects() {
            let container = if beginning.keys.is_some() { VariantType::Dictionary } else { VariantType::Array };
            declared.is_none_or(|declared| declared == container).then_some(())?;
            return self.typed_objects(beginning);
        }
        let start = self.parts.clone();
        let beginning = self.parts.begin(declared)?;
        if is_long_run(&beginning, self.parts.rest()) {
            return self.by_decoder(start, self.depth - 1);
        }
        let Beginning { is_dictionary, count, types: [first, second] } = beginning;
        if is_dictionary { self.entries(count, [first, second]) } else { self.members(count, first) }
    }

    /// Checks the members of a container of objects.
    fn typed_objects(&mut self, beginning: ObjectsBeginning<'a>) -> Option<()> {
        let ObjectsBeginning { members, keys, count } = beginning;
        let place = match self.known_types.iter().rposition(|known| *known == members) {
            Some(place) => place,
            None => {
                if let ObjectMembers::Class(class) = members {
                    self.floods.new_name(class).then_some(())?;
                }
                let member_type = members.to_type();
                self.policy.container_type(&member_type).ok()?;
                self.known_types.try_push(members).ok()?;
                self.objects.types.push((member_type, None));
                self.known_types.len() - 1
            }
        };
        self.objects.note(place)?;
        let mut counts = keys.and_then(|_| self.floods.begin_dictionary(count));
        for at in 0..count {
            if let Some(key_type) = keys {
                let mut key = [Single::Nil];
                (self.parts.read_singles(&mut key, [key_type; 2]) == 1).then_some(())?;
                self.key(&mut counts, key[0], at)?;
            }
            let mut member = [Single::Int(0)];
            match self.parts.read_singles(&mut member, [None; 2]) {
                0 if self.parts.rest().first() == Some(&OBJECT) => self.nested(Self::object)?,
                1 if matches!(member, [Single::Nil]) => {}
                _ => return None,
            }
        }
        self.end_dictionary(counts);
        Some(())
    }

    /// Checks the members of an Array.
    fn members(&mut self, count: usize, declared: Option<VariantType>) -> Option<()> {
        const AT_ONCE: usize = 8;
        let (mut batch, mut left) = ([Single::Nil; AT_ONCE], count);
        while left > 0 {
            let room = left.min(AT_ONCE);
            let read = self.parts.read_singles(&mut batch[..room], [declared; 2]);
            batch[..read].iter().try_for_each(|single| self.accept(single))?;
            left -= read;
            if read < room {
                self.other(declared)?;
                left -= 1;
            }
        }
        Some(())
    }

    /// Checks the entries of a Dictionary.
    fn entries(&mut self, count: usize, types: [Option<VariantType>; 2]) -> Option<()> {
        /// Even, so that keys come first.
        const AT_ONCE: usize = 8;
        let mut counts = self.floods.begin_dictionary(count);
        let (mut batch, mut left) = ([Single::Nil; AT_ONCE], 2 * count);
        while left > 0 {
            let room = left.min(AT_ONCE);
            let read = self.parts.read_singles(&mut batch[..room], types);
            for (index, single) in batch[..read].iter().enumerate() {
                match index % 2 {
                    0 => self.key(&mut counts, *single, count - (left - index) / 2)?,
                    _ => self.accept(single)?,
                }
            }
            left -= read;
            if read < room {
                if read.is_multiple_of(2) {
                    return None;
                }
                self.other(types[1])?;
                left -= 1;
            }
        }
        self.end_dictionary(counts);
        Some(())
    }

    /// Checks and counts a key. Packed arrays are left to the decoder, because they are counted in every Dictionary.
    fn key(&mut self, counts: &mut Option<Box<Keys>>, key: Single<'_>, before: usize) -> Option<()> {
        self.accept(&key)?;
        if matches!(key, Single::Packed(..)) && self.floods.counts() {
            return None;
        }
        let Some(keys) = counts else { return Some(()) };
        self.floods.new_key(keys, || key_of(key), before).ok()
    }

    fn end_dictionary(&mut self, counts: Option<Box<Keys>>) {
        if let Some(mut keys) = counts {
            self.floods.end_dictionary(&mut keys);
        }
    }

    fn object(&mut self) -> Option<()> {
        let (class, count) = self.parts.begin_object()?;
        let class = self.objects.objects.class_place(class)?;
        self.objects.note(class)?;
        self.policy.class(self.objects.objects.class(class)).ok()?;
        let mut script = None;
        for _ in 0..count {
            let name = self.objects.objects.property_place(self.parts.name()?)?;
            self.objects.note(name)?;
            let objects = &self.objects.objects;
            self.policy.property(objects.class(class), script, objects.property(name)).ok()?;
            let is_script = objects.property(name) == SCRIPT;
            let mut value = [Single::Nil];
            let is_single = self.parts.read_singles(&mut value, [None; 2]) == 1;
            if is_script {
                script = match value {
                    [Single::Nil] if is_single => None,
                    [Single::Ascii(path)] => Some(str::from_utf8(path).ok().filter(|path| path.starts_with(PROJECT))?),
                    _ => return None,
                };
                if let Some(path) = script {
                    self.policy.script(objects.class(class), path).ok()?;
                }
            } else if !is_single {
                self.other(None)?;
            } else {
                self.accept(&value[0])?;
            }
        }
        self.policy.complete(self.objects.objects.class(class), script).ok()
    }
}

/// A value that was read when the packet was checked.
struct Kept {
    /// Where it begins in the packet.
    place: usize,
    value: NewValue,
    /// The number of its bytes.
    length: usize,
}

/// The objects of a packet that is checked, and what is not read again to create them.
pub(super) struct CheckedObjects {
    objects: Objects,
    /// The places of the names of classes and properties, and of the types of containers of objects, in the order of the packet.
    names: Vec<u32>,
    /// How many names were used.
    used: usize,
    /// The types of containers of objects. They are looked up when the first of them is created.
    types: Vec<(ContainerType, Option<Rc<ObjectType>>)>,
    /// Values without objects that were read when the packet was checked, in the order of the packet.
    kept: VecDeque<Kept>,
    containers: ObjectContainers,
    /// Why an object or a container cannot be created.
    refused: Option<DecodeErrorKind>,
}

impl CheckedObjects {
    pub(super) fn new(FastObjects { mistyped, hash_collisions, .. }: FastObjects) -> Self {
        /// The names of a few small objects: to grow takes as long as to read a property.
        const NAMES: usize = 32;
        Self {
            objects: Objects::new(hash_collisions),
            names: Vec::with_capacity(NAMES),
            types: Vec::new(),
            used: 0,
            kept: VecDeque::new(),
            containers: ObjectContainers::new(mistyped),
            refused: None,
        }
    }

    /// Returns whether a packet consists of parts, and what its objects name is allowed and known from earlier packets.
    pub(super) fn check(
        &mut self,
        decoder: &Decoder,
        packet: Packet<'_>,
        policy: impl ObjectPolicy,
        FastObjects { deepest, hash_collisions, .. }: FastObjects,
    ) -> Option<()> {
        let Packet { bytes, array, .. } = packet;
        Check {
            decoder,
            array,
            parts: decoder.parts(bytes)?,
            policy,
            objects: self,
            depth: 0,
            deepest: deepest.min(Limits::MAX_DEPTH),
            left: bytes.len(),
            floods: if hash_collisions { Floods::allowed() } else { Floods::of_packet(bytes.len()) },
            known_types: ArrayVec::new(),
        }
        .other(None)
    }

    /// Notes the place of the next name.
    #[inline]
    fn note(&mut self, place: usize) -> Option<()> {
        self.names.push(u32::try_from(place).ok()?);
        Some(())
    }

    /// Returns the value that begins at a place in the packet and the number of its bytes, if it was read when the packet was checked.
    #[inline]
    pub(super) fn kept_at(&mut self, place: usize) -> Option<(NewValue, usize)> {
        self.kept.front().filter(|kept| kept.place == place)?;
        self.kept.pop_front().map(|kept| (kept.value, kept.length))
    }

    /// Creates the next object, or notes why it cannot be created.
    pub(super) fn begin(&mut self) -> Option<ObjectFill> {
        let class = self.next_name()?;
        self.objects.begin_known(class).map_err(|kind| self.refused = Some(kind)).ok()
    }

    /// Returns the place of the name of the next class or property.
    pub(super) fn next_name(&mut self) -> Option<usize> {
        let name = *self.names.get(self.used)?;
        self.used += 1;
        Some(name as usize)
    }

    /// Returns the type of the members of the next Array of objects, or notes why it cannot be created.
    pub(super) fn next_type(&mut self) -> Option<Rc<ObjectType>> {
        let place = self.next_name()?;
        let (member_type, found) = self.types.get_mut(place)?;
        if found.is_none() {
            *found = ObjectType::find(member_type).map_err(|kind| self.refused = Some(kind)).ok().map(Rc::new);
        }
        found.clone()
    }

    /// Appends a member to an Array of objects, if it is of the type.
    pub(super) fn push(&self, array: &mut ArrayFill, member_type: &ObjectType, member: NewValue) -> Option<()> {
        self.containers.mistyped.push(array, member_type, member).then_some(())
    }

    /// Begins the next Dictionary of objects, or notes why it cannot be created.
    pub(super) fn begin_dictionary(&mut self, count: usize, key_type: Option<VariantType>) -> Option<OpenDictionary> {
        let place = self.next_name()?;
        let (value_type, _) = self.types.get(place)?;
        let key_type = key_type.map(ContainerType::Builtin);
        let begun = self.containers.begin_dictionary(count, key_type.as_ref(), Some(value_type), true);
        begun.map_err(|kind| self.refused = Some(kind)).ok()
    }

    /// Inserts an entry into a Dictionary of objects, if its value is of the type.
    pub(super) fn insert(&self, dictionary: &mut OpenDictionary, key: &LazyVariant, value: NewValue) -> Option<()> {
        let value = value.into_variant();
        let types = dictionary.checks.as_ref().and_then(|checks| checks.types.as_ref());
        if types.map_or(Ok(true), |types| self.containers.allows_entry(types, key, &value)).ok()? {
            dictionary.fill.insert(key, value.into());
        }
        Some(())
    }

    /// Sets a property, or notes why its script cannot be loaded.
    pub(super) fn set(&mut self, fill: &mut ObjectFill, property: usize, value: NewValue) -> Option<()> {
        let set = self.objects.set_known(fill, property, value.into_variant());
        set.map_err(|kind| self.refused = Some(kind)).ok()
    }

    /// Notes what scripts of objects do not accept.
    pub(super) const fn note_rejected(&mut self) {
        self.objects.note_rejected();
    }

    /// Returns what scripts did not accept.
    pub(super) fn take_rejected(&mut self) -> Rejected {
        self.objects.take_rejected()
    }

    /// Frees the objects that nothing else would free, and returns the error with its offset and path.
    #[cold]
    pub(super) fn refuse(&mut self, decoder: &Decoder, bytes: &[u8], base: usize) -> VarBytesError {
        self.objects.free();
        let Some(kind) = self.refused.take() else { return VarBytesError::out_of_memory() };
        match decoder.check_with(bytes, RefuseAfter { names: self.used, kind: kind.clone() }) {
            Err(error) => VarBytesError::from_decode(&error, base),
            Ok(_) => VarBytesError::of_value(&kind, base),
        }
    }
}

/// Refuses the class or the container of objects that is the last of so many names, or the property that is, if its value is refused.
struct RefuseAfter {
    names: usize,
    kind: DecodeErrorKind,
}

impl RefuseAfter {
    fn refuse_last(&self) -> Result<(), DecodeErrorKind> {
        if self.names == 0 { Err(self.kind.clone()) } else { Ok(()) }
    }
}

impl ObjectPolicy for RefuseAfter {
    fn class(&mut self, _: &str) -> Result<(), DecodeErrorKind> {
        self.names = self.names.saturating_sub(1);
        self.refuse_last()
    }

    fn property(&mut self, _: &str, _: Option<&str>, _: &str) -> Result<(), DecodeErrorKind> {
        self.names = self.names.saturating_sub(1);
        if matches!(self.kind, DecodeErrorKind::Flood { .. }) { self.refuse_last() } else { Ok(()) }
    }

    fn script(&mut self, _: &str, _: &str) -> Result<(), DecodeErrorKind> {
        self.refuse_last()
    }

    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        if !is_of_objects(container_type) {
            return Ok(());
        }
        self.names = self.names.saturating_sub(1);
        self.refuse_last()
    }
}
