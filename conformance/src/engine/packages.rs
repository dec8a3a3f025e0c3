//! Fetches other packages than engines: sources, and tools for this system.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempDir;

use super::apt::{self, Apt, Archive};
use super::fetch::open_to_readers;
use super::progress::Progress;
use super::{AptError, UntrustedCache, cache};

/// Returns a folder of the cache, which is created if it is missing, or `None` if the user has no cache folder.
///
/// # Errors
/// If others can write to it, or it cannot be created.
pub fn cache_folder(name: &str) -> io::Result<Option<PathBuf>> {
    let untrusted = |source: UntrustedCache| io::Error::new(io::ErrorKind::PermissionDenied, source);
    let Some(folder) = cache::folder(name).map_err(untrusted)? else { return Ok(None) };
    cache::create(&folder)?;
    Ok(Some(folder))
}

/// Returns the path of an engine that `cargo engine-core --program` builds of a core, such as `godot-4.6.3-double`; `None` if
/// the user has no cache folder.
///
/// # Errors
/// If others can write to the folder, or it cannot be created.
pub fn built_engine(core: &str) -> io::Result<Option<PathBuf>> {
    Ok(cache_folder("engine-core")?.map(|folder| folder.join(format!("{core}-program"))))
}

/// Downloads the original sources of a source package into `folder`. Returns the archive; `None` if the package has
/// none.
///
/// # Errors
/// [`AptError`], with the last output of the failed program.
pub fn fetch_source(
    name: &str,
    suite: &'static str,
    folder: &Path,
    progress: &mut Progress,
) -> Result<Option<PathBuf>, AptError> {
    let work = work_folder()?;
    let apt = Apt::prepare(work.path(), Archive::Sources(suite))?;
    apt.update(progress)?;
    let Some(archive) = apt.download_source(name, progress)? else { return Ok(None) };
    let kept = folder.join(archive.file_name().unwrap_or_default());
    fs::copy(&archive, &kept).map_err(|source| AptError::Prepare { path: kept.clone(), source })?;
    Ok(Some(kept))
}

/// Unpacks packages for this system into `root`, with the dependencies that are not installed. Of each list of names, the
/// first is taken that exists.
///
/// # Errors
/// [`AptError`], with the last output of the failed program.
pub fn fetch_tools(packages: &[&[&str]], root: &Path, progress: &mut Progress) -> Result<(), AptError> {
    let work = work_folder()?;
    let apt = Apt::prepare(work.path(), Archive::ForThisSystem)?;
    apt.update(progress)?;
    fs::create_dir_all(root).map_err(|source| AptError::Prepare { path: root.to_owned(), source })?;
    apt.download_first(packages, progress)?.iter().try_for_each(|archive| apt::unpack(archive, root))
}

fn work_folder() -> Result<TempDir, AptError> {
    let failed = |source| AptError::Prepare { path: std::env::temp_dir(), source };
    let work = TempDir::with_prefix("varbytes-apt-").map_err(failed)?;
    open_to_readers(work.path()).map_err(failed)?;
    Ok(work)
}
