//! Decoding takes the memory that `Limits::memory` counts, within a factor of two, for every type, every conversion of
//! a member, and both trees. A single test, because it measures the whole process.

mod peak;

use peak::peak;
use varbytes::variant::{Array, ContainerType, Dictionary, NodePath, Object, ObjectData, Quaternion, Reals, Signal};
use varbytes::{Decoder, Encoder, Limits, Profile, Variant, VariantType};

/// Values of each kind.
const COUNT: usize = 40;

/// Returns the lowest limit with which the bytes are read.
fn charged(decoder: Decoder, bytes: &[u8], used: usize, is_read: impl Fn(Decoder, &[u8]) -> bool) -> usize {
    let (mut refused, mut read) = (0_usize, 4 * used + BESIDES);
    while !is_read(decoder.limits(Limits::NONE.memory(read)), bytes) {
        (refused, read) = (read, 2 * read);
    }
    while read - refused > 1 {
        let memory = refused.midpoint(read);
        if is_read(decoder.limits(Limits::NONE.memory(memory)), bytes) {
            read = memory;
        } else {
            refused = memory;
        }
    }
    read
}

fn bytes_of(value: &Variant) -> Vec<u8> {
    Encoder::new().objects(true).encode(value).unwrap()
}

/// Additional memory of every read: the list of open containers, if they are few.
const BESIDES: usize = 1024;

/// What a container is charged although it does not use it: a container of one member needs no list of open containers.
const UNUSED: usize = 64;

/// Returns whether a limit and the used memory are within a factor of two of each other.
fn is_near(charged: usize, used: usize) -> bool {
    !is_beyond(charged, used) && charged <= 2 * used + UNUSED
}

/// Returns whether more was used than the limit allows.
fn is_beyond(charged: usize, used: usize) -> bool {
    used > 2 * charged + BESIDES
}

/// Compares the counted and the used memory of each tree, and returns those that differ too much.
fn far_off(name: &str, bytes: &[u8]) -> Vec<String> {
    let decoder = Decoder::new().objects(true);
    let mut far_off = Vec::new();
    let mut compare = |tree: &str, charged: usize, used: usize| {
        if !is_near(charged, used) {
            far_off.push(format!("{name}, {tree}: {charged} charged, {used} used"));
        }
    };
    let read = |decoder: Decoder, bytes: &[u8]| decoder.decode(bytes).is_ok();
    let borrowed = |decoder: Decoder, bytes: &[u8]| decoder.decode_borrowed(bytes).is_ok();
    let used = peak(|| decoder.decode_borrowed(bytes).unwrap());
    compare("borrowed", charged(decoder, bytes, used, borrowed), used);
    let used = peak(|| decoder.decode(bytes).unwrap());
    let memory = charged(decoder, bytes, used, read);
    compare("owned", memory, used);
    // A check counts memory like the tree.
    let check = |memory| decoder.limits(Limits::NONE.memory(memory)).check(bytes).is_ok();
    assert!(check(memory) && !check(memory - 1), "{name}: a check does not count {memory}");
    far_off
}

fn long(text: &str) -> String {
    text.repeat(100)
}

fn object(class: &str, properties: Vec<(String, Variant)>) -> Variant {
    Variant::Object(Object::Data(ObjectData { class: class.to_owned(), properties }.into()))
}

