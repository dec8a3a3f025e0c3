//! A tree that keeps views of the packet: no text and no packed array is copied.
//!
//! The crate has no such tree of its own. This one is what a user can build on [`varbytes::codec::Builder`] today; equal
//! keys are searched for as everywhere, and a packet that has them is refused, because only owned trees can show
//! their keys to the reader.

use varbytes::codec::{Builder, DuplicateKeys, PackedNumbers};
use varbytes::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};
use varbytes::{DecodeErrorKind, Variant, VariantType};

/// A value of a packet.
#[expect(missing_docs, reason = "the names of the types")]
#[derive(Debug)]
pub enum Borrowed<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(&'a str),
    StringName(&'a str),
    Vector3([f32; 3]),
    PackedByteArray(&'a [u8]),
    PackedNumbers(PackedNumbers<'a>),
    PackedStringArray(Vec<&'a str>),
    Array(Vec<Borrowed<'a>>),
    Dictionary(Vec<(Borrowed<'a>, Borrowed<'a>)>),
    Object(Box<BorrowedObject<'a>>),
    /// What has nothing to borrow, or does not stand in the packet as it is.
    Owned(Box<Variant>),
}

/// A full object of a packet.
#[derive(Debug)]
pub struct BorrowedObject<'a> {
    /// The native class.
    pub class: &'a str,
    /// Names and values.
    pub properties: Vec<(&'a str, Borrowed<'a>)>,
}

impl Borrowed<'_> {
    /// The same value, owned; for comparing.
    #[must_use]
    pub fn to_variant(&self) -> Variant {
        match self {
            Self::Nil => Variant::Nil,
            Self::Bool(value) => Variant::Bool(*value),
            Self::Int(value) => Variant::Int(*value),
            Self::Float(value) => Variant::Float(*value),
            Self::String(text) => Variant::String((*text).into()),
            Self::StringName(text) => Variant::StringName((*text).into()),
            Self::Vector3(components) => Variant::Vector3((*components).into()),
            Self::PackedByteArray(bytes) => Variant::PackedByteArray(bytes.to_vec()),
            Self::PackedNumbers(numbers) => numbers.to_variant(),
            Self::PackedStringArray(texts) => {
                Variant::PackedStringArray(texts.iter().map(|text| Text::from(*text)).collect())
            }
            Self::Array(elements) => elements.iter().map(Self::to_variant).collect::<Vec<_>>().into(),
            Self::Dictionary(entries) => {
                entries.iter().map(|(key, value)| (key.to_variant(), value.to_variant())).collect::<Vec<_>>().into()
            }
            Self::Object(object) => {
                let properties = object.properties.iter();
                let properties = properties.map(|(name, value)| ((*name).to_owned(), value.to_variant())).collect();
                varbytes::variant::ObjectData { class: object.class.to_owned(), properties }.into()
            }
            Self::Owned(value) => (**value).clone(),
        }
    }
}

/// Builds [`Borrowed`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BorrowedBuilder;

fn owned<'a>(value: Variant) -> Borrowed<'a> {
    Borrowed::Owned(Box::new(value))
}

impl<'a> Builder<'a> for BorrowedBuilder {
    type Value = Borrowed<'a>;
    type Array = Vec<Borrowed<'a>>;
    type Dictionary = Vec<(Borrowed<'a>, Borrowed<'a>)>;
    type Object = Box<BorrowedObject<'a>>;
    type Strings = Vec<&'a str>;

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Restarted;

    fn nil(&mut self) -> Borrowed<'a> {
        Borrowed::Nil
    }

    fn bool(&mut self, value: bool) -> Borrowed<'a> {
        Borrowed::Bool(value)
    }

    fn int(&mut self, value: i64) -> Borrowed<'a> {
        Borrowed::Int(value)
    }

    fn float(&mut self, value: f64) -> Borrowed<'a> {
        Borrowed::Float(value)
    }

    fn string(&mut self, text: &'a str) -> Borrowed<'a> {
        Borrowed::String(text)
    }

    fn string_name(&mut self, text: &'a str) -> Borrowed<'a> {
        Borrowed::StringName(text)
    }

    fn made_string(&mut self, variant_type: VariantType, text: &Text) -> Borrowed<'a> {
        owned(match variant_type {
            VariantType::StringName => Variant::StringName(text.clone()),
            _ => Variant::String(text.clone()),
        })
    }

    fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Borrowed<'a> {
        match (variant_type, reals) {
            (VariantType::Vector3, Reals::Single(&[x, y, z])) => Borrowed::Vector3([x, y, z]),
            _ => owned(Variant::from_reals(variant_type, reals).unwrap_or_default()),
        }
    }

    fn integers(&mut self, variant_type: VariantType, integers: &[i32]) -> Borrowed<'a> {
        owned(Variant::from_integers(variant_type, integers).unwrap_or_default())
    }

    fn color(&mut self, components: [f32; 4]) -> Borrowed<'a> {
        owned(Variant::Color(components.into()))
    }

    fn node_path(&mut self, absolute: bool, names: &[&'a str], subnames: &[&'a str]) -> Borrowed<'a> {
        let texts = |parts: &[&str]| parts.iter().map(|part| Text::from(*part)).collect();
        owned(NodePath { absolute, names: texts(names), subnames: texts(subnames), property: None }.into())
    }

    fn made_node_path(&mut self, path: &NodePath) -> Borrowed<'a> {
        owned(path.clone().into())
    }

    fn rid(&mut self, id: u64) -> Borrowed<'a> {
        owned(Variant::RID(id))
    }

    fn null_object(&mut self) -> Borrowed<'a> {
        owned(Variant::Object(varbytes::variant::Object::Null))
    }

    fn object_id(&mut self, id: u64) -> Borrowed<'a> {
        owned(Variant::Object(varbytes::variant::Object::Id(id)))
    }

    fn callable(&mut self) -> Borrowed<'a> {
        owned(Variant::Callable)
    }

    fn signal(&mut self, name: &'a str, object_id: u64) -> Borrowed<'a> {
        owned(varbytes::variant::Signal { name: name.to_owned(), object_id }.into())
    }

    fn packed_bytes(&mut self, bytes: &'a [u8]) -> Borrowed<'a> {
        Borrowed::PackedByteArray(bytes)
    }

    fn packed_numbers(&mut self, numbers: PackedNumbers<'a>) -> Borrowed<'a> {
        Borrowed::PackedNumbers(numbers)
    }

    fn image(&mut self, image: &Image) -> Borrowed<'a> {
        owned(image.clone().into())
    }

    fn input_event(&mut self, event: &InputEvent) -> Borrowed<'a> {
        owned(event.clone().into())
    }

    fn begin_strings(&mut self, count: usize) -> Vec<&'a str> {
        Vec::with_capacity(count)
    }

    fn push_string(&mut self, strings: &mut Vec<&'a str>, text: &'a str) {
        strings.push(text);
    }

    fn push_made_string(&mut self, _: &mut Vec<&'a str>, _: &Text) {
        unreachable!("no document is read as an engine before Godot 4");
    }

    fn end_strings(&mut self, strings: Vec<&'a str>) -> Borrowed<'a> {
        Borrowed::PackedStringArray(strings)
    }

    fn begin_array(&mut self, count: usize, _: Option<ContainerType>) -> Result<Self::Array, DecodeErrorKind> {
        Ok(Vec::with_capacity(count))
    }

    fn push_element(&mut self, array: &mut Self::Array, value: Borrowed<'a>) -> Result<(), DecodeErrorKind> {
        array.push(value);
        Ok(())
    }

    fn end_array(&mut self, array: Self::Array) -> Result<Borrowed<'a>, DecodeErrorKind> {
        Ok(Borrowed::Array(array))
    }

    fn begin_dictionary(
        &mut self,
        count: usize,
        _: Option<ContainerType>,
        _: Option<ContainerType>,
    ) -> Result<Self::Dictionary, DecodeErrorKind> {
        Ok(Vec::with_capacity(count))
    }

    fn push_entry(
        &mut self,
        dictionary: &mut Self::Dictionary,
        key: Borrowed<'a>,
        value: Borrowed<'a>,
        _: Option<usize>,
    ) -> Result<(), DecodeErrorKind> {
        dictionary.push((key, value));
        Ok(())
    }

    fn end_dictionary(&mut self, dictionary: Self::Dictionary) -> Result<Borrowed<'a>, DecodeErrorKind> {
        Ok(Borrowed::Dictionary(dictionary))
    }

    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<Self::Object, DecodeErrorKind> {
        Ok(Box::new(BorrowedObject { class, properties: Vec::with_capacity(count) }))
    }

    fn begin_property(&mut self, _: &mut Self::Object, _: &'a str) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_property(
        &mut self,
        object: &mut Self::Object,
        name: &'a str,
        value: Borrowed<'a>,
    ) -> Result<(), DecodeErrorKind> {
        object.properties.push((name, value));
        Ok(())
    }

    fn end_object(&mut self, object: Self::Object) -> Result<Borrowed<'a>, DecodeErrorKind> {
        Ok(Borrowed::Object(object))
    }
}
