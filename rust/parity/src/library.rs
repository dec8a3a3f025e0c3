//! The suite as the engine loads it.
#![expect(unsafe_code, reason = "no extension can be declared without it")]

use godot::prelude::*;

#[allow(dead_code, reason = "nothing enters it where another extension links this one")]
struct ParityLibrary;

// SAFETY: the one promise that an extension makes is that its initialization is the bindings' own; the macro writes it.
#[gdextension(entry_symbol = varbytes_parity_init)]
unsafe impl ExtensionLibrary for ParityLibrary {}
