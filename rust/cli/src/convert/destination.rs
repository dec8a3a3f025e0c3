//! The output: written completely at the end, or not at all.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write, copy, stderr, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::{NamedTempFile, SpooledTempFile};

use super::interrupted::{self, Written};
use super::permissions::resemble;
use super::place::{Place, folder_of};
use crate::standard::output_error;

/// Large enough to write short records in few system calls.
const BUFFER: usize = 1 << 16;

/// Up to this many bytes of output are held in memory.
const IN_MEMORY: usize = 8 << 20;

pub struct Destination {
    form: Form,
}

enum Form {
    /// Standard output or a pipe, where output cannot be undone.
    Stream { held: SpooledTempFile, place: Place },
    /// A temporary file that is renamed at the end.
    File { written: BufWriter<NamedTempFile>, path: PathBuf, original: Option<Box<Original>> },
}

/// What was made of the output.
#[derive(Default)]
pub struct Made {
    /// The file, unless the output went to a stream.
    pub file: Option<PathBuf>,
    pub backup: Option<PathBuf>,
    /// How many other names the file had that was replaced.
    pub other_links: u64,
}

/// A part of the output was written, which cannot be undone.
#[derive(Debug)]
pub struct Incomplete;

impl fmt::Display for Incomplete {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("incomplete output")
    }
}

impl std::error::Error for Incomplete {}

/// The file that is replaced.
struct Original {
    metadata: Metadata,
    /// The suffix of the backup's name, if there is a backup.
    backup_suffix: Option<String>,
}

impl Destination {
    pub fn new(place: Place) -> Result<Self> {
        let form = match place {
            Place::File(path) => match fs::metadata(&path) {
                Ok(metadata) => file(path, Some(Original { metadata, backup_suffix: None }))?,
                Err(_) => file(path, None)?,
            },
            Place::Device(path) if path.is_dir() => bail!("{} is a folder", path.display()),
            place => Form::Stream { held: SpooledTempFile::new(IN_MEMORY), place },
        };
        Ok(Self { form })
    }

    /// Opens the file for conversion in place, and creates a destination that replaces it and keeps a backup.
    pub fn in_place(path: &Path, backup_suffix: &str) -> Result<(File, Self)> {
        // A symbolic link is kept, and its target is converted.
        let (Place::File(path) | Place::Device(path)) = Place::of(path)? else {
            bail!("{} is not a regular file, so it cannot be converted in place", path.display());
        };
        let opened = open_regular(&path)?;
        let metadata = opened.metadata().with_context(|| format!("cannot read the metadata of {}", path.display()))?;
        let original = Original { metadata, backup_suffix: Some(backup_suffix.to_owned()) };
        Ok((opened, Self { form: file(path, Some(original))? }))
    }

