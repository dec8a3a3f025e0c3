//! A builder that counts its calls and forwards them to another builder.

use varbytes::build::{Builder, DuplicateKeys, EngineBuild, Leaf};
use varbytes::variant::{ContainerType, Text};
use varbytes::{DecodeErrorKind, MemberCoercion, VariantType};

/// Counts the calls of the reader and their depth, and forwards them. A clock would also measure other load of the
/// machine.
#[derive(Debug, Default)]
pub struct Steps<B> {
    builder: B,
    /// The number of calls.
    pub count: usize,
    /// The number of open containers.
    open: usize,
    /// The maximum number of open containers.
    pub depth: usize,
}

impl<B> Steps<B> {
    fn step(&mut self) -> &mut B {
        self.count += 1;
        &mut self.builder
    }

    fn opening_step(&mut self) -> &mut B {
        self.open += 1;
        self.depth = self.depth.max(self.open);
        self.step()
    }

    fn closing_step(&mut self) -> &mut B {
        self.open -= 1;
        self.step()
    }
}

/// Methods that count the call and forward it.
macro_rules! counted {
    ($($step:ident: $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[inline]
            fn $name(&mut self, $($argument: $type),*) $(-> $result)? {
                self.$step().$name($($argument),*)
            }
        )*
    };
}

impl<'a, B: Builder<'a>> Builder<'a> for Steps<B> {
    type Value = B::Value;
    type Array = B::Array;
    type Dictionary = B::Dictionary;
    type Object = B::Object;
    type Strings = B::Strings;

    // Makes `decode_with` go through a tree, which is the longest way, if a packet needs one. So `convert`,
    // `as_variant` and `key_at`, which would avoid the tree, are not forwarded.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Restarted;

    counted! {
        step: leaf(leaf: Leaf<'_, 'a>) -> B::Value;
        step: begin_strings(count: usize) -> B::Strings;
        step: push_string(strings: &mut B::Strings, text: &'a str);
        step: push_owned_string(strings: &mut B::Strings, text: &Text);
        step: end_strings(strings: B::Strings) -> B::Value;
        opening_step: begin_array(count: usize, element_type: Option<ContainerType>) -> Result<B::Array, DecodeErrorKind>;
        opening_step: begin_typed_array(
            variant_type: VariantType,
            count: usize,
            element_type: Option<ContainerType>
        ) -> Result<B::Array, DecodeErrorKind>;
        step: push_element(array: &mut B::Array, value: B::Value) -> Result<(), DecodeErrorKind>;
        closing_step: end_array(array: B::Array) -> Result<B::Value, DecodeErrorKind>;
        step: share_array(array: &mut B::Array);
        closing_step: end_typed_array(
            variant_type: VariantType,
            array: B::Array
        ) -> Result<B::Value, DecodeErrorKind>;
        opening_step: begin_dictionary(
            count: usize,
            key_type: Option<ContainerType>,
            value_type: Option<ContainerType>
        ) -> Result<B::Dictionary, DecodeErrorKind>;
        step: push_entry(
            dictionary: &mut B::Dictionary,
            key: B::Value,
            value: B::Value,
            earlier: Option<usize>
        ) -> Result<(), DecodeErrorKind>;
        step: share_dictionary(dictionary: &mut B::Dictionary);
        closing_step: end_dictionary(dictionary: B::Dictionary) -> Result<B::Value, DecodeErrorKind>;
        opening_step: begin_object(class: &'a str, count: usize) -> Result<B::Object, DecodeErrorKind>;
        step: begin_property(object: &mut B::Object, name: &'a str) -> Result<(), DecodeErrorKind>;
        step: push_property(object: &mut B::Object, name: &'a str, value: B::Value) -> Result<(), DecodeErrorKind>;
        closing_step: end_object(object: B::Object) -> Result<B::Value, DecodeErrorKind>;
        step: begin_entry();
    }

    fn restart(&mut self) {
        self.open = 0;
        self.builder.restart();
    }

    fn coerce(
        &mut self,
        _: B::Value,
        _: VariantType,
        _: MemberCoercion,
        _: EngineBuild,
    ) -> Result<B::Value, DecodeErrorKind> {
        self.step();
        Err(DecodeErrorKind::NeedsTree)
    }
}
