//! Reads what a built library needs: the machine, the oldest system, other libraries. Refuses a library that users could not load
//! or that contains paths of the machine it was built on.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::read::macho::{FatArch, LoadCommandVariant, MachOFatFile32, MachOFile64};
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile64};
use object::{Architecture, File, FileKind, ImportFlags, NameOrOrdinal, Object};
use sha2::{Digest, Sha256};

use crate::library::private_folders;
use crate::platform::{Floor, Platform};

/// The function that the `.gdextension` file names.
const ENTRY: &str = "varbytes_init";

/// What a library needs of a system.
#[derive(Debug, PartialEq, Eq)]
pub struct Needs {
    /// The machines that it is for.
    pub machines: Vec<&'static str>,
    /// The oldest system that it can be loaded on.
    pub floor: Floor,
    /// The libraries that the system loads with it.
    pub libraries: BTreeSet<String>,
}

/// `x86_64, glibc 2.17; libc.so.6`
impl fmt::Display for Needs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let libraries: Vec<&str> = self.libraries.iter().map(String::as_str).collect();
        write!(formatter, "{}, {}; {}", self.machines.join(" and "), self.floor, libraries.join(", "))
    }
}

/// Checks the file of a library, see [`check`].
///
/// # Errors
/// Returns an error that says what is wrong with it.
pub fn of_file(path: &Path, platform: &Platform, floor: Option<Floor>, repository: &Path) -> Result<Needs> {
    let bytes = fs::read(path).with_context(|| format!("the library {} of {platform} is missing", path.display()))?;
    check(&bytes, platform, floor, &private_folders(repository)?)
        .with_context(|| format!("{} cannot be published", path.display()))
}

/// Checks a library for a platform: the machines, the entry function, that it has no debug information, and that it runs on the
/// oldest system that is promised. For macOS also its signature. `private` are folders whose names must not be in it.
///
/// # Errors
/// Returns an error that says what is wrong with it.
pub fn check(bytes: &[u8], platform: &Platform, floor: Option<Floor>, private: &[String]) -> Result<Needs> {
    let needs = match FileKind::parse(bytes).context("it is not a library")? {
        FileKind::Elf64 => elf(bytes)?,
        FileKind::Pe64 => portable(bytes)?,
        FileKind::MachOFat32 => universal(bytes)?,
        FileKind::MachO64 => mac(bytes)?,
        other => bail!("libraries of the kind {other:?} are not known"),
    };
    let expected = platform.machines();
    ensure!(needs.machines == expected, "it is for {}, not for {}", needs.machines.join(", "), expected.join(", "));
    if let Some(floor) = floor {
        ensure!(needs.floor.is_within(&floor), "it needs {}, but {platform} promises {floor}", needs.floor);
    }
    for folder in private.iter().filter(|folder| folder.len() > 1) {
        let found = bytes.windows(folder.len()).position(|window| window == folder.as_bytes());
        ensure!(found.is_none(), "it contains the path {folder}, at offset {}", found.unwrap_or_default());
    }
    Ok(needs)
}

fn elf(bytes: &[u8]) -> Result<Needs> {
    let file = File::parse(bytes).context("a damaged ELF file")?;
    let mut floor = (0, 0);
    for import in file.imports().context("its imports")? {
        let import = import.context("its imports")?;
        let ImportFlags::Elf { version: Some(version), .. } = import.flags() else { continue };
        let Some(version) = text(version).strip_prefix("GLIBC_").map(str::to_owned) else { continue };
        floor = floor.max(numbers(&version).with_context(|| format!("GLIBC_{version} is not a version"))?);
    }
    ensure!(floor > (0, 0), "it names no version of glibc, so the oldest that it runs on is unknown");
    Ok(Needs {
        machines: vec![machine(file.architecture())?],
        floor: Floor::Glibc(floor.0, floor.1),
        libraries: whole(&file, ENTRY)?,
    })
}

fn portable(bytes: &[u8]) -> Result<Needs> {
    let file = PeFile64::parse(bytes).context("a damaged PE file")?;
    let header = file.nt_headers().optional_header();
    let floor = Floor::Windows(header.major_subsystem_version().into(), header.minor_subsystem_version().into());
    Ok(Needs { machines: vec![machine(file.architecture())?], floor, libraries: whole(&file, ENTRY)? })
}

