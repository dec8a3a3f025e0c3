//! `NodePath`: the form since Godot 2, and the earlier form, which is a string.

use alloc::vec::Vec;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::coerce;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::profile::UndefinedPadding;
use crate::read::input::Input;
use crate::types::string::ReadText;
use crate::variant::{NodePath, Text};
use crate::wire::{NODE_PATH_ABSOLUTE, NODE_PATH_MARK, NODE_PATH_PROPERTY, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// Returns how many strings follow the head of a path, and whether the sum wraps around. The engine's additions wrap around too, so a
/// huge count of subnames can mean fewer strings.
const fn count_strings(names: u32, subnames: u32, flags: u32) -> (u32, bool) {
    let property = if flags & NODE_PATH_PROPERTY == 0 { 0 } else { 1 };
    let (subnames, subnames_wrap) = subnames.overflowing_add(property);
    let (total, total_wraps) = names.overflowing_add(subnames);
    (total, subnames_wrap || total_wraps)
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_node_path(&mut self) -> Result<B::Value, DecodeError> {
        let profile = self.options.profile;
        let start = self.cursor.position();
        let first = self.cursor.u32()?;
        if first & NODE_PATH_MARK == 0 {
            return self.read_obsolete_node_path(first, start);
        }
        let name_count = first & !NODE_PATH_MARK;
        let subname_count = self.cursor.u32()?;
        let flags = self.cursor.u32()?;
        let flags_offset = start + 2 * WORD;
        let has_property = profile.has_node_path_property() && flags & NODE_PATH_PROPERTY != 0;
        let known = if has_property { NODE_PATH_ABSOLUTE | NODE_PATH_PROPERTY } else { NODE_PATH_ABSOLUTE };
        self.require(flags & !known == 0, flags_offset, "unknown NodePath flags")?;
        let (total, wraps) = count_strings(name_count, subname_count, flags);
        self.require(!wraps, start, "number of strings in a NodePath overflows")?;
        self.check_count(total, WORD, start)?;
        // Engines write such paths but read them as empty paths.
        let is_lost = self.imitates_engine_bugs()
            && if total == 0 { !profile.keeps_root_path() } else { name_count == 0 && !profile.keeps_nameless_path() };
        let absolute = flags & NODE_PATH_ABSOLUTE != 0 && !is_lost;
        let total = total as usize;
        self.charge(total.saturating_mul(const { B::COSTS.name }).saturating_add(const { B::COSTS.node_path }), 0)?;
        let name_count = (name_count as usize).min(total);
        let mut borrowed = Vec::with_capacity(total);
        let mut owned: Option<Vec<Text>> = None;
        for _ in 0..total {
            let text = match self.read_plain_text_field() {
                Some(text) => ReadText::Borrowed(text),
                None => self.read_any_text_field(UndefinedPadding::NodePaths)?,
            };
            match (text, &mut owned) {
                (ReadText::Borrowed(text), None) => borrowed.push(text),
                (text, Some(owned)) => owned.push(text.into_text()),
                (ReadText::Owned(text), None) => {
                    owned = Some(borrowed.iter().map(|text| Text::without_nul(text)).chain([text]).collect());
                }
            }
        }
        if is_lost {
            return Ok(self.builder.node_path(false, &[], &[]));
        }
        if owned.is_none() && !has_property {
            let (names, subnames) = borrowed.split_at(name_count);
            return Ok(self.builder.node_path(absolute, names, subnames));
        }
        let mut names = owned.unwrap_or_else(|| borrowed.iter().map(|text| Text::without_nul(text)).collect());
        let mut subnames = names.split_off(name_count);
        let property = if has_property { subnames.pop() } else { None };
        Ok(self.builder.owned_node_path(&NodePath { absolute, names, subnames, property }))
    }

    /// Reads a path without building it, for a reader that does not need it.
    #[cfg(feature = "serde")]
    pub(crate) fn skip_node_path(&mut self) -> Result<(), DecodeError> {
        let start = self.cursor.position();
        let mut head = self.cursor.at(start);
        let (names, subnames, flags) = (head.u32()?, head.u32(), head.u32());
        if names & NODE_PATH_MARK == 0 {
            return self.read_node_path().map(|_| ());
        }
        let (total, _) = count_strings(names & !NODE_PATH_MARK, subnames?, flags?);
        self.cursor = head;
        self.check_count(total, WORD, start)?;
        let total = total as usize;
        self.charge(total.saturating_mul(const { B::COSTS.name }).saturating_add(const { B::COSTS.node_path }), 0)?;
        (0..total).try_for_each(|_| self.read_any_text_field(UndefinedPadding::NodePaths).map(|_| ()))
    }

    /// Reads the form that is a string. The engine's reader does not count its padding.
    fn read_obsolete_node_path(&mut self, length: u32, start: usize) -> Result<B::Value, DecodeError> {
        if !self.options.profile.reads_obsolete_node_path() {
            return Err(DecodeError::new(DecodeErrorKind::ObsoleteNodePath, start));
        }
        self.require(false, start + 3, "NodePath in the obsolete string form")?;
        let bytes = self.cursor.take(length as usize)?;
        let text = self.decode_any_text(bytes, start + WORD)?.into_text();
        // The path is owned in every builder, and its text exists twice for a short time.
        let names = coerce::node_path::most_names(text.as_bytes());
        self.charge(names.saturating_mul(size_of::<Text>()).saturating_add(B::COERCED_COSTS.node_path), 0)?;
        self.charge(2 * bytes.len(), 0)?;
        let path = coerce::node_path::parse(&text);
        Ok(self.builder.owned_node_path(&path))
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a `NodePath`: two counts, flags, then the names and subnames as string fields. [Example](Self)
    pub fn node_path(
        &mut self,
        absolute: bool,
        names: &[impl AsRef<str>],
        subnames: &[impl AsRef<str>],
    ) -> Result<(), EncodeErrorKind> {
        self.node_path_head(absolute, names.len(), subnames.len(), false)?;
        names.iter().try_for_each(|name| self.text_field(name.as_ref()))?;
        subnames.iter().try_for_each(|subname| self.text_field(subname.as_ref()))
    }

    /// Writes a `NodePath` from UTF-32, the form in which Godot 4 stores text. Units that are not characters are written as
    /// U+FFFD. [Example](Self)
    pub fn node_path_utf32<'t>(
        &mut self,
        absolute: bool,
        names: impl ExactSizeIterator<Item = &'t [u32]>,
        subnames: impl ExactSizeIterator<Item = &'t [u32]>,
    ) -> Result<(), EncodeErrorKind> {
        self.node_path_head(absolute, names.len(), subnames.len(), false)?;
        names.chain(subnames).try_for_each(|name| self.utf32_field(name, false))
    }

    /// Like [`node_path`](Self::node_path), for a [`NodePath`]. If the engine has no separate property, the property
    /// becomes the last subname, as every later engine reads it. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::NotUnicode`] if the engine accepts only Unicode.
    pub fn whole_node_path(&mut self, path: &NodePath) -> Result<(), EncodeErrorKind> {
        let has_property = path.property.is_some() && self.options.profile.has_node_path_property();
        let further = usize::from(path.property.is_some() && !has_property);
        self.node_path_head(path.absolute, path.names.len(), path.subnames.len() + further, has_property)?;
        let mut parts = path.names.iter().chain(&path.subnames).chain(&path.property);
        parts.try_for_each(|part| self.any_text_field(part, false))
    }

    fn node_path_head(
        &mut self,
        absolute: bool,
        names: usize,
        subnames: usize,
        has_property: bool,
    ) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::NodePath, 0)?;
        self.flagged_count(names, NODE_PATH_MARK)?;
        self.count(subnames)?;
        let absolute = if absolute { NODE_PATH_ABSOLUTE } else { 0 };
        self.word(absolute | if has_property { NODE_PATH_PROPERTY } else { 0 });
        Ok(())
    }
}
