//! Values that are encoded but not sent yet.

use std::collections::VecDeque;

use godot::builtin::PackedByteArray;

use crate::error::{ErrorKind, VarBytesError};

#[derive(Default)]
pub(crate) struct Outgoing {
    messages: VecDeque<PackedByteArray>,
    /// The number of the first message. Messages are numbered in the order in which they were added.
    first: u64,
    /// How much of the first message has been sent.
    sent: usize,
    /// The bytes of all messages that have not been sent.
    bytes: usize,
}

impl Outgoing {
    /// The most bytes that a stream is given at once.
    const CHUNK: usize = 64 << 10;

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a message, if there are at most `limit` bytes then. Returns its number.
    pub(crate) fn push(&mut self, message: PackedByteArray, limit: usize) -> Result<u64, VarBytesError> {
        let size = message.len();
        if self.bytes.saturating_add(size) > limit {
            let message = match self.bytes {
                0 => format!("the value takes {size} bytes, but max_queued_bytes allows only {limit}: raise it"),
                waiting => format!(
                    "{waiting} bytes are waiting to be sent and the value adds {size}, but max_queued_bytes allows only {limit}"
                ),
            };
            return Err(VarBytesError::new(ErrorKind::Limit, "queue_full", message));
        }
        self.bytes += size;
        self.messages.push_back(message);
        Ok(self.first + self.messages.len() as u64 - 1)
    }

    /// Returns what to send next, a part of the first message, or all of it if it is a packet, and the number of the message.
    pub(crate) fn next(&self, is_packet: bool) -> Option<(PackedByteArray, u64)> {
        let message = self.messages.front()?;
        if is_packet || (self.sent == 0 && message.len() <= Self::CHUNK) {
            return Some((message.clone(), self.first));
        }
        let end = message.len().min(self.sent + Self::CHUNK);
        Some((PackedByteArray::from(&message.as_slice()[self.sent..end]), self.first))
    }

    /// Removes the message with that number if nothing of it has been sent.
    pub(crate) fn take_back(&mut self, number: u64) {
        let index = number.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        if let Some(index) = index.filter(|index| *index > 0 || self.sent == 0)
            && let Some(message) = self.messages.remove(index)
        {
            self.bytes -= message.len();
        }
    }

    /// Removes bytes of the first message.
    pub(crate) fn remove(&mut self, count: usize) {
        let Some(message) = self.messages.front() else { return };
        let removed = count.min(message.len() - self.sent);
        self.sent += removed;
        self.bytes -= removed;
        if self.sent == message.len() {
            self.messages.pop_front();
            self.first += 1;
            self.sent = 0;
        }
    }
}
