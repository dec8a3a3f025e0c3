//! Numbers, text, bytes, options and structs.

use std::net::Ipv4Addr;
use std::num::NonZeroU8;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use varbytes::VariantType;
use varbytes::typed::Member;

use crate::{Pass, encoder, read};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub struct Item {
    pub name: String,
    pub count: u8,
}

impl Item {
    pub fn axe() -> Self {
        Self { name: "axe".into(), count: 1 }
    }
}

impl Member for Item {
    const TYPE: VariantType = VariantType::Dictionary;
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Empty {}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Unit;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Newtype(i32);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Pair(i32, String);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Ints(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

/// A float that equals one with the same bits.
#[derive(Serialize, Deserialize, Debug)]
struct Bits(f64);

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Options {
    some: Option<i32>,
    none: Option<i32>,
    unit: (),
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<i32>,
    inner: Option<Item>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct Renamed {
    max_health: u16,
    #[serde(rename = "größe 😀")]
    size: f32,
    #[serde(rename = "")]
    nameless: bool,
    #[serde(skip)]
    skipped: u8,
    #[serde(rename = "a name that is longer than the sixteen bytes of two words")]
    long: Vec<u8>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flattened {
    id: i64,
    #[serde(flatten)]
    item: Item,
    #[serde(flatten)]
    floats: Floats,
    #[serde(flatten)]
    others: std::collections::BTreeMap<String, Vec<Option<i32>>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Floats {
    single: f32,
    double: f64,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Bytes {
    #[serde(with = "serde_bytes")]
    field: Vec<u8>,
    #[serde(with = "serde_bytes")]
    array: [u8; 3],
    empty: ByteBuf,
    sequence: Vec<u8>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Borrowed<'b> {
    text: &'b str,
    #[serde(with = "serde_bytes")]
    bytes: &'b [u8],
    #[serde(borrow)]
    option: Option<&'b str>,
}

pub fn shapes(pass: &mut Pass<'_>) {
    pass.shape(Ints(-1, i16::MIN, i32::MIN, i64::MIN, -7, u8::MAX, u16::MAX, u32::MAX, i64::MAX as u64, 1 << 20));
    pass.shape((i64::from(i32::MAX) + 1, i64::from(i32::MIN) - 1));
    pass.shape((0.1f32, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, f32::NEG_INFINITY));
    pass.shape((0.1, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, 16_777_217.0, 0.5));
    pass.shape([Bits(f64::NAN), Bits(-0.0)]);
    pass.shape(true);
    pass.shape("é😀".to_owned());
    pass.shape(('x', '😀', String::new()));
    pass.shape(());
    pass.shape(Unit);
    pass.shape(Newtype(7));
    pass.shape(Pair(7, "x".into()));
    pass.shape((7, "x".to_owned()));
    pass.shape(None::<i32>);
    pass.shape(Some(7));
    pass.shape(Options { some: Some(7), none: None, unit: (), left_out: None, inner: Some(Item::axe()) });
    pass.shape(Item::axe());
    pass.shape(Empty {});
    pass.shape(Renamed { max_health: 100, size: 1.5, nameless: true, skipped: 0, long: vec![1] });
    let others = [("more".to_owned(), vec![Some(1), None])].into();
    pass.shape(Flattened { id: 1 << 40, item: Item::axe(), floats: Floats { single: 0.5, double: 0.1 }, others });
    pass.shape(Bytes { field: vec![1, 2, 255], array: [7, 8, 9], empty: ByteBuf::new(), sequence: vec![1, 2] });
    let borrowed = Borrowed { text: "é", bytes: &[1, 2, 3, 4, 5], option: Some("a text in place") };
    pass.record(&encoder(), &borrowed, true, |bytes| assert_eq!(read::<Borrowed<'_>>(bytes), borrowed));
    pass.shape((Duration::new(7, 5), Ipv4Addr::LOCALHOST, NonZeroU8::MAX, 1..3, Box::<str>::from("boxed")));
}
