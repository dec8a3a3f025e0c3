//! `Color` from a number and from text.

use alloc::string::String;

use super::color_names::COLOR_NAMES;
use crate::variant::Color;

/// The result for text that is not a color.
pub(crate) const BLACK: Color = Color { r: 0.0, g: 0.0, b: 0.0, a: 1.0 };

/// `Color.hex`: red in the highest of the lower 32 bits, alpha in the lowest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the engine drops the upper half too")]
pub(crate) fn from_int(number: i64) -> Color {
    from_rgba(number as u32)
}

/// Returns the color of an HTML code or a color name, black for other text.
pub(crate) fn from_text(text: &str) -> Color {
    rgba_of_code(text).or_else(|| rgba_of_name(text)).map_or(BLACK, from_rgba)
}

fn from_rgba(rgba: u32) -> Color {
    let components = rgba.to_be_bytes().map(|component| f32::from(component) / 255.0);
    Color::from(components)
}

/// Parses "#rgb", "#rgba", "#rrggbb" or "#rrggbbaa", with or without the "#".
fn rgba_of_code(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').unwrap_or(text).as_bytes();
    let short = digits.len() <= 4;
    let opaque = matches!(digits.len(), 3 | 6);
    if !opaque && !matches!(digits.len(), 4 | 8) {
        return None;
    }
    let mut rgba = 0;
    for digit in digits {
        let value = char::from(*digit).to_digit(16)?;
        // A short code has every digit doubled.
        rgba = if short { rgba << 8 | value << 4 | value } else { rgba << 4 | value };
    }
    Some(if opaque { rgba << 8 | 0xFF } else { rgba })
}

const LONGEST_NAME: usize = 24;

/// Returns the color of a name. Case and separators between words are ignored.
fn rgba_of_name(text: &str) -> Option<u32> {
    let mut name = String::new();
    for character in text.chars().filter(|character| !" -_'.".contains(*character)) {
        if name.len() > LONGEST_NAME {
            return None;
        }
        name.push(match character {
            // The engine compares in upper case, which maps these two to ASCII letters.
            'ı' => 'i',
            'ſ' => 's',
            other => other.to_ascii_lowercase(),
        });
    }
    let found = COLOR_NAMES.binary_search_by_key(&&name[..], |(known, _)| known).ok()?;
    Some(COLOR_NAMES[found].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values: observed on 4.6.3.

    #[test]
    fn a_component_is_its_byte_divided_by_255() {
        let components = from_int(0x0180_FF00).to_array().map(f32::to_bits);
        assert_eq!(components, [0x3B80_8081, 0x3F00_8081, 0x3F80_0000, 0]);
    }

    #[test]
    fn a_number_counts_with_its_lower_32_bits() {
        assert_eq!(from_int(-1), from_rgba(0xFFFF_FFFF));
        assert_eq!(from_int(0x1_2345_6789), from_rgba(0x2345_6789));
    }

    #[test]
    fn codes_have_one_or_two_digits_for_each_component() {
        for (code, rgba) in
            [("#1aF", 0x11AA_FFFF), ("1aF8", 0x11AA_FF88), ("#12aBcd", 0x12AB_CDFF), ("12aBcd78", 0x12AB_CD78)]
        {
            assert_eq!(from_text(code), from_rgba(rgba), "{code}");
        }
    }

    #[test]
    fn names_are_found_in_any_case_and_with_any_separators() {
        for name in ["ALICE_BLUE", "aliceblue", "Alice Blue", "a.l-i_c'e blue", "alıceblue"] {
            assert_eq!(from_text(name), from_rgba(0xF0F8_FFFF), "{name}");
        }
        assert_eq!(from_text("miſty rose"), from_rgba(0xFFE4_E1FF));
        assert_eq!(from_text("transparent"), from_rgba(0xFFFF_FF00));
    }

    #[test]
    fn any_other_text_is_black() {
        for text in ["", "#", "#red", "##fff", "fffff", "0x1234", "123456789", "re\td", "12345é"] {
            assert_eq!(from_text(text), BLACK, "{text}");
        }
    }

    #[test]
    fn the_names_are_sorted() {
        assert!(COLOR_NAMES.is_sorted_by(|(left, _), (right, _)| left < right));
    }
}
