//! The parts of the [`Writer`] that all types share. The methods for each type are next to those of the reader, in
//! `types/`.

use crate::error::EncodeErrorKind;
use crate::options::WriteOptions;
use crate::profile::{Numbers, ObjectForms};
use crate::variant_type::{Number, Shape};
use crate::wire::{FIRST_KIND_SHIFT, FLAG_OBJECT_ID, FLAG_WIDE, KIND_MASK, SECOND_KIND_SHIFT, padding};
use crate::write::sink::Sink;
use crate::{Precision, Profile, VariantType};

/// Writes values to a [`Sink`], with one method per wire form.
///
/// A container begins with the number of its members. The members follow, and nothing marks the end. The caller must
/// write exactly that number of members and must respect the engine's limit on depth, as
/// [`Encoder`](crate::Encoder) does for a tree.
///
/// ```
/// use varbytes::{Encoder, Variant};
///
/// // The same bytes, with and without a tree.
/// let mut bytes = Vec::new();
/// let mut writer = Encoder::new().writer(&mut bytes);
/// writer.begin_array(2, None)?;
/// writer.int(7)?;
/// writer.string("seven")?;
///
/// let tree = Variant::from(vec![Variant::from(7), Variant::from("seven")]);
/// assert_eq!(bytes, varbytes::encode(&tree).unwrap());
/// # Ok::<(), varbytes::EncodeErrorKind>(())
/// ```
///
/// Each method writes what the tree of the same value is written as:
///
/// ```
/// use varbytes::variant::{ContainerType, NodePath, Object, Reals, Vector2, Vector2i};
/// use varbytes::write::Writer;
/// use varbytes::{Encoder, EncodeErrorKind, Profile, Variant, VariantType, variant};
///
/// type Written = Result<(), EncodeErrorKind>;
///
/// fn read(write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Written) -> Variant {
///     let mut bytes = Vec::new();
///     write(&mut Encoder::new().writer(&mut bytes)).unwrap();
///     varbytes::decode(&bytes).unwrap()
/// }
///
/// assert_eq!(read(|writer| writer.nil()), variant!(null));
/// assert_eq!(read(|writer| writer.bool(true)), variant!(true));
/// assert_eq!(read(|writer| writer.int(7)), variant!(7));
/// assert_eq!(read(|writer| writer.float(1.5)), variant!(1.5));
/// assert_eq!(read(|writer| writer.rid(7)), Variant::RID(7));
/// assert_eq!(read(|writer| writer.callable()), Variant::Callable);
/// assert_eq!(read(|writer| writer.null_object()), variant!(null));
/// assert_eq!(read(|writer| writer.object_id(7)), Variant::from(Object::Id(7)));
/// assert_eq!(read(|writer| writer.signal("pressed", 7)).variant_type(), VariantType::Signal);
/// assert_eq!(read(|writer| writer.signal_utf32(&[0x6A], 7)), read(|writer| writer.signal("j", 7)));
///
/// let name = Variant::StringName("jump".into());
/// assert_eq!(read(|writer| writer.string("jump")), variant!("jump"));
/// assert_eq!(read(|writer| writer.string_name("jump")), name);
/// assert_eq!(read(|writer| writer.text(VariantType::StringName, &"jump".into())), name);
/// assert_eq!(read(|writer| writer.string_utf32(&[0x6A])), variant!("j"));
/// assert_eq!(read(|writer| writer.string_name_utf32(&[0x6A])).as_str(), Some("j"));
///
/// let path: NodePath = "Player:hp".parse().unwrap();
/// assert_eq!(read(|writer| writer.node_path(false, &["Player"], &["hp"])), Variant::from(path.clone()));
/// assert_eq!(read(|writer| writer.whole_node_path(&path)), Variant::from(path));
/// let (names, subnames) = ([&[0x61][..]].into_iter(), [&[0x62][..]].into_iter());
/// assert_eq!(read(|writer| writer.node_path_utf32(true, names, subnames)).to_string(), "NodePath(\"/a:b\")");
///
/// let reals = Reals::Single(&[1.0, 2.0]);
/// assert_eq!(read(|writer| writer.reals(VariantType::Vector2, reals)), Vector2::new(1.0, 2.0));
/// assert_eq!(read(|writer| writer.integers(VariantType::Vector2i, &[1, 2])), Vector2i::new(1, 2));
/// assert_eq!(read(|writer| writer.color([1.0, 0.0, 0.0, 1.0])).to_string(), "Color(1, 0, 0, 1)");
///
/// assert_eq!(read(|writer| writer.packed_bytes(&[1, 2])), variant!(vec![1u8, 2]));
/// assert_eq!(read(|writer| writer.packed_int32(&[1, 2])), variant!(vec![1i32, 2]));
/// assert_eq!(read(|writer| writer.packed_int64(&[1, 2])), variant!(vec![1i64, 2]));
/// assert_eq!(read(|writer| writer.packed_float32(&[0.5])), variant!(vec![0.5f32]));
/// assert_eq!(read(|writer| writer.packed_float64(&[0.5])), variant!(vec![0.5f64]));
/// assert_eq!(read(|writer| writer.packed_strings(&["a", "b"])), variant!(vec!["a", "b"]));
/// assert_eq!(read(|writer| writer.packed_texts(&["a".into()])), variant!(vec!["a"]));
/// assert_eq!(read(|writer| writer.packed_strings_utf32([&[0x61][..]].into_iter())), variant!(vec!["a"]));
/// assert_eq!(read(|writer| writer.packed_vectors(&vec![[1f32, 2.0]].into())), variant!(vec![[1f32, 2.0]]));
/// assert_eq!(read(|writer| writer.packed_reals(VariantType::PackedVector2Array, reals)), variant!(vec![[1f32, 2.0]]));
/// assert_eq!(read(|writer| writer.packed_colors(&[])).variant_type(), VariantType::PackedColorArray);
///
/// // Containers: the header first, then the members.
/// let ints = ContainerType::Builtin(VariantType::Int);
/// let array = read(|writer| {
///     writer.begin_array(1, Some(&ints))?;
///     writer.int(7)
/// });
/// assert_eq!(array.to_string(), "Array[int]([7])");
/// let dictionary = read(|writer| {
///     writer.begin_dictionary(1, None, None)?;
///     writer.string("known")?;
///     writer.encoded(&varbytes::encode(&7.into()).unwrap());
///     Ok(())
/// });
/// assert_eq!(dictionary, variant!({"known": 7}));
///
/// // Full objects have to be allowed.
/// let mut bytes = Vec::new();
/// let mut writer = Encoder::new().objects(true).writer(&mut bytes);
/// writer.begin_object("Timer", 1)?;
/// writer.property_name("autostart")?;
/// writer.bool(true)?;
///
/// // Types of other engines.
/// # use varbytes::variant::{Image, InputEvent, InputEventKind};
/// let mut writer = Encoder::new().profile(Profile::GODOT_2_1).writer(&mut bytes);
/// writer.image(&Image::default())?;
/// writer.input_event(&InputEvent { device: 0, kind: InputEventKind::MouseMotion })?;
/// let mut writer = Encoder::new().profile(Profile::PANDEMONIUM_5).writer(&mut bytes);
/// writer.packed_integers([[1, 2], [3, 4]].into_iter())?;
/// writer.begin_typed_array(VariantType::PackedTypedArray, 0, Some(&ints))?;
/// # Ok::<(), varbytes::EncodeErrorKind>(())
/// ```
///
/// # Errors
/// Each method returns [`EncodeErrorKind::UnsupportedType`] if the engine version does not have the type, and
/// [`EncodeErrorKind::TooLong`] for a count or a length above 2^31 - 1. Methods with other errors name those.
pub struct Writer<'s, S: Sink> {
    pub(crate) sink: &'s mut S,
    pub(crate) options: WriteOptions,
}

