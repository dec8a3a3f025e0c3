//! Rebuilds a value so that the target supports it.

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
    Array, ContainerHash, ContainerType, Dictionary, KeyContext, KeyHasher, Object, ObjectData, Visit, Walk, in_pairs,
};
use crate::wire::{SCRIPT_PATH_PREFIX, SCRIPT_PROPERTY};
use crate::{Variant, VariantType, work};

/// A value being rebuilt, and the losses so far.
pub(super) struct Rebuild<'c, 'v> {
    pub(super) migration: &'c Migration,
    open: Vec<Open<'v>>,
    /// Finds keys that become duplicates.
    hasher: KeyHasher,
    losses: Losses,
    /// Bytes that the paths of further losses may take.
    paths_left: usize,
}

/// Memory for the paths of all losses, and additional memory for each visited value. When it is used up, paths longer
/// than [`SHORT_PATH`] are cut. Otherwise losses deep inside a value or under a long name would make a report a
/// thousand times the size of the value.
const ALL_PATHS: usize = 1 << 16;
const PATHS_FOR_A_VALUE: usize = 1 << 8;
const SHORT_PATH: usize = 1 << 10;

/// A container whose members are being rebuilt.
struct Open<'v> {
    source: &'v Variant,
    /// The members so far; keys and values alternate.
    members: Vec<Variant>,
    /// The names of the properties so far, in the target.
    names: Vec<String>,
    /// The name of the current property, in the source.
    property: &'v str,
    /// The hashes of the dictionary keys.
    key_hashes: Vec<u64>,
    /// The hashes of the members, if the container is part of a key.
    hash: Option<ContainerHash>,
}

impl Open<'_> {
    fn is_at_key(&self) -> bool {
        matches!(self.source, Variant::Dictionary(_)) && self.members.len().is_multiple_of(2)
    }
}

impl Migration {
    /// Returns the value as the target supports it, and the losses.
    pub(super) fn rebuild(&self, value: &Variant) -> (Variant, Losses) {
        let losses = Losses::new(self.options.max_losses);
        let hasher = KeyHasher::new(self.to.keys());
        let mut rebuild = Rebuild { migration: self, open: Vec::new(), hasher, losses, paths_left: ALL_PATHS };
        (rebuild.rebuild(value), rebuild.losses)
    }
}

