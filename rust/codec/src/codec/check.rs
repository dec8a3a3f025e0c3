//! The builder that builds nothing.

use super::{Builder, DuplicateKeys, PackedNumbers};
use crate::VariantType;
use crate::error::DecodeErrorKind;
use crate::variant::{ContainerType, Reals};

/// Builds nothing: reading with it says only whether the bytes are accepted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check;

impl<'a> Builder<'a> for Check {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = ();
    type Strings = ();

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    fn nil(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: i64) {}
    fn float(&mut self, _: f64) {}
    fn string(&mut self, _: &'a str) {}
    fn string_name(&mut self, _: &'a str) {}
    fn reals(&mut self, _: VariantType, _: Reals<'_>) {}
    fn integers(&mut self, _: VariantType, _: &[i32]) {}
    fn color(&mut self, _: [f32; 4]) {}
    fn node_path(&mut self, _: bool, _: &[&'a str], _: &[&'a str]) {}
    fn rid(&mut self, _: u64) {}
    fn null_object(&mut self) {}
    fn object_id(&mut self, _: u64) {}
    fn callable(&mut self) {}
    fn signal(&mut self, _: &'a str, _: u64) {}
    fn packed_bytes(&mut self, _: &'a [u8]) {}
    fn packed_numbers(&mut self, _: PackedNumbers<'a>) {}
    fn begin_strings(&mut self, _: usize) {}
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn end_strings(&mut self, (): ()) {}

    fn begin_array(&mut self, _: usize, _: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_element(&mut self, (): &mut (), (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        _: Option<ContainerType>,
        _: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_object(&mut self, _: &'a str, _: usize) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_property(&mut self, (): &mut (), _: &'a str) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
}
