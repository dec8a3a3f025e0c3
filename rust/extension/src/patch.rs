//! Applies differences to a value.

use std::collections::HashMap;

use godot::builtin::{AnyArray, AnyDictionary, GString, StringName, VarDictionary, Variant, VariantType};
use godot::meta::ToGodot;
use varbytes::{Limits, Path, Step};

use crate::build::ObjectType;
use crate::encode::{key_step, write_canonical};
use crate::error::{VarBytesError, short, signed};

/// Returns a value with the changes that [`diff`](crate::diff::diff) returns. Containers that change are copied, all others are
/// shared with the value.
pub(crate) fn patch(value: &Variant, changes: &AnyArray) -> Result<Variant, VarBytesError> {
    let mut value = value.clone();
    let mut tree = Changes::default();
    for (number, change) in changes.iter_shared().enumerate() {
        let (keys, change) = Change::read(number, &change)?;
        match keys.split_last() {
            Some((key, keys)) => tree.within(keys)?.own.push((key.clone(), change)),
            None if change.kind == Kind::Changed => value = change.to,
            None => return Err(change.failed("only \"changed\" is possible without keys", &[])),
        }
    }
    if tree.is_empty() { Ok(value) } else { tree.apply(&value, &mut Vec::new()) }
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
        let wrong = |what: &str| VarBytesError::argument(format!("change {number} {what}: pass what diff() returns"));
        let change: VarDictionary = change.try_to().map_err(|_| wrong("is not a Dictionary"))?;
        let keys = change.get("keys").and_then(|keys| keys.try_to::<AnyArray>().ok());
        let keys: Vec<Variant> = keys.ok_or_else(|| wrong("has no Array of keys"))?.iter_shared().collect();
        if keys.len() > Limits::MAX_DEPTH {
            return Err(wrong("has more than 1024 keys"));
        }
        let kind = change.get("kind").and_then(|kind| kind.try_to::<GString>().ok()).unwrap_or_default();
        let kind = match kind.to_string().as_str() {
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

    fn failed(&self, reason: impl std::fmt::Display, path: &[Step]) -> VarBytesError {
        failed(&format!("change {}: {reason}", self.number), path)
    }
}

fn failed(reason: &str, path: &[Step]) -> VarBytesError {
    let path = path.iter().cloned().collect::<Path>().to_string();
    VarBytesError::argument(format!("{reason}, path {}", short(&path))).with_path(path)
}

/// The changes of a container and of those in it.
#[derive(Default)]
struct Changes {
    members: Vec<(Variant, Changes)>,
    /// The places of the members, by the bytes of their keys: no keys can be chosen to collide.
    places: HashMap<Vec<u8>, usize>,
    own: Vec<(Variant, Change)>,
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.members.is_empty() && self.own.is_empty()
    }

    /// Returns the changes of the container that the keys lead to.
    fn within(&mut self, keys: &[Variant]) -> Result<&mut Self, VarBytesError> {
        let mut changes = self;
        for key in keys {
            let mut bytes = Vec::new();
            write_canonical(key, &mut bytes)?;
            let place = *changes.places.entry(bytes).or_insert(changes.members.len());
            if place == changes.members.len() {
                changes.members.push((key.clone(), Self::default()));
            }
            changes = &mut changes.members[place].1;
        }
        Ok(changes)
    }

    /// Returns a copy of a container with the changes. `path` leads to it.
    fn apply(&self, container: &Variant, path: &mut Vec<Step>) -> Result<Variant, VarBytesError> {
        let mut changed = Copied::of(container).ok_or_else(|| failed("not an Array or Dictionary", path))?;
        for (key, changes) in &self.members {
            let found = changed.get(key).ok_or_else(|| failed(&format!("there is no {}", shown(key)), path))?;
            path.push(changed.step(key));
            let member = changes.apply(&found, path)?;
            path.pop();
            changed.set(key, &member);
        }
        for (key, change) in self.own.iter().filter(|(_, change)| change.kind != Kind::Removed) {
            let is_there = changed.get(key).is_some();
            if is_there != (change.kind == Kind::Changed) || !is_there && !changed.can_add(key) {
                let there = if is_there { "is there already" } else { "does not exist, and cannot be added" };
                return Err(change.failed(format!("{} {there}", shown(key)), path));
            }
            if !changed.accepts(key, &change.to) {
                let found = godot::global::type_string(change.to.get_type().ord.into());
                return Err(change.failed(format!("a value of type {found} does not fit the typed container"), path));
            }
            changed.set(key, &change.to);
        }
        // The last ones first, so that the indices of the others stay.
        for (key, change) in self.own.iter().rev().filter(|(_, change)| change.kind == Kind::Removed) {
            if changed.get(key).is_none() {
                return Err(change.failed(format!("there is no {}", shown(key)), path));
            }
            changed.remove(key);
        }
        Ok(changed.container)
    }
}

