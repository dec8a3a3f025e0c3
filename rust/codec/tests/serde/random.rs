//! Random values of derived types return to themselves.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use serde::{Deserialize, Serialize};
use varbytes::{Decoder, Encoder, Profile};

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
struct Everything {
    numbers: (i8, u8, i16, u16, i32, u32, i64),
    unsigned: u32,
    truth: bool,
    letter: char,
    text: Text,
    option: Option<Option<i32>>,
    list: Vec<Choice>,
    map: BTreeMap<Key, Vec<Text>>,
    tuples: Vec<(i32, Text, ())>,
    array: [i16; 3],
    nested: Option<Box<Everything>>,
    tagged: Tagged,
    #[serde(with = "varbytes::packed")]
    packed: Vec<i32>,
    #[serde(with = "varbytes::packed")]
    texts: Vec<String>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    flat_number: i64,
    flat_list: Vec<i32>,
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
enum Choice {
    Unit,
    Newtype(Text),
    Tuple(i64, bool),
    Struct { a: Option<u16>, b: Vec<Choice> },
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    None,
    Some { value: i32, text: Text },
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Number(i32),
    Text(Text),
    Pair(u8, bool),
}

/// Text that Godot keeps: without NUL, and without a byte order mark at the start.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Text(String);

fn kept(text: &str) -> String {
    text.replace(['\0', '\u{feff}'], "?")
}

impl<'a> Arbitrary<'a> for Text {
    fn arbitrary(unstructured: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(kept(<&str>::arbitrary(unstructured)?)))
    }
}

#[test]
fn random_values_return_to_themselves() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let mut longest = 0;
    for round in 0..400 {
        let seed: Vec<u8> = (0..16 + round * 4).flat_map(|_| next()).collect();
        let mut value = Everything::arbitrary(&mut Unstructured::new(&seed)).unwrap();
        value.texts.iter_mut().for_each(|text| *text = kept(text));
        // An inner `None` and an outer one are the same null.
        let mut inner = Some(&mut value);
        while let Some(current) = inner {
            if current.option == Some(None) {
                current.option = None;
            }
            if current.letter == '\0' || current.letter == '\u{feff}' {
                current.letter = 'x';
            }
            current.texts.iter_mut().for_each(|text| *text = kept(text));
            inner = current.nested.as_deref_mut();
        }
        for profile in [Profile::GODOT_4_6, Profile::GODOT_4_2, Profile::GODOT_3_5] {
            let bytes = Encoder::new().profile(profile).serialize(&value).unwrap();
            longest = longest.max(bytes.len());
            let decoder = Decoder::untrusted(&bytes).profile(profile).strict(true);
            assert_eq!(decoder.deserialize::<Everything>(&bytes).unwrap(), value);
            assert_eq!(
                Decoder::new().profile(profile).slow_path_only(true).deserialize::<Everything>(&bytes).unwrap(),
                value
            );
            let tree = decoder.decode(&bytes).unwrap();
            assert_eq!(Encoder::new().profile(profile).encode(&tree).unwrap(), bytes);
        }
        let variant = varbytes::to_variant(&value).unwrap();
        assert_eq!(varbytes::from_variant::<Everything>(&variant).unwrap(), value);
    }
    assert!(longest > 2000, "the longest value took {longest} bytes");
}
