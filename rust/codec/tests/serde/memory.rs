//! The memory that reading Rust types takes.

use allocation_counter::measure;
use serde::Deserialize;
use varbytes::variant::{Dictionary, NodePath};
use varbytes::{Variant, from_bytes};

fn dictionary<const N: usize>(entries: [(&str, Variant); N]) -> Variant {
    entries.into_iter().collect::<Dictionary>().into()
}

#[derive(Deserialize)]
struct Only<'a> {
    name: &'a str,
}

#[test]
fn what_is_not_read_takes_no_memory() {
    let unread = dictionary([
        ("a", vec![Variant::from("text that is longer than inline storage"), dictionary([("k", 1.into())])].into()),
        ("b", vec!["x".to_owned(), "y".to_owned()].into()),
        ("c", vec![0.5f32; 100].into()),
        ("d", NodePath { absolute: true, names: vec!["a".into(), "b".into()], ..Default::default() }.into()),
    ]);
    let bytes = varbytes::encode(&dictionary([("unread", unread), ("name", "Ada".into())])).unwrap();
    let taken = measure(|| assert_eq!(from_bytes::<Only>(&bytes).unwrap().name, "Ada"));
    assert_eq!(taken.count_total, 0);
}

#[derive(Deserialize)]
struct Squad<'a> {
    name: &'a str,
    icon: &'a [u8],
    order: Order<'a>,
    #[serde(borrow)]
    tags: Vec<&'a str>,
    #[serde(borrow)]
    soldiers: Vec<Soldier<'a>>,
}

#[derive(Deserialize)]
enum Order<'a> {
    Wait,
    #[serde(borrow)]
    Say(&'a str),
}

#[derive(Deserialize)]
struct Soldier<'a> {
    name: &'a str,
    rank: Option<&'a str>,
    position: [f32; 3],
    ammunition: Vec<u16>,
}

#[test]
fn borrowed_structs_allocate_nothing_but_their_vecs() {
    let soldier = |name: &str, rank: Variant, ammunition: Vec<Variant>| {
        let position = vec![Variant::from(0.5), 1.into(), 0.1.into()];
        dictionary([
            // In another order than in the type, and with a key that the type does not have.
            ("rank", rank),
            ("name", name.into()),
            ("unknown", vec![Variant::Nil].into()),
            ("position", position.into()),
            ("ammunition", ammunition.into()),
        ])
    };
    let soldiers = vec![
        soldier("Ada", "captain, and older than the others".into(), vec![1.into(), 2.into(), 7.into()]),
        soldier("Grüße", Variant::Nil, vec![]),
    ];
    let bytes = varbytes::encode(&dictionary([
        ("name", "the squad of the lighthouse".into()),
        ("icon", Variant::PackedByteArray(vec![1, 2, 3].into())),
        ("order", dictionary([("Say", "stay where you are".into())])),
        ("tags", vec!["a".to_owned(), "b".to_owned()].into()),
        ("soldiers", soldiers.into()),
    ]))
    .unwrap();
    let mut read = None;
    let taken = measure(|| read = Some(from_bytes::<Squad>(&bytes).unwrap()));
    let squad = read.unwrap();
    assert_eq!((squad.name, squad.icon), ("the squad of the lighthouse", &[1, 2, 3][..]));
    assert!(matches!(squad.order, Order::Say("stay where you are")));
    let [ada, other] = &squad.soldiers[..] else { panic!("there are two soldiers") };
    assert_eq!((ada.name, ada.rank), ("Ada", Some("captain, and older than the others")));
    assert_eq!((other.name, other.rank, other.position), ("Grüße", None, [0.5, 1.0, 0.1]));
    let vecs = size_of_val(&squad.tags[..]) + size_of_val(&squad.soldiers[..]) + size_of_val(&ada.ammunition[..]);
    assert_eq!((taken.count_total, taken.bytes_total), (3, vecs as u64));
}