/// A library for all machines of macOS. Its floor is that of the machine with the newest one.
fn universal(bytes: &[u8]) -> Result<Needs> {
    let file = MachOFatFile32::parse(bytes).context("a damaged universal library")?;
    let mut parts = file.arches().iter().map(|part| mac(part.data(bytes).context("a damaged universal library")?));
    let mut all = parts.next().context("a universal library without machines")??;
    for part in parts {
        let part = part?;
        all.machines.extend(part.machines);
        all.libraries.extend(part.libraries);
        all.floor = all.floor.max(part.floor);
    }
    all.machines.sort_unstable();
    Ok(all)
}

fn mac(bytes: &[u8]) -> Result<Needs> {
    let file = MachOFile64::<object::Endianness, _>::parse(bytes).context("a damaged Mach-O file")?;
    let endian = file.endian();
    let mut floor = None;
    let mut is_signed = false;
    let mut commands = file.macho_load_commands().context("its load commands")?;
    while let Some(command) = commands.next().context("its load commands")? {
        match command.variant().context("its load commands")? {
            LoadCommandVariant::BuildVersion(version, _) => floor = Some(version.minos.get(endian)),
            LoadCommandVariant::VersionMin(version) => floor = Some(version.version.get(endian)),
            LoadCommandVariant::IdDylib(id) => {
                let name = text(command.string(endian, id.dylib.name).context("its name")?);
                ensure!(name.starts_with("@rpath/"), "its name is {name}, a path on the machine it was built on");
            }
            LoadCommandVariant::LinkeditData(data) if command.cmd() == object::macho::LC_CODE_SIGNATURE => {
                signature(bytes, &data.code_signature(endian, bytes).context("its signature")?)?;
                is_signed = true;
            }
            _ => {}
        }
    }
    ensure!(is_signed, "it is not signed for {:?}", file.architecture());
    let floor = floor.context("it names no version of macOS, so the oldest that it runs on is unknown")?;
    let libraries = whole(&file, &format!("_{ENTRY}"))?;
    let foreign = libraries.iter().find(|path| !path.starts_with("/usr/lib/") && !path.starts_with("/System/"));
    ensure!(foreign.is_none(), "it needs {}, which is not part of macOS", foreign.map_or("", |path| path));
    let floor = Floor::Mac(floor.major().into(), floor.minor().into());
    Ok(Needs { machines: vec![machine(file.architecture())?], floor, libraries })
}

/// Checks an ad hoc signature: it names no signer, and its hashes are those of the file.
fn signature(bytes: &[u8], signature: &object::read::macho::CodeSignature<'_>) -> Result<()> {
    let mut blobs = signature.blobs();
    let mut checked = 0;
    while let Some(blob) = blobs.next().context("its signature")? {
        let Some(directory) = blob.code_directory().context("its signature")? else { continue };
        let header = directory.header();
        let flags = header.flags.get(object::BigEndian);
        ensure!(flags.contains(object::macho::CS_ADHOC), "its signature is not ad hoc");
        ensure!(header.hash_type == object::macho::CS_HASHTYPE_SHA256, "its signature has other hashes than SHA-256");
        let limit = usize::try_from(directory.code_limit()).context("its signature")?;
        let code = bytes.get(..limit).context("its signature is for a longer file")?;
        let pages = code.chunks(1 << header.page_size);
        ensure!(
            pages.len() == header.n_code_slots.get(object::BigEndian) as usize,
            "its signature is for another length"
        );
        for (index, page) in (0_u32..).zip(pages) {
            let expected = directory.code_hash(index).context("its signature")?;
            ensure!(Sha256::digest(page).as_slice() == expected, "page {index} is not the one that was signed");
            checked += 1;
        }
    }
    ensure!(checked > 0, "its signature covers nothing");
    Ok(())
}

/// Checks that a library exports the entry function and has no debug information. Returns the libraries that it needs.
fn whole<'data>(file: &impl Object<'data>, entry: &str) -> Result<BTreeSet<String>> {
    let mut exports = file.exports().context("its exports")?;
    let entry = NameOrOrdinal::Name(entry.as_bytes());
    let has_entry = exports.any(|export| export.is_ok_and(|export| export.name() == entry));
    ensure!(has_entry, "it does not export {ENTRY}");
    ensure!(!file.has_debug_symbols(), "it contains debug information");
    let mut libraries = BTreeSet::new();
    for library in file.import_libraries().context("the libraries that it needs")? {
        libraries.insert(text(library.context("the libraries that it needs")?.name()));
    }
    Ok(libraries)
}

fn machine(architecture: Architecture) -> Result<&'static str> {
    Ok(match architecture {
        Architecture::X86_64 => "x86_64",
        Architecture::Aarch64 => "arm64",
        other => bail!("the machine {other:?} is not known"),
    })
}

fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next().transpose().ok()?.unwrap_or(0)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
