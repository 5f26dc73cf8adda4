# check sanitizers [PART...]: runs tests under sanitizers; a report of a sanitizer fails. The default is all parts but whole. Prints
# the log only if a part fails; logs and build folders are below .build.
#
#   threads  values shared by threads, asynchronous and parallel readers, under ThreadSanitizer
#   address  asynchronous and parallel readers, every error path, and decoders with mutated documents, under AddressSanitizer,
#            on Linux with LeakSanitizer
#   kernels  the C of CJSONScan under AddressSanitizer and UndefinedBehaviorSanitizer, with random bytes
#   yajl     the tests of the parser with libyajl built from the source package of Debian or Ubuntu under AddressSanitizer and
#            UndefinedBehaviorSanitizer, as released and with the distribution's fixes. Uses the debug build, which must exist.
#            YAJL_SUITES chooses the tests by a regular expression; '.' runs all
#   whole    every test under AddressSanitizer, with the C of the package under UndefinedBehaviorSanitizer; half an hour
#   fuzz     each target of Scripts/fuzz for FUZZ_SECONDS (default: 10), under AddressSanitizer

# verdict NAME REPORTS STATUS LOG: fails if the tests of the log have failed, if none has run, or if a line of the log matches
# REPORTS, an extended regular expression.
verdict() {
  local name=$1 reports=$2 status=$3 log=$4
  if [ "$status" -ne 0 ] || grep -qE "$reports" "$log" || ! grep -q 'Test run with [1-9]' "$log"; then
    grep -a -E "✘|$reports" "$log" | head -n 60 >&2 || true
    tail -n 80 "$log" >&2
    echo "sanitizers $name: a sanitizer reported an error, a test failed, or no test ran (exit status $status)" >&2
    return 1
  fi
  grep -o 'Test run with .*' "$log"
  echo "sanitizers $name: no report"
}

# run NAME FILES SUITES OPTION...: builds these files of test targets only, which takes a fraction of the time of all, and runs
# these suites. The build has an index, since the test runner of Linux finds the tests in it.
run() {
  local name=$1 files=$2 suites=$3 scratch=.build/sanitizers/$1 log status=0 targets
  # shellcheck disable=SC2086 # one word for each file
  targets=$(printf '%s\n' $files | sed 's#/.*##' | sort -u | tr '\n' ' ')
  shift 3
  mkdir -p "$scratch"
  log=$scratch/$name.log
  select_tests "$name" "$targets" "$files"
  swift test --package-path "$package" "$@" --scratch-path "$scratch" --filter "$suites" >"$log" 2>&1 || status=$?
  verdict "$name" '(WARNING|ERROR): [A-Za-z]*Sanitizer' "$status" "$log"
}

readers='RecordCancellationTests|ParallelEqualityTests|DescriptorWaiterTests|JSONRecordsTests|ReadAheadTests'
# The files of these suites, and what they use.
reader_files='JSONSiftTests/Records/AsyncSources.swift JSONSiftTests/Records/RecordTrace.swift'
reader_files+=' JSONSiftTests/Records/RecordCancellationTests.swift JSONSiftTests/Records/ParallelEqualityTests.swift'
reader_files+=' JSONSiftTests/Records/JSONRecordsTests.swift JSONSiftTests/Input/DescriptorWaiterTests.swift'
reader_files+=' JSONSiftTests/Input/ReadAheadTests.swift'

# In debug the standard library's code is not inlined into the tests, where ThreadSanitizer would report its reference counts
# as races. On Linux it does not see the order that reference counts establish.
threads() {
  local files="$reader_files JSONSiftTests/Value/LazyThreadTests.swift JSONSiftTests/Tape/ChildTablesTests.swift"
  files+=' SwiftyJSONTests/ConcurrencyTests.swift SwiftyJSONTests/Support.swift SGYSwiftJSONTests/StreamTests.swift'
  files+=' SGYSwiftJSONTests/PersonTests.swift SGYSwiftJSONTests/ModelSupport.swift'
  run threads "$files" "ConcurrencyTests|ChildTablesTests|LazyThreadTests|$readers" --sanitize=thread
}

