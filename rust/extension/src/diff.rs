//! The differences between two values.

use std::collections::HashMap;

use godot::builtin::{Array, VarArray, VarDictionary, Variant};
use godot::classes::EncodedObjectAsId;
use godot::global::is_same;
use godot::meta::ToGodot;
use varbytes::{Limits, Path, Step};

use crate::encode::key_step;
use crate::error::signed;
use crate::raw::{
    Entries, View, address, can_have_objects, is_packed, is_too_deep_for_a_key, is_typed, live_object, members,
    name_identity, view,
};

/// Returns a Dictionary for each difference. With `for_patch`, it has only what [`patch`](crate::patch::patch) needs.
pub(crate) fn diff(from: &Variant, to: &Variant, for_patch: bool) -> Array<VarDictionary> {
    let mut changes = Changes { for_patch, ..Changes::default() };
    let mut open = Vec::new();
    changes.compare(from, to, &mut open);
    while let Some(innermost) = open.last_mut() {
        let Some((place, from, to)) = innermost.pair.next() else {
            changes.close(&mut open);
            changes.path.pop();
            continue;
        };
        innermost.levels = innermost.levels.max(1);
        changes.path.push(place);
        match (from, to) {
            (Some(_), Some(_)) if open.len() > Limits::MAX_DEPTH => {
                // Containers that contain themselves have no end, and others that are so deep have no bytes. The member of the
                // outermost container changes as a whole: there can be any number of ways to the inner ones.
                let member = open.swap_remove(1);
                open.truncate(1);
                changes.path.truncate(1);
                changes.found.shrink(member.found);
                changes.add("changed", Some(member.from), Some(member.to));
            }
            (Some(from), Some(to)) if changes.compare(from, to, &mut open) => continue,
            (Some(_), Some(_)) => {}
            (None, to) => changes.add("added", None, to),
            (from, None) => changes.add("removed", from, None),
        }
        changes.path.pop();
    }
    changes.found
}

/// Notes that a member of the innermost containers has that many levels of members.
fn contains(open: &mut [Open<'_>], levels: usize) {
    if let Some(around) = open.last_mut() {
        around.levels = around.levels.max(levels + 1);
    }
}

#[derive(Default)]
struct Changes<'v> {
    found: Array<VarDictionary>,
    /// Where the values are that are compared.
    path: Vec<Place<'v>>,
    /// Pairs of containers without a difference, by their addresses, and the levels of their members. A container that is in many
    /// places is compared once: there can be any number of ways to it.
    same: HashMap<[usize; 2], usize>,
    for_patch: bool,
}

impl<'v> Changes<'v> {
    /// Compares two values, except the members of containers. Returns whether their members are to be compared.
    fn compare(&mut self, from: &'v Variant, to: &'v Variant, open: &mut Vec<Open<'v>>) -> bool {
        if are_same(from, to) {
            return false;
        }
        let Some(pair) = Pair::of(from, to) else {
            self.add("changed", Some(from), Some(to));
            return false;
        };
        if let Some(levels) = self.same.get(&[from, to].map(address))
            && open.len() + levels <= Limits::MAX_DEPTH
        {
            contains(open, *levels);
            return false;
        }
        open.push(Open { from, to, pair, levels: 0, found: self.found.len() });
        true
    }

    /// Ends the comparison of the innermost containers.
    fn close(&mut self, open: &mut Vec<Open<'_>>) {
        let Some(Open { from, to, levels, found, .. }) = open.pop() else { return };
        if self.found.len() == found {
            self.same.insert([from, to].map(address), levels);
        }
        contains(open, levels);
    }

    fn add(&mut self, kind: &str, from: Option<&Variant>, to: Option<&Variant>) {
        let mut change = VarDictionary::new();
        if !self.for_patch {
            let path: Path = self.path.iter().map(|place| place.step()).collect();
            change.set("path", path.to_string());
        }
        let keys: VarArray = self.path.iter().map(|place| place.key()).collect();
        change.set("keys", &keys);
        change.set("kind", kind);
        for (name, value) in [("from", from.filter(|_| !self.for_patch)), ("to", to)] {
            if let Some(value) = value {
                change.set(name, value);
            }
        }
        self.found.push(&change);
    }
}

