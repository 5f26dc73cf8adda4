# check simulate [COUNT] [SEED]: runs the library in COUNT simulated worlds whose system calls fail (default: 100000), with the
# seeds from SEED on (default: a random one). Prints the seeds whose run loses or damages something. The same seed repeats a run.
#
# check simulate mutants: applies Tests/FaultSimulator/planted-faults.patch to a copy of the sources, and runs the simulator once
# for each mistake in it. Fails if a mistake is not found. The other runs only fail if the patch does not fit the sources.

# The number of seeds that a mistake is given.
mutant_seeds=40000

planted=Tests/FaultSimulator/planted-faults.patch

mutants() {
  local copy=.build/packages/mutants count number status output missed=0
  rm -rf "$copy/Sources" "$copy/Tests"
  derive_package mutants <<'SWIFT'

package.targets.removeAll { $0.type == .test || $0.type == .plugin }
SWIFT
  # Copies instead of links. Not `git apply`: it does nothing in a folder that the repository ignores.
  rm "$copy/Sources" "$copy/Tests"
  cp -R Sources Tests "$copy/"
  patch --quiet --strip=1 --directory="$copy" --fuzz=0 <"$planted" || {
    echo "simulate: $planted does not fit the sources" >&2
    return 1
  }
  swift build --package-path "$copy" --product FaultSimulator >"$copy/build.log" 2>&1 || {
    cat "$copy/build.log" >&2
    return 1
  }
  output=$(swift build --package-path "$copy" --show-bin-path)/FaultSimulator
  "$output" 2000 0 >/dev/null || {
    echo "simulate: runs fail without a mistake" >&2
    return 1
  }
  count=$(grep -c -E '^\+ *// [0-9]+: ' "$planted")
  for ((number = 1; number <= count; number++)); do
    status=0
    # A mistake that hangs is found, too.
    JSONSIFT_PLANTED_FAULT=$number timeout 300 "$output" "$mutant_seeds" 0 first >"$copy/out" 2>&1 || status=$?
    echo "$(grep -h -o -E "// $number: .*" "$planted" | head -n 1): $([ "$status" -eq 0 ] && echo NOT FOUND || head -n 1 "$copy/out")"
    if [ "$status" -eq 0 ]; then missed=$((missed + 1)); fi
  done
  echo "simulate: $((count - missed)) of $count mistakes are found"
  [ "$missed" -eq 0 ]
}

count=100000
seed=
case ${1-} in
mutants)
  mutants
  exit
  ;;
'') ;;
*[!0-9]*) usage ;;
*) count=$1 ;;
esac
case ${2-} in
*[!0-9]*) usage ;;
*) seed=${2-} ;;
esac
git apply --check "$planted" || {
  echo "simulate: $planted does not fit the sources" >&2
  exit 1
}
if [ -z "$seed" ]; then seed=$((RANDOM << 30 | RANDOM << 15 | RANDOM)); fi

# The release build of Scripts/test.
release_package
log=.build/simulate.log
mkdir -p .build
swift build "${release_tests[@]}" --traits Compression --product FaultSimulator >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
exec .build/release-tests/release/FaultSimulator "$count" "$seed"
