//! Checks small packets with full objects, and creates the objects.

use std::collections::VecDeque;
use std::rc::Rc;

use arrayvec::ArrayVec;
use godot::builtin::PackedByteArray;
use varbytes::build::ObjectPolicy;
use varbytes::variant::ContainerType;
use varbytes::{Beginning, DecodeErrorKind, Decoder, ObjectMembers, ObjectsBeginning, Parts, Single, VariantType};

use super::containers::{MistypedMembers, ObjectContainers, OpenDictionary};
use super::object_types::{ObjectType, is_of_objects};
use super::objects::{ObjectFill, Objects, Rejected};
use super::uncommon::{ARRAY, DICTIONARY, NODE_PATH, OBJECT, SIGNAL, uncommon};
use crate::error::VarBytesError;
use crate::outcome::Packet;
use crate::raw::{ArrayFill, LazyVariant, NewValue};
use crate::scripts::{PROJECT, SCRIPT};

/// The longest Array whose first member holds no other values. The decoder reads the members of longer ones faster.
const MOST_MEMBERS: usize = 32;
/// The longest Dictionary. The decoder counts the collisions of keys, which cost no time if they are few.
const MOST_ENTRIES: usize = 64;
/// The most names that the engine may have to store, for the same reason.
const MOST_NEW_NAMES: usize = 128;
/// The most types of containers of objects.
const MOST_TYPES: usize = 8;
/// The fewest bytes of a name in a path.
const NAME: usize = 8;

struct Check<'a, 'o, P> {
    decoder: &'a Decoder,
    /// The array that contains the packet, if it is known.
    array: Option<&'a PackedByteArray>,
    parts: Parts<'a>,
    policy: P,
    objects: &'o mut CheckedObjects,
    depth: usize,
    /// How many names the engine may have to store.
    new_names: usize,
    /// The types of containers of objects so far.
    known_types: ArrayVec<ObjectMembers<'a>, MOST_TYPES>,
}

