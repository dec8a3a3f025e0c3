//! The interface between the reader, which knows the format, and what is built from a packet.

use alloc::borrow::Cow;

use crate::build::ascii::Ascii;
use crate::build::costs::MemoryCosts;
use crate::build::leaf::Leaf;
use crate::coerce::EngineBuild;
use crate::error::DecodeErrorKind;
use crate::variant::{ContainerType, Image, InputEvent, KeyView, NodePath, PackedNumbers, Reals, Text};
use crate::{MemberCoercion, Variant, VariantType};

/// Receives the values of a packet while they are read, and builds something from them.
///
/// The reader knows the format. The builder knows what is built: the [`Variant`] tree, nothing
/// ([`Validator`](super::Validator)), text, or values of an engine. The reader calls one method per value, innermost
/// values first, and passes finished values to their containers. It keeps the stack of open containers, so a builder
/// needs none.
///
/// Only the methods for objects and containers can fail. The reader adds offset and path to their errors.
///
/// A member that a typed container drops is built first and then dropped, unless
/// [`DUPLICATE_KEYS`](Self::DUPLICATE_KEYS) asks for a restart.
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

    /// Builds a value that holds no others.
    ///
    /// The reader calls the methods below, one for each type. Their default implementations call this one.
    fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> Self::Value;

    /// `null`.
    #[inline]
    fn nil(&mut self) -> Self::Value {
        self.leaf(Leaf::Nil)
    }
    /// `bool`.
    #[inline]
    fn bool(&mut self, value: bool) -> Self::Value {
        self.leaf(Leaf::Bool(value))
    }
    /// `int`.
    #[inline]
    fn int(&mut self, value: i64) -> Self::Value {
        self.leaf(Leaf::Int(value))
    }
    /// `float`.
    #[inline]
    fn float(&mut self, value: f64) -> Self::Value {
        self.leaf(Leaf::Float(value))
    }
    /// `String`, as the engine stores it: without byte order mark, and cut at the first NUL.
    #[inline]
    fn string(&mut self, text: &'a str) -> Self::Value {
        self.leaf(Leaf::String(text))
    }
    /// `String` that is ASCII without NUL, for a builder that does not need a `str`.
    #[doc(hidden)]
    #[inline]
    fn ascii_string(&mut self, text: Ascii<'a>) -> Self::Value {
        self.string(text.as_str())
    }
    /// `StringName`, as the engine stores it.
    #[inline]
    fn string_name(&mut self, text: &'a str) -> Self::Value {
        self.leaf(Leaf::StringName(text))
    }
    /// `String` or `StringName` whose text is not in the packet in this form; see [`Leaf::OwnedText`].
    #[inline]
    fn owned_text(&mut self, variant_type: VariantType, text: &Text) -> Self::Value {
        self.leaf(Leaf::OwnedText(variant_type, text))
    }
    /// A type made of reals. `reals` has exactly as many components as the type.
    #[inline]
    fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Self::Value {
        self.leaf(Leaf::Reals(variant_type, reals))
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
    /// A type made of 32-bit integers. `integers` has exactly as many components as the type.
    #[inline]
    fn integers(&mut self, variant_type: VariantType, integers: &[i32]) -> Self::Value {
        self.leaf(Leaf::Integers(variant_type, integers))
    }
    /// `Color`.
    #[inline]
    fn color(&mut self, components: [f32; 4]) -> Self::Value {
        self.leaf(Leaf::Color(components))
    }
    /// `NodePath`: node names, then subnames.
    #[inline]
    fn node_path(&mut self, absolute: bool, names: &[&'a str], subnames: &[&'a str]) -> Self::Value {
        self.leaf(Leaf::NodePath { absolute, names, subnames })
    }
    /// `NodePath` whose text is not in the packet in this form; see [`Leaf::OwnedNodePath`].
    #[inline]
    fn owned_node_path(&mut self, path: &NodePath) -> Self::Value {
        self.leaf(Leaf::OwnedNodePath(path))
    }
    /// `RID`.
    #[inline]
    fn rid(&mut self, id: u64) -> Self::Value {
        self.leaf(Leaf::RID(id))
    }
    /// A null `Object` that is encoded as an object. Engines encode it as `null`.
    #[inline]
    fn null_object(&mut self) -> Self::Value {
        self.leaf(Leaf::NullObject)
    }
    /// An `Object` known only by its instance id.
    #[inline]
    fn object_id(&mut self, id: u64) -> Self::Value {
        self.leaf(Leaf::ObjectId(id))
    }
    /// `Callable`.
    #[inline]
    fn callable(&mut self) -> Self::Value {
        self.leaf(Leaf::Callable)
    }
    /// `Signal`.
    #[inline]
    fn signal(&mut self, name: &'a str, object_id: u64) -> Self::Value {
        self.leaf(Leaf::Signal { name, object_id })
    }
    /// `PackedByteArray`.
    #[inline]
    fn packed_bytes(&mut self, bytes: &'a [u8]) -> Self::Value {
        self.leaf(Leaf::PackedBytes(bytes))
    }
    /// A packed array of numbers, vectors or colours.
    #[inline]
    fn packed_numbers(&mut self, numbers: PackedNumbers<'a>) -> Self::Value {
        self.leaf(Leaf::PackedNumbers(numbers))
    }
    /// `Image` of Godot 2.
    #[inline]
    fn image(&mut self, image: &Image) -> Self::Value {
        self.leaf(Leaf::Image(image))
    }
    /// `InputEvent` of Godot 2.
    #[inline]
    fn input_event(&mut self, event: &InputEvent) -> Self::Value {
        self.leaf(Leaf::InputEvent(event))
    }

    /// Begins a `PackedStringArray` of `count` strings. The input is long enough for all of them.
    fn begin_strings(&mut self, count: usize) -> Self::Strings;
    /// Adds the next string, without the NUL that ends it in the packet.
    fn push_string(&mut self, strings: &mut Self::Strings, text: &'a str);
    /// Adds the next string, if its text is not in the packet in this form.
    fn push_owned_string(&mut self, strings: &mut Self::Strings, text: &Text);
    /// Completes the `PackedStringArray`.
    fn end_strings(&mut self, strings: Self::Strings) -> Self::Value;

    /// Begins an `Array` of `count` members. The input is long enough for all of them.
    ///
    /// # Errors
    /// Any error of the builder.
    fn begin_array(
        &mut self,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<Self::Array, DecodeErrorKind>;
    /// Begins a `TypedArray` or `PackedTypedArray` of Pandemonium. By default it is built as an array with an element
    /// type.
    ///
    /// # Errors
    /// Any error of the builder.
    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<Self::Array, DecodeErrorKind> {
        let _ = variant_type;
        self.begin_array(count, element_type)
    }
    /// Adds the next member.
    ///
    /// # Errors
    /// Any error of the builder.
    fn push_element(&mut self, array: &mut Self::Array, value: Self::Value) -> Result<(), DecodeErrorKind>;
    /// Completes the array.
    ///
    /// # Errors
    /// Any error of the builder.
    fn end_array(&mut self, array: Self::Array) -> Result<Self::Value, DecodeErrorKind>;

    /// Marks the array that was just begun as "shared". Only Godot 1 and 2 have such arrays.
    fn share_array(&mut self, array: &mut Self::Array) {
        let _ = array;
    }
    /// Completes a `TypedArray` or `PackedTypedArray`.
    ///
    /// # Errors
    /// Any error of the builder.
    fn end_typed_array(
        &mut self,
        variant_type: VariantType,
        array: Self::Array,
    ) -> Result<Self::Value, DecodeErrorKind> {
        let _ = variant_type;
        self.end_array(array)
    }

    /// Begins a `Dictionary` of `count` entries. The input is long enough for all of them.
    ///
    /// # Errors
    /// Any error of the builder.
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
    ///
    /// # Errors
    /// Any error of the builder.
    fn push_entry(
        &mut self,
        dictionary: &mut Self::Dictionary,
        key: Self::Value,
        value: Self::Value,
        earlier: Option<usize>,
    ) -> Result<(), DecodeErrorKind>;
    /// Marks the dictionary that was just begun as "shared". Only Godot 1 and 2 have such dictionaries.
    fn share_dictionary(&mut self, dictionary: &mut Self::Dictionary) {
        let _ = dictionary;
    }
    /// Completes the dictionary.
    ///
    /// # Errors
    /// Any error of the builder.
    fn end_dictionary(&mut self, dictionary: Self::Dictionary) -> Result<Self::Value, DecodeErrorKind>;

    /// Begins a full object with `count` properties. The input is long enough for all of them.
    ///
    /// # Errors
    /// Any error of the builder; [`DecodeErrorKind::Refused`] if it does not allow the class.
    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<Self::Object, DecodeErrorKind>;
    /// Receives the name of the next property, before its value is read.
    ///
    /// # Errors
    /// Any error of the builder.
    fn begin_property(&mut self, object: &mut Self::Object, name: &'a str) -> Result<(), DecodeErrorKind> {
        let _ = (object, name);
        Ok(())
    }
    /// Adds the next property.
    ///
    /// # Errors
    /// Any error of the builder.
    fn push_property(
        &mut self,
        object: &mut Self::Object,
        name: &'a str,
        value: Self::Value,
    ) -> Result<(), DecodeErrorKind>;
    /// Completes the object.
    ///
    /// # Errors
    /// Any error of the builder.
    fn end_object(&mut self, object: Self::Object) -> Result<Self::Value, DecodeErrorKind>;

    /// Discards everything built so far, because the packet is built again from the start. A builder needs this only if
    /// it keeps state besides its values, such as text that it has written.
    fn restart(&mut self) {}

    /// Receives the byte range, `start` to `end`, of what the previous call reported: a value that holds no others, the
    /// header of a container with its count, or the name of a property.
    ///
    /// `end` is past the input if padding is missing that the engine does not require. Only called if
    /// [`WANTS_SPANS`](Self::WANTS_SPANS) is `true`.
    fn span(&mut self, start: usize, end: usize) {
        let _ = (start, end);
    }

    /// Called before a key and its value are read.
    fn begin_entry(&mut self) {}

    /// Returns the value without borrows from the packet. Called before a value is [coerced](Self::coerce).
    fn detach(value: Self::Value) -> Self::Value {
        value
    }

    /// Converts a member to the type that its container declares, as the engine does. `build` says how the engine was
    /// built.
    ///
    /// A builder that cannot look into its values keeps the default. The reader then reads the packet into a tree
    /// first.
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
        let _ = (value, to, rule, build);
        Err(DecodeErrorKind::NeedsTree)
    }

    /// Returns the value as a tree, if the builder can provide one.
    fn as_variant<'v>(value: &'v Self::Value) -> Option<Cow<'v, Variant>> {
        let _ = value;
        None
    }

    /// Returns a view of the value for comparing it with other keys, if the builder can provide one. Nothing is copied.
    fn as_key<'v>(value: &'v Self::Value) -> Option<KeyView<'v, 'a>>
    where
        'a: 'v,
    {
        let _ = value;
        None
    }

    /// Returns a view of the key of the entry at `index`, if the builder can provide one.
    fn key_at<'v>(dictionary: &'v Self::Dictionary, index: usize) -> Option<KeyView<'v, 'a>>
    where
        'a: 'v,
    {
        let _ = (dictionary, index);
        None
    }
}

/// What a builder needs to know about duplicate keys of a dictionary.
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
