//! The state that all parts of the reader share: the cursor, the options, the builder, and the rest of the limits.

use crate::VariantType;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::run::Fixed;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::profile::PlainHeaders;
use crate::read::cursor::Cursor;
use crate::read::known_names::KnownNames;
use crate::variant::KeyHasher;
use crate::wire::TYPE_MASK;
use crate::write::writer::header_flags;

/// The maximum size of an allocation, which matters on 32-bit targets.
const MAX_ALLOCATION: usize = isize::MAX.unsigned_abs();

/// Levels beyond the recursive ones whose memory is not charged.
pub(crate) const FREE_LEVELS: usize = 4;

/// The state that reading a value of any type needs. The files of `types/` add the methods that read each type. None of
/// them depends on the stack of open containers.
pub(crate) struct Input<'a, 'b, B: Builder<'a>> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) options: &'b ReadOptions,
    pub(crate) builder: &'b mut B,
    pub(crate) hasher: KeyHasher,
    /// The minimum number of bytes of all members that have not been read yet.
    pub(crate) reserved_bytes: usize,
    /// The rest of the limits: bytes of memory, values in containers and elements of packed arrays.
    pub(crate) memory: usize,
    values: usize,
    pub(crate) elements: usize,
    /// The number of levels beyond the recursive ones whose memory has been charged.
    pub(crate) charged_levels: usize,
    pub(crate) plain_headers: &'static PlainHeaders,
    /// Whether the fast path may be used.
    pub(crate) fast_path: bool,
    /// The type of the last value of a Dictionary that consists of several numbers.
    pub(crate) last_fixed: Fixed,
    /// The text of the last `String` that was read.
    pub(crate) last_text: &'a [u8],
    /// The names of classes and properties so far.
    pub(crate) known_names: KnownNames<'a>,
}

/// A finished value, and what its container needs to know about it.
pub(crate) struct Item<V> {
    pub(crate) value: V,
    pub(crate) variant_type: VariantType,
    /// Whether it is an object that is known only by its id.
    pub(crate) is_object_id: bool,
    /// The offset of its header.
    pub(crate) start: usize,
    /// Its hash as a key, if its container needs one.
    pub(crate) hash: u64,
}

