//! Looks up the profile of an engine version by name.

use alloc::{borrow::ToOwned, string::String};
use core::fmt;
use core::str::FromStr;

use super::rules::{Profile, Version};
use crate::escape::{NAME_LENGTH, shortened};

/// Names of older engines with the format of Godot 2.1, as far as bytes are known.
const GODOT_2_ALIASES: [&str; 2] = ["mole", "godot-1"];

impl Profile {
    /// Returns the profile of an engine version, for example `godot-4.6`, `4.2`, `godot-3.6.2.stable`, `redot-26.1` or
    /// `pandemonium-5`.
    ///
    /// A version without a patch number is the first release of the minor version. `mole` and `godot-1` are names of
    /// `godot-2.1`: the documentation of Mole lists the 29 types of Godot 2, and bytes captured from an engine derived
    /// from Godot 1 follow the same rules. The one difference is not on the wire: in Godot 1, a literal in a script is
    /// a shared container.
    ///
    /// ```
    /// use varbytes::Profile;
    ///
    /// assert_eq!(Profile::from_name("4.2.1")?, Profile::GODOT_4_2);
    /// # Ok::<(), varbytes::UnknownProfile>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`UnknownProfile`], which lists the known names, for unknown engines and versions, and for pre-releases,
    /// whose formats were temporary.
    pub fn from_name(name: &str) -> Result<Self, UnknownProfile> {
        let found = if GODOT_2_ALIASES.contains(&name) { Some(Self::GODOT_2_1) } else { Self::find(name) };
        found.ok_or_else(|| UnknownProfile { name: name.to_owned() })
    }

    fn find(name: &str) -> Option<Self> {
        let (engine, version) = match name.split_once('-') {
            Some((engine, version)) if engine.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                (engine, version)
            }
            _ => ("godot", name),
        };
        let version = parse_version(version)?;
        Self::ALL.iter().copied().find(|profile| {
            let [first, last] = profile.releases();
            profile.engine() == engine && (first..=last).contains(&version)
        })
    }
}

/// Returns the numbers of `4`, `4.6`, `4.6.3`, `4.6.3.stable.official` and `4.6.3-stable`.
fn parse_version(version: &str) -> Option<Version> {
    let mut numbers = [0; 3];
    let mut given = 0;
    for part in version.split(['.', '-']) {
        match part.parse::<u16>() {
            Ok(number) if given < 3 => {
                numbers[given] = number;
                given += 1;
            }
            _ if given > 0 && part == "stable" => break,
            _ => return None,
        }
    }
    Some((numbers[0], numbers[1], numbers[2]))
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Self::from_name(name)
    }
}

/// The error for a name without a profile.
///
/// ```
/// let error = "godot-9.9".parse::<varbytes::Profile>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown engine `godot-9.9`; known engines: "));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownProfile {
    name: String,
}

impl fmt::Display for UnknownProfile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = shortened(&self.name, NAME_LENGTH);
        write!(formatter, "unknown engine `{name}`; known engines: ")?;
        for profile in Profile::ALL {
            write!(formatter, "{profile}, ")?;
        }
        write!(formatter, "{} (and every release they cover, such as godot-3.6.2)", GODOT_2_ALIASES.join(", "))
    }
}

/// Shows the name, escaped and shortened.
impl fmt::Debug for UnknownProfile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "UnknownProfile({})", shortened(format_args!("{:?}", self.name), NAME_LENGTH))
    }
}

impl core::error::Error for UnknownProfile {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[track_caller]
    fn assert_resolves(name: &str, profile: &str) {
        assert_eq!(Profile::from_name(name).map(Profile::name), Ok(profile), "{name}");
    }

    #[test]
    fn a_release_resolves_to_the_profile_that_covers_it() {
        assert_resolves("godot-4.6", "godot-4.6");
        assert_resolves("godot-4.6.2", "godot-4.6");
        assert_resolves("godot-4.6.3", "godot-4.6.3");
        assert_resolves("4.7", "godot-4.6.3");
        assert_resolves("4.5.1", "godot-4.4");
        assert_resolves("3.6", "godot-3.5");
        assert_resolves("godot-3.3.4", "godot-3.2");
        assert_resolves("godot-3.3.5", "godot-3.3.5");
        assert_resolves("godot-3.4.2", "godot-3.4");
        assert_resolves("godot-3.4.5", "godot-3.4.3");
        assert_resolves("godot-3.0.5", "godot-3.0");
        assert_resolves("godot-3.0.7", "godot-3.0.6");
        assert_resolves("godot-2.1", "godot-2.1");
        assert_resolves("godot-2.1.6", "godot-2.1.5");
        assert_resolves("godot-1.1", "godot-2.1");
        assert_resolves("redot-4.3.1", "redot-4.3");
        assert_resolves("redot-26.2", "redot-26");
        assert_resolves("blazium-4.3", "blazium-4.3");
        assert_resolves("pandemonium-3.7.0", "pandemonium-3.5");
        assert_resolves("pandemonium-5.3", "pandemonium-5");
    }

    #[test]
    fn a_version_printed_by_an_engine_resolves() {
        assert_resolves("4.6.3.stable.debian4.6.3+ds-2", "godot-4.6.3");
        assert_resolves("4.6.2.stable.official", "godot-4.6");
        assert_resolves("godot-4.3-stable", "godot-4.3");
        assert_resolves("3.2.3.stable", "godot-3.2");
    }

    #[test]
    fn names_of_older_engines_resolve_to_godot_2() {
        assert_resolves("mole", "godot-2.1");
        assert_resolves("godot-1", "godot-2.1");
    }

    #[test]
    fn pre_releases_and_unknown_engines_are_refused_with_a_list_of_names() {
        for name in ["4.0-alpha3", "godot-4.9", "godot-3.7", "redot-5", "unity-6", "godot", "", "4.6.3.1", "-4.6"] {
            let error = Profile::from_name(name).unwrap_err().to_string();
            assert!(error.contains("pandemonium-3.8") && error.contains("mole"), "{name}: {error}");
        }
    }

    #[test]
    fn every_profile_is_found_by_its_own_name() {
        for profile in Profile::ALL {
            assert_resolves(profile.name(), profile.name());
        }
    }

    #[test]
    fn type_ids_round_trip() {
        for profile in Profile::ALL {
            for (id, variant_type) in (0..).zip(profile.types()) {
                assert_eq!(profile.type_of_id(id), Some(*variant_type), "{profile}");
                assert_eq!(profile.type_id(*variant_type), Some(id), "{profile}");
            }
        }
    }
}
