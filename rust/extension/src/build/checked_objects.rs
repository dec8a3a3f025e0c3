//! Creates the objects of packets that were checked without the decoder's state.

use std::collections::VecDeque;
use std::rc::Rc;

use varbytes::build::ObjectPolicy;
use varbytes::variant::ContainerType;
use varbytes::{DecodeErrorKind, Decoder, VariantType};

use super::containers::{MistypedMembers, ObjectContainers, OpenDictionary};
use super::object_types::{ObjectType, is_of_objects};
use super::objects::{ObjectFill, Objects, Rejected};
use crate::error::VarBytesError;
use crate::raw::{ArrayFill, LazyVariant, NewValue};

/// How to read a packet that may contain full objects.
#[derive(Clone, Copy)]
pub(crate) struct FastObjects {
    pub(crate) mistyped: MistypedMembers,
    /// The deepest level, which must be one that is read here.
    pub(crate) deepest: usize,
    /// Whether keys that collide are read, even many of them.
    pub(crate) hash_collisions: bool,
}

/// A value that was read when the packet was checked.
struct Kept {
    /// Where it begins in the packet.
    place: usize,
    value: NewValue,
    /// The number of its bytes.
    length: usize,
}

/// How many names and values were noted.
pub(super) struct Noted {
    names: usize,
    kept: usize,
}

/// The objects of a packet that is checked, and what is not read again to create them.
pub(super) struct CheckedObjects {
    pub(super) objects: Objects,
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

    /// Notes the place of the next name.
    #[inline]
    pub(super) fn note(&mut self, place: usize) -> Option<()> {
        self.names.push(u32::try_from(place).ok()?);
        Some(())
    }

    /// Keeps a value without objects that begins at a place in the packet, and the number of its bytes.
    pub(super) fn keep(&mut self, place: usize, value: NewValue, length: usize) {
        self.kept.push_back(Kept { place, value, length });
    }

    /// Adds a type of containers of objects. Types are numbered in this order.
    pub(super) fn add_type(&mut self, member_type: ContainerType) {
        self.types.push((member_type, None));
    }

    /// Returns how much has been noted.
    pub(super) fn noted(&self) -> Noted {
        Noted { names: self.names.len(), kept: self.kept.len() }
    }

    /// Forgets what was noted since then.
    pub(super) fn forget_after(&mut self, noted: Noted) {
        self.names.truncate(noted.names);
        self.kept.truncate(noted.kept);
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
