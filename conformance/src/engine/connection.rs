//! A connection to a running engine: a script answers messages until the connection closes.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::child::{self, Line, Stream};
use super::{Engine, RunError, RunRequest, display};

/// How long an engine may take to start and connect. It needs a second, or more with a cold disk.
const START_LIMIT: Duration = Duration::from_secs(60);

/// How long an engine may take to exit by itself, and how often this is checked.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(5);

/// Maximum number of lines of each output in an error.
const KEPT_LINES: usize = 15;

/// A longer answer is invalid: the protocol is out of sync.
const LONGEST_ANSWER: usize = 1 << 30;

/// A running engine with a connection to it.
///
/// In both directions, a message is a length, as a 32-bit little-endian integer, and bytes.
#[derive(Debug)]
pub struct Connection {
    child: Child,
    stream: TcpStream,
    limit: Duration,
    said: Arc<Mutex<Said>>,
    _home: TempDir,
}

/// The last lines of standard output and of standard error.
#[derive(Debug, Default)]
struct Said([VecDeque<String>; 2]);

/// The reason that an engine did not answer its last message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionError {
    /// The engine could not be started.
    #[error("cannot start the engine")]
    Start(#[source] RunError),
    /// Listening on a port failed.
    #[error("cannot listen for the engine")]
    Listen(#[source] io::Error),
    /// The engine has ended.
    #[error("the engine has ended ({how}){tail}")]
    Ended {
        /// The exit code or the signal.
        how: String,
        /// The end of its output.
        tail: String,
    },
    /// The engine did not answer in time, and was killed.
    #[error("the engine did not answer within {:.1} s and was killed{tail}", limit.as_secs_f64())]
    Silent {
        /// The time limit.
        limit: Duration,
        /// The end of its output.
        tail: String,
    },
    /// The engine sent an invalid answer.
    #[error("the engine sent an invalid answer: {what}{tail}")]
    OutOfStep {
        /// The problem with the answer.
        what: String,
        /// The end of its output.
        tail: String,
    },
}

impl Engine {
    /// Starts a script that connects to a port of 127.0.0.1, which is its last argument, and answers there.
    ///
    /// The time limit of the request applies to each answer.
    ///
    /// # Errors
    /// [`ConnectionError`] if it does not start or does not connect.
    pub fn connect(&self, request: &RunRequest<'_>) -> Result<Connection, ConnectionError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(ConnectionError::Listen)?;
        listener.set_nonblocking(true).map_err(ConnectionError::Listen)?;
        let port = listener.local_addr().map_err(ConnectionError::Listen)?.port();
        let mut request = request.clone();
        request.arguments.push(port.to_string().into());
        let (mut command, home) = self.prepared(&request).map_err(ConnectionError::Start)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|source| ConnectionError::Start(RunError::Start { program: display(&self.launcher), source }))?;
        let said = listen(&mut child);
        let tail = |said: &Mutex<Said>| said.lock().map_or_else(|_| String::new(), |said| said.tail());
        let deadline = Instant::now() + START_LIMIT;
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    let settled = settle(&stream, request.timeout);
                    let connection = Connection { child, stream, limit: request.timeout, said, _home: home };
                    return settled.map(|()| connection).map_err(ConnectionError::Listen);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(ConnectionError::Listen(error)),
            }
            if let Ok(Some(status)) = child.try_wait() {
                return Err(ConnectionError::Ended { how: child::describe(status), tail: tail(&said) });
            }
            if Instant::now() >= deadline {
                child::kill_tree(&mut child);
                let _ = child.wait();
                return Err(ConnectionError::Silent { limit: START_LIMIT, tail: tail(&said) });
            }
            thread::sleep(TICK);
        }
    }
}

impl Connection {
    /// Sends a message and replaces the content of `answer` with the answer.
    ///
    /// # Errors
    /// [`ConnectionError`] if there is no answer; the connection cannot be used after that.
    pub fn ask(&mut self, message: &[u8], answer: &mut Vec<u8>) -> Result<(), ConnectionError> {
        self.exchange(message, answer).map_err(|error| self.explain(&error))
    }

    /// Creates the error for an invalid answer.
    pub fn out_of_step(&self, what: impl Into<String>) -> ConnectionError {
        ConnectionError::OutOfStep { what: what.into(), tail: self.tail() }
    }

    /// Returns the engine's process id.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    fn exchange(&mut self, message: &[u8], answer: &mut Vec<u8>) -> io::Result<()> {
        let length = u32::try_from(message.len()).map_err(io::Error::other)?;
        self.stream.write_all(&length.to_le_bytes())?;
        self.stream.write_all(message)?;
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
        if length > LONGEST_ANSWER {
            return Err(io::Error::other(format!("an answer of {length} bytes")));
        }
        answer.resize(length, 0);
        self.stream.read_exact(answer)
    }

    fn explain(&mut self, error: &io::Error) -> ConnectionError {
        if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) {
            child::kill_tree(&mut self.child);
            let _ = self.child.wait();
            return ConnectionError::Silent { limit: self.limit, tail: self.tail() };
        }
        match self.leave() {
            Some(how) => ConnectionError::Ended { how, tail: self.tail() },
            None => self.out_of_step(error.to_string()),
        }
    }

    /// Returns how the engine ended by itself, or `None` if it was killed.
    fn leave(&mut self) -> Option<String> {
        let deadline = Instant::now() + LEAVE_LIMIT;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(child::describe(status)),
                Ok(None) => thread::sleep(TICK),
                Err(_) => break,
            }
        }
        child::kill_tree(&mut self.child);
        let _ = self.child.wait();
        None
    }

    fn tail(&self) -> String {
        // The last output may not have arrived yet.
        thread::sleep(TICK);
        self.said.lock().map_or_else(|_| String::new(), |said| said.tail())
    }
}

/// The script exits when the connection closes.
impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
        self.leave();
    }
}

impl Said {
    fn tail(&self) -> String {
        let text = |lines: &VecDeque<String>| lines.iter().map(String::as_str).collect::<String>();
        child::tail(&text(&self.0[0]), &text(&self.0[1]))
    }
}

fn settle(stream: &TcpStream, limit: Duration) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(limit))?;
    stream.set_write_timeout(Some(limit))
}

/// Reads the output of a child, so that it never blocks on a full pipe, and keeps the last lines.
fn listen(child: &mut Child) -> Arc<Mutex<Said>> {
    let (sender, lines): (_, Receiver<Line>) = mpsc::sync_channel(64);
    child::read_lines(child.stdout.take(), Stream::Out, sender.clone());
    child::read_lines(child.stderr.take(), Stream::Err, sender);
    let said = Arc::new(Mutex::new(Said::default()));
    let kept = Arc::clone(&said);
    thread::spawn(move || {
        for (stream, line) in lines {
            let Ok(mut said) = kept.lock() else { return };
            let lines = &mut said.0[usize::from(stream == Stream::Err)];
            if lines.len() == KEPT_LINES {
                lines.pop_front();
            }
            lines.push_back(String::from_utf8_lossy(&line).into_owned());
        }
    });
    said
}
