//! The smallest tree that can hold a document.
//!
//! A value in a tree is at least its type and a payload or a pointer to it: two words, 16 bytes. What does not fit stands
//! behind the pointer, without one byte of room to spare: text, members, components, packed elements. Nothing is shared,
//! and what the allocator adds is not counted, neither here nor in what is compared with it.

use varbytes::Variant;
use varbytes::variant::{Object, Visit, Walk};

/// Type and payload, or type, length and pointer.
const NODE: usize = 16;

/// What of a node is left beside the type: text up to here could stand in the node itself.
const INLINE: usize = NODE - 2;

/// Bytes of the smallest tree of `value`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Smallest {
    /// With every text behind a pointer.
    pub plain: usize,
    /// With text of up to 14 bytes in the node itself.
    pub with_inline_text: usize,
}

/// The smallest tree that can hold `value`.
#[must_use]
pub fn smallest_tree(value: &Variant) -> Smallest {
    let mut smallest = Smallest::default();
    let mut add = |node: usize, text: usize, other: usize| {
        smallest.plain += node + text + other;
        smallest.with_inline_text += node + if text > INLINE { text } else { 0 } + other;
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

/// Bytes of a payload that does not fit into a node.
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
            // A type and three components of 4 bytes fill the node.
            Some(reals) if reals.len() > 3 => 4 * reals.len(),
            _ => 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_two_words_and_text_its_bytes() {
        let value = Variant::from(vec![Variant::from(1), Variant::from("four"), Variant::from("more than fourteen")]);
        let smallest = smallest_tree(&value);
        assert_eq!((smallest.plain, smallest.with_inline_text), (4 * 16 + 4 + 18, 4 * 16 + 18));
    }
}
