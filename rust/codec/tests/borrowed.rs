//! Borrowed values.

use std::borrow::Cow;
use std::thread;

use varbytes::build::PackedNumbers;
use varbytes::variant::{ContainerType, PackedReals, Text, VariantRef};
use varbytes::{Decoder, Precision, Profile, Variant, VariantType};

fn borrowed(packet: &[u8]) -> VariantRef<'_> {
    Decoder::new().decode_borrowed(packet).unwrap()
}

fn numbers(value: VariantRef<'_>) -> PackedNumbers<'_> {
    match value {
        VariantRef::PackedNumbers(numbers) => numbers,
        other => panic!("{other:?}"),
    }
}

/// Returns a packet that starts `odd` bytes after a multiple of 8 in memory.
fn placed(packet: &[u8], odd: usize) -> (Vec<u8>, std::ops::Range<usize>) {
    let mut memory = vec![0; packet.len() + 16];
    let start = memory.as_ptr().align_offset(8) + odd;
    memory[start..start + packet.len()].copy_from_slice(packet);
    (memory, start..start + packet.len())
}

#[test]
fn text_and_bytes_borrow_from_the_packet() {
    let value = Variant::from(vec![
        Variant::from("a text that is longer than what a node holds"),
        Variant::StringName("a name that is longer than what a node holds".into()),
        Variant::PackedByteArray(vec![7; 100].into()),
        Variant::PackedStringArray(vec![Text::from("one"), Text::from("two")].into()),
    ]);
    let packet = varbytes::encode(&value).unwrap();
    let memory = packet.as_ptr_range();
    let VariantRef::Array(array) = borrowed(&packet) else { panic!() };
    for element in array.elements() {
        match element {
            VariantRef::String(text) | VariantRef::StringName(text) => assert!(memory.contains(&text.as_ptr())),
            VariantRef::PackedByteArray(bytes) => assert!(memory.contains(&bytes.as_ptr())),
            VariantRef::PackedStringArray(texts) => assert!(texts.iter().all(|text| memory.contains(&text.as_ptr()))),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
#[cfg(target_endian = "little")]
fn aligned_numbers_are_not_copied() {
    // The header and the count take 8 bytes, so both sizes are aligned if the packet is.
    let packet = varbytes::encode(&Variant::PackedInt64Array(vec![1, -2].into())).unwrap();
    let (memory, place) = placed(&packet, 0);
    let view = numbers(borrowed(&memory[place])).int64s().unwrap();
    assert!(matches!(view, Cow::Borrowed([1, -2])));
    let packet = varbytes::encode(&Variant::PackedVector2Array(PackedReals::from(vec![[0.5f32, 2.0]]))).unwrap();
    let (memory, place) = placed(&packet, 4);
    let view = numbers(borrowed(&memory[place])).float32s().unwrap();
    assert!(matches!(view, Cow::Borrowed([0.5, 2.0])));
}

#[test]
fn numbers_at_any_alignment_are_the_same() {
    let packet = varbytes::encode(&Variant::PackedFloat64Array(vec![0.1, f64::INFINITY].into())).unwrap();
    for odd in 0..8 {
        let (memory, place) = placed(&packet, odd);
        assert_eq!(*numbers(borrowed(&memory[place])).float64s().unwrap(), [0.1, f64::INFINITY], "{odd}");
    }
}

#[test]
fn numbers_are_only_returned_as_their_own_type() {
    let packet = varbytes::encode(&Variant::PackedInt32Array(vec![3].into())).unwrap();
    let numbers = numbers(borrowed(&packet));
    assert_eq!(numbers.int32s().as_deref(), Some(&[3][..]));
    assert!(numbers.int64s().is_none() && numbers.float32s().is_none() && numbers.float64s().is_none());
}

#[test]
fn wide_components_are_narrowed_for_a_single_precision_engine() {
    let packet =
        varbytes::encode(&Variant::PackedVector2Array(PackedReals::from_f64_vec(vec![[0.1f64, 2.0]]))).unwrap();
    let wide = numbers(borrowed(&packet));
    assert_eq!((wide.float64s().as_deref(), wide.float32s()), (Some(&[0.1, 2.0][..]), None));
    let decoder = Decoder::new().precision(Precision::Single);
    let narrow = numbers(decoder.decode_borrowed(&packet).unwrap());
    assert_eq!((narrow.float32s().as_deref(), narrow.float64s()), (Some(&[0.1f32, 2.0][..]), None));
}

#[test]
fn duplicate_keys_are_merged_as_in_the_owned_tree() {
    let key = || Variant::from(vec![Variant::from("part of a key")]);
    let twice = Variant::from(vec![(key(), Variant::from(1)), (key(), Variant::from(2))]);
    let packet = varbytes::encode(&twice).unwrap();
    let VariantRef::Dictionary(dictionary) = borrowed(&packet) else { panic!() };
    assert_eq!(dictionary.entries().len(), 1);
    assert!(matches!(dictionary.entries()[0].1, VariantRef::Owned(Variant::Int(2))));
}

#[test]
fn a_typed_container_keeps_its_type() {
    let int = || Some(ContainerType::Builtin(VariantType::Int));
    let array = varbytes::variant::Array::with_type_unchecked(int(), vec![Variant::from(1)]);
    let dictionary = varbytes::variant::Dictionary::with_types_unchecked(int(), None, Vec::new());
    let packet =
        varbytes::encode(&Variant::from(vec![Variant::Array(array), Variant::Dictionary(dictionary)])).unwrap();
    let VariantRef::Array(outer) = borrowed(&packet) else { panic!() };
    let [VariantRef::Array(array), VariantRef::Dictionary(dictionary)] = outer.elements() else { panic!() };
    assert_eq!((array.element_type(), dictionary.key_type()), (int().as_ref(), int().as_ref()));
    assert!(outer.element_type().is_none() && dictionary.value_type().is_none());
}

#[test]
fn a_value_of_any_depth_is_read_converted_printed_and_dropped_on_a_small_stack() {
    // Godot 2.1 has no depth limit.
    const LEVELS: u32 = 200_000;
    let packet = [21, 0, 0, 0, 1, 0, 0, 0].repeat(LEVELS as usize);
    let packet = [packet, vec![0; 4]].concat();
    let work = move || {
        let decoder = Decoder::new().profile(Profile::from_name("godot-2.1").unwrap());
        let value = decoder.decode_borrowed(&packet).unwrap();
        assert!(value.to_variant().bit_eq(&decoder.decode(&packet).unwrap()));
        assert!(format!("{value:?}").len() > LEVELS as usize);
    };
    thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}
