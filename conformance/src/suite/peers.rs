//! Published codecs, installed from their registries and checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use maud::{Markup, html};

use super::process::ProcessLimits;
use super::report::html::{cell, color, page};
use super::report::{Report, Score};
use super::{Settings, check};
use crate::engine;

/// How a codec is installed and started.
#[derive(Clone, Copy, Debug)]
enum Registry {
    /// A package of the Python Package Index.
    Python,
    /// A package of `npm`.
    Npm,
    /// A crate.
    Crate,
    /// This project.
    Own,
}

/// A published codec.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its name in the registry.
    pub name: &'static str,
    /// The version that is checked.
    pub version: &'static str,
    /// The language.
    pub language: &'static str,
    /// The engine that it is checked with.
    pub engine: &'static str,
    /// What it was made for, by its own description.
    pub made_for: &'static str,
    registry: Registry,
}

/// All codecs that can be installed.
pub const PEERS: [Peer; 6] = [
    Peer {
        name: "varbytes",
        version: env!("CARGO_PKG_VERSION"),
        language: "Rust",
        engine: "godot-4.6",
        made_for: "this project, as the control",
        registry: Registry::Own,
    },
    Peer {
        name: "playgodot",
        version: "0.5.1",
        language: "Python",
        engine: "godot-4.6",
        made_for: "automated tests of games: messages of the remote debugger",
        registry: Registry::Python,
    },
    Peer {
        name: "godot-binary-serialization",
        version: "0.2.0",
        language: "Rust",
        engine: "godot-4.6",
        made_for: "game servers outside of the engine; its page lists eight types",
        registry: Registry::Crate,
    },
    Peer {
        name: "@gd-com/utils",
        version: "5.0.0",
        language: "JavaScript",
        engine: "godot-4.6",
        made_for: "game servers in Node.js. Its page says Godot 4, but its type numbers are those of Godot 3",
        registry: Registry::Npm,
    },
    Peer {
        name: "gd-com",
        version: "4.0.1",
        language: "JavaScript",
        engine: "godot-3.6",
        made_for: "game servers in Node.js, for Godot 3",
        registry: Registry::Npm,
    },
    Peer {
        name: "godot-binary-serialization",
        version: "0.1.6",
        language: "JavaScript",
        engine: "godot-3.2",
        made_for: "game servers in Node.js, for Godot 3.0; 3.2 is the nearest engine that runs",
        registry: Registry::Npm,
    },
];

impl Peer {
    /// Installs it into a folder of its own, and returns the command that starts its adapter.
    fn install(&self, repository: &Path, cache: &Path) -> Result<String> {
        let adapters = repository.join("conformance/adapters");
        let kind = format!("{:?}", self.registry).to_lowercase();
        let folder = cache.join(format!("{kind}-{}-{}", self.name.replace(['@', '/'], "-"), self.version));
        let shown = |path: PathBuf| shell_words::quote(&path.to_string_lossy()).into_owned();
        let package = |separator: &str| format!("{}{separator}{}", self.name, self.version);
        Ok(match self.registry {
            Registry::Own => {
                let manifest = repository.join("Cargo.toml");
                let mut build = Command::new("cargo");
                run(build.args(["build", "--release", "--package", "varbytes-cli", "--manifest-path"]).arg(manifest))?;
                let target = std::env::current_exe().context("cannot find this program")?;
                shown(target.with_file_name("varbytes"))
            }
            Registry::Crate => {
                let manifest = adapters.join(self.name).join("Cargo.toml");
                let mut build = Command::new("cargo");
                build.args(["build", "--release", "--locked", "--manifest-path"]).arg(manifest);
                run(build.arg("--target-dir").arg(&folder))?;
                shown(folder.join("release").join(format!("adapter-{}", self.name)))
            }
            Registry::Python => {
                let python = folder.join("bin/python");
                if !python.exists() {
                    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
                }
                let install = ["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"];
                run(Command::new(&python).args(install).arg(package("==")))?;
                format!("{} {}", shown(python), shown(adapters.join(format!("for_{}.py", self.name))))
            }
            Registry::Npm => {
                fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
                let install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
                run(Command::new("npm").args(install).arg(&folder).arg(package("@")))?;
                // Node searches for packages beside the script.
                let script = folder.join("adapter.js");
                fs::copy(adapters.join("javascript.js"), &script).context("cannot copy the adapter")?;
                format!("node {} {}", shown(script), shell_words::quote(self.name))
            }
        })
    }

