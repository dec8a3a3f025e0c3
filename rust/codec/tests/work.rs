//! The work for a packet is proportional to its length, for every shape that is known to be expensive.
//!
//! Steps are counted, not time: see `varbytes::work`.

use std::fmt::Write as _;

use varbytes::build::Validator;
use varbytes::migrate::Migration;
use varbytes::variant::{ContainerType, NodePath, Object};
use varbytes::write::Writer;
use varbytes::{Decoder, EncodeErrorKind, Encoder, Profile, Variant, VariantType, inspect, tagged_json, work};

const GROWTH: usize = 4;

/// How much faster than the packet the work may grow: a table of keys has a power of two of slots, and of two keys with
/// the same prefix the smaller is read again by each container with both, and each of these is twice as large.
const SLACK: f64 = 1.5;

/// Below this many steps per byte, constant work dominates.
const FEW_STEPS: f64 = 2.0;

/// Maximum steps per byte.
const STEPS_FOR_A_BYTE: f64 = 40.0;

/// Writes packets for one engine from encoded members, because a tree cannot have duplicate keys.
#[derive(Clone, Copy)]
struct Wire(Profile);

impl Wire {
    fn written(self, write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let encoder = Encoder::new().profile(self.0).objects(true);
        write(&mut encoder.writer(&mut bytes)).unwrap();
        bytes
    }

    fn leaf(self, leaf: &Variant) -> Vec<u8> {
        Encoder::new().profile(self.0).objects(true).encode(leaf).unwrap()
    }

    fn nil(self) -> Vec<u8> {
        self.leaf(&Variant::Nil)
    }

    fn int(self, value: usize) -> Vec<u8> {
        self.leaf(&i32::try_from(value).unwrap().into())
    }

    fn text(self, text: &str) -> Vec<u8> {
        self.leaf(&text.into())
    }

    /// A string that goes on after a NUL, which only a packet can have.
    fn text_with_nul(self, number: usize) -> Vec<u8> {
        let mut bytes = self.text(&format!("{number}#x"));
        let nul = bytes.iter().rposition(|byte| *byte == b'#').unwrap();
        bytes[nul] = 0;
        bytes
    }

    /// A `StringName`, or a `String` if the engine has no `StringName`.
    fn string_name(self, name: &str) -> Vec<u8> {
        let name = Variant::StringName(name.into());
        Encoder::new().profile(self.0).encode(&name).unwrap_or_else(|_| self.text(name.as_text().unwrap()))
    }

    /// An object by id, if the engine supports it.
    fn object_id(self) -> Vec<u8> {
        Encoder::new().profile(self.0).encode(&Object::Id(7).into()).unwrap_or_else(|_| self.leaf(&Object::Null.into()))
    }

    /// A `Callable`, which other engines cannot hold, if the engine supports it.
    fn callable(self) -> Vec<u8> {
        Encoder::new().profile(self.0).encode(&Variant::Callable).unwrap_or_else(|_| self.leaf(&Variant::RID(0)))
    }

    fn packed_bytes(self, bytes: Vec<u8>) -> Vec<u8> {
        self.leaf(&Variant::PackedByteArray(bytes.into()))
    }

    fn node_path(self, names: usize) -> Vec<u8> {
        self.leaf(&Variant::from(NodePath { names: vec!["n".into(); names], ..NodePath::default() }))
    }

    fn array(self, members: &[Vec<u8>]) -> Vec<u8> {
        [self.written(|writer| writer.begin_array(members.len(), None)), members.concat()].concat()
    }

    /// A typed array, or an untyped one if the engine has no typed arrays.
    fn typed_array(self, of: VariantType, members: &[Vec<u8>]) -> Vec<u8> {
        let of = ContainerType::Builtin(of);
        let mut head = Vec::new();
        let mut writer = Encoder::new().profile(self.0).writer(&mut head);
        let typed = writer.begin_array(members.len(), Some(&of)).is_ok();
        if !typed {
            head = Vec::new();
            let mut writer = Encoder::new().profile(self.0).writer(&mut head);
            if writer.begin_typed_array(VariantType::TypedArray, members.len(), Some(&of)).is_err() {
                return self.array(members);
            }
        }
        [head, members.concat()].concat()
    }

    fn dictionary(self, entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = self.written(|writer| writer.begin_dictionary(entries.len(), None, None));
        for (key, value) in entries {
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(value);
        }
        bytes
    }

