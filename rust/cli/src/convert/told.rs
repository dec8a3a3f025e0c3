//! Where the report goes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use same_file::Handle;

use super::Arguments;
use super::destination::{Destination, Made, backup_name};
use super::interrupted;
use super::named;
use super::place::{Place, folder_of, is_same, is_stream};

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
        let place = arguments.report_file.as_deref().map_or(Ok(Place::StandardError), Place::of)?;
        let output = Place::of_output(named(arguments.output.as_deref()));
        let is_shared = !arguments.in_place && output.is_ok_and(|output| output == place);
        let stream = match place {
            Place::StandardOutput => Some("standard output"),
            Place::StandardError => Some("standard error"),
            Place::Device(_) | Place::File(_) => None,
        };
        if let Some(stream) = stream.filter(|_| is_shared) {
            bail!("the output and the report both go to {stream}; name another file for one of them");
        }
        let Some(name) = &arguments.report_file else { return Self::new(place, None) };
        let shown = name.display();
        let used = [
            (&arguments.input, "the input"),
            (&arguments.output, "the output"),
            (&arguments.names, "the table of names"),
        ];
        let mut used =
            used.map(|(path, what)| (named(path.as_deref()).is_some_and(|path| is_same(path, name)), what)).to_vec();
        if let Place::File(path) = &place {
            let input = arguments.input.as_deref().filter(|_| arguments.in_place);
            let is_backup = input.is_some_and(|input| is_backup(path, input, &arguments.backup_suffix));
            used.extend([
                (is_backup, "a name for a backup of the input"),
                (is_stream(path, Handle::stdin()), "standard input"),
                (is_stream(path, Handle::stdout()), "standard output"),
                (is_stream(path, Handle::stderr()), "standard error"),
            ]);
        }
        if let Some((_, what)) = used.iter().find(|(is_used, _)| *is_used) {
            bail!("the report would overwrite {shown}, which is {what}; name another file");
        }
        Self::new(place, Some(name.clone())).with_context(|| format!("cannot write the report to {shown}"))
    }

    /// Returns standard error as the destination.
    pub fn standard_error() -> Result<Self> {
        Self::new(Place::StandardError, None)
    }

    pub fn is_standard_error(&self) -> bool {
        self.place == Place::StandardError
    }

    /// Writes what the destination got, unless its name leads by now to a file that was made.
    pub fn finish(self, made: &Made) -> Result<()> {
        interrupted::begin_report();
        let Some(name) = self.name else {
            return self.destination.finish().map(drop).context("cannot write the report");
        };
        let shown = name.display();
        let mut files = made.file.iter().chain(&made.backup);
        // Names can appear meanwhile, and differ only in case.
        ensure!(
            !files.any(|file| is_same(file, &name)),
            "the report would overwrite {shown}, which is now the output or the backup"
        );
        self.destination.finish().map(drop).with_context(|| format!("cannot write the report to {shown}"))
    }

    fn new(place: Place, name: Option<PathBuf>) -> Result<Self> {
        Ok(Self { destination: Destination::new(place.clone())?, place, name })
    }
}

/// Returns whether a path is a name for a backup of the input, with or without a number.
fn is_backup(path: &Path, input: &Path, suffix: &str) -> bool {
    let Ok(Place::File(input)) = Place::of(input) else { return false };
    let folders = [path, &input].map(|path| fs::canonicalize(folder_of(path)).ok());
    let (Some(name), Some(backup)) =
        (path.file_name(), backup_name(&input, suffix, 0).file_name().map(ToOwned::to_owned))
    else {
        return false;
    };
    let number = name.as_encoded_bytes().strip_prefix(backup.as_encoded_bytes());
    let is_number =
        |number: &[u8]| number.is_empty() || number[0] == b'.' && number[1..].iter().all(u8::is_ascii_digit);
    folders[0] == folders[1] && number.is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_refused_if_its_name_leads_to_what_was_made_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let [report, output] = ["report", "output"].map(|name| folder.path().join(name));
        for made in [
            Made { file: Some(output.clone()), ..Made::default() },
            Made { backup: Some(output.clone()), ..Made::default() },
        ] {
            let told = Told::new(Place::File(report.clone()), Some(report.clone())).unwrap();
            fs::write(&output, "converted").unwrap();
            fs::hard_link(&output, &report).unwrap();
            let error = told.finish(&made).unwrap_err();
            assert!(error.to_string().contains("is now the output or the backup"), "{error}");
            assert_eq!(fs::read(&report).unwrap(), b"converted");
            fs::remove_file(&report).unwrap();
        }
    }
}
