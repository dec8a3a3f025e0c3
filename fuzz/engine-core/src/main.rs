//! `cargo engine-core`: builds the core of Godot for the fuzz targets, or an engine for the conformance suite.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use varbytes_fuzz_engine_core::{Core, Flavour, Options, build, build_program};

/// Build the core of Godot with coverage counters, for the fuzz targets whose names start with `core_`
///
/// Fetches the sources from Debian, and the tools clang and `scons` if they are missing, without root. What is built stays in the cache
/// folder, and is built again only if its options or functions change.
#[derive(Parser)]
#[command(name = "cargo engine-core", version)]
struct Arguments {
    /// Cores to build, such as `godot-4.6.3` or `godot-4.6.3/sanitized`; the default is all, fast and sanitized
    #[arg(value_name = "CORE")]
    cores: Vec<String>,
    /// The folder with the engine's sources, if they cannot be fetched. Needs one core as argument.
    #[arg(long, value_name = "FOLDER", requires = "cores")]
    sources: Option<PathBuf>,
    /// Build a whole engine instead, which runs scripts. Needs one core as argument, of Godot 4. `cargo conformance` runs that of
    /// `godot-4.6.3-double`
    #[arg(long, requires = "cores")]
    program: bool,
    /// How many compilers run at once; the default is one for each processor
    #[arg(long, value_name = "COUNT")]
    jobs: Option<NonZeroUsize>,
    /// Print all names and what is built
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine-core: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let all = || Core::ALL.into_iter().flat_map(|core| Flavour::ALL.map(|flavour| (core, flavour)));
    if arguments.list {
        for (core, flavour) in all() {
            let built = core.locate(flavour)?.map_or_else(|| "-".to_owned(), |path| path.display().to_string());
            println!("{:30} {built}", format!("{}/{}", core.name, flavour.name()));
        }
        return Ok(());
    }
    let mut cores = arguments.cores.iter().map(|name| Core::with_flavour(name)).collect::<Result<Vec<_>>>()?;
    if cores.is_empty() {
        cores = all().filter(|(_, flavour)| *flavour != Flavour::Lines).collect();
    }
    let options = Options { sources: arguments.sources.as_deref(), jobs: arguments.jobs.map(Into::into) };
    for (core, flavour) in cores {
        let started = Instant::now();
        let (path, what) = if arguments.program {
            (build_program(&core, options)?, "program")
        } else {
            (build(&core, flavour, options)?, flavour.name())
        };
        println!("{} ({what}), {:.0} s", path.display(), started.elapsed().as_secs_f64());
    }
    Ok(())
}
