//! `cargo package-addon`: builds the zip that users install.

mod in_engine;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use in_engine::InEngine;
use indicatif::HumanBytes;
use varbytes_package::archive::{self, Content};
use varbytes_package::emulated::Runner;
use varbytes_package::library::Linker;
use varbytes_package::manifest::{Library, Manifest};
use varbytes_package::platform::Platform;
use varbytes_package::tools::Tools;
use varbytes_package::{MANIFEST, addon_folder, binaries, library, profile, repository, third_party, trial};

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
    let Some(engine) = engine else { return Ok(()) };
    let in_engine = InEngine::new(&engine, &zip, &manifest);
    if arguments.trial {
        in_engine.trial()?;
    }
    if arguments.test {
        in_engine.test()?;
    }
    if arguments.demo {
        in_engine.demo(&demo)?;
    }
    if arguments.benchmark {
        in_engine.speed(arguments.profile)?;
    }
    if arguments.memory {
        in_engine.memory()?;
    }
    Ok(())
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
