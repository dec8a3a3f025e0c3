//! The cursor: the input and the read position.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::read::window::Window;
use crate::wire::WORD;
use crate::work;

/// The input and the read position. All bounds checks of the reader are here.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(crate) position: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Returns the number of bytes read so far. Past the end of the input if padding was missing that the engine does
    /// not require.
    #[inline]
    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    #[inline]
    pub(crate) const fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        match self.bytes.get(self.position..).and_then(|rest| rest.get(..length)) {
            Some(taken) => {
                work::add_bytes(length);
                self.position += length;
                Ok(taken)
            }
            None => Err(self.truncated(length)),
        }
    }

    #[inline]
    pub(crate) fn take_array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        match self.bytes.get(self.position..).and_then(|rest| rest.first_chunk()) {
            Some(taken) => {
                self.position += N;
                Ok(*taken)
            }
            None => Err(self.truncated(N)),
        }
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Result<u32, DecodeError> {
        self.take_array::<WORD>().map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Result<u64, DecodeError> {
        self.take_array().map(u64::from_le_bytes)
    }

    #[inline(always)]
    pub(crate) fn window(&self) -> Window {
        Window::of(self.bytes, self.position)
    }

    /// Returns the input after the position plus `offset`, without moving.
    #[inline(always)]
    pub(crate) fn rest(&self, offset: usize) -> &'a [u8] {
        self.bytes.get(self.position + offset..).unwrap_or_default()
    }

    /// Moves past bytes that the input is known to have.
    #[inline]
    pub(crate) fn advance(&mut self, length: usize) {
        self.position += length;
    }

    /// Skips `length` bytes and returns those that the input has, which may be fewer.
    pub(crate) fn skip_even_past_end(&mut self, length: usize) -> &'a [u8] {
        let held = self.bytes.get(self.position..).unwrap_or_default();
        self.position += length;
        &held[..length.min(held.len())]
    }

    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn move_to(&mut self, position: usize) {
        self.position = position;
    }

    pub(crate) fn at(&self, position: usize) -> Self {
        Self { position, ..self.clone() }
    }

    #[cold]
    pub(crate) fn truncated(&self, needed: usize) -> DecodeError {
        // If padding was missing, the position is past the end.
        let offset = self.position.min(self.bytes.len());
        DecodeError::new(DecodeErrorKind::Truncated { needed, available: self.remaining() }, offset)
    }
}
