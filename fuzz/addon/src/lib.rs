//! The fuzz target `addon`: an extension that contains the addon, in which libFuzzer's loop calls the property.

mod driver;

use std::mem::ManuallyDrop;
use std::process::exit;

use godot::prelude::*;
// The classes of the addon, and the entry point for the engine.
use varbytes_godot as _;
use varbytes_parity::Addon;

thread_local! {
    /// Never dropped, because the engine no longer exists at the end of the process.
    static ADDON: ManuallyDrop<Addon> = ManuallyDrop::new(Addon::load().unwrap_or_else(|lack| panic!("{lack}")));
}

/// The class with which a script starts libFuzzer.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
struct VarBytesFuzz;

#[godot_api]
impl VarBytesFuzz {
    /// Runs libFuzzer with its arguments and exits the engine. The first argument is the command that restarts
    /// everything.
    #[func]
    fn run(arguments: PackedStringArray) {
        let arguments: Vec<String> = arguments.as_slice().iter().map(ToString::to_string).collect();
        exit(Addon::quietly(|| driver::run(&arguments)));
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    ADDON.with(|addon| addon.holds(input)).unwrap_or_else(|failed| panic!("{failed}"));
});
