//! From one engine generation to another.
//!
//! A value is read as one engine reads it and made into what another can hold: types are renumbered, and where
//! the other has no such type, renamed, widened or taken apart. Whatever does not come out exactly as it was is
//! reported with its path, what it was and why: a conversion without [`Loss`] is exact.
//!
//! ```
//! use varbytes::migrate::Conversion;
//! use varbytes::{Profile, Variant};
//!
//! // A Godot 3 save: a Dictionary with a PoolIntArray.
//! let save = [
//!     18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, b'h', b'i', b'g', b'h', //
//!     21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0,
//! ];
//! let converted = Conversion::new(Profile::GODOT_3_5, Profile::GODOT_4_6).convert_bytes(&save)?;
//! assert!(converted.losses.is_empty());
//! let value = varbytes::decode(&converted.value)?;
//! let Variant::Dictionary(save) = value else { panic!("{value:?}") };
//! assert_eq!(save.get("high"), Some(&Variant::from(vec![99i32])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod leaf;
mod loss;
mod names;

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use loss::{Loss, LossKind};
use loss::{Losses, short};
pub use names::Names;

use crate::escape::{NAME_LENGTH, beginning};
use crate::path::{Path, Step, key_text};
use crate::profile::ObjectForms;
use crate::read::duplicate_keys::equal_keys;
use crate::read::duplicate_keys::equal_names;
use crate::variant::{
    Array, ContainerHash, ContainerType, Dictionary, KeyContext, KeyHasher, Object, ObjectData, Visit, Walk,
};
use crate::wire::{MAX_DEPTH, SCRIPT_PATH_PREFIX, SCRIPT_PROPERTY};
use crate::{DecodeError, Decoder, EncodeError, Encoder, Limits, Precision, Profile, Variant, VariantType, work};

/// How to convert: from which engine to which, with or without objects, under which names.
#[derive(Clone, Debug)]
pub struct Conversion {
    from: Profile,
    to: Profile,
    objects: bool,
    precision: Option<Precision>,
    limits: Limits,
    names: Names,
    max_losses: usize,
}

impl Default for Conversion {
    fn default() -> Self {
        Self::new(Profile::default(), Profile::default())
    }
}

/// What came of a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted<T> {
    /// The value, or its bytes.
    pub value: T,
    /// What is not in it as it was, up to [`Conversion::max_losses`]; empty where everything is.
    pub losses: Vec<Loss>,
    /// How many more losses of each kind there are.
    pub unlisted: BTreeMap<LossKind, u64>,
    /// How many bytes of the input the value took; 0 where there were none.
    pub consumed: usize,
}

/// Why bytes could not be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// They could not be read.
    Decode(DecodeError),
    /// What they held could not be written: it is nested too deep, or too long.
    Encode(EncodeError),
}

impl fmt::Display for ConversionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => write!(formatter, "cannot be read: {error}"),
            Self::Encode(error) => write!(formatter, "cannot be written: {error}"),
        }
    }
}

impl core::error::Error for ConversionError {}

impl From<DecodeError> for ConversionError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<EncodeError> for ConversionError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl Conversion {
    /// Losses that are listed unless [`max_losses`](Self::max_losses) says otherwise.
    pub const MAX_LOSSES: usize = 1000;

    /// From one engine to another, without full objects and with all names left alone.
    #[must_use]
    pub fn new(from: Profile, to: Profile) -> Self {
        Self {
            from,
            to,
            objects: false,
            precision: None,
            limits: Limits::default(),
            names: Names::default(),
            max_losses: Self::MAX_LOSSES,
        }
    }

    /// Whether full objects are read and written, as data. Otherwise bytes with one are refused.
    #[must_use]
    pub fn objects(mut self, objects: bool) -> Self {
        self.objects = objects;
        self
    }

