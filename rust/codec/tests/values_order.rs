//! The order of values agrees with `==`, and so do their hashes.

mod numbers;

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use numbers::Numbers;
use varbytes::variant::{Array, ContainerType, Dictionary, Object, ObjectData, Vector2, Vector2i};
use varbytes::{Variant, VariantType, variant};

/// Returns a small value out of few, so that many are equal or nearly so.
fn value(numbers: &mut Numbers, depth: u64) -> Variant {
    match numbers.below(if depth == 0 { 14 } else { 18 }) {
        0 => Variant::Nil,
        1 => (numbers.below(2) == 0).into(),
        2 => (i64::try_from(numbers.below(3)).unwrap() - 1).into(),
        3 => numbers.one_of([0.0, -0.0, 1.0, f64::NAN, -f64::NAN, f64::NEG_INFINITY]).into(),
        4 => numbers.one_of(["", "a", "ab", "b", "a\0", "é"]).into(),
        5 => Variant::StringName(numbers.one_of(["", "a", "b"]).into()),
        6 => Vector2::new(numbers.one_of([0.0, -0.0, f32::NAN]), 1.0).into(),
        7 => Vector2::from_f64_array([0.0, 1.0]).into(),
        8 => Vector2i::new(-1, i32::try_from(numbers.below(2)).unwrap()).into(),
        9 => vec![0u8; numbers.length(3)].into(),
        10 => vec![1.0f32; numbers.length(3)].into(),
        11 => vec!["a"; numbers.length(3)].into(),
        12 => Object::Id(numbers.below(2)).into(),
        13 => Object::Null.into(),
        14 => ObjectData {
            class: numbers.one_of(["Node", "Timer"]).into(),
            properties: (0..numbers.below(3)).map(|_| ("a".into(), value(numbers, depth - 1))).collect(),
        }
        .into(),
        15 => {
            let members = (0..numbers.below(3)).map(|_| value(numbers, depth - 1)).collect();
            let declared = numbers.one_of([None, Some(ContainerType::Builtin(VariantType::Int))]);
            Array::with_type_unchecked(declared, members).into()
        }
        _ => (0..numbers.below(4))
            .map(|_| (value(numbers, depth - 1), value(numbers, depth - 1)))
            .collect::<Dictionary>()
            .into(),
    }
}

fn hash(value: &Variant) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Asserts that the order of all pairs is total, and agrees with `==` and hashes.
fn assert_total_order(mut values: Vec<Variant>) {
    let mut equal = 0;
    for left in &values {
        for right in &values {
            let order = left.cmp(right);
            assert_eq!(order == Ordering::Equal, left == right, "{left:?}, {right:?}");
            assert_eq!(order, right.cmp(left).reverse(), "{left:?}, {right:?}");
            if left == right {
                assert_eq!(hash(left), hash(right), "{left:?}, {right:?}");
                equal += 1;
            }
        }
    }
    assert!(equal > 2 * values.len(), "{equal} of {}", values.len());
    values.sort();
    assert!(values.iter().enumerate().all(|(at, left)| values[at..].iter().all(|right| left <= right)));
}

#[test]
fn the_order_is_total_and_agrees_with_equality_and_hashes() {
    let mut numbers = Numbers(7);
    let mut values: Vec<Variant> = (0..1500).map(|_| value(&mut numbers, 3)).collect();
    // The same entries in another order.
    let turned: Vec<Variant> = values
        .iter()
        .filter_map(Variant::as_dictionary)
        .map(|dictionary| dictionary.clone().into_entries().into_iter().rev().collect::<Dictionary>().into())
        .collect();
    values.extend(turned);
    assert_total_order(values);
}

#[test]
fn dictionaries_with_duplicate_keys_have_a_total_order_that_agrees_with_equality() {
    let mut numbers = Numbers(7);
    let mut entry = |_| {
        let key = match numbers.below(5) {
            0 => Object::Id(1).into(),
            1 => variant!([f64::NAN]),
            2 => Variant::StringName("a".into()),
            3 => "a".into(),
            _ => "b".into(),
        };
        (key, (numbers.below(2) == 0).into())
    };
    let dictionaries = (0..300).map(|count| (0..count % 5).map(&mut entry).collect());
    assert_total_order(
        dictionaries.map(|entries| Dictionary::with_types_unchecked(None, None, entries).into()).collect(),
    );
}

#[test]
fn dictionaries_with_many_duplicate_keys_are_equal_in_both_directions() {
    let twice: Vec<(Variant, Variant)> = (0..100).map(|number| ((number / 2).into(), number.into())).collect();
    let once: Dictionary = (0..100).map(|number| (number, number)).collect();
    let [even, odd] = [0, 1].map(|rest| twice.iter().skip(rest).step_by(2).cloned());
    let parted = even.chain(odd).collect();
    let [twice, parted] = [twice, parted].map(|entries| Dictionary::with_types_unchecked(None, None, entries));
    let both_ways = |left: &Dictionary, right: &Dictionary| [left == right, right == left];
    assert_eq!(both_ways(&twice, &parted), [true, true]);
    assert_eq!(both_ways(&twice, &once), [false, false]);
}

#[test]
fn values_are_ordered_by_type_then_by_content() {
    let ordered = [
        variant!(null),
        variant!(false),
        variant!(true),
        variant!(-2),
        variant!(10),
        variant!(-1.5),
        variant!(0.5),
        variant!(f64::INFINITY),
        variant!(f64::NAN),
        variant!("a"),
        variant!("b"),
        variant!({}),
        variant!({"a": 1}),
        variant!({"b": 0, "a": 2}),
        variant!([]),
        variant!([1]),
        variant!([1, 0]),
        variant!([2]),
        variant!(vec![1u8]),
        variant!(vec![1u8, 0]),
    ];
    assert!(ordered.is_sorted_by(|left, right| left < right));
}

#[test]
#[expect(clippy::mutable_key_type, reason = "the index that a look-up builds is not part of the value")]
fn values_are_keys_of_maps_and_members_of_sets() {
    let names = HashMap::from([(variant!(1), "one"), (variant!([1, "a"]), "array"), (variant!(f64::NAN), "nan")]);
    assert_eq!(names[&variant!([1, "a"])], "array");
    assert_eq!(names[&variant!(f64::NAN)], "nan");
    assert_eq!(BTreeSet::from([variant!(2), variant!(1), variant!(2)]).len(), 2);
}

/// A recursive comparison would overflow the stack of a thread.
#[test]
fn deep_values_are_ordered() {
    let deep = |innermost: i64| (0..100_000).fold(Variant::from(innermost), |value, _| variant!([value]));
    assert_eq!(deep(1).cmp(&deep(2)), Ordering::Less);
    let key = |innermost: i64| (0..10_000).fold(Variant::from(innermost), |value, _| variant!({"a": value}));
    assert_eq!(variant!({(key(1)): 1}).cmp(&variant!({(key(1)): 2})), Ordering::Less);
}
