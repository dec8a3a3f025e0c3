//! Checks packets with full objects without the decoder's state, before the first object is created.

use arrayvec::ArrayVec;
use godot::builtin::PackedByteArray;
use varbytes::build::ObjectPolicy;
use varbytes::{Beginning, Decoder, Limits, ObjectMembers, ObjectsBeginning, Parts, Single, VariantType};

use super::checked_objects::{CheckedObjects, FastObjects};
use super::single::key_of;
use super::uncommon::{ARRAY, DICTIONARY, OBJECT, by_decoder, uncommon};
use crate::floods::{Floods, Keys};
use crate::outcome::Packet;
use crate::raw::NewValue;
use crate::scripts::{PROJECT, SCRIPT};

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

/// Checks whether a packet consists of parts, and whether what its objects name is allowed and known from earlier packets. Notes in `objects`
/// what is needed to create them. Returns `None` if not.
pub(super) fn check(
    objects: &mut CheckedObjects,
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
        objects,
        depth: 0,
        deepest: deepest.min(Limits::MAX_DEPTH),
        left: bytes.len(),
        floods: if hash_collisions { Floods::allowed() } else { Floods::of_packet(bytes.len()) },
        known_types: ArrayVec::new(),
    }
    .other(None)
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
        self.objects.keep(place, value, length);
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
        let noted = self.objects.noted();
        if self.nested(|check| check.parts_of_container(declared)).is_some() {
            return Some(());
        }
        self.depth = depth;
        self.objects.forget_after(noted);
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
                self.objects.add_type(member_type);
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
