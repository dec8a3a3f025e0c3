//! The size of a value's content, to count the work of copying, comparing or hashing it.

use super::borrowed::VariantRef;
use super::owned::Variant;
use super::text::Text;

/// The bytes that each element of a packed array counts.
const ELEMENT: usize = size_of::<[f64; 2]>();

impl Variant {
    /// Returns the bytes of a value that contains no others, if the packet decides their number. Equal keys have the
    /// same, in both kinds of tree.
    pub(crate) fn content_size(&self) -> usize {
        let texts = |texts: &[Text]| texts.iter().map(|text| size_of::<Text>() + text.as_bytes().len()).sum();
        match self {
            Self::String(text) => text.as_bytes().len(),
            Self::StringName(text) => text.as_bytes().len(),
            Self::NodePath(path) => texts(&path.names) + texts(&path.subnames),
            Self::Signal(signal) => signal.name.len(),
            Self::PackedStringArray(strings) => texts(strings),
            Self::PackedByteArray(bytes) => bytes.len(),
            Self::Image(image) => image.data.len(),
            packed => packed.packed_len().unwrap_or(0) * ELEMENT,
        }
    }
}

impl VariantRef<'_> {
    /// See [`Variant::content_size`].
    pub(crate) fn content_size(&self) -> usize {
        let texts = |texts: &[&str]| texts.iter().map(|text| size_of::<Text>() + text.len()).sum();
        match self {
            Self::Owned(value) => value.content_size(),
            Self::Object(_) | Self::Dictionary(_) | Self::Array(_) => 0,
            Self::String(text) | Self::StringName(text) | Self::Signal { name: text, .. } => text.len(),
            Self::NodePath(path) => texts(&path.names) + texts(&path.subnames),
            Self::PackedByteArray(bytes) => bytes.len(),
            Self::PackedNumbers(numbers) => numbers.len() * ELEMENT,
            Self::PackedStringArray(strings) => texts(strings),
        }
    }
}
