//! A core in this process.
#![expect(unsafe_code, reason = "Godot is written in C++")]

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{ptr, slice};

use anyhow::{Context, Result, ensure};

type ReadFunction = unsafe extern "C" fn(*const u8, i32, bool, *mut *const u8, *mut i32) -> i32;
type WriteFunction = unsafe extern "C" fn(*const u8, i32, bool, *mut *const u8) -> i32;

unsafe extern "C" {
    /// From the C library: registers a callback for an ordinary exit of the process, with its exit code.
    fn on_exit(callback: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;

    /// From the C library: ends the process immediately.
    fn _exit(status: c_int) -> !;
}

/// Ends the process before the engine's statics are destroyed, which some of them do not survive.
extern "C" fn leave(status: c_int, _: *mut c_void) {
    // SAFETY: accepts any number, and nothing in this process is used afterwards.
    unsafe { _exit(status) }
}

/// A core that was loaded and started.
///
/// Its functions are declared in `godot/engine.h`. They use global state of the engine, so there is at most one core in a
/// process, and it stays on its thread.
#[derive(Debug)]
pub struct Process {
    read: ReadFunction,
    write: WriteFunction,
    objects: unsafe extern "C" fn() -> i64,
    creates: unsafe extern "C" fn(*const c_char) -> bool,
    counters: (*mut u8, usize),
    finish: unsafe extern "C" fn(),
    /// Not `Send`.
    thread: PhantomData<Cell<*mut ()>>,
}

impl Process {
    /// Loads a core that [`build`](crate::build()) returned, and starts it.
    ///
    /// # Errors
    /// If it cannot be loaded, or a core was loaded before.
    pub fn load(path: &Path) -> Result<Self> {
        use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};

        static LOADED: AtomicBool = AtomicBool::new(false);
        ensure!(!LOADED.swap(true, Ordering::Relaxed), "a process can have only one core");
        // SAFETY: the initializers of the library register its coverage counters and construct the engine's statics, which
        // depend on nothing else. Functions of other folders are undefined, so they must be resolved when called.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) };
        let library = library.with_context(|| format!("cannot load {}", path.display()))?;
        let lacks = |name: &str| format!("{} has no function {name}", path.display());
        // SAFETY: each function has this type in godot/engine.h, which the library was compiled with: the name of its file
        // contains a hash of that header.
        let process = unsafe {
            let start = library.get::<unsafe extern "C" fn()>("engine_start").with_context(|| lacks("engine_start"))?;
            type Counters = unsafe extern "C" fn(*mut *mut u8, *mut *mut u8);
            let counters = library.get::<Counters>("engine_counters").with_context(|| lacks("engine_counters"))?;
            let (mut begin, mut end) = (ptr::null_mut::<u8>(), ptr::null_mut());
            start();
            counters(&raw mut begin, &raw mut end);
            Self {
                read: *library.get("engine_read").with_context(|| lacks("engine_read"))?,
                write: *library.get("engine_write").with_context(|| lacks("engine_write"))?,
                objects: *library.get("engine_objects").with_context(|| lacks("engine_objects"))?,
                creates: *library.get("engine_creates").with_context(|| lacks("engine_creates"))?,
                counters: (begin, end as usize - begin as usize),
                finish: *library.get("engine_finish").with_context(|| lacks("engine_finish"))?,
                thread: PhantomData,
            }
        };
        // SAFETY: the callback is a function of this program and does not use its argument. It is called before those that
        // the library registered when it was loaded.
        ensure!(
            unsafe { on_exit(leave, ptr::null_mut()) } == 0,
            "cannot register a function for the end of the process"
        );
        // Its functions are used until the end of the process.
        std::mem::forget(library);
        Ok(process)
    }

    /// Reads a packet as `bytes_to_var` does, and writes the value. Returns the number of bytes that the value takes, 0 if
    /// the packet is rejected, and the written bytes, none if the value is refused.
    ///
    /// # Panics
    /// If the packet has more bytes than the engine can count.
    pub fn read(&mut self, packet: &[u8], objects: bool) -> (usize, &[u8]) {
        let length = i32::try_from(packet.len()).expect("a short packet");
        let (mut written, mut written_length) = (ptr::null(), 0);
        // SAFETY: the packet has this length, and the engine does not keep it. The results are written to two variables.
        let used = unsafe { (self.read)(packet.as_ptr(), length, objects, &raw mut written, &raw mut written_length) };
        (usize::try_from(used).unwrap_or_default(), self.written(written, written_length))
    }

    /// Makes a value from a recipe and writes it. Returns no bytes if it is refused.
    ///
    /// # Panics
    /// If the recipe has more bytes than the engine can count.
    pub fn write(&mut self, recipe: &[u8], objects: bool) -> &[u8] {
        let length = i32::try_from(recipe.len()).expect("a short recipe");
        let mut written = ptr::null();
        // SAFETY: as for `read`.
        let written_length = unsafe { (self.write)(recipe.as_ptr(), length, objects, &raw mut written) };
        self.written(written, written_length)
    }

    fn written(&mut self, bytes: *const u8, length: i32) -> &[u8] {
        match usize::try_from(length) {
            // SAFETY: the engine returns a buffer with this number of bytes, which stays until the next call. That needs
            // `&mut self`, which the result borrows.
            Ok(length) if length > 0 => unsafe { slice::from_raw_parts(bytes, length) },
            _ => &[],
        }
    }

    /// Returns the number of objects in the engine.
    #[must_use]
    pub fn objects(&self) -> i64 {
        // SAFETY: the function only reads a number.
        unsafe { (self.objects)() }
    }

    /// Returns whether the engine has a class with this name that a packet can create.
    #[must_use]
    pub fn creates(&self, class: &str) -> bool {
        let Ok(class) = CString::new(class) else { return false };
        // SAFETY: the name ends with NUL, and the engine does not keep it.
        unsafe { (self.creates)(class.as_ptr()) }
    }

    /// Returns the coverage counters, one byte for each edge. The fuzzer sets them to zero before each input.
    #[must_use]
    pub fn counters(&self) -> &[u8] {
        let (begin, count) = self.counters;
        if begin.is_null() || count == 0 {
            return &[];
        }
        // SAFETY: the linker's symbols are the bounds of the section with the counters, which exists as long as the
        // library. Only the engine and the fuzzer change them, on this thread, and neither runs while this is borrowed.
        unsafe { slice::from_raw_parts(begin, count) }
    }
}

/// Writes the counters of lines, in a core with them.
impl Drop for Process {
    fn drop(&mut self) {
        // SAFETY: the function only writes a file, and nothing is called afterwards.
        unsafe { (self.finish)() }
    }
}
