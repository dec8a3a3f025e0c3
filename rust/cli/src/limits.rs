//! What reading a packet may use.

use clap::Args;
use varbytes::{Decoder, Limits};

#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Bytes of memory that a decoded value may take. Without this 64 times the bytes of the packet and 4096, which is
    /// enough for what engines write. The other limits, too, are by default what bytes from anyone may use.
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    /// The deepest a value may be nested. Without this as deep as the engine reads, most often 1024 levels.
    #[arg(long, value_name = "LEVELS")]
    max_depth: Option<usize>,
    /// Values that all containers of a packet may have together. Without this a quarter of the bytes of the packet.
    #[arg(long, value_name = "COUNT")]
    max_values: Option<usize>,
    /// Elements that all packed arrays of a packet may have together. Without this the bytes of the packet.
    #[arg(long, value_name = "COUNT")]
    max_packed_elements: Option<usize>,
    /// Bytes that any one string may have. Without this the bytes of the packet.
    #[arg(long, value_name = "BYTES")]
    max_string_length: Option<usize>,
}

impl LimitArguments {
    /// The limits for a packet of that many bytes: those for packets from anyone, where no others were given.
    pub fn of(self, length: usize) -> Limits {
        let Limits { depth, memory, values, packed_elements, string_length } = Limits::untrusted(length);
        Limits {
            depth: self.max_depth.unwrap_or(depth),
            memory: self.max_memory.unwrap_or(memory),
            values: self.max_values.unwrap_or(values),
            packed_elements: self.max_packed_elements.unwrap_or(packed_elements),
            string_length: self.max_string_length.unwrap_or(string_length),
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
