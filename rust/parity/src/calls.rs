//! Calls of the built-in functions and of the addon.

use std::slice;

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{ClassDb, Engine};
use godot::global;
use godot::obj::Singleton;
use godot::prelude::*;

/// The built-in functions, or the addon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    BuiltIn,
    VarBytes,
}

impl Side {
    /// Returns the bytes of a value, or an empty array if the value is refused.
    pub(crate) fn write(self, value: &Variant, objects: bool) -> PackedByteArray {
        match (self, objects) {
            (Self::BuiltIn, false) => global::var_to_bytes(value),
            (Self::BuiltIn, true) => global::var_to_bytes_with_objects(value),
            (Self::VarBytes, false) => var_bytes("var_to_bytes", slice::from_ref(value)).to(),
            (Self::VarBytes, true) => var_bytes("var_to_bytes_with_objects", slice::from_ref(value)).to(),
        }
    }

    /// Returns the value in the bytes, or null if they are refused.
    pub(crate) fn read(self, bytes: &PackedByteArray, objects: bool) -> Variant {
        match (self, objects) {
            (Self::BuiltIn, false) => global::bytes_to_var(bytes),
            (Self::BuiltIn, true) => global::bytes_to_var_with_objects(bytes),
            (Self::VarBytes, false) => var_bytes("bytes_to_var", &[bytes.to_variant()]),
            (Self::VarBytes, true) => var_bytes("bytes_to_var_with_objects", &[bytes.to_variant()]),
        }
    }

    /// Returns whether the bytes that were read as `value` are accepted. Null can be a value or mean that the bytes are refused.
    /// As the member of an Array, these two cases differ.
    pub(crate) fn accepts(self, bytes: &[u8], objects: bool, value: &Variant) -> bool {
        const ARRAY_OF_ONE: [u8; 8] = [28, 0, 0, 0, 1, 0, 0, 0];
        if !value.is_nil() {
            return true;
        }
        let wrapped = PackedByteArray::from([&ARRAY_OF_ONE, bytes].concat());
        !self.read(&wrapped, objects).is_nil()
    }
}

/// Calls a static method of the addon.
pub(crate) fn var_bytes(method: &str, arguments: &[Variant]) -> Variant {
    ClassDb::singleton().class_call_static("VarBytes", method, arguments)
}

/// Calls `body` without the engine's messages, which it prints for every refused packet.
///
/// The setting applies to all threads, so it is changed while no other thread runs.
pub(crate) fn quietly<T>(body: impl FnOnce() -> T) -> T {
    let mut engine = Engine::singleton();
    engine.set_print_error_messages(false);
    let result = body();
    engine.set_print_error_messages(true);
    result
}
