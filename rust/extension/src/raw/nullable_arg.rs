//! An object argument of a method that may be null and is null by default.

use std::fmt;

use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToArg, ToGodot};
use godot::obj::{Gd, GodotClass};

/// An object, or null.
pub struct NullableArg<T: GodotClass>(pub(crate) Option<Gd<T>>);

impl<T: GodotClass> fmt::Debug for NullableArg<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<T: GodotClass> NullableArg<T> {
    /// The default of the argument.
    pub(crate) const NULL: Self = Self(None);
}

// Not derived: that would require `T: Clone`.
impl<T: GodotClass> Clone for NullableArg<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: GodotClass> GodotConvert for NullableArg<T> {
    type Via = Option<Gd<T>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl<T: GodotClass> ToGodot for NullableArg<T> {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, ByValue> {
        self.0.clone()
    }
}

impl<T: GodotClass> FromGodot for NullableArg<T> {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

// SAFETY: a default is made once, here as null, and copied for calls from any thread. Null refers to nothing.
unsafe impl<T: GodotClass> GodotImmutable for NullableArg<T> {
    fn into_runtime_immutable(self) -> Self {
        Self::NULL
    }
}
