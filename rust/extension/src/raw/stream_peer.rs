//! Streams, whose methods are called without the checks of the bindings.

use godot::builtin::{StringName, Variant};
use godot::classes::StreamPeer;
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};

use super::class_method::ClassMethod;

/// A reference to a `StreamPeer`.
#[derive(Clone)]
pub(crate) struct StreamPeerRef(Variant);

/// Defines methods of the engine, each with the hash of its signature, which says what it takes and returns.
macro_rules! methods {
    ($($name:ident: $class:literal, $method:literal, $hash:literal;)*) => {
        $(static $name: ClassMethod = ClassMethod::new($class, $method, $hash);)*
    };
}
methods! {
    IS_BIG_ENDIAN_ENABLED: "StreamPeer", "is_big_endian_enabled", 36_873_697;
    GET_AVAILABLE_BYTES: "StreamPeer", "get_available_bytes", 3_905_245_786;
    GET_U32: "StreamPeer", "get_u32", 2_455_072_627;
    GET_PARTIAL_DATA: "StreamPeer", "get_partial_data", 1_171_824_711;
    PUT_PARTIAL_DATA: "StreamPeer", "put_partial_data", 2_934_048_347;
    PUT_DATA: "StreamPeer", "put_data", 680_677_267;
    HAS_META: "Object", "has_meta", 2_619_796_661;
}

impl From<&Gd<StreamPeer>> for StreamPeerRef {
    fn from(peer: &Gd<StreamPeer>) -> Self {
        Self(peer.to_variant())
    }
}

impl StreamPeerRef {
    /// # Safety
    /// The Variant must hold a `StreamPeer` that is not null.
    pub(super) unsafe fn new(peer: Variant) -> Self {
        Self(peer)
    }

    /// Returns the object, for calls through the bindings.
    pub(crate) fn object(&self) -> Gd<StreamPeer> {
        self.0.to()
    }

    /// The engine's id of the object, which no other object ever has.
    pub(crate) fn id(&self) -> i64 {
        self.0.object_id_unchecked().map_or(0, InstanceId::to_i64)
    }

    /// Calls a method that takes nothing, by its name.
    pub(crate) fn call(&self, method: &str) -> Variant {
        self.0.call(method, &[])
    }

    fn call_found(&self, method: &ClassMethod, arguments: &[&Variant]) -> Variant {
        // SAFETY: the Variant refers to a `StreamPeer`, which is an `Object` too.
        unsafe { method.call(&self.0, arguments) }
    }

    pub(crate) fn is_big_endian(&self) -> bool {
        self.call_found(&IS_BIG_ENDIAN_ENABLED, &[]).booleanize()
    }

    pub(crate) fn available_bytes(&self) -> i64 {
        self.call_found(&GET_AVAILABLE_BYTES, &[]).try_to().unwrap_or(0)
    }

    /// Receives a number in the byte order of the stream. Waits for its bytes.
    pub(crate) fn receive_u32(&self) -> u32 {
        self.call_found(&GET_U32, &[]).try_to().unwrap_or(0)
    }

    /// Returns what `StreamPeer.get_partial_data` returns.
    pub(crate) fn partial_data(&self, most: i32) -> Variant {
        self.call_found(&GET_PARTIAL_DATA, &[&most.to_variant()])
    }

    /// Returns what `StreamPeer.put_partial_data` returns for a PackedByteArray.
    pub(crate) fn put_partial_data(&self, bytes: &Variant) -> Variant {
        self.call_found(&PUT_PARTIAL_DATA, &[bytes])
    }

    /// Returns what `StreamPeer.put_data` returns for a PackedByteArray.
    pub(crate) fn put_data(&self, bytes: &Variant) -> Variant {
        self.call_found(&PUT_DATA, &[bytes])
    }

    pub(crate) fn has_meta(&self, name: &StringName) -> bool {
        self.call_found(&HAS_META, &[&name.to_variant()]).booleanize()
    }
}
