//! The fuzz target `addon`: an extension with the addon in it, in which libFuzzer's own loop calls the property.

mod driver;

use std::mem::ManuallyDrop;
use std::process::exit;

use godot::prelude::*;
// The classes of the addon, and the entry by which the engine loads this library.
use varbytes_godot as _;
use varbytes_parity::Addon;

thread_local! {
    /// Kept to the end of the process, when there is no engine any more to give it back to.
    static ADDON: ManuallyDrop<Addon> = ManuallyDrop::new(Addon::load().unwrap_or_else(|lack| panic!("{lack}")));
}

/// What a script starts libFuzzer with.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
struct VarBytesFuzz;

#[godot_api]
impl VarBytesFuzz {
    /// Runs libFuzzer with its own arguments, of which the first is the command that starts all of this again, and leaves
    /// the engine.
    #[func]
    fn run(arguments: PackedStringArray) {
        let arguments: Vec<String> = arguments.as_slice().iter().map(ToString::to_string).collect();
        exit(Addon::quietly(|| driver::run(&arguments)));
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    ADDON.with(|addon| addon.holds(input)).unwrap_or_else(|failed| panic!("{failed}"));
});
