#!/bin/bash -eu
# Builds the program of all targets, and copies it once for each: it takes its target from its name after `fuzz_`.
# The base image sets SWIFTFLAGS in precompile_swift.
. precompile_swift
cd "$SRC/jsonsift"
export JSONSIFT_FUZZ=1
# shellcheck disable=SC2086 # several flags
swift build -c release --traits Fuzzing,Compression --product Fuzz --disable-index-store $SWIFTFLAGS
build=$(swift build -c release --traits Fuzzing,Compression --show-bin-path)
targets=$("$build/Fuzz" --list)
mkdir -p .build/corpus
tar -xf Fuzz/corpus.tar -C .build/corpus
for target in $targets; do
  cp "$build/Fuzz" "$OUT/fuzz_$target"
  Scripts/Support/fuzz-dictionary "$target" >"$OUT/fuzz_$target.dict"
  zip -q -j "$OUT/fuzz_${target}_seed_corpus.zip" ".build/corpus/$target"/*
done
