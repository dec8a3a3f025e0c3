//! `cargo package-addon`: builds the zip that users install.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use indicatif::{HumanBytes, ProgressBar};
use varbytes_conformance::engine::{Engine, Progress};
use varbytes_package::archive::{self, Content};
use varbytes_package::benchmark::{self, Record};
use varbytes_package::emulated::Runner;
use varbytes_package::exported::Game;
use varbytes_package::library::Linker;
use varbytes_package::manifest::{Library, Manifest};
use varbytes_package::platform::Platform;
use varbytes_package::suites::{self, Project};
use varbytes_package::tools::Tools;
use varbytes_package::{
    MANIFEST, addon_folder, binaries, exported, lacking, library, memory, profile, repository, third_party, trial,
};

/// The recorded ratios of the benchmark, in the repository.
const RECORD: &str = "godot_project/benchmark/record.json";

/// Builds the Godot addon for this machine, or for all, and packs it into a zip.
///
/// To install the addon, unpack the zip into a project. It contains only the folder addons/varbytes, with two libraries for each
/// platform: one for the editor, which includes the editor help, and one for exported games. The same sources and compiler always give
/// the same zip.
#[derive(Parser)]
#[command(name = "cargo package-addon", version)]
struct Arguments {
    /// Build for every desktop platform: Linux, Windows and macOS, each for `x86_64` and `arm64`. Uses zig to link, which is
    /// installed where it is missing.
    #[arg(long, conflicts_with = "prebuilt")]
    all: bool,
    /// Build or pack only this platform, such as `linux-arm64` or `macos`, as `--all` does. May be repeated.
    #[arg(long, value_name = "PLATFORM", value_parser = platform, conflicts_with = "all")]
    platform: Vec<Platform>,
    /// Run the libraries of each platform as far as possible here: in Godot, in an emulator, or under Wine.
    #[arg(long)]
    run: bool,
    /// Only write the addon's page with the licences of all crates, which is part of the repository.
    #[arg(long)]
    third_party: bool,
    /// The folder for the zip [default: `target` in the repository].
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Do not build, but pack the libraries in this folder, for every platform in the .gdextension file that has one there. They
    /// must have the paths of that file, such as `bin/libvarbytes.linux.debug.x86_64.so`.
    #[arg(long, value_name = "FOLDER")]
    prebuilt: Option<PathBuf>,
    /// Unpack the zip into a new project and call every method of every class in a running Godot. Uses the Godot in
    /// `GDRUST_GODOT_BIN`, or godot4 or godot on PATH, or the one that `cargo conformance` has fetched.
    #[arg(long = "try")]
    trial: bool,
    /// Run the project's test suites with the addon: comparison with the built-in functions, attacks, leaks, editor help.
    #[arg(long)]
    test: bool,
    /// Run the project's benchmark with the addon, in an exported game and in the editor's engine, and record the ratios.
    #[arg(long)]
    benchmark: bool,
    /// After the benchmark, also profile the calls that are slower than their targets in an exported game. Needs perf of Linux.
    #[arg(long, requires = "benchmark")]
    profile: bool,
    /// Measure the memory that a call needs in addition to its result. Only on Linux.
    #[arg(long)]
    memory: bool,
    /// Pack the demo with the addon into a zip of its own, and run it from there without a window.
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
    if arguments.third_party {
        return third_party::write(&repository, &Tools::find()?);
    }
    let addon = addon_folder(&repository);
    let manifest = Manifest::load(&addon.join(MANIFEST))?;
    // Before the build, which takes long.
    let needs_engine = arguments.trial || arguments.test || arguments.benchmark || arguments.memory || arguments.demo;
    let engine = needs_engine.then(trial::engine).transpose()?;
    if arguments.profile {
        profile::require_profiler()?;
    }
    let built = tempfile::tempdir().context("cannot create a temporary folder")?;
    let platforms = platforms(arguments, &manifest)?;
    let runners = platforms.iter().filter(|_| arguments.run).map(Runner::find).collect::<Result<Vec<Runner>>>()?;
    let linker = linker(arguments)?;
    let libraries = arguments.prebuilt.as_deref().unwrap_or(built.path());
    let is_for_any_machine = arguments.prebuilt.is_some() || matches!(linker, Linker::Zig(_));
    for platform in &platforms {
        for library in manifest.libraries(platform)? {
            if arguments.prebuilt.is_none() {
                eprintln!("building {}", library.path);
                library::build(&repository, library, &linker, built.path())?;
            }
            // A library that the system's linker made needs this system or a newer one.
            let floor = is_for_any_machine.then(|| platform.floor()).flatten();
            let needs = binaries::of_file(&libraries.join(&library.path), &library.platform(), floor, &repository)?;
            println!("{}: {needs}", library.path);
        }
    }
    let name = name(arguments, &manifest, &platforms)?;
    let output = arguments.output.clone().unwrap_or_else(|| repository.join("target"));
    let zip = output.join(format!("varbytes-addon-{}-{name}.zip", env!("CARGO_PKG_VERSION")));
    let content = Content::collect(&addon, &manifest, &platforms, libraries)?;
    content.write(&zip, &manifest, &platforms)?;
    for (name, size) in archive::list(&zip)? {
        println!("{:>12}  {name}", HumanBytes(size).to_string());
    }
    let size = std::fs::metadata(&zip).context("the zip cannot be found")?.len();
    println!("{} ({}), {:.0} s", zip.display(), HumanBytes(size), started.elapsed().as_secs_f64());
    let demo = output.join(format!("varbytes-demo-{}-{name}.zip", env!("CARGO_PKG_VERSION")));
    if arguments.demo {
        content.with_demo(&repository.join("godot_project"))?.write_project(&demo)?;
        println!("{}", demo.display());
    }
    for (platform, runner) in platforms.iter().zip(&runners) {
        match runner.run(platform, &zip, &manifest, &mut |line| println!("{line}"))? {
            Some(ran) => println!("{platform}: {ran}"),
            None => println!("{platform}: NOT RUN, nothing here runs it; only its files were checked"),
        }
    }
    engine.map_or(Ok(()), |engine| use_in(&engine, arguments, &zip, &demo, &manifest))
}

