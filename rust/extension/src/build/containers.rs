//! Arrays and Dictionaries while they are filled. Members of containers of objects are checked by class and script.

use std::rc::Rc;

use godot::builtin::Variant;
use varbytes::DecodeErrorKind;
use varbytes::variant::ContainerType;

use super::engine_bytes::EngineBytes;
use super::object_types::{ObjectType, ObjectTypes, is_of_objects};
use crate::floods::{Floods, Keys};
use crate::raw::{ArrayFill, DictionaryFill, NewValue, TypedBy, print_mistyped};
use crate::scripts::refused;

/// What to do with members that are not of the type that their container declares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MistypedMembers {
    /// Do what the engine does: it prints messages, and accepts any value in a Dictionary.
    AsEngine,
    /// Convert them as `Dictionary.set` does, and leave out those that cannot be converted.
    LeaveOut,
    /// Return an error.
    Refuse,
}

/// The error of a packet that is refused because of a member's type.
pub(super) const MISTYPED_MEMBER: DecodeErrorKind =
    DecodeErrorKind::NotCanonical { reason: "object of another class or script than its container declares" };

impl MistypedMembers {
    /// Appends a member to an Array of objects, if it is of the type. Returns whether the packet can still be read, and no error:
    /// the loop over the members of an Array would keep what is returned in memory instead of registers.
    #[inline(never)]
    pub(super) fn push(self, array: &mut ArrayFill, member_type: &ObjectType, member: NewValue) -> bool {
        let member = member.into_variant();
        if member_type.allows(&member) {
            array.push(member.into());
        } else if self == Self::AsEngine {
            print_mistyped(&member_type.typed_by(), &member);
        } else {
            return self == Self::LeaveOut;
        }
        true
    }
}

/// An Array that is being filled.
pub(crate) enum OpenArray {
    /// The members need no check: any type is allowed, or the decoder has checked the built-in type.
    Unchecked(ArrayFill),
    /// The members are objects of a class or script.
    Objects(Box<(ArrayFill, Rc<ObjectType>)>),
}

/// A Dictionary that is being filled: two words, which are passed in registers.
pub(crate) struct OpenDictionary {
    pub(super) fill: DictionaryFill,
    /// `None` if no entry needs a check.
    pub(super) checks: Option<Box<EntryChecks>>,
}

/// What the entries of a Dictionary are checked for.
#[derive(Default)]
pub(crate) struct EntryChecks {
    /// The types of keys and values, if either are objects.
    pub(super) types: Option<EntryTypes>,
    /// The counts of the keys, if they are counted.
    pub(super) keys: Option<Box<Keys>>,
}

impl EntryChecks {
    #[inline(never)]
    pub(super) fn end(self, floods: &mut Floods) {
        if let Some(mut keys) = self.keys {
            floods.end_dictionary(&mut keys);
        }
    }
}

/// The types of keys and of values; `None` for a type that is not an object.
pub(super) struct EntryTypes {
    key: Option<Rc<ObjectType>>,
    value: Option<Rc<ObjectType>>,
}

/// Creates containers of objects and checks their members.
pub(super) struct ObjectContainers {
    types: Option<Box<ObjectTypes>>,
    pub(super) mistyped: MistypedMembers,
}

impl ObjectContainers {
    #[inline(always)]
    pub(super) const fn new(mistyped: MistypedMembers) -> Self {
        Self { types: None, mistyped }
    }

    #[inline(always)]
    pub(super) const fn owns_nothing(&self) -> bool {
        self.types.is_none()
    }

    #[cold]
    pub(super) fn begin_array(
        &mut self,
        count: usize,
        member_type: &ContainerType,
    ) -> Result<OpenArray, DecodeErrorKind> {
        Ok(match self.types.get_or_insert_default().get(Some(member_type))? {
            Some(objects) => OpenArray::Objects(Box::new((objects.array(count), objects))),
            None => OpenArray::Unchecked(ArrayFill::new(0, None)),
        })
    }

    /// `full_objects` says whether the packet may contain them.
    #[cold]
    pub(super) fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<&ContainerType>,
        value_type: Option<&ContainerType>,
        full_objects: bool,
    ) -> Result<OpenDictionary, DecodeErrorKind> {
        if self.mistyped == MistypedMembers::AsEngine {
            // The types that the engine's own decoder sets can differ from those that the packet declares.
            let empty =
                EngineBytes::default().value(full_objects, |writer| writer.begin_dictionary(0, key_type, value_type));
            let fill = DictionaryFill::continued(&empty)
                .ok_or_else(|| refused("the engine refuses the types of a Dictionary".to_owned()))?;
            return Ok(OpenDictionary { fill, checks: None });
        }
        let found = self.types.get_or_insert_default();
        let types = EntryTypes { key: found.get(key_type)?, value: found.get(value_type)? };
        let key = types.key.as_ref().map_or_else(|| built_in(key_type), |objects| objects.typed_by());
        let value = types.value.as_ref().map_or_else(|| built_in(value_type), |objects| objects.typed_by());
        let fill = DictionaryFill::new(count, &key, &value);
        Ok(OpenDictionary { fill, checks: Some(Box::new(EntryChecks { types: Some(types), keys: None })) })
    }

    /// Returns whether both parts of an entry may be in the Dictionary.
    pub(super) fn allows_entry(
        &self,
        types: &EntryTypes,
        key: &Variant,
        value: &Variant,
    ) -> Result<bool, DecodeErrorKind> {
        let allows = |part_type: &Option<Rc<ObjectType>>, part: &Variant| match part_type {
            Some(part_type) => self.allows(part_type, part),
            None => Ok(true),
        };
        Ok(allows(&types.key, key)? && allows(&types.value, value)?)
    }

    /// Returns whether a member may be in its container. If not, it is left out.
    fn allows(&self, member_type: &ObjectType, member: &Variant) -> Result<bool, DecodeErrorKind> {
        if self.mistyped == MistypedMembers::AsEngine || member_type.allows(member) {
            return Ok(true);
        }
        if self.mistyped == MistypedMembers::Refuse { Err(MISTYPED_MEMBER) } else { Ok(false) }
    }
}

/// Begins a Dictionary without objects.
#[inline(always)]
pub(super) fn begin_unchecked_dictionary(
    count: usize,
    key_type: Option<&ContainerType>,
    value_type: Option<&ContainerType>,
) -> OpenDictionary {
    OpenDictionary { fill: DictionaryFill::new(count, &built_in(key_type), &built_in(value_type)), checks: None }
}

/// Returns whether a container of these types contains objects.
#[inline(always)]
pub(super) fn has_objects(key_type: Option<&ContainerType>, value_type: Option<&ContainerType>) -> bool {
    key_type.is_some_and(is_of_objects) || value_type.is_some_and(is_of_objects)
}

/// The type of members that are not objects.
#[inline(always)]
fn built_in(member_type: Option<&ContainerType>) -> TypedBy<'static> {
    match member_type {
        Some(ContainerType::Builtin(built_in)) => TypedBy::Builtin(*built_in),
        _ => TypedBy::Any,
    }
}
