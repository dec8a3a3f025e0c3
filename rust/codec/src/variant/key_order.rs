//! The order in which `var_to_str` shows the keys of a dictionary.

use core::cmp::Ordering;

use super::math::Reals;
use super::owned::{Object, Variant};
use super::view::View;
use super::walk::{Visit, Walk};
use crate::VariantType;

/// Orders keys by type, then by content if the engine has an order for the type; other keys are equal.
pub(super) fn compare_keys(left: &Variant, right: &Variant) -> Ordering {
    let mut left_visits = Walk::new(left);
    let mut right_visits = Walk::new(right);
    loop {
        let ordering = match (left_visits.next(), right_visits.next()) {
            (Some(Visit::Leave(_)), Some(Visit::Leave(_))) => Ordering::Equal,
            // The shorter array is first.
            (Some(Visit::Leave(_)), Some(_)) => Ordering::Less,
            (Some(_), Some(Visit::Leave(_))) => Ordering::Greater,
            (Some(Visit::Leaf(left) | Visit::Enter(left)), Some(Visit::Leaf(right) | Visit::Enter(right))) => {
                // Only arrays are compared by their members.
                if left.variant_type() == right.variant_type() && left.may_hold_values() && left.as_array().is_none() {
                    left_visits.pass_over();
                    right_visits.pass_over();
                }
                compare_values(left, right)
            }
            _ => return Ordering::Equal,
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

fn compare_values(left: &Variant, right: &Variant) -> Ordering {
    let rank = |value: &Variant| match value.variant_type() {
        VariantType::StringName => VariantType::String,
        other => other,
    };
    let is_vector = matches!(
        left,
        Variant::Vector2(_)
            | Variant::Vector2i(_)
            | Variant::Vector3(_)
            | Variant::Vector3i(_)
            | Variant::Vector4(_)
            | Variant::Vector4i(_)
    );
    let content = || match (left.view(), right.view()) {
        (View::Bool(left), View::Bool(right)) => left.cmp(&right),
        (View::Int(left), View::Int(right)) => left.cmp(&right),
        (View::Float(left), View::Float(right)) => numbers(left, right),
        (View::Text(left), View::Text(right)) => left.cmp(right),
        (View::Rid(left), View::Rid(right)) => left.cmp(&right),
        (View::Integers(left), View::Integers(right)) if is_vector => left.as_slice().cmp(right.as_slice()),
        (View::Reals(left), View::Reals(right)) if is_vector => reals(left, right),
        _ => Ordering::Equal,
    };
    rank(left).cmp(&rank(right)).then_with(content)
}

fn numbers(left: f64, right: f64) -> Ordering {
    // A sort needs an order in which NaN has a place. Both zeros are one key.
    if left == right { Ordering::Equal } else { left.total_cmp(&right) }
}

fn reals(left: Reals<'_>, right: Reals<'_>) -> Ordering {
    (0..left.len().min(right.len()))
        .map(|index| numbers(left.at(index), right.at(index)))
        .find(|ordering| ordering.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Returns a copy whose dictionaries are in the order of their keys; `None` if they already are.
pub(super) fn sorted(value: &Variant) -> Option<Variant> {
    let is_sorted = |visit: Visit<'_>| match visit {
        Visit::Enter(Variant::Dictionary(dictionary)) => {
            dictionary.entries().is_sorted_by(|(left, _), (right, _)| compare_keys(left, right).is_le())
        }
        _ => true,
    };
    if Walk::new(value).all(is_sorted) {
        return None;
    }
    let mut copy = value.clone();
    let mut pending = alloc::vec![&mut copy];
    while let Some(value) = pending.pop() {
        match value {
            Variant::Dictionary(dictionary) => {
                dictionary.edit(|entries| entries.sort_by(|(left, _), (right, _)| compare_keys(left, right)));
                pending.extend(dictionary.entries_mut().iter_mut().flat_map(|(key, value)| [key, value]));
            }
            Variant::Object(Object::Data(data)) => {
                pending.extend(data.properties.iter_mut().map(|(_, value)| value));
            }
            other => pending.extend(other.as_array_mut().into_iter().flatten()),
        }
    }
    Some(copy)
}
