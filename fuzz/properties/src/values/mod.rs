//! Values that an engine can hold and writes as they are, made of a fuzzer's bytes.

mod containers;
mod leaves;
mod text;

use arbitrary::{Result, Unstructured};
use varbytes::{Profile, Variant, VariantType};

/// Containers around a value made one in another. What wraps all of it goes deeper, without recursion here.
const LEVELS: usize = 8;

/// Containers around all of it. A key may take two levels, so that nothing is deeper than the 1024 of an engine.
pub const WRAPPINGS: usize = 1000;

/// The same most of the time: depth costs time, and little of it is new.
const FEW_WRAPPINGS: usize = 16;

/// The value of any type that an input makes for the engine of a profile; `None` where it is too short. What wraps all
/// of it goes no deeper than `wrappings`.
#[must_use]
pub fn any_value(input: &[u8], profile: Profile, objects: bool, wrappings: usize) -> Option<Variant> {
    Values::new(&mut Unstructured::new(input), profile, objects).any(wrappings).ok()
}

/// Makes values for one engine.
struct Values<'v, 'u> {
    input: &'v mut Unstructured<'u>,
    profile: Profile,
    objects: bool,
}

impl<'v, 'u> Values<'v, 'u> {
    fn new(input: &'v mut Unstructured<'u>, profile: Profile, objects: bool) -> Self {
        Self { input, profile, objects }
    }

    /// Any value: of any type, wide or deep.
    fn any(&mut self, most: usize) -> Result<Variant> {
        let wrappings = match self.input.arbitrary()? {
            0_u8 => self.input.int_in_range(0..=most)?,
            1..8 => self.input.int_in_range(0..=most.min(FEW_WRAPPINGS))?,
            _ => 0,
        };
        let mut value = self.value(0)?;
        for _ in 0..wrappings {
            value = self.wrapped(value)?;
        }
        Ok(value)
    }

    fn value(&mut self, level: usize) -> Result<Variant> {
        let variant_type = *self.input.choose(self.profile.types())?;
        self.of_type(variant_type, level)
    }

    /// A value of a type that the engine has.
    fn of_type(&mut self, variant_type: VariantType, level: usize) -> Result<Variant> {
        match variant_type {
            VariantType::Array => self.array(level),
            VariantType::Dictionary => self.dictionary(level),
            VariantType::TypedArray | VariantType::PackedTypedArray => self.typed_array(variant_type, level),
            VariantType::Object => self.object(level),
            leaf => self.leaf(leaf),
        }
    }

    /// How many members come next: none where there are no bytes left to make them of.
    fn count(&mut self) -> Result<usize> {
        let most = if self.input.ratio(1, 16)? { 512 } else { 5 };
        self.input.int_in_range(0..=most.min(self.input.len()))
    }

    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        (0..self.count()?).map(|_| one(self)).collect()
    }

    /// Godot 1 and 2: numbers of 32 bits, images and input events, a "shared" mark, and no objects.
    fn is_first_generation(&self) -> bool {
        self.profile.has_shared_bit()
    }

    /// Whether the engine writes a null object apart from null.
    fn has_null_objects(&self) -> bool {
        const WITH: [Profile; 3] = [Profile::GODOT_3_0, Profile::GODOT_3_0_6, Profile::GODOT_3_1];
        self.is_first_generation() || WITH.contains(&self.profile)
    }
}
