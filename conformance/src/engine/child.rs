//! Runs a child process: reads both outputs, enforces a deadline, and leaves no process running.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// More than any correct script prints. A script that prints in a loop must not fill the memory before its deadline.
pub(super) const OUTPUT_LIMIT: usize = 64 << 20;

/// A longer line is passed on in pieces of this size, for the same reason.
const PIECE: u64 = 1 << 20;

/// How often the deadline is checked while the child prints nothing.
const TICK: Duration = Duration::from_millis(50);

/// How long to read after the child has ended: a process that it started may keep the pipes open forever.
const AFTER_END: Duration = Duration::from_secs(1);

/// Number of lines of each output in an error.
const TAIL_LINES: usize = 15;

/// The output a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

/// Why a child was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Deadline,
    Flood,
}

/// A child process that has ended or was killed.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) elapsed: Duration,
    pub(super) cut: Option<Cut>,
}

/// Runs `command` to its end or to `deadline`. `watch` gets each line and may return a new deadline.
///
/// The child stays in this process's group, so Ctrl-C in a terminal ends both.
pub(super) fn run(
    command: &mut Command,
    mut deadline: Instant,
    mut watch: impl FnMut(Stream, &str) -> Option<Instant>,
) -> io::Result<Ended> {
    let started = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // A small buffer: a child that prints faster than `watch` reads waits because its pipe is full.
    let (sender, lines) = mpsc::sync_channel(64);
    read_lines(child.stdout.take(), Stream::Out, sender.clone());
    read_lines(child.stderr.take(), Stream::Err, sender);

    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut cut = None;
    let mut status = None;
    let mut read_until = None;
    let mut closed = false;
    loop {
        let mut waited = true;
        match lines.recv_timeout(TICK) {
            Ok((stream, line)) => {
                waited = false;
                let text = String::from_utf8_lossy(&line);
                if let Some(new) = watch(stream, text.trim_end()) {
                    deadline = new;
                }
                match stream {
                    Stream::Out => stdout.extend_from_slice(&line),
                    Stream::Err => stderr.extend_from_slice(&line),
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // Both pipes are closed, but the child may still run.
                closed = true;
                thread::sleep(TICK / 10);
            }
        }
        let now = Instant::now();
        if status.is_none() {
            status = child.try_wait()?;
            read_until = status.map(|_| now + AFTER_END);
        }
        // The content of the pipe is read to its end, even if `watch` is slow.
        if read_until.is_some_and(|end| closed || (waited && now >= end) || now >= deadline + AFTER_END) {
            break;
        }
        if status.is_none() && cut.is_none() {
            if now >= deadline {
                cut = Some(Cut::Deadline);
            } else if stdout.len() + stderr.len() > OUTPUT_LIMIT {
                cut = Some(Cut::Flood);
            }
            if cut.is_some() {
                kill_tree(&mut child);
            }
        }
    }
    Ok(Ended {
        status: status.map_or_else(|| child.wait(), Ok)?,
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        elapsed: started.elapsed(),
        cut,
    })
}

/// Describes how a process ended: `exit code 3`, `signal 11 (SIGSEGV)`.
pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), signal(status)) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(number)) => match signal_name(number) {
            Some(name) => format!("signal {number} ({name})"),
            None => format!("signal {number}"),
        },
        (None, None) => "no exit code".to_owned(),
    }
}

/// Returns the signal that ended a process, if any.
#[cfg(unix)]
pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Returns `None`, because this system has no signals.
#[cfg(not(unix))]
pub(super) fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Formats the end of both outputs on new lines, to append to an error message.
pub(super) fn tail(stdout: &str, stderr: &str) -> String {
    let mut text = String::new();
    for (name, output) in [("standard output", stdout), ("standard error", stderr)] {
        let lines: Vec<&str> = output.lines().filter(|l| !l.trim().is_empty()).collect();
        if lines.is_empty() {
            continue;
        }
        text.push_str(&format!("\n  end of {name}:"));
        for line in &lines[lines.len().saturating_sub(TAIL_LINES)..] {
            // A vector can be a line of a megabyte; its beginning is enough.
            let short: String = line.chars().take(400).collect();
            text.push_str(&format!("\n    {short}"));
        }
    }
    text
}

