//! What an engine does with a member whose type does not match its typed container.

use crate::coerce;
use crate::coerce::EngineBuild;
use crate::error::DecodeErrorKind;
use crate::float::{narrow, widen};
use crate::variant::ContainerType;
use crate::wire::ENCODED_OBJECT_AS_ID;
use crate::{MemberCoercion, Variant, VariantType};

/// What a container requires of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    /// Nothing.
    Any,
    /// Exactly this built-in type, as in Pandemonium's typed arrays (`TypedArray::can_take_variant`).
    Exactly(VariantType),
    /// A built-in type other than `Object`, and the coercion of other types.
    Builtin(VariantType, MemberCoercion),
    /// Any object.
    Object,
    /// An object of a class that does not match `EncodedObjectAsID`.
    ObjectOtherThanId,
    /// Nothing.
    Nothing,
}

/// What happens to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It matches and is kept.
    Fits,
    /// It is coerced.
    Coerces(VariantType, MemberCoercion),
    /// The engine drops it.
    Drop,
}

impl Fit {
    /// Why bytes with this member are non-canonical.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Fits => "member that fits",
            Self::Coerces(..) => "member that its typed container converts",
            Self::Drop => "member that its typed container drops",
        }
    }
}

impl Member {
    pub(crate) fn new(container_type: Option<&ContainerType>, rule: MemberCoercion) -> Self {
        // The classes that match an object id (`EncodedObjectAsID`).
        const ID_CLASSES: [&str; 3] = [ENCODED_OBJECT_AS_ID, "RefCounted", "Object"];
        match container_type {
            None => Self::Any,
            Some(ContainerType::Builtin(VariantType::Object)) => Self::Object,
            Some(ContainerType::Builtin(builtin)) => Self::Builtin(*builtin, rule),
            Some(ContainerType::Class(class)) if ID_CLASSES.contains(&class.as_str()) => Self::Object,
            Some(ContainerType::Class(_) | ContainerType::Script(_)) => Self::ObjectOtherThanId,
            Some(ContainerType::Unknown(_)) => Self::Nothing,
        }
    }

    /// Returns what a typed array of Pandemonium requires of its members.
    pub(crate) fn exactly(element_type: Option<&ContainerType>) -> Self {
        match element_type {
            // Only null is of type `Nil`.
            None => Self::Exactly(VariantType::Nil),
            Some(ContainerType::Builtin(builtin)) if *builtin != VariantType::Object => Self::Exactly(*builtin),
            Some(ContainerType::Unknown(_)) => Self::Nothing,
            Some(_) => Self::Object,
        }
    }

    pub(crate) const fn variant_type(self) -> VariantType {
        match self {
            Self::Any | Self::Nothing => VariantType::Nil,
            Self::Exactly(wanted) | Self::Builtin(wanted, _) => wanted,
            Self::Object | Self::ObjectOtherThanId => VariantType::Object,
        }
    }

    /// Only an engine knows which class inherits from which. If full objects are allowed, an object of any class
    /// matches.
    #[inline]
    pub(crate) fn fit(self, found: VariantType, is_object_id: bool) -> Fit {
        match self {
            Self::Any => Fit::Fits,
            Self::Exactly(wanted) | Self::Builtin(wanted, _) if wanted == found => Fit::Fits,
            Self::Builtin(wanted, rule) if converts(found, wanted, rule) => Fit::Coerces(wanted, rule),
            Self::ObjectOtherThanId if is_object_id => Fit::Drop,
            Self::Object | Self::ObjectOtherThanId if matches!(found, VariantType::Object | VariantType::Nil) => {
                Fit::Fits
            }
            _ => Fit::Drop,
        }
    }
}

fn converts(from: VariantType, to: VariantType, rule: MemberCoercion) -> bool {
    use VariantType as T;
    match rule {
        MemberCoercion::Few => {
            matches!((from, to), (T::StringName, T::String) | (T::String, T::StringName) | (T::Int, T::Float))
        }
        // `Variant::can_convert_strict`, observed for every pair on 4.6.3.
        MemberCoercion::Strict => match to {
            T::Bool => matches!(from, T::Int | T::Float),
            T::Int => matches!(from, T::Bool | T::Float),
            T::Float => matches!(from, T::Bool | T::Int),
            T::String => matches!(from, T::StringName | T::NodePath),
            T::StringName | T::NodePath => from == T::String,
            T::Vector2 => from == T::Vector2i,
            T::Vector2i => from == T::Vector2,
            T::Rect2 => from == T::Rect2i,
            T::Rect2i => from == T::Rect2,
            T::Vector3 => from == T::Vector3i,
            T::Vector3i => from == T::Vector3,
            T::Vector4 => from == T::Vector4i,
            T::Vector4i => from == T::Vector4,
            T::Transform2D | T::Projection => from == T::Transform3D,
            T::Transform3D => matches!(from, T::Transform2D | T::Quaternion | T::Basis | T::Projection),
            T::Quaternion => from == T::Basis,
            T::Basis => from == T::Quaternion,
            T::Color => matches!(from, T::Int | T::String),
            T::RID => from == T::Object,
            T::Array => from.is_packed_in_godot_4(),
            _ => to.is_packed_in_godot_4() && from == T::Array,
        },
    }
}

pub(crate) fn convert(
    value: Variant,
    to: VariantType,
    rule: MemberCoercion,
    build: EngineBuild,
) -> Result<Variant, DecodeErrorKind> {
    match (value, rule) {
        #[expect(clippy::cast_precision_loss, reason = "what the engine does")]
        (Variant::Int(number), MemberCoercion::Few) => Ok(Variant::Float(widen(narrow(number as f64)))),
        (value, _) => coerce::convert(value, to, build),
    }
}
