//! The builder of engine values: a packet becomes what the script gets, with nothing in between.

use std::rc::Rc;

use godot::builtin::{Callable, Color, PackedArray, Variant, Vector2, Vector3, Vector4};
use godot::meta::{PackedElement, ToGodot};
use varbytes::build::{Builder, DuplicateKeys, EngineBuild, MemoryCosts, PackedNumbers};
use varbytes::variant::{ContainerType, Image, InputEvent, NodePath, Reals, Text};
use varbytes::{DecodeErrorKind, MemberConversion, VariantType};

use crate::engine_bytes::made_by_engine;
use crate::floods::{Floods, Keys};
use crate::keys::KeyCache;
use crate::limits::COSTS;
use crate::object_types::{ObjectType, ObjectTypes, is_of_objects};
use crate::objects::{ObjectFill, Objects};
use crate::raw::{self as engine, ArrayFill, DEEPEST_KEY, DictionaryFill, Made, StringsFill, TypedBy, scalar};

/// Builds values of the running engine.
pub(crate) struct EngineBuilder {
    keys: KeyCache,
    floods: Floods,
    /// Objects made so far; `None` where full objects are not allowed.
    pub(crate) objects: Option<Objects>,
    types: ObjectTypes,
    members: Members,
    /// Whether the packet has members to convert, and so is read into a tree before the first object is made.
    needs_tree: bool,
}

/// What happens to members that are not of their container's type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Members {
    /// What the engine does, which prints messages and lets values of a Dictionary in.
    AsEngine,
    /// They are left out.
    Checked,
    /// They are an error.
    Strict,
}

/// An Array being filled.
pub(crate) enum ArrayOf {
    /// Members that need no look: any type, or a built-in one that the reader has checked.
    Plain(ArrayFill),
    /// Objects of a class or script.
    Objects(Box<(Variant, Rc<ObjectType>)>),
}

/// A Dictionary being filled.
pub(crate) struct DictionaryOf {
    fill: DictionaryFill,
    /// What is asked of keys and values, where one of them has to be an object.
    types: Option<Box<EntryTypes>>,
    /// What is known of its keys, where they are watched.
    keys: Option<Box<Keys>>,
}

/// The types of keys and of values that are objects.
struct EntryTypes {
    key: Option<Rc<ObjectType>>,
    value: Option<Rc<ObjectType>>,
}

impl EngineBuilder {
    pub(crate) fn new(objects: bool, members: Members, floods: Floods) -> Self {
        Self {
            keys: KeyCache::default(),
            floods,
            objects: objects.then(Objects::default),
            types: ObjectTypes::default(),
            members,
            needs_tree: false,
        }
    }

    /// For a packet with members to convert.
    pub(crate) fn needing_tree(self, needs_tree: bool) -> Self {
        Self { needs_tree, ..self }
    }

    /// Whether a member may be put into a container of objects, or else is left out.
    fn takes(&self, wanted: &ObjectType, value: &Variant) -> Result<bool, DecodeErrorKind> {
        if self.members == Members::AsEngine || wanted.takes(value) {
            return Ok(true);
        }
        match self.members {
            Members::Strict => {
                Err(DecodeErrorKind::NotCanonical { reason: "object of another class or script than its container's" })
            }
            _ => Ok(false),
        }
    }

    /// # Errors
    /// [`DecodeErrorKind::Flood`] where names were left out.
    pub(crate) fn finish(&self) -> Result<(), DecodeErrorKind> {
        self.floods.refuse_names()
    }

    /// A StringName; null once the packet is to be refused.
    fn name(&mut self, text: &str) -> Made {
        if self.floods.are_names_refused() {
            return self.nil();
        }
        let name = engine::string_name(text);
        self.floods.name(&name);
        Made::short(name, engine::STRING_NAME)
    }

    /// Whether values with these names may be made.
    fn may_name(&mut self, names: &[&str]) -> bool {
        names.iter().all(|name| self.floods.text_of_name(name))
    }

    /// The name of a class is one for as long as a container is typed by it.
    #[inline]
    fn name_class(&mut self, member_type: Option<&ContainerType>) -> Result<(), DecodeErrorKind> {
        if let Some(ContainerType::Class(class)) = member_type {
            self.floods.text_of_name(class);
            self.floods.refuse_names()?;
        }
        Ok(())
    }

    #[cold]
    fn begin_objects_array(&mut self, of: &ContainerType) -> Result<ArrayOf, DecodeErrorKind> {
        self.name_class(Some(of))?;
        match self.types.get(Some(of))? {
            Some(of) => Ok(ArrayOf::Objects(Box::new((of.array(), of)))),
            None => Ok(ArrayOf::Plain(ArrayFill::new(0, None))),
        }
    }

    #[cold]
    fn begin_objects_dictionary(
        &mut self,
        count: usize,
        key_type: Option<&ContainerType>,
        value_type: Option<&ContainerType>,
    ) -> Result<DictionaryOf, DecodeErrorKind> {
        if self.members == Members::AsEngine {
            // The engine's own reading gives some of these dictionaries other types than they have in the packet.
            let objects = self.objects.is_some();
            let empty = made_by_engine(objects, |writer| writer.begin_dictionary(0, key_type, value_type));
            let fill = DictionaryFill::continued(&empty).ok_or_else(|| DecodeErrorKind::Refused {
                reason: "the engine refuses the types of a Dictionary".into(),
            })?;
            return Ok(DictionaryOf { fill, types: None, keys: None });
        }
        self.name_class(key_type)?;
        self.name_class(value_type)?;
        let types = EntryTypes { key: self.types.get(key_type)?, value: self.types.get(value_type)? };
        let key = types.key.as_ref().map_or_else(|| builtin(key_type), |objects| objects.typed_by());
        let value = types.value.as_ref().map_or_else(|| builtin(value_type), |objects| objects.typed_by());
        let fill = DictionaryFill::new(&key, &value);
        Ok(DictionaryOf { fill, types: Some(Box::new(types)), keys: self.floods.begin_dictionary(count) })
    }
}

