//! Describes the first difference between two byte strings or two values.

mod adjust;

use std::fmt;

use varbytes::variant::{Object, Visit, Walk};
use varbytes::write::Sink;
use varbytes::{Encoder, Path, Step, Variant};

pub(crate) use adjust::members_mut;
pub use adjust::{
    change_objects, change_scripts, erase_ids, forget_precision_of_empty, order_entries_as, replace_ids_by_objects,
    replace_lost_keys, widen,
};
use adjust::{replace_ids, replace_leaves};

/// The first difference between an expected and a found value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The vector.
    pub name: String,
    /// The difference: bytes at an offset with the hex of both, or a value.
    pub what: String,
    /// The path in the value.
    pub path: Path,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}, path {}", self.name, self.what, self.path)
    }
}

/// Bytes that a comparison ignores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    /// Padding that holds the content of the engine's memory.
    pub padding: UndefinedPadding,
    /// Ids of objects, which change with every run of an engine.
    pub ids: bool,
}

/// The padding that an engine leaves undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UndefinedPadding {
    /// None: all padding is zero.
    #[default]
    None,
    /// Padding of the strings of a `NodePath`.
    OfNodePaths,
    /// All padding.
    All,
}

/// Written bytes, and which of them are padding.
#[derive(Debug, Default)]
struct Masked {
    bytes: Vec<u8>,
    padding: Vec<usize>,
}

impl Sink for Masked {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn put_padding(&mut self, bytes: &[u8]) {
        self.padding.extend(self.bytes.len()..self.bytes.len() + bytes.len());
        self.put(bytes);
    }
}

/// Encodes a value and compares it with the expected bytes, except masked ones.
#[must_use]
pub fn encoding(encoder: &Encoder, name: &str, value: &Variant, expected: &[u8], mask: Mask) -> Option<Difference> {
    let mut found = Masked::default();
    if let Err(error) = encoder.encode_to(value, &mut found) {
        let what = format!("cannot be encoded: {}", error.kind());
        return Some(Difference { name: name.to_owned(), what, path: error.path().clone() });
    }
    let mut masked = undefined_offsets(encoder, value, &found, mask.padding);
    if mask.ids {
        masked.extend(id_offsets(encoder, value));
    }
    let mut comparable = expected.to_vec();
    for offset in masked {
        if let (Some(expected), Some(found)) = (comparable.get_mut(offset), found.bytes.get(offset)) {
            *expected = *found;
        }
    }
    let offset = first_difference(&comparable, &found.bytes)?;
    let what = format!(
        "byte {offset} of {}: expected {}, found {}",
        expected.len(),
        window(&comparable, offset),
        window(&found.bytes, offset)
    );
    let path = encoder.path_at(value, offset).unwrap_or_default();
    Some(Difference { name: name.to_owned(), what, path })
}

/// Returns the ranges of the padding that an engine leaves undefined.
fn undefined_offsets(encoder: &Encoder, value: &Variant, found: &Masked, padding: UndefinedPadding) -> Vec<usize> {
    match padding {
        UndefinedPadding::None => Vec::new(),
        UndefinedPadding::All => found.padding.clone(),
        UndefinedPadding::OfNodePaths => {
            let others = padding_outside_node_paths(encoder, value);
            found.padding.iter().copied().filter(|offset| others.binary_search(offset).is_err()).collect()
        }
    }
}

/// Returns the offsets of the padding that an engine leaves undefined in the encoding of a value.
#[must_use]
pub fn undefined_bytes(encoder: &Encoder, value: &Variant, padding: UndefinedPadding) -> Vec<usize> {
    let mut found = Masked::default();
    match encoder.encode_to(value, &mut found) {
        Ok(()) => undefined_offsets(encoder, value, &found, padding),
        Err(_) => Vec::new(),
    }
}

/// Returns the padding that remains when every `NodePath` is replaced by as many bytes without padding.
fn padding_outside_node_paths(encoder: &Encoder, value: &Variant) -> Vec<usize> {
    /// The header and the count of a byte array.
    const HEADING: usize = 8;
    let mut value = value.clone();
    replace_leaves(&mut value, |leaf| {
        let Variant::NodePath(_) = leaf else { return None };
        let length = encoder.encoded_len(leaf).ok()?;
        Some(Variant::from(vec![0u8; length.checked_sub(HEADING)?]))
    });
    let mut others = Masked::default();
    match encoder.encode_to(&value, &mut others) {
        Ok(()) => others.padding,
        Err(_) => Vec::new(),
    }
}