impl<'a, 'b, B: Builder<'a>> Input<'a, 'b, B> {
    #[inline(always)]
    pub(crate) fn new(cursor: Cursor<'a>, options: &'b ReadOptions, builder: &'b mut B) -> Self {
        const { assert!(!(B::FAST_PATH && B::WANTS_SPANS), "a builder that wants spans must set FAST_PATH to false") }
        Self {
            cursor,
            options,
            builder,
            hasher: KeyHasher::new(options.profile.keys()),
            reserved_bytes: 0,
            memory: options.limits.memory.min(MAX_ALLOCATION),
            values: options.limits.values,
            elements: options.limits.packed_elements,
            charged_levels: FREE_LEVELS,
            plain_headers: options.profile.plain_headers(),
            fast_path: B::FAST_PATH && !options.strict && !options.slow_path_only,
            last_fixed: Fixed::NONE,
            last_text: &[],
            known_names: KnownNames::default(),
        }
    }

    /// Returns whether the fast path may be used.
    #[inline(always)]
    pub(crate) fn has_fast_path(&self) -> bool {
        B::FAST_PATH && self.fast_path
    }

    /// Returns whether duplicate keys are searched for.
    #[inline(always)]
    pub(crate) fn finds_duplicate_keys(&self) -> bool {
        B::DUPLICATE_KEYS != DuplicateKeys::Ignored || self.options.strict
    }

    /// Returns whether text that is not Unicode is an error.
    pub(crate) fn text_is_unicode(&self) -> bool {
        self.options.profile.text_is_unicode() && !self.options.keeps_text
    }

    /// Returns whether known bugs of the engine's reader are imitated.
    pub(crate) fn imitates_engine_bugs(&self) -> bool {
        !self.options.fixes_engine_bugs && !self.options.strict
    }

    /// Returns the container that the builder has begun, and reports its span. Not a function that calls the builder: its
    /// result would be copied through memory.
    #[inline(always)]
    pub(crate) fn begun<T>(&mut self, container: Result<T, DecodeErrorKind>, start: usize) -> Result<T, DecodeError> {
        let container = container.map_err(DecodeError::at(start))?;
        self.report_span(start);
        Ok(container)
    }

    /// Reports the byte range of the last call to the builder, if it wants spans.
    #[inline]
    pub(crate) fn report_span(&mut self, start: usize) {
        if B::WANTS_SPANS {
            self.builder.span(start, self.cursor.position());
        }
    }

    /// Charges memory and values in containers, before either is used.
    #[inline]
    pub(crate) fn charge(&mut self, memory: usize, values: usize) -> Result<(), DecodeError> {
        let Some(memory_left) = self.memory.checked_sub(memory) else {
            let limit = self.options.limits.memory.min(MAX_ALLOCATION);
            return Err(self.error_here(DecodeErrorKind::MemoryLimit { limit }));
        };
        let Some(values_left) = self.values.checked_sub(values) else {
            return Err(self.error_here(DecodeErrorKind::ValueLimit { limit: self.options.limits.values }));
        };
        self.memory = memory_left;
        self.values = values_left;
        Ok(())
    }

    /// Charges the values and the memory of a container whose members take `length` of the `available` bytes. Charges
    /// nothing and returns `None` if that exceeds a limit, or the input.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn take_members(&mut self, values: usize, memory: usize, length: usize, available: usize) -> Option<()> {
        if available.checked_sub(length)? < self.reserved_bytes {
            return None;
        }
        let memory = self.memory.checked_sub(memory)?;
        self.values = self.values.checked_sub(values)?;
        self.memory = memory;
        Some(())
    }

    #[cold]
    pub(crate) fn too_deep(&self, limit: usize) -> DecodeError {
        self.error_here(DecodeErrorKind::DepthLimit { limit })
    }

    /// Charges elements of packed arrays.
    #[inline]
    pub(crate) fn charge_elements(&mut self, elements: usize) -> Result<(), DecodeError> {
        let Some(left) = self.elements.checked_sub(elements) else {
            return Err(self.error_here(DecodeErrorKind::ElementLimit { limit: self.options.limits.packed_elements }));
        };
        self.elements = left;
        Ok(())
    }

    #[cold]
    fn error_here(&self, kind: DecodeErrorKind) -> DecodeError {
        DecodeError::new(kind, self.cursor.position())
    }

    /// Returns what is left of the limits.
    pub(crate) fn limits_left(&self) -> Limits {
        Limits { memory: self.memory, values: self.values, packed_elements: self.elements, ..self.options.limits }
    }

    /// Sets what is left of the limits.
    pub(crate) fn set_limits_left(&mut self, left: Limits) {
        (self.memory, self.values, self.elements) = (left.memory, left.values, left.packed_elements);
    }

    /// Checks that the rest of the input can hold `count` members of at least `size` bytes each, besides the bytes
    /// reserved for members of outer containers. So memory is reserved only for members that the input can hold.
    #[inline]
    pub(crate) fn check_count(&self, count: u32, size: usize, offset: usize) -> Result<usize, DecodeError> {
        let available = self.cursor.remaining();
        let needed = u64::from(count) * size as u64 + self.reserved_bytes as u64;
        match usize::try_from(count) {
            Ok(count) if needed <= available as u64 => Ok(count),
            _ => Err(DecodeError::new(DecodeErrorKind::CountExceedsInput { count, available }, offset)),
        }
    }

    /// In strict reading, refuses what the engine reads but writes differently.
    #[inline]
    pub(crate) fn require(&self, canonical: bool, offset: usize, reason: &'static str) -> Result<(), DecodeError> {
        if canonical || !self.options.strict {
            return Ok(());
        }
        Err(DecodeError::new(DecodeErrorKind::NotCanonical { reason }, offset))
    }

    pub(crate) fn check_header(&self, variant_type: VariantType, header: u32, start: usize) -> Result<(), DecodeError> {
        let stray = header & !TYPE_MASK & !header_flags(self.options.profile, variant_type);
        let offset = start + (stray.trailing_zeros() / 8) as usize;
        self.require(stray == 0, offset, "unknown header bits for this type")
    }
}