    /// The precision to write with; without this, each value keeps the one it has, if the engine has it.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = Some(precision);
        self
    }

    /// What the input may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The greatest number of losses that are listed, each with its path; the others are counted by kind in
    /// [`Converted::unlisted`]. What a list takes in memory is bounded by that.
    ///
    /// ```
    /// use varbytes::migrate::{Conversion, LossKind};
    /// use varbytes::{Profile, Variant};
    ///
    /// let ids = Variant::from(vec![Variant::RID(7); 5000]);
    /// let conversion = Conversion::new(Profile::GODOT_4_6, Profile::GODOT_3_5).max_losses(10);
    /// let converted = conversion.convert(&ids);
    /// assert_eq!((converted.losses.len(), converted.unlisted[&LossKind::RidId]), (10, 4990));
    /// ```
    #[must_use]
    pub fn max_losses(mut self, max_losses: usize) -> Self {
        self.max_losses = max_losses;
        self
    }

    /// The names of classes and properties that change.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// The value that `bytes` begin with, as bytes of the other engine.
    ///
    /// What an engine is known to read wrongly is read as it was meant, and what follows the value is left alone.
    /// Values nested deeper than 1024 levels are refused, whatever the engine.
    ///
    /// # Errors
    /// [`ConversionError`].
    pub fn convert_bytes(&self, bytes: &[u8]) -> Result<Converted<Vec<u8>>, ConversionError> {
        // Most engines read and write no deeper, and the paths of what is lost deeper could be as long as the input.
        let limits = Limits { depth: self.limits.depth.min(MAX_DEPTH), ..self.limits };
        let decoder = Decoder::new().profile(self.from).objects(self.objects).limits(limits);
        let decoded = decoder.correct_faults(true).decode_prefix(bytes)?;
        let (value, mut losses) = self.rebuild(&decoded.value);
        let mut encoder = Encoder::new().profile(self.to).full_objects(self.objects).correct_faults(true);
        if let Some(precision) = self.precision {
            encoder = encoder.precision(precision);
        }
        let written = encoder.encode(&value)?;
        if !losses.kinds().any(|kind| EXPLAINS_READING.contains(&kind)) && !self.reads_back(&written) {
            losses.add(
                LossKind::ReadsBackDifferently,
                format_args!("{} of {} bytes", value.variant_type(), written.len()),
                Path::default,
            );
        }
        Ok(losses.of(written, decoded.consumed))
    }

    /// Whether the engine reads from `written` what they were written for.
    fn reads_back(&self, written: &[u8]) -> bool {
        let engine = Decoder::new().profile(self.to).objects(self.objects);
        match (engine.decode(written), engine.strict(true).decode(written)) {
            (Ok(read), Ok(meant)) => read.bit_eq(&meant),
            _ => false,
        }
    }

    /// The value as the other engine can hold it.
    #[must_use]
    pub fn convert(&self, value: &Variant) -> Converted<Variant> {
        let (value, losses) = self.rebuild(value);
        losses.of(value, 0)
    }

    fn rebuild(&self, value: &Variant) -> (Variant, Losses) {
        let losses = Losses::new(self.max_losses);
        let hasher = KeyHasher::new(self.to.keys());
        let mut rebuild = Rebuild { conversion: self, open: Vec::new(), hasher, losses, paths_left: ALL_PATHS };
        (rebuild.rebuild(value), rebuild.losses)
    }
}

/// Losses that say already why what is written is read differently.
const EXPLAINS_READING: [LossKind; 4] =
    [LossKind::EqualKeys, LossKind::UnreadableText, LossKind::NodePath, LossKind::ReadsBackDifferently];

/// A value being made anew, and what was lost so far.
struct Rebuild<'c, 'v> {
    conversion: &'c Conversion,
    open: Vec<Open<'v>>,
    /// Finds keys that become equal.
    hasher: KeyHasher,
    losses: Losses,
    /// What the paths of further losses may take.
    paths_left: usize,
}

/// Bytes that the paths of all losses may take, and more of them for each value visited. After that a path is cut
/// where it takes more than [`SHORT_PATH`]: losses deep inside a value or under a long name would have a report of a
/// thousand times its size.
const ALL_PATHS: usize = 1 << 16;
const PATHS_FOR_A_VALUE: usize = 1 << 8;
const SHORT_PATH: usize = 1 << 10;

/// A container whose members are being made.
struct Open<'v> {
    source: &'v Variant,
    /// Members so far; keys and values in turn.
    members: Vec<Variant>,
    /// The names of the properties so far, in the target.
    names: Vec<String>,
    /// The name of the property being made, in the source.
    property: &'v str,
    /// What the keys of a dictionary hash to.
    key_hashes: Vec<u64>,
    /// What the members hash to, where the container is part of a key.
    hash: Option<ContainerHash>,
}

impl Open<'_> {
    fn is_at_key(&self) -> bool {
        matches!(self.source, Variant::Dictionary(_)) && self.members.len().is_multiple_of(2)
    }
}

