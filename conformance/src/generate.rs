//! Lets an engine write its vectors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use varbytes::{Decoder, Profile};

use crate::compare::erase_ids;
use crate::reference::Running;
use crate::vectors::{Manifest, files, load_manifest};

/// Lets the engine write all vectors and their manifest into `folder`. `on_line` gets each line that the generator
/// prints: one for each type.
///
/// # Errors
/// If the run fails or does not report at its end that it is complete.
pub fn vectors(running: &Running, folder: &Path, on_line: &mut dyn FnMut(&str)) -> Result<Manifest> {
    let arguments = vec!["--output".into(), folder.into()];
    let output = running.run("generate_vectors.gd", arguments, on_line);
    let completion = output.and_then(|output| output.completion()).context("the generator")?;
    let mut counts = BTreeMap::new();
    for path in files(folder)?.into_iter().chain(files(&folder.join("canonical"))?) {
        let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        counts.insert(name, fs::read_to_string(&path)?.lines().count());
    }
    let written: usize = counts.values().sum();
    if completion["cases"] != written {
        bail!("the generator reports {} cases but wrote {written}", completion["cases"]);
    }
    let version = &running.engine.version;
    let manifest = Manifest {
        version: format!("{}.{}.{}", version.major, version.minor, version.patch),
        build: version.text.clone(),
        precision: if completion["double"] == true { "double" } else { "single" }.to_owned(),
        profile: running.profile().name().to_owned(),
        command: format!("cargo conformance --require-engine --update --engine {}", running.reference.name),
        files: counts,
    };
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    fs::write(folder.join("manifest.json"), text).context("cannot write the manifest")?;
    Ok(manifest)
}

/// Replaces a folder of vectors. The old folder is moved away first, and back on failure.
///
/// # Errors
/// If a file cannot be copied or a folder cannot be moved.
pub fn replace(committed: &Path, fresh: &Path) -> Result<()> {
    let manifest = load_manifest(fresh)?;
    let new = committed.with_extension("new");
    let old = committed.with_extension("old");
    let _ = fs::remove_dir_all(&new);
    fs::create_dir_all(new.join("canonical"))?;
    for name in manifest.files.keys().map(String::as_str).chain(["manifest.json"]) {
        fs::copy(fresh.join(name), new.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    if committed.exists() {
        // Otherwise it is the only one, because the last run was ended early.
        let _ = fs::remove_dir_all(&old);
        fs::rename(committed, &old).context("cannot move the committed vectors away")?;
    }
    if let Err(error) = fs::rename(&new, committed) {
        fs::rename(&old, committed).context("cannot move the committed vectors back")?;
        bail!("cannot replace the committed vectors: {error}");
    }
    let _ = fs::remove_dir_all(&old);
    Ok(())
}

/// Compares fresh vectors with the committed ones of the same engine version, ignoring ids of live objects and padding,
/// which change with every run.
///
/// # Errors
/// If a folder cannot be read.
pub fn differences(committed: &Path, fresh: &Path) -> Result<Vec<String>> {
    let (committed_manifest, fresh_manifest) = (load_manifest(committed)?, load_manifest(fresh)?);
    let mut differences = Vec::new();
    if committed_manifest.files != fresh_manifest.files {
        differences.push("the files, or the number of lines in them, differ".to_owned());
    }
    let decoder = Decoder::new().profile(Profile::from_name(&fresh_manifest.profile)?).objects(true);
    for name in fresh_manifest.files.keys() {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let (committed, fresh) = (read(committed), read(fresh));
        let lines = committed.lines().zip(fresh.lines()).enumerate();
        let differing = lines.filter(|(_, (committed, fresh))| {
            committed != fresh && !differ_only_in_ids_and_padding(&decoder, committed, fresh)
        });
        differences.extend(differing.map(|(index, _)| format!("{name}, line {}", index + 1)));
    }
    Ok(differences)
}

/// Returns whether two lines differ only in object ids and padding.
fn differ_only_in_ids_and_padding(decoder: &Decoder, committed: &str, fresh: &str) -> bool {
    let erased = |line: &str| -> Option<serde_json::Map<String, serde_json::Value>> {
        // Some values are nested deeper than serde_json reads; they have no ids.
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
        for (key, field) in &mut fields {
            if key == "value" {
                let mut value = varbytes::tagged_json::from_str(&field.to_string()).ok()?;
                erase_ids(&mut value);
                *field = varbytes::tagged_json::to_string(&value).into();
            } else if key == "hex" || key == "rewritten" {
                let bytes = hex::decode(field.as_str()?).ok()?;
                let mut value = decoder.decode(&bytes).ok()?;
                erase_ids(&mut value);
                *field = format!("{value:?}").into();
            }
        }
        Some(fields)
    };
    erased(committed).is_some_and(|committed| erased(fresh) == Some(committed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_a_run_that_ended_early_are_kept_until_others_are_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let [committed, old, fresh] = ["v", "v.old", "fresh"].map(|name| folder.path().join(name));
        [&old, &fresh].iter().for_each(|folder| fs::create_dir(folder).unwrap());
        let manifest =
            r#"{"version": "", "build": "", "precision": "", "profile": "", "command": "", "files": {"int.jsonl": 1}}"#;
        fs::write(fresh.join("manifest.json"), manifest).unwrap();
        replace(&committed, &fresh).unwrap_err();
        assert!(old.exists());
        fs::write(fresh.join("int.jsonl"), "{}").unwrap();
        replace(&committed, &fresh).unwrap();
        assert!(committed.join("int.jsonl").exists() && !old.exists());
    }
}
