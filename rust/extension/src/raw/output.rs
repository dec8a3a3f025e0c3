//! Standard output while the library is loaded.
//!
//! The bindings print a line with their version, which has no place in the output of a game.

use std::io::{self, Write};

/// Calls a function. What this process writes to standard output meanwhile is dropped, except if that is not possible.
pub(super) fn without_output<T>(call: impl FnOnce() -> T) -> T {
    let kept = platform::SavedOutput::replace();
    let result = call();
    // The text belongs to the time of the call, so it must not be written later.
    let _ = io::stdout().flush();
    drop(kept);
    result
}

#[cfg(unix)]
mod platform {
    use std::ffi::c_int;
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, AsRawFd, OwnedFd};

    /// The standard output of this process, which is put back when this is dropped.
    pub(super) struct SavedOutput(OwnedFd);

    impl SavedOutput {
        /// Replaces standard output by one that drops everything.
        pub(super) fn replace() -> Option<Self> {
            let kept = io::stdout().as_fd().try_clone_to_owned().ok()?;
            let nothing = File::options().write(true).open("/dev/null").ok()?;
            set_output(&nothing).then_some(Self(kept))
        }
    }

    impl Drop for SavedOutput {
        fn drop(&mut self) {
            // A signal can interrupt it.
            while !set_output(&self.0) && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {}
        }
    }

    fn set_output(file: &impl AsRawFd) -> bool {
        unsafe extern "C" {
            fn dup2(from: c_int, to: c_int) -> c_int;
        }
        // SAFETY: both are descriptors of this process, and the call does not touch memory. What writes to standard output
        // continues to do so, into another file. Verified by the run of an exported game, whose output is complete.
        unsafe { dup2(file.as_raw_fd(), io::stdout().as_raw_fd()) != -1 }
    }
}

#[cfg(windows)]
mod platform {
    use std::ffi::c_void;
    use std::ptr::null_mut;

    const OUTPUT: u32 = -11_i32 as u32;

    unsafe extern "system" {
        fn GetStdHandle(which: u32) -> *mut c_void;
        fn SetStdHandle(which: u32, handle: *mut c_void) -> i32;
    }

    /// The standard output of this process, which is put back when this is dropped.
    pub(super) struct SavedOutput(*mut c_void);

    impl SavedOutput {
        /// Replaces standard output by none.
        pub(super) fn replace() -> Option<Self> {
            // SAFETY: the calls only exchange a number of this process. Rust's standard library asks for it at each write and drops
            // the text if there is none. Verified by a program that loads the library, under Wine.
            let kept = unsafe { GetStdHandle(OUTPUT) };
            // SAFETY: as above.
            (unsafe { SetStdHandle(OUTPUT, null_mut()) } != 0).then_some(Self(kept))
        }
    }

    impl Drop for SavedOutput {
        fn drop(&mut self) {
            // SAFETY: as above. The handle is the one that was there before.
            unsafe { SetStdHandle(OUTPUT, self.0) };
        }
    }
}
