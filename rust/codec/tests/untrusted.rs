//! The preset for untrusted input: everything that engines write is read, and expansion is limited.

use varbytes::variant::{Array, ContainerType, Dictionary, NodePath, Object, Signal};
use varbytes::{Category, Decoder, Encoder, Variant, VariantType, tagged_json};

fn bytes_of(value: &Variant) -> Vec<u8> {
    Encoder::new().objects(true).encode(value).unwrap()
}

/// Returns the smallest values of each type, which take the most memory per byte.
fn smallest() -> Vec<Variant> {
    let name = Variant::from(NodePath { names: vec!["a".into()], ..NodePath::default() });
    let typed = Array::with_type_unchecked(Some(ContainerType::Class("A".to_owned())), Vec::new());
    let types = Some(ContainerType::Builtin(VariantType::Int));
    vec![
        Variant::Nil,
        "".into(),
        "a".into(),
        Variant::StringName("".into()),
        name,
        Variant::Object(Object::Id(1)),
        Variant::Callable,
        Variant::from(Signal::default()),
        Variant::from(Vec::<Variant>::new()),
        Variant::from(Vec::<(Variant, Variant)>::new()),
        Variant::Array(typed),
        Variant::from(Dictionary::with_types_unchecked(types.clone(), types, Vec::new())),
        Variant::from(vec![0_u8; 1]),
        Variant::PackedStringArray(vec!["".into(); 10].into()),
        Variant::from(vec![(Variant::Nil, Variant::Nil)]),
        Variant::from_reals(VariantType::Projection, varbytes::variant::Reals::Single(&[0.0; 16])).unwrap(),
        Variant::from(varbytes::variant::Vector4::from_f64_array([0.5_f64; 4])),
    ]
}

#[test]
fn no_engine_output_reaches_the_limits() {
    let nest = |levels: usize, innermost: Variant, wrap: fn(Variant) -> Variant| {
        (0..levels).fold(innermost, |inner, _| wrap(inner))
    };
    let mut values = smallest();
    values.extend(smallest().into_iter().map(|value| Variant::from(vec![value; 10_000])));
    values.extend(smallest().into_iter().map(|value| Variant::from(vec![(value.clone(), value)])));
    for levels in [1, 8, 9, 100, 1023] {
        values.push(nest(levels, Variant::Nil, |inner| vec![inner].into()));
        values.push(nest(levels, Variant::Nil, |inner| vec![(Variant::Nil, inner)].into()));
        values.push(nest(levels, Variant::Nil, |inner| vec![(inner, Variant::Nil)].into()));
        values.push(nest(levels, Variant::Nil, |inner| {
            let element_type = Some(ContainerType::Builtin(inner.variant_type()));
            Variant::Array(Array::with_type_unchecked(element_type.filter(|_| inner != Variant::Nil), vec![inner]))
        }));
    }
    for keys in [1, -1] {
        values.push((0..10_000_i64).map(|key| (Variant::from(key * keys), Variant::Nil)).collect::<Vec<_>>().into());
    }
    for value in values {
        let bytes = bytes_of(&value);
        let decoder = Decoder::untrusted(&bytes).objects(true);
        let shown = || format!("{:.100}", format!("{value:?}"));
        let read = decoder.decode(&bytes).unwrap_or_else(|error| panic!("{}: {error}", shown()));
        assert!(read.bit_eq(&value), "{}", shown());
        assert!(decoder.strict(true).decode(&bytes).is_ok(), "{}", shown());
        assert!(decoder.decode_borrowed(&bytes).is_ok(), "{}", shown());
        assert!(decoder.check(&bytes).is_ok(), "{}", shown());
        assert!(tagged_json::decode(&decoder, &bytes).is_ok(), "{}", shown());
    }
}

#[test]
fn members_that_would_expand_too_much_are_refused() {
    let typed = |to, member: Variant| {
        Variant::Array(Array::with_type_unchecked(Some(ContainerType::Builtin(to)), vec![member]))
    };
    // Each byte would become a member of an array, a name of a path, or text that doubles at every level.
    let bytes = typed(VariantType::Array, Variant::from(vec![0_u8; 100_000]));
    let doubling = (0..40).fold(Variant::from(vec![Variant::from("\\".repeat(40))]), |inner, _| {
        typed(VariantType::PackedStringArray, Variant::from(vec![inner]))
    });
    for value in [bytes, doubling] {
        let bytes = bytes_of(&value);
        for category in [
            Decoder::untrusted(&bytes).decode(&bytes).unwrap_err().category(),
            Decoder::untrusted(&bytes).check(&bytes).unwrap_err().category(),
            Decoder::untrusted(&bytes).decode_borrowed(&bytes).map(drop).unwrap_err().category(),
        ] {
            assert!(matches!(category, Category::Limit | Category::Unsupported), "{category:?}");
        }
    }
}

#[test]
fn values_of_another_type_are_left_out() {
    let types = || Some(ContainerType::Builtin(VariantType::Int));
    let value = Dictionary::with_types_unchecked(types(), types(), vec![(1.into(), "x".into()), (2.into(), 3.into())]);
    let bytes = bytes_of(&value.into());
    let expected = Variant::from(Dictionary::with_types_unchecked(types(), types(), vec![(2.into(), 3.into())]));
    assert_eq!(Decoder::untrusted(&bytes).decode(&bytes).unwrap(), expected);
}

#[test]
fn a_packed_string_array_of_a_negative_count_becomes_an_empty_array() {
    // Array[Array] of a PackedStringArray with a negative count, which the engine reads as zero.
    let packet = [28, 0, 1, 0, 28, 0, 0, 0, 1, 0, 0, 0, 34, 0, 0, 0, 0xAD, 0xAD, 0xAD, 0xAD];
    let expected = Decoder::new().decode(&packet).unwrap();
    assert_eq!(Decoder::untrusted(&packet).decode(&packet).unwrap(), expected);
}
