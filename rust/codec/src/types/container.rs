//! The parts that arrays and dictionaries share: counts, declared types, and the hashes of containers in keys.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::coerce::member::Member;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::options::ReadOptions;
use crate::read::cursor::Cursor;
use crate::read::input::{Input, Item};
use crate::variant::{ContainerHash, ContainerType};
use crate::wire::{
    COUNT_SHARED, ENCODED_OBJECT_AS_ID, FIRST_KIND_SHIFT, FLAG_OBJECT_ID, KIND_BUILTIN, KIND_CLASS, KIND_MASK,
    KIND_NONE, KIND_SCRIPT, SCRIPT_PATH_PREFIX, SECOND_KIND_SHIFT, TYPE_MASK, WORD,
};
use crate::write::sink::Sink;
use crate::write::writer::{Writer, count_word};

/// The header of an array or a dictionary: everything up to its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContainerHeader {
    pub(crate) variant_type: VariantType,
    /// The type of the elements or the keys.
    pub(crate) first_type: Option<ContainerType>,
    /// The type of the values of a dictionary.
    pub(crate) second_type: Option<ContainerType>,
    pub(crate) count: usize,
    pub(crate) shared: bool,
    pub(crate) length: usize,
    /// The memory that a container with this header and without members is charged.
    pub(crate) memory: usize,
}

impl ContainerHeader {
    /// Reads the header at the start of `bytes`. `None` if the value there is not an array or a dictionary.
    pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Option<Self>, DecodeError> {
        let mut builder = TreeBuilder;
        let mut input = Input::new(Cursor::new(bytes), options, &mut builder);
        let header = input.cursor.u32()?;
        let Some(variant_type) = options.profile.type_of_header(header) else { return Ok(None) };
        if !variant_type.is_container() || variant_type == VariantType::Object {
            return Ok(None);
        }
        let memory = input.memory;
        let (first_type, second_type) = input.read_types(variant_type, header & !TYPE_MASK)?;
        if options.strict {
            input.check_header(variant_type, header, 0)?;
        }
        let (count, shared) = input.read_announced_count()?;
        let (count, length) = (count as usize, input.cursor.position());
        let memory = TreeBuilder::COSTS.value + memory - input.memory;
        Ok(Some(Self { variant_type, first_type, second_type, count, shared, length, memory }))
    }

    /// Returns the bytes of the header with a count of 1.
    pub(crate) fn for_one(&self, bytes: &[u8]) -> Vec<u8> {
        [&bytes[..self.length - WORD], &1u32.to_le_bytes()].concat()
    }

    pub(crate) fn is_dictionary(&self) -> bool {
        self.variant_type == VariantType::Dictionary
    }

    /// Returns the number of values of a member: an element, or the key and the value of an entry.
    pub(crate) fn values_of_member(&self) -> usize {
        if self.is_dictionary() { 2 } else { 1 }
    }

    pub(crate) fn is_typed(&self) -> bool {
        self.first_type.is_some() || self.second_type.is_some()
    }
}

/// The beginning of a container whose types are built-in ones other than `Object`.
#[derive(Clone, Copy)]
pub(crate) struct TypedContainer {
    pub(crate) is_array: bool,
    /// The types of the elements, or of the keys and the values.
    pub(crate) types: [Option<VariantType>; 2],
    pub(crate) count: u32,
}

impl TypedContainer {
    #[inline(always)]
    pub(crate) const fn variant_type(self) -> VariantType {
        if self.is_array { VariantType::Array } else { VariantType::Dictionary }
    }
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Moves past a declared type that is a built-in one.
    #[inline(always)]
    pub(crate) fn skip_type(&mut self) -> Result<(), DecodeError> {
        self.cursor.advance(WORD);
        self.charge(const { B::COSTS }.container_type, 0)
    }

    /// Returns what a built-in type other than `Object` requires of an array's members or a dictionary's keys.
    #[inline(always)]
    pub(crate) fn member_of(&self, declared: Option<VariantType>) -> Member {
        match (declared, self.options.profile.member_coercion()) {
            (Some(declared), Some(rule)) => Member::Builtin(declared, rule),
            _ => Member::Any,
        }
    }

