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
            (options.offset, options.reading(), other_engine::named(&options.engine)?)
        };
        let Some(start) = usize::try_from(offset).ok().filter(|start| *start <= bytes.len()) else {
            let length = bytes.len();
            return Err(Failure::argument(format!("the options' offset {offset} is outside of the {length} bytes")));
        };
        let (bytes, base) = (&bytes[start..], base + start);
        match engine {
            None => decode(bytes, &reading, base).map(Outcome::from),
            Some(engine) => other_engine::read(bytes, engine, reading, base),
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

    /// Whose bytes they are, where it is not the running engine.
    pub(crate) fn engine(&self) -> Result<Option<Profile>, Failure> {
        self.0.as_ref().map_or(Ok(None), |options| other_engine::named(&options.bind().engine))
    }

    /// The policy for writing objects, where they are written whole, and for whom. Both at once: to look into an object
    /// of the engine costs as much as writing a small value.
    fn writing(&self) -> Result<(Option<Policy>, Option<Profile>), Failure> {
        let Some(options) = &self.0 else { return Ok((None, None)) };
        let options = options.bind();
        Ok((options.allow_objects.then(|| options.policy()), other_engine::named(&options.engine)?))
    }
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
