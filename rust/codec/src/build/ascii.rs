//! Text that is known to be ASCII.

use crate::variant::ShortText;

/// Text of a packet that is ASCII without NUL, for a builder that can do with less than a `str`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Ascii<'a> {
    /// The input from the text on.
    rest: &'a [u8],
    length: usize,
    short: Option<ShortText>,
}

impl<'a> Ascii<'a> {
    /// The text that `rest` begins with.
    #[inline(always)]
    pub(crate) fn new(rest: &'a [u8], length: usize, short: Option<ShortText>) -> Self {
        Self { rest, length, short }
    }

    /// Its bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.rest.get(..self.length).unwrap_or_default()
    }

    /// The same as a `str`, which has to be looked over once more.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) const fn short(self) -> Option<ShortText> {
        self.short
    }
}