    /// Reads the declared type of an array's elements, or the types of a dictionary's keys and values.
    pub(crate) fn read_types(
        &mut self,
        variant_type: VariantType,
        flags: u32,
    ) -> Result<(Option<ContainerType>, Option<ContainerType>), DecodeError> {
        let (is_typed, second_shift) = match variant_type {
            VariantType::Array | VariantType::Dictionary if flags == 0 => return Ok((None, None)),
            VariantType::Array => (self.options.profile.types_arrays(), None),
            VariantType::Dictionary => (self.options.profile.types_dictionaries(), Some(SECOND_KIND_SHIFT)),
            _ => return Ok((self.read_element_type(flags & FLAG_OBJECT_ID != 0)?, None)),
        };
        let kind = |shift: u32| if is_typed { flags >> shift & KIND_MASK } else { KIND_NONE };
        let first_type = self.read_container_type(kind(FIRST_KIND_SHIFT))?;
        Ok((first_type, self.read_container_type(second_shift.map_or(KIND_NONE, kind))?))
    }

    /// Reads the count, and whether the container is "shared": the highest bit, which engines after 2.1 ignore.
    pub(crate) fn read_announced_count(&mut self) -> Result<(u32, bool), DecodeError> {
        let offset = self.cursor.position();
        let count = self.cursor.u32()?;
        let shared = count & COUNT_SHARED != 0 && self.options.profile.has_shared_bit();
        self.require(shared || count & COUNT_SHARED == 0, offset + 3, "highest bit of a count is set")?;
        Ok((count & !COUNT_SHARED, shared))
    }

    /// Reads the type of the elements of one of Pandemonium's typed arrays.
    pub(crate) fn read_element_type(&mut self, as_ids: bool) -> Result<Option<ContainerType>, DecodeError> {
        let start = self.cursor.position();
        let word = self.cursor.u32()?;
        self.require(word & COUNT_SHARED == 0, start + 3, "highest bit of an element type is set")?;
        let id = word & !COUNT_SHARED;
        let known = u8::try_from(id).ok().and_then(|id| self.options.profile.type_of_id(id));
        let written_as_ids = known == Some(VariantType::Object) && !self.options.objects;
        self.require(as_ids == written_as_ids, start - 2, "id flag of a typed array does not match its element type")?;
        let element_type = match known {
            // No member fits this type, and the array keeps its number.
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

    /// Reads the type of a container's members, in the form that the kind in the header declares.
    fn read_container_type(&mut self, kind: u32) -> Result<Option<ContainerType>, DecodeError> {
        let start = self.cursor.position();
        let declared = match kind {
            KIND_NONE => return Ok(None),
            KIND_BUILTIN => {
                let id = self.cursor.u32()?;
                let known = u8::try_from(id).ok().and_then(|id| self.options.profile.type_of_id(id));
                let unknown = || DecodeError::new(DecodeErrorKind::UnknownContainerType { id }, start);
                ContainerType::Builtin(known.ok_or_else(unknown)?)
            }
            KIND_CLASS => ContainerType::Class(self.read_text_field()?.to_owned()),
            _ => ContainerType::Script(self.read_text_field()?.to_owned()),
        };
        let objects = self.options.objects;
        let ids = || Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()));
        let (offset, reason, read_as) = match declared {
            ContainerType::Builtin(VariantType::Nil) => (start - 2, "container typed with Nil, read as untyped", None),
            ContainerType::Builtin(VariantType::Object) if !objects => {
                (start - 2, "container of full objects, which are written as ids", ids())
            }
            ContainerType::Class(class) if !objects && class != ENCODED_OBJECT_AS_ID => {
                (start, "container typed with a class, whose objects are written as ids", ids())
            }
            ContainerType::Class(class) if class.is_empty() => {
                let any_object = Some(ContainerType::Builtin(VariantType::Object));
                (start - 2, "container typed with an empty class name", any_object)
            }
            ContainerType::Script(_) if !objects => {
                (start - 2, "container typed with a script, whose objects are written as ids", ids())
            }
            ContainerType::Script(path) if !path.starts_with(SCRIPT_PATH_PREFIX) => {
                return Err(DecodeError::new(DecodeErrorKind::InvalidScriptPath { path }, start));
            }
            as_declared => {
                self.charge_container_type(Some(&as_declared))?;
                return Ok(Some(as_declared));
            }
        };
        self.require(false, offset, reason)?;
        self.charge_container_type(read_as.as_ref())?;
        Ok(read_as)
    }

    /// Charges for a declared type, except its name as text.
    fn charge_container_type(&mut self, container_type: Option<&ContainerType>) -> Result<(), DecodeError> {
        self.charge(const { B::COSTS }.declared_type(container_type).0, 0)
    }

