//! Compares any build of an engine with its profile.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use varbytes::{Architecture, Profile};
use varbytes_conformance::browser::Web;
use varbytes_conformance::damage::Packet;
use varbytes_conformance::engine::{Engine, EnginePackage, Origin, Progress, built_engine, fetch, locate};
use varbytes_conformance::judge;
use varbytes_conformance::reference::{Endings, Reference, Running};
use varbytes_conformance::suite::engine::{Build, check_engine};
use varbytes_conformance::suite::report::{Format, Report};
use varbytes_conformance::{embedded, exported};

use crate::check::Reporting;

/// The architecture of this machine.
const HERE: Architecture = if cfg!(target_arch = "aarch64") { Architecture::Arm64 } else { Architecture::X86_64 };

/// Options for any build.
#[derive(Args)]
pub struct BuildArguments {
    /// Instead, compare this build of Godot, or of a fork, with its profile
    #[arg(long, value_name = "PATH")]
    pub godot: Option<PathBuf>,
    /// With --godot: the profile to compare with. The default is that of the version that the build prints
    #[arg(long, value_name = "NAME", requires = "godot")]
    profile: Option<Profile>,
    /// With --godot: the generation of its scripts, 3 or 4. The default follows from the version
    #[arg(long, requires = "godot", value_parser = clap::value_parser!(u32).range(3..=4))]
    generation: Option<u32>,
    /// With --godot: it is a release build, whose conversions have fewer checks
    #[arg(long, requires = "godot")]
    release_build: bool,
    /// With --godot: the processor architecture that it is built for, such as wasm32. The default is this machine's
    #[arg(long, value_name = "NAME", requires = "godot", default_value_t = HERE)]
    architecture: Architecture,
    /// With --godot: how the names of its scripts end
    #[arg(long, value_name = "ENDING", requires = "godot", default_value = "gd")]
    script_ending: String,
    /// With --godot: the name of its project file
    #[arg(long, value_name = "NAME", requires = "godot", default_value = "project.godot")]
    project_file: String,
}

/// A build that is run only if it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The name for `--engine`.
    pub name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The release template.
    Template,
    /// The official build for the web.
    Web,
    /// The build in double precision.
    Double,
    /// The build for 64-bit ARM, in an emulator.
    Arm64,
    /// A package with the scripts of Godot 3.
    Godot3(EnginePackage),
}

/// All builds that are run only if they are named.
pub const EXTRA: [Extra; 5] = [
    Extra { name: "godot-4.6-template", kind: Kind::Template },
    Extra { name: "godot-4.6-web", kind: Kind::Web },
    Extra { name: "godot-4.6-double", kind: Kind::Double },
    Extra { name: "godot-4.6-arm64", kind: Kind::Arm64 },
    Extra { name: "godot-3.6.0", kind: Kind::Godot3(EnginePackage::GODOT_3_6_0) },
];

/// Compares the build that `--godot` names. Returns whether it agrees with its profile.
pub fn run(arguments: &BuildArguments, path: &Path, seed: u64, packets: usize, reporting: &Reporting) -> Result<bool> {
    let data = embedded::unpack().context("cannot unpack the scripts")?;
    let engine = Engine::probe(vec![path.into()], Origin::Variable("--godot"))?;
    let generation = arguments.generation.unwrap_or(if engine.version.major >= 4 { 4 } else { 3 });
    let (profile, is_known) = match arguments.profile {
        Some(profile) => (profile, true),
        None => Profile::from_name(&engine.version.profile_name()).map_or_else(
            |_| (if generation == 4 { Profile::NEWEST } else { Profile::GODOT_3_5 }, false),
            |profile| (profile, true),
        ),
    };
    println!("Godot {}, compared with the profile {profile}.", engine.version);
    if !is_known {
        println!("  NOTICE: no profile covers this version; --profile names another one.");
    }
    let reference = if generation == 4 { Reference::GODOT_4 } else { Reference::GODOT_3_6 };
    let build = Build {
        version: engine.version.text.clone(),
        profile,
        is_release: arguments.release_build,
        architecture: arguments.architecture,
        packets_of: reference.name,
        seed,
        packets,
    };
    let endings = Endings { script: &arguments.script_ending, project: &arguments.project_file };
    let running = Running::from(&data.path().join("godot_project"), reference, engine, endings)?;
    let report = check_engine(data.path(), &build, &mut |packets| judge::verdicts(&running, packets))?;
    reporting.write(&report)
}

