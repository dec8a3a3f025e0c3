//! The output: written completely at the end, or not at all.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write, copy, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::{NamedTempFile, SpooledTempFile};

use super::interrupted;

/// Large enough to write short records in few system calls.
const BUFFER: usize = 1 << 16;

/// Up to this many bytes of output are held in memory.
const IN_MEMORY: usize = 8 << 20;

pub struct Destination {
    form: Form,
}

enum Form {
    /// Standard output or a pipe, where output cannot be undone.
    Stream { held: SpooledTempFile, path: Option<PathBuf> },
    /// A temporary file that is renamed at the end.
    File { written: BufWriter<NamedTempFile>, path: PathBuf, original: Option<Box<Original>> },
}

/// The file that is replaced.
struct Original {
    metadata: Metadata,
    /// The suffix of the backup's name, if there is a backup.
    backup_suffix: Option<String>,
}

impl Destination {
    /// Creates a destination for a path, or for standard output.
    pub fn new(path: Option<&Path>) -> Result<Self> {
        let stream = |path| Form::Stream { held: SpooledTempFile::new(IN_MEMORY), path };
        let form = match path {
            None => stream(None),
            Some(path) => match fs::metadata(path) {
                Ok(metadata) if !metadata.is_file() => stream(Some(path.to_owned())),
                Ok(metadata) => file(&resolved(path)?, Some(Original { metadata, backup_suffix: None }))?,
                Err(_) => file(path, None)?,
            },
        };
        Ok(Self { form })
    }

    /// Opens the file for conversion in place, and creates a destination that replaces it and keeps a backup.
    pub fn in_place(path: &Path, backup_suffix: &str) -> Result<(File, Self)> {
        ensure!(!backup_suffix.is_empty(), "the backup suffix is empty");
        ensure!(!backup_suffix.contains(['/', '\\']), "the backup suffix contains a path separator");
        // A symbolic link is kept, and its target is converted.
        let path = resolved(path)?;
        let opened = open_regular(&path)?;
        let metadata = opened.metadata().with_context(|| format!("cannot read the metadata of {}", path.display()))?;
        let original = Original { metadata, backup_suffix: Some(backup_suffix.to_owned()) };
        Ok((opened, Self { form: file(&path, Some(original))? }))
    }

    /// Writes the output to its destination, and returns the path of the backup, if there is one.
    pub fn finish(self) -> Result<Option<PathBuf>> {
        match self.form {
            Form::Stream { mut held, path } => {
                held.rewind().context("cannot read the output back")?;
                match path {
                    // Without context, so that a closed pipe can be distinguished from other failures.
                    None => copy(&mut held, &mut stdout().lock()).and_then(|_| stdout().flush())?,
                    Some(path) => OpenOptions::new()
                        .write(true)
                        .open(&path)
                        .and_then(|mut file| copy(&mut held, &mut file))
                        .map(drop)
                        .with_context(|| format!("cannot write {}", path.display()))?,
                }
                Ok(None)
            }
            Form::File { written, path, original } => {
                let temporary = written.into_inner().map_err(io::IntoInnerError::into_error);
                let temporary = temporary.context("cannot write the output")?;
                if let Some(original) = &original {
                    resemble(temporary.as_file(), &original.metadata)
                        .with_context(|| format!("cannot set the permissions of {} on the output", path.display()))?;
                }
                // Synced before the rename, so a power cut leaves one of the two files, complete.
                temporary.as_file().sync_all().context("cannot write the output to the disk")?;
                let backup = original.map_or(Ok(None), |original| original.keep(&path))?;
                let persisted = temporary.persist(&path);
                interrupted::forget();
                if let Err(error) = persisted {
                    if let Some(backup) = &backup {
                        // The original still has its name.
                        let _ = fs::remove_file(backup);
                    }
                    return Err(error.error).with_context(|| format!("cannot replace {}", path.display()));
                }
                sync_folder(&path);
                Ok(backup)
            }
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.form {
            Form::Stream { held, .. } => held.write(bytes),
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

fn backup_name(path: &Path, suffix: &str, number: u32) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    if number > 0 {
        name.push(format!(".{number}"));
    }
    name.into()
}

/// Creates the backup as a hard link, which is atomic, or as a copy if the file system has no links.
fn second_name(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(path, backup) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {}
        done => return done,
    }
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut copied = options.write(true).create_new(true).open(backup)?;
    let done = File::open(path).and_then(|mut original| copy(&mut original, &mut copied));
    let done = done.and_then(|_| copied.set_permissions(fs::metadata(path)?.permissions()));
    done.and_then(|()| copied.sync_all()).inspect_err(|_| drop(fs::remove_file(backup)))
}

/// Returns the target of a symbolic link, or the path itself if it is not a link.
fn resolved(path: &Path) -> Result<PathBuf> {
    let found = fs::symlink_metadata(path)
        .and_then(|metadata| if metadata.is_symlink() { fs::canonicalize(path) } else { Ok(path.to_owned()) });
    found.with_context(|| format!("cannot open {}", path.display()))
}

/// Opens a regular file for reading. Other files are refused: a pipe would block, and a device may do anything.
fn open_regular(path: &Path) -> Result<File> {
    let shown = path.display();
    let found = fs::metadata(path).with_context(|| format!("cannot read the metadata of {shown}"))?;
    ensure!(found.is_file(), "{shown} is not a regular file, so it cannot be converted in place");
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    // Another file may have this name by now, and opening a pipe blocks.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
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

/// Returns the folder of a file, as a path that can be opened.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn file(path: &Path, original: Option<Original>) -> Result<Form> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".varbytes-");
    #[cfg(unix)]
    {
        // Nobody else can read it before it has the permissions of the file that it replaces. A new file has the
        // default permissions of the user's umask.
        let mode = if original.is_some() { 0o600 } else { 0o666 };
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    }
    let made = builder.tempfile_in(folder_of(path));
    let written =
        made.with_context(|| format!("cannot create a temporary file in the folder of {}", path.display()))?;
    interrupted::remove_when(written.path())?;
    Ok(Form::File {
        written: BufWriter::with_capacity(BUFFER, written),
        path: path.to_owned(),
        original: original.map(Box::new),
    })
}

/// Copies the permissions and, as far as allowed, the owner of the replaced file.
fn resemble(file: &File, replaced: &Metadata) -> io::Result<()> {
    let permissions = replaced.permissions();
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        // Only an administrator can change the owner; other users already own the file.
        let (owner, group) = (Some(replaced.uid()), Some(replaced.gid()));
        let given = fchown(file, owner, group).or_else(|_| fchown(file, None, group));
        match given {
            Ok(()) => permissions,
            // The group differs, so the permissions of the old group are removed.
            Err(_) => PermissionsExt::from_mode(permissions.mode() & 0o707),
        }
    };
    file.set_permissions(permissions)
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
    fn every_name_of_a_file_has_a_folder_that_can_be_opened() {
        for (name, folder) in [("game.save", "."), ("./game.save", "."), ("a/b", "a"), ("/a", "/")] {
            assert_eq!(folder_of(Path::new(name)), Path::new(folder));
        }
    }
}
