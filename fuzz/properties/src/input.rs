//! Splits a fuzzer's input into settings and a packet.

use varbytes::{Decoder, Encoder, Profile};

const STRICT: u8 = 1;
const OBJECTS: u8 = 2;
const ENFORCES_TYPES: u8 = 4;

/// A packet with settings: a byte for the profile, a byte for the flags, and the packet.
#[derive(Clone, Copy, Debug)]
pub struct PacketInput<'a> {
    /// The engine to read as.
    pub profile: Profile,
    /// Whether to read strictly.
    pub strict: bool,
    /// Whether to allow full objects.
    pub objects: bool,
    /// Whether to enforce types.
    pub enforces_types: bool,
    /// The packet.
    pub packet: &'a [u8],
}

impl<'a> PacketInput<'a> {
    /// Parses an input; `None` if it is too short.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let [profile, flags, packet @ ..] = input else { return None };
        let (strict, objects) = (flags & STRICT != 0, flags & OBJECTS != 0);
        let enforces_types = flags & ENFORCES_TYPES != 0;
        Some(Self { profile: profile_of(*profile), strict, objects, enforces_types, packet })
    }

    /// Returns the input with these settings and this packet.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let enforces_types = if self.enforces_types { ENFORCES_TYPES } else { 0 };
        [&[byte_of(self.profile), flags(self.strict, self.objects) | enforces_types], self.packet].concat()
    }

    /// Returns the decoder for these settings, but not strict.
    #[must_use]
    pub fn exact(&self) -> Decoder {
        Decoder::new().profile(self.profile).objects(self.objects)
    }

    /// Returns the decoder for these settings.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        self.exact().strict(self.strict).enforce_types(self.enforces_types)
    }

    /// Returns the encoder for the same engine.
    #[must_use]
    pub fn encoder(&self) -> Encoder {
        Encoder::new().profile(self.profile).objects(self.objects)
    }
}

/// A packet to convert: a byte for the source engine, a byte for the flags, a byte for the target engine, and the
/// packet.
#[derive(Clone, Copy, Debug)]
pub struct ConvertInput<'a> {
    /// The source engine.
    pub from: Profile,
    /// The target engine.
    pub to: Profile,
    /// Whether to allow full objects.
    pub objects: bool,
    /// The packet.
    pub packet: &'a [u8],
}

impl<'a> ConvertInput<'a> {
    /// Parses an input; `None` if it is too short.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let [from, flags, to, packet @ ..] = input else { return None };
        Some(Self { from: profile_of(*from), to: profile_of(*to), objects: flags & OBJECTS != 0, packet })
    }

    /// Returns the input with these settings and this packet.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        [&[byte_of(self.from), flags(false, self.objects), byte_of(self.to)], self.packet].concat()
    }
}

/// A case for the addon in a running engine: a byte for the kind, and the rest.
#[derive(Clone, Copy, Debug)]
pub enum AddonInput<'a> {
    /// A byte for the options, and a packet without objects.
    Packet {
        /// The options.
        settings: u8,
        /// The packet.
        packet: &'a [u8],
    },
    /// A packet with full objects.
    Objects {
        /// The packet.
        packet: &'a [u8],
    },
    /// A value.
    Value {
        /// Whether it may contain objects.
        objects: bool,
        /// The bytes that it is made from, instead of random numbers.
        bytes: &'a [u8],
    },
}

impl<'a> AddonInput<'a> {
    const KINDS: u8 = 4;

    /// Parses an input; `None` if it is too short.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let (kind, rest) = input.split_first()?;
        Some(match kind % Self::KINDS {
            0 => {
                let (settings, packet) = rest.split_first()?;
                Self::Packet { settings: *settings, packet }
            }
            1 => Self::Objects { packet: rest },
            2 => Self::Value { objects: false, bytes: rest },
            _ => Self::Value { objects: true, bytes: rest },
        })
    }

    /// Returns the input for this case.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        match *self {
            Self::Packet { settings, packet } => [&[0, settings], packet].concat(),
            Self::Objects { packet } => [&[1], packet].concat(),
            Self::Value { objects, bytes } => [&[2 + u8::from(objects)], bytes].concat(),
        }
    }
}

/// Every byte selects a profile, so that no input is wasted.
fn profile_of(byte: u8) -> Profile {
    Profile::ALL[usize::from(byte) % Profile::ALL.len()]
}

fn byte_of(profile: Profile) -> u8 {
    let index = Profile::ALL.iter().position(|other| *other == profile);
    index.and_then(|index| u8::try_from(index).ok()).expect("there are fewer than 256 profiles")
}

fn flags(strict: bool, objects: bool) -> u8 {
    (if strict { STRICT } else { 0 }) | (if objects { OBJECTS } else { 0 })
}
