//! Declares this extension to the engine.
#![expect(unsafe_code, reason = "an extension cannot be declared without it")]

use godot::prelude::*;

#[allow(dead_code, reason = "it is not used in an extension that links this crate")]
struct ParityLibrary;

// SAFETY: an extension promises only that its initialization is the one of the bindings, which the macro generates.
#[gdextension(entry_symbol = varbytes_parity_init)]
unsafe impl ExtensionLibrary for ParityLibrary {}
