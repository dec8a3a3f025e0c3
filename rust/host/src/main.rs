//! Loads the addon's library as an engine does, and passes it an engine that has no functions. The library must refuse it with a
//! message. For platforms on which no engine can be run: this needs the library's imports, its start-up code and its unwinding.
#![expect(unsafe_code, reason = "a library cannot be loaded without it")]

use std::ffi::{OsString, c_char, c_void};
use std::process::ExitCode;
use std::ptr::null_mut;

use libloading::Library;

type Function = Option<unsafe extern "C" fn()>;

/// `GDExtensionInitialization`
#[repr(C)]
struct Initialization {
    minimum_level: i32,
    data: *mut c_void,
    initialize: Function,
    deinitialize: Function,
}

type Entry = unsafe extern "C" fn(extern "C" fn(*const c_char) -> Function, *mut c_void, *mut Initialization) -> u8;

/// The engine: it knows no function by any name.
extern "C" fn no_function(_name: *const c_char) -> Function {
    None
}

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: varbytes-host LIBRARY");
        return ExitCode::FAILURE;
    };
    match load(path) {
        Ok(0) => {
            println!("VARBYTES HOST REFUSED");
            ExitCode::SUCCESS
        }
        Ok(answer) => {
            eprintln!("the library accepts an engine without functions: {answer}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("the library cannot be loaded: {error}");
            ExitCode::FAILURE
        }
    }
}

fn load(path: OsString) -> Result<u8, libloading::Error> {
    // SAFETY: the library is the addon's, whose start-up code is the one of Rust's standard library.
    let library = unsafe { Library::new(path) }?;
    // SAFETY: the addon exports the function with this type, which is the engine's.
    let entry = unsafe { library.get::<Entry>(b"varbytes_init") }?;
    let mut initialization =
        Initialization { minimum_level: 0, data: null_mut(), initialize: None, deinitialize: None };
    // SAFETY: the arguments are those of an engine, and live during the call.
    Ok(unsafe { entry(no_function, null_mut(), &raw mut initialization) })
}
