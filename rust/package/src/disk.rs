//! Files where the disk is full, and where the process is killed while it writes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;
use varbytes_conformance::engine::{Engine, RunError};

use crate::suites::{Project, ends_with};

/// How large the system lets a file become, in the units of `ulimit`.
const BLOCKS: usize = 400;
const LIMIT: usize = BLOCKS * 512;

impl Project {
    /// Runs the suite about full disks, where the system lets no file become larger than some hundred kilobytes.
    ///
    /// # Errors
    /// When the suite fails.
    pub fn full_disk(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let large = LargeFile::new()?;
        let arguments = ["--suite", "full_disk", "--file-limit", &LIMIT.to_string()].map(OsString::from);
        // Who ignores the signal is told by an error instead, as on a disk that is full.
        let engine = limited(engine, "trap '' XFSZ; ");
        self.on_disk(&engine, &large, &arguments, on_line)?;
        large.require_unchanged()
    }

    /// Has an engine killed while it writes records, and while it repairs a file, and then runs the suite that looks at
    /// what is left.
    ///
    /// # Errors
    /// When an engine survives, or the suite fails.
    pub fn killed(&self, engine: &Engine, on_line: &mut dyn FnMut(&str)) -> Result<()> {
        let large = LargeFile::new()?;
        for part in ["write", "write_buffered", "repair"] {
            // The system kills whoever writes more into a file than that.
            let arguments = ["--suite", "killed", "--part", part].map(OsString::from);
            match self.on_disk(&limited(engine, ""), &large, &arguments, &mut |_| ()) {
                Err(error) if matches!(error.downcast_ref(), Some(RunError::Crashed { .. })) => {}
                Err(error) => return Err(error.context(format!("`{part}` was not killed, it failed"))),
                Ok(()) => bail!("`{part}` was not killed"),
            }
        }
        large.require_unchanged()?;
        let arguments = ["--suite", "killed", "--part", "check"].map(OsString::from);
        self.on_disk(engine, &large, &arguments, on_line)
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

/// The engine, started by a shell that limits how large files become.
fn limited(engine: &Engine, before: &str) -> Engine {
    let mut engine = engine.clone();
    let shell = format!("{before}ulimit -f {BLOCKS}; exec \"$@\"");
    engine.launcher.splice(..0, ["sh", "-c", &shell, "sh"].map(OsString::from));
    engine
}

/// A file with an incomplete end that is longer than the limit, in a folder of its own.
struct LargeFile {
    path: PathBuf,
    content: Vec<u8>,
    _folder: TempDir,
}

impl LargeFile {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let path = folder.path().join("large.dat");
        // The int 1, and a record that says it is longer than what follows.
        let mut content = vec![8, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];
        content.resize(LIMIT * 2, 7);
        fs::write(&path, &content).context("cannot write a large file")?;
        Ok(Self { path, content, _folder: folder })
    }

    fn require_unchanged(&self) -> Result<()> {
        let found = fs::read(Path::new(&self.path)).context("the large file is gone")?;
        ensure!(found == self.content, "the large file was changed: it has {} bytes", found.len());
        Ok(())
    }
}
