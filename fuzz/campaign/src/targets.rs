//! The fuzz targets, and how each is run.

use std::path::PathBuf;

use varbytes_fuzz_engine_core::{CORE_VARIABLE, Core, Flavour};

use crate::addon::ADDON;
use crate::fuzz_folder;

/// A fuzz target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name, which is its folder in `corpus` and its file in `fuzz_targets` (the target inside an engine has no
    /// file).
    pub name: &'static str,
    /// The maximum length of inputs in bytes. Longer inputs are slow, and nesting beyond an engine's limit is covered
    /// by the vectors, on which tests check every property.
    pub longest: usize,
    /// Where it runs.
    pub runs: Runs,
    /// The core of an engine beside it.
    pub core: Option<(Core, Flavour)>,
}

/// Where a target runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// In a separate process.
    Alone,
    /// In a separate process that asks engines.
    AskingEngines,
    /// Inside an engine, which runs libFuzzer's loop.
    InsideEngine,
    /// In a separate process with the core of an engine.
    WithCore,
}

impl Target {
    const fn new(name: &'static str, longest: usize, runs: Runs) -> Self {
        Self { name, longest, runs, core: None }
    }

    /// Returns this target with each core that is built and that it can use. `cores` are the names to use; if empty, all.
    ///
    /// # Errors
    /// If a core that is named is not built.
    pub fn with_cores(self, cores: &[String]) -> anyhow::Result<Vec<Self>> {
        let mut targets = Vec::new();
        for core in Core::ALL.into_iter().filter(|core| self.name != "core_objects" || core.major() > 3) {
            for flavour in [Flavour::Fast, Flavour::Sanitized] {
                let target = Self { core: Some((core, flavour)), ..self };
                let is_named = cores.contains(&target.core_name().unwrap_or_default());
                let is_built = core.locate(flavour)?.is_some();
                anyhow::ensure!(is_built || !is_named, "{} needs `cargo engine-core`", target.label());
                if is_built && (is_named || cores.is_empty()) {
                    targets.push(target);
                }
            }
        }
        Ok(targets)
    }

    /// Returns the name of the core, such as `godot-4.6.3/fast`.
    #[must_use]
    pub fn core_name(&self) -> Option<String> {
        self.core.map(|(core, flavour)| format!("{}/{}", core.name, flavour.name()))
    }

    /// Returns the name of the target with that of its core.
    #[must_use]
    pub fn label(&self) -> String {
        self.core_name().map_or_else(|| self.name.to_owned(), |core| format!("{} {core}", self.name))
    }

    /// Returns the folder for inputs with new coverage. Both flavours of a core share one.
    #[must_use]
    pub fn working(&self) -> PathBuf {
        let folder = fuzz_folder().join("working").join(self.name);
        self.core.map_or(folder.clone(), |(core, _)| folder.join(core.name))
    }

    /// Returns the environment of its process.
    #[must_use]
    pub fn environment(&self) -> Option<(&'static str, String)> {
        self.core_name().map(|core| (CORE_VARIABLE, core))
    }

    /// Returns the options of cargo-fuzz for its build. A core without sanitizers is several times as fast in a program
    /// without them.
    #[must_use]
    pub fn build_options(&self) -> &'static [&'static str] {
        match self.core {
            Some((_, Flavour::Fast | Flavour::Lines)) => {
                &["--no-trace-compares", "--sanitizer", "none", "--target-dir", "target/without-sanitizer"]
            }
            _ => &["--no-trace-compares"],
        }
    }

    /// Returns libFuzzer's options for runners other than the campaign, in OSS-Fuzz's format.
    #[must_use]
    pub fn options(&self) -> String {
        format!("[libfuzzer]\nmax_len = {}\n", self.longest)
    }

    /// Returns the file with these options.
    #[must_use]
    pub fn options_file(&self) -> PathBuf {
        fuzz_folder().join("options").join(format!("{}.options", self.name))
    }
}

/// Every target.
pub const TARGETS: [Target; 13] = [
    // The number of inputs matters most here.
    Target::new("decode", 256, Runs::Alone),
    Target::new("memory", 1024, Runs::Alone),
    Target::new("canonical", 1024, Runs::Alone),
    Target::new("roundtrip", 1024, Runs::Alone),
    Target::new("builders", 1024, Runs::Alone),
    Target::new("convert", 1024, Runs::Alone),
    // Long enough for keys that are nested deeper than an engine compares.
    Target::new("work", 16_384, Runs::Alone),
    Target::new("engine_decode", 256, Runs::AskingEngines),
    // Longer values take most of the time in the engine's script.
    Target::new("engine_encode", 128, Runs::AskingEngines),
    Target::new("core_decode", 256, Runs::WithCore),
    Target::new("core_objects", 256, Runs::WithCore),
    Target::new("core_encode", 128, Runs::WithCore),
    Target::new(ADDON, 1024, Runs::InsideEngine),
];