impl<'a, P: ObjectPolicy> Check<'a, '_, P> {
    /// Checks a value that is not [`Single`].
    fn other(&mut self, declared: Option<VariantType>) -> Option<()> {
        match *self.parts.rest().first()? {
            DICTIONARY | ARRAY => self.nested(|check| check.container(declared)),
            id if declared.is_some_and(|declared| declared as u8 != id) => None,
            OBJECT => self.nested(Self::object),
            id => {
                let (value, length) = uncommon(self.decoder, self.parts.rest(), self.array, None)?;
                self.parts.skip(length)?;
                self.objects.uncommon.push_back((value, length));
                self.count_names(if matches!(id, NODE_PATH | SIGNAL) { length / NAME } else { 0 })
            }
        }
    }

    /// Checks text, and counts the names that the engine may have to store.
    fn accept(&mut self, singles: &[Single<'_>]) -> Option<()> {
        singles.iter().all(is_text_valid).then_some(())?;
        self.count_names(singles.iter().filter(|single| matches!(single, Single::AsciiName(_))).count())
    }

    fn count_names(&mut self, count: usize) -> Option<()> {
        self.new_names += count;
        (self.new_names <= MOST_NEW_NAMES).then_some(())
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

    fn container(&mut self, declared: Option<VariantType>) -> Option<()> {
        if let Some(beginning) = self.parts.begin_objects() {
            let container = if beginning.keys.is_some() { VariantType::Dictionary } else { VariantType::Array };
            declared.is_none_or(|declared| declared == container).then_some(())?;
            return self.typed_objects(beginning);
        }
        let Beginning { is_dictionary, count, types: [first, second] } = self.parts.begin(declared)?;
        if is_dictionary && count <= MOST_ENTRIES {
            self.members(2 * count, [first, second], true)
        } else if !is_dictionary && (count <= MOST_MEMBERS || self.holds_others()) {
            self.members(count, [first; 2], false)
        } else {
            None
        }
    }

    /// Returns whether the next value holds others.
    fn holds_others(&self) -> bool {
        matches!(self.parts.rest().first(), Some(&(DICTIONARY | ARRAY | OBJECT)))
    }

    /// Checks the members of a container of objects.
    fn typed_objects(&mut self, beginning: ObjectsBeginning<'a>) -> Option<()> {
        let ObjectsBeginning { members, keys, count } = beginning;
        if keys.is_some() && count > MOST_ENTRIES {
            return None;
        }
        self.count_names(1)?;
        let place = match self.known_types.iter().rposition(|known| *known == members) {
            Some(place) => place,
            None => {
                let member_type = members.to_type();
                self.policy.container_type(&member_type).ok()?;
                self.known_types.try_push(members).ok()?;
                self.objects.types.push((member_type, None));
                self.known_types.len() - 1
            }
        };
        self.objects.names.push(place);
        for _ in 0..count {
            if let Some(key_type) = keys {
                self.key(key_type)?;
            }
            let mut member = [Single::Int(0)];
            match self.parts.read_singles(&mut member, [None; 2]) {
                0 if self.parts.rest().first() == Some(&OBJECT) => self.nested(Self::object)?,
                1 if matches!(member, [Single::Nil]) => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// Checks values whose declared types alternate.
    fn members(&mut self, count: usize, types: [Option<VariantType>; 2], are_entries: bool) -> Option<()> {
        /// Even, so that keys come first.
        const AT_ONCE: usize = 8;
        let (mut batch, mut left) = ([Single::Nil; AT_ONCE], count);
        while left > 0 {
            let room = left.min(AT_ONCE);
            let read = self.parts.read_singles(&mut batch[..room], types);
            self.accept(&batch[..read])?;
            left -= read;
            if read < room {
                if are_entries && read.is_multiple_of(2) {
                    return None;
                }
                self.other(types[read % 2])?;
                left -= 1;
            }
        }
        Some(())
    }

    fn key(&mut self, key_type: Option<VariantType>) -> Option<()> {
        let mut key = [Single::Nil];
        (self.parts.read_singles(&mut key, [key_type; 2]) == 1).then_some(())?;
        self.accept(&key)
    }

    fn object(&mut self) -> Option<()> {
        let (class, count) = self.parts.begin_object()?;
        let class = self.objects.objects.class_place(class)?;
        self.objects.names.push(class);
        self.policy.class(self.objects.objects.class(class)).ok()?;
        let mut script = None;
        for _ in 0..count {
            let name = self.objects.objects.property_place(self.parts.name()?)?;
            self.objects.names.push(name);
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
                self.accept(&value)?;
            }
        }
        self.policy.complete(self.objects.objects.class(class), script).ok()
    }
}

fn is_text_valid(single: &Single<'_>) -> bool {
    match single {
        Single::NotAscii(text) => str::from_utf8(text).is_ok(),
        _ => true,
    }
}

/// The objects of a packet that is checked, and what is not read again to create them.
pub(super) struct CheckedObjects {
    objects: Objects,
    /// The places of the names of classes and properties, and of the types of containers of objects, in the order of the packet.
    names: Vec<usize>,
    /// How many names were used.
    used: usize,
    /// The types of containers of objects. They are looked up when the first of them is created.
    types: Vec<(ContainerType, Option<Rc<ObjectType>>)>,
    /// Values that are not common, which are not objects, and the numbers of their bytes.
    uncommon: VecDeque<(NewValue, usize)>,
    containers: ObjectContainers,
    /// Why an object or a container cannot be created.
    refused: Option<DecodeErrorKind>,
}

impl CheckedObjects {
    pub(super) fn new(mistyped: MistypedMembers) -> Self {
        Self {
            objects: Objects::default(),
            names: Vec::new(),
            types: Vec::new(),
            used: 0,
            uncommon: VecDeque::new(),
            containers: ObjectContainers::new(mistyped),
            refused: None,
        }
    }

    /// Returns whether a packet consists of parts, and what its objects name is allowed and known from earlier packets.
    pub(super) fn check(&mut self, decoder: &Decoder, packet: Packet<'_>, policy: impl ObjectPolicy) -> Option<()> {
        let Packet { bytes, array, .. } = packet;
        Check {
            decoder,
            array,
            parts: decoder.parts(bytes)?,
            policy,
            objects: self,
            depth: 0,
            new_names: 0,
            known_types: ArrayVec::new(),
        }
        .other(None)
    }

    /// Returns the next value that is not common, and the number of its bytes.
    pub(super) fn next_uncommon(&mut self) -> Option<(NewValue, usize)> {
        self.uncommon.pop_front()
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
        Some(name)
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

/// Refuses the class or the container of objects that is the last of so many names, or the script of the property that is.
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
        Ok(())
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
