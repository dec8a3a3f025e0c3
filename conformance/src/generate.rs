//! Having an engine write the vectors anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use varbytes::Profile;

use crate::compare::erase_ids;
use crate::engine::{Engine, RunRequest};
use crate::vectors::{Manifest, files, load_manifest};

/// The command that brings the committed vectors up to date with an engine.
const COMMAND: &str = "cargo conformance --require-engine --update";

/// Has the engine write all vectors and their manifest into `folder`. `on_line` is given what the generator
/// prints, which is a line for each type.
///
/// # Errors
/// When the run fails in any way or does not say at its end that it is complete.
pub fn vectors(engine: &Engine, project: &Path, folder: &Path, on_line: &mut dyn FnMut(&str)) -> Result<Manifest> {
    let mut request = RunRequest::new(project, "res://conformance/generate_vectors.gd");
    request.arguments = vec!["--output".into(), folder.into()];
    let completion =
        engine.run_watched(&request, on_line).and_then(|output| output.completion()).context("the generator")?;
    let mut counts = BTreeMap::new();
    for path in files(folder)?.into_iter().chain(files(&folder.join("canonical"))?) {
        let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        counts.insert(name, fs::read_to_string(&path)?.lines().count());
    }
    let written: usize = counts.values().sum();
    if completion["cases"] != written {
        bail!("the generator speaks of {} cases and wrote {written}", completion["cases"]);
    }
    let version = &engine.version;
    let manifest = Manifest {
        version: format!("{}.{}.{}", version.major, version.minor, version.patch),
        build: version.text.clone(),
        precision: if completion["double"] == true { "double" } else { "single" }.to_owned(),
        profile: profile_of(engine).0.name().to_owned(),
        command: COMMAND.to_owned(),
        files: counts,
    };
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    fs::write(folder.join("manifest.json"), text).context("cannot write the manifest")?;
    Ok(manifest)
}

/// The profile for an engine, and whether it covers that version: for one newer than the table, the newest
/// has to do.
#[must_use]
pub fn profile_of(engine: &Engine) -> (Profile, bool) {
    match Profile::from_name(&engine.version.profile_name()) {
        Ok(profile) => (profile, true),
        Err(_) => (Profile::NEWEST, false),
    }
}

/// How vectors written just now differ from the committed ones of the same engine version; the ids of live
/// objects, which belong to one run, aside.
///
/// # Errors
/// When either folder cannot be read.
pub fn differences(committed: &Path, fresh: &Path) -> Result<Vec<String>> {
    let (committed_manifest, fresh_manifest) = (load_manifest(committed)?, load_manifest(fresh)?);
    let mut differences = Vec::new();
    if committed_manifest.files != fresh_manifest.files {
        differences.push("the files, or the number of lines in them, differ".to_owned());
    }
    for name in fresh_manifest.files.keys() {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let (committed, fresh) = (read(committed), read(fresh));
        let lines = committed.lines().zip(fresh.lines()).enumerate();
        let differing = lines.filter(|(_, (committed, fresh))| committed != fresh && !alike(committed, fresh));
        differences.extend(differing.map(|(index, _)| format!("{name}, line {}", index + 1)));
    }
    Ok(differences)
}

/// Whether two lines differ in ids of objects alone.
fn alike(committed: &str, fresh: &str) -> bool {
    let erased = |line: &str| -> Option<serde_json::Map<String, serde_json::Value>> {
        // The values of some vectors are nested far deeper than serde_json reads; those hold no ids.
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
        for (key, field) in &mut fields {
            if key == "value" {
                let mut value = varbytes::tagged_json::from_str(&field.to_string()).ok()?;
                erase_ids(&mut value);
                *field = varbytes::tagged_json::to_string(&value).into();
            } else if key == "hex" || key == "rewritten" {
                let bytes = hex::decode(field.as_str()?).ok()?;
                let mut value = varbytes::Decoder::new().objects(true).decode(&bytes).ok()?;
                erase_ids(&mut value);
                *field = format!("{value:?}").into();
            }
        }
        Some(fields)
    };
    erased(committed).is_some_and(|committed| erased(fresh) == Some(committed))
}
