//! The builder of engine values: a packet becomes what the script gets, with nothing in between.

use godot::builtin::{Callable, Color, PackedArray, Variant, Vector2, Vector3, Vector4};
use godot::meta::{PackedElement, ToGodot};
use varbytes::codec::{Builder, DuplicateKeys, PackedNumbers};
use varbytes::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};
use varbytes::{DecodeErrorKind, MemberConversion, VariantType};

use crate::engine_bytes::made_by_engine;
use crate::keys::KeyCache;
use crate::objects::{ObjectFill, Objects};
use crate::raw::{self as engine, ArrayFill, DictionaryFill, Made, StringsFill, scalar};

/// Builds values of the running engine.
#[derive(Default)]
pub(crate) struct EngineBuilder {
    keys: KeyCache,
    /// Objects made so far; `None` where full objects are not allowed.
    pub(crate) objects: Option<Objects>,
}

/// An Array being filled.
pub(crate) enum ArrayOf {
    /// Members that need no look: any type, or a built-in one that the reader has checked.
    Plain(ArrayFill),
    /// Objects of a class or script: the engine decides about each.
    Objects(Box<Variant>),
}

impl EngineBuilder {
    pub(crate) fn new(objects: bool) -> Self {
        Self { keys: KeyCache::default(), objects: objects.then(Objects::default) }
    }
}

impl<'a> Builder<'a> for EngineBuilder {
    type Value = Made;
    type Array = ArrayOf;
    type Dictionary = DictionaryFill;
    type Object = ObjectFill;
    type Strings = StringsFill;

    // The engine's Dictionary merges equal keys by itself, as its own decoder lets it.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    // And it looks at keys that are objects by itself.
    const CHECKS_OBJECT_KEYS: bool = true;

