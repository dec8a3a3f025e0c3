//! The values without others, as the reader builds them for serde.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::VariantType;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::error::DecodeErrorKind;
use crate::variant::{ContainerType, PackedNumbers, Reals, Text};

/// A value that holds no others.
pub(super) enum Value<'t> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// `RID`, or an object that is known only by its id.
    Id(u64),
    Text(&'t str),
    /// Text that is not in the packet in this form.
    OwnedText(String),
    /// A type made of numbers.
    Vector(VariantType, Vector),
    Signal(&'t str, u64),
    Bytes(&'t [u8]),
    Packed(PackedNumbers<'t>),
    /// A type of Godot 2 that serde has no form for.
    Unsupported(VariantType),
}

/// A number of a vector or of a packed array.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Single(f32),
    Double(f64),
    Int(i64),
    /// The same as `Single` and `Int`, but buffered with another number of bits.
    BufferedAsDouble(f32),
    BufferedAsInt32(i32),
}

/// The numbers of a vector, at most 16. Most have few, and values are moved often.
pub(super) enum Vector {
    Short { numbers: [Number; SHORT], count: usize },
    Long(Vec<Number>),
}

/// The most numbers that are stored without an allocation.
const SHORT: usize = 4;

impl Vector {
    #[inline]
    pub(super) fn new(mut rest: impl Iterator<Item = Number>) -> Self {
        let (mut numbers, mut count) = ([Number::Int(0); SHORT], 0);
        while let Some(number) = rest.next() {
            let Some(place) = numbers.get_mut(count) else {
                return Self::Long(numbers.into_iter().chain([number]).chain(rest).collect());
            };
            *place = number;
            count += 1;
        }
        Self::Short { numbers, count }
    }

    pub(super) fn numbers_mut(&mut self) -> &mut [Number] {
        match self {
            Self::Short { numbers, count } => &mut numbers[..*count],
            Self::Long(numbers) => numbers,
        }
    }

    #[inline]
    pub(super) fn numbers(&self) -> &[Number] {
        match self {
            Self::Short { numbers, count } => &numbers[..*count],
            Self::Long(numbers) => numbers,
        }
    }
}

/// Builds a [`Value`] of each leaf. Containers are read by serde, or skipped.
pub(super) struct Leaves;

impl<'a> Builder<'a> for Leaves {
    type Value = Value<'a>;
    type Array = ();
    type Dictionary = ();
    type Object = ();
    type Strings = ();

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    #[inline]
    fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> Value<'a> {
        match leaf {
            Leaf::Nil | Leaf::NullObject | Leaf::Callable => Value::Nil,
            Leaf::Bool(value) => Value::Bool(value),
            Leaf::Int(value) => Value::Int(value),
            Leaf::Float(value) => Value::Float(value),
            Leaf::String(text) | Leaf::StringName(text) => Value::Text(text),
            Leaf::OwnedText(_, text) => Value::OwnedText(text.to_string()),
            Leaf::Reals(variant_type, reals) => Value::Vector(
                variant_type,
                match reals {
                    Reals::Single(reals) => Vector::new(reals.iter().copied().map(Number::Single)),
                    Reals::Double(reals) => Vector::new(reals.iter().copied().map(Number::Double)),
                },
            ),
            Leaf::Integers(variant_type, integers) => {
                Value::Vector(variant_type, Vector::new(integers.iter().map(|integer| Number::Int((*integer).into()))))
            }
            Leaf::Color(components) => {
                Value::Vector(VariantType::Color, Vector::new(components.into_iter().map(Number::Single)))
            }
            Leaf::RID(id) | Leaf::ObjectId(id) => Value::Id(id),
            Leaf::Signal { name, object_id } => Value::Signal(name, object_id),
            Leaf::PackedBytes(bytes) => Value::Bytes(bytes),
            Leaf::PackedNumbers(numbers) => Value::Packed(numbers),
            Leaf::OwnedNodePath(path) => Value::OwnedText(path.to_string()),
            path @ Leaf::NodePath { .. } => match path.into_variant() {
                crate::Variant::NodePath(path) => Value::OwnedText(path.to_string()),
                other => Value::Unsupported(other.variant_type()),
            },
            Leaf::Image(_) => Value::Unsupported(VariantType::Image),
            Leaf::InputEvent(_) => Value::Unsupported(VariantType::InputEvent),
        }
    }

    fn begin_strings(&mut self, _: usize) {}

    fn push_string(&mut self, (): &mut (), _: &'a str) {}

    fn push_owned_string(&mut self, (): &mut (), _: &Text) {}

    fn end_strings(&mut self, (): ()) -> Value<'a> {
        Value::Nil
    }

    fn begin_array(&mut self, _: usize, _: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_element(&mut self, (): &mut (), _: Value<'a>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, (): ()) -> Result<Value<'a>, DecodeErrorKind> {
        Ok(Value::Nil)
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        _: Option<ContainerType>,
        _: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_entry(&mut self, (): &mut (), _: Value<'a>, _: Value<'a>, _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<Value<'a>, DecodeErrorKind> {
        Ok(Value::Nil)
    }

    fn begin_object(&mut self, _: &'a str, _: usize) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_property(&mut self, (): &mut (), _: &'a str, _: Value<'a>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<Value<'a>, DecodeErrorKind> {
        Ok(Value::Nil)
    }
}
