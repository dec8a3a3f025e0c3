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

    /// Returns the length of the longest packet that cannot exceed them, except by conversions of members or very deep values.
    pub(crate) fn longest_within(&self) -> usize {
        let Self { depth, memory, values, packed_elements, string_length } = *self;
        if depth <= Parts::DEPTH {
            return 0;
        }
        // As `Limits::untrusted`, from the limit to the length.
        let lengths = [
            (memory, memory.saturating_sub(4096) / 64),
            (values, values.saturating_mul(4)),
            (packed_elements, packed_elements),
            (string_length, string_length),
        ];
        let limiting = lengths.iter().filter(|(limit, _)| !matches!(limit, 0 | &usize::MAX));
        limiting.map(|(_, length)| *length).min().unwrap_or(usize::MAX)
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

#[cfg(test)]
mod tests {
    use varbytes::Limits;

    use super::LimitOptions;

    #[test]
    fn a_packet_of_the_longest_length_is_within_each_limit() {
        assert_eq!(LimitOptions::DEFAULT.longest_within(), usize::MAX);
        assert_eq!(LimitOptions::NONE.longest_within(), usize::MAX);
        assert_eq!(LimitOptions { depth: 4, ..LimitOptions::NONE }.longest_within(), 0);
        for limit in [1, 7, 4096, 4160, 10_000, 1 << 20, usize::MAX - 1] {
            let of_memory = LimitOptions { memory: limit, ..LimitOptions::DEFAULT }.longest_within();
            assert!(of_memory == 0 || Limits::untrusted(of_memory).memory <= limit, "{limit} bytes of memory");
            let of_values = LimitOptions { values: limit, ..LimitOptions::DEFAULT }.longest_within();
            assert!(Limits::untrusted(of_values).values <= limit, "{limit} values");
            let elements = LimitOptions { packed_elements: limit, ..LimitOptions::DEFAULT }.longest_within();
            assert!(Limits::untrusted(elements).packed_elements <= limit, "{limit} elements");
            let of_text = LimitOptions { string_length: limit, ..LimitOptions::DEFAULT }.longest_within();
            assert!(Limits::untrusted(of_text).string_length <= limit, "{limit} bytes of text");
        }
    }
}
