//! The implementations: this crate, the peer crate, other formats, and memcpy.

mod ciborium;
mod convert;
mod json;
mod memcpy;
mod message_pack;
mod peer;
mod varbytes;

use ::varbytes::{Variant, variant::VariantRef};
use serde::{Deserialize, Serialize};

use crate::documents::{Document, values};

/// An operation on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Encode into a new buffer.
    Encode,
    /// Encode into a buffer that is large enough.
    EncodeInto,
    /// Decode into an owned tree.
    Decode,
    /// Decode into a tree that borrows from the bytes.
    DecodeBorrowed,
    /// Check only whether the bytes are valid.
    Check,
}

impl Operation {
    /// Every operation, in the order of the tables.
    pub const ALL: [Self; 5] = [Self::Encode, Self::EncodeInto, Self::Decode, Self::DecodeBorrowed, Self::Check];

    /// The name in criterion.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encode => "encode",
            Self::EncodeInto => "encode-into",
            Self::Decode => "decode",
            Self::DecodeBorrowed => "decode-borrowed",
            Self::Check => "check",
        }
    }
}

/// Names of the implementations, in criterion and in the tables.
pub mod names {
    /// This crate.
    pub const VARBYTES: &str = "varbytes";
    /// This crate, with [`UnsearchedBuilder`](crate::unsearched::UnsearchedBuilder).
    pub const UNSEARCHED: &str = "varbytes-without-key-search";
    /// The peer crate, godot-binary-serialization.
    pub const PEER: &str = "peer";
    /// `MessagePack` by rmpv.
    pub const MESSAGE_PACK: &str = "rmpv";
    /// CBOR by ciborium.
    pub const CIBORIUM: &str = "ciborium";
    /// JSON by `serde_json`.
    pub const JSON: &str = "serde_json";
    /// A copy of the same bytes as varbytes.
    pub const MEMCPY: &str = "memcpy";
    /// The other formats.
    pub const FORMATS: [&str; 3] = [MESSAGE_PACK, CIBORIUM, JSON];
    /// All of them, in the order of the tables.
    pub const ALL: [&str; 7] = [VARBYTES, UNSEARCHED, PEER, MESSAGE_PACK, CIBORIUM, JSON, MEMCPY];
}

/// One thing to measure.
pub struct Task<'d> {
    /// The operation.
    pub operation: Operation,
    /// The implementation.
    pub implementation: &'static str,
    /// Bytes of the document in the implementation's own format.
    pub bytes: usize,
    /// Runs it once.
    pub run: Box<dyn FnMut() -> Output<'d> + 'd>,
}

impl<'d> Task<'d> {
    fn new(
        operation: Operation,
        implementation: &'static str,
        bytes: usize,
        run: impl FnMut() -> Output<'d> + 'd,
    ) -> Self {
        Self { operation, implementation, bytes, run: Box::new(run) }
    }
}

/// An operation that cannot be measured, with the reason.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cannot {
    /// The implementation.
    pub implementation: String,
    /// The operation.
    pub operation: Operation,
    /// The reason.
    pub reason: String,
}

/// The result of a task. Dropping it is part of the measured time, because users drop their results too.
#[expect(missing_docs, reason = "the results of the crates")]
pub enum Output<'d> {
    Nothing,
    Bytes(Vec<u8>),
    Variant(Variant),
    Borrowed(VariantRef<'d>),
    Peer(Box<dyn godot_binary_serialization::types::variant::GodotVariant>),
    MessagePack(rmpv::Value),
    MessagePackBorrowed(rmpv::ValueRef<'d>),
    Ciborium(::ciborium::Value),
    Json(serde_json::Value),
}

/// A document in every form needed for the measurements.
pub struct Prepared {
    /// Its description.
    pub document: Document,
    /// The document.
    pub value: Variant,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The number of its values; see [`crate::documents::values`].
    pub values: usize,
    peer: Result<peer::Prepared, String>,
    message_pack: message_pack::Prepared,
    ciborium: ciborium::Prepared,
    json: json::Prepared,
}

impl Prepared {
    /// Creates a document and all of its forms.
    #[must_use]
    pub fn new(document: Document) -> Self {
        let value = (document.make)();
        let bytes = varbytes::encoded(&value);
        Self {
            document,
            values: values(&value),
            peer: peer::Prepared::new(&value, &bytes),
            message_pack: message_pack::Prepared::new(&value),
            ciborium: ciborium::Prepared::new(&value),
            json: json::Prepared::new(&value),
            value,
            bytes,
        }
    }

    /// Returns every task. Each implementation is first checked to return the document.
    ///
    /// # Panics
    /// If an implementation does not.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task<'_>> {
        let mut tasks = varbytes::tasks(self);
        tasks.extend(self.peer.iter().flat_map(|peer| peer.tasks(&self.bytes)));
        tasks.extend(self.message_pack.tasks());
        tasks.extend(self.ciborium.tasks());
        tasks.extend(self.json.tasks());
        tasks.extend(memcpy::tasks(&self.bytes));
        tasks
    }

    /// Returns the operations that are not measured.
    #[must_use]
    pub fn cannot(&self) -> Vec<Cannot> {
        let reason = self.peer.as_ref().err().cloned();
        let peer = reason.map(|reason| (names::PEER, vec![Operation::Encode, Operation::Decode], reason));
        let no_buffer = (names::PEER, vec![Operation::EncodeInto], "always returns a new buffer".to_owned());
        let owned = "has no borrowed tree".to_owned();
        let all = [
            peer,
            Some(no_buffer),
            Some((names::PEER, vec![Operation::DecodeBorrowed], owned.clone())),
            Some((names::CIBORIUM, vec![Operation::DecodeBorrowed], owned.clone())),
            Some((names::JSON, vec![Operation::DecodeBorrowed], owned)),
            Some((names::PEER, vec![Operation::Check], "cannot check without decoding".to_owned())),
            Some((names::MESSAGE_PACK, vec![Operation::Check], "cannot check without decoding".to_owned())),
        ];
        let all = all.into_iter().flatten();
        all.flat_map(|(implementation, operations, reason)| {
            operations.into_iter().map(move |operation| Cannot {
                implementation: implementation.to_owned(),
                operation,
                reason: reason.clone(),
            })
        })
        .collect()
    }
}

/// Returns the task of encoding into a buffer that is large enough.
fn encode_into<'d>(implementation: &'static str, bytes: usize, encode: impl Fn(&mut Vec<u8>) + 'd) -> Task<'d> {
    let mut buffer = Vec::with_capacity(bytes);
    Task::new(Operation::EncodeInto, implementation, bytes, move || {
        buffer.clear();
        encode(&mut buffer);
        std::hint::black_box(&buffer);
        Output::Nothing
    })
}
