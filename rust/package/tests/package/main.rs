//! Tests of packing that need neither a build nor an engine.

mod engine_api;
mod platforms;
mod third_party;
mod zip;