impl<'v> Rebuild<'_, 'v> {
    /// Rebuilds a value without recursion.
    fn rebuild(&mut self, value: &'v Variant) -> Variant {
        let mut walk = Walk::new(value);
        while let Some(visit) = walk.next() {
            work::add(1);
            self.paths_left += PATHS_FOR_A_VALUE;
            let mut hash = None;
            let finished = match visit {
                Visit::Leaf(script) | Visit::Enter(script) if self.is_unsupported_script(script) => {
                    if matches!(visit, Visit::Enter(_)) {
                        walk.pass_over();
                    }
                    let shown = match script {
                        Variant::Object(Object::Data(data)) => {
                            beginning(format_args!("script of class {}", data.class), NAME_LENGTH)
                        }
                        other => short(other),
                    };
                    self.lose(LossKind::Script, format_args!("{shown} becomes null"));
                    Variant::Nil
                }
                Visit::Leaf(leaf) => self.leaf(leaf),
                Visit::Enter(Variant::Object(Object::Data(data)))
                    if self.migration.to.objects() == ObjectForms::HeaderAlone =>
                {
                    walk.pass_over();
                    self.lose(LossKind::Object, format_args!("object of class {} becomes null", data.class));
                    Variant::Object(Object::Null)
                }
                Visit::Enter(source) => {
                    let hash = self.context_in_key().map(|(_, level)| ContainerHash::new(source.variant_type(), level));
                    let (members, names, key_hashes) = (Vec::new(), Vec::new(), Vec::new());
                    self.open.push(Open { source, members, names, property: "", key_hashes, hash });
                    continue;
                }
                Visit::Name(name) => {
                    if let Some(open) = self.open.last_mut()
                        && let Variant::Object(Object::Data(data)) = open.source
                    {
                        open.property = name;
                        open.names.push(self.migration.options.names.property_of(&data.class, name).to_owned());
                    }
                    continue;
                }
                Visit::Leave(_) => {
                    let Some(mut open) = self.open.pop() else { continue };
                    let members = open.hash.take();
                    let closed = self.close(open, members.is_some());
                    hash = members.map(|members| self.hasher.container(&members.of_type(closed.variant_type())));
                    closed
                }
            };
            let key_hash = self
                .context_in_key()
                .map(|(context, level)| hash.unwrap_or_else(|| self.hasher.tree((&finished).into(), context, level)));
            let Some(open) = self.open.last_mut() else { return finished };
            open.key_hashes.extend(key_hash.filter(|_| open.is_at_key()));
            open.hash.iter_mut().zip(key_hash).for_each(|(container, hash)| container.push(hash));
            open.members.push(finished);
        }
        Variant::Nil
    }

    /// Returns the context and level of the next value inside a key; `None` if it is not in a key that can equal
    /// another.
    fn context_in_key(&self) -> Option<(KeyContext, usize)> {
        let open = self.open.last()?;
        match (&open.hash, open.source) {
            (Some(hash), _) if open.is_at_key() => Some((KeyContext::Key, hash.level + 1)),
            (Some(hash), _) => Some((KeyContext::in_container(hash.level), hash.level + 1)),
            (None, Variant::Dictionary(source)) if open.is_at_key() && source.entries().len() > 1 => {
                Some((KeyContext::Key, 1))
            }
            (None, _) => None,
        }
    }

    fn close(&mut self, open: Open<'v>, in_key: bool) -> Variant {
        match open.source {
            Variant::Dictionary(dictionary) => self.close_dictionary(dictionary, open, in_key),
            Variant::Object(Object::Data(data)) => {
                self.report_duplicate_names(data, &open.names);
                let class = self.migration.options.names.class_of(&data.class).to_owned();
                ObjectData { class, properties: open.names.into_iter().zip(open.members).collect() }.into()
            }
            other => match other.as_array() {
                Some(array) => self.close_array(other.variant_type(), array, open.members),
                None => Variant::Nil,
            },
        }
    }

    /// Reports properties that get the same new name. Properties with the same name in the source are no loss.
    fn report_duplicate_names(&mut self, data: &ObjectData, names: &[String]) {
        for (earlier, later) in duplicate_names(&mut self.hasher, names) {
            let [earlier, source] = [earlier, later].map(|index| &data.properties[index].0);
            if earlier != source {
                let name = &names[later];
                self.lose(LossKind::DuplicateNames, format_args!("properties {earlier} and {source} become {name}"));
            }
        }
    }

    fn close_array(&mut self, variant_type: VariantType, array: &Array, members: Vec<Variant>) -> Variant {
        let to = self.migration.to;
        let stays = to.type_id(variant_type).is_some();
        let typed = if variant_type == VariantType::Array { to.types_arrays() } else { stays || to.types_arrays() };
        let element_type = self.container_type("element", array.element_type(), typed);
        if !stays {
            self.lose(LossKind::Type, format_args!("{variant_type} becomes Array"));
        }
        let shared = self.shared(array.is_shared());
        let array = Array::with_type_unchecked(element_type, members).with_shared(shared);
        Variant::from_array(if stays { variant_type } else { VariantType::Array }, array)
    }

    fn close_dictionary(&mut self, dictionary: &Dictionary, open: Open<'v>, in_key: bool) -> Variant {
        let entries = in_pairs(open.members);
        for (earlier, later) in duplicate_keys(&mut self.hasher, &entries, open.key_hashes.into_iter(), in_key) {
            let [first, second] = [earlier, later].map(|index| short(&dictionary.entries()[index].0));
            self.lose(
                LossKind::DuplicateKeys,
                format_args!("keys {first} of entry {earlier} and {second} of entry {later}"),
            );
        }
        let typed = self.migration.to.types_dictionaries();
        let key_type = self.container_type("key", dictionary.key_type(), typed);
        let value_type = self.container_type("value", dictionary.value_type(), typed);
        let shared = self.shared(dictionary.is_shared());
        Dictionary::with_types_unchecked(key_type, value_type, entries).with_shared(shared).into()
    }

    /// Returns the member type of a container, if the target supports typed containers and the type.
    fn container_type(&mut self, of: &str, source: Option<&ContainerType>, typed: bool) -> Option<ContainerType> {
        let supports = |variant_type| self.migration.to.type_id(variant_type).is_some();
        let source = source?;
        let converted = match source {
            _ if !typed => None,
            ContainerType::Class(class) => {
                Some(ContainerType::Class(self.migration.options.names.class_of(class).to_owned()))
            }
            ContainerType::Builtin(builtin) if !supports(*builtin) => None,
            // Only Pandemonium has unknown types; its other typed containers do not exist elsewhere.
            ContainerType::Unknown(_) if !supports(VariantType::TypedArray) => None,
            other => Some(other.clone()),
        };
        if converted.is_none() {
            let name = match source {
                ContainerType::Builtin(builtin) => builtin.name(),
                ContainerType::Class(name) | ContainerType::Script(name) => name,
                ContainerType::Unknown(_) => "unknown",
            };
            self.lose(LossKind::ContainerType, format_args!("{of} type {name} becomes any type"));
        }
        converted
    }

    fn shared(&mut self, shared: bool) -> bool {
        if !shared || self.migration.to.has_shared_bit() {
            return shared;
        }
        self.lose(LossKind::Shared, format_args!("shared container becomes an ordinary one"));
        false
    }

    /// Returns whether the value is a script but not a path, and the target supports only paths.
    fn is_unsupported_script(&self, source: &Variant) -> bool {
        let is_path = matches!(source, Variant::String(path) if path.starts_with(SCRIPT_PATH_PREFIX));
        !is_path && !matches!(source, Variant::Nil) && self.at_script() && self.migration.to.script_as_path()
    }

    /// Returns whether the next value is a dictionary key.
    pub(super) fn at_key(&self) -> bool {
        self.open.last().is_some_and(Open::is_at_key)
    }

    /// Returns whether the next value is the script of an object.
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

/// Returns the path to the next value, in the source.
fn path(open: &[Open<'_>], paths_left: &mut usize) -> Path {
    let most = SHORT_PATH.max(*paths_left);
    let mut size = 0;
    let mut path = Path::default();
    for open in open {
        let size_of_step = size_of::<Step>() + open.property.len();
        if size + size_of_step > most {
            path.steps.push(Step::Part("deeper"));
            break;
        }
        size += size_of_step;
        path.steps.push(Step::to_member(open.source, open.members.len()));
    }
    work::add_bytes(size);
    *paths_left = paths_left.saturating_sub(size);
    path
}
