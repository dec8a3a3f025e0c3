//! Applies differences to a value.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::slice::Iter;

use godot::builtin::{AnyArray, AnyDictionary, VarDictionary, Variant, VariantType};
use godot::meta::ToGodot;
use varbytes::{DecodeErrorKind, Limits, Path, Step};

use crate::build::MemberType;
use crate::encode::{key_step, write_canonical};
use crate::error::{ErrorKind, VarBytesError, short, signed, type_name};
use crate::floods::{Floods, Keys};
use crate::raw::{self, DEEPEST_KEY, Entries, address, is_too_deep_for_a_key};

/// Returns a value with the changes that [`diff`](crate::diff::diff) returns. Containers that change are copied, all others are
/// shared with the value.
pub(crate) fn patch(value: &Variant, changes: &Variant) -> Result<Variant, VarBytesError> {
    let Ok(changes) = changes.try_to::<AnyArray>() else {
        let found = type_name(changes);
        return Err(VarBytesError::argument(format!("the changes must be an Array, as diff() returns, not {found}")));
    };
    let mut value = value.clone();
    let mut tree = Tree::default();
    let mut size = 0;
    for (number, change) in changes.iter_shared().enumerate() {
        let (keys, change) = Change::read(number, &change)?;
        let keys = keys.into_iter().map(Key::new).collect::<Result<Vec<Key>, _>>()?;
        size += keys.iter().map(|key| key.bytes.len()).sum::<usize>();
        match keys.split_last() {
            Some((key, keys)) => tree.within(keys).own.push((key.key.clone(), change)),
            None if !tree.is_empty() => {
                return Err(change.failed(format!("the value has changes inside it too{SEPARATE}"), &[]));
            }
            None if change.kind == Kind::Changed => value = change.to,
            None => return Err(change.failed("only \"changed\" is possible without keys", &[])),
        }
    }
    if tree.is_empty() { Ok(value) } else { tree.apply(&value, &mut Floods::of_packet(size)) }
}

/// What to do with several results of [`diff`](crate::diff::diff), which one list cannot contain.
const SEPARATE: &str = ": pass the list of each diff() to its own call of patch()";

/// The most keys that lead to a change: [`diff`](crate::diff::diff) goes no deeper.
const MOST_KEYS: usize = Limits::MAX_DEPTH + 1;

/// A key and its bytes.
struct Key {
    key: Variant,
    bytes: Vec<u8>,
}

impl Key {
    fn new(key: Variant) -> Result<Self, VarBytesError> {
        let mut bytes = Vec::new();
        write_canonical(&key, &mut bytes)?;
        Ok(Self { key, bytes })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Changed,
    Added,
    Removed,
}

/// One change of a member of a container.
struct Change {
    /// Its place in the list.
    number: usize,
    kind: Kind,
    to: Variant,
}

impl Change {
    /// Reads a change, and the keys that lead to it.
    fn read(number: usize, change: &Variant) -> Result<(Vec<Variant>, Self), VarBytesError> {
        let wrong = |what: &str| {
            VarBytesError::argument(format!("change {number} {what}: pass what diff() returns"))
                .with_path("$".to_owned())
        };
        let change: AnyDictionary = change.try_to().map_err(|_| wrong("is not a Dictionary"))?;
        let keys = change.get("keys").and_then(|keys| keys.try_to::<AnyArray>().ok());
        let keys: Vec<Variant> = keys.ok_or_else(|| wrong("has no Array of keys"))?.iter_shared().collect();
        if keys.len() > MOST_KEYS {
            return Err(wrong(&format!("has more than {MOST_KEYS} keys")));
        }
        if keys.iter().any(is_too_deep_for_a_key) {
            return Err(wrong(&format!("has a key that is nested deeper than {DEEPEST_KEY} levels")));
        }
        let kind =
            change.get("kind").filter(|kind| matches!(kind.get_type(), VariantType::STRING | VariantType::STRING_NAME));
        let kind = match kind.map(|kind| raw::text_of(&kind.stringify())).unwrap_or_default().as_str() {
            "changed" => Kind::Changed,
            "added" => Kind::Added,
            "removed" => Kind::Removed,
            _ => return Err(wrong("is neither \"changed\" nor \"added\" nor \"removed\"")),
        };
        let to = change.get("to");
        if kind != Kind::Removed && to.is_none() {
            return Err(wrong("has no value \"to\""));
        }
        Ok((keys, Self { number, kind, to: to.unwrap_or_default() }))
    }