    /// Writes the output to its destination, and returns what was made.
    pub fn finish(self) -> Result<Made> {
        match self.form {
            Form::Stream { mut held, place } => {
                held.rewind().context("cannot read the output back")?;
                send(&mut held, &place)?;
                Ok(Made::default())
            }
            Form::File { written, path, original } => {
                let temporary = written.into_inner().map_err(io::IntoInnerError::into_error);
                let temporary = temporary.context("cannot write the output")?;
                if let Some(original) = &original {
                    resemble(temporary.as_file(), &original.metadata, &path)
                        .with_context(|| format!("cannot set the permissions of {} on the output", path.display()))?;
                }
                // Synced before the rename, so a power cut leaves one of the two files, complete.
                temporary.as_file().sync_all().context("cannot write the output to the disk")?;
                let name = temporary.path().to_owned();
                let other_links = original.as_ref().map_or(0, |original| other_links(&original.metadata));
                let backup = interrupted::complete(&name, || {
                    let backup = original.map_or(Ok(None), |original| original.keep(&path))?;
                    let persisted = temporary.persist(&path).map(drop).map_err(|error| error.error);
                    persisted.with_context(|| not_replaced(&path, backup.as_deref()))?;
                    Ok(backup)
                })?;
                sync_folder(&path);
                Ok(Made { file: Some(path), backup, other_links })
            }
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.form {
            Form::Stream { held, .. } => held.write(bytes).map_err(|error| in_temporary_folder(&error)),
            Form::File { written, .. } => written.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.form {
            Form::Stream { held, .. } => held.flush(),
            Form::File { written, .. } => written.flush(),
        }
    }
}

/// Names the folder of temporary files in the error of writing to one: the error itself has no path.
pub fn in_temporary_folder(error: &io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    let text = format!("cannot use the folder {} for temporary files (see TMPDIR): {error}", folder.display());
    io::Error::new(error.kind(), text)
}

impl Original {
    /// Creates the backup under a free name, if one is wanted. The original keeps its own name until it is replaced.
    fn keep(&self, path: &Path) -> Result<Option<PathBuf>> {
        let Some(suffix) = &self.backup_suffix else { return Ok(None) };
        let now =
            fs::symlink_metadata(path).with_context(|| format!("cannot read the metadata of {}", path.display()))?;
        let same = is_same_file(&now, &self.metadata)
            && now.len() == self.metadata.len()
            && now.modified().ok() == self.metadata.modified().ok();
        ensure!(same, "another program changed {} meanwhile; nothing was written", path.display());
        for number in 0.. {
            let backup = backup_name(path, suffix, number);
            match second_name(path, &backup) {
                Ok(()) => return Ok(Some(backup)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot keep the original as {}", backup.display()));
                }
            }
        }
        unreachable!("some number is free")
    }
}

pub fn backup_name(path: &Path, suffix: &str, number: u32) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    if number > 0 {
        name.push(format!(".{number}"));
    }
    name.into()
}

/// Says that the file is unchanged. Its second name, the backup, is removed if possible.
fn not_replaced(path: &Path, backup: Option<&Path>) -> String {
    let left = backup.filter(|backup| fs::remove_file(backup).is_err());
    let left = left.map(|backup| format!("; the original is also left as {}", backup.display()));
    format!("cannot replace {}{}", path.display(), left.unwrap_or_default())
}

fn send(held: &mut SpooledTempFile, place: &Place) -> Result<()> {
    let device = match place {
        Place::StandardOutput | Place::StandardError => None,
        Place::Device(path) | Place::File(path) => {
            let opened = OpenOptions::new().write(true).open(path);
            Some((path, opened.with_context(|| format!("cannot open {}", path.display()))?))
        }
    };
    interrupted::set_written(Written::Part);
    let sent = match device {
        Some((path, mut file)) => copy(held, &mut file).with_context(|| format!("cannot write {}", path.display())),
        None if *place == Place::StandardError => {
            copy(held, &mut stderr().lock()).context("cannot write standard error")
        }
        None => {
            let mut output = stdout().lock();
            copy(held, &mut output).and_then(|count| output.flush().map(|()| count)).map_err(output_error)
        }
    };
    sent.context(Incomplete)?;
    interrupted::set_written(Written::All);
    Ok(())
}

/// Creates the backup as a hard link, which is atomic, or as a copy if the file system has no links.
fn second_name(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(path, backup) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {}
        done => return done,
    }
    copy_as(path, backup)
}

/// Copies a file with its permissions and, as far as allowed, its owner.
fn copy_as(path: &Path, backup: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut copied = options.write(true).create_new(true).open(backup)?;
    let done = File::open(path).and_then(|mut original| copy(&mut original, &mut copied));
    let done = done.and_then(|_| resemble(&copied, &fs::metadata(path)?, path));
    done.and_then(|()| copied.sync_all()).inspect_err(|_| drop(fs::remove_file(backup)))
}

