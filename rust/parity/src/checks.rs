//! What is asked of a value, and of a packet.

use std::sync::{Mutex, PoisonError};

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{Engine, Object};
use godot::prelude::*;

use crate::calls::{Side, var_bytes};
use crate::compare::{same, well_typed};
use crate::report::{Report, hexadecimal};

/// A value: the same bytes, and the same value back.
pub(crate) fn check_value(report: &mut Report, value: &Variant, objects: bool, name: &str) {
    let expected = Side::BuiltIn.write(value, objects);
    let found = Side::VarBytes.write(value, objects);
    report.check(!expected.is_empty() && found == expected, || {
        format!("{name}, bytes: found {}, expected {}", hexadecimal(found.as_slice()), hexadecimal(expected.as_slice()))
    });
    check_packet(report, expected.as_slice(), objects, name);
}

/// A packet: both refuse it, or both read the same value, and then write the same bytes for it.
pub(crate) fn check_packet(report: &mut Report, bytes: &[u8], objects: bool, name: &str) {
    let packed = PackedByteArray::from(bytes);
    let expected = Side::BuiltIn.read(&packed, objects);
    let found = Side::VarBytes.read(&packed, objects);
    let accepted = Side::BuiltIn.accepts(bytes, objects, &expected);
    report.check(Side::VarBytes.accepts(bytes, objects, &found) == accepted, || {
        format!("{name}: the engine accepts it: {accepted}, and VarBytes does not agree: {}", hexadecimal(bytes))
    });
    let written = Side::BuiltIn.write(&expected, objects);
    // The bindings take a null object for null; the bytes of the two differ.
    let is_same = |value: &Variant| same(value, &expected) && Side::BuiltIn.write(value, objects) == written;
    report.check(is_same(&found) || is_unsteady(&packed, objects, is_same), || {
        format!("{name}, value: found {found}, expected {expected}, of {}", hexadecimal(bytes))
    });
    let rewritten = Side::VarBytes.write(&expected, objects);
    report.check(rewritten == written, || {
        format!(
            "{name}, bytes of what was read: found {}, expected {}",
            hexadecimal(rewritten.as_slice()),
            hexadecimal(written.as_slice())
        )
    });
    if !objects {
        check_result(report, &packed, accepted, &expected, name);
    }
}

/// Whether the engine itself reads a packet as another value every time, and so not as the one expected again: a property
/// of an object that is set to another object, and a text that is made of an object where a container takes texts alone,
/// can end up with the number that this one got when it was made.
pub(crate) fn is_unsteady(packet: &PackedByteArray, objects: bool, is_expected: impl Fn(&Variant) -> bool) -> bool {
    !is_expected(&Side::BuiltIn.read(packet, objects))
}

/// Held while a result lives. The editor notes every object of a class that it may load anew, without a lock, and
/// crashes when two threads make one (Godot 4.6.3, with any extension that is `reloadable`).
static RESULTS: Mutex<()> = Mutex::new(());

/// `VarBytes.decode`, which says more than the built-ins do.
fn check_result(report: &mut Report, bytes: &PackedByteArray, accepted: bool, expected: &Variant, name: &str) {
    let in_editor = Engine::singleton().is_editor_hint();
    let _alone = in_editor.then(|| RESULTS.lock().unwrap_or_else(PoisonError::into_inner));
    let result: Gd<Object> = var_bytes("decode", &[bytes.to_variant()]).to();
    let ok = result.get("ok").to::<bool>();
    if is_refused_knowingly(&result, bytes) {
        return;
    }
    report.check(ok == accepted, || format!("{name}, decode: ok is {ok}, of {}", hexadecimal(bytes.as_slice())));
    // The engine does not look at the values of typed dictionaries.
    let is_same = |value: &Variant| if well_typed(expected) { same(value, expected) } else { well_typed(value) };
    report.check(is_same(&result.get("value")) || is_unsteady(bytes, false, is_same), || {
        format!("{name}, decode: the value is {}, of {}", result.get("value"), hexadecimal(bytes.as_slice()))
    });
    if ok {
        let size = bytes.to_variant().call("decode_var_size", &[0.to_variant()]).to::<i64>();
        let used = result.get("bytes_used").to::<i64>();
        report.check(used == size, || format!("{name}, decode: {used} bytes used, the engine says {size}"));
    }
}

/// Whether `decode` refuses what the engine reads: a key that is nested deeper than the engine compares keys without errors
/// in its log, which no packet of fewer bytes holds, and a member whose conversion only the engine knows, such as the text
/// of an object.
fn is_refused_knowingly(result: &Gd<Object>, bytes: &PackedByteArray) -> bool {
    const DEEPEST: usize = 50;
    const LEAST_LEVEL: usize = 8;
    let fault = result.get("fault").to::<GString>();
    let is_deep = || result.get("message").to::<GString>().to_string().contains("50");
    fault == "unsupported_conversion" || fault == "depth_limit" && bytes.len() > LEAST_LEVEL * DEEPEST && is_deep()
}
