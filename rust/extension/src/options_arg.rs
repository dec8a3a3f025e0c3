//! The `options` argument of a call: reads and writes with the options. Null means the defaults.

use std::ops::Range;

use godot::builtin::Variant;
use varbytes::Profile;

use crate::decode::{ReadOptions, Reader, decode};
use crate::encode::{WriteObjects, encode, encoded_len};
use crate::error::VarBytesError;
use crate::options::VarBytesOptions;
use crate::other_engine;
use crate::outcome::{Encoded, Outcome};
use crate::policy::Policy;
use crate::raw::NullableArg;

/// A `VarBytesOptions`, or null.
pub type OptionsArg = NullableArg<VarBytesOptions>;

impl OptionsArg {
    /// Reads the value in `bytes` that begins at the options' offset. Errors report offsets from `base` bytes before
    /// `bytes`.
    pub(crate) fn read(&self, bytes: &[u8], base: usize) -> Result<Outcome, VarBytesError> {
        self.read_by(decode, bytes, base)
    }

    /// Reads as [`read`](Self::read) does, with a function in place of `decode`.
    pub(crate) fn read_by(&self, read: Reader, bytes: &[u8], base: usize) -> Result<Outcome, VarBytesError> {
        let usual = |bytes: &[u8], options: &ReadOptions, base: usize| {
            read(bytes, options, base).map(|(value, used)| Outcome::new(value, used))
        };
        let Some(options) = &self.0 else { return usual(bytes, &ReadOptions::DEFAULT, base) };
        // The borrow ends before anything is built: a setter may use the options.
        let (part, reading, engine) = {
            let options = options.bind();
            (part_of(&options, bytes)?, options.reading(), other_engine::named(&options.engine)?)
        };
        let (bytes, base) = (&bytes[part.clone()], base + part.start);
        match engine {
            None => usual(bytes, &reading, base),
            Some(engine) => other_engine::read(bytes, engine, reading, base, read),
        }
    }

    /// Returns the most bytes that a value within these options can have. This is an estimate: the bytes of a value are
    /// fewer than this multiple of the memory that it is charged.
    pub(crate) fn most_bytes(&self) -> u64 {
        const BYTES_FOR_MEMORY: u64 = 8;
        let Some(options) = &self.0 else { return u64::MAX };
        let options = options.bind();
        match u64::try_from(options.max_memory) {
            Ok(memory @ 1..) => {
                let offset = u64::try_from(options.offset).unwrap_or(0);
                memory.saturating_mul(BYTES_FOR_MEMORY).saturating_add(offset)
            }
            _ => u64::MAX,
        }
    }

    /// Returns the bytes of a value.
    pub(crate) fn write(&self, value: &Variant) -> Result<Encoded, VarBytesError> {
        let (policy, engine) = self.writing()?;
        match engine {
            None => encode(value, write_objects(policy.as_ref())).map(Encoded::from),
            Some(engine) => other_engine::write(value, engine, write_objects(policy.as_ref())),
        }
    }

    /// Returns the number of bytes of a value.
    pub(crate) fn written_len(&self, value: &Variant) -> Result<usize, VarBytesError> {
        let (policy, engine) = self.writing()?;
        let objects = write_objects(policy.as_ref());
        match engine {
            None => encoded_len(value, objects),
            Some(engine) => other_engine::write(value, engine, objects).map(|encoded| encoded.bytes.len()),
        }
    }

    /// Returns the engine that wrote the bytes, `None` for the running one, and which of them to read.
    pub(crate) fn inspecting(&self, bytes: &[u8]) -> Result<(Option<Profile>, Range<usize>), VarBytesError> {
        let Some(options) = &self.0 else { return Ok((None, 0..bytes.len())) };
        let options = options.bind();
        Ok((other_engine::named(&options.engine)?, part_of(&options, bytes)?))
    }

    /// Returns the policy, if objects are written in full, and the engine to write for. One function returns both because
    /// binding the options costs as much as writing a small value.
    fn writing(&self) -> Result<(Option<Policy>, Option<Profile>), VarBytesError> {
        let Some(options) = &self.0 else { return Ok((None, None)) };
        let options = options.bind();
        Ok((options.allow_objects.then(|| options.policy()), other_engine::named(&options.engine)?))
    }
}

/// Returns which of the bytes to read.
pub(crate) fn part_of(options: &VarBytesOptions, bytes: &[u8]) -> Result<Range<usize>, VarBytesError> {
    let VarBytesOptions { offset, size, .. } = *options;
    let outside =
        |what: String| VarBytesError::argument(format!("the options' {what} is outside of the {} bytes", bytes.len()));
    let start = usize::try_from(offset).ok().filter(|start| *start <= bytes.len());
    let start = start.ok_or_else(|| outside(format!("offset {offset}")))?;
    // A negative size stands for all bytes.
    let Ok(size) = u64::try_from(size) else { return Ok(start..bytes.len()) };
    let size = usize::try_from(size).ok().filter(|size| *size <= bytes.len() - start);
    size.map(|size| start..start + size).ok_or_else(|| outside(format!("size {} at offset {offset}", options.size)))
}

fn write_objects(policy: Option<&Policy>) -> WriteObjects<'_> {
    policy.map_or(WriteObjects::AsIds, WriteObjects::Allowed)
}