/// Returns a key as errors show it.
fn shown(key: &Variant) -> String {
    match key_step(0, key) {
        Step::Value(_, Some(text)) => format!("key {text}"),
        _ => format!("key of type {}", godot::global::type_string(key.get_type().ord.into())),
    }
}

/// A copy of a container that is being changed.
struct Copied {
    container: Variant,
    /// The size of an Array; `None` for a Dictionary.
    size: Option<usize>,
    keys: MemberType,
    values: MemberType,
}

impl Copied {
    fn of(container: &Variant) -> Option<Self> {
        match container.get_type() {
            VariantType::ARRAY => {
                let copy = container.to::<AnyArray>().duplicate_shallow();
                let (size, copy) = (Some(copy.len()), copy.to_variant());
                Some(Self { keys: MemberType::ANY, values: MemberType::of(&copy, ""), container: copy, size })
            }
            VariantType::DICTIONARY => {
                let copy = container.to::<AnyDictionary>().duplicate_shallow().to_variant();
                let of = |kind: &str| MemberType::of(&copy, kind);
                Some(Self { keys: of("key_"), values: of("value_"), container: copy, size: None })
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

    /// Returns whether an element that does not exist can be added with this key.
    fn can_add(&self, key: &Variant) -> bool {
        self.size.is_none_or(|size| Self::index(key, size).is_some())
    }

    fn accepts(&self, key: &Variant, value: &Variant) -> bool {
        self.keys.accepts(key) && self.values.accepts(value)
    }

    fn set(&mut self, key: &Variant, value: &Variant) {
        if let Some(size) = self.size.as_mut().filter(|size| Self::index(key, **size) == Some(**size)) {
            *size += 1;
            self.container.call("push_back", std::slice::from_ref(value));
        } else {
            self.container.call("set", &[key.clone(), value.clone()]);
        }
    }

    fn remove(&mut self, key: &Variant) {
        let method = match &mut self.size {
            Some(size) => {
                *size -= 1;
                "remove_at"
            }
            None => "erase",
        };
        self.container.call(method, std::slice::from_ref(key));
    }

    fn step(&self, key: &Variant) -> Step {
        if self.size.is_some() {
            Step::Index(key.try_to::<i64>().ok().and_then(|index| usize::try_from(index).ok()).unwrap_or_default())
        } else {
            key_step(0, key)
        }
    }
}

/// The type of the keys or values of a container.
struct MemberType {
    /// The number of the type; 0 for any.
    variant_type: i64,
    objects: Option<ObjectType>,
}

impl MemberType {
    const ANY: Self = Self { variant_type: 0, objects: None };

    fn of(container: &Variant, kind: &str) -> Self {
        let ask = |what: &str| container.call(format!("get_typed_{kind}{what}").as_str(), &[]);
        let variant_type: i64 = ask("builtin").to();
        let is_of_objects = variant_type == signed(VariantType::OBJECT.ord);
        let objects = is_of_objects.then(|| ObjectType::new(ask("class_name").to::<StringName>(), ask("script")));
        Self { variant_type, objects }
    }

    fn accepts(&self, value: &Variant) -> bool {
        match &self.objects {
            Some(objects) => objects.allows(value),
            None => self.variant_type == 0 || self.variant_type == signed(value.get_type().ord),
        }
    }
}