impl<'s, S: Sink> Writer<'s, S> {
    pub(crate) fn new(sink: &'s mut S, options: WriteOptions) -> Self {
        Self { sink, options }
    }

    /// Returns the type id, or an error if the engine version does not have the type.
    #[inline]
    pub(crate) fn type_id(&self, variant_type: VariantType) -> Result<u8, EncodeErrorKind> {
        self.options.profile.type_id(variant_type).ok_or(EncodeErrorKind::UnsupportedType { variant_type })
    }

    #[inline]
    pub(crate) fn header(&mut self, variant_type: VariantType, flags: u32) -> Result<(), EncodeErrorKind> {
        let id = self.type_id(variant_type)?;
        self.word(u32::from(id) | flags);
        Ok(())
    }

    /// Appends the bytes of a value that is already encoded. They are not checked. [Example](Self)
    #[inline]
    pub fn encoded(&mut self, bytes: &[u8]) {
        self.sink.put(bytes);
    }

    /// Appends the bytes of a value that is already encoded but for its padding, in two parts.
    #[doc(hidden)]
    #[inline]
    pub fn encoded_unpadded<const HEAD: usize>(&mut self, head: [u8; HEAD], bytes: &[u8]) {
        self.sink.put_padded(head, bytes);
    }

    /// Appends values that are already encoded in `SIZE` bytes each.
    #[doc(hidden)]
    #[inline]
    pub fn encoded_each<T: Copy, const SIZE: usize>(&mut self, values: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        self.sink.put_numbers(values, to_bytes);
    }

