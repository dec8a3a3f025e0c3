//! Where the report goes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::Arguments;
use super::destination::{Destination, backup_name};
use super::named;
use super::place::{Place, is_same};

/// The destination of a report.
pub struct Told {
    pub destination: Destination,
    place: Place,
    /// The name of the file, if it is not standard error by default.
    name: Option<PathBuf>,
}

impl Told {
    /// Creates the destination. A file must not be one that the command reads or writes, under any name.
    pub fn open(arguments: &Arguments) -> Result<Self> {
        let Some(name) = &arguments.report_file else { return Self::new(Place::StandardError, None) };
        let shown = name.display();
        let place = Place::of(name)?;
        let output = Place::of_output(named(arguments.output.as_deref()));
        ensure!(
            place != Place::StandardOutput || arguments.in_place || !matches!(output, Ok(Place::StandardOutput)),
            "the output goes to standard output too; name another file for the report than {shown}"
        );
        let used = [
            (&arguments.input, "the input"),
            (&arguments.output, "the output"),
            (&arguments.names, "the table of names"),
        ];
        for (path, what) in used {
            let is_used = named(path.as_deref()).is_some_and(|path| is_same(path, name));
            ensure!(!is_used, "the report would overwrite {shown}, which is {what}; name another file");
        }
        let input = arguments.input.as_deref().filter(|_| arguments.in_place);
        let is_backup = input.is_some_and(|input| is_backup(name, input, &arguments.backup_suffix));
        ensure!(!is_backup, "the report would overwrite {shown}, which is a backup of the input; name another file");
        Self::new(place, Some(name.clone())).with_context(|| format!("cannot write the report to {shown}"))
    }

    /// Returns standard error as the destination.
    pub fn standard_error() -> Result<Self> {
        Self::new(Place::StandardError, None)
    }

    pub fn is_standard_error(&self) -> bool {
        self.place == Place::StandardError
    }

    /// Writes what the destination got.
    pub fn finish(self) -> Result<()> {
        let finished = self.destination.finish().map(drop);
        match self.name {
            Some(name) => finished.with_context(|| format!("cannot write the report to {}", name.display())),
            None => finished.context("cannot write the report"),
        }
    }

    fn new(place: Place, name: Option<PathBuf>) -> Result<Self> {
        Ok(Self { destination: Destination::new(place.clone())?, place, name })
    }
}

/// Returns whether a path is a name for a backup of the input, with or without a number.
fn is_backup(path: &Path, input: &Path, suffix: &str) -> bool {
    let Ok(Place::File(input)) = Place::of(input) else { return false };
    let backups = (0..).map(|number| backup_name(&input, suffix, number));
    // All that exist, and the next one.
    let mut is_last = false;
    backups.take_while(|backup| !std::mem::replace(&mut is_last, !backup.exists())).any(|backup| is_same(path, &backup))
}