    /// Returns what a declared type requires of an array's members or a dictionary's keys.
    pub(crate) fn member(&self, container_type: Option<&ContainerType>) -> Member {
        self.options.profile.member_coercion().map_or(Member::Any, |rule| Member::new(container_type, rule))
    }

    /// Begins the members of a container, each of at least `words` words, after their count has been read. Charges
    /// `member_cost` for each of them, and `cost` for the container.
    #[inline(always)]
    pub(crate) fn begin_members(
        &mut self,
        (count, words): (u32, usize),
        (member_cost, cost): (usize, usize),
        values: usize,
        start: usize,
    ) -> Result<Members, DecodeError> {
        let count = self.check_count(count, words * WORD, self.cursor.position() - WORD)?;
        self.charge(count.saturating_mul(member_cost).saturating_add(cost), values * count)?;
        self.reserved_bytes += count * words * WORD;
        Ok(Members { count, read: 0, start, memory_left: self.memory_for_values(), hash: None })
    }
}

/// The members of an open container.
pub(crate) struct Members {
    pub(crate) count: usize,
    pub(crate) read: usize,
    pub(crate) start: usize,
    /// The [memory for values](Input::memory_for_values) that was left before the current member. Maintained only if members are
    /// converted.
    pub(crate) memory_left: usize,
    /// The hashes of the members so far, if the container is part of a key.
    pub(crate) hash: Option<Box<ContainerHash>>,
}

impl Members {
    #[inline(always)]
    pub(crate) const fn is_complete(&self) -> bool {
        self.read == self.count
    }

    /// Returns the level of the container within a key.
    pub(crate) fn level(&self) -> usize {
        self.hash.as_ref().map_or(0, |hash| hash.level)
    }

    /// Collects hashes of the members if the container is a key or part of a key at this level.
    pub(crate) fn hash_at(&mut self, variant_type: VariantType, level: Option<usize>) {
        // Boxed, because few containers need it and every open container would be larger.
        self.hash = level.map(|level| Box::new(ContainerHash::new(variant_type, level)));
    }

    #[inline(always)]
    pub(crate) fn end<'a, B: Builder<'a>>(
        self,
        input: &mut Input<'a, '_, B>,
        variant_type: VariantType,
        value: Result<B::Value, DecodeErrorKind>,
    ) -> Result<Item<B::Value>, DecodeError> {
        let value = value.map_err(DecodeError::at(self.start))?;
        let hash = self.hash.map_or(0, |hash| input.hasher.container(&hash));
        Ok(Item { value, variant_type, is_object_id: false, start: self.start, hash })
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Fast path: begins a container without types that is not "shared".
    #[inline]
    pub(crate) fn begin_untyped(&mut self, variant_type: VariantType, count: usize) -> Result<(), EncodeErrorKind> {
        self.header_and_word(variant_type, count_word(count)?)
    }

    /// Writes the count of a container that may be "shared", if the engine has such containers.
    #[inline]
    pub(crate) fn member_count(&mut self, count: usize, shared: bool) -> Result<(), EncodeErrorKind> {
        let is_shared = shared && self.options.profile.has_shared_bit();
        self.flagged_count(count, if is_shared { COUNT_SHARED } else { 0 })
    }

    pub(crate) fn kind(&self, container_type: Option<&ContainerType>) -> u32 {
        match container_type {
            None => KIND_NONE,
            Some(ContainerType::Builtin(_) | ContainerType::Unknown(_)) => KIND_BUILTIN,
            Some(ContainerType::Class(_)) => KIND_CLASS,
            // Without full objects, every class or script is written as the class of object ids.
            Some(ContainerType::Script(_)) if self.options.objects => KIND_SCRIPT,
            Some(ContainerType::Script(_)) => KIND_CLASS,
        }
    }

    pub(crate) fn container_type(&mut self, container_type: Option<&ContainerType>) -> Result<(), EncodeErrorKind> {
        match container_type {
            None => Ok(()),
            Some(ContainerType::Builtin(builtin)) => self.header(*builtin, 0),
            Some(ContainerType::Unknown(_)) => Err(EncodeErrorKind::UnsupportedContainerType),
            Some(_) if !self.options.objects => self.text_field(ENCODED_OBJECT_AS_ID),
            Some(ContainerType::Class(class)) => self.text_field(class),
            Some(ContainerType::Script(path)) if path.starts_with(SCRIPT_PATH_PREFIX) => self.text_field(path),
            Some(ContainerType::Script(path)) => Err(EncodeErrorKind::InvalidScriptPath { path: path.to_string() }),
        }
    }
}
