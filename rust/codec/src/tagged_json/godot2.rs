//! Content of engines before Godot 4: text that is not Unicode, `Image` and `InputEvent`.

use alloc::{borrow::ToOwned, format};

use super::tape::{Fault, Json, Part};
use super::write::TaggedJsonBuilder;
use crate::variant::{Image, InputEvent, InputEventKind, Modifiers, Text};
use crate::work;

impl TaggedJsonBuilder {
    /// Writes text as a string, or as its units if it is not Unicode.
    pub(super) fn text(&mut self, text: &Text) {
        match text.units() {
            None => self.string(text),
            Some(units) => self.object(|json| json.key("code_units").list(units, |json, unit| json.number(*unit))),
        }
    }

    pub(super) fn image(&mut self, image: &Image) {
        self.object(|json| {
            image.numbers().into_iter().for_each(|(name, number)| json.key(name).number(number));
            json.key("data").bytes(&image.data);
        });
    }

    pub(super) fn input_event(&mut self, event: &InputEvent) {
        self.object(|json| {
            json.key("event").string(event.kind.name());
            json.key("device").number(event.device);
            if let InputEventKind::Key { mut modifiers, .. } = event.kind {
                let held = Modifiers::FIELDS.iter().filter(|(_, field)| *field(&mut modifiers));
                json.key("modifiers").list(held, |json, (name, _)| json.string(name));
            }
            if let Some((name, number)) = event.kind.named_number() {
                json.key(name).number(number);
            }
            if let InputEventKind::JoyMotion { value, .. } = event.kind {
                json.key("value").single(value);
            }
        });
    }
}

/// Reads text from a string, or from units if it is not Unicode.
pub(super) fn text(json: Json<'_, '_>) -> Result<Text, Fault> {
    if let Part::Text(text) = json.part() {
        work::add_bytes(text.len());
        return Ok(Text::from(&**text));
    }
    match json.fields(&["code_units"]) {
        Ok([Some(units)]) => Ok(Text::from_units(&units.list(Json::unsigned)?)),
        _ => Err("expected a string or an object with `code_units`".to_owned()),
    }
}

pub(super) fn image(json: Json<'_, '_>) -> Result<Image, Fault> {
    let fields = json.fields(&["format", "mipmaps", "width", "height", "data"])?;
    let [Some(format), Some(mipmaps), Some(width), Some(height), Some(data)] = fields else {
        return Err("an Image must have `format`, `mipmaps`, `width`, `height` and `data`".to_owned());
    };
    let (format, mipmaps) = (format.unsigned()?, mipmaps.unsigned()?);
    Ok(Image { format, mipmaps, width: width.unsigned()?, height: height.unsigned()?, data: data.bytes("`data`")? })
}

pub(super) fn input_event(json: Json<'_, '_>) -> Result<InputEvent, Fault> {
    let known = ["event", "device", "modifiers", "scancode", "button_index", "axis", "value", "index", "kind"];
    let fields = json.fields(&known)?;
    let required = |name: &str| {
        let field = known.iter().position(|known| *known == name).and_then(|index| fields[index]);
        field.ok_or_else(|| format!("`{name}` is missing"))
    };
    let number = |name: &str| required(name)?.unsigned();
    let kind = match required("event")?.string("`event`")? {
        "key" => {
            let mut modifiers = Modifiers::default();
            for modifier in required("modifiers")?.members().ok_or("`modifiers` must be a list")? {
                let name = modifier.string("a modifier")?;
                let modifier = Modifiers::FIELDS.iter().find(|(known, _)| *known == name);
                let (_, field) = modifier.ok_or_else(|| format!("unknown modifier {name:?}"))?;
                *field(&mut modifiers) = true;
            }
            InputEventKind::Key { modifiers, scancode: number("scancode")? }
        }
        "mouse_motion" => InputEventKind::MouseMotion,
        "mouse_button" => InputEventKind::MouseButton { button_index: number("button_index")? },
        "joy_motion" => InputEventKind::JoyMotion { axis: number("axis")?, value: required("value")?.single()? },
        "joy_button" => InputEventKind::JoyButton { button_index: number("button_index")? },
        "screen_touch" => InputEventKind::ScreenTouch { index: number("index")? },
        "screen_drag" => InputEventKind::ScreenDrag,
        "action" => InputEventKind::Action,
        "other" => InputEventKind::Other(number("kind")?),
        other => return Err(format!("unknown event {other:?}")),
    };
    Ok(InputEvent { device: number("device")?, kind })
}