# Without XCTest, whose runner leaks two objects.
address() {
  local files="$reader_files JSONSiftTests/Events/ErrorPathTests.swift JSONSiftTests/Events/ReentryTests.swift"
  files+=' CodingTests/MutationTests.swift CodingTests/Outcome.swift CodingTests/RandomValues.swift CodingTests/Models.swift'
  run address "$files" "$readers|ErrorPathTests|ReentryTests|MutationTests" --sanitize=address --disable-xctest
}

# The versions of the kernels for x86-64 or AArch64, whichever this machine is.
kernels() {
  local scratch=.build/sanitizers/kernels linker=()
  mkdir -p "$scratch"
  # gold, the default of Swift's toolchain on Linux, prints a warning for each function of the runtime.
  if [ "$(uname -s)" = Linux ]; then linker=(-fuse-ld=lld); fi
  clang -std=gnu11 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    ${linker[@]+"${linker[@]}"} -ISources/CJSONScan/include -o "$scratch/fuzz" Tests/KernelFuzz/fuzz.c Sources/CJSONScan/*.c
  "$scratch/fuzz" "${ROUNDS-2000}"
  echo "sanitizers kernels: no report"
}

# 25 seconds of processor time for each version.
parsing='LibyajlFaultTests|SurrogateTests|SurrogateEscapesTests|TokenFaultTests|GrammarTests'
parsing+='|JSONPushReaderTests|TransformTests|ConformanceTests.PrefixTests|JSONTestSuiteTests'

# download_yajl: the source package of this system's distribution, into $folder. A machine seldom lists source packages. A
# configuration of our own has the same addresses, and keys, as the machine's.
download_yajl() {
  command -v apt-get >/dev/null 2>&1 || return 3
  local apt=$folder/apt file lists=0
  mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/package"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $file in
    *.list) sed -n 's/^deb /deb-src /p' "$file" >"$apt/parts/${file##*/}" ;;
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/${file##*/}" ;;
    *) continue ;;
    esac
    lists=$((lists + 1))
  done 2>/dev/null
  [ "$lists" -gt 0 ] || return 3
  # The folders are below the home of a user that apt's own user may not enter.
  local options=(-qq -o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$apt/parts"
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)"
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
  (cd "$folder/package" && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only yajl) \
    >"$folder/download.log" 2>&1 || true
  rm -rf "$apt"
  compgen -G "$folder/package/yajl_*.orig.tar.*" >/dev/null && compgen -G "$folder/package/yajl_*.debian.tar.*" >/dev/null
}

# unpack_yajl NAME: the source as released; for `fixed` with all patches of the distribution.
unpack_yajl() {
  local target=$folder/$1/source
  rm -rf "$target"
  mkdir -p "$target"
  tar -xf "$folder"/package/yajl_*.orig.tar.* -C "$target" --strip-components=1
  [ "$1" = fixed ] || return 0
  tar -xf "$folder"/package/yajl_*.debian.tar.* -C "$target"
  # Outside of the checkout's repository, since git would look for the files there.
  sed -n 's/^\([^# ][^ ]*\).*/\1/p' "$target/debian/patches/series" | while read -r patch; do
    GIT_CEILING_DIRECTORIES=$folder/$1 git -C "$target" apply "debian/patches/$patch"
  done
}

