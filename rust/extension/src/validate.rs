//! Checks packets without creating values.

use varbytes::KnownNames;

use crate::decode::{Checked, ReadObjects, ReadOptions, check, check_with, decoder};
use crate::error::VarBytesError;
use crate::outcome::Packet;
use crate::packet_check::PacketCheck;
use crate::policy::PolicyCheck;
use crate::raw::{NewValue, scalar};

/// Checks the value at the start of a packet as [`decode`](crate::decode::decode) does. Returns null and the number of bytes
/// that the value takes.
pub(crate) fn validate(packet: Packet<'_>, options: &ReadOptions) -> Result<(NewValue, usize), VarBytesError> {
    let decoder = decoder(packet.bytes, options);
    let mut names = KnownNames::default();
    let checked = match &options.objects {
        ReadObjects::Allowed(policy) => Some(check(&decoder, packet, PolicyCheck::new(policy), options, &mut names)?),
        ReadObjects::All => Some(check(&decoder, packet, (), options, &mut names)?),
        ReadObjects::Refused | ReadObjects::Deferred => None,
    };
    let used = match checked {
        Some(Checked { has_coercions: false, used }) => used,
        // As the decoder converts members, with the memory that they take then.
        _ => check_with(&decoder, packet, &mut PacketCheck::new((), options.reads_as_engine()), options, &mut names)?,
    };
    Ok((scalar::nil(), used))
}
