//! The builder of the [`Variant`] tree.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::build::ascii::Ascii;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::coerce::EngineBuild;
use crate::coerce::member::convert;
use crate::error::DecodeErrorKind;
use crate::variant::{
    Array, ArrayLabel, ContainerType, Dictionary, DictionaryLabel, KeyView, Object, ObjectData, Text,
};
use crate::{MemberCoercion, Variant, VariantType};

/// Builds the [`Variant`] that the engine would decode.
///
/// [`Decoder::decode_with`](crate::Decoder::decode_with) has an example.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeBuilder;

/// An `Array` whose members are being read.
#[derive(Default)]
#[doc(hidden)]
pub struct OpenArray {
    label: Option<Box<ArrayLabel>>,
    elements: Vec<Variant>,
}

/// A `Dictionary` whose entries are being read.
#[derive(Default)]
#[doc(hidden)]
pub struct OpenDictionary {
    label: Option<Box<DictionaryLabel>>,
    entries: Vec<(Variant, Variant)>,
}

/// The methods that are the same for both trees.
macro_rules! tree_methods {
    ($value:ident, $array:ident, $dictionary:ident, $object:ident $(, $lifetime:lifetime)?) => {
        #[inline]
        fn begin_array(
            &mut self,
            count: usize,
            element_type: Option<ContainerType>,
        ) -> Result<$array$(<$lifetime>)?, DecodeErrorKind> {
            let mut array = $array { label: None, elements: Vec::with_capacity(count) };
            if element_type.is_some() {
                array.label.get_or_insert_default().element_type = element_type;
            }
            Ok(array)
        }

        fn share_array(&mut self, array: &mut $array$(<$lifetime>)?) {
            array.label.get_or_insert_default().shared = true;
        }

        #[inline]
        fn begin_dictionary(
            &mut self,
            count: usize,
            key_type: Option<ContainerType>,
            value_type: Option<ContainerType>,
        ) -> Result<$dictionary$(<$lifetime>)?, DecodeErrorKind> {
            let is_typed = key_type.is_some() || value_type.is_some();
            let label = is_typed.then(|| Box::new(DictionaryLabel { key_type, value_type, shared: false }));
            Ok($dictionary { label, entries: Vec::with_capacity(count) })
        }

        fn share_dictionary(&mut self, dictionary: &mut $dictionary$(<$lifetime>)?) {
            dictionary.label.get_or_insert_default().shared = true;
        }

        #[inline(always)]
        fn push_element(
            &mut self,
            array: &mut $array$(<$lifetime>)?,
            value: $value$(<$lifetime>)?,
        ) -> Result<(), DecodeErrorKind> {
            array.elements.push(value);
            Ok(())
        }

        #[inline(always)]
        fn push_entry(
            &mut self,
            dictionary: &mut $dictionary$(<$lifetime>)?,
            key: $value$(<$lifetime>)?,
            value: $value$(<$lifetime>)?,
            earlier: Option<usize>,
        ) -> Result<(), DecodeErrorKind> {
            match earlier.and_then(|position| dictionary.entries.get_mut(position)) {
                None => dictionary.entries.push((key, value)),
                Some(entry) => entry.1 = value,
            }
            Ok(())
        }

        fn begin_object(
            &mut self,
            class: &'a str,
            count: usize,
        ) -> Result<Box<$object$(<$lifetime>)?>, DecodeErrorKind> {
            Ok(Box::new($object { class: class.into(), properties: Vec::with_capacity(count) }))
        }

        fn push_property(
            &mut self,
            object: &mut Box<$object$(<$lifetime>)?>,
            name: &'a str,
            value: $value$(<$lifetime>)?,
        ) -> Result<(), DecodeErrorKind> {
            object.properties.push((name.into(), value));
            Ok(())
        }

        fn as_key<'v>(value: &'v $value$(<$lifetime>)?) -> Option<KeyView<'v, 'a>>
        where
            'a: 'v,
        {
            Some(value.into())
        }

        fn key_at<'v>(dictionary: &'v $dictionary$(<$lifetime>)?, index: usize) -> Option<KeyView<'v, 'a>>
        where
            'a: 'v,
        {
            dictionary.entries.get(index).map(|(key, _)| key.into())
        }
    };
}
pub(crate) use tree_methods;

