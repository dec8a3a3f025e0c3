//! Finding an engine that is already on this machine. Nothing here downloads.

use std::env;
use std::ffi::OsString;

use super::{Engine, EnginePackage, Origin, ProbeError, cache};

/// The environment variable that names the engine to use. It is the one the Rust bindings of Godot
/// read as well.
pub const ENGINE_VARIABLE: &str = "GDRUST_GODOT_BIN";

/// An engine was named or fetched, and yet cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocateError {
    /// The variable names something that is no engine.
    #[error("{ENGINE_VARIABLE} does not name a usable engine; correct it, or unset it to have one looked for")]
    Variable {
        /// What happened when it was asked for its version.
        source: ProbeError,
    },
    /// The variable names an engine of another generation.
    #[error(
        "{ENGINE_VARIABLE} names Godot {found}, and {wanted} is needed; \
         correct it, or unset it to have one looked for"
    )]
    WrongVersion {
        /// The version of the engine named.
        found: String,
        /// The engine needed.
        wanted: EnginePackage,
    },
    /// An engine was fetched before and does not answer any more.
    #[error("the fetched {package} no longer starts; fetch it again, or name another one in {ENGINE_VARIABLE}")]
    Cached {
        /// The engine.
        package: EnginePackage,
        /// What happened when it was asked for its version.
        source: Box<ProbeError>,
    },
}

/// Looks for an engine: first the one [`ENGINE_VARIABLE`] names, then those on `PATH`, then the one
/// [`fetch`] put into the cache folder. `None` when there is none.
///
/// The variable is never passed over in silence for Godot 4, which is what it means everywhere
/// else. For the older engines it counts when it names one of them, and otherwise speaks of another
/// engine.
///
/// [`fetch`]: super::fetch()
///
/// # Errors
///
/// [`LocateError`] when the variable or the cache holds something unusable. What stands on `PATH`
/// and is no such engine is passed over: nobody said it was one.
pub fn locate(package: EnginePackage) -> Result<Option<Engine>, LocateError> {
    if let Some(program) = env::var_os(ENGINE_VARIABLE).filter(|value| !value.is_empty())
        && let Some(engine) = named(program, package)?
    {
        return Ok(Some(engine));
    }
    Ok(match on_path(package) {
        Some(engine) => Some(engine),
        None => fetched(package)?,
    })
}

fn named(program: OsString, package: EnginePackage) -> Result<Option<Engine>, LocateError> {
    let engine = Engine::probe(vec![program], Origin::Variable).map_err(|source| LocateError::Variable { source })?;
    if package.accepts(&engine.version) {
        return Ok(Some(engine));
    }
    if package == EnginePackage::GODOT_4 {
        return Err(LocateError::WrongVersion { found: engine.version.text, wanted: package });
    }
    Ok(None)
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
    let Some(engines) = cache::engines_folder() else {
        return Ok(None);
    };
    cache::find(&engines, package).map_err(|source| LocateError::Cached { package, source: Box::new(source) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineVersion;

    #[test]
    fn a_named_program_must_be_an_engine() {
        let error = named("/no/such/engine".into(), EnginePackage::GODOT_4);
        assert!(matches!(error, Err(LocateError::Variable { source: ProbeError::Start { .. } })));
        let error = named("echo".into(), EnginePackage::GODOT_3_2);
        assert!(matches!(error, Err(LocateError::Variable { source: ProbeError::Answer { .. } })));
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
