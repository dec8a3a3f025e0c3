//! Reads a packet into engine values, or checks it.

use std::cell::RefCell;
use std::sync::Arc;

use varbytes::build::ObjectPolicy;
use varbytes::{DecodeErrorKind, Decoder, KnownNames};

use crate::build::{
    EngineBuilder, FastObjects, LazyDrop, MistypedMembers, Rejected, decode_fast, decode_fast_objects, is_container,
};
use crate::encode::{PlainObjects, is_written_as};
use crate::engine_profile;
use crate::error::VarBytesError;
use crate::floods::Floods;
use crate::limits::LimitOptions;
use crate::outcome::{Packet, up_to_most};
use crate::packet_check::PacketCheck;
use crate::policy::{Policy, PolicyCheck};
use crate::raw::{NewValue, scalar, was_refused};

/// How to read a packet.
pub(crate) struct ReadOptions {
    pub(crate) objects: ReadObjects,
    pub(crate) limits: LimitOptions,
    pub(crate) strict: bool,
    pub(crate) mistyped: MistypedMembers,
    /// Whether keys and names that collide in the engine's hash tables are read.
    pub(crate) hash_collisions: bool,
    /// Whether text keeps a byte order mark, which the engine drops.
    pub(crate) byte_order_marks: bool,
}

impl ReadOptions {
    /// Reading without options.
    pub(crate) const DEFAULT: Self = Self {
        objects: ReadObjects::Refused,
        limits: LimitOptions::DEFAULT,
        strict: false,
        mistyped: MistypedMembers::LeaveOut,
        hash_collisions: false,
        byte_order_marks: false,
    };

    pub(crate) fn reads_as_engine(&self) -> bool {
        self.mistyped == MistypedMembers::AsEngine
    }
}

/// What to do with full objects.
pub(crate) enum ReadObjects {
    /// Refuse them.
    Refused,
    /// Refuse them, so that the packet is read again with a policy. Also refuse scripts as the types of containers, and members that
    /// need a conversion. Not the same as [`Refused`](Self::Refused): the decoder reads the format with objects, in which scripts as
    /// types are written in another way.
    Deferred,
    /// Create any object, as `bytes_to_var_with_objects` does.
    All,
    /// Create the objects that the policy allows.
    Allowed(Arc<Policy>, Losses),
}

/// What the objects of a packet did not accept, one line each.
#[derive(Default)]
pub(crate) struct Losses(RefCell<Vec<String>>);

impl ReadObjects {
    pub(crate) fn allowed(policy: Arc<Policy>) -> Self {
        Self::Allowed(policy, Losses::default())
    }

    /// Notes what the objects of a packet did not accept.
    fn note(&self, rejected: Rejected) {
        if let Self::Allowed(_, Losses(losses)) = self
            && let Some(lines) = rejected.into_lines()
        {
            losses.replace(up_to_most(lines));
        }
    }

    /// Returns what was noted.
    pub(crate) fn take_losses(&self) -> Vec<String> {
        match self {
            Self::Allowed(_, Losses(losses)) => losses.take(),
            _ => Vec::new(),
        }
    }
}

/// A function that reads the value at the start of a packet, as [`decode`] does.
pub(crate) type Reader = fn(Packet<'_>, &ReadOptions) -> Result<(NewValue, usize), VarBytesError>;

/// Reads the value at the start of a packet. Returns it with the number of bytes that it takes.
pub(crate) fn decode(packet: Packet<'_>, options: &ReadOptions) -> Result<(NewValue, usize), VarBytesError> {
    let policy = match &options.objects {
        ReadObjects::Refused | ReadObjects::Deferred => None,
        ReadObjects::All => Some(None),
        ReadObjects::Allowed(policy, _) => Some(Some(&**policy)),
    };
    let reads_as_engine = options.reads_as_engine();
    let hash_collisions = reads_as_engine || options.hash_collisions;
    let is_usual = !options.strict
        && !options.byte_order_marks
        && options.mistyped != MistypedMembers::Refuse
        && packet.bytes.len() <= options.limits.longest_within();
    match policy {
        Some(policy) if is_usual => {
            let mut rejected = Rejected::default();
            let how = FastObjects { mistyped: options.mistyped, deepest: options.limits.depth, hash_collisions };
            if let Some(read) = decode_fast_objects(packet, policy, how, &mut rejected) {
                options.objects.note(rejected);
                return read;
            }
        }
        None if is_usual && !packet.is_tried => {
            let mut used = 0;
            if let Some(value) =
                decode_fast(packet.bytes, packet.array, options.limits.depth, hash_collisions, &mut used)
            {
                return Ok((value, used));
            }
        }
        None if options.strict => {
            if let Some(read) = decode_as_written(packet, options) {
                return Ok(read);
            }
        }
        _ => {}
    }
    let objects = !matches!(options.objects, ReadObjects::Refused);
    let decoder = decoder(packet.bytes, options);
    let mut names = KnownNames::default();
    let converts = check_objects(&decoder, packet, options, &mut names)?.is_some_and(|checked| checked.has_coercions);
    let floods = if hash_collisions { Floods::allowed() } else { Floods::of_packet(packet.bytes.len()) };
    let is_deferred = matches!(options.objects, ReadObjects::Deferred);
    let mut builder = LazyDrop::new(EngineBuilder::new(objects && !is_deferred, options.mistyped, floods));
    builder.is_deferred = is_deferred;
    builder.needs_tree = converts && !reads_as_engine;
    builder.array = packet.array;
    if matches!(options.objects, ReadObjects::Allowed(..)) {
        builder.note_rejected();
    }
    let result = build(&decoder, packet, &mut builder, &mut names, options.strict);
    if result.is_err() {
        builder.free_objects();
    }
    options.objects.note(builder.take_rejected());
    result
}

/// Fast path of strict reading, without a policy: reads a packet as without `strict`, and compares it with what the engine writes.
/// Returns `None` if they differ or if that is not faster.
#[inline(never)]
fn decode_as_written(packet: Packet<'_>, options: &ReadOptions) -> Option<(NewValue, usize)> {
    /// The most bytes of text or a packed array: in a longer one, nearly all bytes are checked as fast as they are compared.
    const LONG: usize = 1 << 10;
    let length = packet.bytes.len();
    if length > LONG && !is_container(packet.bytes) || length > options.limits.longest_within() {
        return None;
    }
    let (objects, written) = match &options.objects {
        ReadObjects::Refused => (ReadObjects::Refused, PlainObjects::AsIds),
        _ => (ReadObjects::Deferred, PlainObjects::Stop),
    };
    let mistyped = MistypedMembers::LeaveOut;
    let (value, used) = decode(packet, &ReadOptions { objects, strict: false, mistyped, ..*options }).ok()?;
    let value = value.into_variant();
    (used == length && is_written_as(&value, written, packet.bytes)).then(|| (value.into(), used))
}

/// Checks the value at the start of a packet as [`decode`] does, without creating it. Returns null and the number of bytes that it takes.
pub(crate) fn validate(packet: Packet<'_>, options: &ReadOptions) -> Result<(NewValue, usize), VarBytesError> {
    let decoder = decoder(packet.bytes, options);
    let mut names = KnownNames::default();
    let used = match check_objects(&decoder, packet, options, &mut names)? {
        Some(Checked { has_coercions: false, used }) => used,
        // As the decoder converts members, with the memory that they take then.
        _ => check_with(&decoder, packet, &mut PacketCheck::new((), options.reads_as_engine()), options, &mut names)?,
    };
    Ok((scalar::nil(), used))
}

/// Checks a packet that may contain full objects, before the first one is created: that can run code. Returns `None` if none are
/// allowed.
fn check_objects<'b>(
    decoder: &Decoder,
    packet: Packet<'b>,
    options: &ReadOptions,
    names: &mut KnownNames<'b>,
) -> Result<Option<Checked>, VarBytesError> {
    match &options.objects {
        ReadObjects::Refused | ReadObjects::Deferred => Ok(None),
        ReadObjects::All => check(decoder, packet, (), options, names).map(Some),
        ReadObjects::Allowed(policy, _) => check(decoder, packet, PolicyCheck::new(policy), options, names).map(Some),
    }
}