/// Returns the ranges of object ids in the encoding of a value: the bytes that change if all ids change.
fn id_offsets(encoder: &Encoder, value: &Variant) -> Vec<usize> {
    let with_ids = |id| {
        let mut value = value.clone();
        replace_ids(&mut value, |_| Variant::Object(Object::Id(id)));
        encoder.encode(&value).unwrap_or_default()
    };
    let (ones, others) = (with_ids(u64::MAX / 0xFF), with_ids(u64::MAX / 0xFF * 2));
    (0..ones.len()).filter(|offset| ones.get(*offset) != others.get(*offset)).collect()
}

/// Returns the first offset at which two byte strings differ, or `None` if they are equal.
#[must_use]
pub fn first_difference(expected: &[u8], found: &[u8]) -> Option<usize> {
    let differs = expected.iter().zip(found).position(|(expected, found)| expected != found);
    differs.or((expected.len() != found.len()).then_some(expected.len().min(found.len())))
}

/// Returns a few bytes around an offset in hexadecimal, starting with the word at the offset.
pub(crate) fn window(bytes: &[u8], offset: usize) -> String {
    const SHOWN: usize = 12;
    let start = (offset / 4 * 4).min(bytes.len());
    let end = (start + SHOWN).min(bytes.len());
    let rest = if end < bytes.len() { "…" } else { "" };
    format!("{}{rest}", hex::encode(&bytes[start..end]))
}

/// Compares two values bit for bit.
#[must_use]
pub fn values(name: &str, expected: &Variant, found: &Variant) -> Option<Difference> {
    if expected.bit_eq(found) {
        return None;
    }
    let mut path = Vec::new();
    let mut counts: Vec<(&Variant, usize)> = Vec::new();
    let mut found_visits = Walk::new(found);
    for expected_visit in Walk::new(expected) {
        let found_visit = found_visits.next();
        if let (Some((container, count)), Visit::Leaf(_) | Visit::Enter(_)) = (counts.last_mut(), expected_visit) {
            let step = match container {
                Variant::Array(_) | Variant::TypedArray(_) | Variant::PackedTypedArray(_) => Step::Index(*count),
                Variant::Dictionary(_) if *count % 2 == 0 => Step::Key(*count / 2),
                Variant::Dictionary(_) => Step::Value(*count / 2, None),
                Variant::Object(Object::Data(data)) => {
                    Step::Property(data.properties.get(*count).map(|(name, _)| name.clone()).unwrap_or_default())
                }
                _ => Step::Part("value"),
            };
            *count += 1;
            path.truncate(counts.len() - 1);
            path.push(step);
        }
        let agree = match (expected_visit, found_visit) {
            (Visit::Leaf(expected), Some(Visit::Leaf(found))) => expected.bit_eq(found),
            (Visit::Enter(expected), Some(Visit::Enter(found))) => heading(expected) == heading(found),
            (Visit::Name(expected), Some(Visit::Name(found))) => expected == found,
            (Visit::Leave(_), Some(Visit::Leave(_))) => true,
            _ => false,
        };
        if !agree {
            let what =
                format!("expected {}, found {}", show(expected_visit), found_visit.map_or_else(String::new, show));
            return Some(Difference { name: name.to_owned(), what, path: path.into_iter().collect() });
        }
        match expected_visit {
            Visit::Enter(container) => counts.push((container, 0)),
            Visit::Leave(_) => drop(counts.pop()),
            _ => {}
        }
    }
    Some(Difference { name: name.to_owned(), what: "values differ".to_owned(), path: Path::default() })
}

/// Describes a container without its members.
fn heading(container: &Variant) -> String {
    match container {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            format!("{} of {:?}, {} members", container.variant_type(), array.element_type(), array.elements().len())
        }
        Variant::Dictionary(dictionary) => format!(
            "Dictionary of {:?} to {:?}, {} entries",
            dictionary.key_type(),
            dictionary.value_type(),
            dictionary.entries().len()
        ),
        Variant::Object(Object::Data(data)) => {
            format!("object of class {}, {} properties", data.class, data.properties.len())
        }
        other => format!("{}", other.variant_type()),
    }
}

