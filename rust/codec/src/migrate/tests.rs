use alloc::borrow::ToOwned;
use alloc::string::ToString;
use alloc::{format, vec};

use super::*;
use crate::VariantType;
use crate::variant::{
    Array, ContainerType, Dictionary, NodePath, Object, ObjectData, PackedReals, Reals, Text, Vector2, Vector2i,
    Vector4,
};

#[track_caller]
fn convert(to: Profile, value: impl Into<Variant>) -> (Variant, Vec<LossKind>) {
    let Migrated { value, losses, .. } = Migration::new(Profile::NEWEST, to).objects(true).migrate(&value.into());
    (value, losses.iter().map(Loss::kind).collect())
}

fn assert_exact(to: Profile, value: impl Into<Variant>) {
    let value = value.into();
    let (converted, losses) = convert(to, value.clone());
    assert_eq!(losses, [], "{value:?}");
    assert!(converted.bit_eq(&value), "{converted:?}");
}

#[test]
fn types_of_both_engines_are_unchanged() {
    for to in Profile::ALL {
        assert_exact(*to, vec![Variant::Nil, true.into(), 7.into(), 0.5.into(), "text".into()]);
        assert_exact(*to, vec![(Variant::from("key"), Variant::from(vec![1u8, 2]))]);
        assert_exact(*to, Vector2::from([1.0f32, f32::NAN]));
    }
}

#[test]
fn integer_vectors_become_real_ones_if_the_target_has_none() {
    let (value, losses) = convert(Profile::GODOT_3_5, Vector2i::from([3, -4]));
    assert_eq!((value, losses), (Vector2::from([3.0f32, -4.0]).into(), vec![LossKind::Type]));
    let (_, losses) = convert(Profile::GODOT_3_5, Vector2i::from([16_777_217, 0]));
    assert_eq!(losses, [LossKind::Number]);
}

#[test]
fn wide_packed_arrays_take_the_narrowest_form_that_holds_them() {
    let (value, losses) = convert(Profile::GODOT_3_5, vec![1i64, -2]);
    assert_eq!((value, losses), (vec![1i32, -2].into(), vec![LossKind::Type]));
    let (value, _) = convert(Profile::GODOT_3_5, vec![1i64 << 40]);
    assert_eq!(value, Variant::from(vec![Variant::from(1i64 << 40)]));
    let (value, _) = convert(Profile::GODOT_3_5, vec![0.1f64]);
    assert_eq!(value, Variant::from(vec![Variant::from(0.1)]));
}

#[test]
fn four_component_vectors_become_lists_of_numbers() {
    let (value, losses) = convert(Profile::GODOT_3_5, Vector4::from([1.0f32, 2.0, 3.0, 4.0]));
    assert_eq!((value, losses), (vec![1.0f32, 2.0, 3.0, 4.0].into(), vec![LossKind::Type]));
    let elements: PackedReals<4> = vec![[1.0f32; 4]].into();
    let (value, losses) = convert(Profile::GODOT_4_2, Variant::PackedVector4Array(elements));
    assert_eq!((value, losses), (vec![Variant::from(vec![1.0f32; 4])].into(), vec![LossKind::Type]));
}

#[test]
fn keys_that_become_duplicates_are_reported() {
    let keys = vec![(Variant::from("a"), 1.into()), (Variant::StringName("a".into()), Variant::from(2))];
    let (_, losses) = convert(Profile::GODOT_3_5, Dictionary::with_types_unchecked(None, None, keys));
    assert_eq!(losses, [LossKind::Type, LossKind::DuplicateKeys]);
    // Godot 3 considers dictionaries different that are the same key in Godot 4.
    let empty = || Variant::from(Dictionary::new());
    let keys = vec![(empty(), 1.into()), (empty(), Variant::from(2))];
    let keys = Variant::from(Dictionary::with_types_unchecked(None, None, keys));
    let converted = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).migrate(&keys);
    let report: Vec<_> = converted.losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        report,
        ["$: keys Dictionary{} of entry 0 and Dictionary{} of entry 1: they are the same key in this engine version"]
    );
}

