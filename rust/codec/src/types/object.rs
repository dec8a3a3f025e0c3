//! `Object`, as an id or as class and properties.

use alloc::{borrow::ToOwned, boxed::Box, string::String};

use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::profile::ObjectForms;
use crate::read::machine::{Frame, Item, Reader};
use crate::variant::{ContainerHash, KeyContext, Object};
use crate::wire::{FLAG_OBJECT_ID, SCRIPT_PATH_PREFIX, SCRIPT_PROPERTY, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Variant, VariantType};

/// A full object whose properties are being read.
pub(crate) struct ObjectFrame<'a, B: Builder<'a>> {
    object: B::Object,
    count: usize,
    read: usize,
    start: usize,
    /// The name of the property whose value is being read.
    name: Option<&'a str>,
    /// What the properties hash to so far, where the object is part of a key.
    pub(crate) hash: Option<Box<ContainerHash>>,
}

impl<'a, B: Builder<'a>> ObjectFrame<'a, B> {
    pub(crate) fn name(&self) -> Option<&'a str> {
        self.name
    }
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// The id form, and whether it is more than a null object.
    pub(crate) fn read_object_id(&mut self, start: usize) -> Result<(B::Value, bool), DecodeError> {
        let id = self.cursor.u64()?;
        if id == 0 {
            self.require_null_form(false, start)?;
            return Ok((self.builder.null_object(), false));
        }
        self.charge(const { B::COSTS.object_id }, 0)?;
        Ok((self.builder.object_id(id), true))
    }

    pub(crate) fn open_object(&mut self, start: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        if !self.options.objects {
            return Err(DecodeError::new(DecodeErrorKind::ObjectNotAllowed, start));
        }
        let class = self.read_text_field()?;
        if class.is_empty() {
            self.require_null_form(true, start)?;
            let value = self.builder.null_object();
            self.tell_span(start);
            let hash = self.hasher.leaf(&Variant::Object(Object::Null), KeyContext::Key);
            return Ok(Some(Item { value, variant_type: VariantType::Object, is_object_id: false, start, hash }));
        }
        let offset = self.cursor.position();
        let count = self.cursor.u32()?.cast_signed();
        self.require(count >= 0, offset, "negative count of properties, read as none")?;
        let count = self.check_count(u32::try_from(count).unwrap_or(0), 2 * WORD, offset)?;
        self.charge(
            count.saturating_mul(const { B::COSTS.property }).saturating_add(const { B::COSTS.object }),
            count,
        )?;
        let hash = self.open_hash(VariantType::Object);
        let object = self.begin(start, |builder| builder.begin_object(class, count))?;
        self.owed += count * 2 * WORD;
        let frame = ObjectFrame { object, count, read: 0, start, name: None, hash };
        if count == 0 {
            return self.close_object(frame).map(Some);
        }
        self.push_frame(Frame::Object(frame))?;
        self.read_property_name()?;
        Ok(None)
    }

    /// Reads the beginning of a full object, up to the number of its properties; 0 too where it is null.
    pub(crate) fn read_object_opening(&mut self) -> Result<i32, DecodeError> {
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
        self.require(writes, start, "null object in a form that is not written")
    }

    fn read_property_name(&mut self) -> Result<(), DecodeError> {
        let start = self.cursor.position();
        let name = self.read_text_field()?;
        self.owed = self.owed.saturating_sub(WORD);
        let Some(Frame::Object(frame)) = self.frames.last_mut() else { return Ok(()) };
        frame.name = Some(name);
        let begun = self.builder.begin_property(&mut frame.object, name);
        begun.map_err(|kind| DecodeError::new(kind, start))?;
        self.tell_span(start);
        Ok(())
    }

    /// Puts a finished value into the innermost container, an object; gives the object where that finished it.
    pub(crate) fn add_property(&mut self, item: Item<B::Value>) -> Result<Option<Item<B::Value>>, DecodeError> {
        let Some(Frame::Object(frame)) = self.frames.last_mut() else { return Ok(Some(item)) };
        let name = frame.name.unwrap_or_default();
        if name == SCRIPT_PROPERTY && self.options.profile.script_as_path() {
            let invalid = match item.variant_type {
                VariantType::Nil => None,
                VariantType::String if self.last_text.starts_with(SCRIPT_PATH_PREFIX.as_bytes()) => None,
                VariantType::String => Some(DecodeErrorKind::InvalidScriptPath {
                    path: String::from_utf8_lossy(self.last_text).into_owned(),
                }),
                found => Some(DecodeErrorKind::ScriptNotPath { found }),
            };
            if let Some(kind) = invalid {
                return Err(DecodeError::new(kind, item.start));
            }
        }
        if let Some(hash) = &mut frame.hash {
            hash.push(item.hash);
        }
        let pushed = self.builder.push_property(&mut frame.object, name, item.value);
        pushed.map_err(|kind| DecodeError::new(kind, item.start))?;
        frame.name = None;
        frame.read += 1;
        if frame.read < frame.count {
            self.read_property_name()?;
            return Ok(None);
        }
        match self.frames.pop() {
            Some(Frame::Object(frame)) => self.close_object(frame).map(Some),
            _ => Ok(None),
        }
    }

    fn close_object(&mut self, frame: ObjectFrame<'a, B>) -> Result<Item<B::Value>, DecodeError> {
        let ObjectFrame { object, start, hash, .. } = frame;
        let value = self.builder.end_object(object).map_err(|kind| DecodeError::new(kind, start))?;
        let hash = self.close_hash(hash);
        Ok(Item { value, variant_type: VariantType::Object, is_object_id: false, start, hash })
    }
}