/// Where a value is in its container.
#[derive(Clone, Copy)]
enum Place<'v> {
    Index(usize),
    /// The position of an entry, and its key.
    Entry(usize, &'v Variant),
}

impl Place<'_> {
    fn key(self) -> Variant {
        match self {
            Self::Index(index) => signed(index).to_variant(),
            Self::Entry(_, key) => key.clone(),
        }
    }

    fn step(self) -> Step {
        match self {
            Self::Index(index) => Step::Index(index),
            Self::Entry(at, key) => key_step(at, key),
        }
    }
}

/// Two values whose members are compared.
struct Open<'v> {
    from: &'v Variant,
    to: &'v Variant,
    pair: Pair<'v>,
    /// The levels of members that were compared.
    levels: usize,
    /// The number of changes that were found before.
    found: usize,
}

/// A place, and the value there on both sides.
type Member<'v> = (Place<'v>, Option<&'v Variant>, Option<&'v Variant>);

/// The members of two containers of the same type.
enum Pair<'v> {
    Arrays { from: &'v [Variant], to: &'v [Variant], next: usize },
    Dictionaries { from: Entries<'v>, to: Entries<'v>, next: usize, rest: Option<Rest<'v>> },
}

impl<'v> Pair<'v> {
    fn of(from: &'v Variant, to: &'v Variant) -> Option<Self> {
        match (view(from), view(to)) {
            (View::Array, View::Array) if is_same_typed(from, to) => {
                Some(Self::Arrays { from: members(from), to: members(to), next: 0 })
            }
            (View::Dictionary, View::Dictionary) if is_same_typed(from, to) => {
                Some(Self::Dictionaries { from: Entries::of(from), to: Entries::of(to), next: 0, rest: None })
            }
            _ => None,
        }
    }

    fn next(&mut self) -> Option<Member<'v>> {
        match self {
            Self::Arrays { from, to, next } => {
                let index = *next;
                *next += 1;
                let (from, to) = (from.get(index), to.get(index));
                (from.is_some() || to.is_some()).then_some((Place::Index(index), from, to))
            }
            Self::Dictionaries { rest: Some(rest), .. } => rest.next(),
            Self::Dictionaries { from, to, next, rest } => {
                let (old, new) = (from.next(), to.next());
                match (old, new) {
                    // Mostly, both have the same keys in the same order.
                    (Some((key, old)), Some((other, new))) if !can_change(key) && are_same(key, other) => {
                        *next += 1;
                        Some((Place::Entry(*next - 1, key), Some(old), Some(new)))
                    }
                    (None, None) => None,
                    _ => rest.insert(Rest::of(old, new, from, to, *next)).next(),
                }
            }
        }
    }
}

/// Returns whether a script can change a value that is a key.
fn can_change(key: &Variant) -> bool {
    is_packed(key) || can_have_objects(key)
}

/// Returns whether a Dictionary can find a key. For one that is nested too deep, the engine prints an error, and a script that logs errors
/// could change what is compared.
fn can_find(key: &Variant) -> bool {
    !is_too_deep_for_a_key(key)
}

/// The entries of two Dictionaries from a position on, at which they have different keys.
struct Rest<'v> {
    /// The position of the first entry.
    at: usize,
    from: Vec<Entry<'v>>,
    to: Vec<Entry<'v>>,
    /// Where a key is in `to`.
    places: VarDictionary,
    /// The next entry: first those of `from`, then those that only `to` has.
    next: usize,
}

struct Entry<'v> {
    key: &'v Variant,
    value: &'v Variant,
    is_found: bool,
}

type First<'v> = Option<(&'v Variant, &'v Variant)>;

impl<'v> Rest<'v> {
    #[cold]
    fn of(old: First<'v>, new: First<'v>, from: &mut Entries<'v>, to: &mut Entries<'v>, at: usize) -> Self {
        let ((from, _), (to, places)) = (entries(old, from), entries(new, to));
        Self { at, from, to, places, next: 0 }
    }

