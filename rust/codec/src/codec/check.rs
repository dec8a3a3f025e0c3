//! The builder that builds nothing.

use super::{Builder, DuplicateKeys, PackedNumbers};
use crate::VariantType;
use crate::error::DecodeErrorKind;
use crate::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};

/// What may be named in a packet: classes, properties, the types of containers.
///
/// A policy is asked as the packet is read, before any value exists that it would allow. Everything is
/// allowed unless a method says otherwise; `()` is the policy that allows everything.
///
/// ```
/// use varbytes::codec::{Check, ObjectPolicy};
/// use varbytes::{Category, DecodeErrorKind, Decoder};
///
/// struct OnlyResources;
///
/// impl ObjectPolicy for OnlyResources {
///     fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
///         match class {
///             "Resource" => Ok(()),
///             _ => Err(DecodeErrorKind::Refused { reason: format!("class {class} is not on the list").into() }),
///         }
///     }
/// }
///
/// let packet = [&[28, 0, 0, 0, 1, 0, 0, 0, 24, 0, 0, 0, 2, 0, 0, 0][..], b"OS\0\0", &[0; 4]].concat();
/// let error = Decoder::new().objects(true).check_with(&packet, OnlyResources).unwrap_err();
/// assert_eq!(error.category(), Category::NotAllowed);
/// assert_eq!(error.to_string(), "class OS is not on the list, at offset 8 (0x8), path $[0]");
/// ```
pub trait ObjectPolicy {
    /// A full object of this class.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Refused`] with the reason.
    fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
        let _ = class;
        Ok(())
    }

    /// A property of a full object.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Refused`] with the reason.
    fn property(&mut self, class: &str, property: &str) -> Result<(), DecodeErrorKind> {
        let _ = (class, property);
        Ok(())
    }

    /// A container typed by a built-in type, a class or a script.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Refused`] with the reason.
    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        let _ = container_type;
        Ok(())
    }
}

impl ObjectPolicy for () {}

impl<P: ObjectPolicy> ObjectPolicy for &mut P {
    fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
        (**self).class(class)
    }

    fn property(&mut self, class: &str, property: &str) -> Result<(), DecodeErrorKind> {
        (**self).property(class, property)
    }

    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        (**self).container_type(container_type)
    }
}

/// Builds nothing: reading with it says only whether the bytes, and what they name, are accepted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check<P = ()>(pub P);

impl<'a, P: ObjectPolicy> Builder<'a> for Check<P> {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    /// The class.
    type Object = &'a str;
    type Strings = ();

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    fn nil(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: i64) {}
    fn float(&mut self, _: f64) {}
    fn string(&mut self, _: &'a str) {}
    fn string_name(&mut self, _: &'a str) {}
    fn made_string(&mut self, _: VariantType, _: &Text) {}
    fn reals(&mut self, _: VariantType, _: Reals<'_>) {}
    fn integers(&mut self, _: VariantType, _: &[i32]) {}
    fn color(&mut self, _: [f32; 4]) {}
    fn node_path(&mut self, _: bool, _: &[&'a str], _: &[&'a str]) {}
    fn made_node_path(&mut self, _: &NodePath) {}
    fn rid(&mut self, _: u64) {}
    fn null_object(&mut self) {}
    fn object_id(&mut self, _: u64) {}
    fn callable(&mut self) {}
    fn signal(&mut self, _: &'a str, _: u64) {}
    fn packed_bytes(&mut self, _: &'a [u8]) {}
    fn packed_numbers(&mut self, _: PackedNumbers<'a>) {}
    fn image(&mut self, _: &Image) {}
    fn input_event(&mut self, _: &InputEvent) {}
    fn begin_strings(&mut self, _: usize) {}
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn push_made_string(&mut self, (): &mut (), _: &Text) {}
    fn end_strings(&mut self, (): ()) {}

    fn begin_array(&mut self, _: usize, element_type: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        element_type.map_or(Ok(()), |element_type| self.0.container_type(&element_type))
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
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        [key_type, value_type].iter().flatten().try_for_each(|named| self.0.container_type(named))
    }

    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<&'a str, DecodeErrorKind> {
        self.0.class(class)?;
        Ok(class)
    }

    fn begin_property(&mut self, class: &mut &'a str, name: &'a str) -> Result<(), DecodeErrorKind> {
        self.0.property(class, name)
    }

    fn push_property(&mut self, _: &mut &'a str, _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_object(&mut self, _: &'a str) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
}
