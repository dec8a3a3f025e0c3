//! What a path of an output leads to.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use same_file::Handle;

/// As many symbolic links as Linux follows.
const MAX_LINKS: usize = 40;

/// Where output is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    StandardOutput,
    StandardError,
    /// A pipe or a device.
    Device(PathBuf),
    /// A file that is replaced or created, behind all symbolic links.
    File(PathBuf),
}

impl Place {
    /// Finds the place of an output; without a path it is standard output.
    pub fn of_output(path: Option<&Path>) -> Result<Self> {
        path.map_or(Ok(Self::StandardOutput), Self::of)
    }

    /// Finds the place; `-` means standard output.
    pub fn of(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::StandardOutput);
        }
        let mut target = path.to_owned();
        for _ in 0..MAX_LINKS {
            // Its entries look like links to files. Replacing such a file would remove what it has.
            if is_folder_of_descriptors(folder_of(&target)) {
                return descriptor(target);
            }
            match fs::read_link(&target) {
                Ok(next) => target = folder_of(&target).join(next),
                Err(_) => return Ok(if is_special(&target) { Self::Device(target) } else { Self::File(target) }),
            }
        }
        bail!("cannot open {}: too many symbolic links", path.display())
    }
}

/// Returns whether both paths lead to the same file, also if it does not exist yet, or to the same pipe.
pub fn is_same(first: &Path, second: &Path) -> bool {
    if let (Ok(Place::File(first)), Ok(Place::File(second))) = (Place::of(first), Place::of(second))
        && let (Ok(first), Ok(second)) = (absolute(&first), absolute(&second))
        && first == second
    {
        return true;
    }
    match (fs::metadata(first), fs::metadata(second)) {
        (Ok(found), Ok(other)) if found.is_file() && other.is_file() => {
            same_file::is_same_file(first, second).unwrap_or(false)
        }
        (Ok(found), Ok(other)) => is_same_pipe(&found, &other),
        _ => false,
    }
}

/// Returns whether a path leads to the file that a standard stream is redirected to.
pub fn is_stream(path: &Path, stream: io::Result<Handle>) -> bool {
    let Ok(stream) = stream else { return false };
    let are_files = [fs::metadata(path), stream.as_file().metadata()].iter().flatten().all(Metadata::is_file);
    are_files && Handle::from_path(path).is_ok_and(|file| file == stream)
}

/// Compares numbers, because to open a pipe can block.
#[cfg(unix)]
fn is_same_pipe(first: &Metadata, second: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    first.file_type().is_fifo() && (first.dev(), first.ino()) == (second.dev(), second.ino())
}

#[cfg(not(unix))]
fn is_same_pipe(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// Returns the folder of a file, as a path that can be opened.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the only spelling of the folder, and the name.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    Ok(fs::canonicalize(folder_of(path))?.join(path.file_name().unwrap_or_default()))
}

fn is_special(path: &Path) -> bool {
    // Windows has this device in each folder, and tells nothing about it.
    let is_null = cfg!(windows) && path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("NUL"));
    is_null || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

fn is_folder_of_descriptors(folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
}

/// Returns the place of a descriptor such as `/dev/fd/1`, of this process or of another.
fn descriptor(path: PathBuf) -> Result<Place> {
    let own = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"].map(fs::canonicalize);
    let is_own = fs::canonicalize(folder_of(&path)).is_ok_and(|folder| own.iter().flatten().any(|own| *own == folder));
    match path.file_name().and_then(|name| name.to_str()) {
        Some("1") if is_own => Ok(Place::StandardOutput),
        Some("2") if is_own => Ok(Place::StandardError),
        _ => {
            let shown = path.display();
            let metadata = fs::metadata(&path).with_context(|| format!("cannot open {shown}"))?;
            if metadata.is_file() {
                bail!("{shown} is redirected to a file; name the file");
            }
            Ok(Place::Device(path))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_file_has_a_folder_that_can_be_opened() {
        for (name, folder) in [("game.save", "."), ("./game.save", "."), ("a/b", "a"), ("/a", "/")] {
            assert_eq!(folder_of(Path::new(name)), Path::new(folder));
        }
    }
}
