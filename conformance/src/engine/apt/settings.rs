//! The settings of apt, and its archive.

use std::path::Path;

/// The keys of the Debian archive, under the names Debian gives the file.
pub(super) const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// Returns the settings of apt. The system's settings are read first and stay valid for reaching a mirror (proxies,
/// certificates, passwords). Settings that would change the system or run other programs are removed. A line starting
/// with `#clear` is not a comment: it empties a list.
///
/// With `keeps_status`, what is installed counts as installed.
///
/// All downloads must be signed, by Debian's keys if the source is ours. As root, apt downloads as the user of its
/// sandbox; as another user it has no more rights than that user.
pub(super) fn configuration(folder: &Path, architecture: &str, machine_sources: bool, keeps_status: bool) -> String {
    let folder = folder.display();
    let status = if keeps_status { String::new() } else { format!("Dir::State::status \"{folder}/status\";\n") };
    let sources = if machine_sources {
        String::new()
    } else {
        format!("Dir::Etc::SourceList \"{folder}/sources.list\";\nDir::Etc::SourceParts \"{folder}/empty\";\n")
    };
    format!(
        r#"#clear APT::Update;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
#clear AptCli::Hooks;
#clear APT::Default-Release;
#clear APT::Architectures;
#clear Acquire::Languages;
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Get::Assume-Yes "true";
APT::Get::AllowUnauthenticated "false";
APT::Status-Fd "1";
APT::Update::Error-Mode "any";
Acquire::AllowInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Dir::State "{folder}/state";
Dir::State::Lists "{folder}/lists";
{status}Dir::Cache "{folder}/cache";
Dir::Cache::Archives "{folder}/archives";
Dir::Log "{folder}/log";
Dir::Etc::Preferences "{folder}/empty/none";
Dir::Etc::PreferencesParts "{folder}/empty";
quiet "1";
{sources}"#
    )
}

/// Finds the mirror of the Debian archive among apt's repositories. Not every system has their release information, so
/// the mirror is recognized by its path: `…/debian` on every mirror, and `debian.list` for a list of mirrors.
pub(super) fn debian_mirror(repositories: &str) -> Option<&str> {
    repositories.lines().map(str::trim).find(|uri| {
        let place = uri.trim_end_matches('/');
        let place = place.strip_suffix(".list").unwrap_or(place);
        place.ends_with("/debian") && !uri.starts_with("cdrom:")
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn apt_keeps_its_sandbox_and_takes_nothing_unsigned() {
        for machine_sources in [false, true] {
            let settings = configuration(Path::new("/folder"), "amd64", machine_sources, false);
            assert!(!settings.contains("Sandbox"), "{settings}");
            for refusal in
                ["APT::Get::AllowUnauthenticated \"false\";", "Acquire::AllowInsecureRepositories \"false\";"]
            {
                assert!(settings.contains(refusal), "{settings}");
            }
        }
    }

    #[rstest]
    #[case("http://mirror/debian-security/\nhttp://mirror/debian/\n", Some("http://mirror/debian/"))]
    #[case("mirror+file:///etc/apt/mirrors/debian.list", Some("mirror+file:///etc/apt/mirrors/debian.list"))]
    #[case("cdrom://disc/debian/\nhttp://mirror/ubuntu/", None)]
    #[case("", None)]
    fn the_debian_mirror_is_told_by_its_place(#[case] known: &str, #[case] mirror: Option<&str>) {
        assert_eq!(debian_mirror(known), mirror);
    }
}
