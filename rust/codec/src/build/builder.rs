//! The interface between the reader, which knows the format, and what is built from a packet.

use alloc::borrow::Cow;

use crate::build::ascii::Ascii;
use crate::build::costs::MemoryCosts;
use crate::build::leaf::Leaf;
use crate::build::run::FixedRun;
use crate::coerce::EngineBuild;
use crate::error::DecodeErrorKind;
use crate::variant::{ContainerType, Image, InputEvent, KeyView, NodePath, PackedNumbers, Reals, Text};
use crate::{MemberCoercion, Variant, VariantType};

/// Declares the methods for values that hold no others. By default, each passes its [`Leaf`] to [`Builder::leaf`].
macro_rules! leaf_methods {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),*) = $leaf:expr;)*) => {$(
        $(#[$attribute])*
        #[inline]
        fn $name(&mut self, $($argument: $type),*) -> Self::Value {
            self.leaf($leaf)
        }
    )*};
}

/// Receives the values of a packet while they are read, and builds something from them.
///
/// The reader knows the format. The builder knows what is built: the [`Variant`] tree, nothing
/// ([`Validator`](super::Validator)), text, or values of an engine. The reader calls one method per value, innermost
/// values first, and passes finished values to their containers. It keeps the stack of open containers, so a builder
/// needs none.
///
/// Only the methods for objects and containers can fail, with any error. The reader adds offset and path.
///
/// A member that a typed container drops is built first and then dropped, unless
/// [`DUPLICATE_KEYS`](Self::DUPLICATE_KEYS) asks for a restart.
///
/// ```
/// use varbytes::build::{Builder, DuplicateKeys, Leaf};
/// use varbytes::variant::{ContainerType, Text};
/// use varbytes::{DecodeErrorKind, Decoder, variant};
///
/// /// Adds all ints of a packet.
/// struct Sum;
///
/// impl<'a> Builder<'a> for Sum {
///     type Value = i64;
///     type Array = i64;
///     type Dictionary = i64;
///     type Object = i64;
///     type Strings = ();
///
///     // This builder could not take back the value of a key that comes again.
///     const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Restarted;
///
///     fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> i64 {
///         if let Leaf::Int(value) = leaf { value } else { 0 }
///     }
///
///     fn begin_strings(&mut self, _: usize) {}
///     fn push_string(&mut self, (): &mut (), _: &'a str) {}
///     fn push_owned_string(&mut self, (): &mut (), _: &Text) {}
///     fn end_strings(&mut self, (): ()) -> i64 {
///         0
///     }
///
///     fn begin_array(&mut self, _: usize, _: Option<ContainerType>) -> Result<i64, DecodeErrorKind> {
///         Ok(0)
///     }
///     fn push_element(&mut self, sum: &mut i64, value: i64) -> Result<(), DecodeErrorKind> {
///         *sum += value;
///         Ok(())
///     }
///     fn end_array(&mut self, sum: i64) -> Result<i64, DecodeErrorKind> {
///         Ok(sum)
///     }
///
///     fn begin_dictionary(
///         &mut self,
///         _: usize,
///         _: Option<ContainerType>,
///         _: Option<ContainerType>,
///     ) -> Result<i64, DecodeErrorKind> {
///         Ok(0)
///     }
///     fn push_entry(&mut self, sum: &mut i64, _: i64, value: i64, _: Option<usize>) -> Result<(), DecodeErrorKind> {
///         *sum += value;
///         Ok(())
///     }
///     fn end_dictionary(&mut self, sum: i64) -> Result<i64, DecodeErrorKind> {
///         Ok(sum)
///     }
///
///     fn begin_object(&mut self, class: &'a str, _: usize) -> Result<i64, DecodeErrorKind> {
///         Err(DecodeErrorKind::Refused { reason: format!("class {class}").into() })
///     }
///     fn push_property(&mut self, _: &mut i64, _: &'a str, _: i64) -> Result<(), DecodeErrorKind> {
///         Ok(())
///     }
///     fn end_object(&mut self, _: i64) -> Result<i64, DecodeErrorKind> {
///         Ok(0)
///     }
/// }
///
/// let packet = varbytes::encode(&variant!({"scores": [1, 2, 3], "bonus": 4}))?;
/// assert_eq!(Decoder::new().decode_with(&packet, &mut Sum)?.value, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::missing_errors_doc, reason = "the trait's documentation says which methods fail")]
#[expect(unused_variables, reason = "most default methods do nothing")]
pub trait Builder<'a> {
    /// A finished value.
    type Value;
    /// An array being filled.
    type Array;
    /// A dictionary being filled.
    type Dictionary;
    /// A full object being filled.
    type Object;
    /// A `PackedStringArray` being filled.
    type Strings;

    /// What the builder needs to know about duplicate keys of a dictionary.
    const DUPLICATE_KEYS: DuplicateKeys;

    /// Whether dictionaries whose keys are typed by class or script check their keys themselves, as those of an engine
    /// do.
    ///
    /// If `true`, the builder receives all of their keys unless types are enforced: Godot 4.6 loses some of these types
    /// while it reads, and keeps keys that do not match. If `false`, the reader drops keys that are not objects.
    const CHECKS_OBJECT_KEYS: bool = false;

    /// The memory that values take in this builder.
    const COSTS: MemoryCosts = MemoryCosts::TREE;

    /// The memory that [coerced](Self::coerce) members take in this builder.
    const COERCED_COSTS: MemoryCosts = Self::COSTS;

    /// Whether the reader may use its fast path, which reads common values without checking what only malformed or
    /// unusual input needs. Both paths build the same value and report the same error.
    const FAST_PATH: bool = true;

    /// Whether the reader calls [`span`](Self::span). The fast path reports no spans, so a builder that sets this to
    /// `true` must set [`FAST_PATH`](Self::FAST_PATH) to `false`. This is checked at compile time.
    const WANTS_SPANS: bool = false;

    /// Whether values must be built in the order of the packet. If `false`, the reader may build a key after its value,
    /// which is faster.
    #[doc(hidden)]
    const WANTS_ORDER: bool = true;

    /// Whether the reader passes consecutive elements of one fixed-size type to [`push_run`](Self::push_run), and entries with such a
    /// value to [`push_numbers`](Self::push_numbers).
    #[doc(hidden)]
    const WANTS_RUNS: bool = false;

    /// Builds a value that holds no others.
    ///
    /// The reader calls the methods below, one for each type. Their default implementations call this one.
    fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> Self::Value;

    leaf_methods! {
        /// `null`.
        nil() = Leaf::Nil;
        /// `bool`.
        bool(value: bool) = Leaf::Bool(value);
        /// `int`.
        int(value: i64) = Leaf::Int(value);
        /// `float`.
        float(value: f64) = Leaf::Float(value);
        /// `String`, as the engine stores it: without byte order mark, and cut at the first NUL.
        string(text: &'a str) = Leaf::String(text);
        /// `StringName`, as the engine stores it.
        string_name(text: &'a str) = Leaf::StringName(text);
        /// `String` or `StringName` whose text is not in the packet in this form; see [`Leaf::OwnedText`].
        owned_text(variant_type: VariantType, text: &Text) = Leaf::OwnedText(variant_type, text);
        /// A type made of reals. `reals` has exactly as many components as the type.
        reals(variant_type: VariantType, reals: Reals<'_>) = Leaf::Reals(variant_type, reals);
        /// A type made of 32-bit integers. `integers` has exactly as many components as the type.
        integers(variant_type: VariantType, integers: &[i32]) = Leaf::Integers(variant_type, integers);
        /// `Color`.
        color(components: [f32; 4]) = Leaf::Color(components);
        /// `NodePath`: node names, then subnames.
        node_path(absolute: bool, names: &[&'a str], subnames: &[&'a str]) =
            Leaf::NodePath { absolute, names, subnames };
        /// `NodePath` whose text is not in the packet in this form; see [`Leaf::OwnedNodePath`].
        owned_node_path(path: &NodePath) = Leaf::OwnedNodePath(path);
        /// `RID`.
        rid(id: u64) = Leaf::RID(id);
        /// A null `Object` that is encoded as an object. Engines encode it as `null`.
        null_object() = Leaf::NullObject;
        /// An `Object` known only by its instance id.
        object_id(id: u64) = Leaf::ObjectId(id);
        /// `Callable`.
        callable() = Leaf::Callable;
        /// `Signal`.
        signal(name: &'a str, object_id: u64) = Leaf::Signal { name, object_id };
        /// `PackedByteArray`.
        packed_bytes(bytes: &'a [u8]) = Leaf::PackedBytes(bytes);
        /// A packed array of numbers, vectors or colours.
        packed_numbers(numbers: PackedNumbers<'a>) = Leaf::PackedNumbers(numbers);
        /// `Image` of Godot 2.
        image(image: &Image) = Leaf::Image(image);
        /// `InputEvent` of Godot 2.
        input_event(event: &InputEvent) = Leaf::InputEvent(event);
    }

    /// `String` that is ASCII without NUL, for a builder that does not need a `str`.
    #[doc(hidden)]
    #[inline]
    fn ascii_string(&mut self, text: Ascii<'a>) -> Self::Value {
        self.string(text.as_str())
    }
    /// `String` without NUL and without a byte order mark, or `None` if the bytes are not UTF-8, for a builder that checks that
    /// itself.
    #[doc(hidden)]
    #[inline]
    fn checked_string(&mut self, text: &'a [u8]) -> Option<Self::Value> {
        str::from_utf8(text).ok().map(|text| self.string(text))
    }
    /// `StringName` that is ASCII without NUL.
    #[doc(hidden)]
    #[inline]
    fn ascii_string_name(&mut self, text: Ascii<'a>) -> Self::Value {
        self.string_name(text.as_str())
    }
    /// `Vector2` with components of 4 bytes.
    #[doc(hidden)]
    #[inline]
    fn vector2(&mut self, components: [f32; 2]) -> Self::Value {
        self.reals(VariantType::Vector2, Reals::Single(&components))
    }
    /// `Vector3` with components of 4 bytes.
    #[doc(hidden)]
    #[inline]
    fn vector3(&mut self, components: [f32; 3]) -> Self::Value {
        self.reals(VariantType::Vector3, Reals::Single(&components))
    }

    /// Begins a `PackedStringArray` of `count` strings. The input is long enough for all of them.
    fn begin_strings(&mut self, count: usize) -> Self::Strings;
    /// Adds the next string, without the NUL that ends it in the packet.
    fn push_string(&mut self, strings: &mut Self::Strings, text: &'a str);
    /// Appends text that is ASCII without NUL, for a builder that does not need a `str`.
    #[doc(hidden)]
    #[inline]
    fn push_ascii_string(&mut self, strings: &mut Self::Strings, text: Ascii<'a>) {
        self.push_string(strings, text.as_str());
    }
    /// Appends text without NUL and without a byte order mark, for a builder that checks itself whether the bytes are UTF-8. If not,
    /// appends nothing and returns false.
    #[doc(hidden)]
    #[inline]
    fn push_checked_string(&mut self, strings: &mut Self::Strings, text: &'a [u8]) -> bool {
        str::from_utf8(text).is_ok_and(|text| {
            self.push_string(strings, text);
            true
        })
    }
    /// Adds the next string, if its text is not in the packet in this form.
    fn push_owned_string(&mut self, strings: &mut Self::Strings, text: &Text);
    /// Completes the `PackedStringArray`.
    fn end_strings(&mut self, strings: Self::Strings) -> Self::Value;

    /// Begins an `Array` of `count` members. The input is long enough for all of them.
    fn begin_array(
        &mut self,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<Self::Array, DecodeErrorKind>;
    /// Begins a `TypedArray` or `PackedTypedArray` of Pandemonium; by default, an array with an element type.
    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<Self::Array, DecodeErrorKind> {
        self.begin_array(count, element_type)
    }
    /// Adds the next member.
    fn push_element(&mut self, array: &mut Self::Array, value: Self::Value) -> Result<(), DecodeErrorKind>;
    /// Adds consecutive members of one type. Called if [`WANTS_RUNS`](Self::WANTS_RUNS) is `true`.
    #[doc(hidden)]
    fn push_run(&mut self, array: &mut Self::Array, members: FixedRun<'a>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
    /// Completes the array.
    fn end_array(&mut self, array: Self::Array) -> Result<Self::Value, DecodeErrorKind>;

    /// Completes an array that was begun without a type and not shared.
    #[doc(hidden)]
    #[inline]
    fn end_plain_array(&mut self, array: Self::Array) -> Result<Self::Value, DecodeErrorKind> {
        self.end_array(array)
    }
    /// Marks the array that was just begun as "shared". Only Godot 1 and 2 have such arrays.
    fn share_array(&mut self, array: &mut Self::Array) {}
    /// Completes a `TypedArray` or `PackedTypedArray`.
    fn end_typed_array(
        &mut self,
        variant_type: VariantType,
        array: Self::Array,
    ) -> Result<Self::Value, DecodeErrorKind> {
        self.end_array(array)
    }

    /// Begins a `Dictionary` of `count` entries. The input is long enough for all of them.
    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<Self::Dictionary, DecodeErrorKind>;
    /// Adds the next entry.
    ///
    /// If `earlier` is set, the key is a duplicate of the key at that position, counted over the entries that were
    /// pushed with `None`. The engine keeps the position and the key of the earlier entry and the value of this one.
    fn push_entry(
        &mut self,
        dictionary: &mut Self::Dictionary,
        key: Self::Value,
        value: Self::Value,
        earlier: Option<usize>,
    ) -> Result<(), DecodeErrorKind>;
    /// Adds the next entry, whose value is of a type that consists of several numbers of 4 bytes: `numbers`, little-endian, in wire
    /// order. The key is new if duplicates are searched for. May be called if [`WANTS_RUNS`](Self::WANTS_RUNS) is `true`.
    #[doc(hidden)]
    fn push_numbers(
        &mut self,
        dictionary: &mut Self::Dictionary,
        key: Self::Value,
        variant_type: VariantType,
        numbers: &'a [u8],
    ) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
    /// Marks the dictionary that was just begun as "shared". Only Godot 1 and 2 have such dictionaries.
    fn share_dictionary(&mut self, dictionary: &mut Self::Dictionary) {}
    /// Completes the dictionary.
    fn end_dictionary(&mut self, dictionary: Self::Dictionary) -> Result<Self::Value, DecodeErrorKind>;

    /// Completes a dictionary that was begun without types and not shared.
    #[doc(hidden)]
    #[inline]
    fn end_plain_dictionary(&mut self, dictionary: Self::Dictionary) -> Result<Self::Value, DecodeErrorKind> {
        self.end_dictionary(dictionary)
    }

    /// Begins a full object with `count` properties. The input is long enough for all of them.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Refused`] if the builder does not allow the class.
    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<Self::Object, DecodeErrorKind>;
    /// Receives the name of the next property, before its value is read.
    fn begin_property(&mut self, object: &mut Self::Object, name: &'a str) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
    /// Adds the next property.
    fn push_property(
        &mut self,
        object: &mut Self::Object,
        name: &'a str,
        value: Self::Value,
    ) -> Result<(), DecodeErrorKind>;
    /// Completes the object.
    fn end_object(&mut self, object: Self::Object) -> Result<Self::Value, DecodeErrorKind>;

    /// Discards everything built so far, because the packet is built again from the start. A builder needs this only if
    /// it keeps state besides its values, such as text that it has written.
    fn restart(&mut self) {}

    /// Receives the byte range, `start` to `end`, of what the previous call reported: a value that holds no others, the
    /// header of a container with its count, or the name of a property.
    ///
    /// `end` is past the input if padding is missing that the engine does not require. Only called if
    /// [`WANTS_SPANS`](Self::WANTS_SPANS) is `true`.
    fn span(&mut self, start: usize, end: usize) {}

    /// Called before a key and its value are read.
    fn begin_entry(&mut self) {}

    /// Returns the value without borrows from the packet. Called before a value is [coerced](Self::coerce).
    fn detach(value: Self::Value) -> Self::Value {
        value
    }

    /// Converts a member to the type that its container declares, as the engine does that was built so. A builder that
    /// cannot look into its values keeps the default: the reader then reads the packet into a tree first.
    ///
    /// The memory of the result is charged before the call. One part is charged only if
    /// [`as_variant`](Self::as_variant) returns a tree: the text of the members of an `Array` that becomes a
    /// `PackedStringArray`.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnsupportedCoercion`] if the exact result of the engine is not known.
    fn coerce(
        &mut self,
        value: Self::Value,
        to: VariantType,
        rule: MemberCoercion,
        build: EngineBuild,
    ) -> Result<Self::Value, DecodeErrorKind> {
        Err(DecodeErrorKind::NeedsTree)
    }

    /// Returns the value as a tree, if the builder can provide one.
    fn as_variant<'v>(value: &'v Self::Value) -> Option<Cow<'v, Variant>> {
        None
    }

    /// Returns a view of the value for comparing it with other keys, if the builder can provide one. Nothing is copied.
    fn as_key<'v>(value: &'v Self::Value) -> Option<KeyView<'v, 'a>>
    where
        'a: 'v,
    {
        None
    }

    /// Returns a view of the key of the entry at `index`, if the builder can provide one.
    fn key_at<'v>(dictionary: &'v Self::Dictionary, index: usize) -> Option<KeyView<'v, 'a>>
    where
        'a: 'v,
    {
        None
    }
}

/// What a builder needs to know about duplicate keys of a dictionary.
///
/// [`Builder`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DuplicateKeys {
    /// Nothing. The result does not depend on duplicate keys, or what is built merges them itself.
    Ignored,
    /// The position of the earlier entry with the same key. The reader compares keys with [`Builder::key_at`].
    Merged,
    /// A packet with duplicate keys, or with members that a typed container drops, is read into a tree first and then
    /// built from that tree. For builders that cannot undo what they have built.
    Restarted,
}
