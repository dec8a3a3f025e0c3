//! The differences between two values.

use std::collections::HashMap;

use godot::builtin::{AnyArray, AnyDictionary, Array, GString, VarArray, VarDictionary, Variant, VariantType, vdict};
use godot::classes::EncodedObjectAsId;
use godot::global::is_same;
use godot::meta::ToGodot;
use varbytes::{Limits, Path, Step};

use crate::encode::key_step;
use crate::error::signed;
use crate::raw::{View, address, can_have_objects, is_packed, live_object, members, view};

/// Returns a Dictionary for each difference.
pub(crate) fn diff(from: &Variant, to: &Variant) -> Array<VarDictionary> {
    let mut changes = Changes { found: Array::new(), path: Vec::new(), same: HashMap::new() };
    let mut open = Vec::new();
    changes.compare(from, to, &mut open);
    while let Some(innermost) = open.last_mut() {
        let Some((key, step, from, to)) = innermost.pair.next() else {
            changes.close(&mut open);
            changes.path.pop();
            continue;
        };
        innermost.levels = innermost.levels.max(1);
        changes.path.push((key, step));
        match (from, to) {
            (Some(_), Some(_)) if open.len() > Limits::MAX_DEPTH => {
                // Containers that contain themselves have no end, and others that are so deep have no bytes. The member of the
                // outermost container changes as a whole: there can be any number of ways to the inner ones.
                let member = open.swap_remove(1);
                open.truncate(1);
                changes.path.truncate(1);
                changes.found.shrink(member.found);
                changes.add("changed", Some(&member.from), Some(&member.to));
            }
            (Some(from), Some(to)) if changes.compare(&from, &to, &mut open) => continue,
            (Some(_), Some(_)) => {}
            (None, to) => changes.add("added", None, to.as_ref()),
            (from, None) => changes.add("removed", from.as_ref(), None),
        }
        changes.path.pop();
    }
    changes.found
}

/// Notes that a member of the innermost containers has that many levels of members.
fn contains(open: &mut [Open], levels: usize) {
    if let Some(around) = open.last_mut() {
        around.levels = around.levels.max(levels + 1);
    }
}

struct Changes {
    found: Array<VarDictionary>,
    /// The keys and steps to the values that are compared.
    path: Vec<(Variant, Step)>,
    /// Pairs of containers without a difference, by their addresses, and the levels of their members. A container that is in many
    /// places is compared once: there can be any number of ways to it.
    same: HashMap<[usize; 2], usize>,
}

impl Changes {
    /// Compares two values, except the members of containers. Returns whether their members are to be compared.
    fn compare(&mut self, from: &Variant, to: &Variant, open: &mut Vec<Open>) -> bool {
        if are_same(from, to) {
            return false;
        }
        let addresses = [from, to].map(address);
        if let Some(levels) = self.same.get(&addresses)
            && open.len() + levels <= Limits::MAX_DEPTH
        {
            contains(open, *levels);
            return false;
        }
        let Some(pair) = Pair::of(from, to) else {
            self.add("changed", Some(from), Some(to));
            return false;
        };
        open.push(Open { from: from.clone(), to: to.clone(), pair, levels: 0, found: self.found.len() });
        true
    }

    /// Ends the comparison of the innermost containers.
    fn close(&mut self, open: &mut Vec<Open>) {
        let Some(Open { from, to, levels, found, .. }) = open.pop() else { return };
        if self.found.len() == found {
            self.same.insert([&from, &to].map(address), levels);
        }
        contains(open, levels);
    }

    fn add(&mut self, kind: &str, from: Option<&Variant>, to: Option<&Variant>) {
        let keys: VarArray = self.path.iter().map(|(key, _)| key.clone()).collect();
        let path: Path = self.path.iter().map(|(_, step)| step.clone()).collect();
        let mut change =
            vdict! { "path" => &GString::from(path.to_string().as_str()), "keys" => &keys, "kind" => kind };
        for (name, value) in [("from", from), ("to", to)] {
            if let Some(value) = value {
                change.set(name, value);
            }
        }
        self.found.push(&change);
    }
}

/// Two values whose members are compared.
struct Open {
    from: Variant,
    to: Variant,
    pair: Pair,
    /// The levels of members that were compared.
    levels: usize,
    /// The number of changes that were found before.
    found: usize,
}

