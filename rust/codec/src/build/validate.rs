//! The builder that validates a packet and builds nothing.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::build::ascii::Ascii;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::coerce::EngineBuild;
use crate::error::DecodeErrorKind;
use crate::variant::{ContainerType, Text};
use crate::wire::SCRIPT_PROPERTY;
use crate::{MemberCoercion, VariantType};

/// Declares [`ObjectPolicy`], and implements it for references to a policy.
macro_rules! object_policy {
    ($(#[$doc:meta])* trait; $($(#[$method_doc:meta])* fn $name:ident($($argument:ident: $type:ty),*);)*) => {
        $(#[$doc])*
        #[expect(clippy::missing_errors_doc, reason = "the trait's documentation has the error")]
        #[expect(unused_variables, reason = "default methods allow everything")]
        pub trait ObjectPolicy {$(
            $(#[$method_doc])*
            fn $name(&mut self, $($argument: $type),*) -> Result<(), DecodeErrorKind> {
                Ok(())
            }
        )*}

        impl<P: ObjectPolicy> ObjectPolicy for &mut P {$(
            fn $name(&mut self, $($argument: $type),*) -> Result<(), DecodeErrorKind> {
                (**self).$name($($argument),*)
            }
        )*}
    };
}

object_policy! {
    /// Decides which classes, scripts, properties and container types a packet may name.
    ///
    /// The methods are called while the packet is read, before the value in question exists. To refuse it, return
    /// [`DecodeErrorKind::Refused`] with the reason. By default each method allows everything; `()` is the policy that
    /// allows everything.
    ///
    /// ```
    /// use varbytes::build::{Validator, ObjectPolicy};
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
    trait;

    /// Decides about a full object of this class.
    fn class(class: &str);
    /// Decides about a property of a full object, before its value is read. `script` is the object's script if an
    /// earlier property named it; that property is called `script`.
    fn property(class: &str, script: Option<&str>, property: &str);
    /// Decides about the script of a full object, given its path.
    fn script(class: &str, path: &str);
    /// Decides about a full object after all of its properties were read. `script` is its script, if it has one.
    fn complete(class: &str, script: Option<&str>);
    /// Decides about a container that is typed by a built-in type, a class or a script.
    fn container_type(container_type: &ContainerType);
}

impl ObjectPolicy for () {}

/// Builds nothing. Reading with it tells whether the bytes are valid and the policy allows what they name.
///
/// ```
/// use varbytes::Decoder;
/// use varbytes::build::Validator;
/// use varbytes::variant;
///
/// // Array[int] of a float, which Godot 4.6 converts.
/// let packet = [&[28, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0][..], &varbytes::encode(&1.5.into())?].concat();
/// let mut validator = Validator::new(()).assuming_coercions();
/// assert_eq!(Decoder::new().decode_with(&packet, &mut validator)?.consumed, 20);
/// assert!(validator.has_coercions());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Validator<P = ()> {
    policy: P,
    assumes_coercions: bool,
    has_coercions: bool,
    text: AskedText,
}

/// The text of a property `script`. It is kept until the property is complete, because only then is it known that the
/// text is the whole value.
#[derive(Clone, Debug, Default)]
enum AskedText {
    #[default]
    NotAsked,
    Asked,
    Read(String),
}

/// A full object being validated.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct CheckedObject<'a> {
    class: &'a str,
    script: Option<String>,
}

impl<P> Validator<P> {
    /// Creates a validator that asks `policy`.
    ///
    /// [`Validator`] has an example.
    pub const fn new(policy: P) -> Self {
        Self { policy, assumes_coercions: false, has_coercions: false, text: AskedText::NotAsked }
    }

    /// Assumes that all members of typed containers can be converted, as an engine does when it builds the packet.
    /// Otherwise a packet with members of another type is read into a tree, to find out whether this crate can convert
    /// them.
    ///
    /// [`Validator`] has an example.
    #[must_use]
    pub fn assuming_coercions(mut self) -> Self {
        self.assumes_coercions = true;
        self
    }

    /// Returns whether the packet has members that need a conversion.
    ///
    /// [`Validator`] has an example.
    #[must_use]
    pub const fn has_coercions(&self) -> bool {
        self.has_coercions
    }
}

impl<'a, P: ObjectPolicy> Builder<'a> for Validator<P> {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = CheckedObject<'a>;
    type Strings = ();

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    #[inline]
    fn leaf(&mut self, _: Leaf<'_, 'a>) {}

    #[inline]
    fn string(&mut self, text: &'a str) {
        if matches!(self.text, AskedText::Asked) {
            self.text = AskedText::Read(text.to_owned());
        }
    }

    #[inline]
    fn ascii_string(&mut self, text: Ascii<'a>) {
        if matches!(self.text, AskedText::Asked) {
            self.string(text.as_str());
        }
    }

    fn begin_strings(&mut self, _: usize) {}
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn push_owned_string(&mut self, (): &mut (), _: &Text) {}
    fn end_strings(&mut self, (): ()) {}

    fn begin_array(&mut self, _: usize, element_type: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        element_type.map_or(Ok(()), |element_type| self.policy.container_type(&element_type))
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
        [key_type, value_type].iter().flatten().try_for_each(|named| self.policy.container_type(named))
    }

    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<CheckedObject<'a>, DecodeErrorKind> {
        self.policy.class(class)?;
        Ok(CheckedObject { class, script: None })
    }

    fn begin_property(&mut self, object: &mut CheckedObject<'a>, name: &'a str) -> Result<(), DecodeErrorKind> {
        self.policy.property(object.class, object.script.as_deref(), name)?;
        self.text = if name == SCRIPT_PROPERTY { AskedText::Asked } else { AskedText::NotAsked };
        Ok(())
    }

    fn push_property(&mut self, object: &mut CheckedObject<'a>, name: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        if name == SCRIPT_PROPERTY {
            // Without text the value is null, which removes the script.
            object.script = match core::mem::take(&mut self.text) {
                AskedText::Read(path) => {
                    self.policy.script(object.class, &path)?;
                    Some(path)
                }
                AskedText::NotAsked | AskedText::Asked => None,
            };
        }
        Ok(())
    }

    fn end_object(&mut self, object: CheckedObject<'a>) -> Result<(), DecodeErrorKind> {
        self.policy.complete(object.class, object.script.as_deref())
    }

    fn coerce(&mut self, (): (), _: VariantType, _: MemberCoercion, _: EngineBuild) -> Result<(), DecodeErrorKind> {
        self.has_coercions = true;
        if self.assumes_coercions { Ok(()) } else { Err(DecodeErrorKind::NeedsTree) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use alloc::{format, vec};

    use super::*;
    use crate::variant::{Array, Object, ObjectData};
    use crate::{Decoder, Encoder, Variant};

    /// Records the calls.
    #[derive(Default)]
    struct Asked(Vec<String>);

    impl ObjectPolicy for Asked {
        fn property(&mut self, class: &str, script: Option<&str>, property: &str) -> Result<(), DecodeErrorKind> {
            self.0.push(format!("{class}, {script:?}: {property}"));
            Ok(())
        }

        fn script(&mut self, class: &str, path: &str) -> Result<(), DecodeErrorKind> {
            self.0.push(format!("{class} has {path}"));
            Ok(())
        }

        fn complete(&mut self, class: &str, script: Option<&str>) -> Result<(), DecodeErrorKind> {
            self.0.push(format!("{class}, {script:?} is complete"));
            Ok(())
        }
    }

    fn object(class: &str, properties: Vec<(&str, Variant)>) -> Variant {
        let properties = properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Variant::Object(Object::Data(ObjectData { class: class.to_owned(), properties }.into()))
    }

    fn asked(value: &Variant) -> Vec<String> {
        let bytes = Encoder::new().objects(true).encode(value).unwrap();
        let mut asked = Asked::default();
        Decoder::new().objects(true).check_with(&bytes, &mut asked).unwrap();
        asked.0
    }

    #[test]
    fn a_script_is_asked_for_and_known_for_later_properties() {
        let value =
            object("Resource", vec![("a", 1.into()), ("script", "res://x.gd".into()), ("b", "res://y.gd".into())]);
        let expected = [
            "Resource, None: a",
            "Resource, None: script",
            "Resource has res://x.gd",
            "Resource, Some(\"res://x.gd\"): b",
            "Resource, Some(\"res://x.gd\") is complete",
        ];
        assert_eq!(asked(&value), expected);
    }

    #[test]
    fn the_policy_is_asked_about_an_object_that_a_later_conversion_loses() {
        let lost = Variant::from(vec![object("Lost", vec![("p", 1.into())])]);
        let vectors = Some(ContainerType::Builtin(VariantType::PackedVector2Array));
        let members = vec![Variant::from(vec![Variant::Nil]), lost];
        // An engine builds the object first and then converts the array that holds it to a vector.
        let value = Variant::Array(Array::with_type_unchecked(vectors, members));
        assert_eq!(asked(&value), ["Lost, None: p", "Lost, None is complete"]);
    }

    #[test]
    fn an_object_within_has_a_script_of_its_own() {
        let inner = object("Inner", vec![("script", Variant::Nil), ("c", 1.into())]);
        let value = object("Outer", vec![("script", "res://x.gd".into()), ("inner", inner), ("b", 1.into())]);
        let asked = asked(&value);
        assert!(asked.contains(&"Inner, None: c".to_owned()), "{asked:?}");
        assert!(asked.contains(&"Outer, Some(\"res://x.gd\"): b".to_owned()), "{asked:?}");
    }

    #[test]
    fn null_takes_the_script_away() {
        let value = object("Outer", vec![("script", "res://x.gd".into()), ("script", Variant::Nil), ("b", 1.into())]);
        let asked = asked(&value);
        assert_eq!(asked[asked.len() - 2..], ["Outer, None: b", "Outer, None is complete"]);
    }
}
