//! Getting an engine onto a machine that has none: no root, nothing outside one cache folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::apt::{self, Apt};
use super::cache::{self, CacheError, UntrustedCache};
use super::progress::{self, Progress, Unit};
use super::{AptError, CACHE_VARIABLE, Engine, EnginePackage, Origin, ProbeError, RunError, RunRequest};

/// What a new engine must run before it is kept. Godot 3 understands it as well as Godot 4.
const CHECK: &str = r#"extends SceneTree

func _init():
	print("{\"complete\": true}")
	quit()
"#;

/// The first start reads some hundred megabytes from the disk.
const CHECK_LIMIT: Duration = Duration::from_secs(120);

/// An engine could not be fetched. Every message says what there is to do instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// There is no place to put it.
    #[error(
        "there is no cache folder to keep {package} in; name one in {CACHE_VARIABLE}, or an engine in {}",
        package.variable
    )]
    NoFolder {
        /// The engine.
        package: EnginePackage,
    },
    /// Others can put programs into the cache.
    #[error("{package} is not fetched; correct that, or name an engine in {}", package.variable)]
    Untrusted {
        /// The engine.
        package: EnginePackage,
        /// Which folder, and why.
        source: Box<UntrustedCache>,
    },
    /// The package tools failed.
    #[error("cannot fetch {package}; try again, or install it yourself and name it in {}", package.variable)]
    Apt {
        /// The engine.
        package: EnginePackage,
        /// What happened.
        source: Box<AptError>,
    },
    /// A file or folder of the cache could not be written.
    #[error("cannot {what} `{}`; {CACHE_VARIABLE} can name another cache folder", path.display())]
    Cache {
        /// What was to be done with it.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The package was unpacked and holds no program of the name, or no loader to start it with.
    #[error(
        "the packages of {package} were unpacked and hold nothing to start; name an engine in {}",
        package.variable
    )]
    NoProgram {
        /// The engine.
        package: EnginePackage,
    },
    /// The engine was unpacked and does not start.
    #[error("the {package} just fetched does not start; name another engine in {}", package.variable)]
    Probe {
        /// The engine.
        package: EnginePackage,
        /// What happened.
        source: Box<ProbeError>,
    },
    /// The engine starts and fails to run a script of three lines.
    #[error(
        "the {package} just fetched fails at a script of three lines; name another engine in {}",
        package.variable
    )]
    Check {
        /// The engine.
        package: EnginePackage,
        /// What happened.
        source: Box<RunError>,
    },
}

/// Downloads an engine with everything it needs into the cache folder, where [`locate`] finds it.
/// Does nothing when it is there and starts. To have a newer one fetched, remove its folder.
///
/// Everything is made ready in a folder of another name, tried, and only then renamed, so an
/// interruption at any moment leaves no half engine behind. When two processes fetch at once, one
/// of them waits.
///
/// [`locate`]: super::locate()
///
/// # Errors
///
/// [`FetchError`], with the last words of the program that failed.
pub fn fetch(package: EnginePackage, progress: &mut Progress) -> Result<Engine, FetchError> {
    let untrusted = |source| FetchError::Untrusted { package, source: Box::new(source) };
    let engines = cache::engines_folder().map_err(untrusted)?.ok_or(FetchError::NoFolder { package })?;
    cache::create(&engines).map_err(failed("create", &engines))?;
    // Held to the end of this function; the system lets go of it whatever becomes of this process.
    let _lock = lock(&engines, package, progress)?;
    let home = engines.join(cache::folder_name(package));
    match cache::find(&engines, package) {
        Ok(Some(engine)) => return Ok(engine),
        Ok(None) => {}
        Err(CacheError::Untrusted(source)) => return Err(untrusted(source)),
        Err(CacheError::Probe(error)) => progress.say(&format!("fetching {package} again, since {error}")),
    }

    let work = work_folder(&engines, package)?;
    let root = work.path().join("engine");
    // Its user for downloads has no way into folders that are ours alone, so it works in one that others can read.
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

/// An empty folder beside the engines, on the same file system so that a rename is all it takes.
/// What a killed process left of its own is removed first; the lock says that nobody uses it.
fn work_folder(engines: &Path, package: EnginePackage) -> Result<TempDir, FetchError> {
    let prefix = format!(".{}.", cache::folder_name(package));
    for entry in fs::read_dir(engines).map_err(failed("read", engines))?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            fs::remove_dir_all(entry.path()).map_err(failed("remove", &entry.path()))?;
        }
    }
    TempDir::with_prefix_in(&prefix, engines).map_err(failed("write to", engines))
}

/// Downloads and unpacks the package and its whole closure into `root`, and removes the archives.
fn fill(root: &Path, apt: &Path, package: EnginePackage, progress: &mut Progress) -> Result<(), FetchError> {
    let by_apt = |source| FetchError::Apt { package, source: Box::new(source) };
    cache::create(root).map_err(failed("create", root))?;
    let apt = Apt::prepare(apt, package).map_err(by_apt)?;
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
        // At once, so that the disk never holds both forms of everything.
        fs::remove_file(archive).map_err(failed("remove", archive))?;
        progress.set(done);
    }
    progress.end();
    Ok(())
}

#[cfg(unix)]
fn open_to_readers(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_readers(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn check(root: &Path, package: EnginePackage, progress: &Progress) -> Result<(), FetchError> {
    let launcher = cache::launcher(root, package.name).ok_or(FetchError::NoProgram { package })?;
    let engine = Engine::probe(launcher, Origin::Cache).map_err(probe_failed(package))?;
    if package.is_template {
        progress.say(&format!("{package} is ready: {}", engine.version));
        return Ok(());
    }
    let project = TempDir::with_prefix("varbytes-check-").map_err(failed("write to", &std::env::temp_dir()))?;
    // The version of the project file's own format is one more than the engine's major version.
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
