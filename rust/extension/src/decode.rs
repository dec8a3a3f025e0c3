//! Reading a packet into engine values.

use godot::builtin::Variant;
use varbytes::Decoder;
use varbytes::build::{Check, ObjectPolicy};

use crate::builder::{EngineBuilder, Members};
use crate::failure::Failure;
use crate::floods::Floods;
use crate::limits::Asked;
use crate::policy::{Policy, PolicyCheck};
use crate::raw::was_refused;
use crate::running;

/// How a packet is read.
pub(crate) struct ReadOptions {
    pub(crate) objects: ReadObjects,
    pub(crate) limits: Asked,
    pub(crate) strict: bool,
    pub(crate) members: Members,
}

impl ReadOptions {
    /// Reading without options.
    pub(crate) const DEFAULT: Self =
        Self { objects: ReadObjects::Refused, limits: Asked::DEFAULT, strict: false, members: Members::Checked };
}

/// What is to be done with full objects.
pub(crate) enum ReadObjects {
    /// Refused.
    Refused,
    /// Built, whatever they are: `bytes_to_var_with_objects`.
    All,
    /// Built as far as the policy allows.
    Allowed(Box<Policy>),
}

/// The value that `bytes` begin with, and how many of them it takes. Offsets of errors are counted from
/// `base` bytes before.
pub(crate) fn decode(bytes: &[u8], options: &ReadOptions, base: usize) -> Result<(Variant, usize), Failure> {
    let objects = !matches!(options.objects, ReadObjects::Refused);
    let decoder = running::decoder(objects).limits(options.limits.of_packet(bytes.len())).strict(options.strict);
    let decoder = decoder.enforce_types(options.members != Members::AsEngine);
    let mut converts = false;
    if objects {
        // Before the first object is made, the whole packet has been read and found good.
        converts = match &options.objects {
            ReadObjects::Allowed(policy) => check(&decoder, bytes, PolicyCheck::new(policy), base)?,
            _ => check(&decoder, bytes, (), base)?,
        };
    }
    let as_engine = options.members == Members::AsEngine;
    let floods = if as_engine { Floods::allowed() } else { Floods::of_packet(bytes.len()) };
    let mut builder = EngineBuilder::new(objects, options.members, floods).needing_tree(converts && !as_engine);
    // What was refused before is not this packet's.
    was_refused();
    let decoded = decoder.decode_with(bytes, &mut builder).map_err(|error| Failure::from_decode(&error, base));
    let decoded = if was_refused() { Err(out_of_memory()) } else { decoded };
    let decoded = decoded.and_then(|decoded| match builder.finish() {
        Ok(()) => Ok(decoded),
        Err(kind) => Err(Failure::of_value(&kind, base)),
    });
    match decoded {
        Ok(decoded) => {
            if options.strict && decoded.consumed < bytes.len() {
                return Err(trailing(bytes.len() - decoded.consumed, decoded.consumed + base));
            }
            Ok((decoded.value.into_variant(), decoded.used))
        }
        Err(failure) => {
            if let Some(objects) = &mut builder.objects {
                objects.abandon();
            }
            Err(failure)
        }
    }
}

/// The value that `bytes` begin with, where it is a plain one: a call that takes no longer than reading it.
#[inline(always)]
pub(crate) fn decode_plain(bytes: &[u8]) -> Option<Variant> {
    running::decoder(false)
        .decode_plain_with(bytes, &mut EngineBuilder::new(false, Members::AsEngine, Floods::allowed()))
        .map(|decoded| decoded.value.into_variant())
        .filter(|_| !was_refused())
}

/// Reads all of a packet without making anything. Says whether it has members to convert, which is left to the builder.
fn check(decoder: &Decoder, bytes: &[u8], policy: impl ObjectPolicy, base: usize) -> Result<bool, Failure> {
    let mut check = Check::new(policy).leaving_conversions();
    decoder.decode_with(bytes, &mut check).map_err(|error| Failure::from_decode(&error, base))?;
    Ok(check.left_conversions())
}

fn out_of_memory() -> Failure {
    Failure {
        kind: crate::failure::ErrorKind::Limit,
        name: "out_of_memory",
        message: "the engine has no memory for the value".into(),
        offset: -1,
        path: "$".into(),
    }
}

fn trailing(count: usize, offset: usize) -> Failure {
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    Failure {
        kind: crate::failure::ErrorKind::Malformed,
        name: "trailing_bytes",
        message: format!("{count} bytes follow the value, at offset {offset}, path $"),
        offset,
        path: "$".into(),
    }
}
