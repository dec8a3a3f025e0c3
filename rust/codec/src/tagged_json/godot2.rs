//! Content of engines before Godot 4: text that is not Unicode, `Image` and `InputEvent`.

use alloc::{borrow::ToOwned, format};

use json_event_parser::JsonEvent;

use super::output::Output;
use super::parts::{Fault, fields, hex_bytes, list, single, string_at, unsigned};
use super::tape::{Part, Tape};
use crate::variant::{Image, InputEvent, InputEventKind, Modifiers, Text};
use crate::work;

impl Output {
    /// Writes text as a string, or as its units if it is not Unicode.
    pub(super) fn text(&mut self, text: &Text) {
        let Some(units) = text.units() else { return self.string(text) };
        self.event(JsonEvent::StartObject);
        self.key("code_units");
        self.list(units, |output, unit| output.number(*unit));
        self.event(JsonEvent::EndObject);
    }

    pub(super) fn image(&mut self, image: &Image) {
        self.event(JsonEvent::StartObject);
        image.numbers().into_iter().for_each(|named| self.named_number(named));
        self.key("data");
        self.hex(&image.data);
        self.event(JsonEvent::EndObject);
    }

    pub(super) fn input_event(&mut self, event: &InputEvent) {
        self.event(JsonEvent::StartObject);
        self.key("event");
        self.string(event.kind.name());
        self.named_number(("device", event.device));
        if let InputEventKind::Key { mut modifiers, .. } = event.kind {
            self.key("modifiers");
            let held = Modifiers::FIELDS.iter().filter(|(_, field)| *field(&mut modifiers));
            self.list(held, |output, (name, _)| output.string(name));
        }
        if let Some(named) = event.kind.named_number() {
            self.named_number(named);
        }
        if let InputEventKind::JoyMotion { value, .. } = event.kind {
            self.key("value");
            self.single(value);
        }
        self.event(JsonEvent::EndObject);
    }

    fn named_number(&mut self, (name, number): (&str, u32)) {
        self.key(name);
        self.number(number);
    }
}

/// Reads text from a string, or from units if it is not Unicode.
pub(super) fn text(tape: &Tape<'_>, position: usize) -> Result<Text, Fault> {
    if let Part::Text(text) = tape.part(position) {
        work::add_bytes(text.len());
        return Ok(Text::from(&**text));
    }
    match fields(tape, position, &["code_units"])? {
        [Some(units)] => Ok(Text::from_units(&list(tape, units, unsigned)?)),
        [None] => Err("expected a string or an object with `code_units`".to_owned()),
    }
}

pub(super) fn image(tape: &Tape<'_>, position: usize) -> Result<Image, Fault> {
    let fields = fields(tape, position, &["format", "mipmaps", "width", "height", "data"])?;
    let [Some(format), Some(mipmaps), Some(width), Some(height), Some(data)] = fields else {
        return Err("an Image must have `format`, `mipmaps`, `width`, `height` and `data`".to_owned());
    };
    Ok(Image {
        format: unsigned(tape, format)?,
        mipmaps: unsigned(tape, mipmaps)?,
        width: unsigned(tape, width)?,
        height: unsigned(tape, height)?,
        data: hex_bytes(string_at(tape, data, "`data`")?)?,
    })
}

pub(super) fn input_event(tape: &Tape<'_>, position: usize) -> Result<InputEvent, Fault> {
    let known = ["event", "device", "modifiers", "scancode", "button_index", "axis", "value", "index", "kind"];
    let [event, device, modifiers, scancode, button_index, axis, value, index, kind] = fields(tape, position, &known)?;
    let required = |name: &str, position: Option<usize>| position.ok_or_else(|| format!("`{name}` is missing"));
    let number = |name: &str, position| unsigned(tape, required(name, position)?);
    let kind = match string_at(tape, required("event", event)?, "`event`")? {
        "key" => {
            let mut held = Modifiers::default();
            for position in tape.members(required("modifiers", modifiers)?).ok_or("`modifiers` must be a list")? {
                let name = string_at(tape, position, "a modifier")?;
                let modifier = Modifiers::FIELDS.iter().find(|(known, _)| *known == name);
                let (_, field) = modifier.ok_or_else(|| format!("unknown modifier {name:?}"))?;
                *field(&mut held) = true;
            }
            InputEventKind::Key { modifiers: held, scancode: number("scancode", scancode)? }
        }
        "mouse_motion" => InputEventKind::MouseMotion,
        "mouse_button" => InputEventKind::MouseButton { button_index: number("button_index", button_index)? },
        "joy_motion" => {
            InputEventKind::JoyMotion { axis: number("axis", axis)?, value: single(tape, required("value", value)?)? }
        }
        "joy_button" => InputEventKind::JoyButton { button_index: number("button_index", button_index)? },
        "screen_touch" => InputEventKind::ScreenTouch { index: number("index", index)? },
        "screen_drag" => InputEventKind::ScreenDrag,
        "action" => InputEventKind::Action,
        "other" => InputEventKind::Other(number("kind", kind)?),
        other => return Err(format!("unknown event {other:?}")),
    };
    Ok(InputEvent { device: number("device", device)?, kind })
}
