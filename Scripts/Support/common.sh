# Functions that several scripts use. They source this file after a cd to the root of the package.

# skip NAME REASON: prints that a check did not run, and appends the line to the file that JSONSIFT_SKIPS names. Scripts/test
# lists these lines, and the full tier fails on lines that it does not expect.
skip() {
  local name=$1
  shift
  echo "$name: $*"
  if [ -n "${JSONSIFT_SKIPS-}" ]; then echo "$name: $*" >>"$JSONSIFT_SKIPS"; fi
}

# usage: prints the comment at the head of the script that runs, and exits with 2. help is another file if it is described there.
usage() {
  awk '/^#!/ { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$help" >&2
  exit 2
}
help=Scripts/${0##*/}
case " $* " in *" --help "*) usage ;; esac

# use_test_data: exports JSONSIFT_TEST_DATA, by default the folder beside the checkout.
use_test_data() {
  if [ -z "${JSONSIFT_TEST_DATA-}" ] && [ -d ../shared/data ]; then JSONSIFT_TEST_DATA=$(cd ../shared/data && pwd); fi
  if [ -n "${JSONSIFT_TEST_DATA-}" ]; then export JSONSIFT_TEST_DATA; fi
}

# find_tool NAME PATH: sets tool to the absolute path of a build of jsift, and fails if there is none.
find_tool() {
  if [ ! -x "$2" ]; then
    echo "$1: expected a tool at $2; swift build -c release --traits Compression --product jsift" >&2
    exit 2
  fi
  # shellcheck disable=SC2034 # callers use it
  tool=$(realpath "$2")
}

# python_environment CHECK FOLDER VERSION PACKAGE...: makes a virtual environment of Python, unless it has these packages. If it
# cannot, the check is skipped, and the result is 1.
python_environment() {
  local check=$1 folder=$2 version=$3
  shift 3
  if [ "$(cat "$folder/packages" 2>/dev/null)" = "$*" ]; then return 0; fi
  if ! command -v python3 >/dev/null || ! python3 -c "import sys; sys.exit(sys.version_info < (3, $version))"; then
    skip "$check" "Python 3.$version or later is missing"
    return 1
  fi
  rm -rf "$folder"
  mkdir -p .build
  if ! python3 -m venv "$folder" >"$folder.log" 2>&1 || ! "$folder/bin/python" -m pip -q install "$@" >>"$folder.log" 2>&1; then
    skip "$check" "$* cannot be installed; see $folder.log"
    rm -rf "$folder"
    return 1
  fi
  echo "$*" >"$folder/packages"
}

# build_helpers NAME...: compiles C programs of Tests/ToolFaults into .build/faults, if they are older than their sources.
build_helpers() {
  local name compiler options
  compiler=$(command -v clang || command -v cc)
  mkdir -p .build/faults
  for name in "$@"; do
    options=(-o ".build/faults/$name")
    # A library that is loaded before those of a program.
    if [ "$name" = failing-calls ]; then options=(-shared -fPIC -o ".build/faults/$name.so"); fi
    if [ ! -e "${options[-1]}" ] || [ "Tests/ToolFaults/$name.c" -nt "${options[-1]}" ]; then
      "$compiler" -O1 -Wall "Tests/ToolFaults/$name.c" "${options[@]}" -ldl -lpthread
    fi
  done
}

# symbol_graphs PRODUCTS FOLDER MODULE...: writes the symbol graphs of modules of a build into FOLDER/MODULE: the public symbols,
# without those that a protocol adds. PRODUCTS is the folder that swift build --show-bin-path prints. Returns 3 if the toolchain
# has no tool for it.
symbol_graphs() {
  local products=$1 folder=$2 extract modules target flags map flag module log
  shift 2
  if command -v swift-symbolgraph-extract >/dev/null 2>&1; then
    extract=(swift-symbolgraph-extract)
  elif command -v xcrun >/dev/null 2>&1; then
    extract=(xcrun swift-symbolgraph-extract)
  else
    return 3
  fi
  modules=$products/Modules
  [ -d "$modules" ] || modules=$products
  target=$(swiftc -print-target-info | sed -n 's/.*"triple"[^"]*"\([^"]*\)".*/\1/p' | sed -n 1p)
  flags=(-target "$target" -I "$modules" -minimum-access-level public -skip-synthesized-members)
  flags+=("${c_modules[@]}" -Xcc "-fmodule-map-file=$products/CJSONScan.build/module.modulemap")
  if [ "$(uname -s)" = Darwin ]; then flags+=(-sdk "$(xcrun --show-sdk-path)"); fi
  for flag in $(pkg-config --cflags yajl 2>/dev/null || true); do flags+=(-Xcc "$flag"); done
  for module in "$@"; do
    mkdir -p "$folder/$module"
    if ! log=$("${extract[@]}" -module-name "$module" "${flags[@]}" -output-dir "$folder/$module" 2>&1); then
      printf '%s\n' "$log" | sed -n '1,3p' >&2
      echo "the symbols of $module cannot be read" >&2
      return 1
    fi
  done
}

