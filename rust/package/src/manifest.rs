//! Reads the `.gdextension` file of an addon: the libraries by platform, and the icons.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::platform::Platform;

/// The parts of a `.gdextension` file that packing needs.
#[derive(Debug)]
pub struct Manifest {
    libraries: Vec<Library>,
    icons: Vec<String>,
    /// Each line, and the index of the library that it lists.
    lines: Vec<(String, Option<usize>)>,
}

/// One line of the section `libraries`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The features that an engine must have to load it, such as `linux`, `debug` and `x86_64`.
    pub features: Vec<String>,
    /// Its path, relative to the `.gdextension` file.
    pub path: String,
}

impl Library {
    /// Returns whether it is the library for exported games.
    #[must_use]
    pub fn is_release(&self) -> bool {
        self.features.iter().any(|feature| feature == "release")
    }

    /// Returns the platform: the features without the kind of build.
    #[must_use]
    pub fn platform(&self) -> Platform {
        let features = self.features.iter().filter(|feature| *feature != "debug" && *feature != "release");
        Platform::new(features.cloned())
    }
}

impl Manifest {
    /// Reads the file.
    ///
    /// # Errors
    /// Returns an error with the line number if the file cannot be read or packed.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} cannot be packed", path.display()))
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// See [`Self::load`].
    pub fn parse(text: &str) -> Result<Self> {
        let mut manifest = Self { libraries: Vec::new(), icons: Vec::new(), lines: Vec::new() };
        let mut section = "";
        for (index, line) in text.lines().enumerate() {
            manifest.lines.push((line.to_owned(), None));
            let line = line.trim();
            let number = index + 1;
            if line.is_empty() || line.starts_with(';') || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                continue;
            }
            let Some((key, value)) = line.split_once('=') else {
                bail!("line {number}: `{line}` is neither a section nor `key = value`");
            };
            let path = || relative(value).with_context(|| format!("line {number}"));
            match section {
                "libraries" => {
                    let features = key.trim().split('.').map(str::to_owned).collect();
                    manifest.lines[index].1 = Some(manifest.libraries.len());
                    manifest.libraries.push(Library { features, path: path()? });
                }
                "icons" => manifest.icons.push(path()?),
                _ => {}
            }
        }
        ensure!(!manifest.libraries.is_empty(), "the section [libraries] contains no library");
        Ok(manifest)
    }

    /// Returns the libraries of a platform.
    ///
    /// # Errors
    /// Returns an error unless there are both kinds.
    pub fn libraries(&self, platform: &Platform) -> Result<Vec<&Library>> {
        let found: Vec<_> = self.libraries.iter().filter(|library| platform.loads(library)).collect();
        ensure!(
            found.iter().any(|library| library.is_release()) && found.iter().any(|library| !library.is_release()),
            "{platform} needs a debug and a release library, but has {}; add them to the section [libraries]",
            found.len()
        );
        Ok(found)
    }

    /// Returns all libraries.
    #[must_use]
    pub fn all_libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// Returns the text of the file with only the libraries of these platforms.
    #[must_use]
    pub fn text_for(&self, platforms: &[Platform]) -> String {
        let is_kept = |index: usize| platforms.iter().any(|platform| platform.loads(&self.libraries[index]));
        let lines = self.lines.iter().filter(|(_, library)| library.is_none_or(is_kept));
        lines.map(|(line, _)| format!("{line}\n")).collect()
    }

    /// Returns all platforms.
    #[must_use]
    pub fn platforms(&self) -> BTreeSet<Platform> {
        self.libraries.iter().map(Library::platform).collect()
    }

    /// Returns the icons of the classes.
    #[must_use]
    pub fn icons(&self) -> &[String] {
        &self.icons
    }
}

/// Reads a path in quotes. It must stay within the addon, so that the addon can be moved.
fn relative(value: &str) -> Result<String> {
    let value = value.trim();
    let Some(path) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        bail!("{value} is not a path in quotes");
    };
    let outside = path.contains("://")
        || path.starts_with('/')
        || path.contains('\\')
        || path.split('/').any(|part| part == "..");
    ensure!(!outside, "{path} is not relative to the file, so the addon could not be moved");
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "; a comment\n[configuration]\nentry_symbol = \"x\"\n\n[libraries]\n\
        linux.debug.x86_64 = \"bin/a.so\"\nlinux.release.x86_64 = \"bin/b.so\"\nmacos.debug = \"bin/c.dylib\"\n\
        macos.release = \"bin/d.dylib\"\n[icons]\nThing = \"icons/thing.svg\"\n";

    #[test]
    fn a_platform_has_two_libraries() {
        let manifest = Manifest::parse(TEXT).expect("a manifest");
        let paths = |features: &[&str]| -> Vec<String> {
            let platform = Platform::new(features.iter().map(ToString::to_string));
            let libraries = manifest.libraries(&platform).expect("libraries");
            libraries.into_iter().map(|library| library.path.clone()).collect()
        };
        assert_eq!(paths(&["linux", "x86_64"]), ["bin/a.so", "bin/b.so"]);
        assert_eq!(paths(&["macos", "arm64"]), ["bin/c.dylib", "bin/d.dylib"], "a universal library names no machine");
        assert_eq!(manifest.icons(), ["icons/thing.svg"]);
        assert_eq!(manifest.platforms().len(), 2);
    }

    #[test]
    fn a_platform_without_libraries_is_an_error() {
        let manifest = Manifest::parse(TEXT).expect("a manifest");
        let platform = Platform::new(["windows".to_owned(), "x86_64".to_owned()]);
        let error = manifest.libraries(&platform).expect_err("no library").to_string();
        assert!(error.starts_with("windows-x86_64 needs a debug and a release library, but has 0"), "{error}");
    }

    #[test]
    fn paths_stay_within_the_addon() {
        for path in ["res://bin/a.so", "../a.so", "/a.so", "bin\\\\a.so"] {
            let error = Manifest::parse(&format!("[libraries]\nlinux.debug = \"{path}\"")).expect_err(path);
            assert!(format!("{error:#}").starts_with("line 2: "), "{error:#}");
        }
    }

    #[test]
    fn the_file_of_the_addon_can_be_packed_on_this_machine() {
        let manifest = Manifest::load(&crate::addon_folder(&crate::repository()).join(crate::MANIFEST));
        let manifest = manifest.expect("the addon's own file");
        assert_eq!(manifest.libraries(&Platform::host()).expect("this platform").len(), 2);
        assert!(!manifest.icons().is_empty());
    }
}
