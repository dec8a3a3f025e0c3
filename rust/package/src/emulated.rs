//! Runs the libraries of other platforms in emulators: Linux arm64 in Godot under QEMU, Windows under Wine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use varbytes_conformance::engine::{Engine, EnginePackage, Progress, fetch, locate};

use crate::library;
use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::suites::Project;
use crate::tools::Tools;
use crate::{ADDON, archive, repository, trial};

/// What runs the libraries of a platform here.
#[derive(Debug)]
pub enum Runner {
    /// An engine, in an emulator if it is for another machine.
    Engine(Engine),
    /// The program of Wine, in which no engine runs.
    Wine(PathBuf),
    /// Nothing.
    None,
}

impl Runner {
    /// Finds what runs the libraries of a platform, and fetches the engine where it is missing.
    ///
    /// # Errors
    /// Returns an error if the engine or the emulator is missing.
    pub fn find(platform: &Platform) -> Result<Self> {
        if platform.is_host() {
            return trial::engine().map(Self::Engine);
        }
        Ok(match platform.to_string().as_str() {
            "linux-arm64" => {
                let package = EnginePackage::GODOT_4_ARM64;
                Self::Engine(match locate(package)? {
                    Some(engine) => engine,
                    None => fetch(package, &mut Progress::stderr())?,
                })
            }
            "windows-x86_64" => {
                let wine = ["wine", "wine64"].iter().find_map(|name| which::which(name).ok());
                Self::Wine(wine.context("Windows needs an emulator: apt-get install wine")?)
            }
            _ => Self::None,
        })
    }

    /// Runs the libraries of a platform in the zip, as far as that is possible here. Returns what was run, or `None` if nothing
    /// can run them.
    ///
    /// # Errors
    /// Returns an error if something fails.
    pub fn run(
        &self,
        platform: &Platform,
        zip: &Path,
        manifest: &Manifest,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<Option<String>> {
        match self {
            Self::Engine(engine) => in_engine(engine, platform, zip, manifest, on_line).map(Some),
            Self::Wine(program) => under_wine(program, platform, zip, manifest).map(Some),
            Self::None => Ok(None),
        }
    }
}

/// Calls every method in a new project, with both libraries, and runs the suites that compare the engine's vectors.
fn in_engine(
    engine: &Engine,
    platform: &Platform,
    zip: &Path,
    manifest: &Manifest,
    on_line: &mut dyn FnMut(&str),
) -> Result<String> {
    let tried = trial::run(engine, zip, manifest, platform)?;
    let project = Project::stage(&repository(), zip)?;
    project.vectors(engine, on_line)?;
    Ok(format!("Godot {}: {tried}; the suites of vectors and files pass", engine.version))
}

/// Loads both libraries and passes them an engine that has no functions, and compares the codec with the vectors.
fn under_wine(program: &Path, platform: &Platform, zip: &Path, manifest: &Manifest) -> Result<String> {
    let wine = Wine::prepare(program)?;
    let (target, repository) = (platform.targets()[0], repository());
    let [host, codec] = library::build_programs(&repository, &wine.tools, target)?;
    let unpacked = tempfile::tempdir().context("cannot create a folder")?;
    archive::unpack(zip, unpacked.path())?;
    for library in manifest.libraries(platform)? {
        let mut command = Command::new(&wine.program);
        command.arg(&host).arg(unpacked.path().join(ADDON).join(&library.path));
        let output = wine.settings(&mut command).output().context("cannot start Wine")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let refused = said.contains("VarBytes cannot work in this engine") && said.contains("VARBYTES HOST REFUSED");
        ensure!(output.status.success() && refused, "{} does not start under Wine:\n{said}", library.path);
    }
    let command = format!("'{}' '{}'", wine.program.display(), codec.display());
    let output = wine.settings(&mut library::conformance_check(&repository, &command)).output();
    let output = output.context("cannot check the codec")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "the codec differs from the vectors under Wine:\n{said}");
    Ok(format!("under Wine, both libraries load, start and refuse an engine without functions; the codec:\n{said}"))
}

/// Wine with settings of its own.
struct Wine {
    program: PathBuf,
    tools: Tools,
    home: TempDir,
    libraries: TempDir,
}

impl Wine {
    fn prepare(program: &Path) -> Result<Self> {
        let folder = || tempfile::tempdir().context("cannot create a folder for Wine");
        let wine = Self { program: program.to_owned(), tools: Tools::find()?, home: folder()?, libraries: folder()? };
        let source = repository().join("rust/host/bcryptprimitives.c");
        wine.tools.windows_library(&source, &wine.libraries.path().join("bcryptprimitives.dll"))?;
        Ok(wine)
    }

    fn settings<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let libraries = format!("Z:{}", self.libraries.path().display()).replace('/', "\\");
        command.env("WINEPREFIX", self.home.path()).env("WINEDEBUG", "-all").env("WINEPATH", libraries)
    }
}