impl<'v> Rebuild<'_, 'v> {
    /// Without recursion, however deep the value.
    fn rebuild(&mut self, value: &'v Variant) -> Variant {
        let mut walk = Walk::new(value);
        while let Some(visit) = walk.next() {
            work::add(1);
            self.paths_left += PATHS_FOR_A_VALUE;
            let mut hash = None;
            let finished = match visit {
                Visit::Leaf(leaf) if self.is_no_script(leaf) => {
                    self.lose(LossKind::Script, format_args!("{} becomes null", script_text(leaf)));
                    Variant::Nil
                }
                Visit::Leaf(leaf) => self.leaf(leaf),
                Visit::Enter(Variant::Object(Object::Data(data))) if self.writes_no_objects() => {
                    walk.pass_over();
                    self.lose(LossKind::Object, format_args!("object of class {} becomes null", data.class));
                    Variant::Object(Object::Null)
                }
                Visit::Enter(source) if self.is_no_script(source) => {
                    walk.pass_over();
                    self.lose(LossKind::Script, format_args!("{} becomes null", script_text(source)));
                    Variant::Nil
                }
                Visit::Enter(source) => {
                    let hash = self.place_in_key().map(|(_, level)| ContainerHash::new(source.variant_type(), level));
                    let (members, names, key_hashes) = (Vec::new(), Vec::new(), Vec::new());
                    self.open.push(Open { source, members, names, property: "", key_hashes, hash });
                    continue;
                }
                Visit::Name(name) => {
                    self.begin_property(name);
                    continue;
                }
                Visit::Leave(_) => match self.open.pop() {
                    Some(mut open) => {
                        let members = open.hash.take();
                        let closed = self.close(open, members.is_some());
                        hash = members.map(|members| self.hasher.container(&members.of_type(closed.variant_type())));
                        closed
                    }
                    None => continue,
                },
            };
            if let Some((place, level)) = self.place_in_key() {
                let hash = hash.unwrap_or_else(|| self.hasher.tree((&finished).into(), place, level));
                self.note_hash(hash);
            }
            match self.open.last_mut() {
                Some(open) => open.members.push(finished),
                None => return finished,
            }
        }
        Variant::Nil
    }

    /// Where in a key the value stands that is made next, and the level it has there; `None` where it is in none that
    /// another can equal.
    fn place_in_key(&self) -> Option<(KeyContext, usize)> {
        let open = self.open.last()?;
        let at_key = open.is_at_key();
        match &open.hash {
            Some(hash) if !at_key => Some((KeyContext::in_container(hash.level), hash.level + 1)),
            Some(hash) => Some((KeyContext::Key, hash.level + 1)),
            None => {
                let is_searched =
                    at_key && matches!(open.source, Variant::Dictionary(source) if source.entries().len() > 1);
                is_searched.then_some((KeyContext::Key, 1))
            }
        }
    }

    fn note_hash(&mut self, hash: u64) {
        let Some(open) = self.open.last_mut() else { return };
        if open.is_at_key() {
            open.key_hashes.push(hash);
        }
        if let Some(container) = &mut open.hash {
            container.push(hash);
        }
    }

    fn begin_property(&mut self, name: &'v str) {
        let conversion = self.conversion;
        let Some(open) = self.open.last_mut() else { return };
        let class = match open.source {
            Variant::Object(Object::Data(data)) => data.class.as_str(),
            _ => "",
        };
        open.property = name;
        open.names.push(conversion.names.property_of(class, name).to_owned());
    }

    fn close(&mut self, open: Open<'v>, in_key: bool) -> Variant {
        let Open { source, members, names, key_hashes, .. } = open;
        match source {
            Variant::Dictionary(dictionary) => self.close_dictionary(dictionary, members, key_hashes, in_key),
            Variant::Object(Object::Data(data)) => {
                self.report_equal_names(data, &names);
                let class = self.conversion.names.class_of(&data.class).to_owned();
                ObjectData { class, properties: names.into_iter().zip(members).collect() }.into()
            }
            other => match other.as_array() {
                Some(array) => self.close_array(other.variant_type(), array, members),
                None => Variant::Nil,
            },
        }
    }

    /// Two names that the table made one; a name that came twice is as it was.
    fn report_equal_names(&mut self, data: &ObjectData, names: &[String]) {
        for (earlier, later) in equal_names(&mut self.hasher, names) {
            let [earlier, source] = [earlier, later].map(|index| &data.properties[index].0);
            if earlier != source {
                let name = &names[later];
                self.lose(LossKind::EqualNames, format_args!("properties {earlier} and {source} become {name}"));
            }
        }
    }

    fn close_array(&mut self, variant_type: VariantType, array: &Array, members: Vec<Variant>) -> Variant {
        let to = self.conversion.to;
        let stays = to.type_id(variant_type).is_some();
        let typed = if variant_type == VariantType::Array { to.types_arrays() } else { stays || to.types_arrays() };
        let element_type = self.container_type(array.element_type(), typed);
        if !stays {
            self.lose(LossKind::Type, format_args!("{variant_type} becomes Array"));
        }
        let shared = self.shared(array.is_shared());
        let array = Array::with_type(element_type, members).with_shared(shared);
        if stays { Variant::from_array(variant_type, array) } else { Variant::Array(array) }
    }

    fn close_dictionary(
        &mut self,
        dictionary: &Dictionary,
        members: Vec<Variant>,
        key_hashes: Vec<u64>,
        in_key: bool,
    ) -> Variant {
        let to = self.conversion.to;
        let mut entries = Vec::with_capacity(members.len() / 2);
        let mut members = members.into_iter();
        while let (Some(key), Some(value)) = (members.next(), members.next()) {
            entries.push((key, value));
        }
        for (earlier, later) in equal_keys(&mut self.hasher, &entries, key_hashes.into_iter(), in_key) {
            let shown = |index: usize| {
                let key = dictionary.entries().get(index).map(|(key, _)| key);
                key.map_or_else(String::new, short)
            };
            let (first, second) = (shown(earlier), shown(later));
            self.lose(
                LossKind::EqualKeys,
                format_args!("keys {first} of entry {earlier} and {second} of entry {later}"),
            );
        }
        let typed = to.types_dictionaries();
        let key_type = self.container_type(dictionary.key_type(), typed);
        let value_type = self.container_type(dictionary.value_type(), typed);
        let shared = self.shared(dictionary.is_shared());
        Dictionary::with_types(key_type, value_type, entries).with_shared(shared).into()
    }

    /// The type of a container's members, where the target's containers have one and it has the type.
    fn container_type(&mut self, source: Option<&ContainerType>, typed: bool) -> Option<ContainerType> {
        let converted = match source? {
            _ if !typed => None,
            ContainerType::Builtin(builtin) => {
                self.conversion.to.type_id(*builtin).map(|_| ContainerType::Builtin(*builtin))
            }
            ContainerType::Class(class) => Some(ContainerType::Class(self.conversion.names.class_of(class).to_owned())),
            ContainerType::Script(path) => Some(ContainerType::Script(path.clone())),
            // Only Pandemonium has such, and it has no typed containers that others have.
            ContainerType::Unknown(number) => {
                self.conversion.to.type_id(VariantType::TypedArray).map(|_| ContainerType::Unknown(*number))
            }
        };
        if converted.is_none() {
            self.lose(LossKind::ContainerType, format_args!("members of type {source:?} become members of any type"));
        }
        converted
    }

    fn shared(&mut self, shared: bool) -> bool {
        let kept = shared && self.conversion.to.has_shared_bit();
        if shared && !kept {
            self.lose(LossKind::Shared, format_args!("shared container becomes one without that mark"));
        }
        kept
    }

    fn writes_no_objects(&self) -> bool {
        self.conversion.to.objects() == ObjectForms::HeaderAlone
    }

    /// Whether a value stands for the script of an object, where only the path of one does.
    fn is_no_script(&self, source: &Variant) -> bool {
        let is_path = match source {
            Variant::Nil => true,
            Variant::String(path) => path.starts_with(SCRIPT_PATH_PREFIX),
            _ => false,
        };
        !is_path && self.at_script() && self.conversion.to.script_as_path()
    }

    /// Whether the value being made is to be the key of a dictionary.
    pub(super) fn at_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| matches!(open.source, Variant::Dictionary(_)) && open.members.len().is_multiple_of(2))
    }

    /// Whether the value being made is to be the script of an object.
    pub(super) fn at_script(&self) -> bool {
        self.open.last().is_some_and(|open| {
            matches!(open.source, Variant::Object(Object::Data(_)))
                && open.names.last().is_some_and(|name| name == SCRIPT_PROPERTY)
        })
    }

    pub(super) fn lose(&mut self, kind: LossKind, what: fmt::Arguments<'_>) {
        let Self { open, losses, paths_left, .. } = self;
        losses.add(kind, what, || path(open, paths_left));
    }
}