    /// Installs and checks it.
    ///
    /// # Errors
    /// If it cannot be installed or does not start.
    pub fn check(&self, repository: &Path, progress: &mut dyn FnMut(usize, usize)) -> Result<Report> {
        let cache = engine::cache_folder("peers").context("the cache")?.context("there is no cache folder")?;
        let command = self.install(repository, &cache)?;
        let settings = Settings {
            command,
            engine: self.engine.to_owned(),
            skip: Vec::new(),
            objects: true,
            limits: ProcessLimits { time: Duration::from_secs(2), memory: 512 << 20 },
            seed: 1,
            packets: 500,
        };
        let mut report = check(repository, &settings, progress)?;
        // The path of the cache says nothing.
        report.command = format!("{} {}", self.name, self.version);
        Ok(report)
    }
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{program}` is not installed"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said.lines().collect();
        bail!("`{program}` failed ({}): {}", output.status, lines[lines.len().saturating_sub(5)..].join(" | "));
    }
    Ok(())
}

/// The rows of the matrix: each subject with the scores of each report.
fn rows(reports: &[(Peer, Report)]) -> Vec<(&'static str, Vec<[Score; 2]>)> {
    let types = varbytes::VariantType::ALL.iter().map(|variant_type| variant_type.name());
    let subjects = types.chain(super::case::GROUPS);
    let scores = |report: &Report, subject: &str| {
        let row = report.rows().into_iter().find(|(name, ..)| *name == subject);
        row.map_or([Score::default(); 2], |(_, decode, encode)| [decode, encode])
    };
    let rows = subjects
        .map(|subject| (subject, reports.iter().map(|(_, report)| scores(report, subject)).collect::<Vec<_>>()));
    rows.filter(|(_, scores)| scores.iter().any(|scores| *scores != [Score::default(); 2])).collect()
}

/// Writes the matrix as a page.
#[must_use]
pub fn matrix_page(reports: &[(Peer, Report)], date: &str) -> String {
    page(
        "Codecs of Godot's Variant format",
        &html! {
            p { "Right answers of all that were asked, on " (date) ". Grey: the codec does not have it. Each codec was \
                installed from its registry and asked with the vectors of the engine named below it; an adapter \
                translates. Most were made for a few types between one game and its server, and do that." }
            div.scroll {
                table {
                    tr {
                        th rowspan="2" { "" }
                        @for (peer, _) in reports { th colspan="2" { (peer.name) " " (peer.version) br; (peer.engine) } }
                    }
                    tr { @for _ in reports { th { "decode" } th { "encode" } } }
                    @for (subject, scores) in rows(reports) {
                        tr { td { (subject) } @for [decode, encode] in scores { (cell(decode)) (cell(encode)) } }
                    }
                }
            }
            h2 { "What each was made for" }
            dl { @for (peer, _) in reports {
                dt { (peer.name) " (" (peer.language) ")" } dd { (peer.made_for) }
            } }
            h2 { "What was found" }
            table {
                tr { th { "" } @for (peer, _) in reports { th { (peer.name) " " (peer.version) } } }
                @for class in super::verdict::Class::ALL {
                    tr {
                        td { (class) }
                        @for (_, report) in reports {
                            td.score { (report.classes().get(&class).copied().unwrap_or_default()) }
                        }
                    }
                }
            }
            @for (peer, report) in reports { (examples(peer, report)) }
        },
    )
}

/// One finding of each group.
fn examples(peer: &Peer, report: &Report) -> Markup {
    html! {
        @if !report.findings.is_empty() {
            details {
                summary { (peer.name) " " (peer.version) ": " (report.findings.len()) " findings, the first of each kind" }
                @for group in report.groups() {
                    h4 { (group[0].class) ": " (group[0].direction) " of " (group[0].subject) ", " (group.len()) " cases" }
                    dl {
                        dt { "vector" } dd { code { (group[0].vector) } }
                        dt { "input" } dd { code { (group[0].shown_input()) } }
                        dt { "engine" } dd { code { (group[0].expected) } }
                        dt { "codec" } dd { code { (group[0].found) } }
                        dt { "difference" } dd { (group[0].difference) }
                        dt { "rule" } dd { "FORMAT.md, " (group[0].section) }
                    }
                }
            }
        }
    }
}

/// Draws the matrix: a row for each subject, a cell for each codec with decoding to the left of encoding.
#[must_use]
pub fn matrix_picture(reports: &[(Peer, Report)], date: &str) -> String {
    const LEFT: usize = 190;
    const TOP: usize = 64;
    const WIDTH: usize = 150;
    const HEIGHT: usize = 16;
    let rows = rows(reports);
    let (width, height) = (LEFT + WIDTH * reports.len() + 10, TOP + HEIGHT * rows.len() + 30);
    let fill = |score: Score| match color(score) {
        "good" => "#4ac26b",
        "part" => "#d4a72c",
        "bad" => "#e5534b",
        _ => "#d0d7de",
    };
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height)
            font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="Codecs by type and direction" {
            rect width="100%" height="100%" fill="#ffffff" {}
            @for (index, (peer, _)) in reports.iter().enumerate() {
                @let x = LEFT + WIDTH * index;
                text x=(x) y="18" font-weight="bold" font-size="10" { (peer.name) }
                text x=(x) y="32" { (peer.version) ", " (peer.language) }
                text x=(x) y="46" fill="#59636e" { (peer.engine) }
                text x=(x) y="59" font-size="9" fill="#59636e" { "decode" }
                text x=(x + WIDTH / 2 - 3) y="59" font-size="9" fill="#59636e" { "encode" }
            }
            @for (line, (subject, scores)) in rows.iter().enumerate() {
                @let y = TOP + HEIGHT * line;
                text x="4" y=(y + 12) { (subject) }
                @for (index, pair) in scores.iter().enumerate() {
                    @for (half, score) in pair.iter().enumerate() {
                        @let x = LEFT + WIDTH * index + half * (WIDTH / 2 - 3);
                        @if *score != Score::default() {
                            rect x=(x) y=(y + 1) width=(WIDTH / 2 - 5) height=(HEIGHT - 2) rx="2" fill=(fill(*score)) {}
                            @if score.asked() > 0 {
                                text x=(x + 4) y=(y + 12) font-size="9" { (score.right) "/" (score.asked()) }
                            }
                        }
                    }
                }
            }
            text x="4" y=(height - 10) fill="#59636e" {
                "green: all right; yellow: some; red: none; grey: the codec does not have it. " (date)
            }
        }
    };
    svg.into_string() + "\n"
}
