//! `varbytes-conformance`, and `cargo conformance` in the repository: compares the codec with running engines, and
//! checks other codecs.

mod builds;
mod check;
mod live;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Compare the codec with running Godot engines and with the committed vectors
///
/// Each engine is the program that its variable names (`GDRUST_GODOT_BIN`, `VARBYTES_GODOT_3_6_BIN`,
/// `VARBYTES_GODOT_3_2_BIN`), or one on PATH, or Debian's package, which is fetched into a cache folder without
/// changing the system. If an engine is not available, its committed vectors are checked.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    live: live::Arguments,
}

#[derive(Subcommand)]
enum Action {
    /// Check any codec that answers lines against the vectors; needs no engine
    ///
    /// The exit code is 0 if nothing is wrong or, with --baseline, worse; 1 if something is; 2 if the codec could not be
    /// checked.
    Check(check::Arguments),
}

fn main() -> ExitCode {
    let Command { action, live } = Command::parse();
    match action {
        Some(Action::Check(arguments)) => match check::run(&arguments) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("varbytes-conformance: {error:#}");
                ExitCode::from(2)
            }
        },
        None => match live::run(&live) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => {
                eprintln!("conformance: there are differences");
                ExitCode::FAILURE
            }
            Err(error) => {
                eprintln!("conformance: {error:#}");
                ExitCode::FAILURE
            }
        },
    }
}
