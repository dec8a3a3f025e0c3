//! The smallest tree that can hold a document.
//!
//! A value in a tree is at least its type and a payload or a pointer: two words, 16 bytes. Longer content (text,
//! members, components, packed elements) is behind the pointer, without spare capacity. Nothing is shared. The overhead
//! of the allocator is not counted, neither here nor in the trees compared with it.

use varbytes::Variant;
use varbytes::variant::{Object, Visit, Walk};

/// Type and payload, or type, length and pointer.
const NODE: usize = 16;

/// The bytes of a value after its type: text up to this length could be stored inline.
const INLINE: usize = NODE - 2;

/// Bytes of the smallest tree of `value`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Smallest {
    /// With every text behind a pointer.
    pub plain: usize,
    /// With text of up to 14 bytes inline.
    pub with_inline_text: usize,
}

/// The smallest tree that can hold `value`.
#[must_use]
pub fn smallest_tree(value: &Variant) -> Smallest {
    let mut smallest = Smallest::default();
    let mut add = |value: usize, text: usize, other: usize| {
        smallest.plain += value + text + other;
        smallest.with_inline_text += value + if text > INLINE { text } else { 0 } + other;
    };
    for visit in Walk::new(value) {
        match visit {
            Visit::Leaf(Variant::String(text)) => add(NODE, text.len(), 0),
            Visit::Leaf(Variant::StringName(name)) => add(NODE, name.len(), 0),
            Visit::Leaf(Variant::NodePath(path)) => {
                add(NODE, 0, 0);
                path.names.iter().chain(&path.subnames).for_each(|name| add(NODE, name.len(), 0));
            }
            Visit::Leaf(Variant::PackedStringArray(texts)) => {
                add(NODE, 0, 0);
                texts.iter().for_each(|text| add(NODE, text.len(), 0));
            }
            Visit::Leaf(leaf) => add(NODE, 0, payload_behind(leaf)),
            Visit::Enter(Variant::Object(Object::Data(data))) => add(NODE, 0, NODE + data.class.len()),
            Visit::Enter(_) => add(NODE, 0, 0),
            Visit::Name(name) => add(NODE, name.len(), 0),
            Visit::Leave(_) => {}
        }
    }
    smallest
}

/// Bytes of the payload that does not fit inline.
fn payload_behind(leaf: &Variant) -> usize {
    let elements = |size: usize| leaf.packed_len().unwrap_or(0) * size;
    match leaf {
        Variant::PackedByteArray(_) => elements(1),
        Variant::PackedInt32Array(_) | Variant::PackedFloat32Array(_) => elements(4),
        Variant::PackedInt64Array(_) | Variant::PackedFloat64Array(_) | Variant::PackedVector2Array(_) => elements(8),
        Variant::PackedVector3Array(_) => elements(12),
        Variant::PackedColorArray(_) | Variant::PackedVector4Array(_) => elements(16),
        Variant::Color(_) => 16,
        _ => match leaf.as_reals() {
            // A type and three components of 4 bytes fill the 16 bytes.
            Some(reals) if reals.len() > 3 => 4 * reals.len(),
            _ => 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_two_words_and_text_adds_its_bytes() {
        let value = Variant::from(vec![Variant::from(1), Variant::from("four"), Variant::from("more than fourteen")]);
        let smallest = smallest_tree(&value);
        assert_eq!((smallest.plain, smallest.with_inline_text), (4 * 16 + 4 + 18, 4 * 16 + 18));
    }
}