    /// An object, or the same as a dictionary if the engine writes no objects.
    fn object(self, class: &str, properties: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let encoder = Encoder::new().profile(self.0).objects(true);
        if encoder.writer(&mut bytes).begin_object(class, properties.len()).is_err() {
            let entries: Vec<_> = properties.iter().map(|(name, value)| (self.text(name), value.clone())).collect();
            return self.dictionary(&entries);
        }
        for (name, value) in properties {
            encoder.writer(&mut bytes).property_name(name).unwrap();
            bytes.extend_from_slice(value);
        }
        bytes
    }

    /// A dictionary of `count` keys with null values.
    fn keys(self, count: usize, key: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
        self.dictionary(&(0..count).map(|index| (key(index), self.nil())).collect::<Vec<_>>())
    }

    /// The value in `levels` nested arrays of one member.
    fn in_arrays(self, levels: usize, value: &[u8]) -> Vec<u8> {
        [&self.written(|writer| writer.begin_array(1, None)).repeat(levels), value].concat()
    }

    /// The value as a key, next to another key.
    fn as_key(self, value: Vec<u8>) -> Vec<u8> {
        self.dictionary(&[(value, self.int(0)), (self.int(1), self.int(2))])
    }

    /// A dictionary of `count` keys `[index]`, `levels` deep in a key.
    fn keys_in_a_key(self, count: usize, levels: usize) -> Vec<u8> {
        self.as_key(self.in_arrays(levels, &self.keys(count, |index| self.array(&[self.int(index)]))))
    }

    /// The value as a key in nested keys, each next to another key.
    fn nested_keys(self, levels: usize, value: Vec<u8>, beside: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
        (0..levels).fold(value, |value, level| self.dictionary(&[(value, self.nil()), (beside(level), self.nil())]))
    }

    /// An invalid value inside `levels` containers, each without its last value.
    fn error_under(self, levels: usize, container: &[u8]) -> Vec<u8> {
        let beginning = &container[..container.len() - self.nil().len()];
        [&beginning.repeat(levels)[..], &[0xFF; 4]].concat()
    }
}

/// A packet whose size depends on the number.
type Shape = fn(Wire, usize) -> Vec<u8>;