    /// Returns whether the sink [is full](Sink::is_full).
    #[doc(hidden)]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.sink.is_full()
    }

    /// Asks the sink whether it [leaves a value](Sink::leaves) of about `size` bytes to another one.
    #[doc(hidden)]
    #[inline]
    pub fn leaves(&mut self, size: usize) -> bool {
        self.sink.leaves(size)
    }

    /// Writes a header without flags and one word of payload with one call of the sink.
    #[inline]
    pub(crate) fn header_and_word(&mut self, variant_type: VariantType, word: u32) -> Result<(), EncodeErrorKind> {
        let id = self.type_id(variant_type)?;
        self.sink.put(&(u64::from(id) | u64::from(word) << 32).to_le_bytes());
        Ok(())
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u32) {
        self.sink.put(&word.to_le_bytes());
    }

    /// Writes a count or a length.
    #[inline]
    pub(crate) fn count(&mut self, count: usize) -> Result<(), EncodeErrorKind> {
        self.flagged_count(count, 0)
    }

    /// Writes a count with a flag in its highest bit.
    #[inline]
    pub(crate) fn flagged_count(&mut self, count: usize, flags: u32) -> Result<(), EncodeErrorKind> {
        self.word(count_word(count)? | flags);
        Ok(())
    }

    /// Writes the zero bytes that pad `length` bytes to the alignment.
    #[inline]
    pub(crate) fn pad(&mut self, length: usize) {
        self.sink.put_padding(&[0; 3][..padding(length)]);
    }

    /// Returns whether reals of a value with `own` precision are written with 8 bytes.
    #[inline]
    pub(crate) fn writes_wide(&self, own: Precision) -> bool {
        self.options.profile.has_double_precision() && self.options.precision.unwrap_or(own) == Precision::Double
    }

    /// Returns the header flag for reals of 8 bytes, if the engine sets it.
    #[inline]
    pub(crate) fn wide_flag(&self, variant_type: VariantType, wide: bool) -> u32 {
        if wide && self.options.profile.flags_wide(variant_type) { FLAG_WIDE } else { 0 }
    }
}

/// Returns a count or a length as it is written. The format limits both to 2^31 - 1.
#[inline]
pub(crate) fn count_word(count: usize) -> Result<u32, EncodeErrorKind> {
    let length = i32::try_from(count).map_err(|_| EncodeErrorKind::TooLong { length: count })?;
    Ok(length.cast_unsigned())
}

/// Returns the header bits above the type id that have a meaning for a type.
pub(crate) fn header_flags(profile: Profile, variant_type: VariantType) -> u32 {
    match variant_type {
        VariantType::Int | VariantType::Float if profile.numbers() != Numbers::Narrow => FLAG_WIDE,
        VariantType::Object if profile.objects() != ObjectForms::HeaderAlone => FLAG_OBJECT_ID,
        VariantType::TypedArray | VariantType::PackedTypedArray => FLAG_OBJECT_ID,
        VariantType::Array if profile.types_arrays() => KIND_MASK << FIRST_KIND_SHIFT,
        VariantType::Dictionary if profile.types_dictionaries() => {
            KIND_MASK << FIRST_KIND_SHIFT | KIND_MASK << SECOND_KIND_SHIFT
        }
        _ => match variant_type.shape() {
            Shape::Fixed(Number::Real, _) if profile.flags_wide(variant_type) => FLAG_WIDE,
            Shape::Packed(Number::Real, _) if profile.has_double_precision() => FLAG_WIDE,
            _ => 0,
        },
    }
}
