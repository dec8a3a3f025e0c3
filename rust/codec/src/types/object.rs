//! `Object`, which is an id or a class with properties; `Callable` and `Signal`.

use alloc::{borrow::ToOwned, string::String};

use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::path::Step;
use crate::profile::ObjectForms;
use crate::read::input::{Input, Item};
use crate::types::container::Members;
use crate::wire::{FLAG_OBJECT_ID, SCRIPT_PATH_PREFIX, SCRIPT_PROPERTY, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Variant, VariantType};

/// A full object whose properties are being read.
pub(crate) struct ObjectFrame<'a, B: Builder<'a>> {
    object: B::Object,
    pub(crate) members: Members,
    /// The name of the property whose value is being read.
    pub(crate) name: Option<&'a str>,
}

impl<'a, B: Builder<'a>> ObjectFrame<'a, B> {
    pub(crate) fn read_name(&mut self, input: &mut Input<'a, '_, B>) -> Result<(), DecodeError> {
        let start = input.cursor.position();
        let name = input.read_name_field()?;
        input.reserved_bytes = input.reserved_bytes.saturating_sub(WORD);
        self.name = Some(name);
        input.builder.begin_property(&mut self.object, name).map_err(DecodeError::at(start))?;
        input.report_span(start);
        Ok(())
    }

    /// Adds the finished value of a property, and reads the next name if there is one.
    pub(crate) fn add(&mut self, input: &mut Input<'a, '_, B>, item: Item<B::Value>) -> Result<(), DecodeError> {
        let name = self.name.unwrap_or_default();
        if name == SCRIPT_PROPERTY && input.options.profile.script_as_path() {
            let invalid = match item.variant_type {
                VariantType::Nil => None,
                VariantType::String if input.last_text.starts_with(SCRIPT_PATH_PREFIX.as_bytes()) => None,
                VariantType::String => Some(DecodeErrorKind::InvalidScriptPath {
                    path: String::from_utf8_lossy(input.last_text).into_owned(),
                }),
                found => Some(DecodeErrorKind::ScriptNotPath { found }),
            };
            if let Some(kind) = invalid {
                return Err(DecodeError::new(kind, item.start));
            }
        }
        if let Some(hash) = &mut self.members.hash {
            hash.push(item.hash);
        }
        self.add_property(input, name, item.value, item.start)
    }

    /// Adds the value of a property, which has been checked, and reads the next name if there is one.
    #[inline]
    pub(crate) fn add_property(
        &mut self,
        input: &mut Input<'a, '_, B>,
        name: &'a str,
        value: B::Value,
        start: usize,
    ) -> Result<(), DecodeError> {
        input.builder.push_property(&mut self.object, name, value).map_err(DecodeError::at(start))?;
        self.name = None;
        self.members.read += 1;
        if self.members.is_complete() { Ok(()) } else { self.read_name(input) }
    }

    /// Returns the step of a path to what is being read.
    #[cold]
    pub(crate) fn step(&self) -> Step {
        match self.name {
            None => Step::Part("property name"),
            Some(name) => Step::Property(name.to_owned()),
        }
    }

    pub(crate) fn close(self, input: &mut Input<'a, '_, B>) -> Result<Item<B::Value>, DecodeError> {
        let Self { object, members, .. } = self;
        let value = input.builder.end_object(object);
        members.end(input, VariantType::Object, value)
    }
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Reads the id form, and returns whether it is an object that is not null.
    pub(crate) fn read_object_id(&mut self, start: usize) -> Result<(B::Value, bool), DecodeError> {
        let id = self.cursor.u64()?;
        if id == 0 {
            self.require_null_form(false, start)?;
            return Ok((self.builder.null_object(), false));
        }
        self.charge(const { B::COSTS.object_id }, 0)?;
        Ok((self.builder.object_id(id), true))
    }

    /// Reads class and number of properties; `None` for a null object.
    pub(crate) fn open_object(
        &mut self,
        start: usize,
        hash_level: Option<usize>,
    ) -> Result<Option<ObjectFrame<'a, B>>, DecodeError> {
        if !self.options.objects {
            return Err(DecodeError::new(DecodeErrorKind::ObjectNotAllowed, start));
        }
        let class = self.read_name_field()?;
        if class.is_empty() {
            self.require_null_form(true, start)?;
            return Ok(None);
        }
        let offset = self.cursor.position();
        let count = self.cursor.u32()?.cast_signed();
        self.require(count >= 0, offset, "negative property count, read as 0")?;
        let count = u32::try_from(count).unwrap_or(0);
        let mut members = self.begin_members((count, 2), const { (B::COSTS.property, B::COSTS.object) }, 1, start)?;
        members.hash_at(VariantType::Object, hash_level);
        let object = self.builder.begin_object(class, members.count);
        let object = self.begun(object, start)?;
        Ok(Some(ObjectFrame { object, members, name: None }))
    }

    /// Reads the header of a full object and returns the number of its properties, which is 0 for a null object.
    pub(crate) fn read_object_header(&mut self) -> Result<i32, DecodeError> {
        let start = self.cursor.position();
        self.cursor.u32()?;
        if !self.options.objects {
            return Err(DecodeError::new(DecodeErrorKind::ObjectNotAllowed, start));
        }
        if self.read_text_field()?.is_empty() {
            return Ok(0);
        }
        self.cursor.u32().map(u32::cast_signed)
    }

    /// In strict reading, refuses a null object in a form that the engine does not write.
    fn require_null_form(&self, in_full: bool, start: usize) -> Result<(), DecodeError> {
        let writes = self.options.profile.objects() == ObjectForms::NullInOwnForm && in_full == self.options.objects;
        self.require(writes, start, "null object in a form that this engine does not write")
    }

    pub(crate) fn read_signal(&mut self) -> Result<B::Value, DecodeError> {
        let name = self.read_text_field()?;
        let object_id = self.cursor.u64()?;
        self.charge(const { B::COSTS.signal }, 0)?;
        Ok(self.builder.signal(name, object_id))
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a null object: `Nil`, as engines since 3.2 do. Godot 3.0 and 3.1 write the id 0, or with full objects the
    /// empty class. Earlier engines write only the header. [Example](Self)
    pub fn null_object(&mut self) -> Result<(), EncodeErrorKind> {
        match self.options.profile.objects() {
            ObjectForms::HeaderAlone => self.header(VariantType::Object, 0),
            ObjectForms::NullInOwnForm if self.options.objects => self.header_and_word(VariantType::Object, 0),
            ObjectForms::NullInOwnForm => self.object_id(0),
            ObjectForms::NullAsNil => self.nil(),
        }
    }

    /// Writes an object as its instance id: 12 bytes. Engines before Godot 3.0 do not encode objects. [Example](Self)
    pub fn object_id(&mut self, id: u64) -> Result<(), EncodeErrorKind> {
        self.require_objects()?;
        self.header(VariantType::Object, FLAG_OBJECT_ID)?;
        self.sink.put(&id.to_le_bytes());
        Ok(())
    }

    /// Begins a full object of `count` properties. Write each name with [`property_name`](Self::property_name), and
    /// then its value. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::ObjectNotAllowed`] if full objects are not allowed.
    pub fn begin_object(&mut self, class: &str, count: usize) -> Result<(), EncodeErrorKind> {
        self.require_objects()?;
        if !self.options.objects {
            return Err(EncodeErrorKind::ObjectNotAllowed);
        }
        self.header(VariantType::Object, 0)?;
        self.text_field(class)?;
        self.count(count)
    }

    /// Writes the name of a property. Its value follows. [Example](Self)
    pub fn property_name(&mut self, name: &str) -> Result<(), EncodeErrorKind> {
        self.text_field(name)
    }

    fn require_objects(&self) -> Result<(), EncodeErrorKind> {
        if self.options.profile.objects() == ObjectForms::HeaderAlone {
            return Err(EncodeErrorKind::UnsupportedType { variant_type: VariantType::Object });
        }
        Ok(())
    }

    /// Checks the value of a property `script`: the engine writes only null or a `res://` path.
    pub(crate) fn check_script(&self, script: &Variant) -> Result<(), EncodeErrorKind> {
        if !self.options.profile.script_as_path() {
            return Ok(());
        }
        match script {
            Variant::Nil => Ok(()),
            Variant::String(path) if path.starts_with(SCRIPT_PATH_PREFIX) => Ok(()),
            Variant::String(path) => Err(EncodeErrorKind::InvalidScriptPath { path: path.as_str().to_owned() }),
            other => Err(EncodeErrorKind::ScriptNotPath { found: other.variant_type() }),
        }
    }

    /// Writes a `Callable`: 4 bytes. The target of the call is not encoded. [Example](Self)
    pub fn callable(&mut self) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Callable, 0)
    }

    /// Writes a `Signal`: a string field and the id of the object, also if full objects are allowed. [Example](Self)
    pub fn signal(&mut self, name: &str, object_id: u64) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Signal, 0)?;
        self.text_field(name)?;
        self.sink.put(&object_id.to_le_bytes());
        Ok(())
    }

    /// Writes a `Signal` as [`signal`](Self::signal) does, with a name of UTF-32, the form in which Godot 4 stores text. Units that are
    /// not characters are written as U+FFFD. [Example](Self)
    pub fn signal_utf32(&mut self, name: &[u32], object_id: u64) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Signal, 0)?;
        self.utf32_field(name, false)?;
        self.sink.put(&object_id.to_le_bytes());
        Ok(())
    }
}
