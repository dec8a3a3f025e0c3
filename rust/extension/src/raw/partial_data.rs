//! Receives from a `StreamPeer` without the checks of the bindings, which take as long as a small value.

use std::sync::OnceLock;

use godot::builtin::Variant;
use godot::classes::StreamPeer;
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::sys;

use super::create::scalar;
use super::interface::{MethodBind, class_method};

/// Returns what `StreamPeer.get_partial_data` returns, or `None` if the engine lacks the method.
pub(crate) fn partial_data(peer: &Gd<StreamPeer>, most: i32) -> Option<Variant> {
    /// The engine's hash of the signature: takes an int and returns an Array.
    const HASH: i64 = 1_171_824_711;
    static METHOD: OnceLock<Option<MethodBind>> = OnceLock::new();
    let method = (*METHOD.get_or_init(|| class_method("StreamPeer", "get_partial_data", HASH)))?;
    let most = most.to_variant();
    let mut result = scalar::null();
    // SAFETY: the object lives, and the method is one of its class. It takes an int and returns an Array, which the Variant then owns.
    unsafe {
        let mut error = sys::default_call_error();
        let (arguments, place) = ([most.var_sys()], result.var_sys_mut().cast());
        let call = sys::interface_fn!(object_method_bind_call);
        call(method.0, peer.obj_sys(), arguments.as_ptr(), 1, place, &raw mut error);
    }
    Some(result)
}
