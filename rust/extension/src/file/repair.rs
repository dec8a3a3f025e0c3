//! Removes an incomplete record from the end of a file, after copying it to another file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use godot::builtin::{GString, VarDictionary, vdict};
use godot::classes::ProjectSettings;
use godot::obj::Singleton;

use super::damage::CHUNK;
use super::record_file::RecordFile;
use crate::error::{VarBytesError, signed};

/// The greatest number of copies for one file.
const MAX_COPIES: u32 = 10_000;

impl RecordFile {
    /// Shortens the file to its complete records and moves the cursor to its end. If the process ends at any point, all bytes
    /// are in this file or in the copy: the copy is complete and on the disk before the file is shortened. Unless `cut`, changes nothing
    /// if the bytes after the complete records cannot be an incomplete record.
    pub(crate) fn repair(&mut self, cut: bool) -> Result<VarDictionary, VarBytesError> {
        let whole = self.find_whole_records()?;
        let length = self.known_length;
        let dropped = length - whole.end;
        let mut kept_in = String::new();
        if dropped > 0 {
            self.require_resizable(length)?;
            if !cut {
                self.require_incomplete_end()?;
            }
            kept_in = self.copy_end(whole.end, length)?;
            self.shorten(whole.end, length)?;
            if self.unflushed.is_some() {
                self.append_collected()?;
            }
        }
        let whole = self.whole;
        self.begin_at(whole.end);
        self.appends_at = Some(whole.end);
        Ok(vdict! {
            "records" => signed(whole.count),
            "offset" => signed(whole.end),
            "dropped" => signed(dropped),
            "kept_in" => &GString::from(kept_in.as_str()),
        })
    }

    /// Checks that the file can be shortened, before anything is written. Compressed and encrypted files and files open for
    /// reading cannot.
    fn require_resizable(&mut self, length: u64) -> Result<(), VarBytesError> {
        self.access.resize(length).map_err(|reason| {
            let advice = match self.access.can_write() {
                false => return self.only_for_reading(self.whole.end),
                true if self.is_owned() => "",
                true => ": it must be open for reading and writing, not compressed and not encrypted",
            };
            let message = format!("{} cannot be shortened ({reason}){advice}", self.path());
            VarBytesError::stream(message, -1)
        })
    }

    /// Copies the end of the file into a new file beside it. Returns its path.
    fn copy_end(&mut self, start: u64, end: u64) -> Result<String, VarBytesError> {
        let path = ProjectSettings::singleton().globalize_path(&self.access.file().get_path()).to_string();
        let failed = |what: &str, error: io::Error| {
            VarBytesError::stream(
                format!("the incomplete end of {path} was not removed: {what} for its {} bytes: {error}", end - start),
                signed(start),
            )
        };
        let (kept_in, mut kept) =
            new_beside(Path::new(&path)).map_err(|error| failed("cannot create a file", error))?;
        let not_written = |error| failed("cannot write a file", error);
        let copied = (start..end).step_by(CHUNK as usize).try_for_each(|start| {
            let chunk = self.copy(start, CHUNK.min(end - start))?;
            kept.write_all(chunk.as_slice()).map_err(not_written)
        });
        let synced = copied.and_then(|()| kept.sync_all().and_then(|()| sync_folder(&kept_in)).map_err(not_written));
        if let Err(error) = synced {
            drop(fs::remove_file(&kept_in));
            return Err(error);
        }
        let name = kept_in.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // In the form of the file's own path: with `user://` if it has that.
        let named = self.path();
        let folder = named.rfind(['/', '\\']).map_or("", |slash| &named[..=slash]);
        Ok(format!("{folder}{name}"))
    }

    fn shorten(&mut self, to: u64, length: u64) -> Result<(), VarBytesError> {
        if self.length_on_disk()? != length {
            let message =
                format!("the length of {} has changed during the repair, so nothing was removed", self.path());
            return Err(VarBytesError::stream(message, signed(to)));
        }
        let resized = self.access.resize(to);
        self.known_length = self.access.length();
        if self.known_length == to {
            return Ok(());
        }
        let reason = resized.err().unwrap_or_default();
        Err(VarBytesError::stream(format!("{} could not be shortened ({reason})", self.path()), signed(to)))
    }
}

/// Creates a file beside `original`, with its permissions, and opens it for writing. Returns its path too.
fn new_beside(original: &Path) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Nobody else can open it before it has the other permissions.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for number in 1..=MAX_COPIES {
        let mut name = original.file_name().unwrap_or_default().to_owned();
        name.push(format!(".incomplete-{number}"));
        let path = original.with_file_name(name);
        match options.open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                // Some file systems have no permissions.
                #[cfg(unix)]
                drop(copy_permissions(&file, original));
                return Ok((path, file));
            }
        }
    }
    Err(io::Error::other(format!(
        "there are {MAX_COPIES} copies already: delete old files that end with .incomplete-N"
    )))
}

/// Gives a file the permissions of the one at `original` and, as far as allowed, its owner.
#[cfg(unix)]
fn copy_permissions(file: &File, original: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let original = fs::metadata(original)?;
    let (owner, group) = (Some(original.uid()), Some(original.gid()));
    let has_group = fchown(file, owner, group).or_else(|_| fchown(file, None, group)).is_ok();
    // Another group must not get the permissions of this one.
    let mode = original.mode() & if has_group { 0o777 } else { 0o707 };
    file.set_permissions(PermissionsExt::from_mode(mode))
}

/// Makes sure that the directory entry of a new file is on the disk, where the file system and the permissions of the folder allow that.
fn sync_folder(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent().filter(|_| cfg!(unix)) else { return Ok(()) };
    // The folder of a file name alone is the current one.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::PermissionDenied | ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        result => result,
    }
}
