//! Text as engines store it.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};
use core::cmp::Ordering;
use core::ops::Deref;
use core::str::FromStr;
use core::{char, fmt};

use super::short_text::{INLINE, ShortText};

/// Text: Unicode in almost every case, or any 32-bit units from an engine before Godot 4.
///
/// Those engines do not validate text. It can contain surrogates, which their Windows builds write for each character
/// beyond U+FFFF, and numbers beyond Unicode. Such units are preserved; the `str` form shows U+FFFD in their place.
///
/// Engines end text at a NUL, so no decoded text has one, and text with a NUL is refused when it is written. They drop a
/// byte order mark at its start. [`new`](Self::new) refuses both before.
///
/// It has no `Borrow<str>`: different texts that are not Unicode have the same `str` form.
///
/// ```
/// use varbytes::variant::Text;
///
/// let text = Text::from("héros");
/// assert_eq!(text, "héros");
/// assert!(text.is_unicode());
///
/// // An emoji as Godot 3 wrote it on Windows.
/// let halves = Text::from_units(&[0xD83D, 0xDE00, 0x21]);
/// assert_eq!(&*halves, "\u{FFFD}\u{FFFD}!");
/// assert_eq!(halves.units(), Some(&[0xD83D, 0xDE00, 0x21][..]));
/// assert_eq!(halves.with_surrogates_joined(), "😀!");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Text(Form);

/// Equal text is always stored in the same form: the first that fits.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    /// At most [`INLINE`] bytes of UTF-8, followed by zeros.
    Inline { length: u8, bytes: [u8; INLINE] },
    /// Longer Unicode text.
    Unicode(Box<str>),
    /// Text that engines cannot have in full: not Unicode, or with a NUL.
    Units(Box<Units>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Units {
    shown: String,
    units: Vec<u32>,
}

/// Why engines would not read text in full.
///
/// ```
/// use varbytes::variant::{Text, TextError};
///
/// assert_eq!(Text::new("a\0b"), Err(TextError::Nul { position: 1 }));
/// assert_eq!(Text::new("\u{FEFF}a"), Err(TextError::ByteOrderMark));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// The text contains a NUL, at which engines cut it.
    Nul {
        /// The position of the NUL in bytes of UTF-8.
        position: usize,
    },
    /// The text begins with a byte order mark, U+FEFF, which engines drop.
    ByteOrderMark,
}

impl fmt::Display for TextError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nul { position } => {
                write!(formatter, "the text has a NUL at byte {position}, and engines read only what precedes it")
            }
            Self::ByteOrderMark => formatter
                .write_str("the text begins with a byte order mark (U+FEFF), which engines drop when they read it"),
        }
    }
}

impl core::error::Error for TextError {}

impl Text {
    /// Creates text that engines read in full. `From` also takes text with a NUL, which cannot be written, and with a byte
    /// order mark at its start, which is lost when it is read.
    ///
    /// ```
    /// use varbytes::variant::Text;
    ///
    /// assert_eq!(Text::new("héros").unwrap(), "héros");
    /// assert!(Text::new("a\0b").is_err());
    /// ```
    ///
    /// # Errors
    /// [`TextError`] if the text contains a NUL or begins with a byte order mark.
    pub fn new(text: &str) -> Result<Self, TextError> {
        if text.starts_with('\u{FEFF}') {
            return Err(TextError::ByteOrderMark);
        }
        match text.bytes().position(|byte| byte == 0) {
            Some(position) => Err(TextError::Nul { position }),
            None => Ok(text.into()),
        }
    }

    /// Creates text from 32-bit units: code points or any other numbers.
    ///
    /// ```
    /// use varbytes::variant::Text;
    ///
    /// assert_eq!(Text::from_units(&[0x41, 0x1F600]), Text::from("A😀"));
    /// assert!(!Text::from_units(&[0xD800]).is_unicode());
    /// ```
    #[must_use]
    pub fn from_units(units: &[u32]) -> Self {
        let characters: Option<String> = units.iter().map(|unit| char::from_u32(*unit)).collect();
        characters.map_or_else(|| Self::from_other_units(units.to_owned()), Self::from)
    }

    #[cold]
    fn from_other_units(units: Vec<u32>) -> Self {
        Self(Form::Units(Box::new(Units { shown: shown(units.iter().copied()), units })))
    }

