//! The licences of everything that the libraries contain: the page `THIRD_PARTY.md` of the addon, which cargo-about writes.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::addon_folder;
use crate::tools::{self, CARGO_ABOUT, Tools};

/// The page, in the folder of the addon.
pub const PAGE: &str = "THIRD_PARTY.md";

/// The manifest of the extension, whose dependencies are meant.
const MANIFEST: &str = "rust/extension/Cargo.toml";

/// Writes the page.
///
/// # Errors
/// Returns an error if cargo-about cannot be installed, or knows a crate without a licence that is accepted.
pub fn write(repository: &Path, tools: &Tools) -> Result<()> {
    let settings = repository.join("rust/package/third_party");
    let page = addon_folder(repository).join(PAGE);
    let mut about = Command::new(tools.of_crate(CARGO_ABOUT)?);
    about.arg("generate").arg("--locked").arg("--offline").arg("--fail");
    about.arg("--manifest-path").arg(repository.join(MANIFEST)).arg("--config").arg(settings.join("about.toml"));
    about.arg("--output-file").arg(&page).arg(settings.join("page.hbs"));
    tools::run(&mut about, "collecting licences")?;
    let text = fs::read_to_string(&page).context("cargo-about wrote no page")?;
    // Licence texts have spaces at the ends of lines, and several empty lines.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    fs::write(&page, lines.join("\n").trim_end().to_owned() + "\n").context("cannot write the page")
}

/// Returns the crates that the libraries are built from, as `name version`, in alphabetical order.
///
/// # Errors
/// Returns an error if cargo does not list them.
pub fn crates(repository: &Path) -> Result<Vec<String>> {
    let mut command = Command::new(tools::cargo());
    command.args(["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--target", "all"]);
    let output =
        command.arg("--manifest-path").arg(repository.join(MANIFEST)).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "cargo cannot list the crates:\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).context("cargo printed no text")?;
    // `godot v0.5.5`, with notes in parentheses after it.
    let named = text.lines().filter_map(|line| line.split_once(" v"));
    let mut crates: Vec<String> =
        named.map(|(name, rest)| format!("{name} {}", rest.split(' ').next().unwrap_or_default())).collect();
    // The crates of this repository.
    crates.retain(|name| !name.starts_with("varbytes"));
    crates.sort();
    crates.dedup();
    Ok(crates)
}