fn show(visit: Visit<'_>) -> String {
    const SHOWN: usize = 80;
    let text = match visit {
        Visit::Leaf(leaf) => format!("{} {leaf:?}", leaf.variant_type()),
        Visit::Enter(container) => heading(container),
        Visit::Name(name) => format!("property {name:?}"),
        Visit::Leave(container) => format!("the end of the {}", container.variant_type()),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns whether a value contains the instance id of an object.
#[must_use]
pub fn holds_ids(value: &Variant) -> bool {
    Walk::new(value).any(|visit| matches!(visit, Visit::Leaf(Variant::Object(Object::Id(_)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_in_bytes_names_offset_bytes_and_path() {
        let value = Variant::from(vec![Variant::from(7), Variant::from("abc")]);
        let mut expected = varbytes::encode(&value).unwrap();
        expected[25] = b'x';
        let difference = encoding(&Encoder::new(), "case", &value, &expected, Mask::default()).unwrap();
        assert_eq!(difference.to_string(), "case: byte 25 of 28: expected 61786300, found 61626300, path $[1]");
    }

    #[test]
    fn a_difference_in_values_names_both_and_the_path() {
        let expected = Variant::from(vec![(Variant::from("a"), Variant::from(1.5))]);
        let found = Variant::from(vec![(Variant::from("a"), Variant::from(2.5))]);
        let difference = values("case", &expected, &found).unwrap();
        assert_eq!(difference.to_string(), "case: expected float 1.5, found float 2.5, path $[entry 0]");
    }

    #[test]
    fn ids_can_be_masked_and_nothing_else() {
        let with_id = |id, number| {
            let object = Variant::from(Object::Id(id));
            varbytes::encode(&Variant::from(vec![object, Variant::from(number)])).unwrap()
        };
        let value = varbytes::decode(&with_id(1, 7)).unwrap();
        let mask = Mask { ids: true, ..Mask::default() };
        assert_eq!(encoding(&Encoder::new(), "case", &value, &with_id(0x8877_6655_4433_2211, 7), mask), None);
        assert!(encoding(&Encoder::new(), "case", &value, &with_id(2, 8), mask).is_some());
        assert!(encoding(&Encoder::new(), "case", &value, &with_id(2, 7), Mask::default()).is_some());
    }

    fn path_and_text() -> (Variant, Vec<u8>) {
        let path = Variant::from(varbytes::variant::NodePath { names: vec!["a".into()], ..Default::default() });
        let value = Variant::from(vec![path, Variant::from("b")]);
        let bytes = varbytes::encode(&value).unwrap();
        (value, bytes)
    }

    /// Returns whether bytes that differ at one offset are treated as equal.
    fn is_masked(offset: usize, padding: UndefinedPadding) -> bool {
        let (value, mut bytes) = path_and_text();
        bytes[offset] = 0xEE;
        encoding(&Encoder::new(), "case", &value, &bytes, Mask { padding, ids: false }).is_none()
    }

    #[test]
    fn padding_of_node_paths_can_be_masked_and_nothing_else() {
        let (_, bytes) = path_and_text();
        let masked: Vec<_> =
            (0..bytes.len()).filter(|offset| is_masked(*offset, UndefinedPadding::OfNodePaths)).collect();
        // After the array's header of 8 bytes and the path's header of 16, the length of the name and its one byte.
        assert_eq!(masked, [29, 30, 31]);
    }

    #[test]
    fn all_padding_can_be_masked_and_nothing_else() {
        let (_, bytes) = path_and_text();
        let masked: Vec<_> = (0..bytes.len()).filter(|offset| is_masked(*offset, UndefinedPadding::All)).collect();
        assert_eq!(masked, [29, 30, 31, 41, 42, 43]);
    }

    #[test]
    fn without_a_mask_every_byte_counts() {
        let (_, bytes) = path_and_text();
        assert!((0..bytes.len()).all(|offset| !is_masked(offset, UndefinedPadding::None)));
    }
}
