# check kernels [PART...]: tests the C kernels of CJSONScan, every version against the portable one. Builds the kernels only, in
# .build/kernels. The default is scan and validation.
#
#   scan     random bytes (ROUNDS, default: 20000) for Tests/KernelFuzz, beside pages that must not be read
#   validation    texts for Tests/ValidationFuzz, which compares the validation with a plain recogniser, and that one with libyajl
#   full     more texts: all sequences of up to 6 tokens, runs, TEXTS random texts (default: 100,000,000); takes hours
#   mutants [NUMBER...]  removes each check and each carry of the validation in turn; the tests must fail each time; takes hours
#   speed    GB/s of the validation beside simdjson and libyajl (libsimdjson-dev; JSONSIFT_TEST_DATA)
#
# scan and validation run the NEON versions too, where a cross compiler and an emulator for AArch64 are installed (on Debian and
# Ubuntu gcc-aarch64-linux-gnu and qemu-user). SEED sets the seed of the random texts.

scratch=.build/kernels
data=${JSONSIFT_TEST_DATA-}
mkdir -p "$scratch"
kernels=(Sources/CJSONScan/validation_*.c Sources/CJSONScan/{scan_portable,kernel_level}.c)
tests=(Tests/ValidationFuzz/*.c)
options=(-std=gnu11 -O2 -Wall -Wextra -ISources/CJSONScan/include -ITests/ValidationFuzz)
read -ra yajl_options <<<"$(pkg-config --cflags yajl)"
read -ra yajl_libraries <<<"$(pkg-config --libs yajl)"
options+=(${yajl_options[@]+"${yajl_options[@]}"})
compiler=$(command -v clang || command -v cc)
seed=${SEED-$RANDOM}

build() { "$compiler" "${options[@]}" -Werror -o "$scratch/validation" "${tests[@]}" "${kernels[@]}" "${yajl_libraries[@]}"; }

# Texts of other projects, if JSONSIFT_TEST_DATA is set.
suites() {
  if [ -z "$data" ]; then
    skip "kernels validation" "JSONSIFT_TEST_DATA is not set; JSONTestSuite and the corpora are not read"
    return 0
  fi
  "$1" files "$data/JSONTestSuite/test_parsing" "$data/corpora"
}

validation() {
  build
  "$scratch/validation" sequences 4 3 2
  "$scratch/validation" runs 1
  "$scratch/validation" lengths
  "$scratch/validation" yajl 1000000 "$seed"
  "$scratch/validation" random 3000000 "$seed"
  "$scratch/validation" valid 1000000 "$seed"
  "$scratch/validation" resumed 100000 "$seed"
  suites "$scratch/validation"
  # AddressSanitizer and UndefinedBehaviorSanitizer report reads beyond a text.
  "$compiler" "${options[@]}" -g -fsanitize=address,undefined -fno-sanitize-recover=all -o "$scratch/validation-asan" \
    "${tests[@]}" "${kernels[@]}" "${yajl_libraries[@]}"
  "$scratch/validation-asan" random 100000 "$seed"
  neon
}

full() {
  build
  "$scratch/validation" sequences 6 6 6
  "$scratch/validation" runs 3
  "$scratch/validation" valid 10000000 "$seed"
  "$scratch/validation" resumed 1000000 "$seed"
  "$scratch/validation" random "${TEXTS-100000000}" "$seed"
}

# True if no test fails with this mutant, which is then a gap in the tests.
survives() {
  for part in "sequences 3 3 2" lengths "random 60000 1" "valid 60000 1" "resumed 20000 1" "runs 1" "random 1000000 2"; do
    # shellcheck disable=SC2086
    timeout 600 "$1" $part >"$scratch/mutant.out" 2>&1 || { by=$part; return 1; }
  done
  suites "$1" >"$scratch/mutant.out" 2>&1 || { by=files; return 1; }
}

mutants() {
  local numbers number by survivors=0 count=0 objects=() object sources=()
  numbers=$(grep -ohE '(CHECKED|MASKED|MASKED_LANES)\([0-9]+' Sources/CJSONScan/validation_* | grep -oE '[0-9]+' | sort -n)
  if [ -n "$(uniq -d <<<"$numbers")" ]; then
    echo "kernels validation: two checks have the same number: $(uniq -d <<<"$numbers")" >&2
    return 1
  fi
  for source in "${tests[@]}" Sources/CJSONScan/{scan_portable,validation_dispatch,kernel_level}.c; do
    object=$scratch/$(basename "$source" .c).test.o
    "$compiler" "${options[@]}" -c -o "$object" "$source"
    objects+=("$object")
  done
  # shellcheck disable=SC2048
  for number in ${*:-$numbers}; do
    sources=(Sources/CJSONScan/validation_{bytes,carries,avx2,avx512,neon}.c)
    "$compiler" "${options[@]}" -w -DJSON_VALIDATION_MUTANT="$number" -o "$scratch/mutant" "${sources[@]}" "${objects[@]}" \
      "${yajl_libraries[@]}"
    count=$((count + 1))
    if survives "$scratch/mutant"; then
      echo "kernels validation: no test fails without $number:"
      grep -nE "(CHECKED|MASKED|MASKED_LANES)\\($number," Sources/CJSONScan/validation_*
      survivors=$((survivors + 1))
    else
      echo "kernels validation: without $number '$by' fails: $(head -c 90 "$scratch/mutant.out" | grep -a '^validation' | head -1)"
    fi
  done
  echo "kernels validation: $count checks and carries removed, $survivors without a failing test"
  [ "$survivors" = 0 ]
}

neon() {
  can_emulate validation || return 0
  # There is no libyajl for AArch64 here, so its part is not run.
  local others=()
  for source in "${tests[@]}"; do [ "$source" = Tests/ValidationFuzz/lenient.c ] || others+=("$source"); done
  aarch64-linux-gnu-gcc -static -DNO_YAJL "${options[@]}" -Werror -o "$scratch/validation-neon" "${others[@]}" "${kernels[@]}"
  qemu-aarch64 "$scratch/validation-neon" sequences 3 2 2
  qemu-aarch64 "$scratch/validation-neon" random 100000 "$seed"
  qemu-aarch64 "$scratch/validation-neon" valid 50000 "$seed"
}

speed() {
  local object objects=()
  for source in "${kernels[@]}"; do
    object=$scratch/$(basename "$source" .c).o
    "$compiler" "${options[@]}" -c -o "$object" "$source"
    objects+=("$object")
  done
  "${CXX-c++}" -std=c++17 -O2 -ISources/CJSONScan/include -o "$scratch/speed" Tests/ValidationFuzz/speed.cpp "${objects[@]}" \
    -lsimdjson "${yajl_libraries[@]}"
  [ -f "$scratch/log.ndjson" ] || Scripts/make-log 60000 "$scratch/log.ndjson"
  "$scratch/speed" "${ROUNDS-21}" "$data"/corpora/*.json -l "$data"/corpora/*.ndjson "$scratch/log.ndjson"
}

scan() {
  local rounds=${ROUNDS-20000} sources=(Tests/KernelFuzz/fuzz.c Sources/CJSONScan/*.c)
  local plain=(-std=gnu11 -O2 -Wall -Wextra -Werror -ISources/CJSONScan/include)
  "$compiler" "${plain[@]}" -o "$scratch/fuzz" "${sources[@]}"
  "$scratch/fuzz" "$rounds"
  can_emulate scan || return 0
  aarch64-linux-gnu-gcc -static "${plain[@]}" -o "$scratch/fuzz-aarch64" "${sources[@]}"
  qemu-aarch64 "$scratch/fuzz-aarch64" "$((rounds / 10))"
}

# can_emulate PART
can_emulate() {
  if command -v aarch64-linux-gnu-gcc >/dev/null 2>&1 && command -v qemu-aarch64 >/dev/null 2>&1; then return 0; fi
  skip "kernels $1" "no cross compiler and emulator for AArch64 here; the NEON versions are not run"
  return 1
}

[ $# -gt 0 ] || set -- scan validation
while [ $# -gt 0 ]; do
  case $1 in
  scan | validation | full | speed) "$1" ;;
  mutants)
    numbers=()
    while case ${2-} in '' | *[!0-9]*) false ;; esac; do
      numbers+=("$2")
      shift
    done
    mutants ${numbers[@]+"${numbers[@]}"}
    ;;
  *) usage ;;
  esac
  shift
done
