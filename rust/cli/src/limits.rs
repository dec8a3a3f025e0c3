//! The limits for reading a packet.

use clap::Args;
use varbytes::{Decoder, Limits, Profile};

use crate::standard::WrongUsage;

#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Bytes of memory for the decoded value. The default is 64 times the length of the packet plus 4096, which is
    /// enough for every packet that an engine writes. All default limits are safe for untrusted input
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    /// Maximum nesting depth. The default is the engine's limit, usually 1024 levels, which a greater number does not
    /// raise
    #[arg(long, value_name = "LEVELS")]
    max_depth: Option<usize>,
    /// Number of values in all containers of a packet. The default is a quarter of the packet's length
    #[arg(long, value_name = "COUNT")]
    max_values: Option<usize>,
    /// Number of elements in all packed arrays of a packet. The default is the packet's length
    #[arg(long, value_name = "COUNT")]
    max_packed_elements: Option<usize>,
    /// Bytes of a single string. The default is the packet's length
    #[arg(long, value_name = "BYTES")]
    max_string_length: Option<usize>,
}

impl LimitArguments {
    /// Returns the limits for a packet of `length` bytes: the given ones, and the defaults for untrusted input.
    pub fn of(self, length: usize) -> Limits {
        let usual = Limits::untrusted(length);
        usual
            .depth(self.max_depth.unwrap_or(usual.depth))
            .memory(self.max_memory.unwrap_or(usual.memory))
            .values(self.max_values.unwrap_or(usual.values))
            .packed_elements(self.max_packed_elements.unwrap_or(usual.packed_elements))
            .string_length(self.max_string_length.unwrap_or(usual.string_length))
    }
}

#[derive(Args, Clone, Copy)]
pub struct LengthArgument {
    /// Maximum length of the input, or of each line or record where these are read one by one. The default is 64 MiB for
    /// a line; other input has no default
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    max_length: Option<usize>,
}

impl LengthArgument {
    pub fn of_line(self) -> usize {
        self.max_length.unwrap_or(64 << 20)
    }

    /// Returns the limit for a whole input, or for a record.
    pub fn of_input(self) -> usize {
        self.max_length.unwrap_or(usize::MAX)
    }
}

/// Refuses --double for an engine without it.
pub fn ensure_double(engine: Profile, message: &'static str) -> Result<(), WrongUsage> {
    if engine.has_double_precision() { Ok(()) } else { Err(WrongUsage(message)) }
}

/// A decoder with limits for each packet.
pub struct Decoding {
    pub decoder: Decoder,
    pub engine: Profile,
    pub max_length: LengthArgument,
    pub limits: LimitArguments,
}

impl Decoding {
    /// Returns the decoder for a packet of `length` bytes.
    pub fn of(&self, length: usize) -> Decoder {
        self.decoder.limits(self.limits.of(length))
    }
}