/// Returns values of every type of Godot 4.6, short and long, narrow and wide.
fn values() -> Vec<(String, Variant)> {
    let mut values: Vec<(String, Variant)> = Vec::new();
    for variant_type in Profile::GODOT_4_6.types() {
        let (singles, doubles) = ([0.1_f32; 16], [0.1_f64; 16]);
        let count = variant_type.real_components();
        for (name, reals) in
            [("single", Reals::Single(&singles[..count])), ("double", Reals::Double(&doubles[..count]))]
        {
            if count > 0
                && let Some(value) = Variant::from_reals(*variant_type, reals)
            {
                values.push((format!("{variant_type} {name}"), value));
            }
        }
        if variant_type.integer_components() > 0 {
            let integers = [1; 4];
            let value = Variant::from_integers(*variant_type, &integers[..variant_type.integer_components()]);
            values.push((variant_type.to_string(), value.unwrap()));
        }
    }
    let path = |count: usize, name: &str| {
        let names = vec![name.into(); count];
        Variant::from(NodePath { absolute: true, names: names.clone(), subnames: names, property: None })
    };
    let signal = |name: &str| Variant::from(Signal { name: name.to_owned(), object_id: 1 });
    let typed = |element_type| Variant::from(Array::with_type_unchecked(Some(element_type), Vec::new()));
    let more: Vec<(&str, Variant)> = vec![
        ("null", Variant::Nil),
        ("bool", true.into()),
        ("int", 1.into()),
        ("wide int", i64::MAX.into()),
        ("float", 0.1.into()),
        ("empty String", "".into()),
        ("short String", "a short text".into()),
        ("long String", long("text ").into()),
        ("short StringName", Variant::StringName("name".into())),
        ("long StringName", Variant::StringName(long("name ").as_str().into())),
        ("empty NodePath", path(0, "")),
        ("short NodePath", path(1, "name")),
        ("NodePath of many names", path(50, "a")),
        ("NodePath of long names", path(2, &long("name "))),
        ("Color", Variant::Color([1.0; 4].into())),
        ("RID", Variant::RID(1)),
        ("object id", Variant::Object(Object::Id(1))),
        ("Callable", Variant::Callable),
        ("short Signal", signal("a")),
        ("long Signal", signal(&long("signal "))),
        ("empty Array", Variant::from(Vec::<Variant>::new())),
        ("Array", vec![Variant::from(1), 2.into()].into()),
        ("Array of Arrays", vec![Variant::from(vec![Variant::from(1)]); 3].into()),
        ("Array of Colors", vec![Variant::Color([3e38; 4].into()); 9].into()),
        ("Array of floats", vec![Variant::from(-1.234_567_890_123e-300); 9].into()),
        ("Array of backslashes", vec![Variant::from("\\".repeat(50)); 9].into()),
        ("Array of Arrays of backslashes", vec![Variant::from(vec![Variant::from("\\".repeat(50))]); 9].into()),
        ("Array of an Array of nulls", vec![Variant::from(vec![Variant::Nil; 100])].into()),
        ("Array of an Array of ints", vec![Variant::from(vec![Variant::from(1); 100])].into()),
        ("Array of Dictionaries", {
            let entries = (0..10).map(|key| (Variant::from(key), Variant::from("a 'text'"))).collect::<Vec<_>>();
            vec![Variant::from(entries); 3].into()
        }),
        ("Array of packed arrays", {
            let numbers = Variant::PackedVector4Array(vec![[0.123_456_7_f32; 4]; 10].into());
            vec![vec![7_u8; 100].into(), vec![i64::MIN; 10].into(), vec![1e-300_f64; 10].into(), numbers].into()
        }),
        ("Array of what is too deep to be shown", {
            let bytes = Variant::from(vec![Variant::from(vec![Variant::Nil; 100])]);
            vec![(0..101).fold(bytes, |inner, _| Variant::from(vec![inner]))].into()
        }),
        ("Array of Transform3D of Quaternions", {
            let quaternion = Variant::from(Quaternion::from([0.123_456_78_f32; 4]));
            Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Transform3D)), vec![quaternion; 9])
                .into()
        }),
        ("Array of PackedStringArrays of Arrays", {
            let inner = Variant::from(vec![Variant::from(vec![Variant::from("\\".repeat(2))])]);
            let strings = ContainerType::Builtin(VariantType::PackedStringArray);
            let inner = Array::with_type_unchecked(Some(strings.clone()), vec![inner; 3]).into();
            Array::with_type_unchecked(Some(strings), vec![inner; 3]).into()
        }),
        ("Array of a built-in type", typed(ContainerType::Builtin(VariantType::Int))),
        ("Array of a class", typed(ContainerType::Class("Resource".to_owned()))),
        ("Array of a script", typed(ContainerType::Script(format!("res://{}", long("path/"))))),
        ("empty Dictionary", Variant::from(Vec::<(Variant, Variant)>::new())),
        ("Dictionary", vec![(Variant::from("key"), Variant::from(1)), ("other".into(), 2.into())].into()),
        (
            "typed Dictionary",
            Variant::from(Dictionary::with_types_unchecked(
                Some(ContainerType::Builtin(VariantType::Int)),
                Some(ContainerType::Class("Node".to_owned())),
                Vec::new(),
            )),
        ),
        ("object", object("Resource", Vec::new())),
        ("object with properties", object("Resource", vec![("a".to_owned(), 1.into()), (long("name"), "b".into())])),
        ("PackedByteArray", vec![1_u8; 1000].into()),
        ("short PackedByteArray", vec![1_u8; 3].into()),
        ("PackedInt32Array", vec![1_i32; 100].into()),
        ("PackedInt64Array", vec![1_i64; 100].into()),
        ("PackedFloat32Array", vec![0.5_f32; 100].into()),
        ("PackedFloat64Array", vec![0.5_f64; 100].into()),
        ("PackedStringArray", Variant::PackedStringArray(vec!["short".into(); 100].into())),
        ("PackedStringArray of long ones", Variant::PackedStringArray(vec![long("s").as_str().into(); 100].into())),
        ("PackedVector2Array", Variant::PackedVector2Array(vec![[0.1_f32; 2]; 100].into())),
        (
            "wide PackedVector2Array",
            Variant::PackedVector2Array(varbytes::variant::PackedReals::from_f64_vec(vec![[0.1_f64; 2]; 100])),
        ),
        ("PackedVector3Array", Variant::PackedVector3Array(vec![[0.1_f32; 3]; 100].into())),
        ("PackedVector4Array", Variant::PackedVector4Array(vec![[0.1_f32; 4]; 100].into())),
        (
            "wide PackedVector4Array",
            Variant::PackedVector4Array(varbytes::variant::PackedReals::from_f64_vec(vec![[0.1_f64; 4]; 100])),
        ),
        ("PackedColorArray", Variant::PackedColorArray(vec![[0.1_f32; 4].into(); 100].into())),
    ];
    values.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
    values
}

