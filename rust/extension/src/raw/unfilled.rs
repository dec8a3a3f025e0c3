//! Byte arrays that are not cleared before they are filled.
//!
//! `PackedByteArray.resize` clears the new bytes, which takes as long as to copy them. `StreamPeerBuffer.resize` does not, and
//! `get_data_array` returns its array without a copy (`core/io/stream_peer.cpp` and `core/templates/vector.h` of Godot 4.4 to 4.6).

use std::ptr;
use std::sync::OnceLock;

use godot::builtin::PackedByteArray;
use godot::classes::StreamPeerBuffer;
use godot::obj::{Gd, NewGd};
use godot::sys;

use super::class_method::MethodBind;
use super::container::bytes;
use super::kept::Kept;

/// From this size on, clearing takes longer than the calls that avoid it.
const LEAST: usize = 8 << 10;

/// An object whose array is empty between two calls.
struct Buffer(Gd<StreamPeerBuffer>);

// SAFETY: one thread at a time has it, and no script knows the object. The engine's methods can be called in every thread.
unsafe impl Send for Buffer {}

static BUFFER: Kept<Buffer> = Kept::new();

/// The methods of the object that are called.
struct Methods {
    resize: MethodBind,
    get_data_array: MethodBind,
    clear: MethodBind,
}

impl Methods {
    /// Returns the methods, or `None` if the engine lacks them.
    fn find() -> Option<Self> {
        /// The engine's hashes of the signatures.
        const TAKES_INT: i64 = 1_286_410_249;
        const RETURNS_BYTES: i64 = 2_362_200_018;
        const RETURNS_NOTHING: i64 = 3_218_959_716;
        let method = |name, hash| MethodBind::find("StreamPeerBuffer", name, hash);
        Some(Self {
            resize: method("resize", TAKES_INT)?,
            get_data_array: method("get_data_array", RETURNS_BYTES)?,
            clear: method("clear", RETURNS_NOTHING)?,
        })
    }
}

/// Makes an empty array, which has no memory, `size` bytes long, with any values. Returns false if that is not faster, or if there is
/// no memory. The array is still empty then.
#[inline]
pub(super) fn resize_unfilled(array: &mut PackedByteArray, size: usize) -> bool {
    size >= LEAST && resize_by_buffer(array, size)
}

#[inline(never)]
fn resize_by_buffer(array: &mut PackedByteArray, size: usize) -> bool {
    static METHODS: OnceLock<Option<Methods>> = OnceLock::new();
    let Ok(count) = i32::try_from(size) else { return false };
    let Some(methods) = METHODS.get_or_init(Methods::find) else { return false };
    let buffer = BUFFER.take_or(|| Buffer(StreamPeerBuffer::new_gd()));
    let count = i64::from(count);
    let object = buffer.0.obj_sys();
    // SAFETY: the object lives, and the methods are of its class: one takes an int, one returns a PackedByteArray in place of
    // another, one does neither. The bindings keep packed arrays in the engine's own form.
    unsafe {
        let call = sys::interface_fn!(object_method_bind_ptrcall);
        call(methods.resize.0, object, [(&raw const count).cast()].as_ptr(), ptr::null_mut());
        methods.get_data_array.call_into(object, array);
        call(methods.clear.0, object, ptr::null(), ptr::null_mut());
    }
    drop(buffer);
    bytes(array).len() == size
}
