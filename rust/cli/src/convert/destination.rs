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
    File { written: BufWriter<NamedTempFile>, path: PathBuf, original: Option<Original> },
}

/// The file that is converted in place.
struct Original {
    metadata: Metadata,
    backup_suffix: String,
}

impl Destination {
    /// A file by its path, or standard output.
    pub fn new(path: Option<&Path>) -> Result<Self> {
        let stream = |path| Form::Stream { held: SpooledTempFile::new(IN_MEMORY), path };
        let form = match path {
            None => stream(None),
            Some(path) => match fs::metadata(path) {
                Ok(metadata) if !metadata.is_file() => stream(Some(path.to_owned())),
                Ok(metadata) => file(&resolved(path)?, Some(&metadata), None)?,
                Err(_) => file(path, None, None)?,
            },
        };
        Ok(Self { form })
    }

    /// The file itself, which is kept under another name.
    pub fn in_place(path: &Path, backup_suffix: &str) -> Result<Self> {
        ensure!(!backup_suffix.is_empty(), "the suffix of the backup is empty");
        ensure!(!backup_suffix.contains(['/', '\\']), "the suffix of the backup leads into another folder");
        // A link stays one: what it leads to is converted.
        let path = resolved(path)?;
        let metadata = fs::metadata(&path).with_context(|| format!("cannot look at {}", path.display()))?;
        ensure!(metadata.is_file(), "{} is no file, so it cannot be converted in place", path.display());
        let original = Original { metadata: metadata.clone(), backup_suffix: backup_suffix.to_owned() };
        Ok(Self { form: file(&path, Some(&metadata), Some(original))? })
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
                // On the disk before anything has the name: a power cut leaves one of the two files, whole.
                temporary.as_file().sync_all().context("cannot write the output to the disk")?;
                let backup = original.map(|original| original.keep(&path)).transpose()?;
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
    /// Gives the original a second name, one that nothing has. Its own it keeps until the new file takes it.
    fn keep(&self, path: &Path) -> Result<PathBuf> {
        let now = fs::metadata(path).with_context(|| format!("cannot look at {}", path.display()))?;
        let same = now.len() == self.metadata.len() && now.modified().ok() == self.metadata.modified().ok();
        ensure!(same, "{} was changed by another program meanwhile: nothing was written", path.display());
        for number in 0.. {
            let backup = self.backup_name(path, number);
            match second_name(path, &backup) {
                Ok(()) => return Ok(backup),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot keep the original as {}", backup.display()));
                }
            }
        }
        unreachable!("some number is free")
    }

    fn backup_name(&self, path: &Path, number: u32) -> PathBuf {
        let mut name = OsString::from(path);
        name.push(&self.backup_suffix);
        if number > 0 {
            name.push(format!(".{number}"));
        }
        name.into()
    }
}

/// A link where the file system has such, which takes no time and cannot be half done, or else a copy.
fn second_name(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(path, backup) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {}
        done => return done,
    }
    let mut copied = OpenOptions::new().write(true).create_new(true).open(backup)?;
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

fn file(path: &Path, replaced: Option<&Metadata>, original: Option<Original>) -> Result<Form> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".varbytes-");
    #[cfg(unix)]
    // What the user's own mask leaves of it, as for any new file. Temporary ones are private otherwise.
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let made = builder
        .tempfile_in(folder)
        .and_then(|file| replaced.map_or(Ok(()), |metadata| resemble(file.as_file(), metadata)).map(|()| file));
    let written = made.with_context(|| format!("cannot write into the folder of {}", path.display()))?;
    interrupted::remove_when(written.path())?;
    Ok(Form::File { written: BufWriter::with_capacity(BUFFER, written), path: path.to_owned(), original })
}

/// Gives a file the owner, as far as that is allowed, and the permissions of the one it replaces.
fn resemble(file: &File, replaced: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only an administrator gives files away; to anyone else the file belongs anyway.
        let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
    }
    file.set_permissions(replaced.permissions())
}

/// Has the new name on the disk, too, where a folder can be asked for that.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        // Whether or not the system does it now, each of the two files is whole.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = path;
}
