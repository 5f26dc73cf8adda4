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