#[test]
fn the_limit_on_memory_matches_the_used_memory_within_a_factor_of_two() {
    let mut wrong = Vec::new();

    let values = values();
    for variant_type in Profile::GODOT_4_6.types() {
        assert!(values.iter().any(|(_, value)| value.variant_type() == *variant_type), "no {variant_type}");
    }
    for (name, value) in &values {
        wrong.extend(far_off(name, &bytes_of(&Variant::from(vec![value.clone(); COUNT]))));
    }

    for (name, key) in [("rising", 1), ("falling", -1)] {
        let entries: Vec<_> = (1..=1000).map(|number| (Variant::from(key * number), Variant::from(1))).collect();
        wrong.extend(far_off(&format!("Dictionary of {name} keys"), &bytes_of(&entries.into())));
    }

    for levels in [5, 100, 1000] {
        let nested = (0..levels).fold(Variant::Nil, |inner, _| Variant::from(vec![inner]));
        wrong.extend(far_off(&format!("{levels} nested Arrays"), &bytes_of(&nested)));
    }

    // Every conversion of a member, in turn for one member and for many.
    for (number, (name, value)) in values.iter().enumerate() {
        for (row, to) in Profile::GODOT_4_6.types().iter().enumerate().filter(|(_, to)| **to != value.variant_type()) {
            let count = [1, COUNT][(number + row) % 2];
            let array = Array::with_type_unchecked(Some(ContainerType::Builtin(*to)), vec![value.clone(); count]);
            let bytes = bytes_of(&array.into());
            let read = Decoder::new().objects(true).decode(&bytes);
            let Ok(Variant::Array(read)) = read else { continue };
            if !read.elements().is_empty() {
                wrong.extend(far_off(&format!("{count} {name} as {to}"), &bytes));
            }
        }
    }
    // Entries of a typed dictionary.
    let members = Variant::from(vec![Variant::from(vec![Variant::Nil; 100])]);
    let strings = || Some(ContainerType::Builtin(VariantType::PackedStringArray));
    let of_keys = Dictionary::with_types_unchecked(strings(), None, vec![(members.clone(), 1.into())]);
    wrong.extend(far_off("Array as a key of PackedStringArray", &bytes_of(&of_keys.into())));
    let of_values =
        Dictionary::with_types_unchecked(None, strings(), (0..9).map(|key| (key.into(), members.clone())).collect());
    wrong.extend(far_off("Arrays as values of PackedStringArray", &bytes_of(&of_values.into())));
    assert!(wrong.is_empty(), "{} are off:\n{}", wrong.len(), wrong.join("\n"));
}
