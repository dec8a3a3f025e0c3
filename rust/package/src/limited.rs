//! Tests with limits of the system: with a full disk, with a process that is killed while it writes, and with a small stack.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;
use varbytes_conformance::engine::{Engine, RunError};

use crate::suites::{Project, ends_with};

/// The greatest size of a file that the system allows, in the units of `ulimit`.
const BLOCKS: usize = 400;
const LIMIT: usize = BLOCKS * 512;

impl Project {
    /// Runs the suite for full disks. The system limits files to a few hundred kilobytes.
    ///
    /// # Errors
    /// Returns an error if the suite fails.
    pub fn full_disk(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let large = LargeFile::new()?;
        let arguments = ["--suite", "full_disk", "--file-limit", &LIMIT.to_string()].map(OsString::from);
        // A process that ignores the signal gets an error instead, as on a full disk.
        let engine = limited(engine, &format!("trap '' XFSZ; ulimit -f {BLOCKS}"));
        self.on_disk(&engine, &large, &arguments, on_line)?;
        large.require_unchanged()
    }

    /// Kills an engine while it writes records and while it repairs a file, then runs the suite that checks the files.
    ///
    /// # Errors
    /// Returns an error if an engine is not killed or the suite fails.
    pub fn killed(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let large = LargeFile::new()?;
        for part in ["write", "write_buffered", "repair"] {
            // The system kills a process that writes a larger file.
            let arguments = ["--suite", "killed", "--part", part].map(OsString::from);
            match self.on_disk(&limited(engine, &format!("ulimit -f {BLOCKS}")), &large, &arguments, &mut |_| ()) {
                Err(error) if matches!(error.downcast_ref(), Some(RunError::Crashed { .. })) => {}
                Err(error) => return Err(error.context(format!("`{part}` failed instead of being killed"))),
                Ok(()) => bail!("`{part}` was not killed"),
            }
        }
        large.require_unchanged()?;
        let arguments = ["--suite", "killed", "--part", "check"].map(OsString::from);
        self.on_disk(engine, &large, &arguments, on_line)
    }

    /// Runs the suite for small stacks with one of 256 KiB.
    ///
    /// # Errors
    /// Returns an error if the suite fails, or the engine crashes.
    pub fn small_stack(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let mut request = self.request("res://tests/run.gd");
        request.arguments = ["--suite", "small_stack"].map(OsString::from).to_vec();
        ends_with(&limited(engine, "ulimit -s 256").run_watched(&request, on_line)?, "VARBYTES TESTS PASSED")
    }

    fn on_disk(
        &self,
        engine: &Engine,
        large: &LargeFile,
        arguments: &[OsString],
        on_line: &mut dyn FnMut(&str),
    ) -> Result<()> {
        let mut request = self.request("res://tests/run.gd");
        request.arguments = [arguments, &["--large-file".into(), large.path.clone().into()]].concat();
        ends_with(&engine.run_watched(&request, on_line)?, "VARBYTES TESTS PASSED")
    }
}

/// Returns the engine, started by a shell after the commands that set limits.
fn limited(engine: &Engine, commands: &str) -> Engine {
    let mut engine = engine.clone();
    let shell = format!("{commands}; exec \"$@\"");
    engine.launcher.splice(..0, ["sh", "-c", &shell, "sh"].map(OsString::from));
    engine
}

/// A file whose incomplete end is longer than the limit, in its own folder.
struct LargeFile {
    path: PathBuf,
    content: Vec<u8>,
    _folder: TempDir,
}

impl LargeFile {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let path = folder.path().join("large.dat");
        // A record of the int 1, and a record that is longer than the rest of the file.
        let mut content = vec![8, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];
        content.resize(LIMIT * 2, 7);
        fs::write(&path, &content).context("cannot write a large file")?;
        Ok(Self { path, content, _folder: folder })
    }

    fn require_unchanged(&self) -> Result<()> {
        let found = fs::read(Path::new(&self.path)).context("the large file cannot be read")?;
        ensure!(found == self.content, "the large file was changed: it has {} bytes", found.len());
        Ok(())
    }
}