# build_yajl NAME: libyajl as $folder/NAME/libyajl.so.2, under AddressSanitizer and UndefinedBehaviorSanitizer.
build_yajl() {
  local source=$folder/$1/source include=$folder/$1/include
  unpack_yajl "$1"
  mkdir -p "$include/yajl"
  # Handles get their memory from malloc, not from the allocator that JSONSift passes: its blocks lie side by side in one, where
  # AddressSanitizer does not see a read past the end of one.
  cat >"$folder/plain_memory.c" <<'C'
#include <yajl/yajl_parse.h>
#undef yajl_alloc
yajl_handle allocate_with(const yajl_callbacks *callbacks, yajl_alloc_funcs *functions, void *context);
yajl_handle yajl_alloc(const yajl_callbacks *callbacks, yajl_alloc_funcs *functions, void *context) {
    (void)functions;
    return allocate_with(callbacks, NULL, context);
}
C
  cp "$source"/src/api/*.h "$include/yajl/"
  printf '#define YAJL_VERSION 20100\nextern int yajl_version(void);\n' >"$include/yajl/yajl_version.h"
  clang -O1 -g -w -fPIC -shared -Wl,-soname,libyajl.so.2 -fno-omit-frame-pointer \
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -shared-libasan \
    -Dyajl_alloc=allocate_with "-I$include" "-I$source/src" -o "$folder/$1/libyajl.so.2" \
    "$source"/src/*.c "$folder/plain_memory.c"
}

# The runtime of AddressSanitizer is loaded first, and libyajl from its own folder. Swift's memory is the runtime's then, so a
# read past the bytes that libyajl is given is seen too. Leaks are not: the part `address` looks for them.
yajl() {
  local folder=$PWD/.build/yajl status=0 runtime version log name bundle=$debug_products/JSONSiftPackageTests.xctest
  if [ "$(uname -s)" = Darwin ]; then
    skip "sanitizers yajl" "there is no source package for macOS"
    return 0
  fi
  mkdir -p "$folder"
  compgen -G "$folder/package/yajl_*.debian.tar.*" >/dev/null || download_yajl || {
    if [ -f "$folder/download.log" ]; then tail -n 5 "$folder/download.log" >&2; fi
    skip "sanitizers yajl" "the source package of libyajl cannot be had"
    return 0
  }
  if [ ! -x "$bundle" ]; then
    echo "sanitizers yajl: there is no debug build; swift build --build-tests --traits Compression makes one" >&2
    return 1
  fi
  runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")
  for version in release fixed; do
    build_yajl "$version"
    log=$folder/$version.log
    status=0
    # An error of a sanitizer ends the process. A backtrace of each error takes seconds.
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 SWIFT_BACKTRACE=enable=no \
      LD_PRELOAD=$runtime LD_LIBRARY_PATH=$folder/$version \
      "$bundle" --testing-library swift-testing --filter "${YAJL_SUITES-$parsing}" >"$log" 2>&1 || status=$?
    verdict "yajl $version" 'ERROR: |runtime error: ' "$status" "$log" || return 1
  done
}

# LeakSanitizer is off: the runner of XCTest leaks two objects. The part `address` looks for leaks without it. Tests that limit
# the address space cannot run, since AddressSanitizer reserves terabytes of it.
whole() {
  local scratch=.build/sanitizers/whole log status=0
  log=$scratch/whole.log
  mkdir -p "$scratch"
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    SWIFT_BACKTRACE=enable=no swift test --traits Compression --sanitize=address -Xcc -fsanitize=undefined \
    -Xcc -fno-sanitize-recover=undefined --skip SystemLimitTests --scratch-path "$scratch" >"$log" 2>&1 || status=$?
  verdict whole 'ERROR: |runtime error: ' "$status" "$log"
}

fuzz() {
  if [ "$(uname -s)" = Darwin ]; then
    skip "sanitizers fuzz" "Apple's compilers have no libFuzzer"
    return 0
  fi
  # The ledger is for runs of minutes.
  FUZZ_LEDGER=.build/sanitizers/ledger.tsv FUZZ_SECONDS=${FUZZ_SECONDS-10} Scripts/fuzz all 1 |
    awk -F '\t' '{ print "sanitizers fuzz: " $1 ": " $3 " inputs, " $5 " edges" }'
}

[ $# -gt 0 ] || set -- threads address kernels yajl fuzz
for part in "$@"; do
  case $part in
  threads | address | kernels | yajl | whole | fuzz) "$part" ;;
  *) usage ;;
  esac
done
