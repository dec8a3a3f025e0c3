//! The engines of a fuzzing process, which answer in batches.
//!
//! libFuzzer passes one input after the other. If it only replays files, or minimises one, each input is judged
//! immediately, and the property panics like all others. Otherwise questions are collected, and an answer may concern
//! an earlier input: that input is written to libFuzzer's artifact folder, and the process ends. The last questions are
//! asked when their thread ends; libFuzzer's thread ends by `exit`.

use std::cell::RefCell;
use std::path::Path;

use anyhow::{Result, bail};

use crate::finding;
use crate::input::{ENGINES, EngineInput};
use crate::judge::{Fault, Judge, Target};

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// The engines of a target.
#[derive(Debug)]
struct Session {
    judges: Vec<Judge>,
    at_once: bool,
}

/// Passes an input to its engine.
///
/// # Panics
/// If the engine disagrees, and each input is judged separately.
pub fn submit(target: Target, input: &[u8]) {
    let Some(EngineInput { engine, .. }) = EngineInput::read(input) else { return };
    SESSION.with_borrow_mut(|session| {
        let session = session.get_or_insert_with(|| {
            Session::start(target).unwrap_or_else(|error| {
                finding::leave_without(&format!("{error:#}"));
            })
        });
        session.judges[engine].add(input);
        if session.at_once || session.judges[engine].is_full() {
            session.ask(engine);
        }
    });
}

impl Session {
    fn start(target: Target) -> Result<Self> {
        let mut judges = Vec::new();
        for reference in ENGINES {
            let Some(judge) = Judge::start(reference, target)? else {
                bail!(
                    "{} is not on this machine; `cargo conformance` and `cargo fuzz-campaign` fetch it",
                    reference.package
                );
            };
            judges.push(judge);
        }
        Ok(Self { judges, at_once: takes_only_files(std::env::args().skip(1)) })
    }

    fn ask(&mut self, engine: usize) {
        let faults = match self.judges[engine].ask() {
            Ok(faults) => faults,
            Err(error) => finding::leave_without(&format!("{error:#}")),
        };
        if faults.is_empty() {
            return;
        }
        if self.at_once {
            let what: Vec<&str> = faults.iter().map(|Fault { what, .. }| &**what).collect();
            panic!("{}", what.join("\n"));
        }
        finding::leave_with(&faults);
    }
}

/// Asks the last questions.
impl Drop for Session {
    fn drop(&mut self) {
        (0..self.judges.len()).for_each(|engine| self.ask(engine));
    }
}

/// Returns whether libFuzzer only replays files or minimises one.
fn takes_only_files(arguments: impl Iterator<Item = String>) -> bool {
    let mut inputs = arguments.filter(|argument| !argument.starts_with('-')).peekable();
    inputs.peek().is_some() && inputs.all(|input| Path::new(&input).is_file())
}
