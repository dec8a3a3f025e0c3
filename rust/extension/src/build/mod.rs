//! Builds engine values from a packet, without an intermediate tree.

mod builder;
mod checked_objects;
mod containers;
mod engine_bytes;
mod fast;
mod key_cache;
mod lazy_drop;
mod object_check;
mod object_scan;
mod object_types;
mod objects;
mod own_types;
mod packed;
mod part_reader;
mod path_cache;
mod single;
mod uncommon;

pub(crate) use builder::EngineBuilder;
pub(crate) use checked_objects::FastObjects;
pub(crate) use containers::MistypedMembers;
pub(crate) use fast::{decode_fast, decode_fast_objects, is_container};
pub(crate) use lazy_drop::LazyDrop;
pub(crate) use object_scan::seems_to_have_objects;
pub(crate) use objects::Rejected;
pub(crate) use own_types::MemberType;
pub(crate) use packed::READ_BY_ENGINE;
