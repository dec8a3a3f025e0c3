//! Checks packets without creating values.

use varbytes::build::{
    Ascii, Builder, CheckedObject, DuplicateKeys, EngineBuild, Leaf, MemoryCosts, ObjectPolicy, Validator,
};
use varbytes::variant::{ContainerType, Text};
use varbytes::{DecodeErrorKind, MemberCoercion, VariantType};

use crate::limits::COSTS;
use crate::raw::DEEPEST_KEY;

/// Builds nothing. Asks a policy about the objects, charges the memory that the engine's values would take, and refuses keys that
/// are nested too deep for the engine.
pub(crate) struct PacketCheck<P> {
    validator: Validator<P>,
    deepest_key: usize,
}

impl<P: ObjectPolicy> PacketCheck<P> {
    /// `reads_as_engine` says whether keys of any depth are read.
    pub(crate) fn new(policy: P, reads_as_engine: bool) -> Self {
        let deepest_key = if reads_as_engine { usize::MAX } else { DEEPEST_KEY };
        Self { validator: Validator::new(policy), deepest_key }
    }

    /// Assumes that all members of typed containers can be converted, and charges what a conversion takes at most.
    pub(crate) fn assuming_coercions(self) -> Self {
        Self { validator: self.validator.assuming_coercions(), ..self }
    }

    /// Returns whether the packet has members that need a conversion.
    pub(crate) const fn has_coercions(&self) -> bool {
        self.validator.has_coercions()
    }
}

impl<'a, P: ObjectPolicy> Builder<'a> for PacketCheck<P> {
    /// The depth of containers in a value: 0 for a value that holds no others.
    type Value = usize;
    /// The depth of the deepest member so far.
    type Array = usize;
    type Dictionary = usize;
    type Object = CheckedObject<'a>;
    type Strings = ();

    // As for the values of the engine.
    const COSTS: MemoryCosts = COSTS;
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;
    const CHECKS_OBJECT_KEYS: bool = true;

    #[inline]
    fn leaf(&mut self, _: Leaf<'_, 'a>) -> usize {
        0
    }

    #[inline]
    fn string(&mut self, text: &'a str) -> usize {
        self.validator.string(text);
        0
    }

    #[inline]
    fn ascii_string(&mut self, text: Ascii<'a>) -> usize {
        self.validator.ascii_string(text);
        0
    }

    fn begin_strings(&mut self, _: usize) {}
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn push_owned_string(&mut self, (): &mut (), _: &Text) {}

    fn end_strings(&mut self, (): ()) -> usize {
        0
    }

    #[inline]
    fn begin_array(&mut self, count: usize, element_type: Option<ContainerType>) -> Result<usize, DecodeErrorKind> {
        self.validator.begin_array(count, element_type)?;
        Ok(0)
    }

    #[inline]
    fn push_element(&mut self, deepest: &mut usize, member: usize) -> Result<(), DecodeErrorKind> {
        *deepest = member.max(*deepest);
        Ok(())
    }

    #[inline]
    fn end_array(&mut self, deepest: usize) -> Result<usize, DecodeErrorKind> {
        Ok(deepest + 1)
    }

    #[inline]
    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<usize, DecodeErrorKind> {
        self.validator.begin_dictionary(count, key_type, value_type)?;
        Ok(0)
    }

    #[inline]
    fn push_entry(
        &mut self,
        deepest: &mut usize,
        key: usize,
        value: usize,
        _: Option<usize>,
    ) -> Result<(), DecodeErrorKind> {
        if key > self.deepest_key {
            return Err(DecodeErrorKind::DepthLimit { limit: self.deepest_key });
        }
        *deepest = key.max(value).max(*deepest);
        Ok(())
    }

    #[inline]
    fn end_dictionary(&mut self, deepest: usize) -> Result<usize, DecodeErrorKind> {
        Ok(deepest + 1)
    }

    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<CheckedObject<'a>, DecodeErrorKind> {
        self.validator.begin_object(class, count)
    }

    fn begin_property(&mut self, object: &mut CheckedObject<'a>, name: &'a str) -> Result<(), DecodeErrorKind> {
        self.validator.begin_property(object, name)
    }

    fn push_property(
        &mut self,
        object: &mut CheckedObject<'a>,
        name: &'a str,
        _: usize,
    ) -> Result<(), DecodeErrorKind> {
        self.validator.push_property(object, name, ())
    }

    fn end_object(&mut self, object: CheckedObject<'a>) -> Result<usize, DecodeErrorKind> {
        self.validator.end_object(object)?;
        Ok(0)
    }

    fn coerce(
        &mut self,
        _: usize,
        to: VariantType,
        coercion: MemberCoercion,
        engine: EngineBuild,
    ) -> Result<usize, DecodeErrorKind> {
        self.validator.coerce((), to, coercion, engine)?;
        // No conversion makes nested containers: an Array is made from a packed array.
        Ok(usize::from(to == VariantType::Array))
    }
}
