//! A tree without the search for duplicate keys, to measure the cost of the search.

use varbytes::build::{Ascii, Builder, DuplicateKeys, PackedNumbers, TreeBuilder};
use varbytes::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};
use varbytes::{DecodeErrorKind, Variant, VariantType};

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
        nil() -> Variant;
        bool(value: bool) -> Variant;
        int(value: i64) -> Variant;
        float(value: f64) -> Variant;
        string(text: &'a str) -> Variant;
        ascii_string(text: Ascii<'a>) -> Variant;
        string_name(text: &'a str) -> Variant;
        made_string(variant_type: VariantType, text: &Text) -> Variant;
        reals(variant_type: VariantType, reals: Reals<'_>) -> Variant;
        vector2(components: [f32; 2]) -> Variant;
        vector3(components: [f32; 3]) -> Variant;
        integers(variant_type: VariantType, integers: &[i32]) -> Variant;
        color(components: [f32; 4]) -> Variant;
        node_path(absolute: bool, names: &[&'a str], subnames: &[&'a str]) -> Variant;
        made_node_path(path: &NodePath) -> Variant;
        rid(id: u64) -> Variant;
        null_object() -> Variant;
        object_id(id: u64) -> Variant;
        callable() -> Variant;
        signal(name: &'a str, object_id: u64) -> Variant;
        packed_bytes(bytes: &'a [u8]) -> Variant;
        packed_numbers(numbers: PackedNumbers<'a>) -> Variant;
        image(image: &Image) -> Variant;
        input_event(event: &InputEvent) -> Variant;
        begin_strings(count: usize) -> Self::Strings;
        push_string(strings: &mut Self::Strings, text: &'a str) -> ();
        push_made_string(strings: &mut Self::Strings, text: &Text) -> ();
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
        begin_property(object: &mut Self::Object, name: &'a str) -> Result<(), DecodeErrorKind>;
        push_property(object: &mut Self::Object, name: &'a str, value: Variant) -> Result<(), DecodeErrorKind>;
        end_object(object: Self::Object) -> Result<Variant, DecodeErrorKind>;
    }
}