/// Reads the name of a platform that can be built on any machine.
fn platform(name: &str) -> Result<Platform, String> {
    let known = Platform::built_anywhere();
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let found = known.into_iter().find(|platform| platform.to_string() == name);
    found.ok_or_else(|| format!("the platforms are {}", names.join(", ")))
}

/// Returns the platforms of the zip.
fn platforms(arguments: &Arguments, manifest: &Manifest) -> Result<Vec<Platform>> {
    Ok(match (&arguments.prebuilt, arguments.all, &arguments.platform[..]) {
        (Some(folder), _, []) => {
            let present = |library: &Library| folder.join(&library.path).is_file();
            let listed = manifest.platforms().into_iter();
            let platforms: Vec<Platform> = listed
                .filter(|platform| {
                    manifest.all_libraries().iter().any(|library| platform.loads(library) && present(library))
                })
                .collect();
            ensure!(!platforms.is_empty(), "{} has no library that {MANIFEST} lists", folder.display());
            platforms
        }
        (None, true, _) => Platform::built_anywhere(),
        (None, false, []) => vec![Platform::host()],
        (_, _, platforms) => platforms.to_vec(),
    })
}

fn linker(arguments: &Arguments) -> Result<Linker> {
    Ok(if arguments.all || !arguments.platform.is_empty() { Linker::Zig(Tools::find()?) } else { Linker::System })
}

