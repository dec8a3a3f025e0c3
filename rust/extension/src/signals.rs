//! Signals that are emitted for the last time.

use godot::builtin::Callable;
use godot::classes::Object;
use godot::obj::Gd;

/// Returns the functions that are connected to a signal.
pub(crate) fn connected(object: &Gd<Object>, signal: &str) -> Vec<Callable> {
    let connections = object.get_signal_connection_list(signal);
    connections.iter_shared().filter_map(|connection| connection.get("callable")?.try_to().ok()).collect()
}

/// Returns whether this is a function of GDScript that awaits a signal.
pub(crate) fn is_awaiting(function: &Callable) -> bool {
    let object = function.object_id().and_then(|id| Gd::<Object>::try_from_instance_id(id).ok());
    object.is_some_and(|object| object.is_class("GDScriptFunctionState"))
}

/// Disconnects all functions from a signal that is not emitted again. A function that has a reference to the object would keep it
/// forever.
pub(crate) fn disconnect_all(object: &mut Gd<Object>, signal: &str) {
    for function in connected(object, signal) {
        disconnect(object, signal, &function);
    }
}

/// Disconnects a function.
pub(crate) fn disconnect(object: &mut Gd<Object>, signal: &str, function: &Callable) {
    // A function that is freed meanwhile can disconnect others. One with `CONNECT_REFERENCE_COUNTED` can be connected several times.
    while object.is_connected(signal, function) {
        object.disconnect(signal, function);
    }
}
