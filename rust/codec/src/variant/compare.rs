//! Equality: as numbers, bit for bit, and as the engine compares dictionary keys.

use alloc::vec::Vec;

use crate::profile::KeyRules;
use crate::{VariantType, work};

use super::godot2::{InputEvent, InputEventKind};
use super::key_view::{KeyView, KeyVisit, KeyWalk};
use super::math::{Color, Reals};
use super::owned::{Dictionary, Object, Variant};
use super::view::View;
use super::walk::{Visit, Walk};

/// How two values that contain no others are compared.
#[derive(Clone, Copy)]
enum Rule {
    /// As numbers: NaN equals itself, -0.0 equals 0.0, precision does not matter.
    Number,
    /// By bits, precision and container types.
    Bits,
    /// As the engine looks up a dictionary key, at the top level or in a dictionary inside a key: NaN equals itself,
    /// -0.0 equals 0.0, a `String` equals the same `StringName`, container types do not matter, and two objects always
    /// differ because each one read is a new object.
    Key,
    /// As the engine compares elements of arrays and values of dictionaries inside a key: as above, but a float NaN
    /// differs from itself, and a `String` from a `StringName`.
    InsideKey,
    /// As engines before Godot 4 compare keys and their contents: NaN equals itself, -0.0 equals 0.0, and two
    /// dictionaries always differ. `PackedFloat32Array` is compared by its bits.
    Godot3Key {
        /// Whether bits that are a NaN are equal too.
        packed_nan_equal: bool,
    },
}

impl Rule {
    /// Returns whether objects and types that cannot be keys always differ.
    const fn is_for_keys(self) -> bool {
        matches!(self, Self::Key | Self::InsideKey | Self::Godot3Key { .. })
    }
}

/// As numbers: -0.0 equals 0.0, and precision does not matter. NaN equals itself, so that values can be keys of maps.
impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        equal_in_any_order(self, other)
    }
}

/// As in Godot, the order of the entries does not matter.
impl PartialEq for Dictionary {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = Vec::new();
        pair_entries(self, other, &mut pending)
            && pending.into_iter().all(|(left, right)| equal_in_any_order(left, right))
    }
}

/// Pairs the values of the same keys. Returns whether both dictionaries have the same keys and types.
fn pair_entries<'v>(
    left: &'v Dictionary,
    right: &'v Dictionary,
    pending: &mut Vec<(&'v Variant, &'v Variant)>,
) -> bool {
    if left.len() != right.len() || left.0.label() != right.0.label() {
        return false;
    }
    let before = pending.len();
    let in_order = left.iter().zip(right).all(|((key, value), (other, found))| {
        let is_same = same_key(key.into(), other.into(), KeyRules::GODOT_4) || equal(key, other, Rule::Number);
        pending.extend(is_same.then_some((value, found)));
        is_same
    });
    in_order || {
        pending.truncate(before);
        pair_by_key(left, right, pending)
    }
}

/// Pairs the values of the same keys, duplicate keys of a dictionary in their order. A key that equals no other, because an object
/// or a NaN is in it, is paired only with one at the same position.
fn pair_by_key<'v>(left: &'v Dictionary, right: &'v Dictionary, pending: &mut Vec<(&'v Variant, &'v Variant)>) -> bool {
    // Keys are equal if a look-up finds the same entry, which is the last one.
    let found = |(position, (key, _)): (usize, &(Variant, Variant))| {
        let at_same_place = || right.entries().get(position).is_some_and(|(other, _)| equal(key, other, Rule::Number));
        let found = right.position(&key.into()).or_else(|| at_same_place().then_some(position));
        found.map(|found| (found, position))
    };
    let Some(mut pairs) = left.entries().iter().enumerate().map(found).collect::<Option<Vec<_>>>() else {
        return false;
    };
    pairs.sort_unstable();
    let mut others: Vec<_> = (0..right.len()).map(|position| (position, position)).collect();
    // If each entry was found once, there are no duplicate keys.
    if pairs.iter().zip(&others).any(|((left, _), (right, _))| left != right) {
        others = right.entries().iter().enumerate().filter_map(found).collect();
        others.sort_unstable();
    }
    let are_same = pairs.iter().map(|(found, _)| found).eq(others.iter().map(|(found, _)| found));
    let values = |(_, left_at): (usize, usize), (_, right_at): (usize, usize)| {
        Some((&left.entries().get(left_at)?.1, &right.entries().get(right_at)?.1))
    };
    pending.extend(pairs.into_iter().zip(others).filter_map(|(left, right)| values(left, right)));
    are_same
}

