//! What arrays and dictionaries share: counts, the types of their members, hashes of what is in a key.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::ToString;

use crate::build::builder::{Builder, DuplicateKeys};
use crate::coerce::member::Member;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::read::machine::{Frame, Item, Reader};
use crate::variant::{ContainerHash, ContainerType, KeyContext};
use crate::wire::{
    COUNT_SHARED, ENCODED_OBJECT_AS_ID, KIND_BUILTIN, KIND_CLASS, KIND_NONE, KIND_SCRIPT, SCRIPT_PATH_PREFIX,
};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{MemberConversion, VariantType};

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// The count as it stands there, and whether the array or dictionary is "shared": the highest bit, which every
    /// engine after 2.1 ignores.
    pub(crate) fn read_announced_count(&mut self) -> Result<(u32, bool), DecodeError> {
        let offset = self.cursor.position();
        let count = self.cursor.u32()?;
        let shared = count & COUNT_SHARED != 0 && self.options.profile.has_shared_bit();
        self.require(shared || count & COUNT_SHARED == 0, offset + 3, "highest bit of a count")?;
        Ok((count & !COUNT_SHARED, shared))
    }

    /// The type of the elements of one of Pandemonium's typed arrays.
    pub(crate) fn read_element_type(&mut self, as_ids: bool) -> Result<Option<ContainerType>, DecodeError> {
        let start = self.cursor.position();
        let word = self.cursor.u32()?;
        self.require(word & COUNT_SHARED == 0, start + 3, "highest bit of an element type")?;
        let id = word & !COUNT_SHARED;
        let known = u8::try_from(id).ok().and_then(|id| self.options.profile.type_of_id(id));
        let written_as_ids = known == Some(VariantType::Object) && !self.options.objects;
        self.require(as_ids == written_as_ids, start - 2, "flag of a typed array of objects")?;
        let element_type = match known {
            // Nothing fits, and the array keeps the number.
            None => Some(ContainerType::Unknown(id)),
            Some(VariantType::Nil) => None,
            Some(VariantType::Object) if as_ids => Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned())),
            Some(VariantType::Object) => {
                let header_offset = self.cursor.position();
                let header = self.cursor.u32()?;
                if self.options.profile.type_of_header(header) != Some(VariantType::StringName) {
                    return Err(DecodeError::new(DecodeErrorKind::ElementClassNotName, header_offset));
                }
                self.check_header(VariantType::StringName, header, header_offset)?;
                let class = self.read_text_field()?;
                Some(match class {
                    "" => ContainerType::Builtin(VariantType::Object),
                    class => ContainerType::Class(class.to_owned()),
                })
            }
            Some(builtin) => Some(ContainerType::Builtin(builtin)),
        };
        self.charge_container_type(element_type.as_ref())?;
        Ok(element_type)
    }

    /// The type of a container's members, as the kind in the header says it is given.
    #[inline]
    pub(crate) fn read_container_type(&mut self, kind: u32) -> Result<Option<ContainerType>, DecodeError> {
        if kind == KIND_NONE { Ok(None) } else { self.read_given_container_type(kind) }
    }

    fn read_given_container_type(&mut self, kind: u32) -> Result<Option<ContainerType>, DecodeError> {
        let objects = self.options.objects;
        let start = self.cursor.position();
        let container_type = match kind {
            KIND_BUILTIN => {
                let id = self.cursor.u32()?;
                let known = u8::try_from(id).ok().and_then(|id| self.options.profile.type_of_id(id));
                match known {
                    None => return Err(DecodeError::new(DecodeErrorKind::UnknownContainerType { id }, start)),
                    Some(VariantType::Nil) => {
                        self.require(false, start - 2, "container typed with Nil, read as untyped")?;
                        None
                    }
                    Some(VariantType::Object) if !objects => {
                        self.require(false, start - 2, "container of objects where objects are ids")?;
                        Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()))
                    }
                    Some(builtin) => Some(ContainerType::Builtin(builtin)),
                }
            }
            KIND_CLASS => {
                let class = self.read_text_field()?;
                if !objects {
                    self.require(class == ENCODED_OBJECT_AS_ID, start, "class name where objects are ids")?;
                    Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()))
                } else if class.is_empty() {
                    self.require(false, start - 2, "container typed with an empty class name")?;
                    Some(ContainerType::Builtin(VariantType::Object))
                } else {
                    Some(ContainerType::Class(class.to_owned()))
                }
            }
            KIND_SCRIPT => {
                let path = self.read_text_field()?;
                if !objects {
                    self.require(false, start - 2, "script where objects are ids")?;
                    Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()))
                } else if path.starts_with(SCRIPT_PATH_PREFIX) {
                    Some(ContainerType::Script(path.to_owned()))
                } else {
                    let kind = DecodeErrorKind::InvalidScriptPath { path: path.to_string() };
                    return Err(DecodeError::new(kind, start));
                }
            }
            _ => None,
        };
        self.charge_container_type(container_type.as_ref())?;
        Ok(container_type)
    }

    /// Charges for a declared type, which has the name of its class or script for itself.
    fn charge_container_type(&mut self, container_type: Option<&ContainerType>) -> Result<(), DecodeError> {
        match container_type {
            None => Ok(()),
            Some(ContainerType::Builtin(_) | ContainerType::Unknown(_)) => {
                self.charge(const { B::COSTS.container_type }, 0)
            }
            Some(ContainerType::Class(name) | ContainerType::Script(name)) => {
                self.charge(const { B::COSTS.container_type }.saturating_add(name.len()), 0)
            }
        }
    }

    /// Whether values of typed dictionaries are checked, which no engine does.
    pub(crate) const fn checks_values(&self) -> bool {
        self.options.enforces_types || self.options.strict
    }

    /// What the type of an array's members or a dictionary's keys asks of them.
    pub(crate) fn member(&self, container_type: Option<&ContainerType>) -> Member {
        self.options.profile.member_conversion().map_or(Member::Any, |rule| Member::new(container_type, rule))
    }

    #[inline(always)]
    pub(crate) fn begin<T>(
        &mut self,
        start: usize,
        begin: impl FnOnce(&mut B) -> Result<T, DecodeErrorKind>,
    ) -> Result<T, DecodeError> {
        let begun = begin(self.builder).map_err(|kind| DecodeError::new(kind, start))?;
        self.tell_span(start);
        Ok(begun)
    }

    /// A member as its container's type wants it, charged for what it takes then. `memory_left` was left before it
    /// was read.
    #[cold]
    pub(crate) fn convert_member(
        &mut self,
        mut item: Item<B::Value>,
        (to, rule): (VariantType, MemberConversion),
        place: KeyContext,
        level: usize,
        memory_left: usize,
    ) -> Result<Item<B::Value>, DecodeError> {
        let of_source = memory_left.saturating_sub(self.memory);
        // What is left in the packet is copied first: its places, and at most its bytes.
        let of_copy = match const { B::COSTS.text_byte < B::CONVERTED_COSTS.text_byte } {
            true => of_source + (self.cursor.position() - item.start),
            false => 0,
        };
        self.charge(of_copy, 0).map_err(|error| error.with_offset(item.start))?;
        item.value = B::detach(item.value);
        self.charge_conversion(&item, to)?;
        let converted = self.builder.convert(item.value, to, rule, self.options.build());
        item.value = converted.map_err(|kind| DecodeError::new(kind, item.start))?;
        item.variant_type = to;
        // What it was made of is gone.
        self.memory += of_source + of_copy;
        if let Some(tree) = B::as_variant(&item.value) {
            item.hash = self.hasher.tree((&*tree).into(), place, level);
        }
        Ok(item)
    }

    /// An account of the hashes of a container's members, where it is a dictionary's key or part of one.
    ///
    /// In a box of its own: hardly any container is one, and every open one would have to hold the room.
    pub(crate) fn open_hash(&self, variant_type: VariantType) -> Option<Box<ContainerHash>> {
        if !self.hashes_next() {
            return None;
        }
        let level = match self.frames.last() {
            Some(Frame::Array(frame)) => frame.hash.as_ref(),
            Some(Frame::Dictionary(frame)) => frame.hash.as_ref(),
            Some(Frame::Object(frame)) => frame.hash.as_ref(),
            None => None,
        };
        Some(Box::new(ContainerHash::new(variant_type, level.map_or(0, |hash| hash.level) + 1)))
    }

    /// The hash of a container from those of its members.
    pub(crate) fn close_hash(&mut self, hash: Option<Box<ContainerHash>>) -> u64 {
        hash.map_or(0, |hash| self.hasher.container(&hash))
    }
}

