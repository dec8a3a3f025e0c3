//! The vectors and what is needed with them, inside the program.

use std::io::{self, Cursor};

use tempfile::TempDir;
use zip::ZipArchive;

/// The archive that the build script writes.
static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/data.zip"));

/// Unpacks the data into a temporary folder, which is removed when the result is dropped. The paths in it are those of
/// the repository.
///
/// # Errors
/// If the folder cannot be written.
pub fn unpack() -> io::Result<TempDir> {
    let folder = TempDir::with_prefix("varbytes-conformance-")?;
    ZipArchive::new(Cursor::new(ARCHIVE))?.extract(folder.path())?;
    Ok(folder)
}
