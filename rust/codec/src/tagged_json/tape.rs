//! JSON as a flat list of parts, so that neither reading nor dropping it recurses.

use alloc::{borrow::Cow, vec::Vec};

use json_event_parser::{JsonEvent, JsonSyntaxError, SliceJsonParser};

use crate::work;

/// One part of a JSON text. The members of a list or an object follow it on the tape.
#[derive(Debug)]
pub(super) enum Part<'t> {
    Null,
    Bool(bool),
    Number(Cow<'t, str>),
    Text(Cow<'t, str>),
    /// The key of an object member. Its value follows.
    Key(Cow<'t, str>),
    /// A list; its end is the position after its last member.
    List {
        end: usize,
    },
    /// An object; its end is the position after its last member.
    Object {
        end: usize,
    },
}

pub(super) struct Tape<'t> {
    parts: Vec<Part<'t>>,
}

impl<'t> Tape<'t> {
    pub(super) fn parse(text: &'t [u8]) -> Result<Self, JsonSyntaxError> {
        work::add_bytes(text.len());
        let mut parser = SliceJsonParser::new(text);
        let mut parts = Vec::new();
        let mut open = Vec::new();
        loop {
            let part = match parser.parse_next()? {
                JsonEvent::Null => Part::Null,
                JsonEvent::Boolean(value) => Part::Bool(value),
                JsonEvent::Number(number) => Part::Number(number),
                JsonEvent::String(text) => Part::Text(text),
                JsonEvent::ObjectKey(key) => Part::Key(key),
                JsonEvent::StartArray => {
                    open.push(parts.len());
                    Part::List { end: 0 }
                }
                JsonEvent::StartObject => {
                    open.push(parts.len());
                    Part::Object { end: 0 }
                }
                JsonEvent::EndArray | JsonEvent::EndObject => {
                    let after = parts.len();
                    if let Some(Part::List { end } | Part::Object { end }) =
                        open.pop().and_then(|position: usize| parts.get_mut(position))
                    {
                        *end = after;
                    }
                    continue;
                }
                JsonEvent::Eof => return Ok(Self { parts }),
            };
            work::add(1);
            parts.push(part);
        }
    }

    pub(super) fn part(&self, position: usize) -> &Part<'t> {
        self.parts.get(position).unwrap_or(&Part::Null)
    }

    /// Returns the position after the part at `position` and everything in it.
    pub(super) fn after(&self, position: usize) -> usize {
        match self.part(position) {
            Part::List { end } | Part::Object { end } => *end,
            _ => position + 1,
        }
    }

    /// Returns the positions of the members of the list at `position`; `None` if it is not a list.
    pub(super) fn members(&self, position: usize) -> Option<Members<'_, 't>> {
        match self.part(position) {
            Part::List { end } => Some(Members { tape: self, next: position + 1, end: *end }),
            _ => None,
        }
    }

    /// Returns the keys of the object at `position` and the positions of their values; `None` if it is not an object.
    pub(super) fn fields(&self, position: usize) -> Option<impl Iterator<Item = (&str, usize)>> {
        let Part::Object { end } = self.part(position) else { return None };
        let mut members = Members { tape: self, next: position + 1, end: *end };
        Some(core::iter::from_fn(move || {
            let key = members.next()?;
            let value = members.next()?;
            match self.part(key) {
                Part::Key(key) => Some((&**key, value)),
                _ => None,
            }
        }))
    }
}

/// Iterates over the positions of the members of a list.
#[derive(Clone)]
pub(super) struct Members<'p, 't> {
    tape: &'p Tape<'t>,
    next: usize,
    end: usize,
}

impl Iterator for Members<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.next >= self.end {
            return None;
        }
        work::add(1);
        let position = self.next;
        self.next = self.tape.after(position);
        Some(position)
    }
}
