//! The builder of the tree that borrows from the packet ([`VariantRef`]).

use alloc::{borrow::Cow, boxed::Box, vec::Vec};

use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::costs::MemoryCosts;
use crate::build::leaf::Leaf;
use crate::build::owned::tree_methods;
use crate::coerce::EngineBuild;
use crate::coerce::member::convert;
use crate::error::DecodeErrorKind;
use crate::variant::{
    ArrayLabel, ArrayRef, ContainerType, DictionaryLabel, DictionaryRef, KeyView, NodePathRef, ObjectRef, Text,
    VariantRef,
};
use crate::{MemberCoercion, Variant, VariantType};

/// Builds a [`VariantRef`].
///
/// [`Decoder::decode_prefix_with`](crate::Decoder::decode_prefix_with) has an example.
#[derive(Clone, Copy, Debug, Default)]
pub struct BorrowBuilder;

/// The strings of a `PackedStringArray` being read. They are owned as soon as one of them cannot be borrowed.
#[doc(hidden)]
pub enum StringsRef<'a> {
    /// All strings borrow from the packet.
    Borrowed(Vec<&'a str>),
    /// At least one string is not in the packet in this form.
    Owned(Vec<Text>),
}

/// An `Array` whose members are being read.
#[doc(hidden)]
pub struct OpenArrayRef<'a> {
    label: Option<Box<ArrayLabel>>,
    elements: Vec<VariantRef<'a>>,
}

/// A `Dictionary` whose entries are being read.
#[doc(hidden)]
pub struct OpenDictionaryRef<'a> {
    label: Option<Box<DictionaryLabel>>,
    entries: Vec<(VariantRef<'a>, VariantRef<'a>)>,
}

impl<'a> Builder<'a> for BorrowBuilder {
    type Value = VariantRef<'a>;
    type Array = OpenArrayRef<'a>;
    type Dictionary = OpenDictionaryRef<'a>;
    type Object = Box<ObjectRef<'a>>;
    type Strings = StringsRef<'a>;

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Merged;
    const COSTS: MemoryCosts = MemoryCosts::BORROWED;
    const COERCED_COSTS: MemoryCosts = MemoryCosts::TREE;
    const WANTS_ORDER: bool = false;

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> VariantRef<'a> {
        match leaf {
            Leaf::String(text) => VariantRef::String(text),
            Leaf::StringName(text) => VariantRef::StringName(text),
            Leaf::NodePath { absolute, names, subnames } => {
                VariantRef::NodePath(Box::new(NodePathRef { absolute, names: names.into(), subnames: subnames.into() }))
            }
            Leaf::Signal { name, object_id } => VariantRef::Signal { name, object_id },
            Leaf::PackedBytes(bytes) => VariantRef::PackedByteArray(bytes),
            Leaf::PackedNumbers(numbers) => VariantRef::PackedNumbers(numbers),
            other => VariantRef::Owned(other.into_variant()),
        }
    }

    fn begin_strings(&mut self, count: usize) -> StringsRef<'a> {
        StringsRef::Borrowed(Vec::with_capacity(count))
    }

    #[inline]
    fn push_string(&mut self, strings: &mut StringsRef<'a>, text: &'a str) {
        match strings {
            StringsRef::Borrowed(strings) => strings.push(text),
            StringsRef::Owned(strings) => strings.push(Text::without_nul(text)),
        }
    }

    fn push_owned_string(&mut self, strings: &mut StringsRef<'a>, text: &Text) {
        if let StringsRef::Borrowed(borrowed) = strings {
            *strings = StringsRef::Owned(borrowed.iter().map(|text| Text::without_nul(text)).collect());
        }
        if let StringsRef::Owned(strings) = strings {
            strings.push(text.clone());
        }
    }

    fn end_strings(&mut self, strings: StringsRef<'a>) -> VariantRef<'a> {
        match strings {
            StringsRef::Borrowed(strings) => VariantRef::PackedStringArray(strings),
            StringsRef::Owned(strings) => VariantRef::Owned(strings.into()),
        }
    }

    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<OpenArrayRef<'a>, DecodeErrorKind> {
        let label = ArrayLabel { variant_type: Some(variant_type), element_type, shared: false };
        Ok(OpenArrayRef { label: Some(Box::new(label)), elements: Vec::with_capacity(count) })
    }

    #[inline]
    fn end_array(&mut self, array: OpenArrayRef<'a>) -> Result<VariantRef<'a>, DecodeErrorKind> {
        Ok(VariantRef::Array(ArrayRef { label: array.label, elements: array.elements.into() }))
    }

    #[inline]
    fn end_dictionary(&mut self, dictionary: OpenDictionaryRef<'a>) -> Result<VariantRef<'a>, DecodeErrorKind> {
        let OpenDictionaryRef { label, entries } = dictionary;
        Ok(VariantRef::Dictionary(DictionaryRef { label, entries: entries.into() }))
    }

    fn end_object(&mut self, object: Box<ObjectRef<'a>>) -> Result<VariantRef<'a>, DecodeErrorKind> {
        Ok(VariantRef::Object(object))
    }

    fn detach(value: VariantRef<'a>) -> VariantRef<'a> {
        VariantRef::Owned(into_variant(value))
    }

    fn coerce(
        &mut self,
        value: VariantRef<'a>,
        to: VariantType,
        rule: MemberCoercion,
        build: EngineBuild,
    ) -> Result<VariantRef<'a>, DecodeErrorKind> {
        convert(into_variant(value), to, rule, build).map(VariantRef::Owned)
    }

    fn as_variant<'v>(value: &'v VariantRef<'a>) -> Option<Cow<'v, Variant>> {
        Some(match value {
            VariantRef::Owned(value) => Cow::Borrowed(value),
            value => Cow::Owned(value.to_variant()),
        })
    }

    tree_methods!(VariantRef, OpenArrayRef, OpenDictionaryRef, ObjectRef, 'a);
}

/// Returns the value without borrows from the packet.
fn into_variant(value: VariantRef<'_>) -> Variant {
    match value {
        VariantRef::Owned(value) => value,
        borrowed => borrowed.to_variant(),
    }
}
