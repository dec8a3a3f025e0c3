//! The depth of nesting of a key.

use std::slice::Iter;

use godot::builtin::Variant;

use super::entries::Entries;
use super::interface::{ARRAY, DICTIONARY};
use super::view::{members, type_of};

/// The deepest nesting of containers that the engine hashes and compares without printing an error. This is half of its
/// `MAX_RECURSION`, because a comparison counts each level twice.
pub(crate) const DEEPEST_KEY: usize = 50;

/// A container whose members have not all been visited.
enum Open<'v> {
    Array(Iter<'v, Variant>),
    /// With the value of the last visited key.
    Dictionary(Entries<'v>, Option<&'v Variant>),
}

/// Returns whether a key is nested deeper than [`DEEPEST_KEY`]. Takes no longer than hashing it.
#[inline(always)]
pub(crate) fn is_too_deep_for_a_key(key: &Variant) -> bool {
    matches!(type_of(key), ARRAY | DICTIONARY) && is_nested_deeper(key)
}

#[inline(never)]
fn is_nested_deeper(key: &Variant) -> bool {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(key);
    loop {
        match next.map(|value| (value, type_of(value))) {
            Some((array, ARRAY)) => open.push(Open::Array(members(array).iter())),
            Some((dictionary, DICTIONARY)) => open.push(Open::Dictionary(Entries::of(dictionary), None)),
            _ => {}
        }
        if open.len() > DEEPEST_KEY {
            return true;
        }
        next = None;
        while next.is_none() {
            let Some(innermost) = open.last_mut() else { return false };
            next = match innermost {
                Open::Array(left) => left.next(),
                Open::Dictionary(entries, value) => value.take().or_else(|| {
                    let (key, after) = entries.next()?;
                    *value = Some(after);
                    Some(key)
                }),
            };
            if next.is_none() {
                open.pop();
            }
        }
    }
}
