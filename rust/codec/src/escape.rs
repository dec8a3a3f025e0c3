//! Escapes and shortens text from untrusted input, so that it is safe to display.
//!
//! All text for display in this crate is escaped here: error messages, paths, losses of a migration,
//! [`inspect`](crate::inspect()) and `Debug` output. So a packet cannot control a terminal, forge a log line or make a
//! message long.
//!
//! ```
//! use varbytes::escape::{Escaped, shortened};
//!
//! assert_eq!(Escaped("a\n\u{1b}[2J\u{202e}b").to_string(), r"a\u{a}\u{1b}[2J\u{202e}b");
//! let long = format!("{}z", "a".repeat(999));
//! assert_eq!(shortened(long, 41).to_string(), "aaaaaaaaa…(983 characters)…aaaaaaaz");
//! ```

use alloc::collections::VecDeque;
use alloc::string::String;
use core::fmt::{self, Display, Write};

/// The greatest length of a message of this crate, in characters.
pub const MESSAGE_LENGTH: usize = 500;

/// The greatest length of an error description without its location, in characters.
pub(crate) const REASON_LENGTH: usize = 200;

/// The greatest length of a path in a message, in characters.
pub(crate) const PATH_LENGTH: usize = 160;

/// The greatest length of a name or value in a message, in characters.
pub(crate) const NAME_LENGTH: usize = 80;

/// Returns whether a character is escaped: it moves the cursor, ends a line, changes the order or look of the text
/// around it, or is invisible.
///
/// These are control characters, format characters (direction marks, zero-width characters, tags), line and paragraph
/// separators, spaces other than U+0020, fillers, variation selectors, and private-use or unassigned code points.
///
/// ```
/// use varbytes::escape::is_escaped;
///
/// assert!(is_escaped('\n') && is_escaped('\u{202e}'));
/// assert!(!is_escaped('é'));
/// ```
#[must_use]
pub fn is_escaped(character: char) -> bool {
    match character {
        ' '..='~' => false,
        other => is_invisible(other) || !is_printable(other),
    }
}

/// Returns whether a character is a control or format character, a separator, or default ignorable in Unicode.
const fn is_invisible(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}'
        | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether the standard library's Unicode tables show a character unescaped in the middle of a string.
fn is_printable(character: char) -> bool {
    let mut text = [b'x', 0, 0, 0, 0];
    let length = 1 + character.encode_utf8(&mut text[1..]).len();
    // A combining mark at the start of a string is escaped, so another character comes first.
    str::from_utf8(&text[..length]).is_ok_and(|text| text.escape_debug().nth(1) == Some(character))
}

/// Displays a value with all characters escaped that [`is_escaped`] names, as in `\u{1b}`. Nothing is cut.
///
/// ```
/// assert_eq!(varbytes::escape::Escaped("a\nb").to_string(), r"a\u{a}b");
/// ```
#[derive(Clone, Copy)]
pub struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaper(formatter), "{}", self.0)
    }
}

/// Displays a value escaped as by [`Escaped`] and in at most `length` characters.
///
/// If it is longer, the number of omitted characters replaces its middle, or `…` its end if `length` is less than 25.
///
/// ```
/// let log = varbytes::escape::shortened("ab\n".repeat(100), 30).to_string();
/// assert!(log.chars().count() <= 30 && !log.contains('\n'));
/// ```
pub fn shortened<T: Display>(value: T, length: usize) -> Shortened<T> {
    Shortened { value, length }
}

/// The result of [`shortened`].
///
/// ```
/// let shortened: varbytes::escape::Shortened<&str> = varbytes::escape::shortened("short", 80);
/// assert_eq!(shortened.to_string(), "short");
/// ```
#[derive(Clone, Copy)]
pub struct Shortened<T> {
    value: T,
    length: usize,
}

impl<T: Display> Display for Shortened<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends = Ends { length: self.length, head: String::new(), head_length: 0, tail: VecDeque::new(), cut: 0 };
        write!(Escaper(&mut ends), "{}", self.value)?;
        ends.write_to(formatter)
    }
}

/// Returns the first `length` characters of a value, escaped, and `…` if there are more. Stops formatting a long value
/// early.
pub(crate) fn beginning(value: impl Display, length: usize) -> String {
    let mut beginning = Beginning { text: String::new(), left: length };
    if write!(Escaper(&mut beginning), "{value}").is_err() {
        beginning.text.push('…');
    }
    beginning.text
}

/// Escapes characters in JSON that are invisible or change the text around them, as in `\u202e`. The JSON reads back to
/// the same value.
///
/// ```
/// assert_eq!(varbytes::escape::json("\"a\u{202e}b\"".to_owned()), r#""a\u202eb""#);
/// ```
#[must_use]
pub fn json(text: String) -> String {
    let needs = |character: &char| !character.is_ascii_graphic() && *character != '\n' && is_invisible(*character);
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) || !text.chars().any(|character| needs(&character)) {
        return text;
    }
    // Outside strings, JSON contains none of these characters but line ends. Inside strings, each one can be escaped.
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        if needs(&character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String does not fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Escapes text on its way to a writer.
struct Escaper<W>(W);

impl<W: Write> Write for Escaper<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_escaped(*character)) {
            self.0.write_str(&rest[..at])?;
            write!(self.0, "{}", character.escape_unicode())?;
            rest = &rest[at + character.len_utf8()..];
        }
        self.0.write_str(rest)
    }
}