/// Shapes, named after their cost.
const SHAPES: &[(&str, Shape)] = &[
    ("ints that rise", |w, n| w.keys(n, |index| w.int(index))),
    ("ints that rise, and one that falls", |w, n| w.keys(n, |index| w.int((index + 1) % n))),
    ("ints that fall", |w, n| w.keys(n, |index| w.int(n - index))),
    ("strings that differ at their end", |w, n| w.keys(n, |index| w.text(&format!("{}{index:08}", "k".repeat(100))))),
    ("one key again and again", |w, n| w.keys(n, |_| w.text("key"))),
    ("one deep key again and again", |w, n| w.keys(n / 100, |_| w.in_arrays(90, &w.int(1)))),
    ("one key of 103 levels again and again", |w, n| w.keys(n / 100, |_| w.in_arrays(103, &w.int(1)))),
    ("keys that differ below what is compared", |w, n| {
        let large = w.in_arrays(103, &w.array(&vec![w.int(1); n]));
        w.dictionary(
            &(0..n / 100)
                .map(|_| (w.in_arrays(103, &w.int(1)), w.int(1)))
                .chain([(large, w.int(2))])
                .collect::<Vec<_>>(),
        )
    }),
    ("a large key, and equal ones that differ below what is compared", |w, n| {
        let large = w.in_arrays(103, &w.array(&vec![w.int(1); n]));
        let small = (0..n / 100).map(|_| (w.in_arrays(103, &w.int(1)), w.int(1)));
        w.dictionary(&[(large, w.int(2))].into_iter().chain(small).collect::<Vec<_>>())
    }),
    ("many keys 1 level deep in a key", |w, n| w.keys_in_a_key(n, 1)),
    ("many keys 49 levels deep in a key", |w, n| w.keys_in_a_key(n, 49)),
    ("many keys 50 levels deep in a key", |w, n| w.keys_in_a_key(n, 50)),
    ("many keys 51 levels deep in a key", |w, n| w.keys_in_a_key(n, 51)),
    ("many keys 99 levels deep in a key", |w, n| w.keys_in_a_key(n, 99)),
    ("many keys 100 levels deep in a key", |w, n| w.keys_in_a_key(n, 100)),
    ("many keys 101 levels deep in a key", |w, n| w.keys_in_a_key(n, 101)),
    ("many keys 102 levels deep in a key", |w, n| w.keys_in_a_key(n, 102)),
    ("many keys 103 levels deep in a key", |w, n| w.keys_in_a_key(n, 103)),
    ("many keys 500 levels deep in a key", |w, n| w.keys_in_a_key(n, 500)),
    ("many keys 1000 levels deep in a key", |w, n| w.keys_in_a_key(n, 1000)),
    ("few keys many times, deep in a key", |w, n| {
        let few = w.keys(8, |index| w.array(&[w.int(index)]));
        w.as_key(w.in_arrays(120, &w.array(&vec![few; n / 8])))
    }),
    ("large keys of one hash deep in a key", |w, n| {
        w.as_key(w.in_arrays(120, &w.keys(8, |index| w.array(&[w.packed_bytes(vec![1; n]), w.int(index)]))))
    }),
    ("strings and names inside keys 60 levels deep in a key", |w, n| {
        let member = |index: usize, bit: usize| if index >> bit & 1 == 0 { w.text("") } else { w.string_name("") };
        let key = |index: usize| w.array(&(0..16).map(|bit| member(index, bit)).collect::<Vec<_>>());
        w.as_key(w.in_arrays(60, &w.keys(n / 16, key)))
    }),
    ("NaN inside keys 60 levels deep in a key", |w, n| {
        w.as_key(w.in_arrays(60, &w.keys(n, |_| w.array(&[w.leaf(&f64::NAN.into())]))))
    }),
    ("objects by one id inside keys 60 levels deep in a key", |w, n| {
        w.as_key(w.in_arrays(60, &w.keys(n, |_| w.array(&[w.object_id()]))))
    }),
    ("keys in keys, 50 levels around many ints", |w, n| {
        w.nested_keys(50, w.array(&vec![w.int(1); n]), |level| w.int(level))
    }),
    ("keys in keys, 400 levels around many ints", |w, n| {
        w.nested_keys(400, w.array(&vec![w.int(1); n]), |level| w.int(level))
    }),
    ("keys in keys, 1000 levels around many ints", |w, n| {
        w.nested_keys(1000, w.array(&vec![w.int(1); n]), |level| w.int(level))
    }),
    ("keys in keys, 400 levels, each beside another container", |w, n| {
        w.nested_keys(400, w.array(&vec![w.int(1); n]), |level| w.array(&[w.int(level)]))
    }),
    ("keys in keys, 1000 levels, each beside others", |w, n| {
        w.nested_keys(1000, w.nil(), |level| w.array(&vec![w.int(level); n / 500]))
    }),
    ("keys in keys, 1000 levels, each beside one that is equal at first", |w, n| {
        w.nested_keys(1000, w.array(&vec![w.int(1); n]), |_| {
            w.dictionary(&[(w.int(1), w.int(2)), (w.int(3), w.int(4))])
        })
    }),
    ("keys in keys, each next to one with the same 60 levels", |w, n| {
        (0..16).fold(w.nil(), |value, level| {
            let wide = w.array(&[vec![w.int(level); n / 16], vec![value]].concat());
            let [large, small] = [&wide, &w.int(level)].map(|value| w.in_arrays(60, value));
            w.dictionary(&[(large, w.nil()), (small, w.nil())])
        })
    }),
    ("pairs of pairs of keys with the same prefix, deep in a key", |w, n| {
        let pair = |first: &[u8], second: &[u8]| w.keys(2, |index| w.in_arrays(1, [first, second][index]));
        let leaves = [w.int(1), w.int(2), w.int(3)];
        let [key, ..] = (0..n.ilog2()).fold(leaves, |[a, b, c], _| [pair(&a, &b), pair(&a, &c), pair(&b, &c)]);
        w.as_key(w.in_arrays(110, &key))
    }),
    ("many keys with the same prefix, deep in a key", |w, n| {
        let like = |index| [vec![w.int(1); 200], vec![w.int(index)]].concat();
        w.as_key(w.in_arrays(110, &w.keys(n / 50, |index| w.array(&like(index)))))
    }),
    ("keys in keys of duplicate keys", |w, n| {
        let levels = n.ilog2();
        (0..levels).fold(w.int(1), |key, _| w.dictionary(&[(key.clone(), w.int(1)), (key, w.int(2))]))
    }),
    ("arrays of duplicate keys in keys", |w, n| {
        (0..n.ilog2() / 2).fold(w.int(1), |key, _| {
            let pair = w.array(&[key.clone(), key]);
            w.dictionary(&[(pair.clone(), w.int(1)), (pair, w.int(2))])
        })
    }),
    ("large packed arrays as keys", |w, n| {
        w.keys(8, |index| w.packed_bytes([vec![7; n], vec![u8::try_from(index).unwrap()]].concat()))
    }),
    ("large equal packed arrays as keys", |w, n| w.keys(8, |_| w.packed_bytes(vec![7; n]))),
    ("long texts as keys", |w, n| w.keys(8, |index| w.text(&format!("{}{index}", "k".repeat(n))))),
    ("paths of many names as keys", |w, n| w.keys(8, |index| w.node_path(n + index))),
    ("equal paths of many names as keys", |w, n| w.keys(8, |_| w.node_path(n))),
    ("a path of many names", |w, n| w.node_path(n)),
    ("an error at the end of a wide value", |w, n| w.array(&[vec![w.int(1); n], vec![vec![0xFF; 4]]].concat())),
    ("an error under 1000 long keys", |w, n| w.error_under(1000, &w.keys(1, |_| w.text(&"k".repeat(n / 100))))),
    ("an error under 1000 keys that are arrays", |w, n| {
        w.error_under(1000, &w.keys(1, |_| w.array(&vec![w.int(1); n / 500])))
    }),
    ("an error under 1000 properties of long names", |w, n| {
        w.error_under(1000, &w.object("C", &[("p".repeat(n / 100), w.nil())]))
    }),
    ("callables", |w, n| w.array(&vec![w.callable(); n])),
    ("callables 500 levels deep", |w, n| w.in_arrays(500, &w.array(&vec![w.callable(); n]))),
    ("callables under a long property", |w, n| w.object("C", &[("p".repeat(20 * n), w.array(&vec![w.callable(); n]))])),
    ("wide at each of 1000 levels", |w, n| {
        (0..1000).fold(w.nil(), |value, level| w.array(&[vec![w.int(level); n / 500], vec![value]].concat()))
    }),
    ("empty containers", |w, n| w.array(&vec![w.array(&[]); n])),
    ("empty dictionaries as keys", |w, n| w.keys(n, |_| w.dictionary(&[]))),
    ("members that are converted", |w, n| w.typed_array(VariantType::Float, &vec![w.int(1); n])),
    ("members that are left out", |w, n| w.typed_array(VariantType::Int, &vec![w.text("a"); n])),
    ("members that become text", |w, n| {
        w.typed_array(VariantType::PackedStringArray, &vec![w.array(&[w.int(1), w.text("\"")]); n])
    }),
    ("text that is quoted again and again", |w, n| {
        (0..20).fold(w.array(&[w.text(&"\"".repeat(20 * n))]), |value, _| {
            w.array(&[w.typed_array(VariantType::PackedStringArray, &[value])])
        })
    }),
    ("members that become text inside others that become numbers, 250 levels", |w, n| {
        (0..250).fold(w.array(&[w.array(&vec![w.nil(); n])]), |value, _| {
            let text = w.typed_array(VariantType::PackedStringArray, &[value]);
            w.array(&[w.typed_array(VariantType::PackedInt32Array, &[w.array(&[text])])])
        })
    }),
    ("deep members that become text", |w, n| {
        let deep = w.in_arrays(120, &w.array(&vec![w.int(1); n]));
        w.typed_array(VariantType::PackedStringArray, &[w.array(&[w.dictionary(&[(w.int(1), deep)])])])
    }),
    ("long text in each member that becomes text", |w, n| {
        w.typed_array(VariantType::PackedStringArray, &vec![w.array(&[w.array(&[w.text(&"\\".repeat(100))])]); n / 100])
    }),
    ("typed containers in a key", |w, n| w.as_key(w.array(&vec![w.typed_array(VariantType::Float, &[w.int(1)]); n]))),
    ("a typed container deep in a key", |w, n| {
        w.as_key(w.in_arrays(110, &w.keys(n, |index| w.typed_array(VariantType::Float, &[w.int(index)]))))
    }),
    ("duplicate keys at each of 1000 levels", |w, n| {
        (0..1000).fold(w.array(&vec![w.int(1); n]), |value, _| w.dictionary(&[(w.int(1), w.nil()), (w.int(1), value)]))
    }),
    ("conversions at each of 1000 levels", |w, n| {
        let one = || w.typed_array(VariantType::Float, &[w.int(1)]);
        (0..1000).fold(w.array(&vec![w.int(1); n]), |value, _| w.array(&[one(), value]))
    }),
    ("an object of many properties", |w, n| {
        w.object("C", &(0..n).map(|index| (format!("p{index}"), w.int(index))).collect::<Vec<_>>())
    }),
    ("an object of one property many times", |w, n| w.object("C", &vec![("p".repeat(100), w.int(1)); n])),
    ("objects of a long class", |w, n| w.object(&"C".repeat(n), &vec![("script".to_owned(), w.nil()); n])),
    ("objects in keys", |w, n| w.keys(n, |_| w.object("C", &[("p".to_owned(), w.int(1))]))),
    ("strings with a NUL each", |w, n| w.keys(n, |index| w.text_with_nul(index))),
];

