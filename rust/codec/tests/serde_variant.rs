//! `Variant` through serde, and values that engines wrote through typed structs.
#![cfg(feature = "serde")]

use serde::{Deserialize, Serialize};
use varbytes::{Decoder, Encoder, Profile, Variant};

/// Returns the packets that an engine wrote: the files of `conformance/vectors`.
fn vectors(engine: &str) -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors").join(engine);
    let mut found = Vec::new();
    collect(&folder.join("canonical"), &mut found);
    assert!(found.len() > 300, "{engine}: only {} vectors", found.len());
    found
}

fn collect(folder: &std::path::Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Holder {
    before: i32,
    value: Variant,
    list: Vec<Variant>,
}
