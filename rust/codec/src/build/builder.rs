//! The seam between the rules of the format and whatever is made of a packet.

use alloc::borrow::Cow;

use crate::build::ascii::Ascii;
use crate::build::costs::MemoryCosts;
use crate::build::leaf::Leaf;
use crate::coerce::EngineBuild;
use crate::error::DecodeErrorKind;
use crate::variant::PackedNumbers;
use crate::variant::{ContainerType, Image, InputEvent, KeyView, NodePath, Reals, Text};
use crate::{MemberCoercion, Variant, VariantType};

/// Makes something of the values of a packet as they are read.
///
/// The reader knows the format, the builder knows what is built: the [`Variant`] tree, nothing at all
/// ([`Validator`](super::Validator)), text, or values of an engine. The reader calls one method for each value,
/// innermost first, and hands finished values to their containers; it keeps the stack of open containers,
/// so a builder needs none.
///
/// Only what concerns objects and containers can fail; the reader adds offset and path.
///
/// Members that a typed container leaves out are built and dropped, unless
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

    /// What the builder wants to know of dictionary keys that come twice.
    const DUPLICATE_KEYS: DuplicateKeys;

    /// Whether dictionaries typed by class or script check their keys themselves, as an engine's own do. Unless
    /// types are enforced, all their keys are then given to the builder: Godot 4.6 loses some of these types while
    /// it reads and keeps keys that do not match. Otherwise the reader leaves out what is no object.
    const CHECKS_OBJECT_KEYS: bool = false;

    /// What values take in the memory of the builder.
    const COSTS: MemoryCosts = MemoryCosts::TREE;

    /// What members that are [coerced](Self::coerce) take in it.
    const COERCED_COSTS: MemoryCosts = Self::COSTS;

    /// Whether the reader may use its fast path, which reads common values without checking what only malformed or
    /// unusual input needs. Both paths build the same value and report the same error.
    const FAST_PATH: bool = true;

    /// Whether [`span`](Self::span) is called. The fast path reports no spans: a builder that sets this to `true` must
    /// set [`FAST_PATH`](Self::FAST_PATH) to `false`, which is checked at compile time.
    const WANTS_SPANS: bool = false;

    /// Whether values are to be made in the order of the wire. Where that does not matter, a key may be made after
    /// its value, which is quicker.
    #[doc(hidden)]
    const WANTS_ORDER: bool = true;

    /// A value that holds no others.
    ///
    /// The methods that follow, one for each type, are called instead of this one, and call it unless the builder has
    /// its own.
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
    /// `String`, as the engine keeps it: without byte order mark, ended by a NUL.
    #[inline]
    fn string(&mut self, text: &'a str) -> Self::Value {
        self.leaf(Leaf::String(text))
    }
    /// `String` of ASCII without NUL, for a builder that does not need it as a `str`.
    #[doc(hidden)]
    #[inline]
    fn ascii_string(&mut self, text: Ascii<'a>) -> Self::Value {
        self.string(text.as_str())
    }
    /// `StringName`, as the engine keeps it.
    #[inline]
    fn string_name(&mut self, text: &'a str) -> Self::Value {
        self.leaf(Leaf::StringName(text))
    }
    /// `String` or `StringName` whose text is not in the packet in this form; see [`Leaf::OwnedText`].
    #[inline]
    fn owned_text(&mut self, variant_type: VariantType, text: &Text) -> Self::Value {
        self.leaf(Leaf::OwnedText(variant_type, text))
    }
    /// A type made of reals; `reals` has exactly as many components as the type.
    #[inline]
    fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Self::Value {
        self.leaf(Leaf::Reals(variant_type, reals))
    }
    /// `Vector2` of components of 4 bytes.
    #[doc(hidden)]
    #[inline]
    fn vector2(&mut self, components: [f32; 2]) -> Self::Value {
        self.reals(VariantType::Vector2, Reals::Single(&components))
    }
    /// `Vector3` of components of 4 bytes.
    #[doc(hidden)]
    #[inline]
    fn vector3(&mut self, components: [f32; 3]) -> Self::Value {
        self.reals(VariantType::Vector3, Reals::Single(&components))
    }
    /// A type made of 32-bit integers; `integers` has exactly as many components as the type.
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
    /// A null `Object` in one of its own forms; engines write it as `null`.
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

    /// Begins a `PackedStringArray` of `count` strings, all of which the input is long enough to hold.
    fn begin_strings(&mut self, count: usize) -> Self::Strings;
    /// The next string, without the NUL that the wire adds.
    fn push_string(&mut self, strings: &mut Self::Strings, text: &'a str);
    /// The next string, where it does not stand in the packet as it is.
    fn push_owned_string(&mut self, strings: &mut Self::Strings, text: &Text);
    /// The `PackedStringArray` is complete.
    fn end_strings(&mut self, strings: Self::Strings) -> Self::Value;

    /// Begins an `Array` of `count` members, all of which the input is long enough to hold.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn begin_array(
        &mut self,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<Self::Array, DecodeErrorKind>;
    /// Begins a `TypedArray` or `PackedTypedArray` of Pandemonium, likewise. To whoever does not tell these
    /// apart it is an array with an element type.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<Self::Array, DecodeErrorKind> {
        let _ = variant_type;
        self.begin_array(count, element_type)
    }
    /// The next member.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn push_element(&mut self, array: &mut Self::Array, value: Self::Value) -> Result<(), DecodeErrorKind>;
    /// The array is complete.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn end_array(&mut self, array: Self::Array) -> Result<Self::Value, DecodeErrorKind>;

    /// The array just begun is "shared", which only Godot 1 and 2 write and keep.
    fn share_array(&mut self, array: &mut Self::Array) {
        let _ = array;
    }
    /// The array is complete, and a `TypedArray` or `PackedTypedArray`.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn end_typed_array(
        &mut self,
        variant_type: VariantType,
        array: Self::Array,
    ) -> Result<Self::Value, DecodeErrorKind> {
        let _ = variant_type;
        self.end_array(array)
    }

    /// Begins a `Dictionary` of `count` entries, all of which the input is long enough to hold.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<Self::Dictionary, DecodeErrorKind>;
    /// The next entry. With `earlier`, the key equals that of the entry at this position, counted over the
    /// entries pushed without it: the engine keeps the position and the key of the earlier one and the
    /// value of this one.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn push_entry(
        &mut self,
        dictionary: &mut Self::Dictionary,
        key: Self::Value,
        value: Self::Value,
        earlier: Option<usize>,
    ) -> Result<(), DecodeErrorKind>;
    /// The dictionary just begun is "shared", which only Godot 1 and 2 write and keep.
    fn share_dictionary(&mut self, dictionary: &mut Self::Dictionary) {
        let _ = dictionary;
    }
    /// The dictionary is complete.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn end_dictionary(&mut self, dictionary: Self::Dictionary) -> Result<Self::Value, DecodeErrorKind>;

    /// Begins a full object with `count` properties, all of which the input is long enough to hold.
    ///
    /// # Errors
    /// Whatever the builder refuses, [`DecodeErrorKind::Refused`] above all: a policy on classes.
    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<Self::Object, DecodeErrorKind>;
    /// The name of the next property; its value follows.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn begin_property(&mut self, object: &mut Self::Object, name: &'a str) -> Result<(), DecodeErrorKind> {
        let _ = (object, name);
        Ok(())
    }
    /// The next property.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn push_property(
        &mut self,
        object: &mut Self::Object,
        name: &'a str,
        value: Self::Value,
    ) -> Result<(), DecodeErrorKind>;
    /// The object is complete.
    ///
    /// # Errors
    /// Whatever the builder refuses.
    fn end_object(&mut self, object: Self::Object) -> Result<Self::Value, DecodeErrorKind>;

    /// Forgets everything made so far: the packet is built anew. Only what was made besides values matters
    /// here, such as text.
    fn restart(&mut self) {}

    /// What the builder was last told of stands from `start` to `end` in the input: a value that holds no
    /// others, the beginning of a container up to its count, or the name of a property. `end` is past the
    /// input where padding is missing that the engine does not require. Only called where
    /// [`WANTS_SPANS`](Self::WANTS_SPANS) says so.
    fn span(&mut self, start: usize, end: usize) {
        let _ = (start, end);
    }

    /// A key and its value are about to be read.
    fn begin_entry(&mut self) {}

    /// The value as it is before it is [coerced](Self::coerce): without what it borrows from the packet.
    fn detach(value: Self::Value) -> Self::Value {
        value
    }

    /// The value as the engine converts it for a typed container that asks for another type. `build` is that of the
    /// engine.
    ///
    /// A builder that cannot look into its values leaves this to the reader, which then reads the packet
    /// into a tree first.
    ///
    /// What the result takes is charged before. One part of it is charged only where [`as_variant`](Self::as_variant)
    /// gives a tree: the text of the members of an `Array` that becomes a `PackedStringArray`.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnsupportedCoercion`] for what is not known exactly.
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

    /// The value as a tree, for a builder whose values are trees or can be made such.
    fn as_variant<'v>(value: &'v Self::Value) -> Option<Cow<'v, Variant>> {
        let _ = value;
        None
    }

    /// The value as a key to compare with others, likewise. Nothing is copied for it.
    fn as_key<'v>(value: &'v Self::Value) -> Option<KeyView<'v, 'a>>
    where
        'a: 'v,
    {
        let _ = value;
        None
    }

    /// The key of the entry at `index`, likewise.
    fn key_at<'v>(dictionary: &'v Self::Dictionary, index: usize) -> Option<KeyView<'v, 'a>>
    where
        'a: 'v,
    {
        let _ = (dictionary, index);
        None
    }
}

/// What a builder wants to know of dictionary keys that come twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DuplicateKeys {
    /// Nothing: nothing depends on them, or what is built merges them by itself.
    Ignored,
    /// The position of the earlier one; [`Builder::key_at`] shows it, so that equality is certain.
    Merged,
    /// A packet with equal keys, or with members that a typed container leaves out, is read into a tree
    /// first and built from what remains. For builders that cannot take back what they have made.
    Restarted,
}
