//! What a path of an output leads to.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

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

/// Returns whether both paths lead to the same file, also if it does not exist yet.
pub fn is_same(first: &Path, second: &Path) -> bool {
    let (Ok(Place::File(first)), Ok(Place::File(second))) = (Place::of(first), Place::of(second)) else { return false };
    let paths = (absolute(&first), absolute(&second));
    matches!(&paths, (Ok(first), Ok(second)) if first == second)
        || same_file::is_same_file(first, second).unwrap_or(false)
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
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
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
                bail!("{shown} is redirected to a file; name the file, or redirect standard output to it, with 1>&");
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
