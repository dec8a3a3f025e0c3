//! The version of an engine.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The version of an engine, parsed from the output of `godot --version`.
///
/// Versions compare only by their numbers, because all builds of a release have the same format.
#[derive(Clone, Debug)]
pub struct EngineVersion {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number; 0 if it is missing, as in 4.4.
    pub patch: u32,
    /// The part after the numbers: `stable.official.4c311cbee`.
    pub build: String,
    /// The complete text, as the engine printed it.
    pub text: String,
}

impl EngineVersion {
    /// Returns the codec's name for this engine: `godot-4.6.3`, or `godot-4.4` if the patch is 0, as in the names of
    /// releases.
    #[must_use]
    pub fn profile_name(&self) -> String {
        let (major, minor, patch) = self.numbers();
        match patch {
            0 => format!("godot-{major}.{minor}"),
            _ => format!("godot-{major}.{minor}.{patch}"),
        }
    }

    fn numbers(&self) -> (u32, u32, u32) {
        (self.major, self.minor, self.patch)
    }
}

/// The text is not a version of Godot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an engine version, for example 4.6.3.stable.official")]
pub struct VersionError {
    /// The text.
    pub text: String,
}

impl FromStr for EngineVersion {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let text = text.trim();
        let refused = || VersionError { text: text.to_owned() };
        let mut numbers = [0; 3];
        let mut count = 0;
        let mut rest = text;
        while count < numbers.len() && !rest.is_empty() {
            let (word, after) = rest.split_once('.').unwrap_or((rest, ""));
            // `parse` would also accept a leading plus sign.
            if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
                break;
            }
            numbers[count] = word.parse().map_err(|_| refused())?;
            count += 1;
            rest = after;
        }
        // Every engine prints its status after the numbers. Requiring it excludes a bare "4.2" of another program.
        let starts_as_status = rest.starts_with(|c: char| c.is_ascii_alphabetic());
        if count < 2 || !starts_as_status || rest.contains(char::is_whitespace) {
            return Err(refused());
        }
        let [major, minor, patch] = numbers;
        Ok(Self { major, minor, patch, build: rest.to_owned(), text: text.to_owned() })
    }
}

impl fmt::Display for EngineVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for EngineVersion {
    fn eq(&self, other: &Self) -> bool {
        self.numbers() == other.numbers()
    }
}

impl Eq for EngineVersion {}

impl PartialOrd for EngineVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EngineVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers().cmp(&other.numbers())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("4.6.3.stable.debian4.6.3+ds-2", (4, 6, 3), "stable.debian4.6.3+ds-2", "godot-4.6.3")]
    #[case("4.4.stable.official.4c311cbee\n", (4, 4, 0), "stable.official.4c311cbee", "godot-4.4")]
    #[case("3.6.2.stable.custom_build", (3, 6, 2), "stable.custom_build", "godot-3.6.2")]
    #[case("4.7.beta1.official.0123abc", (4, 7, 0), "beta1.official.0123abc", "godot-4.7")]
    #[case("2.1.7.rc.custom_build.", (2, 1, 7), "rc.custom_build.", "godot-2.1.7")]
    fn versions_engines_print(
        #[case] text: &str,
        #[case] numbers: (u32, u32, u32),
        #[case] build: &str,
        #[case] profile: &str,
    ) {
        let version: EngineVersion = text.parse().expect("a version");
        assert_eq!(version.numbers(), numbers);
        assert_eq!(version.build, build);
        assert_eq!(version.profile_name(), profile);
        assert_eq!(version.to_string(), text.trim());
    }

    #[rstest]
    #[case("")]
    #[case("4")]
    #[case("4.stable")]
    #[case("4.2")]
    #[case("4.+2.stable")]
    #[case("4.99999999999.stable")]
    #[case("4.4.stable with words")]
    #[case("Godot Engine v4.6.3.stable")]
    #[case("1.2.3.4")]
    fn other_texts_are_refused(#[case] text: &str) {
        assert!(text.parse::<EngineVersion>().is_err(), "{text}");
    }

    #[test]
    fn order_is_by_number() {
        let version = |text: &str| text.parse::<EngineVersion>().expect("a version");
        assert!(version("4.10.stable.a") > version("4.9.3.stable.b"));
        assert!(version("4.4.stable.a") < version("4.4.1.stable.a"));
        assert_eq!(version("4.4.stable.a"), version("4.4.0.stable.b"));
    }
}
