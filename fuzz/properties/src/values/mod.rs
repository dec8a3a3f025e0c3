//! Makes values from a fuzzer's bytes that an engine can hold and writes unchanged.

mod containers;
mod leaves;
mod text;

use arbitrary::{Result, Unstructured};
use varbytes::{Profile, Variant, VariantType};

/// Maximum depth of containers made recursively. Wrappers around the whole value go deeper, without recursion.
const LEVELS: usize = 8;

/// Maximum number of wrappers. A key may take two levels, so the total stays within an engine's 1024.
pub const WRAPPINGS: usize = 1000;

/// The usual maximum, because depth costs time and rarely finds anything new.
const FEW_WRAPPINGS: usize = 16;

/// Makes a value of any type from an input, for the engine of a profile; `None` if the input is too short. At most
/// `wrappings` containers wrap the value.
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

    /// Returns a value of any type, wide or deep.
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

    /// Returns a value of a type that the engine has.
    fn of_type(&mut self, variant_type: VariantType, level: usize) -> Result<Variant> {
        match variant_type {
            VariantType::Array => self.array(level),
            VariantType::Dictionary => self.dictionary(level),
            VariantType::TypedArray | VariantType::PackedTypedArray => self.typed_array(variant_type, level),
            VariantType::Object => self.object(level),
            leaf => self.leaf(leaf),
        }
    }

    /// Returns the number of next members: none if no bytes are left for them.
    fn count(&mut self) -> Result<usize> {
        let most = if self.input.ratio(1, 16)? { 512 } else { 5 };
        self.input.int_in_range(0..=most.min(self.input.len()))
    }

    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        (0..self.count()?).map(|_| one(self)).collect()
    }

    /// Returns whether this is Godot 1 or 2: 32-bit numbers, images and input events, a "shared" bit, no objects.
    fn is_godot_2(&self) -> bool {
        self.profile.has_shared_bit()
    }

    /// Returns whether the engine writes a null object differently from null.
    fn has_null_objects(&self) -> bool {
        const WITH: [Profile; 3] = [Profile::GODOT_3_0, Profile::GODOT_3_0_6, Profile::GODOT_3_1];
        self.is_godot_2() || WITH.contains(&self.profile)
    }
}
