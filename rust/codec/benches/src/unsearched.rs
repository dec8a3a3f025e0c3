//! A tree without the search for duplicate keys, to measure the cost of the search.

use varbytes::build::{Ascii, Builder, DuplicateKeys, Leaf, TreeBuilder};
use varbytes::variant::{ContainerType, Text};
use varbytes::{DecodeErrorKind, Variant};

/// Builds the same tree as [`TreeBuilder`], but without the search for duplicate keys: all entries are kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnsearchedBuilder(TreeBuilder);

/// Methods that forward their arguments.
macro_rules! as_the_tree_does {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(#[inline]
        fn $name(&mut self, $($argument: $type),*) -> $result {
            self.0.$name($($argument),*)
        })*
    };
}

impl<'a> Builder<'a> for UnsearchedBuilder {
    type Value = Variant;
    type Array = <TreeBuilder as Builder<'a>>::Array;
    type Dictionary = <TreeBuilder as Builder<'a>>::Dictionary;
    type Object = <TreeBuilder as Builder<'a>>::Object;
    type Strings = <TreeBuilder as Builder<'a>>::Strings;

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;
    const WANTS_ORDER: bool = TreeBuilder::WANTS_ORDER;

    as_the_tree_does! {
        leaf(leaf: Leaf<'_, 'a>) -> Variant;
        ascii_string(text: Ascii<'a>) -> Variant;
        vector2(components: [f32; 2]) -> Variant;
        vector3(components: [f32; 3]) -> Variant;
        begin_strings(count: usize) -> Self::Strings;
        push_string(strings: &mut Self::Strings, text: &'a str) -> ();
        push_owned_string(strings: &mut Self::Strings, text: &Text) -> ();
        end_strings(strings: Self::Strings) -> Variant;
        begin_array(count: usize, element_type: Option<ContainerType>) -> Result<Self::Array, DecodeErrorKind>;
        push_element(array: &mut Self::Array, value: Variant) -> Result<(), DecodeErrorKind>;
        end_array(array: Self::Array) -> Result<Variant, DecodeErrorKind>;
        begin_dictionary(
            count: usize,
            key_type: Option<ContainerType>,
            value_type: Option<ContainerType>
        ) -> Result<Self::Dictionary, DecodeErrorKind>;
        push_entry(
            dictionary: &mut Self::Dictionary,
            key: Variant,
            value: Variant,
            earlier: Option<usize>
        ) -> Result<(), DecodeErrorKind>;
        end_dictionary(dictionary: Self::Dictionary) -> Result<Variant, DecodeErrorKind>;
        begin_object(class: &'a str, count: usize) -> Result<Self::Object, DecodeErrorKind>;
        push_property(object: &mut Self::Object, name: &'a str, value: Variant) -> Result<(), DecodeErrorKind>;
        end_object(object: Self::Object) -> Result<Variant, DecodeErrorKind>;
    }
}