    fn refused(&self, flood: &DecodeErrorKind, path: &[Step]) -> VarBytesError {
        let path = path.iter().cloned().collect::<Path>().to_string();
        let message = format!("change {}: {flood}, path {}", self.number, short(&path));
        VarBytesError::new(ErrorKind::Limit, flood.name(), message).with_path(path)
    }

    fn failed(&self, reason: impl std::fmt::Display, path: &[Step]) -> VarBytesError {
        failed(&format!("change {}: {reason}", self.number), path)
    }
}

fn failed(reason: &str, path: &[Step]) -> VarBytesError {
    let path = path.iter().cloned().collect::<Path>().to_string();
    VarBytesError::argument(format!("{reason}, path {}", short(&path))).with_path(path)
}

/// The changes of containers within each other, the outermost first. They are in one list: a path can have a thousand keys, and
/// the stack of a thread can be small.
struct Tree(Vec<Changes>);

impl Default for Tree {
    fn default() -> Self {
        Self(vec![Changes::default()])
    }
}

impl Tree {
    fn is_empty(&self) -> bool {
        self.0.iter().all(|changes| changes.own.is_empty())
    }

    /// Returns the changes of the container that the keys lead to.
    fn within(&mut self, keys: &[Key]) -> &mut Changes {
        let mut place = 0;
        for Key { key, bytes } in keys {
            let new = self.0.len();
            let changes = &mut self.0[place];
            let places = changes.places.entry(bytes.clone()).or_default();
            place = match places.get(key) {
                Some(known) => known.to::<i64>().cast_unsigned() as usize,
                None => {
                    places.set(key, signed(new));
                    changes.members.push((key.clone(), new));
                    self.0.push(Changes::default());
                    new
                }
            };
        }
        &mut self.0[place]
    }

    /// Returns the error for a container at that place, with the first of its changes.
    fn failed(&self, mut place: usize, reason: &str, path: &[Step]) -> VarBytesError {
        while self.0[place].own.is_empty()
            && let Some((_, inner)) = self.0[place].members.first()
        {
            place = *inner;
        }
        match self.0[place].own.first() {
            Some((_, change)) => change.failed(reason, path),
            None => failed(reason, path),
        }
    }

    /// Begins to change a container. `path` leads to it.
    fn open<'c>(
        &'c self,
        key: Option<&'c Variant>,
        container: &Variant,
        place: usize,
        path: &[Step],
    ) -> Result<Open<'c>, VarBytesError> {
        let copied = Copied::of(container)
            .ok_or_else(|| self.failed(place, "what it changes is not an Array or Dictionary", path))?;
        let changes = &self.0[place];
        Ok(Open { key, copied, changes, members: changes.members.iter() })
    }

    /// Returns a copy of a value with the changes. `floods` counts the keys that are added.
    fn apply(&self, value: &Variant, floods: &mut Floods) -> Result<Variant, VarBytesError> {
        let mut path = Vec::new();
        let mut open = vec![self.open(None, value, 0, &path)?];
        while let Some(mut innermost) = open.pop() {
            if let Some((key, place)) = innermost.members.next() {
                let found = innermost.copied.get(key);
                let found = found.ok_or_else(|| {
                    let adds = innermost.changes.own.iter().any(|(_, change)| change.kind == Kind::Added);
                    let advice = if adds { SEPARATE } else { "" };
                    self.failed(*place, &format!("there is no {}{advice}", shown(key)), &path)
                })?;
                path.push(innermost.copied.step(key));
                let inner = self.open(Some(key), &found, *place, &path)?;
                open.extend([innermost, inner]);
                continue;
            }
            let changed = innermost.changes.apply(innermost.copied, &path, floods)?;
            path.pop();
            match (innermost.key, open.last_mut()) {
                (Some(key), Some(outer)) => outer.copied.set_inner(key, &changed),
                _ => return Ok(changed),
            }
        }
        Ok(value.clone())
    }
}

