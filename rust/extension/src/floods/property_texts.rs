//! Counts the names that the engine can create from text of properties.
//!
//! A property that is a StringName or a NodePath accepts Strings, and one that is an Array or a Dictionary of these accepts their members.
//! The engine then creates names that the packet does not have as names. Not every such String becomes a name: all are counted.

use std::hash::BuildHasher;

use godot::builtin::Variant;
use varbytes::DecodeErrorKind;

use super::names::Names;
use crate::raw::{self, View};

/// The characters of Strings in one packet that are not counted: names of so many take little time, even if all collide.
const UNCOUNTED: usize = 4096;

/// The Strings of the objects of one packet.
#[derive(Default)]
pub(crate) struct PropertyTexts {
    /// The characters of all Strings, and one for each.
    length: usize,
    names: Names,
}

impl PropertyTexts {
    /// Counts the Strings of a value before a property is set to it.
    ///
    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if the names would take too many steps.
    #[inline]
    pub(crate) fn count(&mut self, value: &Variant) -> Result<(), DecodeErrorKind> {
        let is_refused = match raw::view(value) {
            View::String(chars) => self.is_refused(chars),
            View::Strings(texts) => texts.iter().any(|text| self.is_refused(raw::chars(text))),
            View::Array => raw::members(value).iter().any(|member| self.is_text_refused(member)),
            View::Dictionary => {
                let (mut entries, mut is_refused) = (raw::Entries::of(value), false);
                while let Some((key, value)) = entries.next() {
                    is_refused |= self.is_text_refused(key) || self.is_text_refused(value);
                }
                is_refused
            }
            _ => false,
        };
        if is_refused { Err(super::flood("names of properties collide in the engine's hash table")) } else { Ok(()) }
    }

    fn is_text_refused(&mut self, value: &Variant) -> bool {
        matches!(raw::view(value), View::String(chars) if self.is_refused(chars))
    }

    #[inline]
    fn is_refused(&mut self, chars: &[u32]) -> bool {
        self.length += chars.len() + 1;
        self.length > UNCOUNTED && self.are_names_refused(chars)
    }

    /// Counts the text as one name, and its parts as the names of a path.
    #[inline(never)]
    fn are_names_refused(&mut self, chars: &[u32]) -> bool {
        const SEPARATORS: [u32; 2] = ['/' as u32, ':' as u32];
        let mut count = |name: &[u32]| self.names.count(|seed| seed.hash_one(name), || raw::hash_of_chars(name));
        let mut parts = chars.split(|char| SEPARATORS.contains(char));
        let is_refused = count(chars);
        let has_parts = parts.clone().nth(1).is_some();
        is_refused || has_parts && parts.any(count)
    }
}
