# Scripts/lint docs: every public symbol has a doc comment; every public type has a topic in the DocC catalogue, which
# builds without warnings; the names in ARCHITECTURE.md exist; links between pages have a target. Reads the modules of the
# debug build and runs its jsift.

complain() { echo "lint docs: $*" >&2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

products=$debug_products
modules=$products/Modules
[ -d "$modules" ] || modules=$products
tool=$products/jsift
if ! [ -e "$modules/SGYSwiftJSON.swiftmodule" ] || ! [ -x "$tool" ]; then
  complain "there is no debug build; swift build --build-tests --traits Compression makes one"
  exit 1
fi

# MARK: Symbols

graphs=(JSONSift JSONSiftAnalysis JSONSiftArrow SwiftyJSON SGYSwiftJSON JSONSiftCompression)
status=0
symbol_graphs "$products" "$work" "${graphs[@]}" || status=$?
if [ "$status" -eq 3 ]; then
  skip "lint docs" "the toolchain has no swift-symbolgraph-extract; nothing was checked"
  exit 0
elif [ "$status" -ne 0 ]; then
  exit 1
fi

bad=0
symbols=0
for module in "${graphs[@]}"; do
  for graph in "$work/$module"/*.symbols.json; do
    symbols=$((symbols + $("$tool" --count '$.symbols[*]' "$graph" || true)))
    # jsift exits with 1 if there are none.
    silent=$("$tool" '$.symbols[?!@.docComment].pathComponents' "$graph") || [ $? -eq 1 ]
    if [ -n "$silent" ]; then
      printf '%s\n' "$silent" | sed "s/^/$module: no doc comment: /" >&2
      bad=1
    fi
  done
done
if [ "$symbols" -lt 500 ]; then
  complain "only $symbols public symbols were found; there are more"
  exit 1
fi
if [ "$bad" -ne 0 ]; then
  complain "the symbols above have no doc comment"
  exit 1
fi
echo "lint docs: $symbols public symbols have doc comments"

# MARK: Topics

# A symbol at the top of the module has a path of one name.
missing=''
names=$("$tool" '$.symbols[*].pathComponents' "$work/JSONSift/JSONSift.symbols.json" |
  sed -n 's/^\["\([A-Za-z]*\)"\]$/\1/p' | sort -u)
while IFS= read -r name; do
  grep -rqF -e "- \`\`$name\`\`" Sources/JSONSift/JSONSift.docc || missing="$missing $name"
done <<<"$names"
if [ -n "$missing" ]; then
  complain "no topic of Sources/JSONSift/JSONSift.docc/JSONSift.md has these types:$missing"
  exit 1
fi

# MARK: Names in ARCHITECTURE.md and the pages of the internals

# Each name in code style that looks like a type, a file or a folder. Types of other modules are in this list.
others=' JSONDecoder JSONEncoder Mirror FoundationEssentials Foundation JSONSerialization '
unknown=''
while IFS= read -r name; do
  case $others in *" $name "*) continue ;; esac
  case $name in
  */* | *.swift)
    # A path as it stands, in the library, or the end of one.
    if [ -e "$name" ] || [ -e "Sources/JSONSift/$name" ]; then continue; fi
    if [ -n "$(find Sources Tests -path "*$name*" -print 2>/dev/null | sed -n 1p)" ]; then continue; fi
    ;;
  *)
    if grep -rqw -e "$name" Sources Package.swift || [ -e "Sources/JSONSift/$name" ]; then continue; fi
    # A file that is no type, or the end of its name.
    if [ -n "$(find Sources -name "*$name.swift" | sed -n 1p)" ]; then continue; fi
    ;;
  esac
  unknown="$unknown $name"
done < <(grep -hv '^    ' ARCHITECTURE.md Documentation/Internals.md Documentation/UnsafeCode.md | grep -o '`[A-Za-z+/]*[A-Z][A-Za-z0-9+/]*\(\.swift\)\{0,1\}`' | tr -d '`' | sort -u)
if [ -n "$unknown" ]; then
  complain "ARCHITECTURE.md, Internals.md or UnsafeCode.md has names that do not exist:$unknown"
  exit 1
fi
echo "lint docs: the names in ARCHITECTURE.md and the pages of the internals exist"

# MARK: Links between pages

# Relative targets of Markdown links, with the heading after #. Benchmarks/run writes the images.
broken=''
for page in *.md Documentation/*.md Benchmarks/*.md Fixtures/*.md; do
  [ -f "$page" ] || continue
  while IFS= read -r link; do
    case $link in *://* | mailto:* | */Images/*) continue ;; esac
    file=${link%%#*}
    if [ -n "$file" ] && [ ! -e "$(dirname "$page")/$file" ]; then broken="$broken $page:$link"; fi
    case $link in
    *'#'*)
      target=$page
      [ -z "$file" ] || target=$(dirname "$page")/$file
      # A heading as GitHub names it: small letters, no punctuation, hyphens for spaces.
      if ! sed -n 's/^##* //p' "$target" | tr '[:upper:]' '[:lower:]' | tr -d '`.,:;!?()/&“”"' | tr ' ' '-' |
        grep -qxF -e "${link#*#}"; then
        broken="$broken $page:$link"
      fi
      ;;
    esac
  done < <(grep -o '](\([^) ]*\))' "$page" | sed 's/^](//; s/)$//' | sort -u)
done
if [ -n "$broken" ]; then
  complain "links without a target:$broken"
  exit 1
fi
echo "lint docs: the links between pages have targets"

# MARK: The catalogue

if command -v docc >/dev/null 2>&1; then
  docc=(docc)
elif command -v xcrun >/dev/null 2>&1 && xcrun --find docc >/dev/null 2>&1; then
  docc=(xcrun docc)
else
  skip "lint docs" "the toolchain has no docc; the catalogue was not built"
  exit 0
fi
# build MODULE [CATALOGUE]: the archive of one module.
build() {
  if ! "${docc[@]}" convert ${2:+"$2"} --additional-symbol-graph-dir "$work/$1" --output-dir "$work/$1.doccarchive" \
    --fallback-display-name "$1" --fallback-bundle-identifier "$1" --ide-console-output --warnings-as-errors \
    >"$work/log" 2>&1; then
    cat "$work/log" >&2
    complain "the documentation of $1 has warnings"
    exit 1
  fi
}
build JSONSift Sources/JSONSift/JSONSift.docc
for module in "${graphs[@]:1}"; do build "$module"; done
page_count=$(find "$work/JSONSift.doccarchive/data" -name '*.json' | wc -l | tr -d ' ')
if [ "$page_count" -lt 100 ]; then
  complain "the catalogue has $page_count pages only"
  exit 1
fi
echo "lint docs: the catalogue builds without a warning, $page_count pages"
