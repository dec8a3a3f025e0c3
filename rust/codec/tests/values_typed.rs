//! Typed containers that are changed in place: nothing of another type is written.

use varbytes::variant::{Array, ContainerType, Dictionary, Entry};
use varbytes::{EncodeErrorKind, Encoder, Path, Variant, VariantType, variant};

fn int() -> Option<ContainerType> {
    Some(ContainerType::Builtin(VariantType::Int))
}

fn ints() -> Array {
    Array::with_type(int(), vec![1.into(), 2.into()]).unwrap()
}

fn scores() -> Dictionary {
    Dictionary::with_types(None, int(), vec![("Ada".into(), 7.into()), ("Bob".into(), 8.into())]).unwrap()
}

/// Returns the path and the message of the error that encoding returns.
fn refused(value: impl Into<Variant>) -> (String, String) {
    let value = value.into();
    let error = varbytes::encode(&value).unwrap_err();
    assert_eq!(Encoder::new().encoded_len(&value).unwrap_err(), error);
    let EncodeErrorKind::TypeMismatch { mismatch } = error.kind() else { panic!("{error}") };
    (error.path().to_string(), mismatch.to_string())
}

#[test]
fn every_way_to_change_an_array_in_place_is_checked_when_it_is_written() {
    let changes: [fn(&mut Array); 9] = [
        |array| array[1] = "x".into(),
        |array| *array.get_mut(1).unwrap() = "x".into(),
        |array| *array.iter_mut().nth(1).unwrap() = "x".into(),
        |array| array.elements_mut()[1] = "x".into(),
        |array| array.edit(|members| members[1] = "x".into()),
        |array| array.fill("x".into()),
        |array| *array.last_mut().unwrap() = "x".into(),
        |array| array.swap_with_slice(&mut ["x".into(), "x".into()]),
        |array| drop(array[1].take()),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut array = ints();
        change(&mut array);
        assert!(varbytes::encode(&array.clone().into()).is_err(), "change {index}");
        assert!(varbytes::encode(&array.with_shared(true).into()).is_err(), "change {index}, shared");
    }
}

#[test]
fn every_way_to_change_a_dictionary_in_place_is_checked_when_it_is_written() {
    let changes: [fn(&mut Dictionary); 10] = [
        |scores| scores["Bob"] = "x".into(),
        |scores| *scores.get_mut("Bob").unwrap() = "x".into(),
        |scores| *scores.iter_mut().nth(1).unwrap().1 = "x".into(),
        |scores| *scores.values_mut().nth(1).unwrap() = "x".into(),
        |scores| scores.entries_mut()[1].1 = "x".into(),
        |scores| scores.edit(|entries| entries[1].1 = "x".into()),
        |scores| *scores.entry("Bob").or_insert(0) = "x".into(),
        |scores| drop(scores.entry("Bob").and_modify(|score| *score = "x".into())),
        |scores| scores.retain(|_, score| !std::mem::replace(score, "x".into()).is_nil()),
        |scores| match scores.entry("Bob") {
            Entry::Occupied(entry) => *entry.into_mut() = "x".into(),
            Entry::Vacant(_) => unreachable!(),
        },
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut scores = scores();
        change(&mut scores);
        assert!(varbytes::encode(&scores.into()).is_err(), "change {index}");
    }
}

#[test]
fn the_error_names_the_container_and_the_member() {
    let mut save = variant!({"ints": ints(), "scores": scores()});
    save["ints"][1] = 1.5.into();
    assert_eq!(
        refused(save.clone()),
        (r#"$["ints"]"#.into(), "member 1 is a float, but the container declares int".into())
    );
    save["ints"][1] = 3.into();
    *save.at_mut(&r#"$["scores"]["Ada"]"#.parse::<Path>().unwrap()).unwrap() = "none".into();
    assert_eq!(refused(save), (r#"$["scores"]"#.into(), "value 0 is a String, but the container declares int".into()));
}

#[test]
fn changes_to_the_declared_type_are_written() {
    let mut save = variant!({"ints": ints(), "scores": scores()});
    save["ints"][1] = 9.into();
    save["ints"].as_array_mut().unwrap().sort_by_key(|member| std::cmp::Reverse(member.as_i64()));
    save["scores"]["Ada"] = 0.into();
    assert_eq!(varbytes::decode(&varbytes::encode(&save).unwrap()).unwrap(), save);
}

#[test]
fn a_container_that_is_made_unchecked_is_written_as_it_is() {
    let mut array = ints();
    array[0] = "x".into();
    let unchecked = Array::with_type_unchecked(array.element_type().cloned(), array.into_elements());
    assert!(varbytes::encode(&unchecked.into()).is_ok());
}

/// The engine keeps a value of another type in a typed dictionary: FORMAT.md, section 11.
#[test]
fn what_an_engine_has_read_is_written_again() {
    let mistyped = Dictionary::with_types_unchecked(None, int(), vec![("Ada".into(), "x".into())]);
    let bytes = varbytes::encode(&mistyped.into()).unwrap();
    let read = varbytes::decode(&bytes).unwrap();
    assert_eq!(varbytes::encode(&read.clone()).unwrap(), bytes);
    assert_eq!(varbytes::encode(&variant!([read])).unwrap()[8..], bytes);
}

#[test]
fn debug_shows_the_declared_types() {
    assert_eq!(format!("{:?}", ints()), "Array<int>[1, 2]");
    assert_eq!(format!("{:?}", scores()), r#"Dictionary<Variant, int>{"Ada": 7, "Bob": 8}"#);
}
