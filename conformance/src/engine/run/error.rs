//! The ways in which a run can fail.

use std::io;
use std::time::Duration;

use super::super::child;

/// Why a run counts as failed. Each but the first two ends with the engine's last words.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The engine could not be started.
    #[error("`{program}` could not be started")]
    Start {
        /// The engine.
        program: String,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no room for the engine's own files.
    #[error("cannot make a temporary home for the engine")]
    Home {
        /// The system's reason.
        source: io::Error,
    },
    /// The engine crashed.
    #[error("the engine crashed ({how}){tail}")]
    Crashed {
        /// The signal, or the engine's own words.
        how: String,
        /// The end of its output.
        tail: String,
    },
    /// The engine reported something that fails the run, whatever its exit code.
    #[error("the engine reported a failure: {line}{tail}")]
    Reported {
        /// The line in question.
        line: String,
        /// The end of its output.
        tail: String,
    },
    /// The engine did not end in time.
    #[error("the engine did not end within {:.1} s and was killed{tail}", limit.as_secs_f64())]
    TimedOut {
        /// The time it had.
        limit: Duration,
        /// The end of its output.
        tail: String,
    },
    /// The engine printed without end.
    #[error("the engine printed more than {} MB and was killed{tail}", child::OUTPUT_LIMIT >> 20)]
    Flooded {
        /// The end of its output.
        tail: String,
    },
    /// The engine ended with another exit code than 0.
    #[error("the engine ended with exit code {code}{tail}")]
    ExitCode {
        /// The code.
        code: i32,
        /// The end of its output.
        tail: String,
    },
    /// Objects were still alive at the end.
    #[error("the engine reported a leak: {line}{tail}")]
    Leaked {
        /// The line in question.
        line: String,
        /// The end of its output.
        tail: String,
    },
    /// The script did not say that it had come to its end.
    #[error("the script did not finish: its last line is `{last}`, not a JSON object with \"complete\": true{tail}")]
    Incomplete {
        /// The beginning of the last line it printed.
        last: String,
        /// The end of the engine's errors.
        tail: String,
    },
}
