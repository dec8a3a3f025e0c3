//! `cargo package-addon`: from the sources to the zip that a user installs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{HumanBytes, ProgressBar};
use varbytes_conformance::engine::{Engine, Progress};
use varbytes_package::archive::{self, Content};
use varbytes_package::manifest::Manifest;
use varbytes_package::platform::Platform;
use varbytes_package::suites::Project;
use varbytes_package::{MANIFEST, addon_folder, exported, lacking, library, memory, repository, trial};

/// Builds the Godot addon for this machine and packs it into a zip to unpack into a project.
///
/// The zip holds addons/varbytes and nothing else, and two libraries: one for the editor, with the text of its help,
/// and one for exported games. The same sources and compiler give the same zip.
#[derive(Parser)]
#[command(name = "cargo package-addon", version)]
struct Arguments {
    /// The folder for the zip; `target` of the repository where none is given.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Pack libraries that were built elsewhere, for every platform that the .gdextension file names, instead of
    /// building. They stand in this folder under the paths that it has for them, such as
    /// `bin/libvarbytes.linux.debug.x86_64.so`.
    #[arg(long, value_name = "FOLDER")]
    prebuilt: Option<PathBuf>,
    /// Then unpack the zip into a new project and use every call of every class there, in a running Godot: the one
    /// that `GDRUST_GODOT_BIN` names, else godot4 or godot on PATH, else the one that `cargo conformance` has fetched.
    #[arg(long = "try")]
    trial: bool,
    /// Then run the project's suites with it: `VarBytes` beside the built-ins, attacks, leaks, and the editor's help.
    #[arg(long)]
    test: bool,
    /// Then run the project's benchmark with it.
    #[arg(long)]
    benchmark: bool,
    /// Then measure the memory that a call takes beyond its result. Linux alone.
    #[arg(long)]
    memory: bool,
    /// Then run the demo with it, without a window.
    #[arg(long)]
    demo: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("package-addon: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let repository = repository();
    let addon = addon_folder(&repository);
    let manifest = Manifest::load(&addon.join(MANIFEST))?;
    // Looked for first: a build takes long, and would be for nothing.
    let needs_engine = arguments.trial || arguments.test || arguments.benchmark || arguments.memory || arguments.demo;
    let engine = needs_engine.then(trial::engine).transpose()?;
    let built = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (platforms, libraries, name) = match &arguments.prebuilt {
        Some(folder) => (manifest.platforms().into_iter().collect(), folder.clone(), "all".to_owned()),
        None => {
            let host = Platform::host();
            let libraries = manifest.libraries(&host)?;
            for library in &libraries {
                eprintln!("building {}", library.path);
                library::build(&repository, library, built.path())?;
            }
            // Named after the libraries: one of a Mac may be for both of its machines.
            let name = libraries.first().map_or_else(|| host.to_string(), |library| library.platform().to_string());
            (vec![host], built.path().to_owned(), name)
        }
    };
    let output = arguments.output.clone().unwrap_or_else(|| repository.join("target"));
    let zip = output.join(format!("varbytes-addon-{}-{name}.zip", env!("CARGO_PKG_VERSION")));
    Content::collect(&addon, &manifest, &platforms, &libraries)?.write(&zip, &manifest, &platforms)?;
    for (name, size) in archive::list(&zip)? {
        println!("{:>12}  {name}", HumanBytes(size).to_string());
    }
    let size = std::fs::metadata(&zip).context("the zip is gone")?.len();
    println!("{} ({}), {:.0} s", zip.display(), HumanBytes(size), started.elapsed().as_secs_f64());
    engine.map_or(Ok(()), |engine| use_in(&engine, arguments, &zip, &manifest))
}

/// Whatever of it is to be done in a running engine.
fn use_in(engine: &Engine, arguments: &Arguments, zip: &Path, manifest: &Manifest) -> Result<()> {
    let where_in = format!("Godot {} ({})", engine.version, engine.origin);
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    if arguments.trial {
        bar.set_message("trying it in a new project");
        let tried = trial::run(engine, zip, manifest)?;
        bar.suspend(|| println!("In a new project of {where_in}: {tried}"));
    }
    let project = Project::stage(&repository(), zip)?;
    if arguments.test {
        bar.set_message("building the suite in Rust");
        let parity = bar.suspend(|| library::build_parity(&repository()))?;
        project.add_parity(&parity)?;
        let mut show = |line: &str| {
            if line.contains(" checks, ") || line.starts_with("VARBYTES") || line.starts_with("Loaded anew") {
                bar.suspend(|| println!("{line}"));
            }
        };
        bar.set_message("running the suites");
        project.test(engine, &mut show)?;
        #[cfg(unix)]
        project.full_disk(engine, &mut show).and_then(|()| project.killed(engine, &mut show))?;
        #[cfg(not(unix))]
        show("VARBYTES NOTICE: not tried on a full disk: only Unix can limit how large files become");
        project.help(engine, &mut show)?;
        bar.set_message("running the addon in engines that lack something");
        let hidden = lacking::run(engine, manifest, &project.addon(), &parity)?;
        bar.suspend(|| println!("Works or refuses to load without each of {hidden} functions of the engine"));
        if cfg!(target_os = "linux") {
            bar.set_message("running the suites as an exported game");
            let template = bar.suspend(|| exported::template(engine, &mut Progress::stderr()))?;
            bar.suspend(|| println!("As a game, in the release template {}:", template.version));
            let project = Project::stage(&repository(), zip)?;
            project.add_parity(&parity)?;
            let release = manifest.libraries(&Platform::host())?.into_iter().find(|library| library.is_release());
            let release = project.addon().join(&release.context("no library for exported games")?.path);
            exported::test(&project, engine, &template, &[&release, &parity], &mut show)?;
        } else {
            bar.suspend(|| println!("NOTICE: not tried as an exported game: Debian alone has the release template"));
        }
        if cfg!(target_os = "linux") {
            bar.set_message("running the suites after the editor has loaded the library anew");
            let project = Project::stage(&repository(), zip)?;
            project.add_parity(&parity)?;
            project.reload(engine, manifest, &mut show)?;
        } else {
            bar.suspend(|| println!("NOTICE: not tried after a reload: only Linux tells which library is in memory"));
        }
    }
    if arguments.demo {
        bar.set_message("running the demo");
        let shown = project.demo(engine)?;
        bar.suspend(|| println!("{shown}"));
    }
    if arguments.benchmark {
        bar.set_message("running the benchmark, which takes about a minute");
        let table = project.benchmark(engine)?;
        bar.suspend(|| println!("{table}"));
    }
    if arguments.memory {
        bar.set_message("measuring memory, which takes about a minute");
        let table = memory::measure(&project, engine)?;
        bar.suspend(|| println!("{table}"));
    }
    bar.finish_and_clear();
    Ok(())
}