    /// Creates text that is known to have no NUL.
    #[inline]
    pub(crate) fn without_nul(text: &str) -> Self {
        match ShortText::of(text.as_bytes()) {
            Some(short) => Self::from_short(short),
            None => Self(Form::Unicode(text.into())),
        }
    }

    #[inline(always)]
    pub(crate) fn from_short(text: ShortText) -> Self {
        let mut bytes = [0; INLINE];
        let (words, rest) = bytes.as_chunks_mut::<8>();
        words[0] = text.words[0].to_le_bytes();
        words[1] = text.words[1].to_le_bytes();
        rest.copy_from_slice(&text.words[2].to_le_bytes()[..INLINE - 16]);
        #[expect(clippy::cast_possible_truncation, reason = "22 at most")]
        let length = text.length as u8;
        Self(Form::Inline { length, bytes })
    }

    /// Creates text from bytes that are known to be ASCII without NUL.
    #[inline]
    pub(crate) fn of_ascii(text: &[u8]) -> Self {
        match ShortText::of(text) {
            Some(short) => Self::from_short(short),
            None => Self::from_long_ascii(text),
        }
    }

    /// Creates text from bytes that are known to be ASCII and too long for inline storage.
    #[inline]
    pub(crate) fn from_long_ascii(text: &[u8]) -> Self {
        debug_assert!(text.is_ascii() && text.len() > INLINE);
        Self(Form::Unicode(str::from_utf8(text).unwrap_or_default().into()))
    }

    /// Returns whether the text is Unicode without a NUL, as Godot 4 requires. Then its `str` form is exact.
    ///
    /// ```
    /// assert!(varbytes::variant::Text::from("héros").is_unicode());
    /// ```
    #[must_use]
    pub const fn is_unicode(&self) -> bool {
        !matches!(self.0, Form::Units(_))
    }

    /// Returns the units of text that is not Unicode or has a NUL.
    ///
    /// ```
    /// use varbytes::variant::Text;
    ///
    /// assert_eq!(Text::from_units(&[0xD800]).units(), Some(&[0xD800][..]));
    /// assert_eq!(Text::from("héros").units(), None);
    /// ```
    #[must_use]
    pub fn units(&self) -> Option<&[u32]> {
        let Form::Units(units) = &self.0 else { return None };
        Some(&units.units)
    }

    /// Returns the text as a `str`, with U+FFFD in place of units that are not characters.
    ///
    /// Text of up to 22 bytes is stored inline and validated on each call; [`as_bytes`](Self::as_bytes) and comparisons
    /// do not validate it.
    ///
    /// ```
    /// assert_eq!(varbytes::variant::Text::from("héros").as_str(), "héros");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            // Always valid UTF-8. Without unsafe code, this has to be checked again.
            Form::Inline { .. } => str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Form::Unicode(text) => text,
            Form::Units(units) => &units.shown,
        }
    }

    /// Returns the UTF-8 of [`as_str`](Self::as_str).
    ///
    /// ```
    /// assert_eq!(varbytes::variant::Text::from("é").as_bytes(), [0xC3, 0xA9]);
    /// ```
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Form::Inline { length, bytes } => &bytes[..usize::from(*length).min(INLINE)],
            Form::Unicode(text) => text.as_bytes(),
            Form::Units(units) => units.shown.as_bytes(),
        }
    }

    /// Returns the length of inline text, and its bytes followed by zeros.
    #[inline]
    pub(crate) const fn inline(&self) -> Option<(usize, &[u8; INLINE])> {
        match &self.0 {
            Form::Inline { length, bytes } => Some((*length as usize, bytes)),
            _ => None,
        }
    }

    /// Returns the text as an owned string.
    ///
    /// ```
    /// let name: String = varbytes::variant::Text::from("Ada").into_string();
    /// assert_eq!(name, "Ada");
    /// ```
    #[must_use]
    pub fn into_string(self) -> String {
        match self.0 {
            Form::Inline { .. } => self.as_str().to_owned(),
            Form::Unicode(text) => text.into_string(),
            Form::Units(units) => units.shown,
        }
    }

    /// Returns the text with each pair of surrogates replaced by its character, and U+FFFD in place of other units that
    /// are not characters.
    ///
    /// ```
    /// let text = varbytes::variant::Text::from_units(&[0xD83D, 0xDE00]);
    /// assert_eq!(text.with_surrogates_joined(), "😀");
    /// ```
    #[must_use]
    pub fn with_surrogates_joined(&self) -> String {
        self.units().map_or_else(|| self.as_str().to_owned(), |units| shown(joined(units)))
    }
}

