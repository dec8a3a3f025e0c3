//! The zip that users unpack into a project.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::manifest::Manifest;
use crate::platform::Platform;
use crate::{ADDON, DEMO, MANIFEST};

/// Files that are not part of the addon: the editor's own files, and scripts.
const LEFT_OUT: [&str; 3] = [".import", ".uid", ".sh"];

/// A file that keeps its folder out of exported games.
const EXPORT_IGNORES: &str = ".gdignore";

/// The files that an addon must have, besides libraries and icons.
const REQUIRED: [&str; 4] = [MANIFEST, "README.md", "LICENSE", "THIRD_PARTY.md"];

/// The content of a zip: file names and bytes.
#[derive(Debug, Default)]
pub struct Content(BTreeMap<String, Vec<u8>>);

impl Content {
    /// Collects the addon's folder without libraries, and the libraries of these platforms from `libraries`. The manifest lists
    /// only these.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or a library is missing.
    pub fn collect(addon: &Path, manifest: &Manifest, platforms: &[Platform], libraries: &Path) -> Result<Self> {
        let mut content = Self::default();
        content.add_folder(addon, ADDON)?;
        content.0.insert(format!("{ADDON}/{MANIFEST}"), manifest.text_for(platforms).into_bytes());
        for platform in platforms {
            for library in manifest.libraries(platform)? {
                let path = libraries.join(&library.path);
                let bytes = fs::read(&path)
                    .with_context(|| format!("the library {} of {platform} is missing", path.display()))?;
                content.0.insert(format!("{ADDON}/{}", library.path), bytes);
            }
        }
        Ok(content)
    }

    /// Adds the demo to the addon, as a project that can be opened and run: `project` is the folder of both.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn with_demo(mut self, project: &Path) -> Result<Self> {
        self.add_folder(&project.join(DEMO), DEMO)?;
        let settings = project.join("project.godot");
        let bytes = fs::read(&settings).with_context(|| format!("cannot read {}", settings.display()))?;
        self.0.insert("project.godot".to_owned(), bytes);
        // The engine loads the library at the first start, before the editor has seen the project.
        let list = format!("res://{ADDON}/{MANIFEST}\n");
        self.0.insert(".godot/extension_list.cfg".to_owned(), list.into_bytes());
        Ok(self)
    }

    fn add_folder(&mut self, folder: &Path, name: &str) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let inside = format!("{name}/{file_name}");
            // Not the libraries of an earlier build.
            let is_binaries = inside == format!("{ADDON}/bin");
            let is_hidden = file_name.starts_with('.') && file_name != EXPORT_IGNORES;
            if is_binaries || is_hidden || LEFT_OUT.iter().any(|end| file_name.ends_with(end)) {
                continue;
            }
            if path.is_dir() {
                self.add_folder(&path, &inside)?;
            } else {
                let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                self.0.insert(inside, bytes);
            }
        }
        Ok(())
    }

    /// Writes the zip of the addon. The same content gives the same bytes. The zip replaces an existing file only after it was
    /// written and verified.
    ///
    /// # Errors
    /// Returns an error if the zip cannot be written or lacks a required file.
    pub fn write(&self, path: &Path, manifest: &Manifest, platforms: &[Platform]) -> Result<()> {
        self.write_verified(path, |path| verify(path, manifest, platforms))
    }

    /// Writes the zip of another project, in the same way. Only its checksums are verified.
    ///
    /// # Errors
    /// Returns an error if the zip cannot be written.
    pub fn write_project(&self, path: &Path) -> Result<()> {
        self.write_verified(path, |path| sizes(path).map(|_| ()))
    }

    fn write_verified(&self, path: &Path, verified: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut file =
            NamedTempFile::new_in(folder).with_context(|| format!("cannot write in {}", folder.display()))?;
        self.write_to(&mut file).with_context(|| format!("cannot write {}", path.display()))?;
        verified(file.path())?;
        readable_by_all(file.as_file())?;
        file.persist(path).with_context(|| format!("cannot rename the new zip to {}", path.display()))?;
        Ok(())
    }

    fn write_to(&self, file: &mut NamedTempFile) -> Result<()> {
        let mut writer = ZipWriter::new(file.as_file_mut());
        for (name, bytes) in &self.0 {
            let is_library = name.starts_with(&format!("{ADDON}/bin/"));
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                // The earliest time that a zip can store, so that the bytes do not depend on the time of packing.
                .last_modified_time(DateTime::default())
                .unix_permissions(if is_library { 0o755 } else { 0o644 });
            writer.start_file(name, options)?;
            writer.write_all(bytes)?;
        }
        writer.finish()?.sync_all()?;
        Ok(())
    }
}

/// Checks a zip: every file is in the addon's folder and can be unpacked, and all files that the engine needs on these
/// platforms are there.
///
/// # Errors
/// Returns an error that names what is wrong.
pub fn verify(path: &Path, manifest: &Manifest, platforms: &[Platform]) -> Result<()> {
    let sizes = sizes(path)?;
    for name in sizes.keys() {
        ensure!(name.starts_with(&format!("{ADDON}/")), "{name} is outside of {ADDON}");
    }
    let mut needed: Vec<&str> = REQUIRED.to_vec();
    needed.extend(manifest.icons().iter().map(String::as_str));
    for platform in platforms {
        needed.extend(manifest.libraries(platform)?.iter().map(|library| library.path.as_str()));
    }
    for name in needed {
        let size = sizes.get(&format!("{ADDON}/{name}")).copied().unwrap_or(0);
        ensure!(size > 0, "{name} is missing from the zip or empty, but {MANIFEST} or the engine needs it");
    }
    Ok(())
}

/// Reads a zip to the end, which compares its checksums. Returns the sizes of its files.
fn sizes(path: &Path) -> Result<BTreeMap<String, u64>> {
    let mut archive = open(path)?;
    let mut sizes = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).context("the zip is damaged")?;
        let name = entry.name().context("a file name in the zip is not text")?.into_owned();
        let size = io::copy(&mut entry, &mut io::sink()).with_context(|| format!("{name} in the zip is damaged"))?;
        sizes.insert(name, size);
    }
    Ok(sizes)
}

/// Unpacks a zip into a project's folder.
///
/// # Errors
/// Returns an error if the zip cannot be read or the files cannot be written.
pub fn unpack(path: &Path, project: &Path) -> Result<()> {
    open(path)?.extract(project).with_context(|| format!("cannot unpack {}", path.display()))
}

/// Returns the names and sizes of the files in a zip.
///
/// # Errors
/// Returns an error if the zip cannot be read.
pub fn list(path: &Path) -> Result<Vec<(String, u64)>> {
    let mut archive = open(path)?;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).context("the zip is damaged")?;
        files.push((entry.name().context("a file name in the zip is not text")?.into_owned(), entry.size()));
    }
    Ok(files)
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    ZipArchive::new(file).with_context(|| format!("{} is not a zip", path.display()))
}

/// Makes the zip readable for all users. Temporary files are readable only for their owner.
#[cfg(unix)]
fn readable_by_all(file: &File) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644)).context("cannot make the zip readable")
}

#[cfg(not(unix))]
fn readable_by_all(_: &File) -> Result<()> {
    Ok(())
}
