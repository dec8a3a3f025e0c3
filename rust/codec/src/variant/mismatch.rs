//! The error for a member that is not of the type that its container declares.

use core::fmt;

use super::members::ContainerType;
use super::owned::{Array, Dictionary, Variant};
use crate::VariantType;
use crate::escape::{Escaped, NAME_LENGTH, shortened};

/// A member of a typed container is not of the type that the container declares.
///
/// ```
/// use varbytes::VariantType;
/// use varbytes::variant::{Array, ContainerType};
///
/// let int = ContainerType::Builtin(VariantType::Int);
/// let error = Array::with_type(Some(int.clone()), vec!["one".into()]).unwrap_err();
/// assert_eq!((error.part, error.index, error.declared, error.found), ("member", 0, int, VariantType::String));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeMismatch {
    /// `member`, `key` or `value`.
    pub part: &'static str,
    /// The position of the member or entry.
    pub index: usize,
    /// The type that the container declares.
    pub declared: ContainerType,
    /// The type of the member.
    pub found: VariantType,
}

impl TypeMismatch {
    /// Classes are not checked, because the codec does not know which class extends which.
    pub(super) fn check(
        part: &'static str,
        index: usize,
        declared: Option<&ContainerType>,
        value: &Variant,
    ) -> Result<(), Self> {
        let found = value.variant_type();
        let fits = match declared {
            None | Some(ContainerType::Unknown(_)) => true,
            Some(ContainerType::Builtin(builtin)) if *builtin != VariantType::Object => found == *builtin,
            Some(_) => matches!(found, VariantType::Object | VariantType::Nil),
        };
        match declared {
            Some(declared) if !fits => Err(Self { part, index, declared: declared.clone(), found }),
            _ => Ok(()),
        }
    }
}

impl Array {
    /// Checks the members of a typed array that were changed in place.
    pub(crate) fn check_changed(&self) -> Result<(), TypeMismatch> {
        if self.0.is_changed() { self.check(self.element_type()) } else { Ok(()) }
    }

    pub(super) fn check(&self, declared: Option<&ContainerType>) -> Result<(), TypeMismatch> {
        let mut members = self.elements().iter().enumerate();
        members.try_for_each(|(at, value)| TypeMismatch::check("member", at, declared, value))
    }
}

impl Dictionary {
    /// Checks the keys and values of a typed dictionary that were changed in place.
    pub(crate) fn check_changed(&self) -> Result<(), TypeMismatch> {
        if self.0.is_changed() { self.check((self.key_type(), self.value_type())) } else { Ok(()) }
    }

    pub(super) fn check(&self, declared: (Option<&ContainerType>, Option<&ContainerType>)) -> Result<(), TypeMismatch> {
        self.entries().iter().enumerate().try_for_each(|(at, (key, value))| {
            TypeMismatch::check("key", at, declared.0, key)?;
            TypeMismatch::check("value", at, declared.1, value)
        })
    }
}

impl fmt::Display for TypeMismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, index, declared, found } = self;
        let (found, declared) = (found.with_article(), shortened(declared, NAME_LENGTH));
        write!(formatter, "{part} {index} is {found}, but the container declares {declared}")
    }
}

/// Shows the message, so that a long name of a class is cut.
impl fmt::Debug for TypeMismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TypeMismatch({self})")
    }
}

impl core::error::Error for TypeMismatch {}

/// Shows the type as scripts do: `int`, or the name of the class or script, [escaped](crate::escape) and not cut.
impl fmt::Display for ContainerType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(builtin) => builtin.fmt(formatter),
            Self::Class(name) | Self::Script(name) => fmt::Display::fmt(&Escaped(name), formatter),
            Self::Unknown(id) => write!(formatter, "type {id}"),
        }
    }
}
