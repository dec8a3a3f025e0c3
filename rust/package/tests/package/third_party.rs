//! The addon's page of licences.

use std::fs;

use varbytes_package::{addon_folder, repository, third_party};

#[test]
fn the_page_of_licences_names_every_crate_in_the_libraries() {
    let page = fs::read_to_string(addon_folder(&repository()).join(third_party::PAGE)).expect("the page");
    let crates = third_party::crates(&repository()).expect("crates");
    assert!(crates.iter().any(|name| name.starts_with("godot-core ")), "{crates:?}");
    for name in &crates {
        assert!(page.contains(&format!("| {name} |")), "{name} is missing; run `cargo package-addon --third-party`");
    }
    let listed = page.lines().filter(|line| line.starts_with("| ") && line.ends_with("> |")).count();
    assert_eq!(listed, crates.len(), "the page names crates that the libraries do not contain");
}

#[test]
fn the_page_of_licences_tells_where_the_source_of_mpl_crates_is() {
    let page = fs::read_to_string(addon_folder(&repository()).join(third_party::PAGE)).expect("the page");
    let covered: Vec<&str> = page.lines().filter(|line| line.contains("| MPL-2.0 |")).collect();
    assert!(covered.iter().any(|line| line.starts_with("| godot-ffi ")), "{covered:?}");
    for line in covered {
        assert!(line.contains("| <https://"), "{line}");
    }
    assert!(page.contains("Mozilla Public License Version 2.0"));
}
