//! Counts the instructions of fixed cases with callgrind. Counts do not depend on other load.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use varbytes::Variant;

use crate::documents::{decoder, dictionary, encoder, packed_float32, packet, save, scene, strings};
use crate::unsearched::UnsearchedBuilder;

/// How much a count may grow, relatively, before the record must be updated.
pub const ALLOWED_GROWTH: f64 = 0.05;

/// The function that callgrind counts, by the end of its name.
const COUNTED: &str = "*measured*";

/// A case: how its document is created, and what is done with it.
#[derive(Clone, Copy)]
pub struct Case {
    /// The case's name.
    pub name: &'static str,
    make: fn() -> Variant,
    work: fn(&Variant, &[u8]),
}

/// The cases in the record.
pub const CASES: [Case; 10] = [
    Case { name: "save, encode", make: small_save, work: encode },
    Case { name: "save, decode", make: small_save, work: decode },
    Case { name: "save, decode borrowed", make: small_save, work: decode_borrowed },
    Case { name: "save, check", make: small_save, work: check },
    Case { name: "packet, encode", make: packet, work: encode },
    Case { name: "packet, decode", make: packet, work: decode },
    Case { name: "dictionary, decode", make: || dictionary(10_000), work: decode },
    Case { name: "strings not ASCII, decode", make: || strings("日本語 Größe "), work: decode },
    Case { name: "PackedFloat32Array, decode", make: || packed_float32(1_000_000), work: decode },
    Case { name: "scene, decode", make: || scene(1_000), work: decode },
];

/// The cases that show the cost of the search for duplicate keys, each with the case to compare with.
pub const UNSEARCHED: [(Case, &str); 3] = [
    (Case { name: "save, decode without key search", make: small_save, work: decode_unsearched }, "save, decode"),
    (Case { name: "packet, decode without key search", make: packet, work: decode_unsearched }, "packet, decode"),
    (
        Case { name: "dictionary, decode without key search", make: || dictionary(10_000), work: decode_unsearched },
        "dictionary, decode",
    ),
];

fn small_save() -> Variant {
    save(5_000)
}

fn encode(value: &Variant, _: &[u8]) {
    std::hint::black_box(encoder().encode(value).expect("written before"));
}

fn decode(_: &Variant, bytes: &[u8]) {
    std::hint::black_box(decoder().decode(bytes).expect("read before"));
}

fn decode_borrowed(_: &Variant, bytes: &[u8]) {
    std::hint::black_box(decoder().decode_borrowed(bytes).expect("read before"));
}

fn decode_unsearched(_: &Variant, bytes: &[u8]) {
    std::hint::black_box(decoder().decode_with(bytes, &mut UnsearchedBuilder::default()).expect("read before"));
}

fn check(_: &Variant, bytes: &[u8]) {
    std::hint::black_box(decoder().check(bytes).expect("read before"));
}

impl Case {
    /// Returns the case with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        CASES.into_iter().chain(UNSEARCHED.map(|(case, _)| case)).find(|case| case.name == name)
    }

    /// Does its work once uncounted and once counted, so one-time work, such as asking the system for a seed, is not
    /// counted.
    ///
    /// # Panics
    /// If the crate cannot write or read the document.
    pub fn run(&self) {
        let value = (self.make)();
        let bytes = encoder().encode(&value).expect("a document can be written");
        (self.work)(&value, &bytes);
        measured(self.work, &value, &bytes);
    }
}

/// The counted function; never inlined, so that callgrind finds it.
#[inline(never)]
fn measured(work: fn(&Variant, &[u8]), value: &Variant, bytes: &[u8]) {
    work(value, bytes);
    // Otherwise this may become the function itself.
    std::hint::black_box(());
}

/// The recorded counts, and the tools that made them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The output of `valgrind --version`.
    pub valgrind: String,
    /// The output of `rustc --version`.
    pub rustc: String,
    /// The target it was built for.
    pub target: String,
    /// Instructions of each case.
    pub instructions: BTreeMap<String, u64>,
}

impl Record {
    /// The path of the record.
    #[must_use]
    pub fn path() -> PathBuf {
        crate::folder().join("instruction-counts.toml")
    }

    /// Reads it.
    ///
    /// # Errors
    /// If the file is missing or malformed.
    pub fn read() -> Result<Self> {
        let path = Self::path();
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("in {}", path.display()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self) -> Result<()> {
        let path = Self::path();
        let text = format!("# Written by `cargo instruction-counts --update`.\n{}", toml::to_string(self)?);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Counts the instructions of a case, run by `program`, which is `instruction-case`.
///
/// # Errors
/// If valgrind fails or counts nothing.
pub fn count(valgrind: &Path, program: &Path, case: &Case) -> Result<u64> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder for callgrind")?;
    let counts = folder.path().join("counts");
    let output = Command::new(valgrind)
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(program)
        .arg(case.name)
        // The C library chooses a memcpy by processor; these settings fix the choice.
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-BMI2")
        .env("LC_ALL", "C")
        .output()
        .context("cannot run valgrind")?;
    if !output.status.success() {
        bail!("valgrind failed on {}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    }
    let text = fs::read_to_string(&counts).context("callgrind wrote nothing")?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).context("callgrind printed no total")?;
    let total: u64 = total.trim().parse().with_context(|| format!("not a count: {total}"))?;
    if total == 0 {
        bail!("callgrind counted nothing: it did not find the function {COUNTED}");
    }
    Ok(total)
}

/// Returns the path of valgrind. As root, installs it with apt-get if it is missing.
///
/// # Errors
/// If it is missing and cannot be installed. The error says how to install it.
pub fn find_valgrind() -> Result<PathBuf> {
    if let Ok(path) = which::which("valgrind") {
        return Ok(path);
    }
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if is_root && which::which("apt-get").is_ok() {
        eprintln!("valgrind is missing; installing it with apt-get");
        let apt = |arguments: &[&str]| {
            Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status()
        };
        apt(&["update", "--quiet"])?;
        apt(&["install", "--yes", "--quiet", "--no-install-recommends", "valgrind"])?;
    }
    which::which("valgrind")
        .context("valgrind is missing; install it, for example with `sudo apt-get install valgrind`")
}

/// Returns the versions of valgrind and rustc and the target, which counts depend on.
///
/// # Errors
/// If a version cannot be determined.
pub fn versions(valgrind: &Path) -> Result<(String, String, String)> {
    let said = |program: &Path, argument: &str| -> Result<String> {
        let output = Command::new(program).arg(argument).output();
        let output = output.with_context(|| format!("cannot run {}", program.display()))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let rustc = std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    Ok((said(valgrind, "--version")?, said(&rustc, "--version")?, target))
}
