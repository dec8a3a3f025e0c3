//! The last argument of most methods: options, or null for the defaults. Here it is decided what they mean.

use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::prelude::*;
use varbytes::Profile;

use crate::decode::{ReadOptions, decode};
use crate::encode::{WriteObjects, encode, encoded_len};
use crate::failure::Failure;
use crate::options::VarBytesOptions;
use crate::other_engine::{self, Written};
use crate::policy::Policy;
use crate::result::Outcome;

/// Options, or none.
#[derive(Debug)]
pub struct ChosenOptions(pub(crate) Option<Gd<VarBytesOptions>>);

impl ChosenOptions {
    /// The default of an argument.
    pub(crate) const NONE: Self = Self(None);

    /// The value that `bytes` begin with, from the options' offset on. Offsets of errors are counted from `base` bytes
    /// before.
    pub(crate) fn read(&self, bytes: &[u8], base: usize) -> Result<Outcome, Failure> {
        let Some(options) = &self.0 else { return decode(bytes, &ReadOptions::DEFAULT, base).map(Outcome::from) };
        // The options are let go before anything is built: a setter may use them.
        let (offset, reading, engine) = {
            let options = options.bind();
            options.require_ranges()?;
            (options.offset, options.reading(), other_engine::named(&options.engine)?)
        };
        let start = start_of(offset, bytes)?;
        let (bytes, base) = (&bytes[start..], base + start);
        match engine {
            None => decode(bytes, &reading, base).map(Outcome::from),
            Some(engine) => other_engine::read(bytes, engine, reading, base),
        }
    }

    /// The most bytes that a value within these options can have. An estimate: the bytes of a value are fewer than
    /// this many times the memory it is charged.
    pub(crate) fn most_bytes(&self) -> u64 {
        const BYTES_FOR_MEMORY: u64 = 8;
        let Some(options) = &self.0 else { return u64::MAX };
        let options = options.bind();
        match u64::try_from(options.max_memory) {
            Ok(1..) => options
                .max_memory
                .cast_unsigned()
                .saturating_mul(BYTES_FOR_MEMORY)
                .saturating_add(u64::try_from(options.offset).unwrap_or(0)),
            _ => u64::MAX,
        }
    }

    /// The bytes of a value.
    pub(crate) fn write(&self, value: &Variant) -> Result<Written, Failure> {
        let (policy, engine) = self.writing()?;
        match engine {
            None => encode(value, write_objects(policy.as_ref())).map(Written::from),
            Some(engine) => other_engine::write(value, engine, write_objects(policy.as_ref())),
        }
    }

    /// The number of bytes of a value.
    pub(crate) fn written_len(&self, value: &Variant) -> Result<usize, Failure> {
        let (policy, engine) = self.writing()?;
        match engine {
            None => encoded_len(value, write_objects(policy.as_ref())),
            Some(engine) => {
                other_engine::write(value, engine, write_objects(policy.as_ref())).map(|written| written.bytes.len())
            }
        }
    }

    /// Whose bytes they are, where it is not the running engine, and where in them the value begins.
    pub(crate) fn inspecting(&self, bytes: &[u8]) -> Result<(Option<Profile>, usize), Failure> {
        let Some(options) = &self.0 else { return Ok((None, 0)) };
        let options = options.bind();
        Ok((other_engine::named(&options.engine)?, start_of(options.offset, bytes)?))
    }

    /// The policy for writing objects, where they are written whole, and for whom. Both at once: to look into an object
    /// of the engine costs as much as writing a small value.
    fn writing(&self) -> Result<(Option<Policy>, Option<Profile>), Failure> {
        let Some(options) = &self.0 else { return Ok((None, None)) };
        let options = options.bind();
        Ok((options.allow_objects.then(|| options.policy()), other_engine::named(&options.engine)?))
    }
}

/// Where a value begins that is `offset` bytes into others.
fn start_of(offset: i64, bytes: &[u8]) -> Result<usize, Failure> {
    let start = usize::try_from(offset).ok().filter(|start| *start <= bytes.len());
    start.ok_or_else(|| {
        Failure::argument(format!("the options' offset {offset} is outside of the {} bytes", bytes.len()))
    })
}

fn write_objects(policy: Option<&Policy>) -> WriteObjects<'_> {
    policy.map_or(WriteObjects::AsIds, WriteObjects::Allowed)
}

impl Clone for ChosenOptions {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl GodotConvert for ChosenOptions {
    type Via = Option<Gd<VarBytesOptions>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl ToGodot for ChosenOptions {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, ByValue> {
        self.0.clone()
    }
}

impl FromGodot for ChosenOptions {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}