impl<S: Sink> Writer<'_, S> {
    /// A null object, as engines since 3.2 write it: `Nil`. Godot 3.0 and 3.1 write the id 0, or with full objects
    /// the empty class; before, there is nothing but the header.
    ///
    /// # Errors
    /// None with any engine known.
    pub fn null_object(&mut self) -> Result<(), EncodeErrorKind> {
        match self.options.profile.objects() {
            ObjectForms::HeaderAlone => self.header(VariantType::Object, 0),
            ObjectForms::NullInOwnForm if self.options.full_objects => self.header_and_word(VariantType::Object, 0),
            ObjectForms::NullInOwnForm => self.object_id(0),
            ObjectForms::NullAsNil if self.options.keeps_everything => self.object_id(0),
            ObjectForms::NullAsNil => self.nil(),
        }
    }

    /// An object known by its instance id: 12 bytes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::UnsupportedType`] before Godot 3.0, which writes nothing of an object.
    pub fn object_id(&mut self, id: u64) -> Result<(), EncodeErrorKind> {
        self.require_objects()?;
        self.header(VariantType::Object, FLAG_OBJECT_ID)?;
        self.sink.put(&id.to_le_bytes());
        Ok(())
    }

    /// Begins a full object of `count` properties; each name, by
    /// [`property_name`](Self::property_name), and its value follow.
    ///
    /// # Errors
    /// [`EncodeErrorKind::ObjectNotAllowed`] where full objects are not; [`EncodeErrorKind::TooLong`];
    /// [`EncodeErrorKind::UnsupportedType`] before Godot 3.0.
    pub fn begin_object(&mut self, class: &str, count: usize) -> Result<(), EncodeErrorKind> {
        self.require_objects()?;
        if !self.options.full_objects {
            return Err(EncodeErrorKind::ObjectNotAllowed);
        }
        self.header(VariantType::Object, 0)?;
        self.text_field(class)?;
        self.count(count)
    }

    /// The name of a property; its value follows.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    pub fn property_name(&mut self, name: &str) -> Result<(), EncodeErrorKind> {
        self.text_field(name)
    }

    fn require_objects(&self) -> Result<(), EncodeErrorKind> {
        if self.options.profile.objects() == ObjectForms::HeaderAlone {
            return Err(EncodeErrorKind::UnsupportedType { variant_type: VariantType::Object });
        }
        Ok(())
    }

    /// Checks the value of a property `script` as the engine does, which writes null or a `res://` path.
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
}
