//! Where the output goes: all of it at once, when there is no more that can fail, or nothing.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write, copy, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::{NamedTempFile, SpooledTempFile};

use super::interrupted;

/// Large enough that short records are written in few system calls.
const BUFFER: usize = 1 << 16;

/// Output of up to so many bytes waits in memory.
const IN_MEMORY: usize = 8 << 20;

pub struct Destination {
    form: Form,
}

enum Form {
    /// Standard output, or what is no file, such as a pipe: what is written there cannot be taken back.
    Stream { held: SpooledTempFile, path: Option<PathBuf> },
    /// A file beside the one whose name it takes at the end.
    File { written: BufWriter<NamedTempFile>, path: PathBuf, original: Option<Box<Original>> },
}

/// The file that is replaced.
struct Original {
    metadata: Metadata,
    /// What is added to its name for the one under which it is kept, if it is.
    backup_suffix: Option<String>,
}

impl Destination {
    /// A file by its path, or standard output.
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

    /// The file itself, which is kept under another name; and its content, opened.
    pub fn in_place(path: &Path, backup_suffix: &str) -> Result<(File, Self)> {
        ensure!(!backup_suffix.is_empty(), "the suffix of the backup is empty");
        ensure!(!backup_suffix.contains(['/', '\\']), "the suffix of the backup leads into another folder");
        // A link stays one: what it leads to is converted.
        let path = resolved(path)?;
        let opened = open_regular(&path)?;
        let metadata = opened.metadata().with_context(|| format!("cannot look at {}", path.display()))?;
        let original = Original { metadata, backup_suffix: Some(backup_suffix.to_owned()) };
        Ok((opened, Self { form: file(&path, Some(original))? }))
    }

    /// Gives the output to whoever waits for it; the path of the backup, if there is one.
    pub fn finish(self) -> Result<Option<PathBuf>> {
        match self.form {
            Form::Stream { mut held, path } => {
                held.rewind().context("cannot read the output back")?;
                match path {
                    // Without context, so that a closed pipe can still be told from other failures.
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
                        .with_context(|| format!("cannot give the output the permissions of {}", path.display()))?;
                }
                // On the disk before anything has the name: a power cut leaves one of the two files, whole.
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
    /// Gives the original a second name, one that nothing has, where it is kept. Its own it keeps until the new file takes it.
    fn keep(&self, path: &Path) -> Result<Option<PathBuf>> {
        let Some(suffix) = &self.backup_suffix else { return Ok(None) };
        let now = fs::symlink_metadata(path).with_context(|| format!("cannot look at {}", path.display()))?;
        let same = is_same_file(&now, &self.metadata)
            && now.len() == self.metadata.len()
            && now.modified().ok() == self.metadata.modified().ok();
        ensure!(same, "{} was changed by another program meanwhile: nothing was written", path.display());
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

/// A link where the file system has such, which takes no time and cannot be half done, or else a copy.
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

/// The file that a path leads to, through all links; by the name that was given, if it is none.
fn resolved(path: &Path) -> Result<PathBuf> {
    let found = fs::symlink_metadata(path)
        .and_then(|metadata| if metadata.is_symlink() { fs::canonicalize(path) } else { Ok(path.to_owned()) });
    found.with_context(|| format!("cannot open {}", path.display()))
}

/// Opens a file to read, and nothing else: a pipe would wait for someone to write, and a device may do anything.
fn open_regular(path: &Path) -> Result<File> {
    let shown = path.display();
    let found = fs::metadata(path).with_context(|| format!("cannot look at {shown}"))?;
    ensure!(found.is_file(), "{shown} is no regular file, so it cannot be converted in place");
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    // Another file may have the name by now, and opening a pipe waits.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let opened = options.read(true).open(path).with_context(|| format!("cannot open {shown}"))?;
    let metadata = opened.metadata().with_context(|| format!("cannot look at {shown}"))?;
    let same = metadata.is_file() && is_same_file(&metadata, &found);
    ensure!(same, "{shown} was replaced by another program meanwhile: nothing was written");
    Ok(opened)
}

/// Whether two descriptions are of one file, where the system has numbers of files.
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

/// The folder of a file, by a name that can be opened.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn file(path: &Path, original: Option<Original>) -> Result<Form> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".varbytes-");
    #[cfg(unix)]
    {
        // Nobody else reads it before it has the permissions of the file that it replaces. A new file has what the
        // user's own mask leaves, as any other.
        let mode = if original.is_some() { 0o600 } else { 0o666 };
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    }
    let made = builder.tempfile_in(folder_of(path));
    let written = made.with_context(|| format!("cannot write into the folder of {}", path.display()))?;
    interrupted::remove_when(written.path())?;
    Ok(Form::File {
        written: BufWriter::with_capacity(BUFFER, written),
        path: path.to_owned(),
        original: original.map(Box::new),
    })
}

/// Gives a file the owner, as far as that is allowed, and the permissions of the one it replaces.
fn resemble(file: &File, replaced: &Metadata) -> io::Result<()> {
    let permissions = replaced.permissions();
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        // Only an administrator gives files away; to anyone else the file belongs anyway.
        let (owner, group) = (Some(replaced.uid()), Some(replaced.gid()));
        let given = fchown(file, owner, group).or_else(|_| fchown(file, None, group));
        match given {
            Ok(()) => permissions,
            // What the one group was allowed, another is not.
            Err(_) => PermissionsExt::from_mode(permissions.mode() & 0o707),
        }
    };
    file.set_permissions(permissions)
}

/// Has the new name on the disk, too, where a folder can be asked for that.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    {
        // Whether or not the system does it now, each of the two files is whole.
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