/// Returns the decoder for shapes.
fn decoder(profile: Profile) -> Decoder {
    Decoder::new().profile(profile).objects(true)
}

fn decoded(profile: Profile, packet: &[u8]) -> Variant {
    decoder(profile).decode_prefix(packet).map(|decoded| decoded.value).unwrap_or_default()
}

#[test]
fn the_fast_path_reads_common_values_unless_it_is_turned_off() {
    let bytes = varbytes::encode(&Variant::from(vec![1.into(), "a".into(), Variant::from(2.5)])).unwrap();
    let fast_values = |decoder: Decoder| work::fast_values_of(|| decoder.decode(&bytes).unwrap()).0;
    assert_eq!(fast_values(Decoder::new()), 3);
    assert_eq!(fast_values(Decoder::new().slow_path_only(true)), 0);
    assert_eq!(fast_values(Decoder::new().strict(true)), 0);
}

/// Duplicate keys make tagged JSON be built from a tree. Encoding that tree and reading it again would drop the mark.
#[test]
fn a_value_built_from_a_tree_keeps_text_that_begins_with_a_byte_order_mark() {
    let entry = [&[2, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0], "\u{FEFF}\u{FEFF}a\0".as_bytes()].concat();
    let packet = [&[27, 0, 0, 0, 2, 0, 0, 0], &entry[..], &entry[..]].concat();
    let tree = varbytes::decode(&packet).unwrap();
    assert_eq!(tagged_json::decode(&Decoder::new(), &packet).unwrap().value, tagged_json::to_string(&tree));
}

