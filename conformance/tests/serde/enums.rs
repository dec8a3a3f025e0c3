//! The four representations of enums, with each kind of variant.

use serde::{Deserialize, Serialize};

use crate::Pass;
use crate::values::Item;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum External {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct {
        a: i32,
    },
    #[serde(rename = "übrig")]
    Renamed(Option<Box<External>>),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Newtype(Item),
    Struct { a: i32, b: Option<f64> },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Unit,
    Number(i32),
    Text(String),
    Tuple(i32, bool),
    Struct { a: i32 },
    Nested(Vec<Untagged>),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Fields {
    external: Vec<External>,
    internal: Internal,
    adjacent: Adjacent,
    untagged: Untagged,
    result: Result<i32, String>,
}

pub fn shapes(pass: &mut Pass<'_>) {
    pass.shape(External::Unit);
    pass.shape(External::Newtype(7));
    pass.shape(External::Tuple(7, true));
    pass.shape(External::Struct { a: 7 });
    pass.shape(External::Renamed(None));
    pass.shape(External::Renamed(Some(External::Unit.into())));
    pass.shape(Internal::Unit);
    pass.shape(Internal::Newtype(Item::axe()));
    pass.shape(Internal::Struct { a: 7, b: Some(0.1) });
    pass.shape(Adjacent::Unit);
    pass.shape(Adjacent::Newtype(7));
    pass.shape(Adjacent::Tuple(7, true));
    pass.shape(Adjacent::Struct { a: 7 });
    pass.shape(Untagged::Unit);
    pass.shape(Untagged::Number(7));
    pass.shape(Untagged::Text("text".into()));
    pass.shape(Untagged::Tuple(7, true));
    pass.shape(Untagged::Struct { a: 7 });
    pass.shape(Untagged::Nested(vec![Untagged::Unit, Untagged::Number(7)]));
    pass.shape(Fields {
        external: vec![External::Unit, External::Tuple(7, true)],
        internal: Internal::Struct { a: 7, b: None },
        adjacent: Adjacent::Unit,
        untagged: Untagged::Text("text".into()),
        result: Err("none".into()),
    });
}