/// Lets the builder drop a member, if it can.
pub(crate) fn drop_member<'a, B: Builder<'a>>(start: usize) -> Result<(), DecodeError> {
    match B::DUPLICATE_KEYS {
        DuplicateKeys::Restarted => Err(DecodeError::new(DecodeErrorKind::NeedsTree, start)),
        DuplicateKeys::Ignored | DuplicateKeys::Merged => Ok(()),
    }
}

impl<S: Sink> Writer<'_, S> {
    /// The count of an array or dictionary, with its highest bit where the container is "shared" and the engine
    /// has that.
    #[inline]
    pub(crate) fn member_count(&mut self, count: usize, shared: bool) -> Result<(), EncodeErrorKind> {
        if !shared || !self.options.profile.has_shared_bit() {
            return self.count(count);
        }
        let length = i32::try_from(count).map_err(|_| EncodeErrorKind::TooLong { length: count })?;
        self.word(length.cast_unsigned() | COUNT_SHARED);
        Ok(())
    }

    pub(crate) fn kind(&self, container_type: Option<&ContainerType>) -> u32 {
        match container_type {
            None => KIND_NONE,
            Some(ContainerType::Builtin(_) | ContainerType::Unknown(_)) => KIND_BUILTIN,
            Some(ContainerType::Class(_)) => KIND_CLASS,
            // Where objects are ids, so is a script: any class of objects is written alike.
            Some(ContainerType::Script(_)) if self.options.full_objects => KIND_SCRIPT,
            Some(ContainerType::Script(_)) => KIND_CLASS,
        }
    }

    pub(crate) fn container_type(&mut self, container_type: Option<&ContainerType>) -> Result<(), EncodeErrorKind> {
        match container_type {
            None => Ok(()),
            Some(ContainerType::Builtin(builtin)) => match self.options.profile.type_id(*builtin) {
                Some(id) => {
                    self.word(u32::from(id));
                    Ok(())
                }
                None => Err(EncodeErrorKind::UnsupportedType { variant_type: *builtin }),
            },
            Some(ContainerType::Unknown(_)) => Err(EncodeErrorKind::UnsupportedContainerType),
            Some(_) if !self.options.full_objects => self.text_field(ENCODED_OBJECT_AS_ID),
            Some(ContainerType::Class(class)) => self.text_field(class),
            Some(ContainerType::Script(path)) if path.starts_with(SCRIPT_PATH_PREFIX) => self.text_field(path),
            Some(ContainerType::Script(path)) => Err(EncodeErrorKind::InvalidScriptPath { path: path.to_string() }),
        }
    }
}