fn strict(profile: Profile) -> Decoder {
    decoder(profile).strict(true)
}

/// Counts the steps of an entry point. The size of the result counts as input.
type Entry = (&'static str, fn(Profile, &[u8]) -> (u64, usize));

fn steps<T>(work: impl FnOnce() -> T, size: impl FnOnce(&T) -> usize) -> (u64, usize) {
    let (steps, result) = work::of(work);
    (steps, size(&result))
}

/// Entry points for the packets of every engine.
const ENTRIES: &[Entry] = &[
    ("decode", |profile, packet| steps(|| decoder(profile).decode_prefix(packet), |_| 0)),
    ("decode_borrowed", |profile, packet| steps(|| decoder(profile).decode_borrowed_prefix(packet), |_| 0)),
    ("check", |profile, packet| steps(|| decoder(profile).check(packet), |_| 0)),
    ("strict", |profile, packet| steps(|| strict(profile).decode_prefix(packet), |_| 0)),
    ("strict decode_borrowed", |profile, packet| steps(|| strict(profile).decode_borrowed_prefix(packet), |_| 0)),
    ("strict check", |profile, packet| steps(|| strict(profile).check(packet), |_| 0)),
    ("check in two passes", |profile, packet| {
        steps(|| strict(profile).decode_with(packet, &mut Validator::new(())), |_| 0)
    }),
    ("inspect", |profile, packet| steps(|| inspect(&decoder(profile), packet), String::len)),
    ("strict inspect", |profile, packet| steps(|| inspect(&strict(profile), packet), String::len)),
    ("tagged_json::decode", |profile, packet| {
        steps(
            || tagged_json::decode(&decoder(profile), packet),
            |json| json.as_ref().map_or(0, |json| json.value.len()),
        )
    }),
    ("convert to godot-4.6", |profile, packet| convert(profile, packet, Profile::GODOT_4_6)),
];

/// Entry points for a tree or its text, which do not depend on the engine that the packet is for, and conversions to others.
const FOR_THE_NEWEST: &[Entry] = &[
    ("tagged_json::to_string", |profile, packet| {
        let value = decoded(profile, packet);
        steps(|| tagged_json::to_string(&value), String::len)
    }),
    ("tagged_json::from_str", |profile, packet| {
        let text = tagged_json::decode(&decoder(profile), packet).map(|json| json.value).unwrap_or_default();
        steps(|| tagged_json::from_str(&text), |_| text.len())
    }),
    ("tagged_json::from_str, cut off", |profile, packet| {
        let text = tagged_json::decode(&decoder(profile), packet).map(|json| json.value).unwrap_or_default();
        let text = text.trim_end_matches(['}', ']']);
        steps(|| tagged_json::from_str(text), |_| text.len())
    }),
    ("encode", |profile, packet| {
        let value = decoded(profile, packet);
        steps(|| Encoder::new().encode(&value), |_| 0)
    }),
    ("clone", |profile, packet| {
        let value = decoded(profile, packet);
        steps(|| value.clone(), |_| 0)
    }),
    ("to_variant", |profile, packet| {
        let value = decoder(profile).decode_borrowed_prefix(packet).map(|decoded| decoded.value).unwrap_or_default();
        steps(|| value.to_variant(), |_| 0)
    }),
    ("convert to godot-3.5", |profile, packet| convert(profile, packet, Profile::GODOT_3_5)),
    ("convert to godot-2.1", |profile, packet| convert(profile, packet, Profile::from_name("godot-2.1").unwrap())),
    ("convert to pandemonium-5", |profile, packet| convert(profile, packet, Profile::PANDEMONIUM_5)),
];

fn convert(from: Profile, packet: &[u8], to: Profile) -> (u64, usize) {
    let migration = Migration::new(from, to).objects(true);
    steps(|| migration.migrate_bytes(packet), |_| 0)
}

/// Returns the shapes with too much work per byte, or too fast growth, one per line.
fn too_slow(entries: &[&[Entry]], profile: Profile, size: usize) -> String {
    let mut slow = String::new();
    for (name, shape) in SHAPES {
        let [small, large] = [size, GROWTH * size].map(|size| shape(Wire(profile), size));
        for (entry, steps) in entries.iter().copied().flatten() {
            let cost = |packet: &[u8]| {
                let (steps, written) = steps(profile, packet);
                (steps as f64, (packet.len() + written) as f64)
            };
            let ((small_steps, small_size), (large_steps, large_size)) = (cost(&small), cost(&large));
            let growth_of_size = (large_size / small_size).max(large.len() as f64 / small.len() as f64);
            let growth = large_steps / small_steps.max(1.0) / growth_of_size;
            let for_a_byte = large_steps / large_size;
            if growth > SLACK && for_a_byte > FEW_STEPS || for_a_byte > STEPS_FOR_A_BYTE {
                let _ = writeln!(slow, "{name}: {entry}: grows {growth:.2} times as fast, {for_a_byte:.1} per byte");
            }
        }
    }
    slow
}

fn assert_linear(profile: &str, entries: &[&[Entry]], size: usize) {
    let too_slow = too_slow(entries, Profile::from_name(profile).unwrap(), size);
    assert!(too_slow.is_empty(), "{profile}, {} shapes:\n{too_slow}", too_slow.lines().count());
}

#[test]
fn work_follows_the_length_of_every_shape() {
    assert_linear("godot-4.6", &[ENTRIES, FOR_THE_NEWEST], 400);
}

#[test]
fn work_follows_the_length_of_every_shape_in_godot_3() {
    assert_linear("godot-3.5", &[ENTRIES], 250);
}

#[test]
fn work_follows_the_length_of_every_shape_in_godot_2() {
    assert_linear("godot-2.1", &[ENTRIES], 250);
}

#[test]
fn work_follows_the_length_of_every_shape_in_pandemonium() {
    assert_linear("pandemonium-5", &[ENTRIES], 250);
}
