//! Checks packets without creating values.

use varbytes::build::{Builder, DuplicateKeys, EngineBuild, Leaf, MemoryCosts};
use varbytes::variant::{ContainerType, Text};
use varbytes::{DecodeErrorKind, KnownNames, MemberCoercion, VariantType};

use crate::decode::{ReadObjects, ReadOptions, check, decoder, refuse_trailing};
use crate::error::VarBytesError;
use crate::limits::COSTS;
use crate::outcome::Packet;
use crate::policy::PolicyCheck;
use crate::raw::{NewValue, scalar};

/// Checks the value at the start of a packet as [`decode`](crate::decode::decode) does. Returns null and the number of bytes
/// that the value takes.
pub(crate) fn validate(packet: Packet<'_>, options: &ReadOptions) -> Result<(NewValue, usize), VarBytesError> {
    let Packet { bytes, base, .. } = packet;
    let decoder = decoder(bytes, options);
    let mut names = KnownNames::default();
    if let ReadObjects::Allowed(policy) = &options.objects {
        check(&decoder, bytes, PolicyCheck::new(policy), base, &mut names)?;
    }
    let mut builder = NoValues { has_coercions: false };
    let failed = |error| VarBytesError::from_decode(&error, base);
    let decoded = decoder.decode_with_names(bytes, &mut builder, &mut names).map_err(failed)?;
    if builder.has_coercions {
        // Only a tree shows whether the members can be converted.
        decoder.decode_prefix(bytes).map_err(failed)?;
    }
    refuse_trailing(options.strict, bytes, decoded.consumed, base)?;
    Ok((scalar::nil(), decoded.used))
}

/// Builds nothing, and charges the memory that the engine's values would take.
struct NoValues {
    has_coercions: bool,
}

impl<'a> Builder<'a> for NoValues {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = ();
    type Strings = ();

    // As for the values of the engine.
    const COSTS: MemoryCosts = COSTS;
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;
    const CHECKS_OBJECT_KEYS: bool = true;

    fn leaf(&mut self, _: Leaf<'_, 'a>) {}
    fn begin_strings(&mut self, _: usize) {}
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn push_owned_string(&mut self, (): &mut (), _: &Text) {}
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

    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn coerce(&mut self, (): (), _: VariantType, _: MemberCoercion, _: EngineBuild) -> Result<(), DecodeErrorKind> {
        self.has_coercions = true;
        Ok(())
    }
}
