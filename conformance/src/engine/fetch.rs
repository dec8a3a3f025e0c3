//! Fetches an engine without root, into one cache folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::apt::{self, Apt, Archive};
use super::cache::{self, CacheError, UntrustedCache};
use super::progress::{self, Progress, Unit};
use super::{AptError, CACHE_VARIABLE, Engine, EnginePackage, Origin, ProbeError, RunError, RunRequest};

/// The script that a fetched engine must run before it is kept, valid in Godot 3 and Godot 4.
const CHECK: &str = r#"extends SceneTree

func _init():
	print("{\"complete\": true}")
	quit()
"#;

/// The first start reads a few hundred megabytes from the disk.
const CHECK_LIMIT: Duration = Duration::from_secs(120);

/// An error when fetching an engine. Every message says what to do instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// There is no cache folder.
    #[error(
        "there is no cache folder for {package}; set {CACHE_VARIABLE} to a folder, or {} to an engine",
        package.variable
    )]
    NoFolder {
        /// The engine.
        package: EnginePackage,
    },
    /// Other users can write to the cache.
    #[error("{package} was not fetched; fix this, or set {} to an engine", package.variable)]
    Untrusted {
        /// The engine.
        package: EnginePackage,
        /// The folder and the reason.
        source: Box<UntrustedCache>,
    },
    /// The package tools failed.
    #[error("cannot fetch {package}; try again, or install it yourself and set {} to its path", package.variable)]
    Apt {
        /// The engine.
        package: EnginePackage,
        /// The error.
        source: Box<AptError>,
    },
    /// A file or folder of the cache could not be written.
    #[error("cannot {what} `{}`; {CACHE_VARIABLE} can set another cache folder", path.display())]
    Cache {
        /// The attempted action.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The unpacked package has no program with the expected name, or no loader to start it.
    #[error(
        "the unpacked packages of {package} have no program to start; set {} to an engine",
        package.variable
    )]
    NoProgram {
        /// The engine.
        package: EnginePackage,
    },
    /// There is no emulator for the engine's machine.
    #[error("{package} needs an emulator: apt-get install qemu-user, or set {} to an engine", package.variable)]
    NoEmulator {
        /// The engine.
        package: EnginePackage,
    },
    /// The unpacked engine does not start.
    #[error("the fetched {package} does not start; set {} to another engine", package.variable)]
    Probe {
        /// The engine.
        package: EnginePackage,
        /// The error.
        source: Box<ProbeError>,
    },
    /// The engine starts but cannot run a script of three lines.
    #[error(
        "the fetched {package} cannot run a script of three lines; set {} to another engine",
        package.variable
    )]
    Check {
        /// The engine.
        package: EnginePackage,
        /// The error.
        source: Box<RunError>,
    },
}

/// Downloads an engine with its dependencies into the cache folder, where [`locate`] finds it. Does nothing if it
/// exists and starts. To fetch a newer one, remove its folder.
///
/// The engine is prepared and tested in a folder with another name and then renamed, so an interruption never leaves an
/// incomplete engine. If two processes fetch at the same time, one waits.
///
/// [`locate`]: super::locate()
///
/// # Errors
///
/// [`FetchError`], with the last output of the failed program.
pub fn fetch(package: EnginePackage, progress: &mut Progress) -> Result<Engine, FetchError> {
    let untrusted = |source| FetchError::Untrusted { package, source: Box::new(source) };
    if package.machine.is_some_and(|machine| machine.emulator().is_none()) {
        return Err(FetchError::NoEmulator { package });
    }
    let engines = cache::engines_folder().map_err(untrusted)?.ok_or(FetchError::NoFolder { package })?;
    cache::create(&engines).map_err(failed("create", &engines))?;
    // Held to the end of this function; the system releases it if this process dies.
    let _lock = lock(&engines, package, progress)?;
    let home = engines.join(cache::folder_name(package));
    match cache::find(&engines, package) {
        Ok(Some(engine)) => return Ok(engine),
        Ok(None) => {}
        Err(CacheError::Untrusted(source)) => return Err(untrusted(source)),
        Err(CacheError::Probe(error)) => progress.say(&format!("fetching {package} again, because {error}")),
    }

    let work = work_folder(&engines, package)?;
    let root = work.path().join("engine");
    // apt's sandbox user cannot access private folders, so it works in a folder that others can read.
    let downloads = TempDir::with_prefix("varbytes-apt-").map_err(failed("write to", &std::env::temp_dir()))?;
    open_to_readers(downloads.path()).map_err(failed("open", downloads.path()))?;
    fill(&root, downloads.path(), package, progress)?;
    check(&root, package, progress)?;
    if home.exists() {
        fs::remove_dir_all(&home).map_err(failed("remove", &home))?;
    }
    fs::rename(&root, &home).map_err(failed("create", &home))?;
    let found = cache::find(&engines, package).map_err(|error| match error {
        CacheError::Untrusted(source) => untrusted(source),
        CacheError::Probe(source) => probe_failed(package)(source),
    })?;
    found.ok_or(FetchError::NoProgram { package })
}

