# Functions that several scripts use. They source this file after a cd to the root of the package.

# skip NAME REASON: prints that a check did not run, and appends the line to the file that JSONSIFT_SKIPS names. Scripts/test
# lists these lines, and the full tier fails on lines that it does not expect.
skip() {
  local name=$1
  shift
  echo "$name: $*"
  if [ -n "${JSONSIFT_SKIPS-}" ]; then echo "$name: $*" >>"$JSONSIFT_SKIPS"; fi
}

# usage: prints the comment at the head of the script that runs, and exits with 2.
usage() {
  awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "Scripts/${0##*/}" >&2
  exit 2
}

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
  Scripts/Support/symbol-graphs "$products" "$work" JSONSift SwiftyJSON || status=$?
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
  if !kept.contains("CLITests") {
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
# the fuzz targets. Scripts/test and Scripts/simulate share its build.
release_package() {
  select_tests release 'JSONSiftTests ConformanceTests CodingTests SwiftyJSONTests SGYSwiftJSONTests CompressionTests CLITests'
  # shellcheck disable=SC2034 # callers use it
  release_tests=(--package-path "$package" --scratch-path .build/release-tests -c release -Xswiftc -enable-testing)
}

# fuzz_package: the package with the program of all fuzz targets, which links with libFuzzer only. The compiler treats a program
# of one file as a script, unless it is told not to.
fuzz_package() {
  derive_package fuzz <<'SWIFT'

package.targets += [
  // Declares the functions of libFuzzer, which the sanitizer links, and the function that it calls.
  .target(name: "CFuzzer", path: "Fuzz/Sources/CFuzzer"),
  .executableTarget(
    name: "Fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Fuzz/Sources/Fuzz",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
]
SWIFT
}
