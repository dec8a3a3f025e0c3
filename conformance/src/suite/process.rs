//! Starts a codec as a process, and asks it in batches: one line of input and one line of output for each question.
//!
//! A process gets a whole batch and then the end of its input, so it may hold its answers back until the end. If it ends
//! early or stops answering, the batch is divided until the question at fault is known.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::engine::child;

/// Number of questions for one process.
const BATCH: usize = 512;

/// How often the limits are checked.
const TICK: Duration = Duration::from_millis(10);

/// A longer output for a batch is an error of the codec.
const OUTPUT_LIMIT: usize = 256 << 20;

/// Number of bytes of standard error that are kept.
const KEPT: usize = 4096;

/// The time that the first answer of the first process may take in addition: interpreters start slowly on a cold disk.
const FIRST_START: Duration = Duration::from_secs(30);

/// After this many hangs, the time limit is a fifth.
const PATIENCE: usize = 5;

/// The limits of a codec.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// How long an answer may take.
    pub time: Duration,
    /// How much memory the process and those that it starts may use, in bytes. Only Linux reports this.
    pub memory: u64,
}

/// A codec that can be started.
#[derive(Debug)]
pub struct Codec {
    words: Vec<OsString>,
    limits: ProcessLimits,
    start: Duration,
    hangs: usize,
    holds_back: bool,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A line.
    Line(Vec<u8>),
    /// The process ended without an answer: how, and the end of its standard error.
    Ended(String),
    /// There was no answer within the limit, and the process was killed.
    Hung(Duration),
    /// The process used this many bytes of memory, and was killed.
    Memory(u64),
    /// More than one line, or an endless line.
    TooMuch(String),
}

/// How a batch ended.
enum End {
    Exit(String),
    Hung(Duration),
    Memory(u64),
    Flood,
}

impl Codec {
    /// Prepares a codec from a command line, which is split into words as a shell does.
    ///
    /// # Errors
    /// If a quote is not closed, or there is no word.
    pub fn new(command: &str, limits: ProcessLimits) -> Result<Self> {
        let words = shell_words::split(command).with_context(|| format!("cannot split the command `{command}`"))?;
        if words.is_empty() {
            bail!("the command is empty");
        }
        let words = words.into_iter().map(OsString::from).collect();
        Ok(Self { words, limits, start: FIRST_START, hangs: 0, holds_back: false })
    }

    /// Asks one question and measures how long the codec takes to start. Later answers get this time in addition.
    ///
    /// # Errors
    /// If it does not start or does not answer with one line.
    pub fn greet(&mut self, arguments: &[&str], line: &str) -> Result<Vec<u8>> {
        let begin = Instant::now();
        let (answers, end) = self.run(arguments, &[line])?;
        let shown = self.shown(arguments);
        match (&answers[..], end) {
            ([answer], _) => {
                self.start = begin.elapsed() * 3 + Duration::from_millis(500);
                Ok(answer.clone())
            }
            ([], End::Exit(how)) => bail!("`{shown}` ended without an answer to the line `{line}`: {how}"),
            ([], End::Hung(limit)) => {
                bail!("`{shown}` did not answer the line `{line}` within {:.0} s", limit.as_secs_f64())
            }
            ([], End::Memory(bytes)) => bail!("`{shown}` used {bytes} bytes of memory before its first answer"),
            (answers, _) => bail!(
                "`{shown}` answered one line of input with {} lines; the first is `{}`",
                answers.len(),
                String::from_utf8_lossy(answers.first().map_or(&[][..], Vec::as_slice))
            ),
        }
    }

    fn shown(&self, arguments: &[&str]) -> String {
        let words: Vec<_> = self.words.iter().map(|word| word.to_string_lossy()).collect();
        shell_words::join(words.iter().map(AsRef::as_ref).chain(arguments.iter().copied()))
    }

