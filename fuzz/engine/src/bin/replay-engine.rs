//! Lets running engines judge files or folders without a fuzzer: `replay-engine --target=engine_decode INPUTS`.
//!
//! Files are judged one by one, and the first failure is a panic. With a folder, they are judged in batches, and
//! failing inputs are saved, as in a fuzzing process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;

use varbytes_fuzz_engine::PROPERTIES;

fn main() {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let target = options.iter().find_map(|option| option.strip_prefix("--target="));
    let Some((_, property)) = PROPERTIES.iter().find(|(name, _)| target == Some(*name)) else {
        eprintln!("usage: replay-engine --target=engine_decode|engine_encode FILE_OR_FOLDER...");
        exit(2);
    };
    for path in paths {
        for file in files(Path::new(&path)) {
            property(&fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
        }
    }
    // Like libFuzzer.
    exit(0);
}

fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}
