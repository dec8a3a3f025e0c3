//! Full objects: a class and properties.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeTupleStruct, Serializer};

use crate::serde::names;

/// A full object: the class that the engine creates, and a struct or map with its properties.
///
/// Full objects have to be allowed, by [`Encoder::objects`](crate::Encoder::objects) and
/// [`Decoder::objects`](crate::Decoder::objects). Reading creates nothing: the class is only a name. A struct without
/// this wrapper is read from the properties alone. Other formats receive the class and the properties as a tuple.
///
/// The property `script` is null or a path in `res://`, as engines since Godot 4.3 require; anything else is an error,
/// both ways. An engine that reads the object loads this script and runs its code. Before you pass packets of others to
/// an engine, check their classes and scripts with an [`ObjectPolicy`](crate::build::ObjectPolicy).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use varbytes::{Decoder, Encoder, FullObject};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Timer {
///     wait_time: f64,
/// }
///
/// let timer = FullObject { class: "Timer".into(), properties: Timer { wait_time: 2.5 } };
/// let bytes = Encoder::new().objects(true).serialize(&timer)?;
/// assert_eq!(Decoder::new().objects(true).deserialize::<FullObject<Timer>>(&bytes)?, timer);
/// assert_eq!(Decoder::new().objects(true).deserialize::<Timer>(&bytes)?, timer.properties);
/// assert!(varbytes::to_bytes(&timer).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FullObject<T> {
    /// The native class, as `Object.get_class()` returns it; never the `class_name` of a script, whose path is the
    /// property `script`.
    pub class: String,
    /// The properties: a struct, or a map with keys that are text.
    pub properties: T,
}

impl<T: Serialize> Serialize for FullObject<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_tuple_struct(names::OBJECT, 2)?;
        object.serialize_field(&self.class)?;
        object.serialize_field(&self.properties)?;
        object.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FullObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple_struct(names::OBJECT, 2, ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = FullObject<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a full Object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<FullObject<T>, A::Error> {
        let class = access.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let properties = access.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        Ok(FullObject { class, properties })
    }
}
