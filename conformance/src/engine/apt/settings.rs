//! What apt is told: how to work here, and from which archive.

use std::path::Path;

/// The keys of the Debian archive, under the names Debian gives the file.
pub(super) const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// The settings under which apt works here. The machine's own are read before these and stay in
/// force where they say how to reach a mirror (proxies, certificates, passwords); whatever would
/// touch the machine or run a program of its choosing is taken back. A line beginning with `#clear`
/// is no comment, but the way to empty a list.
///
/// Whatever is downloaded must be signed: by Debian's keys where the source is ours. As root, apt downloads as the user
/// of its sandbox; as another user it has no more rights than that one.
pub(super) fn configuration(folder: &Path, architecture: &str, machine_sources: bool) -> String {
    let folder = folder.display();
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
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Cache::Archives "{folder}/archives";
Dir::Log "{folder}/log";
Dir::Etc::Preferences "{folder}/empty/none";
Dir::Etc::PreferencesParts "{folder}/empty";
quiet "1";
{sources}"#
    )
}

/// The mirror of the Debian archive among the repositories apt knows. Not every machine has read
/// their release information, so it is told by its place, which is `…/debian` on every mirror, and
/// `debian.list` in a list of them.
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
            let settings = configuration(Path::new("/folder"), "amd64", machine_sources);
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