/// Opens a regular file for reading. Other files are refused: a pipe would block, and a device may do anything.
fn open_regular(path: &Path) -> Result<File> {
    let shown = path.display();
    let found = fs::metadata(path).with_context(|| format!("cannot read the metadata of {shown}"))?;
    ensure!(found.is_file(), "{shown} is not a regular file, so it cannot be converted in place");
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    // Another file may have this name by now, and opening a pipe blocks.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let opened = options.read(true).open(path).with_context(|| format!("cannot open {shown}"))?;
    let metadata = opened.metadata().with_context(|| format!("cannot read the metadata of {shown}"))?;
    let same = metadata.is_file() && is_same_file(&metadata, &found);
    ensure!(same, "another program replaced {shown} meanwhile; nothing was written");
    Ok(opened)
}

/// Returns whether both metadata are of the same file. On systems without inode numbers, only compares the file type.
fn is_same_file(first: &Metadata, second: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (first.dev(), first.ino()) == (second.dev(), second.ino())
    }
    #[cfg(not(unix))]
    {
        first.file_type() == second.file_type()
    }
}

/// Returns how many other names a file has. They keep their contents when one is replaced.
fn other_links(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        std::os::unix::fs::MetadataExt::nlink(metadata).saturating_sub(1)
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        0
    }
}

fn file(path: PathBuf, original: Option<Original>) -> Result<Form> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".varbytes-");
    #[cfg(unix)]
    {
        // Nobody else can read it before it has the permissions of the file that it replaces. A new file has the
        // default permissions of the user's umask.
        let mode = if original.is_some() { 0o600 } else { 0o666 };
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    }
    let made = interrupted::temporary(|| builder.tempfile_in(folder_of(&path)));
    let written =
        made.with_context(|| format!("cannot create a temporary file in the folder of {}", path.display()))?;
    Ok(Form::File { written: BufWriter::with_capacity(BUFFER, written), path, original: original.map(Box::new) })
}

/// Syncs the folder, so that the new name is on the disk, if the system supports this.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    {
        // Even if this fails, each of the two files is complete.
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_that_stays_next_to_an_unchanged_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = Path::new("game.save");
        // A folder cannot be removed as a file.
        let message = not_replaced(path, Some(folder.path()));
        assert_eq!(
            message,
            format!("cannot replace game.save; the original is also left as {}", folder.path().display())
        );
        let backup = folder.path().join("game.save.bak");
        fs::write(&backup, "").unwrap();
        assert_eq!(not_replaced(path, Some(&backup)), "cannot replace game.save");
        assert!(!backup.exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_backup_that_is_a_copy_has_the_permissions_and_the_access_list_of_the_original() {
        use std::os::unix::fs::PermissionsExt;

        use rustix::fs::{XattrFlags, getxattr, setxattr};

        const NAME: &str = "system.posix_acl_access";
        // The owner reads and writes, user 1234 reads, group and others do nothing.
        let entries: [(u16, u16, u32); 5] =
            [(1, 6, u32::MAX), (2, 4, 1234), (4, 0, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)];
        let entry = |(tag, access, id): (u16, u16, u32)| {
            [&tag.to_le_bytes()[..], &access.to_le_bytes(), &id.to_le_bytes()].concat()
        };
        let list = [2u32.to_le_bytes().to_vec(), entries.into_iter().flat_map(entry).collect()].concat();
        let folder = tempfile::tempdir().unwrap();
        let [path, backup] = ["game.save", "game.save.bak"].map(|name| folder.path().join(name));
        fs::write(&path, "bytes").unwrap();
        // New files in the folder get the list, also the copy of a file without one.
        setxattr(folder.path(), "system.posix_acl_default", &list, XattrFlags::empty()).unwrap();
        for has_list in [false, true] {
            fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
            if has_list {
                setxattr(&path, NAME, &list, XattrFlags::empty()).unwrap();
            }
            copy_as(&path, &backup).unwrap();
            assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o640);
            let mut copied = [0; 100];
            let length = getxattr(&backup, NAME, &mut copied).unwrap_or_default();
            assert_eq!(copied[..length], list[..if has_list { list.len() } else { 0 }]);
            fs::remove_file(&backup).unwrap();
        }
    }
}
