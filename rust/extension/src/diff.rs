//! The differences between two values.

use godot::builtin::{AnyArray, AnyDictionary, Array, GString, VarArray, VarDictionary, Variant, VariantType, vdict};
use godot::classes::EncodedObjectAsId;
use godot::global::is_same;
use godot::meta::ToGodot;
use varbytes::{Limits, Path, Step};

use crate::encode::key_step;
use crate::error::signed;
use crate::raw::{View, live_object, view};

/// Returns a Dictionary for each difference.
pub(crate) fn diff(from: &Variant, to: &Variant) -> Array<VarDictionary> {
    let mut changes = Changes { found: Array::new(), path: Vec::new() };
    let mut open = Vec::new();
    changes.compare(from, to, &mut open);
    while let Some(pair) = open.last_mut() {
        let Some((key, step, from, to)) = pair.next() else {
            open.pop();
            changes.path.pop();
            continue;
        };
        changes.path.push((key, step));
        match (from, to) {
            (Some(from), Some(to)) if open.len() > Limits::MAX_DEPTH => {
                // Containers that contain themselves have no end, and others that are so deep have no bytes.
                changes.add("changed", Some(&from), Some(&to));
                break;
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

struct Changes {
    found: Array<VarDictionary>,
    /// The keys and steps to the values that are compared.
    path: Vec<(Variant, Step)>,
}

impl Changes {
    /// Compares two values, except the members of containers. Returns whether their members are to be compared.
    fn compare(&mut self, from: &Variant, to: &Variant, open: &mut Vec<Pair>) -> bool {
        if are_same(from, to) {
            return false;
        }
        let Some(pair) = Pair::of(from, to) else {
            self.add("changed", Some(from), Some(to));
            return false;
        };
        open.push(pair);
        true
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

/// Two containers of the same type whose members are compared.
enum Pair {
    Arrays {
        from: AnyArray,
        to: AnyArray,
        next: usize,
    },
    /// First the keys of `from`, then those that only `to` has.
    Dictionaries {
        from: AnyDictionary,
        to: AnyDictionary,
        keys: [AnyArray; 2],
        next: usize,
    },
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
                let (from, to): (AnyDictionary, AnyDictionary) = (from.to(), to.to());
                let keys = [from.keys_array(), to.keys_array()];
                Some(Self::Dictionaries { from, to, keys, next: 0 })
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
            Self::Dictionaries { from, to, keys: [old, new], next } => loop {
                let index = *next;
                *next += 1;
                if let Some(key) = old.get(index) {
                    let values = (from.get(&key), to.get(&key));
                    return Some((key.clone(), key_step(index, &key), values.0, values.1));
                }
                let index = index - old.len();
                let key = new.get(index)?;
                if !from.contains_key(&key) {
                    let added = to.get(&key);
                    return Some((key.clone(), key_step(index, &key), None, added));
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
        (View::Float32(from), View::Float32(to)) | (View::PackedReals(_, from), View::PackedReals(_, to)) => {
            are_same_numbers(from, to)
        }
        (View::Float64(from), View::Float64(to)) => are_same_numbers(from, to),
        (View::Object, View::Object) => object(from) == object(to),
        _ => is_same(from, to),
    }
}

/// Returns whether the numbers are equal. NaN equals NaN.
#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
fn are_same_numbers<T: PartialEq>(from: &[T], to: &[T]) -> bool {
    from.len() == to.len() && from.iter().zip(to).all(|(from, to)| from == to || from != from && to != to)
}

/// Returns the id of an object, or the one that it stands for; `None` for null and for freed objects.
fn object(value: &Variant) -> Option<i64> {
    let object = live_object(value)?;
    let id = object.instance_id().to_i64();
    Some(object.try_cast::<EncodedObjectAsId>().map_or(id, |encoded| encoded.get_object_id().cast_signed()))
}