/// A container that is being changed.
struct Open<'c> {
    /// The key that leads to it in the one around it.
    key: Option<&'c Variant>,
    copied: Copied,
    changes: &'c Changes,
    /// The members that are not changed yet.
    members: Iter<'c, (Variant, usize)>,
}

/// The changes of a container.
#[derive(Default)]
struct Changes {
    /// The containers in it that change, and the places of their changes in the [`Tree`].
    members: Vec<(Variant, usize)>,
    /// The same places, by the bytes of the keys, then by the keys: no keys can be chosen to collide, and different Callables or objects
    /// can have the same bytes.
    places: HashMap<Vec<u8>, VarDictionary>,
    own: Vec<(Variant, Change)>,
}

impl Changes {
    /// Counts the keys of a Dictionary to which keys are added: those of many small patches could collide too. Returns `None` if none
    /// needs counting.
    fn counted(
        &self,
        changed: &Copied,
        path: &[Step],
        floods: &mut Floods,
    ) -> Result<Option<Box<Keys>>, VarBytesError> {
        let added = self.own.iter().find(|(_, change)| change.kind == Kind::Added);
        let Some((_, added)) = added.filter(|_| changed.size.is_none()) else { return Ok(None) };
        let mut entries = Entries::of(&changed.container);
        let length = entries.len();
        let mut keys = floods.begin_dictionary(length + self.own.len());
        while let Some((key, _)) = entries.next() {
            floods.known_key(&mut keys, key, length).map_err(|flood| added.refused(&flood, path))?;
        }
        Ok(keys)
    }

    /// Changes a container, after the containers in it. `path` leads to it.
    fn apply(&self, mut changed: Copied, path: &[Step], floods: &mut Floods) -> Result<Variant, VarBytesError> {
        let mut keys = self.counted(&changed, path, floods)?;
        for (key, change) in self.own.iter().filter(|(_, change)| change.kind != Kind::Removed) {
            let found = changed.get(key);
            changed.refuse_inner(found.as_ref(), key, change, path)?;
            let misfit = match (found.is_some(), change.kind == Kind::Changed) {
                (true, true) => None,
                (true, false) => Some("is there already"),
                (false, true) => Some("does not exist, so it cannot be changed"),
                (false, false) => changed.misfit(key),
            };
            if let Some(misfit) = misfit {
                return Err(change.failed(format!("{} {misfit}", shown(key)), path));
            }
            if change.kind == Kind::Added && changed.size.is_none() {
                let flood = floods.key(&mut keys, key, || changed.container.to::<AnyDictionary>().len());
                flood.map_err(|flood| change.refused(&flood, path))?;
            }
            for (part, of, accepts) in [("key", key, &changed.keys), ("value", &change.to, &changed.values)] {
                if !accepts.accepts(of) {
                    let found = type_name(of);
                    return Err(
                        change.failed(format!("a {part} of type {found} does not fit the typed container"), path)
                    );
                }
            }
            changed.set(key, &change.to);
        }
        if let Some(mut keys) = keys {
            floods.end_dictionary(&mut keys);
        }
        let mut removed = BTreeSet::new();
        for (key, change) in self.own.iter().filter(|(_, change)| change.kind == Kind::Removed) {
            let found = changed.get(key);
            changed.refuse_inner(found.as_ref(), key, change, path)?;
            let is_first = match changed.size.and_then(|size| Copied::index(key, size)) {
                Some(index) => removed.insert(index),
                None => true,
            };
            if found.is_none() || !is_first {
                return Err(change.failed(format!("there is no {}", shown(key)), path));
            }
            if changed.size.is_none() {
                changed.container.call("erase", std::slice::from_ref(key));
            }
        }
        changed.remove(&removed);
        Ok(changed.container)
    }
}

/// Returns a key as errors show it.
fn shown(key: &Variant) -> String {
    match key_step(0, key) {
        Step::Value(_, Some(text)) => format!("key {text}"),
        _ => format!("key of type {}", type_name(key)),
    }
}

