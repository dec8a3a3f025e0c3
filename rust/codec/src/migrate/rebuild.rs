//! Making a value anew, as the target can hold it.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::loss::{Losses, short};
use super::{LossKind, Migration};
use crate::escape::{NAME_LENGTH, beginning};
use crate::path::{Path, Step};
use crate::profile::ObjectForms;
use crate::read::duplicate_keys::{duplicate_keys, duplicate_names};
use crate::variant::{
    Array, ContainerHash, ContainerType, Dictionary, KeyContext, KeyHasher, Object, ObjectData, Visit, Walk,
};
use crate::wire::{SCRIPT_PATH_PREFIX, SCRIPT_PROPERTY};
use crate::{Variant, VariantType, work};

/// The value as the target can hold it, and what is lost.
pub(super) fn rebuild(migration: &Migration, value: &Variant) -> (Variant, Losses) {
    let losses = Losses::new(migration.max_losses);
    let hasher = KeyHasher::new(migration.to.keys());
    let mut rebuild = Rebuild { migration, open: Vec::new(), hasher, losses, paths_left: ALL_PATHS };
    (rebuild.rebuild(value), rebuild.losses)
}

/// A value being made anew, and what was lost so far.
pub(super) struct Rebuild<'c, 'v> {
    pub(super) migration: &'c Migration,
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
                    let hash = self.context_in_key().map(|(_, level)| ContainerHash::new(source.variant_type(), level));
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
            if let Some((context, level)) = self.context_in_key() {
                let hash = hash.unwrap_or_else(|| self.hasher.tree((&finished).into(), context, level));
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
    fn context_in_key(&self) -> Option<(KeyContext, usize)> {
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
        let migration = self.migration;
        let Some(open) = self.open.last_mut() else { return };
        let Variant::Object(Object::Data(data)) = open.source else { return };
        open.property = name;
        open.names.push(migration.names.property_of(&data.class, name).to_owned());
    }

    fn close(&mut self, open: Open<'v>, in_key: bool) -> Variant {
        let Open { source, members, names, key_hashes, .. } = open;
        match source {
            Variant::Dictionary(dictionary) => self.close_dictionary(dictionary, members, key_hashes, in_key),
            Variant::Object(Object::Data(data)) => {
                self.report_duplicate_names(data, &names);
                let class = self.migration.names.class_of(&data.class).to_owned();
                ObjectData { class, properties: names.into_iter().zip(members).collect() }.into()
            }
            other => match other.as_array() {
                Some(array) => self.close_array(other.variant_type(), array, members),
                None => Variant::Nil,
            },
        }
    }

    /// Two names that the table made one; a name that came twice is as it was.
    fn report_duplicate_names(&mut self, data: &ObjectData, names: &[String]) {
        for (earlier, later) in duplicate_names(&mut self.hasher, names) {
            let [earlier, source] = [earlier, later].map(|index| &data.properties[index].0);
            if earlier != source {
                let name = &names[later];
                self.lose(LossKind::EqualNames, format_args!("properties {earlier} and {source} become {name}"));
            }
        }
    }

    fn close_array(&mut self, variant_type: VariantType, array: &Array, members: Vec<Variant>) -> Variant {
        let to = self.migration.to;
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
        let to = self.migration.to;
        let mut entries = Vec::with_capacity(members.len() / 2);
        let mut members = members.into_iter();
        while let (Some(key), Some(value)) = (members.next(), members.next()) {
            entries.push((key, value));
        }
        for (earlier, later) in duplicate_keys(&mut self.hasher, &entries, key_hashes.into_iter(), in_key) {
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
                self.migration.to.type_id(*builtin).map(|_| ContainerType::Builtin(*builtin))
            }
            ContainerType::Class(class) => Some(ContainerType::Class(self.migration.names.class_of(class).to_owned())),
            ContainerType::Script(path) => Some(ContainerType::Script(path.clone())),
            // Only Pandemonium has such, and it has no typed containers that others have.
            ContainerType::Unknown(number) => {
                self.migration.to.type_id(VariantType::TypedArray).map(|_| ContainerType::Unknown(*number))
            }
        };
        if converted.is_none() {
            self.lose(LossKind::ContainerType, format_args!("member type {source:?} becomes any type"));
        }
        converted
    }

    fn shared(&mut self, shared: bool) -> bool {
        let kept = shared && self.migration.to.has_shared_bit();
        if shared && !kept {
            self.lose(LossKind::Shared, format_args!("shared container becomes an ordinary one"));
        }
        kept
    }

    fn writes_no_objects(&self) -> bool {
        self.migration.to.objects() == ObjectForms::HeaderAlone
    }

    /// Whether a value stands for the script of an object, where only the path of one does.
    fn is_no_script(&self, source: &Variant) -> bool {
        let is_path = match source {
            Variant::Nil => true,
            Variant::String(path) => path.starts_with(SCRIPT_PATH_PREFIX),
            _ => false,
        };
        !is_path && self.at_script() && self.migration.to.script_as_path()
    }

    /// Whether the value being made is to be the key of a dictionary.
    pub(super) fn at_key(&self) -> bool {
        self.open.last().is_some_and(Open::is_at_key)
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
        steps.push(Step::to_member(open.source, open.members.len()));
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