/// The steps to the value being made, by its place in the source.
fn path(open: &[Open<'_>], paths_left: &mut usize) -> Path {
    let step = |open: &Open<'_>| match open.source {
        Variant::Dictionary(dictionary) => {
            let entry = open.members.len() / 2;
            if open.members.len().is_multiple_of(2) {
                Step::Key(entry)
            } else {
                Step::Value(entry, dictionary.entries().get(entry).and_then(|(key, _)| key_text(key)))
            }
        }
        Variant::Object(_) => Step::Property(open.property.to_owned()),
        _ => Step::Index(open.members.len()),
    };
    let most = SHORT_PATH.max(*paths_left);
    let mut size = 0;
    let mut steps = Vec::new();
    for open in open {
        let size_of_step = size_of::<Step>() + open.property.len();
        if size + size_of_step > most {
            steps.push(Step::Part("deeper"));
            break;
        }
        size += size_of_step;
        steps.push(step(open));
    }
    work::add_bytes(size);
    *paths_left = paths_left.saturating_sub(size);
    steps.into_iter().collect()
}

fn script_text(script: &Variant) -> String {
    match script {
        Variant::Object(Object::Data(data)) => beginning(format_args!("script of class {}", data.class), NAME_LENGTH),
        other => short(other),
    }
}

#[cfg(test)]
mod tests;
