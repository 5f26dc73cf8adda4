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
for target in $targets; do
  cp "$build/Fuzz" "$OUT/fuzz_$target"
  # The same choice as in Scripts/fuzz.
  case $target in
  decode) dictionaries="json decode" ;;
  sgy | swifty) dictionaries="json decode models" ;;
  path | records | index) dictionaries="json query" ;;
  columns) dictionaries="json columns" ;;
  *) dictionaries=json ;;
  esac
  for dictionary in $dictionaries; do cat "Fuzz/dictionaries/$dictionary.dict"; done >"$OUT/fuzz_$target.dict"
  zip -q -j "$OUT/fuzz_${target}_seed_corpus.zip" "Fuzz/corpus/$target"/*
done