impl Extra {
    /// Returns how to get what cannot be fetched: the build that takes minutes to build, and the emulator of another machine.
    pub fn missing(self) -> Result<Option<String>> {
        Ok(match self.kind {
            Kind::Double if double_program()?.is_none() => Some(BUILD_DOUBLE.to_owned()),
            Kind::Arm64 => EnginePackage::GODOT_4_ARM64.missing_emulator(),
            _ => None,
        })
    }

    /// Runs the build and compares it with its profile.
    pub fn run(self, seed: u64, packets: usize) -> Result<Report> {
        let data = embedded::unpack().context("cannot unpack the scripts")?;
        let projects = data.path().join("godot_project");
        let build = |reference: Reference, engine: &Engine| Build {
            version: engine.version.text.clone(),
            profile: reference.profile(&engine.version).0,
            is_release: matches!(self.kind, Kind::Template | Kind::Web),
            architecture: match self.kind {
                Kind::Web => Architecture::Wasm32,
                Kind::Arm64 => Architecture::Arm64,
                _ => HERE,
            },
            packets_of: reference.name,
            seed,
            packets,
        };
        let report = match self.kind {
            Kind::Template => {
                let (template, editor) = (found(EnginePackage::GODOT_4_TEMPLATE)?, found(EnginePackage::GODOT_4)?);
                let mut ask = |packets: &[Packet]| exported::verdicts(&template, &editor, &projects, packets);
                check_engine(data.path(), &build(Reference::GODOT_4, &template), &mut ask)?
            }
            Kind::Web => {
                let web = Web::find(&mut Progress::stderr())?;
                let editor = found(EnginePackage::GODOT_4)?;
                // An empty run tells the version.
                let (version, _) = web.verdicts(&editor, &projects, &[])?;
                let engine = Engine { version, ..editor.clone() };
                let mut ask = |packets: &[Packet]| Ok(web.verdicts(&editor, &projects, packets)?.1);
                check_engine(data.path(), &build(Reference::GODOT_4, &engine), &mut ask)?
            }
            Kind::Double | Kind::Arm64 | Kind::Godot3(_) => {
                let (reference, engine) = match self.kind {
                    Kind::Godot3(package) => (Reference::GODOT_3_6, found(package)?),
                    Kind::Arm64 => (Reference::GODOT_4_ARM64, found(EnginePackage::GODOT_4_ARM64)?),
                    _ => (Reference::GODOT_4, double()?),
                };
                let running = Running::from(&projects, reference, engine.clone(), Endings::default())?;
                let mut ask = |packets: &[Packet]| judge::verdicts(&running, packets);
                check_engine(data.path(), &build(reference, &engine), &mut ask)?
            }
        };
        println!("{} ({}), compared with {}: {}.", self.name, report.command, report.engine, report.summary());
        for note in &report.notes {
            println!("  {note}");
        }
        if !report.findings.is_empty() {
            print!("{}", report.to_string(Format::Text, 3, None)?);
        }
        Ok(report)
    }
}

/// The variable that names the build in double precision.
const DOUBLE_VARIABLE: &str = "VARBYTES_GODOT_DOUBLE_BIN";

/// The core that it is built of.
const DOUBLE_CORE: &str = "godot-4.6.3-double";

/// Returns the path of the build in double precision: the one that is named, or the one that was built here.
fn double_program() -> Result<Option<PathBuf>> {
    if let Some(named) = env::var_os(DOUBLE_VARIABLE).filter(|value| !value.is_empty()) {
        return Ok(Some(named.into()));
    }
    let built = built_engine(DOUBLE_CORE).context("cannot use the cache folder")?;
    Ok(built.filter(|program| program.is_file()))
}

fn double() -> Result<Engine> {
    let program =
        double_program()?.with_context(|| format!("the build in double precision is missing; {BUILD_DOUBLE}"))?;
    Ok(Engine::probe(vec![program.into()], Origin::Variable(DOUBLE_VARIABLE))?)
}

/// How to get the build in double precision.
const BUILD_DOUBLE: &str = "`cargo engine-core godot-4.6.3-double --program` builds it";

fn found(package: EnginePackage) -> Result<Engine> {
    match locate(package)? {
        Some(engine) => Ok(engine),
        None => match fetch(package, &mut Progress::stderr()) {
            Ok(engine) => Ok(engine),
            Err(error) => bail!("{package} is not available: {:#}", anyhow::Error::from(error)),
        },
    }
}