/// Compares as numbers, and dictionaries by their keys.
fn equal_in_any_order(left: &Variant, right: &Variant) -> bool {
    if !left.may_hold_values() || !right.may_hold_values() {
        work::add(1);
        return leaves_equal(left, right, Rule::Number);
    }
    let mut pending = alloc::vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        work::add(1);
        let agree = match (left.view(), right.view()) {
            (View::Dictionary(left), View::Dictionary(right)) => pair_entries(left, right, &mut pending),
            (View::Array(_), View::Array(_)) if containers_match(left, right) => {
                pending.extend(left.as_array().into_iter().flatten().zip(right.as_array().into_iter().flatten()));
                true
            }
            (View::Object(Object::Data(left_data)), View::Object(Object::Data(right_data))) => {
                let pairs = || left_data.properties.iter().zip(&right_data.properties);
                pending.extend(pairs().map(|((_, left), (_, right))| (left, right)));
                containers_match(left, right) && pairs().all(|((left, _), (right, _))| left == right)
            }
            _ => !left.may_hold_values() && !right.may_hold_values() && leaves_equal(left, right, Rule::Number),
        };
        if !agree {
            return false;
        }
    }
    true
}

/// The same for values that are equal. Only the number of entries of a dictionary is hashed, as their order does not
/// matter.
impl core::hash::Hash for Variant {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        for visit in HollowWalk(Walk::new(self)) {
            match visit {
                Visit::Leaf(leaf) | Visit::Enter(leaf) => {
                    leaf.variant_type().hash(state);
                    match leaf.view() {
                        View::Int(value) => state.write_i64(value),
                        View::Text(text) => text.hash(state),
                        View::PackedBytes(bytes) => bytes.hash(state),
                        _ => {
                            state.write_u64(super::key_hash::content_hash(leaf));
                            state.write_usize(KeyView::from(leaf).member_count().unwrap_or(0));
                        }
                    }
                }
                Visit::Name(name) => name.hash(state),
                Visit::Leave(_) => {}
            }
        }
    }
}

impl Variant {
    /// Returns whether both values are the same bit for bit, including NaN payloads, signs of zero, precision and
    /// container types.
    ///
    /// `==` compares as numbers: every NaN is the same, -0.0 equals 0.0.
    ///
    /// ```
    /// use varbytes::Variant;
    ///
    /// let (zero, negative_zero) = (Variant::from(0.0), Variant::from(-0.0));
    /// assert!(zero == negative_zero && !zero.bit_eq(&negative_zero));
    /// ```
    #[must_use]
    pub fn bit_eq(&self, other: &Self) -> bool {
        equal(self, other, Rule::Bits)
    }
}

/// A walk that does not enter dictionaries.
struct HollowWalk<'v>(Walk<'v>);

impl<'v> Iterator for HollowWalk<'v> {
    type Item = Visit<'v>;

    fn next(&mut self) -> Option<Visit<'v>> {
        let visit = self.0.next();
        if matches!(visit, Some(Visit::Enter(Variant::Dictionary(_)))) {
            self.0.pass_over();
        }
        visit
    }
}

/// The container level, 1 for the outermost, from which the engine considers two containers in a key equal without
/// comparing their contents (`Variant::hash_compare` and its recursion limit; observed on 4.6.3). Their contents still
/// affect the hash.
pub(super) const COMPARED_LEVELS: usize = 51;

/// The container level from which the contents do not affect the hash either: the container hashes as nil.
pub(super) const HASHED_LEVELS: usize = 102;

