//! Signals that are emitted for the last time.

use godot::builtin::{Callable, VarDictionary};
use godot::classes::Object;
use godot::obj::Gd;

/// Disconnects all functions from a signal that is not emitted again. A function that has a reference to the object would keep it
/// forever.
pub(crate) fn disconnect_all(object: &mut Gd<Object>, signal: &str) {
    for connection in object.get_signal_connection_list(signal).iter_shared() {
        disconnect(object, signal, &connection);
    }
}

fn disconnect(object: &mut Gd<Object>, signal: &str, connection: &VarDictionary) {
    let callable = connection.get("callable").and_then(|callable| callable.try_to::<Callable>().ok());
    let Some(callable) = callable else { return };
    // A function that is freed meanwhile can disconnect others. One with `CONNECT_REFERENCE_COUNTED` can be connected several times.
    while object.is_connected(signal, &callable) {
        object.disconnect(signal, &callable);
    }
}
