//! The last argument of most methods: options, or null for the defaults.

use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::prelude::*;

use crate::options::VarBytesOptions;
use crate::policy::Policy;

/// Options, or none.
#[derive(Debug)]
pub struct ChosenOptions(pub(crate) Option<Gd<VarBytesOptions>>);

impl ChosenOptions {
    /// The default of an argument.
    pub(crate) const NONE: Self = Self(None);

    /// The policy for writing objects, where they are written whole.
    pub(crate) fn writing_policy(&self) -> Option<Policy> {
        let options = self.0.as_ref()?.bind();
        options.allow_objects.then(|| options.policy())
    }
}

impl Clone for ChosenOptions {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl GodotConvert for ChosenOptions {
    type Via = Option<Gd<VarBytesOptions>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl ToGodot for ChosenOptions {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, ByValue> {
        self.0.clone()
    }
}

impl FromGodot for ChosenOptions {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}
