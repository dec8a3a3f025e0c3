//! Direct access to engine values. The only module with `unsafe` code.
//!
//! [`layout`] lists what is assumed about the engine's memory, and `layout_checks` compares each assumption with the official
//! interface when the library loads. An assumption that does not hold is not used; the official interface is used instead.
//! What this module exports is safe under these rules: no other thread changes a value while it is read, which the engine demands too;
//! what `Entries::next` returns is not used after the `Entries` is dropped; the closure of `put_packed` writes every byte; and what
//! `ArrayFill::push` gets is of the Array's type.
//!
//! This module imports nothing from the rest of the crate. The functions that it calls there are passed in:
//! by traits, such as [`BuiltIns`] and [`RecordAccess`], and by [`declare_library`].
#![allow(unsafe_code, reason = "the unsafe code of the crate is here")]

mod arguments;
mod array_members;
mod built_ins;
mod caught;
mod checked_calls;
mod class_method;
mod container;
mod container_types;
mod create;
mod depth;
mod engine;
mod entries;
mod exchange_methods;
mod fill;
mod guarded;
mod hash;
mod hooks;
mod instances;
mod int_getter;
mod interface;
mod kept;
mod layout;
mod layout_checks;
pub(crate) mod library;
mod member_types;
mod memory;
mod method_body;
mod methods;
mod new_bytes;
mod new_value;
mod nullable_arg;
mod numbers;
mod objects;
mod output;
mod packed_numbers;
mod pool;
mod record_methods;
mod reply;
mod reserve;
mod result_methods;
mod result_properties;
mod reused_result;
mod runs;
mod scripts;
mod shared;
mod stream_methods;
mod stream_peer;
mod unfilled;
mod utf8;
#[cfg(target_arch = "x86_64")]
mod utf8_avx2;
mod view;
mod watched;

pub(crate) use arguments::ObjectArgument;
pub(crate) use built_ins::{BuiltIns, register_built_ins};
pub(crate) use checked_calls::keep_called;
pub(crate) use container::{address, bytes};
pub(crate) use container_types::{is_typed, member_type};
pub(crate) use create::{
    BYTE_ORDER_MARK, SharedPath, SharedText, callable, empty_path, from_components, from_integers, name_of_ascii,
    null_object, rid, scalar, signal, string, string_name, string_of_ascii, string_of_utf8,
};
pub(crate) use depth::{DEEPEST_KEY, is_too_deep_for_a_key};
pub(crate) use engine::assumptions;
pub(crate) use entries::Entries;
pub(crate) use exchange_methods::{ExchangesValues, register_exchange_methods};
pub(crate) use fill::{ArrayFill, DictionaryFill, StringsFill, TypedBy, decode_var, print_mistyped};
pub(crate) use guarded::{Guarded, State};
pub(crate) use hash::{
    CountedTypes, hash, hash_of_chars, hash_of_key, hash_of_text, is_container, name_identity, weight,
};
pub(crate) use int_getter::IntGetter;
pub(crate) use kept::{Kept, Taken, keep_between_calls, keep_nothing};
pub(crate) use library::declare_library;
pub(crate) use memory::{note_refusal, was_refused};
pub(crate) use methods::{Property, Slot, Type};
pub(crate) use new_bytes::{byte_array, is_reusable, overwrite, packed, packed_of_wire, put_packed, size_of_own_bytes};
pub(crate) use new_value::{LazyVariant, NewValue};
pub use nullable_arg::NullableArg;
pub(crate) use numbers::{WireNumbers, in_place, is_in_place};
pub(crate) use objects::{
    class_address, class_of, frames, has_metadata, instance_of, live_object, live_object_id, metadata_names, property,
    set_property,
};
pub(crate) use packed_numbers::{ELEMENT_SIZES, PackedNumbers};
pub(crate) use pool::{HasPool, Pool};
pub(crate) use record_methods::{RecordAccess, register_record_methods};
pub(crate) use reserve::{CAPACITIES, most_entries};
pub(crate) use result_methods::register_result_methods;
pub(crate) use result_properties::register_properties;
pub(crate) use reused_result::{Called, ReusedResult, new_result, open_pool};
pub(crate) use runs::{MemberRun, write_fixed};
pub(crate) use scripts::{loaded_script, path_of_script, script_of};
pub(crate) use shared::HasContent;
pub(crate) use stream_methods::{StreamAccess, register_stream_methods};
pub(crate) use stream_peer::StreamPeerRef;
pub(crate) use view::{
    DirectNumbers, Name, Number, View, can_have_objects, chars, is_empty_path, is_object, is_packed, lossy_text,
    members, name, name_address, number_in, signal_parts, text_of, view,
};
pub(crate) use watched::{Declared, Watched, WatchedScript};
