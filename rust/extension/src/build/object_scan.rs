//! Tells packets with full objects from others before they are read: what comes before the first object would be built in vain.
//!
//! A wrong answer costs time, and changes nothing else.

use varbytes::VariantType;

use super::uncommon::{ARRAY, DICTIONARY, OBJECT};
use crate::raw::ELEMENT_SIZES;

type Word = [u8; 4];

const FIRST_PACKED: u32 = VariantType::PackedByteArray as u32;
const LAST_PACKED: u32 = VariantType::PackedVector4Array as u32;

/// Returns whether a packet is likely to have full objects.
pub(crate) fn seems_to_have_objects(bytes: &[u8]) -> bool {
    /// How many words are compared at once, without a branch.
    const AT_ONCE: usize = 16;
    match bytes.first() {
        Some(&OBJECT) => return true,
        Some(&(DICTIONARY | ARRAY)) => {}
        _ => return false,
    }
    let is_marked = |word: &Word| {
        let word = u32::from_le_bytes(*word);
        word == u32::from(OBJECT) || word.wrapping_sub(FIRST_PACKED) <= LAST_PACKED - FIRST_PACKED
    };
    // All values begin at a word.
    let words: &[Word] = bytes.as_chunks().0;
    let mut start = 0;
    while start < words.len() {
        let end = words.len().min(start + AT_ONCE);
        let mut next = end;
        if words[start..end].iter().fold(false, |is, word| is | is_marked(word)) {
            for at in (start..end).filter(|at| is_marked(&words[*at])) {
                if begins_object(&words[at..]) {
                    return true;
                }
                if let Some(length) = long_packed_array(&words[at..]) {
                    next = at + length;
                    break;
                }
            }
        }
        start = next;
    }
    false
}

fn begins_object(words: &[Word]) -> bool {
    const TYPE: Word = [OBJECT, 0, 0, 0];
    const LONGEST_NAME: u32 = 64;
    let [TYPE, length, letters, ..] = words else { return false };
    let length = u32::from_le_bytes(*length);
    let is_letter = |letter: &u8| letter.is_ascii_alphanumeric() || *letter == b'_';
    (1..=LONGEST_NAME).contains(&length) && letters.iter().take(length as usize).all(is_letter)
}

/// Returns the number of words if a packed array of many elements of a fixed size begins here.
fn long_packed_array(words: &[Word]) -> Option<usize> {
    const MANY: u32 = 64;
    let [header, count, elements @ ..] = words else { return None };
    let count = u32::from_le_bytes(*count);
    let variant_type = u32::from_le_bytes(*header).checked_sub(FIRST_PACKED)?;
    let size = usize::from(*ELEMENT_SIZES.get(variant_type as usize)?);
    let length = (count as usize).checked_mul(size)?.div_ceil(size_of::<Word>());
    (count >= MANY && size > 0 && length <= elements.len()).then_some(2 + length)
}

#[cfg(test)]
mod tests {
    use varbytes::{Encoder, Variant, variant};

    use super::seems_to_have_objects;

    fn has_objects(value: &Variant) -> bool {
        seems_to_have_objects(&Encoder::new().objects(true).encode(value).unwrap())
    }

    fn object() -> Variant {
        let data = varbytes::variant::ObjectData { class: "Resource".to_owned(), properties: Vec::new() };
        Variant::Object(varbytes::variant::Object::Data(data.into()))
    }

    #[test]
    fn an_object_is_found_wherever_it_is() {
        for before in 0..40 {
            let mut members: Vec<Variant> = (0..before).map(|number| variant!({"id": number, "name": "a b"})).collect();
            members.push(vec![7_i32; 1000].into());
            assert!(!has_objects(&Variant::from(members.clone())));
            members.extend([object(), 1.into()]);
            assert!(has_objects(&Variant::from(members)), "{before}");
        }
    }

    #[test]
    fn the_elements_of_a_long_packed_array_are_no_objects() {
        let elements = || Variant::from([24, 8, i32::from_le_bytes(*b"Reso")].repeat(100));
        assert!(!has_objects(&Variant::from(vec![elements()])));
        assert!(has_objects(&Variant::from(vec![elements(), object()])));
    }
}
