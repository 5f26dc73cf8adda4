#!/bin/bash -eu
# Builds the program of all targets, and copies it once for each: it takes its target from its name after `fuzz_`.
# The base image sets SWIFTFLAGS in precompile_swift.
. precompile_swift
cd "$SRC/jsonsift"
. Scripts/Support/common.sh
fuzz_package
options=(--package-path "$package" --scratch-path .build/fuzz -c release --traits Fuzzing,Compression)
# shellcheck disable=SC2086 # several flags
swift build "${options[@]}" --product Fuzz --disable-index-store $SWIFTFLAGS
build=$(swift build "${options[@]}" --show-bin-path)
targets=$("$build/Fuzz" --list)
mkdir -p .build/corpus
tar -xf Fuzz/corpus.tar -C .build/corpus
for target in $targets; do
  cp "$build/Fuzz" "$OUT/fuzz_$target"
  Scripts/fuzz dictionary "$target" >"$OUT/fuzz_$target.dict"
  zip -q -j "$OUT/fuzz_${target}_seed_corpus.zip" ".build/corpus/$target"/*
done
