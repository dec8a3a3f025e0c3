//! A running engine that answers questions about packets and values in batches.

use std::time::Duration;

use crate::engine::{Connection, ConnectionError};
use crate::judge::Verdict;
use crate::reference::Running;

/// How long an engine may take for a batch. It needs milliseconds, but on a busy machine it may wait for seconds.
const LIMIT: Duration = Duration::from_secs(30);

/// The environment variable that sets another limit, in seconds.
const LIMIT_VARIABLE: &str = "VARBYTES_ANSWER_SECONDS";

/// The first byte of each question in a batch.
const READ: u8 = 0;
const READ_WITH_OBJECTS: u8 = 1;
const WRITE: u8 = 2;
const WRITE_FULL_OBJECTS: u8 = 3;

/// Questions to an engine in their wire form: the number of questions, then for each question its kind, a guess, a
/// length and bytes. All numbers have 32 bits.
#[derive(Clone, Debug)]
pub struct Batch {
    message: Vec<u8>,
    questions: u32,
}

impl Default for Batch {
    fn default() -> Self {
        Self { message: vec![0; 4], questions: 0 }
    }
}

impl Batch {
    /// Creates a batch with capacity for this many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        let mut batch = Self::default();
        batch.message.reserve(bytes);
        batch
    }

    /// Asks how a packet is read, and what is written for its value. `guess` is how many bytes the value may take: it
    /// saves time with engines that do not report this.
    pub fn read(&mut self, packet: &[u8], objects: bool, guess: usize) {
        self.question(if objects { READ_WITH_OBJECTS } else { READ }, guess, packet);
    }

    /// Asks what is written for the value of a [recipe](crate::recipe).
    pub fn write(&mut self, recipe: &[u8], full_objects: bool) {
        self.question(if full_objects { WRITE_FULL_OBJECTS } else { WRITE }, 0, recipe);
    }

    fn question(&mut self, what: u8, guess: usize, bytes: &[u8]) {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        self.message.push(what);
        self.message.extend(number(guess));
        self.message.extend(number(bytes.len()));
        self.message.extend_from_slice(bytes);
        self.questions += 1;
        self.message[..4].copy_from_slice(&self.questions.to_le_bytes());
    }

    /// Returns the number of questions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.questions as usize
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.questions == 0
    }

    /// Returns their length in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.message.len()
    }

    /// Removes all questions.
    pub fn clear(&mut self) {
        self.message.truncate(4);
        self.questions = 0;
    }
}

/// A running engine, stopped when this is dropped.
#[derive(Debug)]
pub struct Live {
    connection: Connection,
    answer: Vec<u8>,
}

impl Live {
    /// Starts an engine.
    ///
    /// # Errors
    /// If it does not start or does not connect.
    ///
    /// # Panics
    /// If `VARBYTES_ANSWER_SECONDS` is set but is not a number.
    pub fn start(running: &Running) -> Result<Self, ConnectionError> {
        let limit = std::env::var(LIMIT_VARIABLE).map_or(LIMIT, |seconds| {
            let seconds = seconds.parse().unwrap_or_else(|_| panic!("{LIMIT_VARIABLE} is not a number: {seconds}"));
            Duration::from_secs(seconds)
        });
        Self::start_with_limit(running, limit)
    }

    fn start_with_limit(running: &Running, limit: Duration) -> Result<Self, ConnectionError> {
        let connection = running.connect("answer.gd", limit)?;
        Ok(Self { connection, answer: Vec::new() })
    }

    /// Lets the engine answer a batch. Each answer has the bytes used (0 if the packet is rejected or the value is not
    /// written) and the written bytes.
    ///
    /// # Errors
    /// If the engine dies, hangs or sends an invalid answer. It cannot be used after that.
    pub fn ask(&mut self, batch: &Batch) -> Result<Vec<Verdict>, ConnectionError> {
        self.connection.ask(&batch.message, &mut self.answer)?;
        let verdicts = verdicts(&self.answer, batch.len());
        verdicts.ok_or_else(|| self.connection.out_of_step(format!("no answer to {} questions", batch.len())))
    }

    /// Returns the engine's process id.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.connection.process()
    }
}

/// Parses the verdicts in an answer: for each question the bytes used, a length, and the written bytes.
fn verdicts(mut answer: &[u8], questions: usize) -> Option<Vec<Verdict>> {
    let mut verdicts = Vec::with_capacity(questions);
    while !answer.is_empty() {
        let used = usize::try_from(number(&mut answer)?).ok()?;
        let length = usize::try_from(number(&mut answer)?).ok()?;
        verdicts.push(Verdict::new(used, answer.split_off(..length)?.to_vec()));
    }
    (verdicts.len() == questions).then_some(verdicts)
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    bytes.split_off(..4)?.try_into().ok().map(u32::from_le_bytes)
}
