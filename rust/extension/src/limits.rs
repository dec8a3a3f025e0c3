//! Limits for a packet, and the memory that values take in the engine.

use varbytes::build::MemoryCosts;
use varbytes::{Limits, Parts};

/// Limits as the options state them. In all but `depth`, 0 stands for the default, which is no limit or follows from the length of the
/// packet.
#[derive(Clone, Copy)]
pub(crate) struct LimitOptions {
    pub(crate) depth: usize,
    pub(crate) memory: usize,
    pub(crate) values: usize,
    pub(crate) packed_elements: usize,
    pub(crate) string_length: usize,
}

/// Added to the limits that follow from the length, so that conversions in short packets are within them.
const ALLOWANCE: usize = 1 << 12;

impl LimitOptions {
    pub(crate) const NONE: Self = Self {
        depth: usize::MAX,
        memory: usize::MAX,
        values: usize::MAX,
        packed_elements: usize::MAX,
        string_length: usize::MAX,
    };

    /// The limits that follow from the length of the packet.
    pub(crate) const DEFAULT: Self =
        Self { depth: usize::MAX, memory: 0, values: 0, packed_elements: 0, string_length: 0 };

    /// Returns whether no packet exceeds them, except by conversions of members or very deep values.
    pub(crate) fn allow_any_value(&self) -> bool {
        let Self { depth, memory, values, packed_elements, string_length } = *self;
        depth > Parts::DEPTH
            && [memory, values, packed_elements, string_length].iter().all(|limit| matches!(limit, 0 | &usize::MAX))
    }

    /// Returns the limits for a packet of that many bytes.
    #[inline(always)]
    pub(crate) fn of_packet(&self, length: usize) -> Limits {
        let usual = Limits::untrusted(length);
        let or = |option: usize, usual: usize| if option == 0 { usual.saturating_add(ALLOWANCE) } else { option };
        // No limit is needed for strings and elements: they take up bytes of the packet.
        let any = |option: usize| if option == 0 { usize::MAX } else { option };
        Limits::NONE
            .depth(self.depth)
            .memory(or(self.memory, usual.memory))
            .values(or(self.values, usual.values))
            .packed_elements(any(self.packed_elements))
            .string_length(any(self.string_length))
    }
}

/// The memory that values take in Godot 4.6, measured in the editor build. `tests/suites/memory.gd` checks every type, within a
/// factor of two.
///
/// The engine stores each character in 4 bytes. Names are charged each time, although the engine stores repeated names once.
pub(crate) const COSTS: MemoryCosts = MemoryCosts {
    value: 24,
    array: 88,
    dictionary: 232,
    entry: 90,
    container_type: 0,
    object: 500,
    property: 32,
    object_id: 400,
    string: 20,
    string_name: 60,
    node_path: 40,
    name: 64,
    signal: 60,
    callable: 0,
    text_byte: 2,
    packed_array: 48,
    packed_byte: 1,
    packed_string: 24,
    four_reals: 0,
    six_reals: 32,
    nine_reals: 56,
    twelve_reals: 56,
    sixteen_reals: 72,
    wide_real: 0,
};
