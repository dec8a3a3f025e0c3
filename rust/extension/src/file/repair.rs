//! Removing what is no whole record from the end of a file. What is removed is in a file of its own first.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use godot::builtin::{GString, VarDictionary, vdict};
use godot::classes::ProjectSettings;
use godot::global::Error;
use godot::obj::Singleton;

use super::record_file::RecordFile;
use crate::failure::Failure;

/// How much is copied at once.
const CHUNK: u64 = 1 << 20;

/// A place for so many incomplete ends of one file.
const MOST_KEPT: u32 = 10_000;

impl RecordFile {
    /// Shortens the file to its whole records and goes to its end. Whenever the process ends, all bytes are in the
    /// file or in the one that keeps them: that one is complete and on the disk before the file is shortened.
    pub(crate) fn repair(&mut self) -> Result<VarDictionary, Failure> {
        let whole = self.find_whole_records()?;
        let length = self.known_length;
        let dropped = length - whole.end;
        let mut kept_in = String::new();
        if dropped > 0 {
            self.require_resizable(length)?;
            kept_in = self.keep(whole.end, length)?;
            self.shorten(whole.end, length)?;
        }
        self.begin_at(whole.end);
        self.appends_at = Some(whole.end);
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        Ok(vdict! {
            "records" => number(whole.count),
            "offset" => number(whole.end),
            "dropped" => number(dropped),
            "kept_in" => &GString::from(kept_in.as_str()),
        })
    }

    /// Before anything is written: compressed and encrypted files cannot be shortened, nor can those that are open for
    /// reading.
    fn require_resizable(&mut self, length: u64) -> Result<(), Failure> {
        match self.file.resize(signed(length)) {
            Error::OK => Ok(()),
            error => Err(Failure::stream(
                format!(
                    "{} cannot be shortened (engine error {error:?}): open it with FileAccess.READ_WRITE, neither \
                     compressed nor encrypted",
                    self.place()
                ),
                -1,
            )),
        }
    }

    /// Copies a part of the file into a new one beside it. Gives its path.
    fn keep(&mut self, start: u64, end: u64) -> Result<String, Failure> {
        let path = ProjectSettings::singleton().globalize_path(&self.file.get_path()).to_string();
        let failed = |what: &str, error: io::Error| {
            Failure::stream(
                format!(
                    "the incomplete end of {path} was left as it is: {what} for its {} bytes: {error}",
                    end - start
                ),
                signed(start),
            )
        };
        let (kept_in, mut kept) = new_beside(Path::new(&path)).map_err(|error| failed("there is no file", error))?;
        self.seek_to(start);
        let mut copied = start;
        while copied < end {
            let chunk = self.file.get_buffer(signed(CHUNK.min(end - copied)));
            let result = match chunk.len() {
                0 => Err(io::ErrorKind::UnexpectedEof.into()),
                _ => kept.write_all(chunk.as_slice()),
            };
            if let Err(error) = result {
                drop(fs::remove_file(&kept_in));
                return Err(failed("the new file cannot be written", error));
            }
            copied += chunk.len() as u64;
        }
        if let Err(error) = kept.sync_all().and_then(|()| sync_folder(&kept_in)) {
            drop(fs::remove_file(&kept_in));
            return Err(failed("the new file cannot be written", error));
        }
        let name = kept_in.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // As the file was named: with `user://` where it was.
        let named = self.place();
        let folder = named.rfind(['/', '\\']).map_or("", |slash| &named[..=slash]);
        Ok(format!("{folder}{name}"))
    }

    fn shorten(&mut self, to: u64, length: u64) -> Result<(), Failure> {
        if self.file.get_length() != length {
            let message = format!("{} grew while it was repaired: nothing was removed", self.place());
            return Err(Failure::stream(message, signed(to)));
        }
        let error = self.file.resize(signed(to));
        self.known_length = self.file.get_length();
        if self.known_length == to {
            return Ok(());
        }
        Err(Failure::stream(format!("{} could not be shortened (engine error {error:?})", self.place()), signed(to)))
    }
}

/// A new file beside `path`, open for writing, and its path.
fn new_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    for number in 1..MOST_KEPT {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".incomplete-{number}"));
        let path = path.with_file_name(name);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Makes sure that the name of a new file is on the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