/// The members of two containers of the same type.
enum Pair {
    Arrays {
        from: AnyArray,
        to: AnyArray,
        next: usize,
    },
    /// First the entries of `from`, then those that only `to` has.
    Dictionaries {
        from: Dictionary,
        to: Dictionary,
        next: usize,
    },
}

/// A Dictionary and its entries.
struct Dictionary {
    entries: AnyDictionary,
    keys: AnyArray,
    values: AnyArray,
}

impl Dictionary {
    fn of(value: &Variant) -> Self {
        let mut entries: AnyDictionary = value.to();
        let mut keys = entries.keys_array();
        // A container that was changed after it became a key is found only in a new table. `patch` makes one too.
        if members(&keys.to_variant()).iter().any(can_change) {
            entries = entries.duplicate_shallow();
            keys = entries.keys_array();
        }
        let values = entries.values_array();
        Self { entries, keys, values }
    }

    fn entry(&self, index: usize) -> Option<(Variant, Variant)> {
        self.keys.get(index).zip(self.values.get(index))
    }
}

/// Returns whether a script can change a value that is a key.
fn can_change(key: &Variant) -> bool {
    is_packed(key) || can_have_objects(key)
}

/// A key, the step to its value, and the value on both sides.
type Member = (Variant, Step, Option<Variant>, Option<Variant>);

impl Pair {
    fn of(from: &Variant, to: &Variant) -> Option<Self> {
        if from.get_type() != to.get_type() {
            return None;
        }
        match from.get_type() {
            VariantType::ARRAY if is_same_typed(from, to) => {
                Some(Self::Arrays { from: from.to(), to: to.to(), next: 0 })
            }
            VariantType::DICTIONARY if is_same_typed(from, to) => {
                Some(Self::Dictionaries { from: Dictionary::of(from), to: Dictionary::of(to), next: 0 })
            }
            _ => None,
        }
    }

    fn next(&mut self) -> Option<Member> {
        match self {
            Self::Arrays { from, to, next } => {
                let index = *next;
                *next += 1;
                let (from, to) = (from.get(index), to.get(index));
                if from.is_none() && to.is_none() {
                    return None;
                }
                Some((signed(index).to_variant(), Step::Index(index), from, to))
            }
            Self::Dictionaries { from, to, next } => loop {
                let index = *next;
                *next += 1;
                if let Some((key, old)) = from.entry(index) {
                    let new = to.entries.get(&key);
                    return Some((key.clone(), key_step(index, &key), Some(old), new));
                }
                let index = index - from.keys.len();
                let (key, added) = to.entry(index)?;
                if !from.entries.contains_key(&key) {
                    return Some((key.clone(), key_step(index, &key), None, Some(added)));
                }
            },
        }
    }
}

fn is_same_typed(from: &Variant, to: &Variant) -> bool {
    from.call("is_same_typed", std::slice::from_ref(to)).booleanize()
}

/// Returns whether two values that are not containers are the same, or whether two containers are one.
fn are_same(from: &Variant, to: &Variant) -> bool {
    if from.get_type() != to.get_type() {
        return false;
    }
    match (view(from), view(to)) {
        // The bindings report a null object as nil.
        _ if from.is_nil() => true,
        (View::String(from), View::String(to)) => from == to,
        (View::Bytes(from), View::Bytes(to)) => from == to,
        (View::Int32(from), View::Int32(to)) => from == to,
        (View::Int64(from), View::Int64(to)) => from == to,
        (View::Strings(from), View::Strings(to)) => from == to,
        (View::Float(from), View::Float(to)) => from.to_bits() == to.to_bits(),
        (View::Color(from), View::Color(to)) => have_same_bits(&from, &to),
        (View::Reals(_, from), View::Reals(_, to))
        | (View::Float32(from), View::Float32(to))
        | (View::PackedReals(_, from), View::PackedReals(_, to)) => have_same_bits(from, to),
        (View::Float64(from), View::Float64(to)) => {
            from.iter().map(|of| of.to_bits()).eq(to.iter().map(|of| of.to_bits()))
        }
        (View::Object, View::Object) => object(from) == object(to),
        _ => is_same(from, to),
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