/// Returns whether the engine considers both values the same dictionary key.
pub(crate) fn same_key(left: KeyView<'_, '_>, right: KeyView<'_, '_>, rules: KeyRules) -> bool {
    let KeyRules { by_content, packed_nan_equal } = rules;
    let rule = if by_content { Rule::Key } else { Rule::Godot3Key { packed_nan_equal } };
    let mut left_visits = KeyWalk::new(left);
    let mut right_visits = KeyWalk::new(right);
    loop {
        work::add(1);
        let level = left_visits.depth();
        let (left_visit, right_visit) = (left_visits.next(), right_visits.next());
        if by_content && level + 1 >= HASHED_LEVELS {
            let left_hollow = skip_hollow(&mut left_visits, left_visit);
            let right_hollow = skip_hollow(&mut right_visits, right_visit);
            if left_hollow && right_hollow {
                continue;
            }
        }
        let agree = match (left_visit, right_visit) {
            (None, None) => return true,
            (Some(KeyVisit::Leaf(left)), Some(KeyVisit::Leaf(right))) => {
                let compared = (1..COMPARED_LEVELS).contains(&level);
                let inside = by_content && compared && !left_visits.is_at_key();
                key_leaves_equal(left, right, if inside { Rule::InsideKey } else { rule })
            }
            (Some(KeyVisit::Enter(left, left_count)), Some(KeyVisit::Enter(right, right_count))) => {
                // Two objects always differ. So do two dictionaries in engines that do not compare their contents.
                let may_be_equal = match left.variant_type() {
                    VariantType::Object => false,
                    VariantType::Dictionary => by_content,
                    _ => true,
                };
                may_be_equal && left.variant_type() == right.variant_type() && left_count == right_count
            }
            (Some(KeyVisit::Leave(..)), Some(KeyVisit::Leave(..))) => true,
            _ => false,
        };
        if !agree {
            return false;
        }
    }
}

/// Returns whether the visited value hashes as nil: nil itself, or a container nested too deep, which is skipped.
fn skip_hollow(visits: &mut KeyWalk<'_, '_>, visit: Option<KeyVisit<'_, '_>>) -> bool {
    match visit {
        Some(KeyVisit::Leaf(leaf)) => leaf.variant_type() == VariantType::Nil,
        Some(KeyVisit::Enter(..)) => {
            visits.pass_over();
            true
        }
        _ => false,
    }
}

/// Values that differ in type or size are not compared further, because comparing a borrowed leaf copies it.
fn key_leaves_equal(left: KeyView<'_, '_>, right: KeyView<'_, '_>, rule: Rule) -> bool {
    let may_be_equal = left.variant_type() == right.variant_type() || matches!(rule, Rule::Key);
    match (left.text(), right.text()) {
        (Some(left), Some(right)) => {
            work::add_bytes(left.len().min(right.len()));
            may_be_equal && left == right
        }
        (None, None) if left.content_size() == right.content_size() => {
            may_be_equal && leaves_equal(&left.leaf(), &right.leaf(), rule)
        }
        _ => false,
    }
}

fn equal(left: &Variant, right: &Variant, rule: Rule) -> bool {
    let mut left_visits = Walk::new(left);
    let mut right_visits = Walk::new(right);
    loop {
        work::add(1);
        let agree = match (left_visits.next(), right_visits.next()) {
            (None, None) => return true,
            (Some(Visit::Leaf(left)), Some(Visit::Leaf(right))) => leaves_equal(left, right, rule),
            (Some(Visit::Enter(left)), Some(Visit::Enter(right))) => containers_match(left, right),
            (Some(Visit::Name(left)), Some(Visit::Name(right))) => left == right,
            (Some(Visit::Leave(_)), Some(Visit::Leave(_))) => true,
            _ => false,
        };
        if !agree {
            return false;
        }
    }
}

/// Returns whether two containers are equal except for their members.
fn containers_match(left: &Variant, right: &Variant) -> bool {
    left.variant_type() == right.variant_type()
        && KeyView::from(left).member_count() == KeyView::from(right).member_count()
        && match (left.view(), right.view()) {
            (View::Array(left), View::Array(right)) => left.0.label() == right.0.label(),
            (View::Dictionary(left), View::Dictionary(right)) => left.0.label() == right.0.label(),
            (View::Object(Object::Data(left)), View::Object(Object::Data(right))) => left.class == right.class,
            _ => false,
        }
}