impl<'a> Builder<'a> for TreeBuilder {
    type Value = Variant;
    type Array = OpenArray;
    type Dictionary = OpenDictionary;
    type Object = Box<ObjectData>;
    type Strings = Vec<Text>;

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Merged;
    const WANTS_ORDER: bool = false;

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> Variant {
        leaf.into_decoded()
    }

    #[inline(always)]
    fn ascii_string(&mut self, text: Ascii<'a>) -> Variant {
        Variant::String(match text.short() {
            Some(short) => Text::from_short(short),
            None => Text::from_long_ascii(text.as_bytes()),
        })
    }

    #[inline]
    fn vector2(&mut self, components: [f32; 2]) -> Variant {
        Variant::Vector2(components.into())
    }

    #[inline]
    fn vector3(&mut self, components: [f32; 3]) -> Variant {
        Variant::Vector3(components.into())
    }

    fn begin_strings(&mut self, count: usize) -> Vec<Text> {
        Vec::with_capacity(count)
    }

    fn push_string(&mut self, strings: &mut Vec<Text>, text: &'a str) {
        strings.push(Text::without_nul(text));
    }

    #[inline]
    fn push_ascii_string(&mut self, strings: &mut Vec<Text>, text: Ascii<'a>) {
        strings.push(Text::of_ascii(text.as_bytes()));
    }

    fn push_owned_string(&mut self, strings: &mut Vec<Text>, text: &Text) {
        strings.push(text.clone());
    }

    fn end_strings(&mut self, strings: Vec<Text>) -> Variant {
        strings.into()
    }

    #[inline(always)]
    fn end_plain_array(&mut self, array: OpenArray) -> Result<Variant, DecodeErrorKind> {
        Ok(Variant::Array(array.elements.into()))
    }

    #[inline(always)]
    fn end_plain_dictionary(&mut self, dictionary: OpenDictionary) -> Result<Variant, DecodeErrorKind> {
        Ok(Variant::Dictionary(Dictionary::from_distinct(dictionary.entries)))
    }

    #[inline]
    fn end_array(&mut self, array: OpenArray) -> Result<Variant, DecodeErrorKind> {
        if array.label.is_none() {
            return self.end_plain_array(array);
        }
        self.end_typed_array(VariantType::Array, array)
    }

    fn end_typed_array(&mut self, variant_type: VariantType, array: OpenArray) -> Result<Variant, DecodeErrorKind> {
        let ArrayLabel { element_type, shared, .. } = *array.label.unwrap_or_default();
        let whole = Array::with_type_unchecked(element_type, array.elements).with_shared(shared);
        Ok(Variant::from_array(variant_type, whole))
    }

    #[inline]
    fn end_dictionary(&mut self, dictionary: OpenDictionary) -> Result<Variant, DecodeErrorKind> {
        let Some(label) = dictionary.label else {
            return Ok(Variant::Dictionary(Dictionary::from_distinct(dictionary.entries)));
        };
        let DictionaryLabel { key_type, value_type, shared } = *label;
        let whole = Dictionary::with_types_unchecked(key_type, value_type, dictionary.entries);
        Ok(Variant::Dictionary(whole.with_shared(shared)))
    }

    fn end_object(&mut self, object: Box<ObjectData>) -> Result<Variant, DecodeErrorKind> {
        Ok(Variant::Object(Object::Data(object)))
    }

    fn coerce(
        &mut self,
        value: Variant,
        to: VariantType,
        rule: MemberCoercion,
        build: EngineBuild,
    ) -> Result<Variant, DecodeErrorKind> {
        convert(value, to, rule, build)
    }

    fn as_variant(value: &Variant) -> Option<Cow<'_, Variant>> {
        Some(Cow::Borrowed(value))
    }

    tree_methods!(Variant, OpenArray, OpenDictionary, ObjectData);
}