# Where the compiler finds the C modules of the sources.
c_modules=(-Xcc "-I$PWD/Sources/CJSONScan/include")
for map in "$PWD"/Sources/*/module.modulemap; do c_modules+=(-Xcc "-fmodule-map-file=$map"); done

# The package of programs that depend on JSONSift, the options of its debug build, and its sources that namewriter writes.
consumers=Fixtures/consumers
# shellcheck disable=SC2034
debug_options=(--package-path "$consumers" --scratch-path .build/consumers/debug --disable-index-store -c debug
  --sanitize=address --traits SwiftyJSON4)
# shellcheck disable=SC2034
name_sources=(OwnNames OwnModelNames names modelnames)

# write_names FOLDER: writes the sources with the names of JSONSift into FOLDER, from the modules of the debug build. Returns 3
# if the toolchain has no tool that reads them.
write_names() {
  local work products status=0 source
  work=$(mktemp -d)
  products=$(swift build "${debug_options[@]}" --show-bin-path)
  symbol_graphs "$products" "$work" JSONSift SwiftyJSON || status=$?
  if [ "$status" -eq 0 ]; then
    mkdir "$work/all"
    mv "$work"/*/*.symbols.json "$work/all/"
    for source in "${name_sources[@]}"; do mkdir -p "$1/$source"; done
    # LeakSanitizer does not follow references that hold an enum case in spare bits.
    ASAN_OPTIONS=detect_leaks=0 "$products/namewriter" "$work/all" "$1" || status=$?
  fi
  rm -rf "$work"
  return "$status"
}

# What build_tool needs for an optimized build. Scripts/install and Scripts/test share it: whichever runs first pays for it.
# shellcheck disable=SC2034 # callers use it
release_options=(-c release --scratch-path .build/tool)
if [ "$(uname -s)" = Linux ]; then release_options+=(--static-swift-stdlib); fi

# build_tool NAME OPTION...: builds jsift, and sets tool to its path. NAME begins the messages.
build_tool() {
  local name=$1 log=.build/tool.log
  shift
  local options=(--product jsift "$@")
  mkdir -p .build
  echo "$name: swift build ${options[*]}"
  if ! swift build "${options[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    echo "$name: the build failed" >&2
    exit 1
  fi
  # shellcheck disable=SC2034 # callers use it
  tool=$(swift build "${options[@]}" --show-bin-path)/jsift
}

# static_library FOLDER NAME AS: puts a link to the machine's static library NAME into FOLDER, under another name: Debian calls
# that of libyajl libyajl_s.a. A folder without other libraries makes the linker take this one. Returns 1 if there is none.
static_library() {
  local found
  found=$(cc -print-file-name="lib$2.a")
  [ -e "$found" ] || return 1
  mkdir -p "$1"
  ln -sfn "$found" "$1/lib$3.a"
}

# link_portable NAME [BUILD]: links the objects of a release build of jsift, by default that of build_tool, once more without any
# library of the machine, and sets tool to the result.
link_portable() {
  local objects=${2-.build/tool/release}/jsift.product/Objects.LinkFileList log=.build/portable/link.log folder=.build/portable library
  for library in yajl_s:yajl z:z zstd:zstd; do
    if ! static_library "$folder/lib" "${library%:*}" "${library#*:}"; then
      echo "$1: expected lib${library%:*}.a, which Debian's packages libyajl-dev, zlib1g-dev and libzstd-dev have" >&2
      exit 1
    fi
  done
  # The tables for unwinding are 3 MB, and nothing here unwinds: errors of Swift are results.
  echo 'SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame.*) } } INSERT AFTER .text;' >"$folder/sections.ld"
  # SwiftPM renames the main function of a program. Objects that were compiled for the shared Foundation do not name the private
  # libraries of the static one.
  if ! swiftc -static-executable -o "$folder/jsift" "@$objects" -L"$folder/lib" -lyajl -lz -lzstd \
    -l_FoundationCollections -l_FoundationCShims -use-ld=lld -Xlinker --no-eh-frame-hdr -Xlinker "-T$folder/sections.ld" \
    -Xlinker --defsym=main=jsift_main -Xlinker --gc-sections >"$log" 2>&1; then
    grep -v "warning: Using" "$log" >&2
    echo "$1: the portable program cannot be linked" >&2
    exit 1
  fi
  # shellcheck disable=SC2034 # callers use it
  tool=$folder/jsift
}