/// A type that is none of objects.
#[inline(always)]
fn builtin(member_type: Option<&ContainerType>) -> TypedBy<'static> {
    match member_type {
        Some(ContainerType::Builtin(builtin)) => TypedBy::Builtin(*builtin),
        _ => TypedBy::Any,
    }
}

impl<'a> Builder<'a> for EngineBuilder {
    type Value = Made;
    type Array = ArrayOf;
    type Dictionary = DictionaryOf;
    type Object = ObjectFill;
    type Strings = StringsFill;

    const COSTS: MemoryCosts = COSTS;

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
        self.name(text)
    }

    // The formats of this engine have no text of this kind: it is always Unicode and stands in the packet.
    fn made_string(&mut self, variant_type: VariantType, text: &Text) -> Made {
        let text = text.with_surrogates_joined();
        match variant_type {
            VariantType::StringName => self.name(&text),
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
        if !self.may_name(names) || !self.may_name(subnames) {
            return self.nil();
        }
        // Names may hold what would end them in a path written as text.
        made_by_engine(false, |writer| writer.node_path(absolute, names, subnames)).into()
    }

    fn made_node_path(&mut self, path: &NodePath) -> Made {
        for name in path.names.iter().chain(&path.subnames) {
            if !self.floods.text_of_name(&name.with_surrogates_joined()) {
                return self.nil();
            }
        }
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
        if !self.may_name(&[name]) {
            return self.nil();
        }
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
            Some(of_objects) => self.begin_objects_array(&of_objects)?,
        })
    }

    #[inline(always)]
    fn push_element(&mut self, array: &mut ArrayOf, value: Made) -> Result<(), DecodeErrorKind> {
        match array {
            ArrayOf::Plain(fill) => fill.push(value),
            ArrayOf::Objects(objects) => {
                let value = value.into_variant();
                if self.takes(&objects.1, &value)? {
                    objects.0.call("push_back", &[value]);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn end_array(&mut self, array: ArrayOf) -> Result<Made, DecodeErrorKind> {
        self.floods.refuse_names()?;
        match array {
            ArrayOf::Plain(fill) => Ok(fill.finish()),
            ArrayOf::Objects(objects) => Ok(objects.0.into()),
        }
    }

    #[inline(always)]
    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<DictionaryOf, DecodeErrorKind> {
        self.keys.begin_dictionary();
        if [&key_type, &value_type].into_iter().flatten().any(is_of_objects) {
            return self.begin_objects_dictionary(count, key_type.as_ref(), value_type.as_ref());
        }
        let fill = DictionaryFill::new(&builtin(key_type.as_ref()), &builtin(value_type.as_ref()));
        Ok(DictionaryOf { fill, types: None, keys: self.floods.begin_dictionary(count) })
    }

    #[inline(always)]
    fn push_entry(
        &mut self,
        dictionary: &mut DictionaryOf,
        key: Made,
        mut value: Made,
        _: Option<usize>,
    ) -> Result<(), DecodeErrorKind> {
        let key = key.into_variant();
        if self.members != Members::AsEngine && engine::is_too_deep_for_a_key(&key) {
            return Err(DecodeErrorKind::DepthLimit { limit: DEEPEST_KEY });
        }
        if let Some(types) = &dictionary.types {
            if let Some(wanted) = &types.key
                && !self.takes(wanted, &key)?
            {
                return Ok(());
            }
            if let Some(wanted) = &types.value {
                let held = value.into_variant();
                if !self.takes(wanted, &held)? {
                    return Ok(());
                }
                value = held.into();
            }
        }
        self.floods.key(&mut dictionary.keys, &key, &mut dictionary.fill)?;
        dictionary.fill.insert(&key, value);
        Ok(())
    }

    #[inline]
    fn end_dictionary(&mut self, dictionary: DictionaryOf) -> Result<Made, DecodeErrorKind> {
        self.floods.refuse_names()?;
        self.floods.end_dictionary(dictionary.keys);
        Ok(dictionary.fill.finish())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<ObjectFill, DecodeErrorKind> {
        if self.needs_tree {
            return Err(DecodeErrorKind::NeedsTree);
        }
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

    fn convert(
        &mut self,
        value: Made,
        to: VariantType,
        _: MemberConversion,
        _: EngineBuild,
    ) -> Result<Made, DecodeErrorKind> {
        if self.members != Members::AsEngine {
            // The reader converts within a tree: the engine prints errors about texts that name no colour or path.
            return Err(DecodeErrorKind::NeedsTree);
        }
        // A typed Array of one member converts as every typed container of this engine does.
        let one = ArrayFill::new(0, Some(to)).finish().into_variant();
        one.call("push_back", &[value.into_variant()]);
        Ok(engine::members(&one).first().cloned().unwrap_or_default().into())
    }

    fn restart(&mut self) {
        self.needs_tree = false;
        if let Some(objects) = &mut self.objects {
            objects.abandon();
        }
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
