//! Where plain values are put.

use crate::build::ascii::Ascii;
use crate::build::builder::Builder;
use crate::error::DecodeErrorKind;

/// Where a value is put. Each kind of value is put there where it is made: a value that is made first, whatever kind it
/// is of, and moved then, has to be waited for.
pub(crate) trait Place<'a, B: Builder<'a>>: Sized {
    /// What there is when it is done.
    type Done;

    fn put(self, builder: &mut B, value: B::Value) -> Self::Done;
}

/// The value itself is wanted.
pub(crate) struct Given;

impl<'a, B: Builder<'a>> Place<'a, B> for Given {
    type Done = B::Value;

    #[inline(always)]
    fn put(self, _: &mut B, value: B::Value) -> B::Value {
        value
    }
}

/// The end of an array.
pub(crate) struct Element<'f, A>(pub(crate) &'f mut A);

impl<'a, B: Builder<'a>> Place<'a, B> for Element<'_, B::Array> {
    type Done = Result<(), DecodeErrorKind>;

    #[inline(always)]
    fn put(self, builder: &mut B, value: B::Value) -> Self::Done {
        builder.push_element(self.0, value)
    }
}

/// The end of a dictionary, behind a key.
pub(crate) struct Entry<'f, 'a, D, V> {
    pub(crate) dictionary: &'f mut D,
    pub(crate) key: PlainKey<'a, V>,
}

impl<'a, B: Builder<'a>> Place<'a, B> for Entry<'_, 'a, B::Dictionary, B::Value> {
    type Done = Result<(), DecodeErrorKind>;

    #[inline(always)]
    fn put(self, builder: &mut B, value: B::Value) -> Self::Done {
        match self.key {
            PlainKey::Text(text) => {
                let key = builder.ascii_string(text);
                builder.push_entry(self.dictionary, key, value, None)
            }
            PlainKey::Int(number) => {
                let key = builder.int(number);
                builder.push_entry(self.dictionary, key, value, None)
            }
            PlainKey::Made(key) => builder.push_entry(self.dictionary, key, value, None),
        }
    }
}

/// A key that was read.
pub(crate) enum PlainKey<'a, V> {
    Text(Ascii<'a>),
    Int(i64),
    /// Longer text.
    Made(V),
}

impl<'a, V> PlainKey<'a, V> {
    pub(crate) fn made<B: Builder<'a, Value = V>>(self, builder: &mut B) -> V {
        match self {
            Self::Text(text) => builder.ascii_string(text),
            Self::Int(number) => builder.int(number),
            Self::Made(key) => key,
        }
    }
}
