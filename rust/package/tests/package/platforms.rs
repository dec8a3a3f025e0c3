//! The platforms of the addon, and the check of their libraries.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use varbytes_package::manifest::Manifest;
use varbytes_package::platform::{Floor, Platform};
use varbytes_package::{MANIFEST, addon_folder, repository};

#[test]
fn the_addon_has_both_libraries_for_every_platform_that_is_built() {
    let manifest = Manifest::load(&addon_folder(&repository()).join(MANIFEST)).expect("the addon's own file");
    for platform in Platform::built_anywhere() {
        assert_eq!(manifest.libraries(&platform).expect("libraries").len(), 2, "{platform}");
        assert!(platform.floor().is_some() && !platform.targets().is_empty(), "{platform}");
    }
}

#[test]
fn a_universal_library_is_for_both_machines() {
    let machines = |name: &str| -> Vec<String> {
        let platforms = Platform::built_anywhere();
        let platform = platforms.iter().find(|platform| platform.to_string() == name).expect("a platform");
        platform.machines().into_iter().map(str::to_owned).collect()
    };
    assert_eq!(machines("macos"), ["arm64", "x86_64"]);
    assert_eq!(machines("windows-arm64"), ["arm64"]);
}

#[test]
fn the_page_of_the_addon_states_the_oldest_systems() {
    let page = fs::read_to_string(addon_folder(&repository()).join("README.md")).expect("the page");
    for platform in Platform::built_anywhere() {
        let needs = match platform.floor().expect("a floor") {
            Floor::Glibc(major, minor) => format!("| glibc {major}.{minor} |"),
            Floor::Mac(major, _) => format!("| macOS {major} |"),
            // The header states less than Rust's standard library needs.
            Floor::Windows(..) => "| Windows 10 |".to_owned(),
        };
        let system = platform.to_string();
        let system = system.split('-').next().unwrap_or_default();
        let is_row = |line: &&str| line.to_lowercase().starts_with(&format!("| {system} ")) && line.contains(&needs);
        assert!(page.lines().any(|line| is_row(&line)), "{platform}: {needs}");
    }
}

/// On a path without programs.
#[cfg(unix)]
#[test]
fn a_missing_emulator_is_reported_before_the_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_package-addon"));
    command.args(["--platform", "windows-x86_64", "--run", "--output"]).arg(folder.path());
    let output = command.env("PATH", folder.path()).output().expect("package-addon");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert_eq!(said, "package-addon: Windows needs an emulator: apt-get install wine\n");
}

/// Libraries that the compiler makes here.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod check {
    use std::fs;
    use std::process::Command;

    use tempfile::TempDir;
    use varbytes_package::binaries::check;
    use varbytes_package::platform::{Floor, Platform};

    fn built(source: &str, arguments: &[&str]) -> Vec<u8> {
        let folder = TempDir::new().expect("a folder");
        let (file, library) = (folder.path().join("library.rs"), folder.path().join("library.so"));
        fs::write(&file, source).expect("a file");
        let mut rustc = Command::new("rustc");
        rustc.args(["--crate-type", "cdylib", "--edition", "2024", "-Cpanic=abort"]).args(arguments);
        let status = rustc.arg("-o").arg(&library).arg(&file).status().expect("rustc");
        assert!(status.success());
        fs::read(library).expect("a library")
    }

    fn library() -> Vec<u8> {
        let source = "#[unsafe(no_mangle)] pub extern \"C\" fn varbytes_init() { println!(\"/home/someone\"); }";
        built(source, &["-Cstrip=symbols"])
    }

    fn refused(bytes: &[u8], platform: &[&str], floor: Option<Floor>, private: &[&str]) -> String {
        let platform = Platform::new(platform.iter().map(ToString::to_string));
        let private: Vec<String> = private.iter().map(ToString::to_string).collect();
        format!("{:#}", check(bytes, &platform, floor, &private).expect_err("a library that cannot be published"))
    }

    #[test]
    fn a_library_tells_what_it_needs() {
        let platform = Platform::new(["linux".to_owned(), "x86_64".to_owned()]);
        let needs =
            check(&library(), &platform, Some(Floor::Glibc(99, 0)), &["/home/other".to_owned()]).expect("a library");
        assert_eq!(needs.machines, ["x86_64"]);
        assert!(needs.libraries.contains("libc.so.6"), "{needs}");
        // The oldest that Rust supports.
        assert!(needs.floor >= Floor::Glibc(2, 17), "{needs}");
    }

    #[test]
    fn a_library_that_cannot_be_published_is_refused() {
        let bytes = library();
        let linux = ["linux", "x86_64"];
        let newer = refused(&bytes, &linux, Some(Floor::Glibc(2, 3)), &[]);
        assert!(
            newer.starts_with("it needs glibc 2.") && newer.ends_with("but linux-x86_64 promises glibc 2.3"),
            "{newer}"
        );
        assert!(refused(&bytes, &linux, Some(Floor::Windows(6, 0)), &[]).contains("promises Windows subsystem 6.0"));
        assert_eq!(refused(&bytes, &["linux", "arm64"], None, &[]), "it is for x86_64, not for arm64");
        assert!(
            refused(&bytes, &linux, None, &["/home/someone"])
                .starts_with("it contains the path /home/someone, at offset ")
        );
        assert!(refused(b"MZ", &linux, None, &[]).starts_with("it is not a library"));
    }

    #[test]
    fn a_library_without_the_entry_function_is_refused() {
        let bytes = built("#[unsafe(no_mangle)] pub extern \"C\" fn other() { println!(); }", &["-Cstrip=symbols"]);
        assert_eq!(refused(&bytes, &["linux", "x86_64"], None, &[]), "it does not export varbytes_init");
    }

    #[test]
    fn debug_information_is_refused() {
        let source = "#[unsafe(no_mangle)] pub extern \"C\" fn varbytes_init() { println!(); }";
        assert_eq!(
            refused(&built(source, &["-Cdebuginfo=2"]), &["linux", "x86_64"], None, &[]),
            "it contains debug information"
        );
    }
}
