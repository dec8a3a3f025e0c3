//! Reading a packet into engine values.

use godot::builtin::Variant;
use varbytes::codec::{Check, ObjectPolicy};
use varbytes::{Decoder, Limits};

use crate::builder::EngineBuilder;
use crate::failure::Failure;
use crate::policy::Policy;
use crate::running;

/// How a packet is read.
pub(crate) struct ReadOptions {
    pub(crate) objects: ReadObjects,
    pub(crate) limits: Limits,
    pub(crate) strict: bool,
}

impl ReadOptions {
    /// Reading without options.
    pub(crate) const DEFAULT: Self = Self { objects: ReadObjects::Refused, limits: Limits::NONE, strict: false };
}

/// What is to be done with full objects.
pub(crate) enum ReadObjects {
    /// Refused.
    Refused,
    /// Built, whatever they are: `bytes_to_var_with_objects`.
    All,
    /// Built as far as the policy allows.
    Allowed(Policy),
}

/// The value that `bytes` begin with, and how many of them it takes. Offsets of errors are counted from
/// `base` bytes before.
pub(crate) fn decode(bytes: &[u8], options: &ReadOptions, base: usize) -> Result<(Variant, usize), Failure> {
    let objects = !matches!(options.objects, ReadObjects::Refused);
    let decoder = running::decoder(objects).limits(options.limits).strict(options.strict);
    if objects {
        // Before the first object is made, the whole packet has been read and found good.
        match &options.objects {
            ReadObjects::Allowed(policy) => check(&decoder, bytes, policy, base)?,
            _ => check(&decoder, bytes, (), base)?,
        }
    }
    let mut builder = EngineBuilder::new(objects);
    match decoder.decode_with(bytes, &mut builder) {
        Ok(decoded) => {
            if options.strict && decoded.consumed < bytes.len() {
                return Err(trailing(bytes.len() - decoded.consumed, decoded.consumed + base));
            }
            Ok((decoded.value.into_variant(), decoded.used))
        }
        Err(error) => {
            if let Some(objects) = &mut builder.objects {
                objects.abandon();
            }
            Err(Failure::from_decode(&error, base))
        }
    }
}

/// The value that `bytes` begin with, where it is a plain one: a call that takes no longer than reading it.
#[inline(always)]
pub(crate) fn decode_plain(bytes: &[u8]) -> Option<Variant> {
    running::decoder(false)
        .decode_plain_with(bytes, &mut EngineBuilder::new(false))
        .map(|decoded| decoded.value.into_variant())
}

fn check(decoder: &Decoder, bytes: &[u8], policy: impl ObjectPolicy, base: usize) -> Result<(), Failure> {
    // The engine converts.
    let mut check = Check::new(policy).leaving_conversions();
    decoder.decode_with(bytes, &mut check).map(drop).map_err(|error| Failure::from_decode(&error, base))
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