    #[inline(always)]
    fn nil(&mut self) -> Made {
        scalar::nil()
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Made {
        scalar::bool(value)
    }

    #[inline(always)]
    fn int(&mut self, value: i64) -> Made {
        scalar::int(value)
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Made {
        scalar::float(value)
    }

    #[inline(always)]
    fn string(&mut self, text: &'a str) -> Made {
        self.keys.string(text)
    }

    fn string_name(&mut self, text: &'a str) -> Made {
        engine::string_name(text).into()
    }

    // The formats of this engine have no text of this kind: it is always Unicode and stands in the packet.
    fn made_string(&mut self, variant_type: VariantType, text: &Text) -> Made {
        let text = text.with_surrogates_joined();
        match variant_type {
            VariantType::StringName => engine::string_name(&text).into(),
            _ => engine::string(&text),
        }
    }

    #[inline]
    fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Made {
        match reals {
            Reals::Single(components) => engine::from_components(variant_type, components),
            // The reader narrows them for a single-precision engine, which this is.
            Reals::Double(_) => self.nil(),
        }
    }

    fn integers(&mut self, variant_type: VariantType, integers: &[i32]) -> Made {
        engine::from_integers(variant_type, integers)
    }

    fn color(&mut self, components: [f32; 4]) -> Made {
        engine::from_components(VariantType::Color, &components)
    }

    fn node_path(&mut self, absolute: bool, names: &[&'a str], subnames: &[&'a str]) -> Made {
        // Names may hold what would end them in a path written as text.
        made_by_engine(false, |writer| writer.node_path(absolute, names, subnames)).into()
    }

    fn made_node_path(&mut self, path: &NodePath) -> Made {
        made_by_engine(false, |writer| writer.whole_node_path(path)).into()
    }

    fn rid(&mut self, id: u64) -> Made {
        engine::rid(id).into()
    }

    fn null_object(&mut self) -> Made {
        engine::null_object().into()
    }

    fn object_id(&mut self, id: u64) -> Made {
        made_by_engine(false, |writer| writer.object_id(id)).into()
    }

    fn callable(&mut self) -> Made {
        Callable::invalid().to_variant().into()
    }

    fn signal(&mut self, name: &'a str, object_id: u64) -> Made {
        // The object need not exist.
        made_by_engine(false, |writer| writer.signal(name, object_id)).into()
    }

    fn packed_bytes(&mut self, bytes: &'a [u8]) -> Made {
        engine::packed_bytes(bytes.len(), |room| room.copy_from_slice(bytes)).to_variant().into()
    }

    fn packed_numbers(&mut self, numbers: PackedNumbers<'a>) -> Made {
        let count = numbers.len();
        let bytes = numbers.bytes();
        match numbers.variant_type() {
            VariantType::PackedInt32Array => filled(count, bytes, i32::from_le_bytes),
            VariantType::PackedInt64Array => filled(count, bytes, i64::from_le_bytes),
            VariantType::PackedFloat32Array => filled(count, bytes, f32::from_le_bytes),
            VariantType::PackedFloat64Array => filled(count, bytes, f64::from_le_bytes),
            VariantType::PackedVector2Array => vectors(&numbers, |[x, y]: [f32; 2]| Vector2 { x, y }),
            VariantType::PackedVector3Array => vectors(&numbers, |[x, y, z]: [f32; 3]| Vector3 { x, y, z }),
            VariantType::PackedVector4Array => vectors(&numbers, |[x, y, z, w]: [f32; 4]| Vector4 { x, y, z, w }),
            VariantType::PackedColorArray => vectors(&numbers, |[r, g, b, a]: [f32; 4]| Color { r, g, b, a }),
            // No other type is made of numbers.
            _ => Variant::nil(),
        }
        .into()
    }

    // These two types are of Godot 2 alone.
    fn image(&mut self, _: &Image) -> Made {
        self.nil()
    }

    fn input_event(&mut self, _: &InputEvent) -> Made {
        self.nil()
    }

    fn begin_strings(&mut self, count: usize) -> StringsFill {
        StringsFill::new(count)
    }

    fn push_string(&mut self, strings: &mut StringsFill, text: &'a str) {
        strings.push(text);
    }

    fn push_made_string(&mut self, strings: &mut StringsFill, text: &Text) {
        strings.push(&text.with_surrogates_joined());
    }

    fn end_strings(&mut self, strings: StringsFill) -> Made {
        strings.finish().into()
    }

    #[inline(always)]
    fn begin_array(&mut self, count: usize, element_type: Option<ContainerType>) -> Result<ArrayOf, DecodeErrorKind> {
        Ok(match element_type {
            None => ArrayOf::Plain(ArrayFill::new(count, None)),
            Some(ContainerType::Builtin(builtin)) if builtin != VariantType::Object => {
                ArrayOf::Plain(ArrayFill::new(count, Some(builtin)))
            }
            Some(of_objects) => {
                let objects = self.objects.is_some();
                let array = made_by_engine(objects, |writer| writer.begin_array(0, Some(&of_objects)));
                ArrayOf::Objects(Box::new(array))
            }
        })
    }

    #[inline(always)]
    fn push_element(&mut self, array: &mut ArrayOf, value: Made) -> Result<(), DecodeErrorKind> {
        match array {
            ArrayOf::Plain(fill) => fill.push(value),
            ArrayOf::Objects(array) if array.is_nil() => {}
            ArrayOf::Objects(array) => {
                array.call("push_back", &[value.into_variant()]);
            }
        }
        Ok(())
    }

    #[inline]
    fn end_array(&mut self, array: ArrayOf) -> Result<Made, DecodeErrorKind> {
        match array {
            ArrayOf::Plain(fill) => Ok(fill.finish()),
            ArrayOf::Objects(array) if array.is_nil() => {
                Err(DecodeErrorKind::Refused { reason: "the engine refuses the type of an Array".into() })
            }
            ArrayOf::Objects(array) => Ok((*array).into()),
        }
    }

    #[inline(always)]
    fn begin_dictionary(
        &mut self,
        _: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<DictionaryFill, DecodeErrorKind> {
        self.keys.begin_dictionary();
        let builtin = |member: &Option<ContainerType>| match member {
            None => Some(None),
            Some(ContainerType::Builtin(builtin)) if *builtin != VariantType::Object => Some(Some(*builtin)),
            Some(_) => None,
        };
        match (builtin(&key_type), builtin(&value_type)) {
            (Some(key_type), Some(value_type)) => Ok(DictionaryFill::new(key_type, value_type)),
            _ => {
                let objects = self.objects.is_some();
                let empty = made_by_engine(objects, |writer| {
                    writer.begin_dictionary(0, key_type.as_ref(), value_type.as_ref())
                });
                DictionaryFill::continued(&empty).ok_or_else(|| DecodeErrorKind::Refused {
                    reason: "the engine refuses the types of a Dictionary".into(),
                })
            }
        }
    }

    #[inline(always)]
    fn push_entry(
        &mut self,
        dictionary: &mut DictionaryFill,
        key: Made,
        value: Made,
        _: Option<usize>,
    ) -> Result<(), DecodeErrorKind> {
        dictionary.insert(key, value);
        Ok(())
    }

    #[inline]
    fn end_dictionary(&mut self, dictionary: DictionaryFill) -> Result<Made, DecodeErrorKind> {
        Ok(dictionary.finish())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<ObjectFill, DecodeErrorKind> {
        match &mut self.objects {
            Some(objects) => objects.begin(class),
            None => Err(DecodeErrorKind::ObjectNotAllowed),
        }
    }

    fn begin_property(&mut self, _: &mut ObjectFill, _: &'a str) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn push_property(&mut self, object: &mut ObjectFill, name: &'a str, value: Made) -> Result<(), DecodeErrorKind> {
        match &mut self.objects {
            Some(objects) => objects.set(object, name, value.into_variant()),
            None => Err(DecodeErrorKind::ObjectNotAllowed),
        }
    }

    fn end_object(&mut self, object: ObjectFill) -> Result<Made, DecodeErrorKind> {
        Ok(object.finish().into())
    }

    #[inline]
    fn begin_entry(&mut self) {
        self.keys.begin_entry();
    }

    fn convert(&mut self, value: Made, to: VariantType, _: MemberConversion) -> Result<Made, DecodeErrorKind> {
        // A typed Array of one member converts as every typed container of this engine does.
        let one = ArrayFill::new(0, Some(to)).finish().into_variant();
        one.call("push_back", &[value.into_variant()]);
        Ok(engine::members(&one).first().cloned().unwrap_or_default().into())
    }
}

/// A packed array of numbers of `SIZE` bytes.
fn filled<T: PackedElement + Copy, const SIZE: usize>(
    count: usize,
    bytes: &[u8],
    number: impl Fn([u8; SIZE]) -> T,
) -> Variant
where
    PackedArray<T>: ToGodot,
{
    engine::packed(count, |room: &mut [T]| {
        for (place, bytes) in room.iter_mut().zip(bytes.as_chunks().0) {
            *place = number(*bytes);
        }
    })
}

/// A packed array of vectors or colours of `N` components.
fn vectors<T: PackedElement + Copy, const N: usize>(
    numbers: &PackedNumbers<'_>,
    vector: impl Fn([f32; N]) -> T,
) -> Variant
where
    PackedArray<T>: ToGodot,
{
    let bytes = numbers.bytes();
    engine::packed(numbers.len(), |room: &mut [T]| {
        if numbers.is_wide() {
            let elements = bytes.as_chunks::<8>().0.as_chunks::<N>().0;
            for (place, element) in room.iter_mut().zip(elements) {
                // Narrowed as the engine does, by rounding.
                *place = vector(element.map(|component| f64::from_le_bytes(component) as f32));
            }
        } else {
            let elements = bytes.as_chunks::<4>().0.as_chunks::<N>().0;
            for (place, element) in room.iter_mut().zip(elements) {
                *place = vector(element.map(f32::from_le_bytes));
            }
        }
    })
}
