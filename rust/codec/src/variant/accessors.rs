//! The content of a `Variant` by type, and members of containers in place.

use core::mem;
use core::ops::{Index, IndexMut};

use super::key::Key;
use super::node_path::NodePath;
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};
use super::text::Text;

impl Variant {
    /// Returns whether the value is `Nil`.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let save = variant!({"name": null});
    /// assert!(save["name"].is_nil());
    /// ```
    #[must_use]
    #[doc(alias = "is_null")]
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil)
    }

    /// Returns the content of a `bool`.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// assert_eq!(variant!(true).as_bool(), Some(true));
    /// assert_eq!(variant!(1).as_bool(), None);
    /// ```
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the content of an `int`. A `float` is not converted.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let save = variant!({"hp": 7, "speed": 1.5});
    /// assert_eq!(save["hp"].as_i64(), Some(7));
    /// assert_eq!(save["speed"].as_i64(), None);
    /// ```
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the content of an `int` that is not negative.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// assert_eq!(variant!(7).as_u64(), Some(7));
    /// assert_eq!(variant!(-7).as_u64(), None);
    /// ```
    #[must_use]
    pub const fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Int(value) if *value >= 0 => Some(value.cast_unsigned()),
            _ => None,
        }
    }

    /// Returns the content of a `float`, or an `int` as a number, rounded if it has more than 53 bits. Scripts write an
    /// `int` for a `float` without a fraction.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// assert_eq!(variant!(1.5).as_f64(), Some(1.5));
    /// assert_eq!(variant!(1).as_f64(), Some(1.0));
    /// assert_eq!(variant!("1").as_f64(), None);
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "documented, and as the engine converts")]
    pub const fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// Returns the text of a `String` or a `StringName`. [`as_text`](Self::as_text) also has text that is not Unicode.
    ///
    /// ```
    /// use varbytes::{Variant, variant};
    ///
    /// assert_eq!(variant!("Ada").as_str(), Some("Ada"));
    /// assert_eq!(Variant::StringName("jump".into()).as_str(), Some("jump"));
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().map(Text::as_str)
    }

    /// Returns the content of a `bool`, for changes.
    ///
    /// ```
    /// let mut door = varbytes::variant!({"open": false});
    /// if let Some(open) = door["open"].as_bool_mut() {
    ///     *open = true;
    /// }
    /// assert_eq!(door["open"], true);
    /// ```
    pub const fn as_bool_mut(&mut self) -> Option<&mut bool> {
        match self {
            Self::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the content of an `int`, for changes.
    ///
    /// ```
    /// let mut player = varbytes::variant!({"hp": 7});
    /// if let Some(hp) = player["hp"].as_i64_mut() {
    ///     *hp += 1;
    /// }
    /// assert_eq!(player["hp"], 8);
    /// ```
    pub const fn as_i64_mut(&mut self) -> Option<&mut i64> {
        match self {
            Self::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the content of a `float`, for changes. An `int` is not a `float` here.
    ///
    /// ```
    /// let mut player = varbytes::variant!({"speed": 1.5});
    /// if let Some(speed) = player["speed"].as_f64_mut() {
    ///     *speed *= 2.0;
    /// }
    /// assert_eq!(player["speed"], 3.0);
    /// ```
    pub const fn as_f64_mut(&mut self) -> Option<&mut f64> {
        match self {
            Self::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the text of a `String` or a `StringName`, for changes.
    ///
    /// ```
    /// let mut player = varbytes::variant!({"name": "Ada"});
    /// if let Some(name) = player["name"].as_text_mut() {
    ///     *name = format!("{name} Lovelace").into();
    /// }
    /// assert_eq!(player["name"], "Ada Lovelace");
    /// ```
    pub fn as_text_mut(&mut self) -> Option<&mut Text> {
        match self {
            Self::String(text) => Some(text),
            Self::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the members of an array of values. Packed arrays have no values to refer to: [`element`](Self::element)
    /// copies one, and [`TryFrom`] converts all.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let sum: i64 = variant!([1, 2]).as_array().into_iter().flatten().filter_map(|member| member.as_i64()).sum();
    /// assert_eq!(sum, 3);
    /// assert_eq!(variant!(vec![1, 2]).as_array(), None); // a PackedInt32Array
    /// ```
    #[must_use]
    #[inline]
    pub const fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => Some(array),
            _ => None,
        }
    }

    /// Returns the members of an array of values, for changes.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let mut save = variant!({"items": ["axe"]});
    /// save["items"].as_array_mut().unwrap().push("bow");
    /// assert_eq!(save, variant!({"items": ["axe", "bow"]}));
    /// ```
    pub const fn as_array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => Some(array),
            _ => None,
        }
    }

    /// Returns the content of a `Dictionary`.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let save = variant!({"hp": 7});
    /// assert!(save.as_dictionary().unwrap().contains_key("hp"));
    /// ```
    #[must_use]
    pub const fn as_dictionary(&self) -> Option<&Dictionary> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    /// Returns the content of a `Dictionary`, for changes.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let mut save = variant!({"hp": 7, "cheats": true});
    /// assert_eq!(save.as_dictionary_mut().unwrap().remove("cheats"), Some(true.into()));
    /// ```
    pub const fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    /// Returns the class and properties of a full object.
    ///
    /// ```
    /// use varbytes::{Variant, variant::ObjectData};
    ///
    /// let timer = Variant::from(ObjectData { class: "Timer".into(), properties: vec![("autostart".into(), true.into())] });
    /// assert_eq!(timer.as_object().unwrap().property("autostart"), Some(&true.into()));
    /// ```
    #[must_use]
    pub const fn as_object(&self) -> Option<&ObjectData> {
        match self {
            Self::Object(Object::Data(data)) => Some(data),
            _ => None,
        }
    }

    /// Returns the class and properties of a full object, for changes.
    ///
    /// ```
    /// use varbytes::{Variant, variant::ObjectData};
    ///
    /// let mut sprite = Variant::from(ObjectData { class: "Sprite".into(), properties: vec![] });
    /// sprite.as_object_mut().unwrap().class = "Sprite2D".into();
    /// assert_eq!(sprite.as_object().unwrap().class, "Sprite2D");
    /// ```
    pub const fn as_object_mut(&mut self) -> Option<&mut ObjectData> {
        match self {
            Self::Object(Object::Data(data)) => Some(data),
            _ => None,
        }
    }

    /// Returns the bytes of a `PackedByteArray`.
    ///
    /// ```
    /// use varbytes::Variant;
    ///
    /// assert_eq!(Variant::from(vec![1u8, 2]).as_bytes(), Some(&[1, 2][..]));
    /// ```
    #[must_use]
    pub const fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::PackedByteArray(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the bytes of a `PackedByteArray`, for changes.
    ///
    /// ```
    /// let mut pixels = varbytes::Variant::from(vec![1u8, 2]);
    /// pixels.as_bytes_mut().unwrap().fill(0);
    /// assert_eq!(pixels.as_bytes(), Some(&[0, 0][..]));
    /// ```
    pub const fn as_bytes_mut(&mut self) -> Option<&mut [u8]> {
        match self {
            Self::PackedByteArray(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns a copy of the element of an array at an index, also of a packed array; `None` if there is none.
    ///
    /// ```
    /// use varbytes::{Variant, variant, variant::Vector2};
    ///
    /// let path = Variant::from(vec![Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0)]);
    /// assert_eq!(path.element(1), Some(Vector2::new(3.0, 4.0).into()));
    /// assert_eq!(variant!(["axe"]).element(0), Some("axe".into()));
    /// ```
    #[must_use]
    pub fn element(&self, index: usize) -> Option<Self> {
        match self.as_array() {
            Some(array) => array.get(index).cloned(),
            None => self.packed_element(index),
        }
    }

    /// Returns the value of a key of a dictionary, or the member of an array at an index; `None` for other values. The
    /// elements of a packed array are not values: [`element`](Self::element) returns them.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let save = variant!({"items": ["axe", "bow"], 7: true});
    /// assert_eq!(save.get("items").and_then(|items| items.get(1)), Some(&"bow".into()));
    /// assert_eq!(save.get(7), Some(&true.into()));
    /// assert_eq!(save.get("name"), None);
    /// ```
    #[must_use]
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<&Self> {
        let key = key.into();
        match self {
            Self::Dictionary(dictionary) => dictionary.get(key),
            other => other.as_array()?.get(key.index()?),
        }
    }

    /// Like [`get`](Self::get), for changes.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let mut save = variant!({"items": ["axe"]});
    /// if let Some(items) = save.get_mut("items") {
    ///     items[0] = "bow".into();
    /// }
    /// assert_eq!(save["items"][0], "bow");
    /// ```
    pub fn get_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<&mut Self> {
        let key = key.into();
        match self {
            Self::Dictionary(dictionary) => dictionary.get_mut(key),
            other => other.as_array_mut()?.get_mut(key.index()?),
        }
    }

    /// Returns the value and leaves `Nil` in its place.
    ///
    /// ```
    /// use varbytes::{Variant, variant};
    ///
    /// let mut save = variant!({"name": "Ada"});
    /// assert_eq!(save["name"].take(), "Ada");
    /// assert!(save["name"].is_nil());
    /// ```
    #[must_use]
    pub const fn take(&mut self) -> Self {
        mem::replace(self, Self::Nil)
    }
}

static NIL: Variant = Variant::Nil;

/// Returns `Nil` if there is no such member, as `serde_json` does, and for a packed array.
impl<'k, K: Into<Key<'k>>> Index<K> for Variant {
    type Output = Self;

    fn index(&self, key: K) -> &Self {
        self.get(key).unwrap_or(&NIL)
    }
}

/// Adds a key that a dictionary does not have, and makes a dictionary of a `Nil`, as `serde_json` does.
///
/// # Panics
/// If the array has no such index, or if the value is neither an array, a dictionary nor `Nil`.
impl<'k, K: Into<Key<'k>>> IndexMut<K> for Variant {
    fn index_mut(&mut self, key: K) -> &mut Self {
        let key = key.into();
        if self.is_nil() && key.index().is_none() {
            *self = Self::Dictionary(Dictionary::new());
        }
        let variant_type = self.variant_type();
        match self {
            Self::Dictionary(dictionary) => &mut dictionary[key],
            other => match (other.as_array_mut(), key.index()) {
                (Some(array), Some(index)) => &mut array[index],
                _ => panic!("a value of type {variant_type} has no member {key:?}"),
            },
        }
    }
}

/// Declares comparisons with a reference to a `Variant`, which iterators and look-ups return.
macro_rules! equals_reference {
    ($($value:ty),*) => {$(
        impl PartialEq<$value> for &Variant {
            fn eq(&self, other: &$value) -> bool {
                **self == *other
            }
        }

        impl PartialEq<$value> for &mut Variant {
            fn eq(&self, other: &$value) -> bool {
                **self == *other
            }
        }
    )*};
}

equals_reference! {
    i8, u8, i16, u16, i32, u32, i64, u64, usize, isize, bool, f64, f32, alloc::string::String, super::math::Vector2,
    super::math::Vector2i, super::math::Vector3, super::math::Vector3i, super::math::Color, Text, NodePath, Array,
    Dictionary
}

macro_rules! equals {
    ($($value:ty),*) => {$(
        impl PartialEq<$value> for Variant {
            fn eq(&self, other: &$value) -> bool {
                matches!(self, Self::Int(value) if i128::from(*value) == i128::from(*other))
            }
        }

        impl PartialEq<Variant> for $value {
            fn eq(&self, other: &Variant) -> bool {
                other == self
            }
        }
    )*};
    ($($value:ty: $this:ident, $other:ident => $equal:expr;)*) => {
        equals_one_way! { $($value: $this, $other => $equal;)* }

        $(impl PartialEq<Variant> for $value {
            fn eq(&self, other: &Variant) -> bool {
                other == self
            }
        })*
    };
}

macro_rules! equals_content {
    ($($name:ident)*) => {
        equals! { $(super::math::$name: value, other => matches!(value, Variant::$name(value) if value == other);)* }
    };
}

/// Without the other direction, with which the compiler could not infer types in `matrix == other.into()`.
macro_rules! equals_one_way {
    ($($value:ty: $this:ident, $other:ident => $equal:expr;)*) => {$(
        impl PartialEq<$value> for Variant {
            fn eq(&self, $other: &$value) -> bool {
                let $this = self;
                $equal
            }
        }
    )*};
}

macro_rules! equals_boxed {
    ($($name:ident)*) => {
        equals_one_way! { $(super::math::$name: value, other => matches!(value, Variant::$name(value) if **value == *other);)* }
    };
}

equals_content! { Vector2 Vector2i Rect2i Vector3 Vector3i Vector4i Color }

equals! { i8, u8, i16, u16, i32, u32, i64, u64 }

equals! {
    usize: value, other => u64::try_from(*other).is_ok_and(|other| *value == other);
    isize: value, other => i64::try_from(*other).is_ok_and(|other| *value == other);
    bool: value, other => value.as_bool() == Some(*other);
    f64: value, other => matches!(value, Variant::Float(value) if value == other);
    f32: value, other => *value == f64::from(*other);
    str: value, other => value.as_text().is_some_and(|text| text == other);
    &str: value, other => *value == **other;
    alloc::string::String: value, other => *value == **other;
}

equals_boxed! { Rect2 Transform2D Vector4 Plane Quaternion AABB Basis Transform3D Projection }

equals_one_way! {
    Text: value, other => value.as_text() == Some(other);
    NodePath: value, other => matches!(value, Variant::NodePath(value) if **value == *other);
    Array: value, other => matches!(value, Variant::Array(value) if value == other);
    Dictionary: value, other => value.as_dictionary() == Some(other);
}
