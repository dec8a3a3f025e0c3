//! Complete programs for four tasks. Each program here runs as a test.
//!
//! | you write | page |
//! |---|---|
//! | a server for games: TCP, UDP, WebSocket, remote procedure calls | [`servers`] |
//! | a tool for saves: load, store, edit, convert | [`saves`] |
//! | anything that reads bytes from others | [`untrusted_input`] |
//! | a program for several engine versions, or for builds with double precision | [`engine_versions`] |
//!
//! The programs need the features `serde` and `std`, and serde with its feature `derive`:
//!
//! ```toml
//! [dependencies]
//! serde = { version = "1", features = ["derive"] }
//! varbytes = { version = "0.1", features = ["serde"] }
//! ```
//!
//! The folder `examples` of the repository has whole servers, each with a script for Godot that connects to it.

pub mod engine_versions;
pub mod saves;
pub mod servers;
pub mod untrusted_input;