    /// Asks all questions, and calls `answered` with the number of replies that are known.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn ask(&mut self, arguments: &[&str], lines: &[&str], answered: &mut dyn FnMut(usize)) -> Result<Vec<Reply>> {
        let mut replies: Vec<Option<Reply>> = vec![None; lines.len()];
        let mut open: Vec<(usize, usize)> =
            (0..lines.len()).step_by(BATCH).map(|start| (start, (start + BATCH).min(lines.len()))).rev().collect();
        let mut known = 0;
        while let Some((start, end)) = open.pop() {
            if start == end {
                continue;
            }
            let (answers, how) = self.run(arguments, &lines[start..end])?;
            if end - start == 1 {
                replies[start] = Some(self.reply(answers, how));
                known += 1;
            } else if answers.len() == end - start {
                for (reply, answer) in replies[start..end].iter_mut().zip(answers) {
                    *reply = Some(Reply::Line(answer));
                }
                known += end - start;
            } else if answers.len() > end - start {
                // It is not known which answer has more than one line.
                divide(start, end, &mut open);
            } else {
                let next = start + answers.len();
                let any = !answers.is_empty();
                known += answers.len();
                for (reply, answer) in replies[start..next].iter_mut().zip(answers) {
                    *reply = Some(Reply::Line(answer));
                }
                // A codec that holds its answers back loses them, so the first open question need not be the one at
                // fault.
                if self.holds_back && !any {
                    divide(next, end, &mut open);
                } else {
                    let (answers, how) = self.run(arguments, &lines[next..=next])?;
                    let reply = self.reply(answers, how);
                    self.holds_back |= !any && matches!(reply, Reply::Line(_));
                    replies[next] = Some(reply);
                    known += 1;
                    open.push((next + 1, end));
                }
            }
            answered(known);
        }
        Ok(replies.into_iter().flatten().collect())
    }

    /// The reply to a single question.
    fn reply(&mut self, mut answers: Vec<Vec<u8>>, how: End) -> Reply {
        match (answers.len(), how) {
            (1, _) => Reply::Line(answers.remove(0)),
            (0, End::Exit(how)) => Reply::Ended(how),
            (0, End::Hung(limit)) => {
                self.hangs += 1;
                Reply::Hung(limit)
            }
            (0, End::Memory(bytes)) => Reply::Memory(bytes),
            (_, End::Flood) => Reply::TooMuch("an endless output".to_owned()),
            (lines, _) => Reply::TooMuch(format!("{lines} lines")),
        }
    }

    /// Runs a process on a batch. Returns its complete lines and how it ended.
    fn run(&self, arguments: &[&str], lines: &[&str]) -> Result<(Vec<Vec<u8>>, End)> {
        let (program, first) = self.words.split_first().context("the command is empty")?;
        let mut command = Command::new(program);
        command.args(first).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().with_context(|| format!("cannot start `{}`", program.to_string_lossy()))?;
        let input = lines.iter().flat_map(|line| [line.as_bytes(), b"\n"]).collect::<Vec<_>>().concat();
        if let Some(mut stdin) = process.stdin.take() {
            // The process may end before it has read everything.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let errors = Arc::new(Mutex::new(Vec::new()));
        let errors_read = keep_end(process.stderr.take(), Arc::clone(&errors));
        let (sender, received) = mpsc::sync_channel(1024);
        read_lines(process.stdout.take(), sender);
        let (answers, end) = self.watch(&mut process, &received);
        if end.is_some() {
            child::kill_tree(&mut process);
        }
        let status = process.wait()?;
        if end.is_none() {
            // A process that the codec started may hold the pipe open.
            let begin = Instant::now();
            while !errors_read.is_finished() && begin.elapsed() < Duration::from_secs(1) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        let end = end.unwrap_or_else(|| {
            let text = errors.lock().map_or_else(|_| String::new(), |kept| last_lines(&kept));
            let how = child::describe(status);
            End::Exit(if text.is_empty() { how } else { format!("{how}: {text}") })
        });
        Ok((answers, end))
    }

    /// Reads lines until the process closes its output or exceeds a limit.
    fn watch(&self, process: &mut Child, received: &Receiver<Vec<u8>>) -> (Vec<Vec<u8>>, Option<End>) {
        let time = if self.hangs < PATIENCE { self.limits.time } else { self.limits.time / 5 };
        let (mut answers, mut length) = (Vec::new(), 0);
        let mut deadline = Instant::now() + self.start + time;
        let mut checked = Instant::now();
        loop {
            match received.recv_timeout(TICK) {
                Ok(line) => {
                    length += line.len();
                    answers.push(line);
                    deadline = Instant::now() + time;
                    if length > OUTPUT_LIMIT {
                        return (answers, Some(End::Flood));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // It has closed its output. It must also end.
                    while process.try_wait().is_ok_and(|status| status.is_none()) {
                        if Instant::now() >= deadline {
                            return (answers, Some(End::Hung(time)));
                        }
                        thread::sleep(Duration::from_millis(1));
                    }
                    return (answers, None);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if now >= deadline {
                return (answers, Some(End::Hung(time)));
            }
            if now >= checked + TICK {
                checked = now;
                let memory = memory(process.id());
                if memory > self.limits.memory {
                    return (answers, Some(End::Memory(memory)));
                }
            }
        }
    }
}

fn divide(start: usize, end: usize, open: &mut Vec<(usize, usize)>) {
    let middle = start + (end - start).div_ceil(2);
    open.push((middle, end));
    open.push((start, middle));
}

/// Returns the most memory that a process and its children have used; 0 if the system does not report it.
fn memory(process: u32) -> u64 {
    let of = |process: u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    let processes = std::iter::once(process).chain(child::descendants(process));
    processes.filter_map(of).sum::<u64>() * 1024
}

fn read_lines(pipe: Option<impl Read + Send + 'static>, lines: SyncSender<Vec<u8>>) {
    let Some(pipe) = pipe else { return };
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        loop {
            let mut line = Vec::new();
            let limit = u64::try_from(OUTPUT_LIMIT).unwrap_or(u64::MAX) + 1;
            match reader.by_ref().take(limit).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                // A line without its end is lost in a crash.
                Ok(length) if line.last() != Some(&b'\n') && length <= OUTPUT_LIMIT => {
                    let whole = serde_json::from_slice::<serde::de::IgnoredAny>(&line).is_ok();
                    if whole {
                        drop(lines.send(line));
                    }
                    return;
                }
                Ok(_) if lines.send(line.trim_ascii_end().to_vec()).is_err() => return,
                Ok(_) => {}
            }
        }
    });
}

/// Keeps the end of a stream.
fn keep_end(pipe: Option<impl Read + Send + 'static>, kept: Arc<Mutex<Vec<u8>>>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut buffer = [0; 4096];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => {
                    let Ok(mut kept) = kept.lock() else { return };
                    kept.extend_from_slice(&buffer[..length]);
                    let excess = kept.len().saturating_sub(KEPT);
                    kept.drain(..excess);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    })
}

/// Returns the last lines of an error message in one line.
fn last_lines(text: &[u8]) -> String {
    const LINES: usize = 3;
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].join(" | ")
}
