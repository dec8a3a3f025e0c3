//! Seeds of the fuzz targets: every committed vector, as an input of each target.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use varbytes::{Decoder, Encoder, Profile};
use varbytes_conformance::compare;
use varbytes_conformance::damage::Packet;
use varbytes_conformance::derived::DerivedSet;
use varbytes_conformance::reference::Reference;
use varbytes_conformance::vectors::{CAPTURED, VectorSet, load_manifest};
use varbytes_fuzz_engine::EngineInput;
use varbytes_fuzz_engine::input::ENGINES;
use varbytes_fuzz_engine_core::SCRIPTS;
use varbytes_fuzz_properties::{AddonInput, ConvertInput, PacketInput};

use crate::addon::ADDON;
use crate::files;

/// The prefix of the names of seeds.
const PREFIX: &str = "vector-";

/// Longer inputs are not part of the committed corpus.
const LONGEST: usize = 128;

/// Number of inputs of each target in the committed corpus.
const COMMITTED: usize = 60;

/// Returns the bytes of every committed vector, with the profile of its engine.
///
/// # Errors
/// If a file of vectors cannot be read.
pub fn packets() -> Result<Vec<(Profile, Packet)>> {
    let mut packets = Vec::new();
    for reference in Reference::ALL {
        let profile = Profile::from_name(&load_manifest(&reference.folder())?.profile)?;
        let of_engine = VectorSet::load(&reference.folder())?.packets();
        packets.extend(of_engine.into_iter().map(|packet| (profile, packet)));
    }
    for captured in CAPTURED {
        let profile = captured.setting()?.profile;
        let vectors = captured.load()?.into_iter();
        packets.extend(vectors.map(|vector| (profile, Packet { bytes: vector.bytes, objects: vector.full_objects })));
    }
    for set in DerivedSet::load_all()? {
        packets.extend(set.packets()?.into_iter().map(|packet| (set.profile, packet)));
    }
    Ok(packets)
}

/// Returns every vector as an input of a target.
///
/// # Errors
/// If a file of vectors cannot be read.
pub fn inputs(target: &str) -> Result<Vec<Vec<u8>>> {
    if varbytes_fuzz_engine_core::PROPERTIES.iter().any(|(name, _)| *name == target) {
        return core_inputs(target);
    }
    if varbytes_fuzz_engine::PROPERTIES.iter().any(|(name, _)| *name == target) {
        return engine_inputs();
    }
    let mut packets = packets()?;
    if target == ADDON {
        // The engine that it runs in only reads its own vectors.
        packets.retain(|(profile, _)| *profile == Profile::NEWEST);
    }
    let inputs = packets.iter().enumerate().map(|(index, (profile, Packet { bytes, objects }))| {
        let (profile, objects, packet) = (*profile, *objects, &**bytes);
        if target == ADDON {
            addon_input(index, objects, packet).write()
        } else if target == "convert" || target == "work" {
            // The target engine alternates.
            let to = Profile::ALL[index % Profile::ALL.len()];
            ConvertInput { from: profile, to, objects, packet }.write()
        } else {
            PacketInput { profile, strict: index % 2 == 0, objects, enforces_types: false, packet }.write()
        }
    });
    let inputs: BTreeSet<Vec<u8>> = inputs.collect();
    Ok(inputs.into_iter().collect())
}

/// Returns every vector of an engine that judges, as an input of those targets.
fn engine_inputs() -> Result<Vec<Vec<u8>>> {
    let mut inputs = BTreeSet::new();
    for (engine, reference) in ENGINES.iter().enumerate() {
        let packets = VectorSet::load(&reference.folder())?.packets();
        inputs.extend(
            packets.iter().map(|Packet { bytes, objects }| EngineInput { engine, objects: *objects, bytes }.write()),
        );
    }
    Ok(inputs.into_iter().collect())
}

/// Returns every vector of an engine whose core is built, as an input of these targets. For `core_encode`, a byte before it
/// chooses whether objects are written in full.
fn core_inputs(target: &str) -> Result<Vec<Vec<u8>>> {
    let mut inputs = BTreeSet::new();
    for reference in ENGINES {
        for Packet { bytes, objects } in VectorSet::load(&reference.folder())?.packets() {
            match target {
                "core_encode" => drop(inputs.insert([&[u8::from(objects)], &*bytes].concat())),
                "core_objects" => inputs.extend(with_scripts_of_cores(&bytes)),
                _ => {}
            }
            inputs.insert(bytes);
        }
    }
    Ok(inputs.into_iter().collect())
}

/// Returns a packet with the scripts that a core has instead of others; `None` if it names no script.
fn with_scripts_of_cores(packet: &[u8]) -> Option<Vec<u8>> {
    let mut value = Decoder::new().objects(true).decode(packet).ok()?;
    let mut scripts = SCRIPTS.into_iter().cycle();
    let mut replaced = false;
    compare::change_scripts(&mut value, &mut |path| {
        replaced = true;
        *path = scripts.next().unwrap_or_default().to_owned();
    });
    replaced.then(|| Encoder::new().objects(true).encode(&value).ok()).flatten()
}

/// Returns an input for the addon: a packet, or in one of four cases the bytes of a value.
fn addon_input(index: usize, objects: bool, packet: &[u8]) -> AddonInput<'_> {
    let settings = u8::try_from(index % 256).unwrap_or_default();
    match index % 4 {
        3 => AddonInput::Value { objects: index % 8 == 7, bytes: packet },
        _ if objects => AddonInput::Objects { packet },
        _ => AddonInput::Packet { settings, packet },
    }
}

/// Returns the committed part of [`inputs`]: short ones, evenly distributed.
///
/// # Errors
/// If a file of vectors cannot be read.
pub fn committed(target: &str) -> Result<Vec<Vec<u8>>> {
    let mut inputs = inputs(target)?;
    inputs.retain(|input| input.len() <= LONGEST);
    let step = inputs.len().div_ceil(COMMITTED).max(1);
    Ok(inputs.into_iter().step_by(step).collect())
}

/// Writes inputs into a folder under numbered names, and removes those written before.
///
/// Other files in the folder, for example findings, are kept.
///
/// # Errors
/// If the folder cannot be written.
pub fn write(folder: &Path, inputs: &[Vec<u8>]) -> Result<()> {
    let cannot = || format!("cannot write into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    let name = |number: usize| format!("{PREFIX}{number:04}");
    // Another process may read the folder, so files that are right are not touched.
    let wanted: BTreeMap<String, &Vec<u8>> = inputs.iter().enumerate().map(|(at, input)| (name(at), input)).collect();
    let mut missing = wanted.clone();
    for old in files(folder)? {
        let old_name = old.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !old_name.starts_with(PREFIX) {
            continue;
        }
        if wanted.get(&old_name).is_some_and(|input| fs::read(&old).is_ok_and(|content| content == **input)) {
            missing.remove(&old_name);
        } else {
            fs::remove_file(old).with_context(cannot)?;
        }
    }
    for (name, input) in missing {
        fs::write(folder.join(name), input).with_context(cannot)?;
    }
    Ok(())
}