pub(super) type Line = (Stream, Vec<u8>);

pub(super) fn read_lines(pipe: Option<impl Read + Send + 'static>, stream: Stream, lines: SyncSender<Line>) {
    let Some(pipe) = pipe else { return };
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        loop {
            let mut line = Vec::new();
            match reader.by_ref().take(PIECE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if lines.send((stream, line)).is_err() => return,
                Ok(_) => {}
            }
        }
    });
}

/// Kills a child and its children, for example an engine started by a wrapper script.
pub(crate) fn kill_tree(child: &mut Child) {
    // Listed before the child dies, because its orphans get another parent.
    let orphans = descendants(child.id());
    // It may just have ended, which is fine.
    let _ = child.kill();
    if !orphans.is_empty() {
        // The shell's built-in `kill`: small containers lack the program.
        let _ = Command::new("sh")
            .args(["-c", "kill -s KILL \"$@\" 2>/dev/null", "sh"])
            .args(orphans.iter().map(u32::to_string))
            .status();
    }
}

/// Returns the child processes of `parent`, if the system reports them, as Linux does.
pub(crate) fn descendants(parent: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let mut found = Vec::new();
    for child in children.unwrap_or_default().split_whitespace() {
        if let Ok(child) = child.parse() {
            found.push(child);
            found.extend(descendants(child));
        }
    }
    found
}

/// Names of signals that end engines. Their numbers are the same on all systems that Godot supports, except SIGBUS.
fn signal_name(number: i32) -> Option<&'static str> {
    Some(match number {
        2 => "SIGINT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return None,
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, Instant::now() + limit, |_, _| None).expect("sh starts")
    }

    #[test]
    fn both_outputs_are_drained_while_both_fill() {
        let script = "i=0; while [ $i -lt 20000 ]; do echo out-line-$i; echo err-line-$i >&2; i=$((i+1)); done; exit 3";
        let ended = shell(script, Duration::from_secs(60));
        assert_eq!(ended.status.code(), Some(3));
        assert_eq!(ended.stdout.lines().count(), 20_000);
        assert_eq!(ended.stderr.lines().last(), Some("err-line-19999"));
        assert_eq!(ended.cut, None);
    }

    #[test]
    fn a_deadline_ends_grandchildren_too() {
        let ended = shell("sleep 600 & echo $!; wait; echo never", Duration::from_secs(2));
        assert_eq!(ended.cut, Some(Cut::Deadline));
        let [grandchild] = ended.stdout.lines().collect::<Vec<_>>()[..] else { panic!("{}", ended.stdout) };
        // A process that has ended and was not waited for is listed as Z.
        let runs = || fs::read_to_string(format!("/proc/{grandchild}/stat")).is_ok_and(|state| !state.contains(") Z "));
        let until = Instant::now() + Duration::from_secs(60);
        while runs() {
            assert!(Instant::now() < until, "{grandchild} still runs");
            thread::sleep(TICK);
        }
    }

    #[test]
    fn closed_pipes_do_not_disarm_the_deadline() {
        let ended = shell("exec >&- 2>&-; exec sleep 600", Duration::from_millis(300));
        assert_eq!(ended.cut, Some(Cut::Deadline));
    }

    #[test]
    fn an_inherited_pipe_does_not_block() {
        let ended = shell("sleep 120 & echo done", Duration::from_secs(600));
        assert_eq!(ended.stdout, "done\n");
        assert!(ended.elapsed < Duration::from_secs(60), "{:?}", ended.elapsed);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let ended = shell("exec cat /dev/zero", Duration::from_secs(120));
        assert_eq!(ended.cut, Some(Cut::Flood));
    }
}