/// Replaces each high surrogate followed by a low one with its character.
pub(crate) fn joined(units: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let mut rest = units.iter().copied().peekable();
    core::iter::from_fn(move || {
        let unit = rest.next()?;
        if !matches!(unit, 0xD800..=0xDBFF) {
            return Some(unit);
        }
        Some(match rest.next_if(|low| matches!(low, 0xDC00..=0xDFFF)) {
            Some(low) => 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00),
            None => unit,
        })
    })
}

pub(crate) const fn is_surrogate(unit: u32) -> bool {
    matches!(unit, 0xD800..=0xDFFF)
}

fn shown(units: impl Iterator<Item = u32>) -> String {
    units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

impl Default for Text {
    fn default() -> Self {
        Self(Form::Inline { length: 0, bytes: [0; INLINE] })
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        if text.len() <= INLINE || text.as_bytes().contains(&0) {
            return Self::from(text.as_str());
        }
        Self(Form::Unicode(text.into_boxed_str()))
    }
}

impl From<&str> for Text {
    #[inline]
    fn from(text: &str) -> Self {
        if text.as_bytes().contains(&0) {
            return Self::from_other_units(text.chars().map(u32::from).collect());
        }
        Self::without_nul(text)
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&Self> for Text {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

/// The same as [`Text::into_string`].
impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.into_string()
    }
}

/// As a `str`, then by the units of text that is not Unicode.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes()).then_with(|| self.units().cmp(&other.units()))
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Text {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::new(text)
    }
}

/// As stored in a tree.
impl From<&str> for Box<Text> {
    fn from(text: &str) -> Self {
        Self::new(text.into())
    }
}

/// As stored in a tree.
impl From<String> for Box<Text> {
    fn from(text: String) -> Self {
        Self::new(text.into())
    }
}

/// Text that is not Unicode never equals a `str`.
impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        match self.units() {
            None => self.as_bytes() == other.as_bytes(),
            Some(units) => units.iter().copied().eq(other.chars().map(u32::from)),
        }
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}

macro_rules! equals_text {
    ($($text:ty),*) => {$(
        impl PartialEq<Text> for $text {
            fn eq(&self, other: &Text) -> bool {
                other == self
            }
        }
    )*};
}

equals_text!(str, &str, String);

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.units() {
            None => self.as_str().fmt(formatter),
            Some(units) if units.iter().any(|unit| char::from_u32(*unit).is_none()) => {
                write!(formatter, "units{units:X?}")
            }
            Some(_) => self.as_str().fmt(formatter),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

// Text is as large as a value of the tree, which stores its type in the unused bits.
const _: () = assert!(size_of::<Text>() == 24);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_that_are_characters_are_ordinary_text() {
        assert_eq!(Text::from_units(&[0x41, 0x1_F600]), Text::from("A😀"));
    }

    #[test]
    fn text_of_any_length_equals_only_itself() {
        for length in 0..=2 * INLINE {
            let text = "é".repeat(length / 2) + &"x".repeat(length % 2);
            assert_eq!(Text::from(&*text).as_str(), text);
            assert_eq!(Text::from(&*text), Text::from(text.clone()));
            assert_ne!(Text::from(&*text), Text::from(text.clone() + "\0"));
            let terminated = text.clone() + "\0";
            assert_eq!(Text::from(terminated.as_str()), terminated.as_str());
            assert_eq!(Text::from(&*text).into_string(), text);
        }
    }

    #[test]
    fn text_that_is_not_unicode_equals_only_itself() {
        let lone = Text::from_units(&[0xD800]);
        assert_eq!(lone, lone.clone());
        assert_ne!(lone, Text::from_units(&[0xD801]));
        assert_ne!(lone, Text::from("\u{FFFD}"));
        assert!(lone != "\u{FFFD}");
    }

    #[test]
    fn only_a_high_surrogate_before_a_low_one_is_joined() {
        let text = Text::from_units(&[0xDE00, 0xD83D, 0xD83D, 0xDE00, 0xD83D]);
        assert_eq!(text.with_surrogates_joined(), "\u{FFFD}\u{FFFD}😀\u{FFFD}");
    }
}
