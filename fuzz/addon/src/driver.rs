//! Calls libFuzzer's loop as a function.
#![expect(unsafe_code, reason = "libFuzzer is written in C++")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::{panic, ptr};

type Callback = unsafe extern "C" fn(*const u8, usize) -> c_int;

unsafe extern "C" {
    fn LLVMFuzzerRunDriver(count: *mut c_int, arguments: *mut *mut *mut c_char, callback: Callback) -> c_int;

    /// Defined by `fuzz_target!`.
    fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> c_int;

    /// From the C library: registers a callback for an ordinary exit of the process, with its exit code.
    fn on_exit(callback: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;

    /// From the C library: ends the process immediately.
    fn _exit(status: c_int) -> !;
}

/// Ends the process before the engine's statics are destroyed, because threads of the engine still use them.
extern "C" fn leave(status: c_int, _: *mut c_void) {
    // SAFETY: accepts any number, and nothing in this process is used afterwards.
    unsafe { _exit(status) }
}

/// Runs libFuzzer with arguments. The first is the command with which it restarts itself.
pub fn run(arguments: &[String]) -> i32 {
    // The engine prints nothing, so the bindings cannot report a panic. libFuzzer's hook aborts after this one, so even
    // a panic that the addon would catch is a finding.
    panic::set_hook(Box::new(|panicked| eprintln!("{panicked}")));
    let mut arguments: Vec<*mut c_char> =
        arguments.iter().map(|argument| CString::new(argument.as_str()).unwrap_or_default().into_raw()).collect();
    let mut count = c_int::try_from(arguments.len()).unwrap_or(0);
    arguments.push(ptr::null_mut());
    let mut start = arguments.as_mut_ptr();
    // SAFETY: the callback is a function of this library, which is never unloaded, and does not use its argument. If
    // libFuzzer finds nothing, it ends by `exit`, which calls its own later callbacks first.
    if unsafe { on_exit(leave, ptr::null_mut()) } != 0 {
        return 1;
    }
    // SAFETY: the arguments are NUL-terminated strings followed by a null pointer, as for `main`, with the right count.
    // They are never freed, because libFuzzer may keep them. `fuzz_target!` defines the callback for this purpose.
    unsafe { LLVMFuzzerRunDriver(&raw mut count, &raw mut start, LLVMFuzzerTestOneInput) }
}