# derive_package NAME: makes the package .build/packages/NAME, and sets package to its path. It has the files of this package,
# as links, and its manifest, followed by the lines of standard input. Give it a build folder of its own: the compiler sees
# other paths.
derive_package() {
  local entry
  package=$PWD/.build/packages/$1
  mkdir -p "$package"
  for entry in *; do
    case $entry in
    Package.swift) ;;
    # A copy: SwiftPM may write it.
    Package.resolved) cp "$entry" "$package/" ;;
    *) ln -sfn "$PWD/$entry" "$package/$entry" ;;
    esac
  done
  cat Package.swift - >"$package/manifest"
  # SwiftPM plans the build again if the date of a manifest changes.
  cmp -s "$package/manifest" "$package/Package.swift" || mv "$package/manifest" "$package/Package.swift"
}

# select_tests NAME TARGETS [FILES]: a derived package with these test targets only, and the programs only for the test targets
# that run them, since the others take minutes to compile. FILES (TARGET/FILE ...) are the only sources of their targets.
select_tests() {
  derive_package "$1" <<SWIFT

let kept = "$2".split(separator: " ").map(String.init)
let files = "${3-}".split(separator: " ").map(String.init)
package.targets.removeAll { \$0.type == .test && !kept.contains(\$0.name) }
if !kept.contains("FuzzTests") { package.targets.removeAll { \$0.name == "FuzzTargets" } }
if !kept.contains("ExampleTests") {
  package.targets.removeAll { \$0.type == .plugin || \$0.name == "ExampleWriter" }
  if !kept.contains("CLITests"), !kept.contains("CompressionTests") {
    package.targets.removeAll { \$0.type == .executable }
    package.products.removeAll { \$0.name == "jsift" }
  }
}
for target in package.targets where target.type == .test || target.name == "TestSupport" {
  // To optimize the tests takes twice as long as to optimize what they test.
  target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  let own = files.filter { \$0.hasPrefix(target.name + "/") }.map { String(\$0.dropFirst(target.name.count + 1)) }
  if !own.isEmpty { target.sources = own }
}
SWIFT
}

# release_package: the package of the tests in release, and its options but traits: without the examples, which test the pages, and without
# the fuzz targets. Scripts/test and Scripts/check simulate share its build.
release_package() {
  select_tests release "JSONSiftTests AnalysisTests ArrowTests ConformanceTests CodingTests SwiftyJSONTests SGYSwiftJSONTests CompressionTests CLITests"
  # shellcheck disable=SC2034 # callers use it
  release_tests=(--package-path "$package" --scratch-path .build/release-tests -c release -Xswiftc -enable-testing)
}

# debug_package: the package of what the full tier tests in debug, and its options but traits: the pages, the fuzz targets, and the tests
# of the parser for Scripts/check sanitizers yajl. All other tests are compiled in release there; in debug they take as long to compile
# as the library.
debug_package() {
  local files='JSONSiftTests/Yajl/GrammarTests.swift JSONSiftTests/Yajl/SurrogateEscapesTests.swift'
  files+=' JSONSiftTests/Yajl/TokenFaultTests.swift JSONSiftTests/Events/JSONPushReaderTests.swift JSONSiftTests/Events/EventLog.swift'
  select_tests debug "ExampleTests FuzzTests ConformanceTests JSONSiftTests" "$files"
  # shellcheck disable=SC2034
  debug_tests=(--package-path "$package" --scratch-path .build/debug-tests)
  export JSONSIFT_DEBUG_PRODUCTS=$PWD/.build/debug-tests/debug
}

# The products of the debug build.
debug_products=${JSONSIFT_DEBUG_PRODUCTS-$PWD/.build/debug}

# fuzz_package: the package with the program of all fuzz targets, which links with libFuzzer only. The compiler treats a program
# of one file as a script, unless it is told not to.
fuzz_package() {
  derive_package fuzz <<'SWIFT'

package.targets.removeAll { $0.type == .test || $0.type == .plugin }
package.targets += [
  // Declares the functions of libFuzzer, which the sanitizer links, and the function that it calls.
  .target(name: "CFuzzer", path: "Fuzz/Sources/CFuzzer"),
  .executableTarget(
    name: "Fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Fuzz/Sources/Fuzz",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
]
SWIFT
}
