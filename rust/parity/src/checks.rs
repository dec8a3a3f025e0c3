//! The checks for a value and for a packet.

use std::sync::{Mutex, PoisonError};

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{Engine, Object};
use godot::prelude::*;

use crate::calls::{Side, var_bytes};
use crate::compare::{agrees, same};
use crate::report::{Report, hexadecimal};

/// Checks that both sides write the same bytes for a value and read the same value back.
pub(crate) fn check_value(report: &mut Report, value: &Variant, objects: bool, name: &str) {
    let expected = Side::BuiltIn.write(value, objects);
    let found = Side::VarBytes.write(value, objects);
    report.check(!expected.is_empty() && found == expected, || {
        format!("{name}, bytes: found {}, expected {}", hexadecimal(found.as_slice()), hexadecimal(expected.as_slice()))
    });
    check_packet(report, expected.as_slice(), objects, name);
}

/// Checks that both sides refuse a packet, or read the same value from it and write the same bytes for that value.
pub(crate) fn check_packet(report: &mut Report, bytes: &[u8], objects: bool, name: &str) {
    let packed = PackedByteArray::from(bytes);
    let expected = Side::BuiltIn.read(&packed, objects);
    let found = Side::VarBytes.read(&packed, objects);
    let accepted = Side::BuiltIn.accepts(bytes, objects, &expected);
    let found_accepted = Side::VarBytes.accepts(bytes, objects, &found);
    report.check(found_accepted == accepted, || {
        let packet = hexadecimal(bytes);
        format!("{name}: accepted by the engine: {accepted}, by VarBytes: {found_accepted}, packet {packet}")
    });
    let written = Side::BuiltIn.write(&expected, objects);
    // The bindings report a null object as null. Their bytes differ.
    let is_same = |value: &Variant| same(value, &expected) && Side::BuiltIn.write(value, objects) == written;
    report.check(is_same(&found) || is_unsteady(&packed, objects, is_same), || {
        format!("{name}, value: found {found}, expected {expected}, packet {}", hexadecimal(bytes))
    });
    let rewritten = Side::VarBytes.write(&expected, objects);
    report.check(rewritten == written, || {
        format!(
            "{name}, bytes of the value that was read: found {}, expected {}",
            hexadecimal(rewritten.as_slice()),
            hexadecimal(written.as_slice())
        )
    });
    if !objects {
        check_result(report, &packed, accepted, &expected, name);
    }
}

/// Returns whether the engine itself reads another value from the packet each time. This happens if the value contains the id
/// of a new object: in a property that is set to another object, and in the text of an object in a container of strings.
pub(crate) fn is_unsteady(packet: &PackedByteArray, objects: bool, is_expected: impl Fn(&Variant) -> bool) -> bool {
    !is_expected(&Side::BuiltIn.read(packet, objects))
}

/// Locked while a result exists. The editor records objects of reloadable classes without a lock and crashes if two threads
/// create one (Godot 4.6.3, with any extension that is `reloadable`).
static RESULTS: Mutex<()> = Mutex::new(());

/// Checks `VarBytes.decode`, which returns more than the built-in functions do.
fn check_result(report: &mut Report, bytes: &PackedByteArray, accepted: bool, expected: &Variant, name: &str) {
    let in_editor = Engine::singleton().is_editor_hint();
    let _alone = in_editor.then(|| RESULTS.lock().unwrap_or_else(PoisonError::into_inner));
    let result: Gd<Object> = var_bytes("decode", &[bytes.to_variant()]).to();
    let ok = result.get("ok").to::<bool>();
    if is_refused_by_design(&result, bytes) {
        return;
    }
    report.check(ok == accepted, || format!("{name}, decode: ok is {ok}, packet {}", hexadecimal(bytes.as_slice())));
    let is_same = |value: &Variant| agrees(value, expected, bytes.as_slice(), false);
    report.check(is_same(&result.get("value")) || is_unsteady(bytes, false, is_same), || {
        format!("{name}, decode: the value is {}, packet {}", result.get("value"), hexadecimal(bytes.as_slice()))
    });
    if ok {
        let size = bytes.to_variant().call("decode_var_size", &[0.to_variant()]).to::<i64>();
        let used = result.get("bytes_used").to::<i64>();
        report.check(used == size, || format!("{name}, decode: {used} bytes used, by the engine {size}"));
    }
}

/// Returns whether `decode` refuses by design a packet that the engine reads. There are two such cases: a key nested deeper
/// than the engine compares without printing errors, and a member whose conversion only the engine knows, such as an object
/// converted to text.
fn is_refused_by_design(result: &Gd<Object>, bytes: &PackedByteArray) -> bool {
    const DEEPEST: usize = 50;
    const LEAST_LEVEL: usize = 8;
    let fault = result.get("fault").to::<GString>();
    let is_deep = || result.get("message").to::<GString>().to_string().contains("deeper than 50 levels");
    fault == "unsupported_conversion" || fault == "depth_limit" && bytes.len() > LEAST_LEVEL * DEEPEST && is_deep()
}
