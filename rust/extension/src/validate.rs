//! Checks packets without creating values.

use varbytes::KnownNames;

use crate::decode::{ReadObjects, ReadOptions, check, decoder};
use crate::error::VarBytesError;
use crate::outcome::Packet;
use crate::policy::PolicyCheck;
use crate::raw::{NewValue, scalar};

/// Checks the value at the start of a packet as [`decode`](crate::decode::decode) does. Returns null and the number of bytes
/// that the value takes.
pub(crate) fn validate(packet: Packet<'_>, options: &ReadOptions) -> Result<(NewValue, usize), VarBytesError> {
    let decoder = decoder(packet.bytes, options);
    let mut names = KnownNames::default();
    let checked = match &options.objects {
        ReadObjects::Allowed(policy) => check(&decoder, packet, PolicyCheck::new(policy), options, &mut names)?,
        _ => check(&decoder, packet, (), options, &mut names)?,
    };
    if checked.has_coercions {
        // Only a tree shows whether the members can be converted.
        decoder.decode_prefix(packet.bytes).map_err(|error| VarBytesError::from_decode(&error, packet.base))?;
    }
    Ok((scalar::nil(), checked.used))
}
