//! The builder of the [`Variant`] tree.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::build::ascii::Ascii;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::coerce::EngineBuild;
use crate::coerce::member::convert;
use crate::error::DecodeErrorKind;
use crate::variant::{Array, ContainerType, Dictionary, KeyView, Object, ObjectData, Text};
use crate::{MemberCoercion, Variant, VariantType};

/// Builds the [`Variant`] that the engine would decode.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeBuilder;

/// An `Array` whose members are being read.
#[derive(Default)]
pub struct OpenArray {
    element_type: Option<Box<ContainerType>>,
    shared: bool,
    elements: Vec<Variant>,
}

/// A `Dictionary` whose entries are being read.
#[derive(Default)]
pub struct OpenDictionary {
    /// The types of keys and values, if one of them is declared.
    types: Option<Box<(Option<ContainerType>, Option<ContainerType>)>>,
    shared: bool,
    entries: Vec<(Variant, Variant)>,
}

/// The methods that are the same for both trees.
macro_rules! tree_methods {
    ($value:ty, $array:ty, $dictionary:ty) => {
        #[inline(always)]
        fn push_element(&mut self, array: &mut $array, value: $value) -> Result<(), DecodeErrorKind> {
            array.elements.push(value);
            Ok(())
        }

        #[inline(always)]
        fn push_entry(
            &mut self,
            dictionary: &mut $dictionary,
            key: $value,
            value: $value,
            earlier: Option<usize>,
        ) -> Result<(), DecodeErrorKind> {
            match earlier.and_then(|position| dictionary.entries.get_mut(position)) {
                None => dictionary.entries.push((key, value)),
                Some(entry) => entry.1 = value,
            }
            Ok(())
        }

        fn as_key<'v>(value: &'v $value) -> Option<KeyView<'v, 'a>>
        where
            'a: 'v,
        {
            Some(value.into())
        }

        fn key_at<'v>(dictionary: &'v $dictionary, index: usize) -> Option<KeyView<'v, 'a>>
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
        leaf.into_variant()
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
        strings.push(text.into());
    }

    fn push_owned_string(&mut self, strings: &mut Vec<Text>, text: &Text) {
        strings.push(text.clone());
    }

    fn end_strings(&mut self, strings: Vec<Text>) -> Variant {
        strings.into()
    }

    #[inline]
    fn begin_array(&mut self, count: usize, element_type: Option<ContainerType>) -> Result<OpenArray, DecodeErrorKind> {
        let element_type = element_type.map(Box::new);
        Ok(OpenArray { element_type, shared: false, elements: Vec::with_capacity(count) })
    }

    #[inline]
    fn end_array(&mut self, array: OpenArray) -> Result<Variant, DecodeErrorKind> {
        if array.element_type.is_none() && !array.shared {
            return Ok(Variant::Array(array.elements.into()));
        }
        self.end_typed_array(VariantType::Array, array)
    }

    fn share_array(&mut self, array: &mut OpenArray) {
        array.shared = true;
    }

    fn end_typed_array(&mut self, variant_type: VariantType, array: OpenArray) -> Result<Variant, DecodeErrorKind> {
        let OpenArray { element_type, shared, elements } = array;
        let whole = Array::with_type(element_type.map(|element_type| *element_type), elements).with_shared(shared);
        Ok(Variant::from_array(variant_type, whole))
    }

    #[inline]
    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<OpenDictionary, DecodeErrorKind> {
        let is_typed = key_type.is_some() || value_type.is_some();
        let types = is_typed.then(|| Box::new((key_type, value_type)));
        Ok(OpenDictionary { types, shared: false, entries: Vec::with_capacity(count) })
    }

    fn share_dictionary(&mut self, dictionary: &mut OpenDictionary) {
        dictionary.shared = true;
    }

    #[inline]
    fn end_dictionary(&mut self, dictionary: OpenDictionary) -> Result<Variant, DecodeErrorKind> {
        if dictionary.types.is_none() && !dictionary.shared {
            return Ok(Variant::Dictionary(dictionary.entries.into()));
        }
        let OpenDictionary { types, shared, entries } = dictionary;
        let (key_type, value_type) = types.map_or((None, None), |types| *types);
        Ok(Variant::Dictionary(Dictionary::with_types(key_type, value_type, entries).with_shared(shared)))
    }

    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<Box<ObjectData>, DecodeErrorKind> {
        Ok(Box::new(ObjectData { class: class.to_owned(), properties: Vec::with_capacity(count) }))
    }

    fn push_property(
        &mut self,
        object: &mut Box<ObjectData>,
        name: &'a str,
        value: Variant,
    ) -> Result<(), DecodeErrorKind> {
        object.properties.push((name.to_owned(), value));
        Ok(())
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

    tree_methods!(Variant, OpenArray, OpenDictionary);
}