#[test]
fn surrogates_are_joined_if_the_target_requires_unicode() {
    let text = Variant::String(Text::from_units(&[0xD83D, 0xDE00]));
    let converted = Migration::new(Profile::GODOT_3_2, Profile::GODOT_4_6).migrate(&text);
    assert_eq!(converted.value, Variant::from("😀"));
    assert_eq!(converted.losses[0].kind(), LossKind::Text);
    let kept = Migration::new(Profile::GODOT_3_2, Profile::GODOT_3_1).migrate(&text);
    assert!(kept.losses.is_empty() && kept.value.bit_eq(&text));
}

#[test]
fn text_that_engines_read_differently_is_reported() {
    for text in ["\u{FEFF}a", "a\0b"] {
        assert_eq!(convert(Profile::GODOT_4_6, text).1, [LossKind::UnreadableText]);
    }
}

#[test]
fn godot_2_has_numbers_of_32_bits() {
    let (value, losses) = convert(Profile::GODOT_2_1, 1i64 << 33);
    assert_eq!((value, losses), ((8_589_934_592.0).into(), vec![LossKind::Number]));
    assert_eq!(convert(Profile::GODOT_2_1, 0.1).1, [LossKind::Number]);
    assert_exact(Profile::GODOT_2_1, 0.5);
}

#[test]
fn the_property_of_a_node_path_becomes_a_subname() {
    let path = NodePath { names: vec!["a".into()], property: Some("b".into()), ..NodePath::default() };
    let converted = Migration::new(Profile::GODOT_2_1, Profile::GODOT_3_5).migrate(&path.into());
    let expected = NodePath { names: vec!["a".into()], subnames: vec!["b".into()], ..NodePath::default() };
    assert_eq!(converted.value, Variant::from(expected));
    assert_eq!(converted.losses[0].kind(), LossKind::NodePath);
}

#[test]
fn container_types_are_dropped_if_the_target_has_none() {
    let typed = Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), vec![7.into()]);
    let (value, losses) = convert(Profile::GODOT_4_2, typed);
    assert_eq!((value, losses), (vec![Variant::from(7)].into(), vec![LossKind::ContainerType]));
}

#[test]
fn the_loss_of_a_member_type_names_the_type() {
    let types = [
        (ContainerType::Builtin(VariantType::Int), "int"),
        (ContainerType::Class("Sprite2D".to_owned()), "Sprite2D"),
        (ContainerType::Script("res://item.gd".to_owned()), "res://item.gd"),
    ];
    for (member_type, name) in types {
        let typed = Array::with_type_unchecked(Some(member_type), vec![]).into();
        let converted = Migration::new(Profile::NEWEST, Profile::GODOT_3_5).migrate(&typed);
        assert!(converted.losses[0].to_string().contains(&format!("element type {name} becomes any type")));
    }
}

#[test]
fn the_losses_of_a_dictionary_name_the_key_type_and_the_value_type() {
    let int = || Some(ContainerType::Builtin(VariantType::Int));
    let typed = Dictionary::with_types_unchecked(int(), int(), vec![]).into();
    let converted = Migration::new(Profile::NEWEST, Profile::GODOT_3_5).migrate(&typed);
    let what: Vec<&str> = converted.losses.iter().map(Loss::what).collect();
    assert_eq!(what, ["key type int becomes any type", "value type int becomes any type"]);
}

#[test]
fn names_of_classes_and_properties_follow_the_table() {
    let properties = vec![("frame".to_owned(), Variant::from(1)), ("script".to_owned(), Variant::Nil)];
    let sprite = Variant::from(ObjectData { class: "Sprite".to_owned(), properties });
    let names = Names::new().class("Sprite", "Sprite2D").property("*", "frame", "index");
    let migration = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).objects(true).names(names);
    let Variant::Object(Object::Data(data)) = migration.migrate(&sprite).value else { panic!() };
    assert_eq!((data.class.as_str(), data.property("index")), ("Sprite2D", Some(&Variant::from(1))));
}

