//! Records the results of the addon for many packets, to compare a run with the fast path and a run without it.

use std::fmt::Write as _;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write};

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{ClassDb, Object};
use godot::obj::Singleton;
use godot::prelude::*;
use varbytes_conformance::damage::Packet;

use crate::calls::{Side, var_bytes};
use crate::fuzzed::Addon;

/// Writes a line for each packet and each way to read it, with value, bytes used and error. Returns the number of lines.
///
/// # Errors
/// Returns an error if the addon is not loaded or the file cannot be written.
pub(crate) fn record(addon: &Addon, packets: &[Packet], path: &str) -> Result<u64, String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let mut lines = 0;
    let strict = ClassDb::singleton().instantiate("VarBytesOptions");
    let mut options = strict.try_to::<Gd<Object>>().map_err(|_| "the addon is not loaded".to_owned())?;
    options.set("strict", &true.to_variant());
    for (index, packet) in packets.iter().enumerate() {
        let bytes = PackedByteArray::from(packet.bytes.as_slice()).to_variant();
        let mut results = vec![
            ("decode", decoded(&bytes, &Variant::nil())),
            ("strict", decoded(&bytes, &strict)),
            ("bytes_to_var", built_in(&packet.bytes, false)),
        ];
        if packet.objects {
            results.push(("objects", decoded(&bytes, &addon.policy())));
        }
        for (way, result) in results {
            writeln!(file, "packet {index}, {way}: {result}").map_err(failed)?;
            lines += 1;
        }
    }
    file.flush().map_err(failed)?;
    Ok(lines)
}

/// Everything that `VarBytes.decode` returns.
fn decoded(bytes: &Variant, options: &Variant) -> String {
    let decode = || var_bytes("decode", &[bytes.clone(), options.clone()]).to::<Gd<Object>>();
    let result = decode();
    let mut text = String::new();
    for property in ["ok", "bytes_used", "error", "fault", "offset", "path", "message"] {
        let _ = write!(text, "{property} {:?}, ", result.get(property).to_string());
    }
    text + &shown(&result.get("value"), || decode().get("value"))
}

/// The value that the replacement of the built-in function returns.
fn built_in(bytes: &[u8], objects: bool) -> String {
    let bytes = PackedByteArray::from(bytes);
    let read = || Side::VarBytes.read(&bytes, objects);
    shown(&read(), read)
}

/// The bytes of a value, or their hash. A value with the id of a new object differs each time it is read.
fn shown(value: &Variant, again: impl FnOnce() -> Variant) -> String {
    const SHOWN: usize = 64;
    let bytes = |value: &Variant| Side::BuiltIn.write(value, true);
    let found = bytes(value);
    if found != bytes(&again()) {
        return "value that differs each time".to_owned();
    }
    if found.len() <= SHOWN {
        return format!("value {:02x?}", found.as_slice());
    }
    let mut hasher = DefaultHasher::new();
    found.as_slice().hash(&mut hasher);
    format!("value of {} bytes with hash {:016x}", found.len(), hasher.finish())
}
