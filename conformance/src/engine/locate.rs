//! Finding an engine that is already on this machine. Nothing here downloads.

use std::env;
use std::ffi::OsString;

use super::cache::{self, CacheError, UntrustedCache};
use super::{Engine, EnginePackage, Origin, ProbeError};

/// An engine was named or fetched, and yet cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocateError {
    /// The variable names something that is no engine.
    #[error("{variable} does not name a usable engine; correct it, or unset it to have one looked for")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// What happened when it was asked for its version.
        source: ProbeError,
    },
    /// The variable names another engine than the one it is for.
    #[error(
        "{} names Godot {found}, and {wanted} is needed; correct it, or unset it to have one looked for",
        wanted.variable
    )]
    WrongVersion {
        /// The version of the engine named.
        found: String,
        /// The engine needed.
        wanted: EnginePackage,
    },
    /// Others can put programs into the cache.
    #[error("the fetched {package} is not used; correct that, or name an engine in {}", package.variable)]
    Untrusted {
        /// The engine.
        package: EnginePackage,
        /// Which folder, and why.
        source: Box<UntrustedCache>,
    },
    /// An engine was fetched before and does not answer any more.
    #[error("the fetched {package} no longer starts; fetch it again, or name another one in {}", package.variable)]
    Cached {
        /// The engine.
        package: EnginePackage,
        /// What happened when it was asked for its version.
        source: Box<ProbeError>,
    },
}

/// Looks for an engine: first the one its [variable](EnginePackage::variable) names, then those on `PATH`, then
/// the one [`fetch`] put into the cache folder. `None` when there is none.
///
/// Every engine has a variable of its own, which is never passed over in silence.
///
/// [`fetch`]: super::fetch()
///
/// # Errors
///
/// [`LocateError`] when the variable or the cache holds something unusable. What stands on `PATH`
/// and is no such engine is passed over: nobody said it was one.
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
    let engine = Engine::probe(vec![program], Origin::Variable(variable))
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
    fn every_engine_has_a_variable_of_its_own() {
        let mut variables = EnginePackage::ALL.map(|package| package.variable).to_vec();
        variables.sort_unstable();
        variables.dedup();
        assert_eq!(variables.len(), EnginePackage::ALL.len());
    }

    #[test]
    fn an_engine_of_another_version_is_refused_by_the_name_of_the_variable() {
        let error = LocateError::WrongVersion { found: "3.6.2.stable".to_owned(), wanted: EnginePackage::GODOT_3_2 };
        let shown = "VARBYTES_GODOT_3_2_BIN names Godot 3.6.2.stable, and Godot 3.2 is needed; ";
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
