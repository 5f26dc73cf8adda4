# check consumers [PART...]: builds and runs programs that depend on this checkout. The default is all parts but api. Prints the
# compiler's output only if a build fails; build folders are below .build/consumers.
#
# The first three parts build the package Fixtures/consumers, each in another way:
#
#   debug      debug with AddressSanitizer and the trait SwiftyJSON4. Runs all programs, compares the names of JSONSift with
#              those that the sources of names and modelnames contain (Scripts/pages names writes them), and builds jsift
#              without the trait Compression: it must not load zlib or libzstd, and must name the formats that it cannot read
#   static     release with a static standard library, and on Linux with a static libyajl (on macOS: release). Runs all programs
#   unchecked  release with -Ounchecked and library evolution. Runs models, since the setters of properties depend on the
#              layout of classes
#
# The programs: dropin was written for SwiftyJSON, and prints expected.txt; literal tests what nil beside a JSON is, with and
# without the trait; names and modelnames declare every name that JSONSift has; models tests models that are hard to read by
# reflection.
#
#   nio        Examples/Server: request bodies over loopback as records, and the routes of a Hummingbird server
#   api [TAG]  the public API has no break since the last release

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "consumers: $*" >&2
  exit 1
}

# build WAY ARGUMENT...: builds the package with the options of the way.
build() {
  local way=$1 start=$SECONDS
  shift
  if ! swift build "${options[@]}" "$@" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    fail "$consumers does not build: $way $*"
  fi
  products=$(swift build "${options[@]}" --show-bin-path)
  echo "consumers $way: built${1+ }$* in $((SECONDS - start)) s"
}

# run WAY PROGRAM...: runs programs, each of which prints one line and fails if a check fails.
run() {
  local way=$1 program status
  shift
  for program in "$@"; do
    status=0
    "$products/$program" >"$work/report" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
      cat "$work/report" >&2
      fail "$way: $program fails (exit status $status)"
    fi
    echo "consumers $way: $(cat "$work/report")"
  done
}

run_dropin() {
  local way=$1 status=0
  "$products/dropin" "$consumers/expected.txt" >"$work/report" || status=$?
  if [ "$status" -ne 0 ]; then
    diff -u "$consumers/expected.txt" "$work/report" >&2 || true
    fail "$way: dropin does not print $consumers/expected.txt (exit status $status)"
  fi
  echo "consumers $way: dropin prints the $(wc -l <"$consumers/expected.txt" | tr -d ' ') lines of expected.txt"
}

check_names() {
  local source status=0
  write_names "$work/names" || status=$?
  if [ "$status" -eq 3 ]; then
    skip "consumers debug" "the toolchain has no swift-symbolgraph-extract; the names were not compared"
    return 0
  fi
  [ "$status" -eq 0 ] || fail "the names of JSONSift were not written"
  for source in "${name_sources[@]}"; do
    diff -r "$consumers/Sources/$source" "$work/names/$source" >&2 ||
      fail "$consumers/Sources/$source does not have the names of this checkout; Scripts/pages names"
  done
  echo "consumers debug: names and modelnames declare the names of this checkout"
}

check_plain() {
  local binary=$products/jsift status=0 message
  if command -v ldd >/dev/null 2>&1 && ldd "$binary" | grep -E 'lib(z|zstd)\.so'; then
    fail "$binary loads a library that only the trait Compression needs"
  fi
  message=$(printf '\037\213\010' | "$binary" '$.a' 2>&1) || status=$?
  case $status:$message in
  2:*"gzip data"*"--traits Compression"*) ;;
  *) fail "jsift without Compression says of gzip data (exit status $status): $message" ;;
  esac
  echo "consumers debug: without Compression jsift loads neither zlib nor libzstd, and says that it cannot read gzip"
}

debug() {
  options=("${debug_options[@]}")
  build debug
  # LeakSanitizer does not follow references that hold an enum case in spare bits, such as a JSON in a global variable.
  export ASAN_OPTIONS=detect_leaks=0
  run_dropin debug
  run debug literal names modelnames
  unset ASAN_OPTIONS
  run debug models analysis
  check_names
  build debug --product jsift
  build debug --product JSONSiftCompression
  check_plain
}