fn leaves_equal(left: &Variant, right: &Variant, rule: Rule) -> bool {
    work::add_bytes_of(|| left.content_size().min(right.content_size()));
    let variant_type = left.variant_type();
    let are_of_one_type = variant_type == right.variant_type();
    match (left.view(), right.view()) {
        // A `String` and a `StringName` are the same key.
        (View::Text(left), View::Text(right)) => (are_of_one_type || matches!(rule, Rule::Key)) && left == right,
        _ if !are_of_one_type => false,
        (View::Nothing, View::Nothing) => true,
        (View::Bool(left), View::Bool(right)) => left == right,
        (View::Int(left), View::Int(right)) => left == right,
        (View::Float(left), View::Float(right)) => {
            numbers_equal(left, right, rule) && !(matches!(rule, Rule::InsideKey) && left.is_nan())
        }
        (View::Reals(left), View::Reals(right)) => reals_equal(left, right, rule),
        (View::Integers(left), View::Integers(right)) => left.as_slice() == right.as_slice(),
        (View::Color(left), View::Color(right)) => colors_equal(&[left], &[right], rule),
        (View::NodePath(left), View::NodePath(right)) => left == right,
        (View::Rid(left), View::Rid(right)) => left == right,
        (View::Object(Object::Id(left)), View::Object(Object::Id(right))) => !rule.is_for_keys() && left == right,
        (View::Object(left), View::Object(right)) => matches!((left, right), (Object::Null, Object::Null)),
        (View::Signal(left), View::Signal(right)) => left == right,
        (View::PackedBytes(left), View::PackedBytes(right)) => left == right,
        (View::PackedInt64s(left), View::PackedInt64s(right)) => left == right,
        (View::PackedIntegers(left), View::PackedIntegers(right)) => left == right,
        (View::PackedReals(left, _), View::PackedReals(right, _)) => match rule {
            Rule::Godot3Key { packed_nan_equal } if variant_type == VariantType::PackedFloat32Array => {
                left.bit_eq(right) && (packed_nan_equal || !(0..left.len()).any(|index| left.at(index).is_nan()))
            }
            rule => reals_equal(left, right, rule),
        },
        (View::PackedColors(left), View::PackedColors(right)) => colors_equal(left, right, rule),
        (View::PackedTexts(left), View::PackedTexts(right)) => left == right,
        (View::Image(left), View::Image(right)) => !rule.is_for_keys() && left == right,
        (View::InputEvent(left), View::InputEvent(right)) => events_equal(left, right, rule),
        _ => false,
    }
}

fn numbers_equal(left: f64, right: f64, rule: Rule) -> bool {
    match rule {
        Rule::Bits => left.to_bits() == right.to_bits(),
        Rule::Number | Rule::Key | Rule::InsideKey | Rule::Godot3Key { .. } => normalized(left) == normalized(right),
    }
}

/// Only one field of an event is a float. It follows the rule; the other fields are integers.
fn events_equal(left: &InputEvent, right: &InputEvent, rule: Rule) -> bool {
    use InputEventKind::JoyMotion;
    match (left.kind, right.kind) {
        (JoyMotion { axis: left_axis, value: left_value }, JoyMotion { axis, value }) => {
            left.device == right.device
                && left_axis == axis
                && reals_equal(Reals::Single(&[left_value]), Reals::Single(&[value]), rule)
        }
        _ => left == right,
    }
}

fn reals_equal(left: Reals<'_>, right: Reals<'_>, rule: Rule) -> bool {
    if matches!(rule, Rule::Bits) {
        return left.bit_eq(right);
    }
    left.len() == right.len() && (0..left.len()).all(|index| numbers_equal(left.at(index), right.at(index), rule))
}

fn colors_equal(left: &[Color], right: &[Color], rule: Rule) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| reals_equal(Reals::Single(&left.to_array()), Reals::Single(&right.to_array()), rule))
}

/// Returns the bits of a number, the same for all values that are equal as keys: every NaN, both zeros.
pub(super) fn normalized(number: f64) -> u64 {
    if number.is_nan() {
        f64::NAN.to_bits()
    } else if number == 0.0 {
        0
    } else {
        number.to_bits()
    }
}