    fn next(&mut self) -> Option<Member<'v>> {
        let index = self.next;
        self.next += 1;
        if let Some(Entry { key, value, .. }) = self.from.get(index) {
            let place = if can_find(key) { self.places.get(*key) } else { None };
            let found = place.and_then(|place| self.to.get_mut(place.to::<i64>() as usize));
            let new = found.map(|entry| {
                entry.is_found = true;
                entry.value
            });
            return Some((Place::Entry(self.at + index, key), Some(value), new));
        }
        let added = self.to.get(index - self.from.len()..)?;
        let skipped = added.iter().position(|entry| !entry.is_found)?;
        self.next += skipped;
        let at = index + skipped - self.from.len();
        Some((Place::Entry(self.at + at, added[skipped].key), None, Some(added[skipped].value)))
    }
}

/// Returns the entries of a Dictionary that are left, and where each key is in them. A container that was changed after it became a
/// key is found only in a new table, and can be equal to another key there. `patch` makes one too.
fn entries<'v>(first: First<'v>, left: &mut Entries<'v>) -> (Vec<Entry<'v>>, VarDictionary) {
    let (mut all, mut places) = (Vec::with_capacity(left.len() + 1), VarDictionary::new());
    let mut next = first;
    while let Some((key, value)) = next {
        let known = if can_change(key) && can_find(key) { places.get(key) } else { None };
        match known.and_then(|place| all.get_mut(place.to::<i64>() as usize)) {
            Some(Entry { value: before, .. }) => *before = value,
            None => {
                if can_find(key) {
                    places.set(key, signed(all.len()));
                }
                all.push(Entry { key, value, is_found: false });
            }
        }
        next = left.next();
    }
    (all, places)
}

fn is_same_typed(from: &Variant, to: &Variant) -> bool {
    !is_typed(from) && !is_typed(to) || from.call("is_same_typed", std::slice::from_ref(to)).booleanize()
}

/// Returns whether two values that are not containers are the same, or whether two containers are one.
fn are_same(from: &Variant, to: &Variant) -> bool {
    match (view(from), view(to)) {
        (View::Bool(from), View::Bool(to)) => from == to,
        (View::Int(from), View::Int(to)) => from == to,
        (View::Float(from), View::Float(to)) => from.to_bits() == to.to_bits(),
        (View::String(from), View::String(to)) => from == to,
        (View::StringName(_), View::StringName(_)) => name_identity(from) == name_identity(to),
        (View::Integers(of, from), View::Integers(other, to)) => of == other && from == to,
        (View::Reals(of, from), View::Reals(other, to))
        | (View::PackedReals(of, from), View::PackedReals(other, to)) => of == other && have_same_bits(from, to),
        (View::Color(from), View::Color(to)) => have_same_bits(&from, &to),
        (View::Array, View::Array) | (View::Dictionary, View::Dictionary) => address(from) == address(to),
        (View::Bytes(from), View::Bytes(to)) => from == to,
        (View::Int32(from), View::Int32(to)) => from == to,
        (View::Int64(from), View::Int64(to)) => from == to,
        (View::Strings(from), View::Strings(to)) => from == to,
        (View::Float32(from), View::Float32(to)) => have_same_bits(from, to),
        (View::Float64(from), View::Float64(to)) => {
            from.iter().map(|of| of.to_bits()).eq(to.iter().map(|of| of.to_bits()))
        }
        // The bindings report the type of a null object as nil.
        _ if from.get_type() != to.get_type() => false,
        (View::Object, View::Object) => object(from) == object(to),
        _ => from.is_nil() || is_same(from, to),
    }
}

/// Returns whether the bits are equal: 0.0 is not -0.0, and only NaNs with the same bits are the same.
fn have_same_bits(from: &[f32], to: &[f32]) -> bool {
    from.iter().map(|of| of.to_bits()).eq(to.iter().map(|of| of.to_bits()))
}

/// Returns the id of an object, or the one that it stands for; `None` for null and for freed objects.
fn object(value: &Variant) -> Option<i64> {
    let object = live_object(value)?;
    let id = object.instance_id().to_i64();
    Some(object.try_cast::<EncodedObjectAsId>().map_or(id, |encoded| encoded.get_object_id().cast_signed()))
}