static() {
  options=(--package-path "$consumers" --scratch-path .build/consumers/static --disable-index-store -c release)
  if [ "$(uname -s)" = Linux ]; then
    # As the README says.
    local folder=$PWD/.build/consumers/yajl
    static_library "$folder" yajl_s yajl || fail "expected libyajl_s.a, which Debian's package libyajl-dev has"
    sed "s|^Libs:.*|Libs: -L$folder -lyajl|" "$(pkg-config --variable=pcfiledir yajl)/yajl.pc" >"$folder/yajl.pc"
    export PKG_CONFIG_PATH=$folder${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    options+=(--static-swift-stdlib)
  fi
  build static
  if command -v readelf >/dev/null 2>&1 && readelf -d "$products/models" 2>/dev/null | grep 'NEEDED.*libyajl'; then
    fail "static: models is linked with the libyajl of the machine"
  fi
  run_dropin static
  run static literal names modelnames models analysis
}

unchecked() {
  options=(--package-path "$consumers" --scratch-path .build/consumers/unchecked --disable-index-store -c release
    -Xswiftc -Ounchecked -Xswiftc -enable-library-evolution)
  # With strict memory safety the compiler warns about -Ounchecked, so warnings must not be errors here.
  local strict=${JSONSIFT_STRICT-}
  unset JSONSIFT_STRICT
  build unchecked --product models
  run unchecked models
  if [ -n "$strict" ]; then export JSONSIFT_STRICT=$strict; fi
}

# nio: an HTTP body over loopback, read as records, written as values, with a consumer that is slower than the server, and the
# routes of a Hummingbird server, one with an array of 100 MiB. Fails if a value or an answer is wrong, if the server does not
# wait, if memory grows or exceeds 64 MiB, or if a code block of the page "From a server" is not in the example.
nio() {
  local page=Sources/JSONSift/JSONSift.docc/Guides/FromAServer.md blocks=0 source='' block='' inside='' line log=$work/log
  while IFS= read -r line; do
    case $line in
    '<!-- not compiled: a part of '*)
      source=${line#'<!-- not compiled: a part of '}
      source=${source%%,*}
      ;;
    '```swift') inside=1 block='' ;;
    '```')
      if [ -n "$inside" ]; then
        if ! [ -f "$source" ] || ! [[ "$(<"$source")"$'\n' == *"$block"* ]]; then
          printf 'consumers nio: this block of %s is no part of %s:\n%s' "$page" "${source:-a source}" "$block" >&2
          exit 1
        fi
        blocks=$((blocks + 1))
        source='' inside=''
      fi
      ;;
    *) if [ -n "$inside" ]; then block+=$line$'\n'; fi ;;
    esac
  done <"$page"
  [ "$blocks" -gt 0 ] || fail "$page has no code"
  echo "consumers nio: the $blocks blocks of $page are parts of the example"
  # A debug build: a release build of Hummingbird and its dependencies takes several times as long, and tests nothing more.
  # Without JSONSIFT_STRICT, which makes a warning an error.
  if ! env -u JSONSIFT_STRICT swift build --package-path Examples/Server >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    fail "the example does not build"
  fi
  LOG_LEVEL=critical Examples/Server/.build/debug/ServerRecords 24
}

# api [TAG]: compares the public API with that of a release, by default the last one before the checked-out commit.
# Scripts/api-breakage-allowed.txt lists intended breaks, in the words of the tool; a major release begins with an empty list.
api() {
  local tag=${1-} options=() allowed=Scripts/api-breakage-allowed.txt product status=0
  if [ -z "$tag" ]; then
    if [ "$(git rev-parse --is-shallow-repository 2>/dev/null || echo none)" = true ]; then
      skip "consumers api" "this clone has no history, so the last release is not known and nothing was compared;" \
        "'git fetch --unshallow --tags' brings it"
      return 0
    fi
    tag=$(git describe --tags --abbrev=0 --match '[0-9]*.[0-9]*.[0-9]*' --match 'v[0-9]*.[0-9]*.[0-9]*' 2>/dev/null || true)
  fi
  if [ -z "$tag" ]; then
    skip "consumers api" "there is no release yet, so there is no API to compare with"
    return 0
  fi
  if ! git rev-parse --verify --quiet "$tag^{commit}" >/dev/null; then
    fail "there is no tag '$tag'"
  fi

  if [ -s "$allowed" ]; then options+=(--breakage-allowlist-path "$allowed"); fi
  for product in JSONSift JSONSiftAnalysis JSONSiftArrow SwiftyJSON SGYSwiftJSON JSONSiftCompression; do options+=(--products "$product"); done

  swift package diagnose-api-breaking-changes "$tag" "${options[@]}" >"$work/log" 2>&1 || status=$?
  # The tool exits with 1 for a break and for its own failure. Its messages differ.
  if [ "$status" -ne 0 ] && ! grep -q 'breaking changes\? detected' "$work/log"; then
    cat "$work/log" >&2
    fail "the comparison with $tag did not run"
  fi
  if [ "$status" -ne 0 ]; then
    grep -E 'breaking changes? detected|💔|API breakage' "$work/log" >&2
    fail "the API has broken since $tag; if that is meant, the lines go into $allowed and the next release is major"
  fi
  grep -E 'No breaking changes' "$work/log" || true
  echo "consumers api: nothing has broken since $tag"
}

[ $# -gt 0 ] || set -- debug static unchecked nio
while [ $# -gt 0 ]; do
  case $1 in
  debug | static | unchecked | nio) "$1" ;;
  api)
    case ${2-} in
    [0-9v]*)
      api "$2"
      shift
      ;;
    *) api ;;
    esac
    ;;
  *) usage ;;
  esac
  shift
done
