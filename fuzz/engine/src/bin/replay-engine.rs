//! Has running engines judge what is in files or folders, without a fuzzer: `replay-engine --target=engine_decode INPUTS`.
//!
//! Files alone are judged one by one and the first at fault ends in a panic; with a folder they are put together, and
//! those at fault are saved, as in a fuzzing process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;

use varbytes_fuzz_engine::PROPERTIES;

fn main() {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let target = options.iter().find_map(|option| option.strip_prefix("--target="));
    let Some((_, property)) = PROPERTIES.iter().find(|(name, _)| target == Some(*name)) else {
        eprintln!("replay-engine: needs --target=engine_decode or engine_encode, then files or folders");
        exit(2);
    };
    for path in paths {
        for file in files(Path::new(&path)) {
            property(&fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
        }
    }
    // As libFuzzer does.
    exit(0);
}

fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}
