//! The state of a stream, apart from its peer.

use std::thread::ThreadId;
use std::time::Instant;

use godot::obj::Gd;

use super::outgoing::Outgoing;
use super::peer::Status;
use crate::error::{ErrorKind, VarBytesError};
use crate::file::stream::PartialRecord;
use crate::options::VarBytesOptions;

/// How many calls of `poll` in a row send nothing at most.
const MOST_DELAYS: u32 = 16;

pub(super) struct State {
    pub(super) options: Option<Gd<VarBytesOptions>>,
    pub(super) bytes_per_poll: i64,
    pub(super) max_record_size: i64,
    pub(super) max_queued_bytes: i64,
    pub(super) idle_timeout: f64,
    pub(super) sender: i64,
    pub(super) is_open: bool,
    /// The thread that polls.
    pub(super) polling: Option<ThreadId>,
    pub(super) is_sending: bool,
    /// Whether `close` was called.
    pub(super) is_closing: bool,
    /// How many calls of `poll` in a row have sent nothing, because there was more to receive.
    delays: u32,
    pub(super) partial: PartialRecord,
    /// Since when the peer is connecting, or a connection is closing.
    waiting: Option<Instant>,
    was_connected: bool,
    /// The local port of the connection, or 0 if it is not known.
    port: i64,
    /// When the last bytes of an incomplete record arrived.
    pub(super) progress: Option<Instant>,
    pub(super) outgoing: Outgoing,
}

impl State {
    pub(super) fn new(status: Status, options: Option<Gd<VarBytesOptions>>) -> Self {
        Self {
            options,
            bytes_per_poll: 64 << 10,
            max_record_size: 64 << 10,
            max_queued_bytes: 1 << 20,
            idle_timeout: 0.0,
            sender: 0,
            is_open: true,
            polling: None,
            is_sending: false,
            is_closing: false,
            delays: 0,
            partial: PartialRecord::default(),
            waiting: (status == Status::Connecting).then(Instant::now),
            was_connected: status == Status::Connected,
            port: 0,
            progress: None,
            outgoing: Outgoing::default(),
        }
    }

    /// Ends sending and receiving. Returns whether that had not ended yet.
    pub(super) fn close(&mut self) -> bool {
        self.partial = PartialRecord::default();
        self.outgoing = Outgoing::default();
        std::mem::replace(&mut self.is_open, false)
    }

    /// Returns whether to send nothing in this call of `poll`, because there is more to receive.
    pub(super) fn delays(&mut self, has_more: bool) -> bool {
        self.delays = if has_more && self.delays < MOST_DELAYS { self.delays + 1 } else { 0 };
        self.delays > 0
    }

    /// Checks that the peer of a stream has not been connected again. There is no port for peers of packets.
    pub(super) fn require_same_connection(&mut self, status: Status, port: Option<i64>) -> Result<(), VarBytesError> {
        let Some(port) = port else { return Ok(()) };
        let is_other = port != 0 && self.port != 0 && port != self.port;
        if is_other || (self.was_connected && status == Status::Connecting) {
            return Err(disconnected(self.partial.len()));
        }
        if port != 0 {
            self.port = port;
        }
        Ok(())
    }

    /// Returns whether the peer is connected. Returns an error if it will not be, or if connecting or closing takes longer than
    /// `idle_timeout`.
    pub(super) fn may_receive(&mut self, status: Status) -> Result<bool, VarBytesError> {
        match status {
            Status::Connected => {
                (self.waiting, self.was_connected) = (None, true);
                Ok(true)
            }
            Status::Connecting => {
                let since = *self.waiting.get_or_insert_with(Instant::now);
                let what =
                    if self.was_connected { "the connection is still closing" } else { "there is no connection" };
                self.in_time(since, |seconds| format!("{what} after {seconds:.1} seconds"))?;
                Ok(false)
            }
            Status::Disconnected => Err(self.disconnected()),
        }
    }

    /// Returns the error for a peer that is not connected.
    pub(super) fn disconnected(&self) -> VarBytesError {
        let message = match self.waiting {
            _ if self.was_connected => return disconnected(self.partial.len()),
            Some(_) => "the peer could not connect, or was disconnected before the next poll",
            None => "the peer was not connected: connect or bind it first",
        };
        VarBytesError::new(ErrorKind::Stream, "disconnected", message.to_owned())
    }

    /// Keeps an incomplete record. Returns an error if none of its bytes has arrived for `idle_timeout`.
    pub(super) fn keep(&mut self, partial: PartialRecord, has_grown: bool) -> Result<(), VarBytesError> {
        let arrived = partial.len();
        self.partial = partial;
        if has_grown {
            self.progress = Some(Instant::now());
        }
        let Some(progress) = self.progress else { return Ok(()) };
        self.in_time(progress, |seconds| {
            format!("nothing has arrived for {seconds:.1} seconds after {arrived} bytes of a record")
        })
    }

    /// Returns an error if more time has passed than `idle_timeout` allows.
    fn in_time(&self, since: Instant, message: impl FnOnce(f64) -> String) -> Result<(), VarBytesError> {
        let seconds = since.elapsed().as_secs_f64();
        if self.idle_timeout > 0.0 && seconds >= self.idle_timeout {
            return Err(VarBytesError::of_record(ErrorKind::Stream, "timed_out", message(seconds), 0));
        }
        Ok(())
    }
}

/// The error for a connection that has ended when so many bytes of a record had arrived.
pub(super) fn disconnected(arrived: usize) -> VarBytesError {
    if arrived == 0 {
        return VarBytesError::new(ErrorKind::Stream, "disconnected", "the connection has ended".to_owned());
    }
    let message = format!("the connection has ended after {arrived} bytes of a record");
    VarBytesError::of_record(ErrorKind::Truncated, "stream_ended", message, 0)
}
