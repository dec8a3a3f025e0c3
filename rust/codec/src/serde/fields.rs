//! The values of a struct whose fields are the keys of a dictionary, in order.

use serde_core::Deserialize;
use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::error::DecodeError;
use crate::serde::error::unexpected;
use crate::serde::expected::Names;
use crate::serde::reader::{Mode, Order, State, ValueReader};

/// Values without their keys, which have been compared with the names of the fields. The type need not find out which
/// field a key is.
struct Fields<'r, 't, 'o, M> {
    reader: &'r mut ValueReader<'t, 'o, M>,
    /// The state of the reader before the next value, in registers as in `Entries`.
    state: State,
    /// The names of the fields after the next value.
    names: Names,
    has_next: bool,
    /// The depth of the values.
    depth: usize,
}

impl<'t, 'o, M> ValueReader<'t, 'o, M> {
    /// Reads the members of a dictionary as those of a sequence, if it has as many as there are names and begins with the
    /// first one. If another key follows than the next name, the value is an error, and `order` tells that it has to be
    /// read again with the keys.
    #[inline(always)]
    pub(super) fn read_fields<'de, V: Visitor<'de>>(
        &mut self,
        count: usize,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<Result<V::Value, DecodeError>, V>
    where
        M: Mode<'t, 'de>,
    {
        let mut names = names.iter();
        if self.order != Order::Expected || count != names.len() {
            return Err(visitor);
        }
        let (outer, mut state) = (self.outer(2 * count), self.state());
        match names.next() {
            Some(name) if self.take_key(name, &mut state).is_some() => {}
            _ => return Err(visitor),
        }
        let depth = self.depth;
        let read = visitor.visit_seq(Fields { reader: &mut *self, state, names, has_next: true, depth });
        if read.is_err() || self.input.reserved_bytes != outer {
            self.order = Order::Unexpected;
        }
        Ok(read)
    }

    /// Reads a key if it is this name.
    #[inline(always)]
    fn take_key(&self, name: &str, state: &mut State) -> Option<()> {
        state.reserved_words = state.reserved_words.checked_sub(2)?;
        self.take_expected(name, state)
    }
}

impl<'t, 'o, M> Fields<'_, 't, 'o, M> {
    #[inline(always)]
    fn next_value<T>(
        &mut self,
        read: impl FnOnce(&mut ValueReader<'t, 'o, M>) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, DecodeError> {
        if !self.has_next {
            return Ok(None);
        }
        self.reader.set_state(self.state);
        let value = match read(self.reader) {
            Ok(value) => value,
            Err(error) => {
                self.has_next = false;
                return Err(self.reader.lost(error));
            }
        };
        self.reader.find_end(self.state, self.depth)?;
        self.state = self.reader.state();
        match self.names.next() {
            Some(name) if self.reader.take_key(name, &mut self.state).is_none() => return Err(out_of_order()),
            next => self.has_next = next.is_some(),
        }
        Ok(Some(value))
    }
}

/// The error is not seen: the value is read again.
#[cold]
fn out_of_order() -> DecodeError {
    unexpected("fields in order", "fields in another order")
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for Fields<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        self.next_value(|reader| seed.deserialize(reader))
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, DecodeError> {
        self.next_value(|reader| T::deserialize(reader))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(usize::from(self.has_next) + self.names.len())
    }
}
