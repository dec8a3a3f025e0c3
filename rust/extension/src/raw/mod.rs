//! The one place with `unsafe`: looking into engine values and making them without a call for each.
//!
//! What is assumed about the engine's memory stands in [`layout`], where it is compared with the answers of
//! the official interface when the library loads. An assumption that does not hold is not used: the official
//! interface is. Everything this module gives out is safe to use, under one rule that the engine itself has,
//! too: no other thread changes a value while it is read.
#![allow(unsafe_code, reason = "this module exists to hold it")]

mod container;
mod depth;
mod entries;
mod fill;
mod hash;
mod interface;
mod layout;
mod library;
mod look;
mod made;
mod make;
mod memory;
mod methods;

use std::panic::catch_unwind;
use std::sync::{Mutex, OnceLock, PoisonError};

pub(crate) use depth::{DEEPEST_KEY, is_too_deep_for_a_key};
pub(crate) use entries::Entries;
pub(crate) use fill::{ArrayFill, DictionaryFill, StringsFill, TypedBy, array_of_objects, packed_bytes, set_property};
pub(crate) use hash::{Key, hash, hash_of_text, is_container, key, name_identity, weight};
pub(crate) use look::{Direct, Number, View, chars, is_typed, live_object, live_object_id, member_type, members, view};
pub(crate) use made::Made;
pub(crate) use make::{
    STRING, STRING_NAME, from_components, from_integers, null_object, packed, rid, scalar, string, string_name,
};
pub(crate) use memory::was_refused;

use interface::Interface;
use layout::Layout;
use methods::register_built_ins;

struct Engine {
    interface: Interface,
    layout: Layout,
}

static ENGINE: OnceLock<Engine> = OnceLock::new();

/// The functions that the library found when it was loaded, until [`verify_layout`].
static FETCHED: Mutex<Option<Interface>> = Mutex::new(None);

/// Keeps the engine's functions, which are fetched once.
fn set_interface(interface: Interface) {
    *FETCHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(interface);
}

/// Verifies the layout of the engine's memory, after which this module can be used; called once when the library loads.
/// Where that is not possible, nothing is assumed.
fn verify_layout() {
    let Some(interface) = FETCHED.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let layout = catch_unwind(|| Layout::verified(&interface)).unwrap_or(Layout::UNKNOWN);
    // A second load in the same process keeps what the first one found: it is the same engine.
    let _ = ENGINE.set(Engine { interface, layout });
}

/// What of the engine's memory was found to be as assumed, for the report that tests and benchmarks print.
pub(crate) fn report() -> String {
    engine().layout.report()
}

#[inline]
fn engine() -> &'static Engine {
    ENGINE.get().expect("the library loads before its classes can be called")
}

// SAFETY: an argument's default is made once and copied for calls from any thread. The only default in use is
// no options at all, which refers to nothing.
unsafe impl godot::meta::GodotImmutable for crate::chosen_options::ChosenOptions {}
