//! `Image` and `InputEvent` of Godot 1 and 2.

use crate::VariantType;
use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::profile::UndefinedPadding;
use crate::read::input::Input;
use crate::variant::{Image, InputEvent, InputEventKind, Modifiers};
use crate::wire::WORD;
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// The bytes of an `InputEvent` before the data of its kind: kind, device and length.
const EVENT_HEAD: u32 = 12;

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_image(&mut self) -> Result<B::Value, DecodeError> {
        let start = self.cursor.position();
        let [format, mipmaps, width, height] = self.words()?;
        if format >= Image::FORMATS {
            return Err(DecodeError::new(DecodeErrorKind::UnknownImageFormat { format }, start));
        }
        let offset = self.cursor.position();
        let length = self.cursor.u32()?;
        let bytes = self.cursor.take(length as usize)?;
        self.charge_elements(bytes.len())?;
        self.charge(bytes.len().saturating_add(size_of::<Image>()), 0)?;
        self.skip_padding(bytes.len(), offset, UndefinedPadding::Strings)?;
        if bytes.is_empty() {
            let head = [format, mipmaps, width, height];
            self.require(head == [0; 4], start, "image without data, read as an empty one")?;
            return Ok(self.builder.image(&Image::default()));
        }
        Ok(self.builder.image(&Image { format, mipmaps, width, height, data: bytes.to_vec() }))
    }

    /// Reads an `InputEvent`. Its length field is ignored, as in the engine: the kind determines the length.
    pub(crate) fn read_input_event(&mut self) -> Result<B::Value, DecodeError> {
        let start = self.cursor.position();
        let [number, device, length] = self.words()?;
        let kind = match number {
            1 => {
                let mask_offset = self.cursor.position();
                let [mask, scancode] = self.words()?;
                let modifiers = Modifiers::from_mask(mask);
                self.require(modifiers.mask() == mask, mask_offset, "unknown modifier bits")?;
                InputEventKind::Key { modifiers, scancode }
            }
            2 => InputEventKind::MouseMotion,
            3 => InputEventKind::MouseButton { button_index: self.cursor.u32()? },
            4 => {
                let [axis, value] = self.words()?;
                InputEventKind::JoyMotion { axis, value: f32::from_bits(value) }
            }
            5 => InputEventKind::JoyButton { button_index: self.cursor.u32()? },
            6 => InputEventKind::ScreenTouch { index: self.cursor.u32()? },
            7 => InputEventKind::ScreenDrag,
            8 => InputEventKind::Action,
            other => InputEventKind::Other(other),
        };
        self.charge(size_of::<InputEvent>(), 0)?;
        let counted = EVENT_HEAD + 4 * data_of(kind).1;
        self.require(length == counted, start + 2 * WORD, "length of an InputEvent does not match its content")?;
        Ok(self.builder.input_event(&InputEvent { device, kind }))
    }

    pub(crate) fn words<const N: usize>(&mut self) -> Result<[u32; N], DecodeError> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.cursor.u32()?;
        }
        Ok(words)
    }
}

/// Returns the data of an event's kind, and the number of its words.
const fn data_of(kind: InputEventKind) -> ([u32; 2], u32) {
    match kind {
        InputEventKind::Key { modifiers, scancode } => ([modifiers.mask(), scancode], 2),
        InputEventKind::JoyMotion { axis, value } => ([axis, value.to_bits()], 2),
        InputEventKind::MouseButton { button_index: index }
        | InputEventKind::JoyButton { button_index: index }
        | InputEventKind::ScreenTouch { index } => ([index, 0], 1),
        _ => ([0; 2], 0),
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes an `Image` of Godot 1 and 2: format, mip maps, width, height, number of bytes, bytes, padding.
    /// [Example](Self)
    pub fn image(&mut self, image: &Image) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Image, 0)?;
        [image.format, image.mipmaps, image.width, image.height].iter().for_each(|word| self.word(*word));
        self.bytes_field(&image.data, false)
    }

    /// Writes an `InputEvent` of Godot 1 and 2: kind, device, length, and the data of its kind. [Example](Self)
    pub fn input_event(&mut self, event: &InputEvent) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::InputEvent, 0)?;
        let (data, length) = data_of(event.kind);
        let head = [event.kind.number(), event.device, EVENT_HEAD + 4 * length];
        head.iter().chain(&data[..length as usize]).for_each(|word| self.word(*word));
        Ok(())
    }
}
