//! Packs the vectors and what is needed with them into one archive, which the command contains.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "command")]
    archive::write()?;
    Ok(())
}

#[cfg(feature = "command")]
mod archive {
    use std::fs::{self, File};
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    /// What the command needs of the repository.
    const PARTS: [&str; 6] = [
        "conformance/vectors",
        "conformance/divergences",
        "godot_project/conformance",
        "godot_project/godot3",
        "godot_project/project.godot",
        "rust/codec/FORMAT.md",
    ];

    pub fn write() -> io::Result<()> {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let output = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
        let mut archive = ZipWriter::new(File::create(output.join("data.zip"))?);
        for part in PARTS {
            println!("cargo:rerun-if-changed=../{part}");
            add(&mut archive, &repository, Path::new(part))?;
        }
        archive.finish()?;
        Ok(())
    }

    fn add(archive: &mut ZipWriter<File>, repository: &Path, part: &Path) -> io::Result<()> {
        let path = repository.join(part);
        if path.is_dir() {
            let entries = fs::read_dir(&path)?.map(|entry| Ok(entry?.file_name()));
            let mut names = entries.collect::<io::Result<Vec<_>>>()?;
            names.sort();
            return names.iter().try_for_each(|name| add(archive, repository, &part.join(name)));
        }
        archive.start_file_from_path(part, SimpleFileOptions::default())?;
        archive.write_all(&fs::read(path)?)
    }
}