/// Keeps the start and the end of a text.
struct Ends {
    /// The number of characters that may be shown.
    length: usize,
    head: String,
    head_length: usize,
    /// The last characters after the head, as many as may be shown with it.
    tail: VecDeque<char>,
    /// The number of characters omitted between head and tail.
    cut: usize,
}

/// Length of the mark for omitted characters, with a number of up to 9 digits.
const MARK: usize = "…(123456789 characters)…".len() - 4;

impl Ends {
    fn write_to(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.length <= MARK && self.cut > 0 {
            // `head` has `length` characters.
            let mut head = self.head.chars();
            return if head.next_back().is_some() { write!(formatter, "{}…", head.as_str()) } else { Ok(()) };
        }
        formatter.write_str(&self.head)?;
        let mut tail = self.tail.iter();
        if self.cut > 0 {
            let hidden = tail.by_ref().take(MARK).count();
            write!(formatter, "…({} characters)…", self.cut + hidden)?;
        }
        tail.try_for_each(|character| formatter.write_char(*character))
    }
}

impl Write for Ends {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let head = if self.length > MARK { (self.length - MARK).div_ceil(2) } else { self.length };
        let mut characters = text.chars();
        while self.head_length < head {
            let Some(character) = characters.next() else { return Ok(()) };
            self.head.push(character);
            self.head_length += 1;
        }
        for character in characters {
            self.tail.push_back(character);
            if self.head_length + self.tail.len() > self.length {
                self.tail.pop_front();
                self.cut += 1;
            }
        }
        Ok(())
    }
}

/// Keeps the start of a text and fails when there is more.
struct Beginning {
    text: String,
    left: usize,
}

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|character| {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(character);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn characters_that_hide_or_move_text_are_escaped() {
        let ranges = [
            0..=0x1f,
            0x7f..=0x9f,
            0xad..=0xad,
            0x61c..=0x61c,
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2060..=0x206f,
            0xe000..=0xf8ff,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xfff9..=0xfffb,
            0xe0000..=0xe0fff,
            0xf_0000..=0xf_ffff,
            0x10_0000..=0x10_ffff,
        ];
        for character in ranges.into_iter().flatten().filter_map(char::from_u32) {
            assert!(is_escaped(character), "{character:?}");
            let shown = Escaped(character).to_string();
            assert_eq!(shown, format!("\\u{{{:x}}}", u32::from(character)));
        }
    }

    #[test]
    fn text_of_any_language_is_unchanged() {
        let text = r#"Größe, naïve e\u{301}: "Приве́т" 你好、世界 हिन्दी ภาษาไทย 한국어 😀 \n {}"#;
        assert_eq!(Escaped(text).to_string(), text);
    }

    #[test]
    fn escaped_text_is_not_escaped_again() {
        let once = Escaped("\u{202e}\\").to_string();
        assert_eq!(Escaped(&once).to_string(), once);
    }

    #[test]
    fn text_of_any_length_is_cut_in_the_middle_to_the_limit() {
        for length in 0..600 {
            let text: String = ('a'..='z').cycle().take(length).collect();
            for limit in [40, 41, 160, 500] {
                let shown = shortened(&text, limit).to_string();
                if length <= limit {
                    assert_eq!(shown, text);
                } else {
                    assert!(shown.chars().count() <= limit, "{shown}");
                    let (head, rest) = shown.split_once("…(").unwrap();
                    let (cut, tail) = rest.split_once(" characters)…").unwrap();
                    assert!(text.starts_with(head) && text.ends_with(tail) && !tail.is_empty(), "{shown}");
                    assert_eq!(head.len() + cut.parse::<usize>().unwrap() + tail.len(), length);
                }
            }
        }
    }

    #[test]
    fn text_without_space_for_a_number_is_cut_at_its_end() {
        for limit in 0..=MARK {
            let shown = shortened("é".repeat(100), limit).to_string();
            assert_eq!(shown.chars().count(), limit);
            assert!(limit == 0 || shown.ends_with('…'), "{shown}");
        }
        assert_eq!(shortened("abcd", 4).to_string(), "abcd");
        assert_eq!(shortened("abcde", 4).to_string(), "abc…");
    }

    #[test]
    fn a_cut_beginning_ends_in_a_mark() {
        assert_eq!(beginning("abc", 3), "abc");
        assert_eq!(beginning("abcd", 3), "abc…");
        assert_eq!(beginning("a\u{7f}", 4), "a\\u{…");
    }

    #[test]
    fn json_keeps_line_ends_and_escapes_invisible_characters() {
        let text = "{\"a\u{7f}\u{9b}\": \"\u{2028}\u{e0041}é😀\"}\n";
        assert_eq!(json(text.into()), "{\"a\\u007f\\u009b\": \"\\u2028\\udb40\\udc41é😀\"}\n");
    }
}
