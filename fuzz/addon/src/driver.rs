//! libFuzzer, whose loop is a function to call.
#![expect(unsafe_code, reason = "libFuzzer is written in C++")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::{panic, ptr};

type Callback = unsafe extern "C" fn(*const u8, usize) -> c_int;

unsafe extern "C" {
    fn LLVMFuzzerRunDriver(count: *mut c_int, arguments: *mut *mut *mut c_char, callback: Callback) -> c_int;

    /// Made by `fuzz_target!`.
    fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> c_int;

    /// The C library's: calls back when the process ends of its own accord, with what it ends with.
    fn on_exit(callback: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;

    /// The C library's: ends the process, and calls nothing more.
    fn _exit(status: c_int) -> !;
}

/// Ends the process before the engine's own statics are destroyed, while threads of the engine still use them.
extern "C" fn leave(status: c_int, _: *mut c_void) {
    // SAFETY: takes any number, and nothing of this process is used afterwards.
    unsafe { _exit(status) }
}

/// Runs libFuzzer with arguments, the first of which is the command that it starts itself anew with.
pub fn run(arguments: &[String]) -> i32 {
    // The engine is silent, and with it the bindings' way to tell of a panic. libFuzzer's aborts after this one, so a
    // panic that the addon would catch is a finding, too.
    panic::set_hook(Box::new(|panicked| eprintln!("{panicked}")));
    let mut arguments: Vec<*mut c_char> =
        arguments.iter().map(|argument| CString::new(argument.as_str()).unwrap_or_default().into_raw()).collect();
    let mut count = c_int::try_from(arguments.len()).unwrap_or(0);
    arguments.push(ptr::null_mut());
    let mut start = arguments.as_mut_ptr();
    // SAFETY: the callback is a function of this library, which is never unloaded, and does not use its argument. libFuzzer
    // ends by `exit` where it has found nothing; what it asks for at the end itself is called before, being later.
    if unsafe { on_exit(leave, ptr::null_mut()) } != 0 {
        return 1;
    }
    // SAFETY: as many texts as said, each ending in 0, and a null behind them, as `main` gets them. They are never freed,
    // neither here nor by libFuzzer, which may keep them. The callback is what `fuzz_target!` makes for just this.
    unsafe { LLVMFuzzerRunDriver(&raw mut count, &raw mut start, LLVMFuzzerTestOneInput) }
}
