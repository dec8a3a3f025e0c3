#!/usr/bin/env bash
# Builds every fuzz target without an engine into $OUT, as OSS-Fuzz and ClusterFuzzLite require: the binary, its seed
# corpus, its dictionary and its options.
set -euo pipefail
cd "$SRC/varbytes/fuzz"

case ${FUZZING_ENGINE:-libfuzzer} in
    libfuzzer) ;;
    *) echo "no targets for the engine $FUZZING_ENGINE" >&2; exit 1 ;;
esac

# Their image sets the name of its toolchain.
export RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-nightly}
# Rust supports only two of their sanitizers; the others are for bugs of C and C++, or are not sanitizers.
standard_library=()
case ${SANITIZER:-address} in
    address) sanitizer=address ;;
    memory)
        sanitizer=memory
        # The standard library must be instrumented too. libFuzzer needs its tables of edges to be complete.
        rustup component add rust-src
        standard_library=(--build-std)
        export RUSTFLAGS="${RUSTFLAGS:-} -Clink-arg=-Wl,--no-gc-sections"
        ;;
    none | coverage | undefined) sanitizer=none ;;
    *) echo "no targets for the sanitizer $SANITIZER" >&2; exit 1 ;;
esac
triple=${ARCHITECTURE:-x86_64}-unknown-linux-gnu

cargo fuzz build -O --debug-assertions --no-trace-compares --sanitizer "$sanitizer" --target "$triple" \
    ${standard_library[@]+"${standard_library[@]}"}

# Does not use `cargo fuzz list`, because for coverage their image turns every `cargo fuzz` into a build.
for source in fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    # These need an engine.
    case $target in engine_* | core_* | addon) continue ;; esac
    cp "${CARGO_TARGET_DIR:-target}/$triple/release/$target" "$OUT/"
    zip --quiet --junk-paths --recurse-paths "$OUT/${target}_seed_corpus.zip" "corpus/$target"
    cp godot.dict "$OUT/$target.dict"
    cp "options/$target.options" "$OUT/"
done
