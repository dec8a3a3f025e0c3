//! The one place with `unsafe`: looking into engine values and making them without a call for each.
//!
//! What is assumed about the engine's memory stands in [`layout`], where it is compared with the answers of
//! the official interface when the library loads. An assumption that does not hold is not used: the official
//! interface is. Everything this module gives out is safe to use, under one rule that the engine itself has,
//! too: no other thread changes a value while it is read.
#![allow(unsafe_code, reason = "this module exists to hold it")]

mod container;
mod entries;
mod fill;
mod interface;
mod layout;
mod library;
mod look;
mod made;
mod make;
mod methods;

use std::sync::OnceLock;

pub(crate) use entries::Entries;
pub(crate) use fill::{ArrayFill, DictionaryFill, StringsFill, packed_bytes, set_property};
pub(crate) use look::{Direct, Number, View, chars, is_typed, live_object, live_object_id, member_type, members, view};
pub(crate) use made::Made;
pub(crate) use make::{STRING, from_components, from_integers, null_object, packed, rid, scalar, string, string_name};

pub(crate) use methods::register_built_ins;

use interface::Interface;
use layout::Layout;

struct Engine {
    interface: Interface,
    layout: Layout,
}

static ENGINE: OnceLock<Engine> = OnceLock::new();

/// Fetches the engine's functions and verifies the layout of its memory; called once when the library loads.
///
/// # Errors
/// The name of what the engine lacks.
pub(crate) fn load() -> Result<(), &'static str> {
    let interface = Interface::fetch().ok_or("a method of a built-in type has another signature than in Godot 4.4")?;
    let layout = Layout::verified(&interface);
    // A second load in the same process keeps what the first one found: it is the same engine.
    let _ = ENGINE.set(Engine { interface, layout });
    Ok(())
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
