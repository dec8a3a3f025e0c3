//! Runs the system's `apt-get` in a private folder, with the system's network settings and keys, without root and
//! without changing the system.

mod settings;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use settings::{KEYRINGS, configuration, debian_mirror};

use super::child::{self, Cut, Stream};
use super::progress::{Progress, Unit};
use super::{EnginePackage, EngineVersion};

/// How long apt may make no progress. Its own timeout (three times 20 s, see its settings) usually fires earlier with a
/// better reason, but not with a proxy that accepts connections and never answers.
const STALL_LIMIT: Duration = Duration::from_secs(70);

/// An error of the package tools.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AptError {
    /// A tool could not be started: the system is not based on Debian.
    #[error("cannot start `{tool}`, so engines cannot be fetched on this machine")]
    Missing {
        /// The tool.
        tool: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// A tool failed.
    #[error("{what} failed: `{command}` {outcome}{tail}")]
    Failed {
        /// The attempted action.
        what: String,
        /// The command.
        command: String,
        /// A description of how it ended.
        outcome: String,
        /// The end of its output.
        tail: String,
    },
    /// The system has a mirror of Debian, but not Debian's keys.
    #[error(
        "the keys of the Debian archive are missing at {}; install the package `debian-archive-keyring`",
        KEYRINGS[0]
    )]
    NoKeyring,
    /// The archive has another version of the engine, or none.
    #[error("`{name}` is {offered} in {archive}; another version is needed")]
    NotOffered {
        /// The package.
        name: &'static str,
        /// The archive asked.
        archive: String,
        /// The version it has there, in words.
        offered: String,
    },
    /// A file or folder could not be created.
    #[error("cannot prepare `{}` for apt", path.display())]
    Prepare {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The packages to download.
pub(super) struct Plan {
    pub(super) packages: u64,
    pub(super) bytes: u64,
}

/// apt with all of its state in one folder.
pub(super) struct Apt {
    folder: PathBuf,
    /// The name of the archive, for example `Debian forky`.
    pub(super) archive: String,
}

/// What to fetch.
#[derive(Clone, Copy)]
pub(super) enum Archive {
    /// Packages of a Debian suite with all of their dependencies, down to the C library, for this or another machine.
    Packages { suite: &'static str, machine: Option<&'static str> },
    /// Source packages of a Debian suite.
    Sources(&'static str),
    /// Packages for this system, with the dependencies that are not installed.
    ForThisSystem,
}

impl Apt {
    /// Prepares `folder`, which must exist.
    pub(super) fn prepare(folder: &Path, wanted: Archive) -> Result<Self, AptError> {
        let prepare = |path: &Path| {
            let path = path.to_owned();
            move |source| AptError::Prepare { path, source }
        };
        for name in ["lists/partial", "archives/partial", "state", "cache", "log", "empty"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(prepare(&path))?;
        }
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(prepare(&path))
        };
        let architecture = match wanted {
            Archive::Packages { machine: Some(machine), .. } => machine.to_owned(),
            _ => architecture()?,
        };
        let keeps_status = matches!(wanted, Archive::ForThisSystem);
        // Otherwise no package counts as installed.
        write("status", "")?;
        write("apt.conf", &configuration(folder, &architecture, true, keeps_status))?;
        let mut apt = Self { folder: folder.to_owned(), archive: "this machine's own archive".to_owned() };
        let (suite, kind, target) = match wanted {
            Archive::Packages { suite, .. } => (suite, "deb", "Packages"),
            Archive::Sources(suite) => (suite, "deb-src", "Sources"),
            Archive::ForThisSystem => return Ok(apt),
        };
        apt.archive.push_str(" (its apt knows no mirror of Debian)");
        // Uses the system's sources, so it runs before they are replaced. It works even if the system has never fetched
        // its lists, because it ignores the release information.
        let format = ["--no-release-info", "indextargets", "--format", "$(REPO_URI)"];
        let known = apt.get("asking apt for its mirrors", &format)?;
        if let Some(mirror) = debian_mirror(&known) {
            let keyring = KEYRINGS.iter().find(|path| Path::new(path).exists());
            let keyring = keyring.ok_or(AptError::NoKeyring)?;
            // Only the needed index; other indexes are larger.
            let line =
                format!("{kind} [arch={architecture} target={target} signed-by={keyring}] {mirror} {suite} main\n");
            write("sources.list", &line)?;
            write("apt.conf", &configuration(folder, &architecture, false, keeps_status))?;
            apt.archive = format!("Debian {suite}");
        }
        Ok(apt)
    }

    /// Fetches the list of packages.
    pub(super) fn update(&self, progress: &mut Progress) -> Result<(), AptError> {
        let what = format!("reading the package list of {}", self.archive);
        progress.begin("reading the package list", 100, Unit::Percent);
        self.watched(&what, &["update"], &mut |percent| {
            progress.set(whole(percent, 100));
        })?;
        progress.end();
        Ok(())
    }

    /// Resolves the package and all of its dependencies.
    pub(super) fn plan(&self, package: EnginePackage) -> Result<Plan, AptError> {
        let what = format!("resolving `{}` in {}", package.name, self.archive);
        let listing = match self.get(&what, &["--print-uris", "install", package.name]) {
            // The message in the C locale, common on a machine without another archive.
            Err(AptError::Failed { tail, .. }) if tail.contains("E: Unable to locate package") => String::new(),
            other => other?,
        };
        let mut plan = Plan { packages: 0, bytes: 0 };
        let mut offered = None;
        for (file, size) in listing.lines().filter_map(archive_line) {
            plan.packages += 1;
            plan.bytes += size;
            let version = file.strip_prefix(package.name).and_then(|rest| rest.strip_prefix('_'));
            offered = offered.or(version.and_then(|v| v.split('_').next()).map(str::to_owned));
        }
        if !offered.as_deref().is_some_and(|version| is_wanted(package, version)) {
            return Err(AptError::NotOffered {
                name: package.name,
                archive: self.archive.clone(),
                offered: offered.map_or("absent".to_owned(), |version| format!("of version {version}")),
            });
        }
        Ok(plan)
    }

    /// Downloads what [`Apt::plan`] found, and returns the archives.
    pub(super) fn download(
        &self,
        package: EnginePackage,
        plan: &Plan,
        progress: &mut Progress,
    ) -> Result<Vec<PathBuf>, AptError> {
        progress.begin("downloading", plan.bytes, Unit::Bytes);
        let what = format!("downloading `{}` from {}", package.name, self.archive);
        let arguments = ["--download-only", "install", package.name];
        self.watched(&what, &arguments, &mut |percent| {
            progress.set(whole(percent, plan.bytes));
        })?;
        progress.end();
        self.downloaded("archives", |name| name.ends_with(".deb"))
    }

    /// Downloads packages with the dependencies that are missing, and returns the archives. Of each list of names, the
    /// first that the archive has is taken.
    pub(super) fn download_first(
        &self,
        packages: &[&[&str]],
        progress: &mut Progress,
    ) -> Result<Vec<PathBuf>, AptError> {
        let offered = |name: &&&str| self.get("resolving", &["--print-uris", "install", name]).is_ok();
        let names = packages.iter().filter_map(|names| names.iter().find(offered).or(names.last()).copied());
        let names: Vec<&str> = names.collect();
        progress.begin("downloading", 100, Unit::Percent);
        let what = format!("downloading {} from {}", names.join(", "), self.archive);
        let arguments: Vec<&str> = ["--download-only", "install"].into_iter().chain(names).collect();
        self.watched(&what, &arguments, &mut |percent| progress.set(whole(percent, 100)))?;
        progress.end();
        self.downloaded("archives", |name| name.ends_with(".deb"))
    }

    /// Downloads a source package, and returns the archive of the original sources.
    pub(super) fn download_source(&self, name: &str, progress: &mut Progress) -> Result<Option<PathBuf>, AptError> {
        progress.begin("downloading", 100, Unit::Percent);
        let what = format!("downloading the source package `{name}` from {}", self.archive);
        let arguments = ["--download-only", "source", name];
        self.watched(&what, &arguments, &mut |percent| progress.set(whole(percent, 100)))?;
        progress.end();
        Ok(self.downloaded("", |name| name.contains(".orig.tar"))?.pop())
    }

    fn downloaded(&self, folder: &str, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, AptError> {
        let folder = self.folder.join(folder);
        let read = |source| AptError::Prepare { path: folder.clone(), source };
        let mut archives = Vec::new();
        for entry in fs::read_dir(&folder).map_err(read)? {
            let path = entry.map_err(read)?.path();
            if path.file_name().and_then(OsStr::to_str).is_some_and(&is_wanted) {
                archives.push(path);
            }
        }
        archives.sort();
        Ok(archives)
    }

    fn get(&self, what: &str, arguments: &[&str]) -> Result<String, AptError> {
        self.watched(what, arguments, &mut |_| ())
    }

    /// Runs apt-get, passes on the reported percentage, and returns the other output.
    fn watched(&self, what: &str, arguments: &[&str], advance: &mut dyn FnMut(f64)) -> Result<String, AptError> {
        let mut command = Command::new("apt-get");
        // Sources are put into the working directory.
        command.arg("-c").arg(self.folder.join("apt.conf")).current_dir(&self.folder);
        command.args(arguments).env("LC_ALL", "C");
        let mut reached = -1.0;
        run(what, "apt-get", &mut command, &mut |stream, line| {
            let percent = (stream == Stream::Out).then(|| status_line(line))??;
            (percent > reached).then(|| {
                reached = percent;
                advance(percent);
            })
        })
    }
}

/// Unpacks one archive into `root` without running its scripts.
pub(super) fn unpack(archive: &Path, root: &Path) -> Result<(), AptError> {
    let mut command = Command::new("dpkg-deb");
    command.arg("--extract").args([archive, root]);
    run("unpacking", "dpkg-deb", &mut command, &mut |_, _| None).map(drop)
}

fn architecture() -> Result<String, AptError> {
    let mut command = Command::new("dpkg");
    command.arg("--print-architecture");
    let answer = run("asking for the architecture", "dpkg", &mut command, &mut |_, _| None)?;
    Ok(answer.trim().to_owned())
}

/// Runs a tool to its end, or until it makes no progress for too long. `advanced` finds progress in its output.
fn run(
    what: &str,
    tool: &'static str,
    command: &mut Command,
    advanced: &mut dyn FnMut(Stream, &str) -> Option<()>,
) -> Result<String, AptError> {
    let ended = child::run(command, Instant::now() + STALL_LIMIT, |stream, line| {
        advanced(stream, line).map(|()| Instant::now() + STALL_LIMIT)
    })
    .map_err(|source| AptError::Missing { tool, source })?;
    let spoken: String = ended.stdout.split_inclusive('\n').filter(|line| status_line(line).is_none()).collect();
    if ended.cut.is_none() && ended.status.success() {
        return Ok(spoken);
    }
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    Err(AptError::Failed {
        what: what.to_owned(),
        command: format!("{tool} {}", arguments.join(" ")),
        outcome: match ended.cut {
            Some(Cut::Deadline) => format!("was killed after {} s without progress", STALL_LIMIT.as_secs()),
            Some(Cut::Flood) => "was killed for printing without end".to_owned(),
            None => format!("ended with {}", child::describe(ended.status)),
        },
        tail: child::tail(&spoken, &ended.stderr),
    })
}

/// Parses the file and size from `'uri' file size hash`, as `apt-get --print-uris` writes it.
fn archive_line(line: &str) -> Option<(&str, u64)> {
    let (_, rest) = line.strip_prefix('\'')?.split_once("' ")?;
    let mut words = rest.split(' ');
    Some((words.next()?, words.next()?.parse().ok()?))
}

/// Returns whether a package's version (`4.6.3+ds-2`, with an epoch `1%3a4.6.3`) is a version of the engine.
fn is_wanted(package: EnginePackage, offered: &str) -> bool {
    let version = offered.split_once("%3a").map_or(offered, |(_, version)| version);
    let digits = version.find(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers = version[..digits.unwrap_or(version.len())].trim_end_matches('.');
    format!("{numbers}.package").parse::<EngineVersion>().is_ok_and(|version| package.accepts(&version))
}

/// Parses the percentage of the whole download from `dlstatus:item:percent:text`.
fn status_line(line: &str) -> Option<f64> {
    line.strip_prefix("dlstatus:")?.split(':').nth(1)?.parse().ok()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a progress bar needs no more, and casts from floats saturate"
)]
fn whole(percent: f64, total: u64) -> u64 {
    (percent / 100.0 * total as f64) as u64
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("4.6.3+ds-2", EnginePackage::GODOT_4, true)]
    #[case("1%3a4.6+ds-2", EnginePackage::GODOT_4, true)]
    #[case("3.6.2+ds-1+b1", EnginePackage::GODOT_4, false)]
    #[case("3.6.2+ds-1+b1", EnginePackage::GODOT_3_6, true)]
    #[case("3.2.3-stable-1+b3", EnginePackage::GODOT_3_6, false)]
    #[case("3.2.3-stable-1+b3", EnginePackage::GODOT_3_2, true)]
    #[case("absent", EnginePackage::GODOT_4, false)]
    fn package_versions(#[case] offered: &str, #[case] package: EnginePackage, #[case] wanted: bool) {
        assert_eq!(is_wanted(package, offered), wanted);
    }

    #[test]
    fn lines_of_apt() {
        let line = "'http://mirror/pool/z_1.deb' libz_1%3a1_amd64.deb 1003444 MD5Sum:60ae";
        assert_eq!(archive_line(line), Some(("libz_1%3a1_amd64.deb", 1_003_444)));
        assert_eq!(archive_line("0 upgraded, 37 newly installed"), None);
        assert_eq!(status_line("dlstatus:4:65.2473:Retrieving file 4 of 5"), Some(65.2473));
        assert_eq!(status_line("Get:2 bookworm/main"), None);
        assert_eq!(whole(50.0, 157), 78);
    }
}
