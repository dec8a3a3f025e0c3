//! What reading a packet may use.

use clap::Args;
use varbytes::{Decoder, Limits};

#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Bytes of memory that a decoded value may take. Without this 16 MiB and 12 times the bytes of the packet, which
    /// no packet that an engine has written needs.
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    /// The deepest a value may be nested. Without this as deep as the engine reads, most often 1024 levels.
    #[arg(long, value_name = "LEVELS")]
    max_depth: Option<usize>,
    /// Values that all containers of a packet may have together, keys included. Without this any number.
    #[arg(long, value_name = "COUNT")]
    max_values: Option<usize>,
    /// Elements that all packed arrays of a packet may have together. Without this any number.
    #[arg(long, value_name = "COUNT")]
    max_packed_elements: Option<usize>,
    /// Bytes that any one string may have. Without this any number.
    #[arg(long, value_name = "BYTES")]
    max_string_length: Option<usize>,
}

impl LimitArguments {
    /// The limits for a packet of that many bytes.
    pub fn of(self, length: usize) -> Limits {
        let Self { max_memory, max_depth, max_values, max_packed_elements, max_string_length } = self;
        Limits {
            memory: max_memory.unwrap_or_else(|| length.saturating_mul(12).saturating_add(16 << 20)),
            depth: max_depth.unwrap_or(usize::MAX),
            values: max_values.unwrap_or(usize::MAX),
            packed_elements: max_packed_elements.unwrap_or(usize::MAX),
            string_length: max_string_length.unwrap_or(usize::MAX),
        }
    }
}

/// How packets are read.
pub struct Decoding {
    pub decoder: Decoder,
    pub limits: LimitArguments,
}

impl Decoding {
    /// The decoder for a packet of that many bytes.
    pub fn of(&self, length: usize) -> Decoder {
        self.decoder.limits(self.limits.of(length))
    }
}
