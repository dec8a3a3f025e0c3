//! The borrowed tree: text and packed arrays are views of the packet.

use alloc::{borrow::ToOwned, boxed::Box, vec::Vec};

use super::members::{ArrayLabel, ContainerType, DictionaryLabel, label_methods};
use super::node_path::{NodePath, Signal};
use super::owned::Variant;
use super::packed_numbers::PackedNumbers;
use super::text::Text;
use crate::VariantType;

/// A value of any type that borrows its text and packed arrays from the packet.
///
/// [`Decoder::decode_borrowed`](crate::Decoder::decode_borrowed) returns it: the same value as a [`Variant`], zero-copy
/// for text and packed arrays. Dropping and converting it do not recurse.
///
/// ```
/// use varbytes::variant::VariantRef;
/// use varbytes::{Decoder, Variant};
///
/// let packet = varbytes::encode(&Variant::from(vec![("name".into(), "héros".into())]))?;
/// let VariantRef::Dictionary(entry) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
/// let Some(VariantRef::String(name)) = entry.get("name") else { unreachable!() };
/// assert_eq!(*name, "héros");
/// assert!(packet.as_ptr_range().contains(&name.as_ptr()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub enum VariantRef<'a> {
    /// A value with nothing to borrow: every type of fixed size, and values that the engine changes on reading, for
    /// example a coerced member of a typed container.
    Owned(Variant),
    /// `String`.
    String(&'a str),
    /// `StringName`.
    StringName(&'a str),
    /// `NodePath`.
    NodePath(Box<NodePathRef<'a>>),
    /// `Signal`.
    Signal {
        /// The signal's name.
        name: &'a str,
        /// The instance id of its object; 0 for none.
        object_id: u64,
    },
    /// `Object` with class and properties.
    Object(Box<ObjectRef<'a>>),
    /// `Dictionary`.
    Dictionary(DictionaryRef<'a>),
    /// `Array`, or one of Pandemonium's typed arrays.
    Array(ArrayRef<'a>),
    /// `PackedByteArray`.
    PackedByteArray(&'a [u8]),
    /// A packed array of numbers, vectors or colours.
    PackedNumbers(PackedNumbers<'a>),
    /// `PackedStringArray`, without the NUL that the wire adds to each string.
    PackedStringArray(Vec<&'a str>),
}

/// A `NodePath` that borrows from the packet.
///
/// ```
/// use varbytes::variant::{NodePath, VariantRef};
/// use varbytes::{Decoder, Variant};
///
/// let packet = varbytes::encode(&"Player:hp".parse::<NodePath>()?.into())?;
/// let VariantRef::NodePath(path) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
/// assert_eq!((path.names, path.subnames), (vec!["Player"], vec!["hp"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NodePathRef<'a> {
    /// Whether the path is absolute.
    pub absolute: bool,
    /// The node names.
    pub names: Vec<&'a str>,
    /// The subnames: resources and properties.
    pub subnames: Vec<&'a str>,
}

/// An `Array` that borrows from the packet: its members in order and, if it is typed, their type.
///
/// ```
/// use varbytes::Decoder;
/// use varbytes::variant;
/// use varbytes::variant::VariantRef;
///
/// let packet = varbytes::encode(&variant!(["axe", "bow"]))?;
/// let VariantRef::Array(items) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
/// assert_eq!(items.elements()[1].as_str(), Some("bow"));
/// assert_eq!((items.element_type(), items.is_shared()), (None, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ArrayRef<'a> {
    /// Boxed, because few arrays have it.
    pub(crate) label: Option<Box<ArrayLabel>>,
    pub(crate) elements: Box<[VariantRef<'a>]>,
}

/// A `Dictionary` that borrows from the packet: entries in insertion order without duplicate keys and, if it is typed,
/// the types of keys and values.
///
/// ```
/// use varbytes::Decoder;
/// use varbytes::variant;
/// use varbytes::variant::VariantRef;
///
/// let packet = varbytes::encode(&variant!({"name": "Ada"}))?;
/// let VariantRef::Dictionary(player) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
/// assert_eq!(player.get("name").and_then(VariantRef::as_str), Some("Ada"));
/// assert_eq!(player.entries()[0].0.as_str(), Some("name"));
/// assert_eq!((player.key_type(), player.value_type(), player.is_shared()), (None, None, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DictionaryRef<'a> {
    pub(crate) label: Option<Box<DictionaryLabel>>,
    pub(crate) entries: Box<[(VariantRef<'a>, VariantRef<'a>)]>,
}

/// A full object that borrows from the packet.
///
/// ```
/// use varbytes::variant::{ObjectData, VariantRef};
/// use varbytes::{Decoder, Encoder};
///
/// let timer = ObjectData { class: "Timer".into(), properties: vec![("one_shot".into(), true.into())] };
/// let packet = Encoder::new().objects(true).encode(&timer.into())?;
/// let VariantRef::Object(timer) = Decoder::new().objects(true).decode_borrowed(&packet)? else { unreachable!() };
/// assert_eq!((timer.class, timer.properties.len()), ("Timer", 1));
/// assert_eq!(timer.property("one_shot").unwrap().to_variant(), true);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ObjectRef<'a> {
    /// The native class name.
    pub class: &'a str,
    /// Names and values in wire order.
    pub properties: Vec<(&'a str, VariantRef<'a>)>,
}

impl VariantRef<'_> {
    /// Returns the type of the value.
    ///
    /// ```
    /// use varbytes::{Decoder, VariantType};
    ///
    /// let value = Decoder::new().decode_borrowed(&[0; 4])?;
    /// assert_eq!(value.variant_type(), VariantType::Nil);
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[must_use]
    pub fn variant_type(&self) -> VariantType {
        match self {
            Self::Owned(value) => value.variant_type(),
            Self::String(_) => VariantType::String,
            Self::StringName(_) => VariantType::StringName,
            Self::NodePath(_) => VariantType::NodePath,
            Self::Signal { .. } => VariantType::Signal,
            Self::Object(_) => VariantType::Object,
            Self::Dictionary(_) => VariantType::Dictionary,
            Self::Array(array) => array.variant_type(),
            Self::PackedByteArray(_) => VariantType::PackedByteArray,
            Self::PackedNumbers(numbers) => numbers.variant_type(),
            Self::PackedStringArray(_) => VariantType::PackedStringArray,
        }
    }

    /// Returns the text of a `String` or a `StringName`.
    ///
    /// ```
    /// use varbytes::Decoder;
    ///
    /// let packet = varbytes::encode(&"Ada".into())?;
    /// assert_eq!(Decoder::new().decode_borrowed(&packet)?.as_str(), Some("Ada"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) | Self::StringName(text) => Some(text),
            Self::Owned(value) => value.as_text().map(Text::as_str),
            _ => None,
        }
    }

    /// Copies a value that contains no other values.
    pub(super) fn copied_leaf(&self) -> Option<Variant> {
        let texts = |parts: &[&str]| parts.iter().map(|part| Text::from(*part)).collect();
        Some(match self {
            Self::Owned(value) => value.clone(),
            Self::String(text) => Variant::String((*text).into()),
            Self::StringName(text) => Variant::StringName((*text).into()),
            Self::NodePath(path) => Variant::from(NodePath {
                absolute: path.absolute,
                names: texts(&path.names),
                subnames: texts(&path.subnames),
                property: None,
            }),
            Self::Signal { name, object_id } => {
                Variant::from(Signal { name: (*name).to_owned(), object_id: *object_id })
            }
            Self::PackedByteArray(bytes) => Variant::PackedByteArray((*bytes).into()),
            Self::PackedNumbers(numbers) => numbers.to_variant(),
            Self::PackedStringArray(strings) => texts(strings).into(),
            Self::Array(_) | Self::Dictionary(_) | Self::Object(_) => return None,
        })
    }
}

// The size of a value in a borrowed tree.
const _: () = assert!(size_of::<VariantRef<'_>>() <= 32);

impl<'a> ArrayRef<'a> {
    label_methods! { self => self.label.as_deref(); element_type = "members" }

    fn variant_type(&self) -> VariantType {
        self.label.as_ref().and_then(|label| label.variant_type).unwrap_or(VariantType::Array)
    }

    /// Returns the members in order.
    ///
    /// [`ArrayRef`] has an example.
    #[must_use]
    pub fn elements(&self) -> &[VariantRef<'a>] {
        &self.elements
    }
}

impl<'a> DictionaryRef<'a> {
    label_methods! { self => self.label.as_deref(); key_type = "keys", value_type = "values" }

    /// Returns keys and values in insertion order.
    ///
    /// [`DictionaryRef`] has an example.
    #[must_use]
    pub fn entries(&self) -> &[(VariantRef<'a>, VariantRef<'a>)] {
        &self.entries
    }

    /// Returns the value of the first key that is the `String` or `StringName` `key`.
    ///
    /// [`DictionaryRef`] has an example.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&VariantRef<'a>> {
        self.entries.iter().find(|(candidate, _)| candidate.as_str() == Some(key)).map(|(_, value)| value)
    }
}

impl<'a> ObjectRef<'a> {
    /// Returns the value of the first property with this name.
    ///
    /// [`ObjectRef`] has an example.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&VariantRef<'a>> {
        self.properties.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

impl Default for VariantRef<'_> {
    fn default() -> Self {
        Self::Owned(Variant::Nil)
    }
}
