//! Finds an engine that is already on this machine. Never downloads.

use std::env;
use std::ffi::OsString;

use super::cache::{self, CacheError, UntrustedCache};
use super::{Engine, EnginePackage, Origin, ProbeError};

/// An engine that is named or fetched, but cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocateError {
    /// The variable does not name an engine.
    #[error("{variable} does not name a usable engine; correct it, or unset it to search for one")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// The error when asking for its version.
        source: ProbeError,
    },
    /// The variable names an engine of another version.
    #[error(
        "{} names Godot {found}, but {wanted} is needed; correct it, or unset it to search for one",
        wanted.variable
    )]
    WrongVersion {
        /// The version of the engine named.
        found: String,
        /// The engine needed.
        wanted: EnginePackage,
    },
    /// Other users can write to the cache.
    #[error("the fetched {package} is not used; fix this, or set {} to an engine", package.variable)]
    Untrusted {
        /// The engine.
        package: EnginePackage,
        /// The folder and the reason.
        source: Box<UntrustedCache>,
    },
    /// A fetched engine no longer starts.
    #[error("the fetched {package} no longer starts; fetch it again, or set {} to another one", package.variable)]
    Cached {
        /// The engine.
        package: EnginePackage,
        /// The error when asking for its version.
        source: Box<ProbeError>,
    },
}

/// Finds an engine: the one that its [variable](EnginePackage::variable) names, else one on `PATH`, else the one that
/// [`fetch`] put into the cache folder. Returns `None` if there is none.
///
/// Every engine has its own variable, which is never ignored silently.
///
/// [`fetch`]: super::fetch()
///
/// # Errors
///
/// [`LocateError`] if the variable or the cache has an unusable engine. Other programs on `PATH` are skipped.
pub fn locate(package: EnginePackage) -> Result<Option<Engine>, LocateError> {
    if let Some(program) = env::var_os(package.variable).filter(|value| !value.is_empty()) {
        return named(program, package).map(Some);
    }
    Ok(match on_path(package) {
        Some(engine) => Some(engine),
        None => fetched(package)?,
    })
}

fn named(program: OsString, package: EnginePackage) -> Result<Engine, LocateError> {
    let variable = package.variable;
    let engine = package
        .probe(vec![program], Origin::Variable(variable))
        .map_err(|source| LocateError::Variable { variable, source })?;
    if package.accepts(&engine.version) {
        Ok(engine)
    } else {
        Err(LocateError::WrongVersion { found: engine.version.text, wanted: package })
    }
}

fn on_path(package: EnginePackage) -> Option<Engine> {
    package
        .commands
        .iter()
        .filter_map(|name| which::which(name).ok())
        .filter_map(|program| Engine::probe(vec![program.into()], Origin::Path).ok())
        .find(|engine| package.accepts(&engine.version))
}

fn fetched(package: EnginePackage) -> Result<Option<Engine>, LocateError> {
    let untrusted = |source| LocateError::Untrusted { package, source: Box::new(source) };
    let Some(engines) = cache::engines_folder().map_err(untrusted)? else {
        return Ok(None);
    };
    cache::find(&engines, package).map_err(|error| match error {
        CacheError::Untrusted(source) => untrusted(source),
        CacheError::Probe(source) => LocateError::Cached { package, source: Box::new(source) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineVersion;

    #[test]
    fn a_named_program_must_be_an_engine() {
        let error = named("/no/such/engine".into(), EnginePackage::GODOT_4);
        assert!(matches!(error, Err(LocateError::Variable { source: ProbeError::Start { .. }, .. })));
        let error = named("echo".into(), EnginePackage::GODOT_3_2);
        assert!(matches!(error, Err(LocateError::Variable { source: ProbeError::Answer { .. }, .. })));
    }

    #[test]
    fn every_engine_has_its_own_variable() {
        let mut variables = EnginePackage::ALL.map(|package| package.variable).to_vec();
        variables.sort_unstable();
        variables.dedup();
        assert_eq!(variables.len(), EnginePackage::ALL.len());
    }

    #[test]
    fn the_error_for_another_version_names_the_variable() {
        let error = LocateError::WrongVersion { found: "3.6.2.stable".to_owned(), wanted: EnginePackage::GODOT_3_2 };
        let shown = "VARBYTES_GODOT_3_2_BIN names Godot 3.6.2.stable, but Godot 3.2 is needed; ";
        assert!(error.to_string().starts_with(shown), "{error}");
    }

    #[test]
    fn packages_accept_their_versions() {
        let version = |text: &str| text.parse::<EngineVersion>().expect("a version");
        assert!(EnginePackage::GODOT_4.accepts(&version("4.2.1.stable.official")));
        assert!(!EnginePackage::GODOT_4.accepts(&version("3.6.2.stable.official")));
        assert!(EnginePackage::GODOT_3_6.accepts(&version("3.6.2.stable.official")));
        assert!(!EnginePackage::GODOT_3_6.accepts(&version("3.2.3.stable.official")));
        assert!(EnginePackage::GODOT_3_2.accepts(&version("3.2.3.stable.official")));
    }
}