/// Returns the part of the zip's name that tells for which platforms it is.
fn name(arguments: &Arguments, manifest: &Manifest, platforms: &[Platform]) -> Result<String> {
    if arguments.all || arguments.prebuilt.is_some() && arguments.platform.is_empty() {
        return Ok("all".to_owned());
    }
    let mut names = Vec::new();
    for platform in platforms {
        // Named after the libraries: those of a Mac are for both of its architectures.
        let library = manifest.libraries(platform)?.first().map(|library| library.platform().to_string());
        names.push(library.unwrap_or_else(|| platform.to_string()));
    }
    Ok(names.join("-"))
}

/// Runs the requested tests in a running engine.
fn use_in(engine: &Engine, arguments: &Arguments, zip: &Path, demo: &Path, manifest: &Manifest) -> Result<()> {
    let where_in = format!("Godot {} ({})", engine.version, engine.origin);
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    if arguments.trial {
        bar.set_message("testing it in a new project");
        let tried = trial::run(engine, zip, manifest, &Platform::host())?;
        bar.suspend(|| println!("In a new project of {where_in}: {tried}"));
        #[cfg(target_os = "linux")]
        {
            bar.set_message("importing and exporting a new project");
            let template = bar.suspend(|| exported::template(engine, &mut Progress::stderr()))?;
            varbytes_package::fresh::run(engine, &template, zip)?;
            bar.suspend(|| println!("A new project imports, exports and plays, and reports a missing library"));
        }
        #[cfg(not(target_os = "linux"))]
        bar.suspend(|| println!("NOTICE: not exported, because only Debian packages the release template"));
    }
    let project = Project::stage(&repository(), zip)?;
    if arguments.test {
        bar.set_message("building the Rust test suite");
        let parity = bar.suspend(|| library::build_parity(&repository()))?;
        project.add_parity(&parity)?;
        let mut show = |line: &str| {
            if line.contains(" checks, ") || line.starts_with("VARBYTES") || line.starts_with("Reloaded") {
                bar.suspend(|| println!("{line}"));
            }
        };
        bar.set_message("running the suites");
        project.test(engine, &mut show)?;
        #[cfg(unix)]
        project.full_disk(engine, &mut show).and_then(|()| project.killed(engine, &mut show))?;
        #[cfg(not(unix))]
        show("VARBYTES NOTICE: not tested with a full disk, because only Unix can limit the size of files");
        project.help(engine, &mut show)?;
        bar.set_message("running the addon in engines that lack a function");
        let hidden = lacking::run(engine, manifest, &project.addon(), &parity)?;
        bar.suspend(|| {
            println!("Without each of {hidden} functions of the engine, the addon works or refuses to load");
        });
        if cfg!(target_os = "linux") {
            bar.set_message("running the suites as an exported game");
            let project = Project::stage(&repository(), zip)?;
            project.add_parity(&parity)?;
            let (game, version) = export(&project, engine, manifest, Some(&parity), &bar)?;
            bar.suspend(|| println!("As a game, in the release template {version}:"));
            game.test(&mut show)?;
            bar.set_message("comparing its speed with the record");
            let record = Record::load(&repository().join(RECORD))?;
            let (mut runs, mut fallen) = (Vec::new(), Vec::new());
            // Where the heap of a process ends decides whether long arrays are mapped anew for each call. So a case is slower only
            // if it is in several processes.
            for attempt in 1..=3 {
                let (fixed, _) = game.benchmark(&["--fixed", "--rounds", "41"], &mut |_| ())?;
                bar.suspend(|| println!("{}", benchmark::table(&fixed)));
                runs.push(fixed);
                fallen = record.fallen(&runs);
                if fallen.is_empty() {
                    break;
                }
                bar.suspend(|| println!("Slower than recorded, attempt {attempt} of 3:\n{}", fallen.join("\n")));
            }
            ensure!(fallen.is_empty(), "slower than recorded by more than a third:\n{}", fallen.join("\n"));
        } else {
            bar.suspend(|| {
                println!("NOTICE: not tested as an exported game, because only Debian packages the release template");
            });
        }
        if cfg!(target_os = "linux") {
            bar.set_message("running the suites after the editor has reloaded the library");
            let project = Project::stage(&repository(), zip)?;
            project.add_parity(&parity)?;
            project.reload(engine, manifest, &mut show)?;
        } else {
            bar.suspend(|| {
                println!("NOTICE: not tested after a reload, because only Linux reports which library is in memory");
            });
        }
    }
    if arguments.demo {
        bar.set_message("running the demo");
        let shown = suites::demo(engine, demo)?;
        bar.suspend(|| println!("{shown}"));
    }
    if arguments.benchmark {
        measure_speed(engine, zip, manifest, arguments.profile, &bar)?;
    }
    if arguments.memory {
        bar.set_message("measuring memory, which takes about a minute");
        let table = memory::measure(&project, engine)?;
        bar.suspend(|| println!("{table}"));
    }
    bar.finish_and_clear();
    Ok(())
}