#[test]
fn properties_that_get_the_same_name_are_reported() {
    let property = |name: &str| (name.to_owned(), Variant::from(1));
    let properties = vec![property("a"), property("b"), property("c"), property("c")];
    let object = Variant::from(ObjectData { class: "Resource".to_owned(), properties });
    let names = Names::new().property("*", "a", "b");
    let migration = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).objects(true).names(names);
    let converted = migration.migrate(&vec![object].into());
    let report: Vec<_> = converted.losses.iter().map(ToString::to_string).collect();
    assert_eq!(report, ["$[0]: properties a and b become b: the table of names maps both to the same name"]);
}

#[test]
fn a_script_with_its_source_becomes_null_if_the_target_writes_paths() {
    let source = ("script/source".to_owned(), Variant::from("extends Node"));
    let script = ObjectData { class: "GDScript".to_owned(), properties: vec![source] };
    let object = ObjectData { class: "Reference".to_owned(), properties: vec![("script".to_owned(), script.into())] };
    let converted = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).objects(true).migrate(&object.into());
    assert_eq!(
        converted.losses[0].to_string(),
        "$.script: script of class GDScript becomes null: this engine version writes scripts in another form"
    );
}

#[test]
fn an_invalid_script_path_becomes_null_if_the_target_writes_paths() {
    for script in [Variant::from("text"), Variant::from(7), Variant::from(vec![Variant::Nil]), Object::Null.into()] {
        let mut bytes = Vec::new();
        let mut writer = Encoder::new().profile(Profile::GODOT_4_0).objects(true).writer(&mut bytes);
        writer.begin_object("RefCounted", 2).unwrap();
        writer.property_name("script").unwrap();
        // A null object, which the engine writes as null.
        let written =
            if script == Variant::from(Object::Null) { writer.object_id(0) } else { writer.value(&script, 1) };
        written.unwrap();
        if script.variant_type() == VariantType::Array {
            writer.nil().unwrap();
        }
        writer.property_name("a").unwrap();
        writer.int(1).unwrap();
        let migration = Migration::new(Profile::GODOT_4_0, Profile::GODOT_4_3).objects(true);
        let converted = migration.migrate_bytes(&bytes).unwrap();
        assert_eq!(converted.losses.iter().map(Loss::kind).collect::<Vec<_>>(), [LossKind::Script]);
    }
}

#[test]
fn objects_become_null_if_the_target_does_not_write_them() {
    let object = ObjectData { class: "Node".to_owned(), properties: vec![("a".to_owned(), 1.into())] };
    let (value, losses) = convert(Profile::GODOT_2_1, vec![Variant::from(object), 5.into()]);
    assert_eq!(value, Variant::from(vec![Variant::Object(Object::Null), 5.into()]));
    assert_eq!(losses, [LossKind::Object]);
}

#[test]
fn values_that_pandemonium_reads_incorrectly_are_reported() {
    let vector = Variant::from_reals(VariantType::Vector4, Reals::Single(&[1.0, 2.0, 3.0, 4.0])).unwrap();
    let bytes = crate::encode(&vec![vector, 7.into()].into()).unwrap();
    let converted = Migration::new(Profile::GODOT_4_6, Profile::PANDEMONIUM_5).migrate_bytes(&bytes).unwrap();
    assert_eq!(converted.losses[0].kind(), LossKind::ReadsBackDifferently);
}

#[test]
fn unflagged_8_byte_components_of_godot_4_0_are_reported_even_if_they_can_be_read() {
    // Read as 4 bytes each, the first half is a Projection, and the second a PackedByteArray of the rest.
    let mut components = [0.0; 16];
    components[8] = f64::from_bits(60 << 32 | 29);
    let projection = Variant::from_reals(VariantType::Projection, Reals::Double(&components)).unwrap();
    let bytes = crate::encode(&vec![projection, Variant::Nil].into()).unwrap();
    let converted = Migration::new(Profile::GODOT_4_6, Profile::GODOT_4_0).migrate_bytes(&bytes).unwrap();
    let shown: Vec<_> = converted.losses.iter().map(|loss| (loss.kind(), loss.path().to_string())).collect();
    assert_eq!(shown, [(LossKind::ReadsBackDifferently, "$[0]".to_owned())]);
}

