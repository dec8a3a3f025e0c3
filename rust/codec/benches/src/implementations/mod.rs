//! What is compared: this crate, the peer crate, the formats people pick instead, and copying.

mod ciborium;
mod convert;
mod json;
mod memcpy;
mod message_pack;
mod peer;
mod varbytes;

use ::varbytes::{Variant, variant::VariantRef};
use serde::{Deserialize, Serialize};

use crate::documents::{Document, nodes};

/// What is done with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Into a new buffer.
    Encode,
    /// Into a buffer that is large enough.
    EncodeInto,
    /// Into a tree that owns all it holds.
    Decode,
    /// Into a tree that keeps views of the bytes.
    DecodeBorrowed,
    /// Into nothing: only whether the bytes are valid.
    Check,
}

impl Operation {
    /// Every operation, in the order of the tables.
    pub const ALL: [Self; 5] = [Self::Encode, Self::EncodeInto, Self::Decode, Self::DecodeBorrowed, Self::Check];

    /// As criterion knows it.
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

/// Names, as criterion and the tables know them.
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
    /// The formats people pick instead.
    pub const FORMATS: [&str; 3] = [MESSAGE_PACK, CIBORIUM, JSON];
    /// All of them, in the order of the tables.
    pub const ALL: [&str; 7] = [VARBYTES, UNSEARCHED, PEER, MESSAGE_PACK, CIBORIUM, JSON, MEMCPY];
}

/// One thing to measure.
pub struct Task<'d> {
    /// What is done.
    pub operation: Operation,
    /// Who does it.
    pub implementation: &'static str,
    /// Bytes of the document in that implementation's own format.
    pub bytes: usize,
    /// Does it once.
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

/// What cannot be measured, and why.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cannot {
    /// Who cannot.
    pub implementation: String,
    /// What cannot be done.
    pub operation: Operation,
    /// Why.
    pub reason: String,
}

/// What comes out of a task. It is dropped in the time that is measured, as users drop what they have decoded.
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

/// A document in every form that it has to have before anything can be measured.
pub struct Prepared {
    /// Which one.
    pub document: Document,
    /// The document.
    pub value: Variant,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its nodes.
    pub nodes: usize,
    peer: Result<peer::Prepared, String>,
    message_pack: message_pack::Prepared,
    ciborium: ciborium::Prepared,
    json: json::Prepared,
}

impl Prepared {
    /// Makes a document, and every form of it.
    #[must_use]
    pub fn new(document: Document) -> Self {
        let value = (document.make)();
        let bytes = varbytes::encoded(&value);
        Self {
            document,
            nodes: nodes(&value),
            peer: peer::Prepared::new(&value, &bytes),
            message_pack: message_pack::Prepared::new(&value),
            ciborium: ciborium::Prepared::new(&value),
            json: json::Prepared::new(&value),
            value,
            bytes,
        }
    }

    /// Everything there is to measure. Each implementation has been seen to give back the document.
    ///
    /// # Panics
    /// When one does not.
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

    /// What is not measured.
    #[must_use]
    pub fn cannot(&self) -> Vec<Cannot> {
        let reason = self.peer.as_ref().err().cloned();
        let peer = reason.map(|reason| (names::PEER, vec![Operation::Encode, Operation::Decode], reason));
        let no_buffer = (names::PEER, vec![Operation::EncodeInto], "gives a new buffer".to_owned());
        let owned = "has no tree that borrows".to_owned();
        let all = [
            peer,
            Some(no_buffer),
            Some((names::PEER, vec![Operation::DecodeBorrowed], owned.clone())),
            Some((names::CIBORIUM, vec![Operation::DecodeBorrowed], owned.clone())),
            Some((names::JSON, vec![Operation::DecodeBorrowed], owned)),
            Some((names::PEER, vec![Operation::Check], "cannot check alone".to_owned())),
            Some((names::MESSAGE_PACK, vec![Operation::Check], "cannot check alone".to_owned())),
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

/// The task of encoding into a buffer that is large enough.
fn encode_into<'d>(implementation: &'static str, bytes: usize, encode: impl Fn(&mut Vec<u8>) + 'd) -> Task<'d> {
    let mut buffer = Vec::with_capacity(bytes);
    Task::new(Operation::EncodeInto, implementation, bytes, move || {
        buffer.clear();
        encode(&mut buffer);
        std::hint::black_box(&buffer);
        Output::Nothing
    })
}
