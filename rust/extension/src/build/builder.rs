//! The decoder's builder: creates the values of the running engine.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use varbytes::build::{Ascii, Builder, DuplicateKeys, EngineBuild, FixedRun, Leaf, MemoryCosts, PackedNumbers};
use varbytes::variant::{ContainerType, Reals, Text};
use varbytes::write::Writer;
use varbytes::{DecodeErrorKind, EncodeErrorKind, MemberCoercion, VariantType};

use super::containers::{
    MISTYPED_MEMBER, MistypedMembers, ObjectContainers, OpenArray, OpenDictionary, begin_unchecked_dictionary,
    has_objects,
};
use super::engine_bytes::{EngineBytes, to_be_read};
use super::key_cache::PacketKeys;
use super::objects::{ObjectFill, Objects, Rejected};
use super::packed::{BEFORE_MEMBERS, OBJECT_ID, bytes_around, packed_array, read_around};
use super::path_cache::PathCache;
use crate::floods::Floods;
use crate::limits::COSTS;
use crate::raw::{self, ArrayFill, DEEPEST_KEY, LazyVariant, NewValue, StringsFill, WireNumbers, scalar};

/// The bytes of a NodePath before its first name: a header, three words, and a length.
const BEFORE_NAMES: usize = 20;

/// The bytes of a Signal before its name: a header and a length.
const BEFORE_SIGNAL: usize = 8;

/// Builds values of the running engine.
pub(crate) struct EngineBuilder<'p> {
    keys: PacketKeys,
    paths: PathCache,
    floods: Floods,
    /// The objects created so far; `None` if full objects are not allowed.
    objects: Option<Objects>,
    containers: ObjectContainers,
    /// Whether a packet is refused that may have to be read again with a policy. See `ReadObjects::Deferred`.
    pub(crate) is_deferred: bool,
    /// The array that contains the packet, if it is known.
    pub(crate) array: Option<&'p PackedByteArray>,
    /// Whether the packet has members to convert. It is then read into a tree before the first object is created.
    pub(crate) needs_tree: bool,
    /// `None` until a value needs it.
    engine: Option<Box<EngineBytes>>,
    /// Whether to refuse typed containers: what becomes of members of other types depends on the options.
    pub(crate) refuses_typed: bool,
}

