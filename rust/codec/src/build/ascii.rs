//! Text that is known to be ASCII.

use crate::variant::ShortText;

/// ASCII text without NUL, borrowed from a packet. Saves a builder that only needs the bytes the UTF-8 check.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Ascii<'a> {
    /// The input, starting at the text.
    rest: &'a [u8],
    length: usize,
    short: Option<ShortText>,
}

impl<'a> Ascii<'a> {
    /// The first `length` bytes of `rest`, which are ASCII.
    #[inline(always)]
    pub(crate) fn new(rest: &'a [u8], length: usize, short: Option<ShortText>) -> Self {
        Self { rest, length, short }
    }

    /// The bytes of the text.
    #[must_use]
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.rest.get(..self.length).unwrap_or_default()
    }

    /// The text as a `str`, which costs a UTF-8 check.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) const fn short(self) -> Option<ShortText> {
        self.short
    }
}