/// Runs the benchmark in an exported game and in the editor's engine.
fn measure_speed(engine: &Engine, zip: &Path, manifest: &Manifest, profiles: bool, bar: &ProgressBar) -> Result<()> {
    let project = Project::stage(&repository(), zip)?;
    let mut measured = 0;
    let mut show = |line: &str| {
        measured += u32::from(line.starts_with("CASE "));
        bar.set_message(format!("running the benchmark: {measured} cases"));
    };
    let folder = repository().join("godot_project/benchmark");
    let mut results = String::new();
    if cfg!(target_os = "linux") {
        let (game, version) = export(&project, engine, manifest, None, bar)?;
        let (cases, files) = game.benchmark(&[], &mut show)?;
        let path = repository().join(RECORD);
        let record = serde_json::to_string_pretty(&Record::load(&path)?.after(&cases)).context("the record")?;
        std::fs::write(path, format!("{record}\n")).context("cannot write the record")?;
        benchmark::draw(&cases, &folder.join("ratios.svg"))?;
        results = format!(
            "![Ratios in an exported game](ratios.svg)\n\nIn an exported game, release template of Godot {version}:\n\n{}\n\n\
             Files, in the same game:\n\n{}\n\n",
            benchmark::table(&cases),
            benchmark::files_table(&files)
        );
        if profiles {
            let misses = benchmark::misses(&cases, &files);
            let mut profiled = 0;
            let profile = game.profile(&misses, &mut || {
                profiled += 1;
                bar.set_message(format!("profiling: {profiled} of {} calls", misses.len()));
            })?;
            results.push_str(&format!("The calls below their targets, in the same game:\n\n{profile}\n\n"));
        }
    }
    let cases = project.benchmark(engine, &mut show)?;
    results.push_str(&format!("In the editor's build of Godot {}:\n\n{}\n", engine.version, benchmark::table(&cases)));
    benchmark::write_page(&folder.join("README.md"), &results)?;
    bar.suspend(|| println!("{results}"));
    bar.set_message("measuring the frames of a game that saves");
    let frames = project.frames(engine)?;
    bar.suspend(|| println!("{frames}"));
    Ok(())
}

/// Exports a project with the library for games, and another one. Returns the version of the release template too.
fn export(
    project: &Project,
    engine: &Engine,
    manifest: &Manifest,
    other: Option<&PathBuf>,
    bar: &ProgressBar,
) -> Result<(Game, String)> {
    let template = bar.suspend(|| exported::template(engine, &mut Progress::stderr()))?;
    let library = manifest.libraries(&Platform::host())?.into_iter().find(|library| library.is_release());
    let library = project.addon().join(&library.context("no library for exported games")?.path);
    let libraries: Vec<&Path> = std::iter::once(&library).chain(other).map(PathBuf::as_path).collect();
    Ok((Game::export(project, engine, &template, &libraries)?, template.version.to_string()))
}