impl EngineBuilder<'_> {
    /// Creates a builder. It is large, so it should not be moved.
    #[inline(always)]
    pub(crate) fn new(objects: bool, mistyped: MistypedMembers, floods: Floods) -> Self {
        let hash_collisions = !floods.counts();
        Self {
            keys: PacketKeys::EMPTY,
            paths: PathCache::EMPTY,
            floods,
            objects: objects.then(|| Objects::new(hash_collisions)),
            containers: ObjectContainers::new(mistyped),
            is_deferred: false,
            array: None,
            needs_tree: false,
            engine: None,
            refuses_typed: false,
        }
    }

    /// Frees what the builder owns. Each part alone: assigning a new builder would copy all of it.
    #[inline(always)]
    pub(super) fn drop_parts(&mut self) {
        #[cold]
        fn drop_owned(builder: &mut EngineBuilder<'_>) {
            builder.floods = Floods::allowed();
            builder.objects = None;
            builder.containers = ObjectContainers::new(MistypedMembers::AsEngine);
            builder.engine = None;
        }
        self.keys.finish();
        let owns_nothing = self.floods.owns_nothing()
            && self.objects.is_none()
            && self.containers.owns_nothing()
            && self.engine.is_none();
        if !owns_nothing {
            drop_owned(self);
        }
    }

    /// Returns the counts of the packet.
    pub(super) const fn floods(&mut self) -> &mut Floods {
        &mut self.floods
    }

    /// Completes the packet.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Flood`] if names were left out.
    pub(crate) fn finish(&self) -> Result<(), DecodeErrorKind> {
        self.floods.refuse_names()
    }

    /// Notes what scripts of objects do not accept.
    pub(crate) fn note_rejected(&mut self) {
        if let Some(objects) = &mut self.objects {
            objects.note_rejected();
        }
    }

    /// Returns what scripts did not accept so far, and forgets it.
    pub(crate) fn take_rejected(&mut self) -> Rejected {
        self.objects.as_mut().map(Objects::take_rejected).unwrap_or_default()
    }

    /// Frees the objects that nothing else would free. Called when the packet is refused.
    pub(crate) fn free_objects(&mut self) {
        if let Some(objects) = &mut self.objects {
            objects.free();
        }
    }

    /// Lets the engine create a value without objects.
    fn made_by_engine(
        &mut self,
        write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
    ) -> NewValue {
        self.engine.get_or_insert_default().value(false, write).into()
    }

    /// Lets the engine create the members of an Array that are ids of objects, many at once.
    fn push_ids(&mut self, fill: &mut ArrayFill, ids: FixedRun<'_>) {
        /// The most that are copied at once.
        const AT_ONCE: usize = 1024;
        let ids_with_headers = ids.elements::<OBJECT_ID>();
        if fill.lacks_all(ids_with_headers.len())
            && let Some(array) = read_around(self.array, ids.bytes, BEFORE_MEMBERS, VariantType::Array)
        {
            return fill.replace(array);
        }
        for part in ids_with_headers.chunks(AT_ONCE) {
            let array = self.engine.get_or_insert_default().value(false, |writer| {
                writer.begin_array(part.len(), None)?;
                part.iter().try_for_each(|[_, _, _, _, id @ ..]| writer.object_id(u64::from_le_bytes(*id)))
            });
            raw::members(&array).iter().for_each(|member| fill.push(member.clone().into()));
        }
    }

    fn objects(&mut self) -> Result<&mut Objects, DecodeErrorKind> {
        self.objects.as_mut().ok_or(DecodeErrorKind::ObjectNotAllowed)
    }

    fn reads_as_engine(&self) -> bool {
        self.containers.mistyped == MistypedMembers::AsEngine
    }

    /// Creates a StringName, or null once the packet has too many names and will be refused.
    fn name(&mut self, create: impl FnOnce() -> NewValue) -> NewValue {
        if self.floods.counts() { self.floods.create_name(create) } else { create() }
    }

    /// Checks a key of a Dictionary, and notes whether it will be counted.
    #[inline(always)]
    fn begin_key(&self, dictionary: &mut OpenDictionary, key: &Variant) -> Result<(), DecodeErrorKind> {
        if !self.reads_as_engine() && raw::is_too_deep_for_a_key(key) {
            return Err(DecodeErrorKind::DepthLimit { limit: DEEPEST_KEY });
        }
        if self.floods.counts_every(key) {
            // A name that was left out as a key: the engine would print an error in a typed Dictionary.
            self.floods.refuse_names()?;
            dictionary.checks.get_or_insert_default();
        }
        Ok(())
    }

    #[inline(never)]
    fn begin_typed_dictionary(
        &mut self,
        count: usize,
        key_type: Option<&ContainerType>,
        value_type: Option<&ContainerType>,
    ) -> Result<OpenDictionary, DecodeErrorKind> {
        self.may_be_typed()?;
        if !has_objects(key_type, value_type) {
            return Ok(begin_unchecked_dictionary(count, key_type, value_type));
        }
        self.check_type(key_type)?;
        self.check_type(value_type)?;
        self.containers.begin_dictionary(count, key_type, value_type, self.objects.is_some())
    }

    const fn may_be_typed(&self) -> Result<(), DecodeErrorKind> {
        if self.refuses_typed { Err(DecodeErrorKind::NeedsTree) } else { Ok(()) }
    }

    /// Counts the class name of a container's type, which the engine stores as a StringName. Checks whether a script is allowed.
    #[inline]
    fn check_type(&mut self, member_type: Option<&ContainerType>) -> Result<(), DecodeErrorKind> {
        match member_type {
            Some(ContainerType::Class(class)) => {
                self.floods.new_name(class);
                self.floods.refuse_names()
            }
            Some(ContainerType::Script(_)) if self.is_deferred => Err(DecodeErrorKind::ObjectNotAllowed),
            _ => Ok(()),
        }
    }
}

