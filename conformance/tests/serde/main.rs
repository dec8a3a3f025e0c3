//! A running engine reads every shape of Rust types as the value that it should be, and writes it back.
//!
//! A missing engine is reported; `cargo conformance --require-engine` fetches it.

mod containers;
mod enums;
mod math;
mod objects;
mod values;

use std::fmt::Debug;
use std::fs;
use std::io::Write;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::record::{Framing, RecordReader};
use varbytes::{Decoder, Encoder};
use varbytes_conformance::engine::locate;
use varbytes_conformance::reference::{Reference, Running};

/// Where the shapes go, or where they come from.
enum Pass<'p> {
    Write(Vec<u8>),
    Read { returned: Box<Records<'p>>, written: Box<Records<'p>> },
}

type Records<'p> = RecordReader<&'p [u8]>;

#[expect(clippy::needless_pass_by_value, reason = "shorter where the shapes are")]
impl<'p> Pass<'p> {
    fn read(returned: &'p [u8], written: &'p [u8]) -> Self {
        let [returned, written] = [returned, written].map(|file| RecordReader::new(file, Framing::new(1 << 20)).into());
        Self::Read { returned, written }
    }

    /// A value that the engine writes back with the same bytes.
    #[track_caller]
    fn shape<T: Serialize + DeserializeOwned + PartialEq + Debug>(&mut self, value: T) {
        self.record(&encoder(), &value, true, |bytes| assert_eq!(read::<T>(bytes), value));
    }

    /// A value with `StringName` keys.
    #[track_caller]
    fn shape_with_names<T: Serialize + DeserializeOwned + PartialEq + Debug>(&mut self, value: T) {
        let encoder = encoder().names_as_string_names(true);
        self.record(&encoder, &value, true, |bytes| assert_eq!(read::<T>(bytes), value));
    }

    /// A value in double precision, which the engine writes back in single precision.
    #[track_caller]
    fn shape_in_double_precision<T: Serialize + DeserializeOwned + PartialEq + Debug>(&mut self, value: T) {
        self.record(&encoder(), &value, false, |bytes| assert_eq!(read::<T>(bytes), value));
    }

    #[track_caller]
    fn record<T: Serialize>(&mut self, encoder: &Encoder, value: &T, same_bytes: bool, check: impl FnOnce(&[u8])) {
        match self {
            Self::Write(file) => encoder.serialize_record(file, value).unwrap(),
            Self::Read { returned, written } => {
                let returned = returned.read_bytes().unwrap().unwrap();
                check(returned);
                let written = written.read_bytes().unwrap().unwrap();
                assert!(!same_bytes || returned == written, "{returned:?}\nwas {written:?}");
            }
        }
    }
}

fn encoder() -> Encoder {
    Encoder::new().objects(true)
}

#[track_caller]
fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> T {
    Decoder::new().objects(true).deserialize(bytes).unwrap()
}

/// Every shape, in the order of `serde_shapes.gd`.
fn shapes(pass: &mut Pass<'_>) {
    values::shapes(pass);
    enums::shapes(pass);
    containers::shapes(pass);
    math::shapes(pass);
    objects::shapes(pass);
}

#[test]
fn the_engine_reads_rust_types_as_its_own_values_and_writes_them_back() {
    let engine = locate(Reference::GODOT_4.package).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: Rust types are read by Godot {}\n", engine.version),
        None => "NOTICE: Godot 4 was not found; Rust types are read by no engine\n".to_owned(),
    };
    // Directly on standard error, because the test harness hides the output of passing tests.
    let _ = std::io::stderr().write_all(notice.as_bytes());
    let mut pass = Pass::Write(Vec::new());
    shapes(&mut pass);
    let Pass::Write(written) = pass else { unreachable!() };
    shapes(&mut Pass::read(&written, &written));
    let Some(engine) = engine else { return };

    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("from-rust"), folder.path().join("from-engine"));
    fs::write(&input, &written).unwrap();
    let arguments = vec!["--input".into(), input.into(), "--output".into(), output.clone().into()];
    let engine = Running::new(Reference::GODOT_4, engine).unwrap();
    engine.run("serde_shapes.gd", arguments, &mut |_| ()).and_then(|output| output.completion()).unwrap();
    let returned = fs::read(output).unwrap();
    shapes(&mut Pass::read(&returned, &written));
}