fn lock(engines: &Path, package: EnginePackage, progress: &Progress) -> Result<File, FetchError> {
    let path = engines.join(format!("{}.lock", cache::folder_name(package)));
    let file = File::create(&path).map_err(failed("create", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            progress.say(&format!("another process is fetching {package}; waiting for it"));
            file.lock().map_err(failed("lock", &path))?;
            Ok(file)
        }
        Err(TryLockError::Error(source)) => Err(failed("lock", &path)(source)),
    }
}

/// Creates an empty folder beside the engines, on the same file system, so that a rename is enough. First removes
/// folders of killed processes, which nobody uses because of the lock.
fn work_folder(engines: &Path, package: EnginePackage) -> Result<TempDir, FetchError> {
    let prefix = format!(".{}.", cache::folder_name(package));
    for entry in fs::read_dir(engines).map_err(failed("read", engines))?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            fs::remove_dir_all(entry.path()).map_err(failed("remove", &entry.path()))?;
        }
    }
    TempDir::with_prefix_in(&prefix, engines).map_err(failed("write to", engines))
}

/// Downloads and unpacks the package and all of its dependencies into `root`, and removes the archives.
fn fill(root: &Path, apt: &Path, package: EnginePackage, progress: &mut Progress) -> Result<(), FetchError> {
    let by_apt = |source| FetchError::Apt { package, source: Box::new(source) };
    cache::create(root).map_err(failed("create", root))?;
    let apt = Apt::prepare(
        apt,
        Archive::Packages { suite: package.suite, machine: package.machine.map(|machine| machine.name) },
    )
    .map_err(by_apt)?;
    apt.update(progress).map_err(by_apt)?;
    let plan = apt.plan(package).map_err(by_apt)?;
    progress.say(&format!(
        "fetching {package} from {}: {}, {} packages",
        apt.archive,
        progress::megabytes(plan.bytes),
        plan.packages
    ));
    let archives = apt.download(package, &plan, progress).map_err(by_apt)?;
    progress.begin("unpacking", plan.packages, Unit::Packages);
    for (archive, done) in archives.iter().zip(1..) {
        apt::unpack(archive, root).map_err(by_apt)?;
        // Removed immediately, so that the disk never holds archives and content of all packages.
        fs::remove_file(archive).map_err(failed("remove", archive))?;
        progress.set(done);
    }
    progress.end();
    Ok(())
}

#[cfg(unix)]
pub(super) fn open_to_readers(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

#[cfg(not(unix))]
pub(super) fn open_to_readers(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn check(root: &Path, package: EnginePackage, progress: &Progress) -> Result<(), FetchError> {
    let launcher = cache::launcher(root, package).ok_or(FetchError::NoProgram { package })?;
    let engine = package.probe(launcher, Origin::Cache).map_err(probe_failed(package))?;
    if package.is_template {
        progress.say(&format!("{package} is ready: {}", engine.version));
        return Ok(());
    }
    let project = TempDir::with_prefix("varbytes-check-").map_err(failed("write to", &std::env::temp_dir()))?;
    // The format version of the project file is the engine's major version plus one.
    let heart = format!("config_version={}\n", package.major + 1);
    for (name, text) in [("project.godot", heart.as_str()), ("check.gd", CHECK)] {
        let path = project.path().join(name);
        fs::write(&path, text).map_err(failed("write", &path))?;
    }
    let mut request = RunRequest::new(project.path(), "res://check.gd");
    request.timeout = CHECK_LIMIT;
    engine
        .run(&request)
        .and_then(|output| output.completion())
        .map_err(|source| FetchError::Check { package, source: Box::new(source) })?;
    progress.say(&format!("{package} is ready: {}", engine.version));
    Ok(())
}

fn probe_failed(package: EnginePackage) -> impl FnOnce(ProbeError) -> FetchError {
    move |source| FetchError::Probe { package, source: Box::new(source) }
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FetchError {
    let path = path.to_owned();
    move |source| FetchError::Cache { what, path, source }
}