#[test]
fn a_value_of_any_depth_is_converted_on_a_small_stack() {
    let mut value = Variant::Nil;
    for _ in 0..100_000 {
        value = vec![value].into();
    }
    let converted = Migration::new(Profile::GODOT_3_2, Profile::GODOT_3_1).migrate(&value);
    assert!(converted.losses.is_empty() && converted.value.bit_eq(&value));
}

#[test]
fn the_report_of_losses_deep_inside_stays_small() {
    let mut value = Variant::from(vec![Variant::RID(7); 20_000]);
    for _ in 0..1000 {
        value = vec![value].into();
    }
    let converted = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).migrate(&value);
    let losses = converted.losses;
    assert_eq!((losses.len(), converted.unlisted[&LossKind::RidId]), (1000, 19_000));
    assert_eq!(losses[0].path().steps().len(), 1001);
    assert!(losses[999].path().to_string().ends_with("[0]<deeper>"));
    assert!(losses.iter().map(|loss| size_of_val(loss.path().steps())).sum::<usize>() < 8 << 20);
}

#[test]
fn the_report_of_losses_under_a_long_name_stays_small() {
    let properties = vec![("a".repeat(1 << 20), vec![Variant::RID(7); 1000].into())];
    let object = ObjectData { class: "Resource".to_owned(), properties };
    let migration = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).objects(true);
    let losses = migration.migrate(&object.into()).losses;
    assert_eq!(losses.len(), 1000);
    assert_eq!(losses[999].path().to_string(), "$<deeper>");
    assert!(losses.iter().map(|loss| loss.path().to_string().len()).sum::<usize>() < 8 << 20);
    assert!(losses.iter().all(|loss| loss.to_string().len() < 500));
}

#[test]
fn losses_beyond_the_maximum_are_counted_by_kind() {
    let members = [Variant::RID(7), Variant::Callable, Variant::RID(8), Variant::Callable, Variant::Callable];
    for max in 0..7 {
        let migration = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).max_losses(max);
        let converted = migration.migrate_bytes(&crate::encode(&members.to_vec().into()).unwrap()).unwrap();
        assert_eq!(converted.losses.len(), max.min(5));
        let count = |kind| {
            let listed = converted.losses.iter().filter(|loss| loss.kind() == kind).count();
            listed as u64 + converted.unlisted.get(&kind).copied().unwrap_or(0)
        };
        assert_eq!((count(LossKind::RidId), count(LossKind::Dropped)), (2, 3), "{max}");
    }
}

#[test]
fn every_type_of_every_engine_converts_to_every_other_and_is_read_there() {
    for from in Profile::ALL {
        for to in Profile::ALL {
            let migration = Migration::new(*from, *to).objects(true);
            for variant_type in from.types() {
                // A header and zeros are a valid value for most types.
                let id = from.type_id(*variant_type).unwrap();
                let bytes = [&[id, 0, 0, 0][..], &[0; 300]].concat();
                let decoder = Decoder::new().profile(*from).objects(true).fix_engine_bugs(true);
                let Ok(decoded) = decoder.decode_prefix(&bytes) else { continue };
                let converted = migration.migrate_bytes(&bytes).unwrap();
                assert_eq!(converted.consumed, decoded.consumed);
                let read = Decoder::new().profile(*to).objects(true).strict(true).decode(&converted.value);
                let read = read.unwrap_or_else(|error| panic!("{from} to {to}, {variant_type}: {error}"));
                if converted.losses.is_empty() {
                    assert!(read.bit_eq(&decoded.value), "{from} to {to}: {read:?}");
                }
            }
        }
    }
}

#[test]
fn a_value_of_another_type_than_declared_reads_back_the_same() {
    let int = Some(ContainerType::Builtin(VariantType::Int));
    let value = Dictionary::with_types_unchecked(int.clone(), int, vec![(0.into(), "hi".into())]).into();
    let converted = Migration::default().migrate_to_bytes(&value).unwrap();
    assert_eq!(converted.value, crate::encode(&value).unwrap());
    assert_eq!(converted.losses, []);
}
