//! Where the fast path writes values.

use crate::build::ascii::Ascii;
use crate::build::builder::Builder;
use crate::error::DecodeErrorKind;

/// Writes a value directly to its destination. Returning it through a common variable would cost a move.
pub(crate) trait Destination<'a, B: Builder<'a>>: Sized {
    type Done;

    fn put(self, builder: &mut B, value: B::Value) -> Self::Done;
}

pub(crate) struct Return;

impl<'a, B: Builder<'a>> Destination<'a, B> for Return {
    type Done = B::Value;

    #[inline(always)]
    fn put(self, _: &mut B, value: B::Value) -> B::Value {
        value
    }
}

pub(crate) struct Element<'f, A>(pub(crate) &'f mut A);

impl<'a, B: Builder<'a>> Destination<'a, B> for Element<'_, B::Array> {
    type Done = Result<(), DecodeErrorKind>;

    #[inline(always)]
    fn put(self, builder: &mut B, value: B::Value) -> Self::Done {
        builder.push_element(self.0, value)
    }
}

/// Appends an entry with a known key to a dictionary.
pub(crate) struct Entry<'f, 'a, D, V> {
    pub(crate) dictionary: &'f mut D,
    pub(crate) key: FastKey<'a, V>,
}

impl<'a, B: Builder<'a>> Destination<'a, B> for Entry<'_, 'a, B::Dictionary, B::Value> {
    type Done = Result<(), DecodeErrorKind>;

    #[inline(always)]
    fn put(self, builder: &mut B, value: B::Value) -> Self::Done {
        // One call for each kind of key, so that the key is built where it is stored.
        match self.key {
            FastKey::Text(text) => {
                let key = builder.ascii_string(text);
                builder.push_entry(self.dictionary, key, value, None)
            }
            FastKey::Int(number) => {
                let key = builder.int(number);
                builder.push_entry(self.dictionary, key, value, None)
            }
            FastKey::Built(key) => builder.push_entry(self.dictionary, key, value, None),
        }
    }
}

/// A key that was read by the fast path.
pub(crate) enum FastKey<'a, V> {
    Text(Ascii<'a>),
    Int(i64),
    /// A key that is already built, such as longer text.
    Built(V),
}

impl<'a, V> FastKey<'a, V> {
    #[inline(always)]
    pub(crate) fn build<B: Builder<'a, Value = V>>(self, builder: &mut B) -> V {
        match self {
            Self::Text(text) => builder.ascii_string(text),
            Self::Int(number) => builder.int(number),
            Self::Built(key) => key,
        }
    }
}
