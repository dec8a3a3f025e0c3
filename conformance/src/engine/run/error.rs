//! The errors of a run.

use std::io;
use std::time::Duration;

use super::super::child;

/// The error of a run. All but the first two end with the engine's last output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The engine could not be started.
    #[error("`{program}` could not be started")]
    Start {
        /// The engine.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// A temporary folder could not be created.
    #[error("cannot create a temporary home for the engine")]
    Home {
        /// The system's error.
        source: io::Error,
    },
    /// The engine crashed.
    #[error("the engine crashed ({how}){tail}")]
    Crashed {
        /// The signal, or the engine's own message.
        how: String,
        /// The end of its output.
        tail: String,
    },
    /// The engine reported a failure, independent of its exit code.
    #[error("the engine reported a failure: {line}{tail}")]
    Reported {
        /// The line.
        line: String,
        /// The end of its output.
        tail: String,
    },
    /// The engine did not end in time.
    #[error("the engine did not end within {:.1} s and was killed{tail}", limit.as_secs_f64())]
    TimedOut {
        /// The time limit.
        limit: Duration,
        /// The end of its output.
        tail: String,
    },
    /// The engine printed too much.
    #[error("the engine printed more than {} MB and was killed{tail}", child::OUTPUT_LIMIT >> 20)]
    Flooded {
        /// The end of its output.
        tail: String,
    },
    /// The engine exited with a code other than 0.
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
        /// The line.
        line: String,
        /// The end of its output.
        tail: String,
    },
    /// The script did not report that it finished.
    #[error("the script did not finish: its last line is `{last}`, not a JSON object with \"complete\": true{tail}")]
    Incomplete {
        /// The beginning of the last line it printed.
        last: String,
        /// The end of the engine's errors.
        tail: String,
    },
}