impl<'a> Builder<'a> for EngineBuilder<'_> {
    type Value = NewValue;
    type Array = OpenArray;
    type Dictionary = OpenDictionary;
    type Object = ObjectFill;
    type Strings = StringsFill;

    const COSTS: MemoryCosts = COSTS;

    // The engine's Dictionary merges duplicate keys. The engine's own decoder relies on that too.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;

    const WANTS_RUNS: bool = true;

    // The engine's Dictionary also checks keys that are objects.
    const CHECKS_OBJECT_KEYS: bool = true;

    fn leaf(&mut self, leaf: Leaf<'_, 'a>) -> NewValue {
        match leaf {
            Leaf::Bool(value) => self.bool(value),
            Leaf::Int(value) => self.int(value),
            Leaf::Float(value) => self.float(value),
            Leaf::String(text) => self.string(text),
            Leaf::StringName(text) => self.string_name(text),
            // Does not occur in the format of this engine, whose text is always Unicode.
            Leaf::OwnedText(VariantType::StringName, text) => {
                self.name(|| raw::string_name(&text.with_surrogates_joined()))
            }
            Leaf::OwnedText(_, text) => raw::string(&text.with_surrogates_joined()),
            Leaf::Reals(variant_type, reals) => self.reals(variant_type, reals),
            Leaf::Integers(variant_type, integers) => self.integers(variant_type, integers),
            Leaf::Color(components) => self.color(components),
            Leaf::NodePath { absolute: false, names: [], subnames: [] } => raw::empty_path(),
            Leaf::NodePath { absolute, names, subnames } => {
                let first = names.first().or(subnames.first()).copied().unwrap_or_default().as_bytes();
                let Self { array, paths, floods, .. } = self;
                let packet = bytes_around(*array, first, BEFORE_NAMES).unwrap_or_default();
                // The names of a known path exist already.
                let path = paths.path(packet, || {
                    if floods.may_name(names) && floods.may_name(subnames) {
                        read_around(*array, first, BEFORE_NAMES, VariantType::NodePath)
                    } else {
                        Some(scalar::nil())
                    }
                });
                // Not created from text: a name can contain a separator.
                path.unwrap_or_else(|| {
                    let [names, subnames] =
                        [names, subnames].map(|names| names.iter().copied().map(to_be_read).collect::<Vec<_>>());
                    self.made_by_engine(|writer| writer.node_path(absolute, &names, &subnames))
                })
            }
            Leaf::RID(id) => raw::rid(id),
            Leaf::NullObject => raw::null_object().into(),
            Leaf::ObjectId(id) => self.made_by_engine(|writer| writer.object_id(id)),
            Leaf::Callable => raw::callable(),
            Leaf::Signal { name, object_id } => {
                if !self.floods.may_name(&[name]) {
                    return self.nil();
                }
                raw::signal(name, object_id)
                    .or_else(|| read_around(self.array, name.as_bytes(), BEFORE_SIGNAL, VariantType::Signal))
                    .unwrap_or_else(|| self.made_by_engine(|writer| writer.signal(&to_be_read(name), object_id)))
            }
            Leaf::PackedBytes(bytes) => self.packed_bytes(bytes),
            Leaf::PackedNumbers(numbers) => self.packed_numbers(numbers),
            // Other paths, Image and InputEvent do not occur: only engines before Godot 4 have them.
            _ => self.nil(),
        }
    }

    #[inline(always)]
    fn nil(&mut self) -> NewValue {
        scalar::nil()
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> NewValue {
        scalar::bool(value)
    }

    #[inline(always)]
    fn int(&mut self, value: i64) -> NewValue {
        scalar::int(value)
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> NewValue {
        scalar::float(value)
    }

    #[inline(always)]
    fn string(&mut self, text: &'a str) -> NewValue {
        self.keys.string(text)
    }

    #[inline(always)]
    fn ascii_string(&mut self, text: Ascii<'a>) -> NewValue {
        self.keys.ascii_string(text.as_bytes())
    }

    #[inline]
    fn checked_string(&mut self, text: &'a [u8]) -> Option<NewValue> {
        self.keys.string_of_utf8(text)
    }

    fn string_name(&mut self, text: &'a str) -> NewValue {
        self.name(|| raw::string_name(text))
    }

    fn ascii_string_name(&mut self, text: Ascii<'a>) -> NewValue {
        self.name(|| raw::name_of_ascii(text.as_bytes()))
    }

    #[inline(always)]
    fn reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> NewValue {
        match reals {
            Reals::Single(components) => raw::from_components(variant_type, components),
            // Does not occur: the decoder narrows components for a single-precision engine.
            Reals::Double(_) => self.nil(),
        }
    }

    #[inline(always)]
    fn integers(&mut self, variant_type: VariantType, integers: &[i32]) -> NewValue {
        raw::from_integers(variant_type, integers)
    }

    fn color(&mut self, components: [f32; 4]) -> NewValue {
        raw::from_components(VariantType::Color, &components)
    }

    #[inline]
    fn packed_bytes(&mut self, bytes: &'a [u8]) -> NewValue {
        packed_array(VariantType::PackedByteArray, bytes, false, self.array)
    }

    #[inline]
    fn packed_numbers(&mut self, numbers: PackedNumbers<'a>) -> NewValue {
        packed_array(numbers.variant_type(), numbers.bytes(), numbers.is_wide(), self.array)
    }

    fn begin_strings(&mut self, count: usize) -> StringsFill {
        StringsFill::new(count)
    }

    fn push_string(&mut self, strings: &mut StringsFill, text: &'a str) {
        strings.push(text);
    }

    fn push_ascii_string(&mut self, strings: &mut StringsFill, text: Ascii<'a>) {
        strings.push_ascii(text.as_bytes());
    }

    fn push_checked_string(&mut self, strings: &mut StringsFill, text: &'a [u8]) -> bool {
        strings.push_utf8(text)
    }

    fn push_owned_string(&mut self, strings: &mut StringsFill, text: &Text) {
        strings.push(&text.with_surrogates_joined());
    }

    fn end_strings(&mut self, strings: StringsFill) -> NewValue {
        strings.finish().into()
    }

    #[inline(always)]
    fn begin_array(&mut self, count: usize, element_type: Option<ContainerType>) -> Result<OpenArray, DecodeErrorKind> {
        Ok(match element_type {
            None => OpenArray::Unchecked(ArrayFill::new(count, None)),
            Some(ContainerType::Builtin(built_in)) if built_in != VariantType::Object => {
                self.may_be_typed()?;
                OpenArray::Unchecked(ArrayFill::new(count, Some(built_in)))
            }
            Some(objects) => {
                self.may_be_typed()?;
                self.check_type(Some(&objects))?;
                self.containers.begin_array(count, &objects)?
            }
        })
    }

    #[inline(always)]
    fn push_element(&mut self, array: &mut OpenArray, value: NewValue) -> Result<(), DecodeErrorKind> {
        match array {
            OpenArray::Unchecked(fill) => {
                fill.push(value);
                Ok(())
            }
            OpenArray::Objects(objects) => {
                let is_pushed = self.containers.mistyped.push(&mut objects.0, &objects.1, value);
                if is_pushed { Ok(()) } else { Err(MISTYPED_MEMBER) }
            }
        }
    }

    fn push_run(&mut self, array: &mut OpenArray, members: FixedRun<'a>) -> Result<(), DecodeErrorKind> {
        match array {
            OpenArray::Unchecked(fill) if members.variant_type == VariantType::Object => {
                self.push_ids(fill, members);
                Ok(())
            }
            OpenArray::Unchecked(fill) => {
                fill.push_run(members);
                Ok(())
            }
            // The members of a run are not objects, so an Array of objects can only hold those that are null.
            OpenArray::Objects(objects) if members.variant_type == VariantType::Nil => {
                let mut nulls = members.payloads().map(|_| scalar::nil());
                let fits = |null| self.containers.mistyped.push(&mut objects.0, &objects.1, null);
                if nulls.all(fits) { Ok(()) } else { Err(MISTYPED_MEMBER) }
            }
            OpenArray::Objects(_) => Ok(()),
        }
    }

    #[inline(always)]
    fn end_array(&mut self, array: OpenArray) -> Result<NewValue, DecodeErrorKind> {
        self.floods.refuse_names()?;
        match array {
            OpenArray::Unchecked(fill) => Ok(fill.finish()),
            OpenArray::Objects(objects) => Ok(objects.0.finish()),
        }
    }

    #[inline(always)]
    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<OpenDictionary, DecodeErrorKind> {
        let mut dictionary = match (key_type, value_type) {
            (None, None) => begin_unchecked_dictionary(count, None, None),
            (key_type, value_type) => self.begin_typed_dictionary(count, key_type.as_ref(), value_type.as_ref())?,
        };
        if let Some(keys) = self.floods.begin_dictionary(count) {
            dictionary.checks.get_or_insert_default().keys = Some(keys);
        }
        Ok(dictionary)
    }

    #[inline(always)]
    fn push_entry(
        &mut self,
        dictionary: &mut OpenDictionary,
        key: NewValue,
        mut value: NewValue,
        _: Option<usize>,
    ) -> Result<(), DecodeErrorKind> {
        let key = LazyVariant::new(key.into_variant());
        self.begin_key(dictionary, &key)?;
        if let Some(checks) = &mut dictionary.checks {
            if let Some(types) = &checks.types {
                let variant = value.into_variant();
                if !self.containers.allows_entry(types, &key, &variant)? {
                    return Ok(());
                }
                value = variant.into();
            }
            self.floods.key(&mut checks.keys, &key, || dictionary.fill.len())?;
        }
        dictionary.fill.insert(&key, value);
        Ok(())
    }

    #[inline(never)]
    fn push_numbers(
        &mut self,
        dictionary: &mut OpenDictionary,
        key: NewValue,
        variant_type: VariantType,
        numbers: &[u8],
    ) -> Result<(), DecodeErrorKind> {
        let key = LazyVariant::new(key.into_variant());
        self.begin_key(dictionary, &key)?;
        if let Some(checks) = &mut dictionary.checks {
            // Any value that is not an object stands for the numbers.
            if let Some(types) = &checks.types
                && !self.containers.allows_entry(types, &key, &true.to_variant())?
            {
                return Ok(());
            }
            self.floods.key(&mut checks.keys, &key, || dictionary.fill.len())?;
        }
        dictionary.fill.insert_numbers(&key, &WireNumbers::new(variant_type, numbers));
        Ok(())
    }

    #[inline(always)]
    fn end_dictionary(&mut self, dictionary: OpenDictionary) -> Result<NewValue, DecodeErrorKind> {
        self.floods.refuse_names()?;
        if let Some(checks) = dictionary.checks {
            checks.end(&mut self.floods);
        }
        Ok(dictionary.fill.finish())
    }

    fn begin_object(&mut self, class: &'a str, _: usize) -> Result<ObjectFill, DecodeErrorKind> {
        if self.needs_tree {
            return Err(DecodeErrorKind::NeedsTree);
        }
        self.floods.refuse_names()?;
        self.objects()?.begin(class)
    }

    fn push_property(
        &mut self,
        object: &mut ObjectFill,
        name: &'a str,
        value: NewValue,
    ) -> Result<(), DecodeErrorKind> {
        // The value can be a name that was left out.
        self.floods.refuse_names()?;
        self.objects()?.set(object, name, value.into_variant())
    }

    fn end_object(&mut self, object: ObjectFill) -> Result<NewValue, DecodeErrorKind> {
        Ok(object.finish().into())
    }

    #[inline]
    fn begin_entry(&mut self) {
        self.keys.begin_entry();
    }

    fn coerce(
        &mut self,
        value: NewValue,
        to: VariantType,
        _: MemberCoercion,
        _: EngineBuild,
    ) -> Result<NewValue, DecodeErrorKind> {
        if self.is_deferred {
            // A tree does not contain the objects that are left out, which the policy may refuse.
            return Err(DecodeErrorKind::ObjectNotAllowed);
        }
        if !self.reads_as_engine() {
            // The decoder converts within a tree. The engine would print errors about text that is not a color or path.
            return Err(DecodeErrorKind::NeedsTree);
        }
        // Appending to a typed Array converts as every typed container of this engine does.
        let array = ArrayFill::new(0, Some(to)).finish().into_variant();
        array.call("push_back", &[value.into_variant()]);
        Ok(raw::members(&array).first().cloned().unwrap_or_default().into())
    }

    fn restart(&mut self) {
        self.needs_tree = false;
        self.take_rejected();
        self.free_objects();
    }
}
