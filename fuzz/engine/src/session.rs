//! The engines of a fuzzing process, asked in batches.
//!
//! libFuzzer hands over one input after the other. Where it only replays files or makes one smaller, each is judged at
//! once, and the property panics as all others do. Else questions are put together, and what the engine then says may
//! be about an input of long ago: that one is written to where libFuzzer writes its own, and the process ends. The last
//! questions are asked when the thread that submitted them ends, which libFuzzer's does by `exit`.

use std::cell::RefCell;
use std::path::Path;

use anyhow::{Result, bail};

use crate::finding;
use crate::input::{ENGINES, EngineInput};
use crate::judge::{Fault, Judge, Target};

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// The engines that one target asks.
#[derive(Debug)]
struct Session {
    judges: Vec<Judge>,
    at_once: bool,
}

/// Puts an input to the engine that it names.
///
/// # Panics
/// Where the engine disagrees, and each input is judged by itself.
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
        Ok(Self { judges, at_once: takes_files_alone(std::env::args().skip(1)) })
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

/// Whether libFuzzer has nothing to do but what is in files: to try them, or to make one smaller.
fn takes_files_alone(arguments: impl Iterator<Item = String>) -> bool {
    let mut inputs = arguments.filter(|argument| !argument.starts_with('-')).peekable();
    inputs.peek().is_some() && inputs.all(|input| Path::new(&input).is_file())
}