/// Returns the decoder for a packet.
// Not inlined: it is written in the place of the result then, and not copied there from its parts.
#[inline(never)]
fn decoder(bytes: &[u8], options: &ReadOptions) -> Decoder {
    engine_profile::decoder(!matches!(options.objects, ReadObjects::Refused))
        .limits(options.limits.of_packet(bytes.len()))
        .strict(options.strict)
        .enforce_types(!options.reads_as_engine())
        .keep_byte_order_marks(options.byte_order_marks)
}

fn build<'b>(
    decoder: &Decoder,
    Packet { bytes, base, .. }: Packet<'b>,
    builder: &mut EngineBuilder,
    names: &mut KnownNames<'b>,
    strict: bool,
) -> Result<(NewValue, usize), VarBytesError> {
    // Resets the flag of an earlier packet.
    was_refused();
    let decoded = decoder.decode_with_names(bytes, builder, names);
    let decoded = decoded.map_err(|error| VarBytesError::from_decode(&error, base));
    if was_refused() {
        return Err(VarBytesError::out_of_memory());
    }
    let decoded = decoded?;
    builder.finish().map_err(|kind| VarBytesError::of_value(&kind, base))?;
    refuse_trailing(strict, bytes, decoded.consumed, base)?;
    Ok((decoded.value, decoded.used))
}

/// Returns an error if reading is strict and bytes follow the value.
pub(crate) fn refuse_trailing(strict: bool, bytes: &[u8], consumed: usize, base: usize) -> Result<(), VarBytesError> {
    match bytes.len() - consumed {
        count @ 1.. if strict => {
            Err(VarBytesError::of_value(&DecodeErrorKind::TrailingBytes { count }, consumed + base))
        }
        _ => Ok(()),
    }
}

/// What the check of a packet shows.
struct Checked {
    /// Whether the packet has members to convert, which the builder does.
    has_coercions: bool,
    /// The number of bytes that the value takes.
    used: usize,
}

/// Checks a packet without building anything.
fn check<'b>(
    decoder: &Decoder,
    packet: Packet<'b>,
    policy: impl ObjectPolicy,
    options: &ReadOptions,
    names: &mut KnownNames<'b>,
) -> Result<Checked, VarBytesError> {
    let mut check = PacketCheck::new(policy, options.reads_as_engine()).assuming_coercions();
    let used = check_with(decoder, packet, &mut check, options, names)?;
    Ok(Checked { has_coercions: check.has_coercions(), used })
}

/// Checks a packet and returns the number of bytes that the value takes. If `check` does not assume that members can be converted,
/// they are converted in a tree.
fn check_with<'b>(
    decoder: &Decoder,
    Packet { bytes, base, .. }: Packet<'b>,
    check: &mut PacketCheck<impl ObjectPolicy>,
    options: &ReadOptions,
    names: &mut KnownNames<'b>,
) -> Result<usize, VarBytesError> {
    let decoded =
        decoder.decode_with_names(bytes, check, names).map_err(|error| VarBytesError::from_decode(&error, base))?;
    refuse_trailing(options.strict, bytes, decoded.consumed, base)?;
    Ok(decoded.used)
}
