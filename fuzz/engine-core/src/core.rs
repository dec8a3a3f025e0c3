//! The cores that are built, and where they are.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use varbytes::{Precision, Profile};
use varbytes_conformance::check::Setting;
use varbytes_conformance::engine;

/// The sources of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The Debian source package.
    pub package: &'static str,
    /// Its Debian suite.
    pub suite: &'static str,
    /// The version of the engine.
    pub version: &'static str,
    /// The file in `godot/` with the functions that the targets call.
    pub functions: &'static str,
    /// Whether it is built as a release template. The profile of 3.2 is that of debug builds, which alone write null objects
    /// as `Nil`.
    pub release_build: bool,
}

const GODOT_4: Source =
    Source { package: "godot", suite: "forky", version: "4.6.3", functions: "godot4.cpp", release_build: true };
const GODOT_3_6: Source =
    Source { package: "godot3", suite: "forky", version: "3.6.2", functions: "godot3.cpp", release_build: true };
const GODOT_3_2: Source =
    Source { package: "godot", suite: "bookworm", version: "3.2.3", functions: "godot3.cpp", release_build: false };

/// The core of an engine in one precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// Its name.
    pub name: &'static str,
    /// Its sources.
    pub source: Source,
    /// The precision of its components.
    pub precision: Precision,
}

/// How a core is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// With coverage counters.
    Fast,
    /// The same, with `AddressSanitizer` and `UndefinedBehaviorSanitizer` in the files that a packet passes.
    Sanitized,
    /// With counters of lines in these files, for a report.
    Lines,
}

impl Core {
    /// Every core.
    pub const ALL: [Self; 4] = [
        Self { name: "godot-4.6.3", source: GODOT_4, precision: Precision::Single },
        Self { name: "godot-4.6.3-double", source: GODOT_4, precision: Precision::Double },
        Self { name: "godot-3.6.2", source: GODOT_3_6, precision: Precision::Single },
        Self { name: "godot-3.2.3", source: GODOT_3_2, precision: Precision::Single },
    ];

    /// Returns the core with a name.
    fn from_name(name: &str) -> Result<Self> {
        let names = || Self::ALL.map(|core| core.name).join(", ");
        Self::ALL
            .into_iter()
            .find(|core| core.name == name)
            .with_context(|| format!("there is no core `{name}`; the cores are {}", names()))
    }

    /// Returns the core and the flavour with a name such as `godot-4.6.3/sanitized`. The default flavour is fast.
    ///
    /// # Errors
    /// If there is none; the error lists the names.
    pub fn with_flavour(name: &str) -> Result<(Self, Flavour)> {
        let (core, flavour) = name.split_once('/').unwrap_or((name, Flavour::Fast.name()));
        Ok((Self::from_name(core)?, Flavour::from_name(flavour)?))
    }

    /// Returns the major version of the engine.
    #[must_use]
    pub fn major(&self) -> u32 {
        if self.source == GODOT_4 { 4 } else { 3 }
    }

    /// Returns what the codec has to be set to.
    ///
    /// # Panics
    /// Never, because the profiles exist.
    #[must_use]
    pub fn setting(&self) -> Setting {
        let name = format!("godot-{}", self.source.version);
        let profile = Profile::from_name(&name).expect("a profile of this release");
        // The buffer is zeroed for Godot 3.
        Setting { profile, precision: self.precision, release_build: self.source.release_build, ..Setting::NEWEST }
    }

    /// Returns the built core, or `None` if it was not built, or with other flags or functions.
    ///
    /// # Errors
    /// If there is no cache folder, or others can write to it.
    pub fn locate(&self, flavour: Flavour) -> Result<Option<PathBuf>> {
        let path = self.path(flavour)?;
        Ok(path.is_file().then_some(path))
    }

    /// Returns the path of the built core. The name changes with whatever it is built from.
    pub(crate) fn path(&self, flavour: Flavour) -> Result<PathBuf> {
        let mut key = DefaultHasher::new();
        flavour.flags().hash(&mut key);
        for file in ["engine.h", "shared.h", "covered.txt", "exports.map", self.source.functions] {
            fs::read(functions_folder().join(file)).with_context(|| format!("cannot read {file}"))?.hash(&mut key);
        }
        let name = format!("{}-{}-{:016x}.so", self.name, flavour.name(), key.finish());
        Ok(cache()?.join(name))
    }
}

impl Flavour {
    /// Every flavour.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Sanitized, Self::Lines];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Sanitized => "sanitized",
            Self::Lines => "lines",
        }
    }

    /// Returns the flavour with a name.
    fn from_name(name: &str) -> Result<Self> {
        match Self::ALL.into_iter().find(|flavour| flavour.name() == name) {
            Some(flavour) => Ok(flavour),
            None => bail!("there is no flavour `{name}`; the flavours are fast, sanitized and lines"),
        }
    }

    /// Returns the compiler's flags for the files that a packet passes.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Fast => &["-O2", COUNTERS],
            Self::Sanitized => &["-O1", COUNTERS, "-fsanitize=address,undefined", UNCHECKED, NO_RECOVERY],
            Self::Lines => &["-O1", "-fprofile-instr-generate", "-fcoverage-mapping"],
        }
    }
}

const COUNTERS: &str = "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp";
/// Two checks need the runtime of C++. The engine is known to violate the others: fuzz/RESULTS.md lists where.
const UNCHECKED: &str = "-fno-sanitize=vptr,function,float-cast-overflow,nonnull-attribute,null";
const NO_RECOVERY: &str = "-fno-sanitize-recover=undefined";

/// Returns the folder with the functions that the targets call.
pub(crate) fn functions_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("godot")
}

/// Returns an empty folder in the cache, to be renamed when it is complete.
pub(crate) fn unfinished(name: &str) -> Result<PathBuf> {
    let folder = cache()?.join(format!("{name}.unfinished"));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Returns the folder for cores, sources and tools.
pub(crate) fn cache() -> Result<PathBuf> {
    let folder = engine::cache_folder("engine-core").context("cannot use the cache folder")?;
    folder.with_context(|| format!("there is no cache folder; set {}", engine::CACHE_VARIABLE))
}
