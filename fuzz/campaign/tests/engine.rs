//! Running engines agree with the codec on the committed corpora of their targets, and on every vector.
//!
//! These tests use engines that are found and never download one. They print a notice for a missing engine.

use std::fs;
use std::io::Write;

use varbytes_conformance::reference::Reference;
use varbytes_fuzz_campaign::{files, fuzz_folder, seeds};
use varbytes_fuzz_engine::input::ENGINES;
use varbytes_fuzz_engine::{EngineInput, Judge, Target};

/// A missing engine is reported directly on standard error, because the test harness hides the output of passing tests.
fn judge(reference: Reference, target: Target) -> Option<Judge> {
    let judge = Judge::start(reference, target).unwrap_or_else(|error| panic!("{error:#}"));
    let notice = match &judge {
        Some(judge) => format!("NOTICE: {target:?} is judged by Godot {}\n", judge.running().engine.version),
        None => format!("NOTICE: {} was not found, so it judges nothing\n", reference.package),
    };
    let _ = std::io::stderr().write_all(notice.as_bytes());
    judge
}

/// Lets every engine judge its inputs, and expects at least `accepted` inputs that both read or write.
fn agree(target: Target, inputs: &[Vec<u8>], accepted: usize) {
    for (engine, reference) in ENGINES.into_iter().enumerate() {
        let Some(mut judge) = judge(reference, target) else { continue };
        let mut faults = Vec::new();
        for input in inputs.iter().filter(|input| EngineInput::read(input).is_some_and(|input| input.engine == engine))
        {
            judge.add(input);
            if judge.is_full() {
                faults.extend(judge.ask().unwrap());
            }
        }
        faults.extend(judge.ask().unwrap());
        let shown: Vec<String> =
            faults.iter().take(20).map(|fault| format!("{}, input {:02x?}", fault.what, fault.inputs)).collect();
        assert!(shown.is_empty(), "{} disagreements:\n{}", faults.len(), shown.join("\n"));
        assert!(judge.comparison().accepted >= accepted, "{:?}", judge.comparison());
    }
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let inputs = files(&fuzz_folder().join("corpus").join(target)).unwrap();
    assert!(inputs.len() >= 20, "{} inputs of {target}", inputs.len());
    inputs.into_iter().map(|input| fs::read(input).unwrap()).collect()
}

#[test]
fn engines_read_the_corpus_as_the_codec_does() {
    agree(Target::Decode, &corpus("engine_decode"), 10);
}

#[test]
fn engines_write_the_corpus_as_the_codec_does() {
    agree(Target::Encode, &corpus("engine_encode"), 10);
}

#[test]
fn engines_read_every_vector_as_the_codec_does() {
    agree(Target::Decode, &seeds::inputs("engine_decode").unwrap(), 1000);
}

#[test]
fn engines_write_what_every_vector_makes_as_the_codec_does() {
    agree(Target::Encode, &seeds::inputs("engine_encode").unwrap(), 1000);
}

/// Returns the corpus of a target beside a core as questions to every engine.
fn beside_core(target: &str) -> Vec<Vec<u8>> {
    let inputs = corpus(target);
    let questions = (0..ENGINES.len()).flat_map(|engine| {
        inputs.iter().filter_map(move |input| match target {
            "core_encode" => {
                let (flags, bytes) = input.split_first()?;
                Some(EngineInput { engine, objects: flags & 1 != 0, bytes }.write())
            }
            _ => Some(EngineInput { engine, objects: target == "core_objects", bytes: input }.write()),
        })
    });
    questions.collect()
}

#[test]
fn engines_read_what_reached_new_edges_of_their_core_as_the_codec_does() {
    agree(Target::Decode, &beside_core("core_decode"), 50);
    agree(Target::Decode, &beside_core("core_objects"), 50);
}

#[test]
fn engines_write_what_reached_new_edges_of_their_core_as_the_codec_does() {
    agree(Target::Encode, &beside_core("core_encode"), 50);
}
