//! `Serializer` for what a label precedes: the members of a typed container, and the properties of a full object.

use alloc::format;
use alloc::string::String;

use serde_core::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};

use crate::VariantType;
use crate::error::EncodeError;
use crate::path::Step;
use crate::serde::members::Members;
use crate::serde::names::{self, Declared};
use crate::serde::value_writer::Output;
use crate::variant::ContainerType;
use crate::wire::{SCRIPT_PATH_PREFIX, WORD};

/// What precedes the members.
pub(super) enum Label {
    /// The type of the members of an array, or of the keys of a dictionary.
    Member(Declared),
    /// The types of the keys and the values of a dictionary.
    Entries(Declared, Declared),
    /// The class of an object.
    Class(String),
}

impl Declared {
    fn container_type(self) -> Option<ContainerType> {
        match (self.variant_type, self.class) {
            (VariantType::Nil, _) => None,
            (builtin, None) => Some(ContainerType::Builtin(builtin)),
            (_, Some(path)) if path.starts_with(SCRIPT_PATH_PREFIX) => Some(ContainerType::Script(path.into())),
            (_, Some(class)) => Some(ContainerType::Class(class.into())),
        }
    }

    /// Adds a class that follows.
    fn with_class(self, class: &'static str) -> Self {
        Self { class: if self.class == Some("") { Some(class) } else { self.class }, ..self }
    }
}

/// Writes a container or an object with its label.
pub(super) struct Labelled<'w> {
    pub(super) output: Output<'w>,
    pub(super) label: Label,
}

impl<'w> Labelled<'w> {
    fn begin_array(self, length: Option<usize>) -> Result<LabelledMembers<'w>, EncodeError> {
        let Label::Member(declared) = self.label else { return Err(refused()) };
        let element_type = declared.container_type();
        let members = self.output.begin_with(length, |writer| writer.begin_array(0, element_type.as_ref()))?;
        Ok(LabelledMembers { members, label: self.label })
    }

    fn begin_entries(self, length: Option<usize>) -> Result<LabelledMembers<'w>, EncodeError> {
        let members = match &self.label {
            Label::Class(class) => self.output.begin_with(length, |writer| writer.begin_object(class, 0))?,
            Label::Entries(key, value) => {
                let [key, value] = [key, value].map(|declared| declared.container_type());
                self.output.begin_with(length, |writer| writer.begin_dictionary(0, key.as_ref(), value.as_ref()))?
            }
            Label::Member(_) => return Err(refused()),
        };
        Ok(LabelledMembers { members, label: self.label })
    }
}

#[cold]
fn refused() -> EncodeError {
    EncodeError::custom("a value of another form than the type of its field")
}

/// Members that are checked against their label.
pub(super) struct LabelledMembers<'w> {
    members: Members<'w>,
    label: Label,
}

impl LabelledMembers<'_> {
    /// Refuses a member of another type than the declared one, which the engine would convert or leave out.
    fn check(&self, declared: VariantType, start: usize) -> Result<(), EncodeError> {
        let header = self.members.written(start).first_chunk().map(|header| u32::from_le_bytes(*header));
        let found = header.and_then(|header| self.members.profile().type_of_header(header)).unwrap_or(VariantType::Nil);
        let is_null_object = declared == VariantType::Object && found == VariantType::Nil;
        if found == declared || declared == VariantType::Nil || is_null_object {
            return Ok(());
        }
        Err(EncodeError::custom(format!("expected {declared}, found {found}")))
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let (start, index) = (self.members.position(), self.members.count());
        self.members.element(value)?;
        let Label::Member(declared) = self.label else { return Err(refused()) };
        self.check(declared.variant_type, start).map_err(|error| error.within(Step::Index(index)))
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        let (start, index) = (self.members.position(), self.members.count());
        self.members.key(key)?;
        let checked = match self.label {
            // Names of properties have no header.
            Label::Class(_) => self.check(VariantType::String, start).map(|()| self.members.remove(start, WORD)),
            Label::Entries(declared, _) => self.check(declared.variant_type, start),
            Label::Member(_) => Err(refused()),
        };
        checked.map_err(|error| error.within(Step::Key(index)))
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match self.label {
            Label::Class(_) => self.members.property(value),
            Label::Entries(_, declared) => {
                let start = self.members.position();
                self.members.value(value)?;
                self.check(declared.variant_type, start).map_err(|error| self.members.within_last(error))
            }
            Label::Member(_) => Err(refused()),
        }
    }
}

impl SerializeSeq for LabelledMembers<'_> {
    type Ok = usize;
    type Error = EncodeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.element(value)
    }

    fn end(self) -> Result<usize, EncodeError> {
        self.members.finish()
    }
}

impl SerializeTuple for LabelledMembers<'_> {
    type Ok = usize;
    type Error = EncodeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.element(value)
    }

    fn end(self) -> Result<usize, EncodeError> {
        self.members.finish()
    }
}

impl SerializeMap for LabelledMembers<'_> {
    type Ok = usize;
    type Error = EncodeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.value(value)
    }

    fn end(self) -> Result<usize, EncodeError> {
        self.members.finish()
    }
}

impl SerializeStruct for LabelledMembers<'_> {
    type Ok = usize;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), EncodeError> {
        self.key(name)?;
        self.value(value)
    }

    fn end(self) -> Result<usize, EncodeError> {
        self.members.finish()
    }
}

macro_rules! refuse {
    ($($method:ident($($argument:ty),*) $(-> $returned:ident)?;)*) => {$(
        fn $method(self $(, _: $argument)*) -> Result<refuse!(@ $($returned)?), EncodeError> {
            Err(refused())
        }
    )*};
    (@) => { usize };
    (@ $returned:ident) => { Self::$returned };
}

impl<'w> Serializer for Labelled<'w> {
    type Ok = usize;
    type Error = EncodeError;
    type SerializeSeq = LabelledMembers<'w>;
    type SerializeTuple = LabelledMembers<'w>;
    type SerializeTupleStruct = Impossible<usize, EncodeError>;
    type SerializeTupleVariant = Impossible<usize, EncodeError>;
    type SerializeMap = LabelledMembers<'w>;
    type SerializeStruct = LabelledMembers<'w>;
    type SerializeStructVariant = Impossible<usize, EncodeError>;

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize, EncodeError> {
        let label = match (names::typed_of(name), self.label) {
            (Some(value_type), Label::Member(key_type)) => Label::Entries(key_type, value_type),
            (None, Label::Member(declared)) => Label::Member(declared.with_class(name)),
            (None, Label::Entries(key, value)) => Label::Entries(key, value.with_class(name)),
            (_, label) => label,
        };
        value.serialize(Labelled { output: self.output, label })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<usize, EncodeError> {
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<LabelledMembers<'w>, EncodeError> {
        self.begin_array(length)
    }

    fn serialize_tuple(self, length: usize) -> Result<LabelledMembers<'w>, EncodeError> {
        self.begin_array(Some(length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<LabelledMembers<'w>, EncodeError> {
        self.begin_entries(length)
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<LabelledMembers<'w>, EncodeError> {
        self.begin_entries(Some(length))
    }

    /// An object without properties.
    fn serialize_unit(self) -> Result<usize, EncodeError> {
        match self.label {
            Label::Class(_) => self.begin_entries(Some(0))?.members.finish(),
            _ => Err(refused()),
        }
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<usize, EncodeError> {
        self.serialize_unit()
    }

    refuse! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<usize, EncodeError> {
        Err(refused())
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
