//! Serde's traits for the values of `varbytes::variant` that are neither numbers nor containers of values.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_core::ser::{Serialize, SerializeTupleStruct, Serializer};

use crate::serde::math::Vectors;
use crate::serde::methods;
use crate::serde::names;
use crate::serde::object::FullObject;
use crate::serde::variant_de::VariantVisitor;
use crate::variant::{NodePath, Object, ObjectData, PackedReals, Signal, Vector2, Vector3, Vector4};
use crate::{Variant, VariantType};

/// Receives a value: from this crate's deserializer as a `Variant`, from others in their own form.
struct ValueVisitor<T>(PhantomData<T>);

fn read_value<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
where
    ValueVisitor<T>: Visitor<'de, Value = T>,
{
    deserializer.deserialize_newtype_struct(names::VARIANT, ValueVisitor(PhantomData))
}

fn wrong_type<E: Error>(found: &Variant, expected: &str) -> E {
    E::invalid_type(Unexpected::Other(found.variant_type().name()), &expected)
}

/// Other formats receive the text form.
impl Serialize for NodePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Variant::from(self.clone()).serialize(serializer)
    }
}

/// Deserializes a `NodePath`, or text as `NodePath(text)` in Godot.
impl<'de> Deserialize<'de> for NodePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_value(deserializer)
    }
}

impl<'de> Visitor<'de> for ValueVisitor<NodePath> {
    type Value = NodePath;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NodePath")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<NodePath, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<NodePath, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<NodePath, A::Error> {
        match VariantVisitor::<Variant>::new().visit_enum(access)? {
            Variant::NodePath(path) => Ok(*path),
            other => match other.as_text() {
                Some(text) => self.visit_str(text),
                None => Err(wrong_type(&other, "NodePath")),
            },
        }
    }
}

/// Other formats receive a map.
impl Serialize for Signal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Variant::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Signal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_value(deserializer)
    }
}

impl<'de> Visitor<'de> for ValueVisitor<Signal> {
    type Value = Signal;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Signal")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Signal, A::Error> {
        let mut signal = Signal::default();
        while let Some(key) = access.next_key::<String>()? {
            match &*key {
                "name" => signal.name = access.next_value()?,
                "object_id" => signal.object_id = access.next_value()?,
                other => return Err(A::Error::unknown_field(other, &["name", "object_id"])),
            }
        }
        Ok(signal)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Signal, D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Signal, A::Error> {
        match VariantVisitor::<Variant>::new().visit_enum(access)? {
            Variant::Signal(signal) => Ok(*signal),
            other => Err(wrong_type(&other, "Signal")),
        }
    }
}

/// The properties of an object, in order.
struct Properties<P>(P);

impl Serialize for Properties<&[(String, Variant)]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Properties<Vec<(String, Variant)>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ValueVisitor::<Self>(PhantomData))
    }
}

impl<'de> Visitor<'de> for ValueVisitor<Properties<Vec<(String, Variant)>>> {
    type Value = Properties<Vec<(String, Variant)>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut properties = Vec::new();
        while let Some(property) = access.next_entry()? {
            properties.push(property);
        }
        Ok(Properties(properties))
    }
}

/// Serializes as [`FullObject`].
impl Serialize for ObjectData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_tuple_struct(names::OBJECT, 2)?;
        object.serialize_field(&self.class)?;
        object.serialize_field(&Properties(&self.properties[..]))?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for ObjectData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FullObject { class, properties: Properties(properties) } = FullObject::deserialize(deserializer)?;
        Ok(Self { class, properties })
    }
}

/// Other formats receive nothing for null, the id alone, or class and properties as a tuple.
impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Id(_) => Variant::Object(self.clone()).serialize(serializer),
            Self::Data(data) => data.serialize(serializer),
        }
    }
}

/// Other formats must describe themselves.
impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_value(deserializer)
    }
}

impl<'de> Visitor<'de> for ValueVisitor<Object> {
    type Value = Object;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Object")
    }

    fn visit_unit<E: Error>(self) -> Result<Object, E> {
        Ok(Object::Null)
    }

    fn visit_u64<E: Error>(self, id: u64) -> Result<Object, E> {
        Ok(Object::Id(id))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Object, A::Error> {
        let class = access.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let Properties(properties) = access.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        Ok(Object::Data(ObjectData { class, properties }.into()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Object, A::Error> {
        match VariantVisitor::<Variant>::new().visit_enum(access)? {
            Variant::Nil => Ok(Object::Null),
            Variant::Object(object) => Ok(object),
            other => Err(wrong_type(&other, "Object")),
        }
    }
}

macro_rules! packed {
    ($($array:ident[$count:literal]: $vector:ident;)*) => {$(
        /// Other formats receive a sequence of vectors.
        impl Serialize for PackedReals<$count> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.as_reals() {
                    reals if reals.is_empty() => Variant::$array(self.clone()).serialize(serializer),
                    reals => {
                        let name = names::of(VariantType::$array);
                        serializer.serialize_newtype_struct(name, &Vectors(reals, $count))
                    }
                }
            }
        }

        impl<'de> Deserialize<'de> for PackedReals<$count> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read_value(deserializer)
            }
        }

        impl<'de> Visitor<'de> for ValueVisitor<PackedReals<$count>> {
            type Value = PackedReals<$count>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(VariantType::$array.name())
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
                match Variant::from(Vec::<$vector>::deserialize(deserializer)?) {
                    Variant::$array(array) => Ok(array),
                    other => Err(wrong_type(&other, VariantType::$array.name())),
                }
            }

            fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
                match VariantVisitor::<Variant>::new().visit_enum(access)? {
                    Variant::$array(array) => Ok(array),
                    other => match methods::from_variant::<Vec<$vector>>(&other).map(Variant::from) {
                        Ok(Variant::$array(array)) => Ok(array),
                        _ => Err(wrong_type(&other, VariantType::$array.name())),
                    },
                }
            }
        }
    )*};
}

packed! {
    PackedVector2Array[2]: Vector2;
    PackedVector3Array[3]: Vector3;
    PackedVector4Array[4]: Vector4;
}