/// A copy of a container that is being changed.
struct Copied {
    container: Variant,
    /// The size of an Array; `None` for a Dictionary.
    size: Option<usize>,
    keys: MemberType,
    values: MemberType,
    /// The addresses of the containers in it that were changed before.
    inner: HashSet<usize>,
}

impl Copied {
    fn of(container: &Variant) -> Option<Self> {
        match container.get_type() {
            VariantType::ARRAY => {
                let copy = container.to::<AnyArray>().duplicate_shallow();
                let (size, copy) = (Some(copy.len()), copy.to_variant());
                Some(Self {
                    keys: MemberType::ANY,
                    values: MemberType::of(&copy, ""),
                    container: copy,
                    size,
                    inner: HashSet::new(),
                })
            }
            VariantType::DICTIONARY => {
                let copy = container.to::<AnyDictionary>().duplicate_shallow().to_variant();
                let of = |kind: &str| MemberType::of(&copy, kind);
                Some(Self {
                    keys: of("key_"),
                    values: of("value_"),
                    container: copy,
                    size: None,
                    inner: HashSet::new(),
                })
            }
            _ => None,
        }
    }

    /// Returns the index that a key of an Array is, which may be one after the last.
    fn index(key: &Variant, size: usize) -> Option<usize> {
        let index = if key.get_type() == VariantType::INT { key.to::<i64>() } else { -1 };
        usize::try_from(index).ok().filter(|index| *index <= size)
    }

    fn get(&self, key: &Variant) -> Option<Variant> {
        if let Some(size) = self.size {
            self.container.to::<AnyArray>().get(Self::index(key, size)?)
        } else if self.keys.accepts(key) {
            self.container.to::<AnyDictionary>().get(key)
        } else {
            // The engine would print an error.
            None
        }
    }

    /// Returns why an element that does not exist cannot be added with this key.
    fn misfit(&self, key: &Variant) -> Option<&'static str> {
        let can_add = self.size.is_none_or(|size| Self::index(key, size).is_some());
        (!can_add).then_some("is not the index after the last one of the Array")
    }

    fn set(&mut self, key: &Variant, value: &Variant) {
        if let Some(size) = self.size.as_mut().filter(|size| Self::index(key, **size) == Some(**size)) {
            *size += 1;
            self.container.call("push_back", std::slice::from_ref(value));
        } else {
            self.container.call("set", &[key.clone(), value.clone()]);
        }
    }

    /// Puts a container there whose content has changed.
    fn set_inner(&mut self, key: &Variant, changed: &Variant) {
        self.inner.insert(address(changed));
        self.set(key, changed);
    }

    /// Refuses a change of a container whose content has changed too: [`diff`](crate::diff::diff) never returns both. Not by its key:
    /// different keys can be one for a Dictionary, such as a String and a StringName.
    fn refuse_inner(
        &self,
        found: Option<&Variant>,
        key: &Variant,
        change: &Change,
        path: &[Step],
    ) -> Result<(), VarBytesError> {
        match found.is_some_and(|found| self.inner.contains(&address(found))) {
            true => Err(change.failed(format!("{} has changes inside it too{SEPARATE}", shown(key)), path)),
            false => Ok(()),
        }
    }

    /// Removes elements of an Array. All indices are those before the first is removed.
    fn remove(&self, indices: &BTreeSet<usize>) {
        let (Some(size), Some(&first)) = (self.size, indices.first()) else { return };
        let array: AnyArray = self.container.to();
        let mut removed = indices.iter().peekable();
        let mut next = first;
        for index in first..size {
            if removed.next_if_eq(&&index).is_none() {
                self.container.call("set", &[signed(next).to_variant(), array.at(index)]);
                next += 1;
            }
        }
        self.container.call("resize", &[signed(next).to_variant()]);
    }

    fn step(&self, key: &Variant) -> Step {
        if self.size.is_some() {
            Step::Index(key.try_to::<i64>().ok().and_then(|index| usize::try_from(index).ok()).unwrap_or_default())
        } else {
            key_step(0, key)
        }
    }
}
