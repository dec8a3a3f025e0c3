//! How the bytes of a fuzzer's input are divided into settings and a packet.

use varbytes::{Decoder, Encoder, Profile};

const STRICT: u8 = 1;
const OBJECTS: u8 = 2;
const ENFORCES_TYPES: u8 = 4;

/// A packet and how to read it: a byte for the profile, one for the flags, and the rest.
#[derive(Clone, Copy, Debug)]
pub struct PacketInput<'a> {
    /// As which engine.
    pub profile: Profile,
    /// Whether only canonical bytes are read.
    pub strict: bool,
    /// Whether full objects are.
    pub objects: bool,
    /// Whether values of typed dictionaries are held to their types.
    pub enforces_types: bool,
    /// The packet.
    pub packet: &'a [u8],
}

impl<'a> PacketInput<'a> {
    /// The settings and the packet in an input; `None` where it is too short to have any.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let [profile, flags, packet @ ..] = input else { return None };
        let (strict, objects) = (flags & STRICT != 0, flags & OBJECTS != 0);
        let enforces_types = flags & ENFORCES_TYPES != 0;
        Some(Self { profile: profile_of(*profile), strict, objects, enforces_types, packet })
    }

    /// The input that has these settings and this packet.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let enforces_types = if self.enforces_types { ENFORCES_TYPES } else { 0 };
        [&[byte_of(self.profile), flags(self.strict, self.objects) | enforces_types], self.packet].concat()
    }

    /// The decoder of these settings, not strict.
    #[must_use]
    pub fn exact(&self) -> Decoder {
        Decoder::new().profile(self.profile).objects(self.objects)
    }

    /// The decoder of these settings.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        self.exact().strict(self.strict).enforce_types(self.enforces_types)
    }

    /// The encoder for the same engine.
    #[must_use]
    pub fn encoder(&self) -> Encoder {
        Encoder::new().profile(self.profile).full_objects(self.objects)
    }
}

/// A packet to convert: a byte for the engine it is from, one for the flags, one for the engine it is for, the rest.
#[derive(Clone, Copy, Debug)]
pub struct ConvertInput<'a> {
    /// From which engine.
    pub from: Profile,
    /// To which.
    pub to: Profile,
    /// Whether full objects are read and written.
    pub objects: bool,
    /// The packet.
    pub packet: &'a [u8],
}

impl<'a> ConvertInput<'a> {
    /// The settings and the packet in an input; `None` where it is too short to have any.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let [from, flags, to, packet @ ..] = input else { return None };
        Some(Self { from: profile_of(*from), to: profile_of(*to), objects: flags & OBJECTS != 0, packet })
    }

    /// The input that has these settings and this packet.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        [&[byte_of(self.from), flags(false, self.objects), byte_of(self.to)], self.packet].concat()
    }
}

/// What the addon is asked in a running engine: a byte for which of these it is, and the rest.
#[derive(Clone, Copy, Debug)]
pub enum AddonInput<'a> {
    /// A packet without objects, after a byte for the options to read it with.
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
        /// Whether it may hold objects.
        objects: bool,
        /// What it is made of, in place of random numbers.
        bytes: &'a [u8],
    },
}

impl<'a> AddonInput<'a> {
    const KINDS: u8 = 4;

    /// What an input asks; `None` where it is too short to ask anything.
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

    /// The input that asks this.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        match *self {
            Self::Packet { settings, packet } => [&[0, settings], packet].concat(),
            Self::Objects { packet } => [&[1], packet].concat(),
            Self::Value { objects, bytes } => [&[2 + u8::from(objects)], bytes].concat(),
        }
    }
}

/// Every byte names a profile, so that no input is wasted.
fn profile_of(byte: u8) -> Profile {
    Profile::ALL[usize::from(byte) % Profile::ALL.len()]
}

fn byte_of(profile: Profile) -> u8 {
    let index = Profile::ALL.iter().position(|other| *other == profile);
    index.and_then(|index| u8::try_from(index).ok()).expect("every profile is one of all, of which there are few")
}

fn flags(strict: bool, objects: bool) -> u8 {
    (if strict { STRICT } else { 0 }) | (if objects { OBJECTS } else { 0 })
}
