# Scripts/lint rooms: each room of Sources/JSONSift uses only the rooms below it.
#
# In one module each file sees all others, so this script type-checks rooms 1..k for each k without the rooms above. A name
# that the compiler does not find is one that a lower room uses from a higher one. Imports are checked line by line.

# Bottom to top; ARCHITECTURE.md describes them.
rooms=(Support Errors Scan Yajl Events Tape Skip Value Coding Pattern Query Stream Input Records Edit)
sources=Sources/JSONSift

complain() { echo "lint rooms: $*" >&2; }

work=$(mktemp -d)
# shellcheck disable=SC2317 # the trap calls it
cleanup() {
  local running
  running=$(jobs -p)
  # shellcheck disable=SC2086 # one process per word
  [ -z "$running" ] || kill $running 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

export LC_ALL=C
bad=0

# MARK: Folders

for entry in "$sources"/*; do
  name=${entry##*/}
  case $name in
  *.docc) continue ;;
  esac
  if [ ! -d "$entry" ]; then
    complain "$entry lies in no room"
    bad=1
    continue
  fi
  known=0
  for room in "${rooms[@]}"; do
    if [ "$room" = "$name" ]; then known=1; fi
  done
  if [ "$known" -eq 0 ]; then
    complain "$entry is not a room; the rooms are: ${rooms[*]}"
    bad=1
  fi
done

# MARK: Imports

# Prints "file:line: why" for each import that stands in the wrong place.
cat >"$work/imports.awk" <<'AWK'
function refuse(why) { print FILENAME ":" FNR ": " why }

FNR == 1 { depth = 0; room = substr(FILENAME, length(sources) + 2); sub(/\/.*/, "", room) }

# branch[d] is "else" in the #else of an #if that tests canImport(FoundationEssentials).
/^[ \t]*#if([ \t(!]|$)/ {
  tests[++depth] = ($0 ~ /#if[ \t]+canImport\(FoundationEssentials\)[ \t]*(\/\/.*)?$/); branch[depth] = "if"; next
}
/^[ \t]*#elseif([ \t(!]|$)/ { branch[depth] = "elseif"; next }
/^[ \t]*#else([ \t\/]|$)/ { branch[depth] = "else"; next }
/^[ \t]*#endif/ { depth--; next }

/^[ \t]*(@[A-Za-z_]+(\([^)]*\))?[ \t]+)*((public|package|internal|fileprivate|private)[ \t]+)?import[ \t]/ {
  module = $0
  sub(/^.*import[ \t]+/, "", module)
  sub(/^(struct|class|enum|protocol|typealias|func|let|var)[ \t]+/, "", module)
  sub(/[^A-Za-z0-9_].*$/, "", module)
  if (module == "CYajl" && room != "Yajl") refuse("only room Yajl imports CYajl")
  if (module == "CJSONScan" && room != "Scan") refuse("only room Scan imports CJSONScan")
  if (module ~ /^Foundation(Networking|XML|Internationalization)$/) refuse("the library does without " module)
  if (module == "Foundation") {
    allowed = 0
    for (d = 1; d <= depth; d++) if (tests[d] && branch[d] == "else") allowed = 1
    if (!allowed) refuse("Foundation stands only in the #else of '#if canImport(FoundationEssentials)'")
  }
}
AWK

wrong=$(find "$sources" Sources/JSONSiftAnalysis Sources/JSONSiftArrow -name '*.swift' -type f -print0 |
  xargs -0 awk -v sources="$sources" -f "$work/imports.awk" /dev/null | sort)
if [ -n "$wrong" ]; then
  printf '%s\n' "$wrong" >&2
  complain "the imports above stand in the wrong place"
  bad=1
else
  echo "lint rooms: imports of CYajl, CJSONScan and Foundation stand only where they may"
fi

# MARK: How to compile

flags=(-typecheck -wmo -suppress-warnings -module-name JSONSift -package-name jsonsift -swift-version 6
  -strict-memory-safety)

# Features that the manifest turns on, so that they need not be repeated here.
for kind in Upcoming Experimental; do
  option=-enable-$(printf '%s' "$kind" | tr '[:upper:]' '[:lower:]')-feature
  while IFS= read -r feature; do flags+=("$option" "$feature"); done < <(
    sed -n "s/^[^/]*enable${kind}Feature(\"\([A-Za-z0-9]*\)\".*/\1/p" Package.swift | sort -u)
done

# The modules of other packages stand where the debug build leaves them.
dependency=OrderedCollections
modules=$debug_products/Modules
[ -d "$modules" ] || modules=$debug_products
if ! [ -e "$modules/$dependency.swiftmodule" ]; then
  swift build --product $dependency >"$work/dependency.log" 2>&1 || {
    cat "$work/dependency.log" >&2
    complain "$dependency does not build"
    exit 1
  }
fi
flags+=(-I "$modules")

# The modules of the C targets. SwiftPM writes a module map for CJSONScan; swiftc needs one of ours. It stays in
# .build, since the compiler's module cache knows a map by its place.
cache=$PWD/.build/rooms
mkdir -p "$cache"
flags+=(-module-cache-path "$cache/modules")
flags+=("${c_modules[@]}")
for flag in $(pkg-config --cflags yajl 2>/dev/null || true); do flags+=(-Xcc "$flag"); done
{
  echo "module CJSONScan {"
  for header in Sources/CJSONScan/include/*.h; do echo "  header \"$PWD/$header\""; done
  echo "  export *"
  echo "}"
} >"$work/module.modulemap"
cmp -s "$work/module.modulemap" "$cache/CJSONScan.modulemap" || mv "$work/module.modulemap" "$cache/CJSONScan.modulemap"
flags+=(-Xcc "-fmodule-map-file=$cache/CJSONScan.modulemap")

# MARK: Rooms 1..k

# Type-checks rooms 1..k; leaves the compiler's words in $work/k.log and, if all is well, $work/k.ok.
check() {
  local k=$1 files=() file
  while IFS= read -r -d '' file; do files+=("$file"); done < <(
    find "${rooms[@]:0:k}" -name '*.swift' -type f -print0)
  if swiftc "${flags[@]}" "${files[@]}" >"$work/$k.log" 2>&1; then : >"$work/$k.ok"; fi
}

# Two of about the same size run side by side.
cd "$sources"
for ((k = ${#rooms[@]}; k >= 1; k -= 2)); do
  check "$k" &
  if [ "$k" -gt 1 ]; then check "$((k - 1))" & fi
  wait
done

# The rooms above the first one with an error have the same error.
for ((k = 1; k <= ${#rooms[@]}; k++)); do
  name="rooms 1..$k (… < ${rooms[k - 1]})"
  if [ -e "$work/$k.ok" ]; then
    echo "lint rooms: $name type-check alone"
    continue
  fi
  # The compiler can say the same thing once per file: each paragraph once, and no more than a screen or two.
  awk 'BEGIN { RS = ""; ORS = "\n\n" } !told[$0]++' "$work/$k.log" | sed -n '1,80p' >&2
  if [ -e "$work/${#rooms[@]}.ok" ]; then
    complain "$name do not type-check alone: one of them uses something from above"
  else
    complain "$name do not type-check, and neither do all rooms together: perhaps an ordinary error"
  fi
  exit 1
done

exit "$bad"
