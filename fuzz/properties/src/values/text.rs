//! Text, valid Unicode and other.

use arbitrary::Result;
use varbytes::Profile;
use varbytes::variant::{NodePath, Text};

use super::Values;

/// The byte order mark, which readers drop from the start of a text.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

impl Values<'_, '_> {
    /// Returns text that the engine reads back unchanged: without a NUL, and without a byte order mark at the start.
    pub(super) fn text(&mut self) -> Result<Text> {
        if self.profile.text_is_unicode() || !self.input.ratio(1, 4)? {
            return Ok(Text::from(self.name()?.as_str()));
        }
        let mut units = self.many(Self::unit)?;
        if units.first() == Some(&u32::from(BYTE_ORDER_MARK)) {
            units.clear();
        }
        Ok(Text::from_units(&units))
    }

    /// Returns text that is valid Unicode in every engine, for example the name of a class.
    pub(super) fn name(&mut self) -> Result<String> {
        let length = self.input.int_in_range(0..=24)?.min(self.input.len());
        let bytes = self.input.bytes(length)?;
        let text = String::from_utf8_lossy(bytes);
        let text = text.split('\0').next().unwrap_or_default();
        Ok(text.trim_start_matches(BYTE_ORDER_MARK).to_owned())
    }

    /// Returns the name of a class, which is not empty, because that would be a null object.
    pub(super) fn class(&mut self) -> Result<String> {
        Ok(format!("C{}", self.name()?))
    }

    pub(super) fn script_path(&mut self) -> Result<String> {
        Ok(format!("res://{}", self.name()?))
    }

    /// Returns any unit of a text of an engine before Godot 4.
    fn unit(&mut self) -> Result<u32> {
        let unit: u32 = match self.input.int_in_range(0..=2)? {
            0 => u32::from(self.input.arbitrary::<u16>()?),
            1 => self.input.int_in_range(0xD800..=0xDFFF)?,
            _ => self.input.arbitrary::<u32>()? & 0x7FFF_FFFF,
        };
        // Surrogates are written as characters or spaces.
        const JOINING: [Profile; 2] = [Profile::GODOT_3_5, Profile::PANDEMONIUM_3_5];
        let is_joined = JOINING.contains(&self.profile) && (0xD800..=0xDFFF).contains(&unit);
        Ok(if unit == 0 || is_joined { 0x11_0000 } else { unit })
    }

    pub(super) fn node_path(&mut self) -> Result<NodePath> {
        let names = self.many(Self::text)?;
        let subnames = self.many(Self::text)?;
        let has_property = self.is_godot_2() && self.input.arbitrary()?;
        let property = if has_property { Some(self.text()?) } else { None };
        // Before Godot 4, an absolute path without names is the empty path.
        let is_empty = names.is_empty() && subnames.is_empty() && property.is_none();
        let absolute = self.input.arbitrary()? && (!is_empty || self.profile.has_rid_payload());
        Ok(NodePath { absolute, names, subnames, property })
    }
}
