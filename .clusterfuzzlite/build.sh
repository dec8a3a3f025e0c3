#!/usr/bin/env bash
# Builds every fuzz target that needs no engine into $OUT, as OSS-Fuzz and ClusterFuzzLite ask for it: the binary, its
# seed corpus, its dictionary and its options.
set -euo pipefail
cd "$SRC/varbytes/fuzz"

case ${FUZZING_ENGINE:-libfuzzer} in
    libfuzzer) ;;
    *) echo "no targets for the engine $FUZZING_ENGINE" >&2; exit 1 ;;
esac
# Of their sanitizers, Rust has this one; the others are about faults that only C and C++ have, or are no sanitizer.
case ${SANITIZER:-address} in
    address) sanitizer=address ;;
    none | coverage | undefined) sanitizer=none ;;
    *) echo "no targets for the sanitizer $SANITIZER" >&2; exit 1 ;;
esac
triple=${ARCHITECTURE:-x86_64}-unknown-linux-gnu

# Their image names the toolchain that it has.
export RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-nightly}
cargo fuzz build -O --debug-assertions --no-trace-compares --sanitizer "$sanitizer" --target "$triple"

# Not by `cargo fuzz list`: for coverage, their image makes every `cargo fuzz` a build.
for source in fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    # These need an engine beside them.
    case $target in engine_* | addon) continue ;; esac
    cp "${CARGO_TARGET_DIR:-target}/$triple/release/$target" "$OUT/"
    zip --quiet --junk-paths --recurse-paths "$OUT/${target}_seed_corpus.zip" "corpus/$target"
    cp godot.dict "$OUT/$target.dict"
    cp "options/$target.options" "$OUT/"
done
