# check portable [BUILD]: links the objects of a release build of jsift (default: .build/tool/release) without any library of the
# machine, and runs each command of the program in a folder that is its whole file system but for /proc, from which Swift takes the
# arguments; on plain, gzip and zstd input. Its output is that of the other program. Prints the size. Linux only; skipped where a
# user may not change the root.

portable() (
  build=${1-.build/tool/release}
  find_tool portable "$build/jsift"
  expected=$tool
  link_portable portable "$build"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/root/proc"
  strip -o "$work/root/jsift" "$tool"
  if readelf -ld "$work/root/jsift" | grep -qE 'INTERP|NEEDED'; then
    echo "portable: the program asks for a dynamic linker or a library" >&2
    exit 1
  fi

  # The mount ends with its namespace.
  # shellcheck disable=SC2016 # the inner shell expands it
  enter=(unshare -r -m -p -f sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$work/root")
  if ! "${enter[@]}" /jsift --version >"$work/version" 2>/dev/null; then
    skip portable "the root cannot be changed here"
    exit 0
  fi
  grep -q '^with libyajl [0-9.]*, zlib [0-9.]*, libzstd [0-9.]*$' "$work/version" || {
    echo "portable: --version does not say what it contains" >&2
    exit 1
  }

  Scripts/make-log 2000 "$work/root/app.log"
  gzip -k "$work/root/app.log"
  python3 - "$work/root" <<'PYTHON'
import sys
folder = sys.argv[1]
lines = open(folder + "/app.log").read().splitlines()
open(folder + "/all.json", "w").write('{"records":[' + ",".join(line for line in lines if line.endswith("}")) + "]}")
PYTHON
  files=(app.log app.log.gz)
  if command -v zstd >/dev/null 2>&1; then
    zstd -q -k "$work/root/app.log"
    files+=(app.log.zst)
  fi
  count=0
  # compare ARGUMENT...: the same output and status from both programs, in a folder that has the same names.
  compare() {
    local status=0 other=0
    "${enter[@]}" /jsift "$@" >"$work/out" 2>"$work/err" || status=$?
    (cd "$work/root" && TZ=UTC "$expected" "$@" >"$work/out.expected" 2>"$work/err.expected") || other=$?
    if [ "$status" -ne "$other" ] || ! cmp -s "$work/out" "$work/out.expected" || ! cmp -s "$work/err" "$work/err.expected"; then
      echo "portable: jsift $*: not the answer of the other program (status $status, and $other)" >&2
      diff "$work/out" "$work/out.expected" | sed -n '1,5p' >&2
      diff "$work/err" "$work/err.expected" | sed -n '1,5p' >&2
      exit 1
    fi
    count=$((count + 1))
  }
  for file in "${files[@]}"; do
    compare get '$.user.id' "$file"
    compare records --where "@.level == 'error'" --select 'id=$.user.id' --format csv "$file"
    compare records --time '$.ts' --since 2000-01-01 --limit 5 "$file"
    compare each '$.tags' --limit 5 "$file"
    compare check "$file"
    compare shape "$file"
    compare stats --by 'level=$.level' --of 'ms=$.request.latency_ms' "$file"
    compare edit --preset share --on-error skip "$file"
    compare records --format arrow --select 'id=$.user.id' --limit 5 "$file"
  done
  compare format all.json
  compare get '$.records[*].user.id' all.json
  compare records --each '$.records' --limit 2 all.json
  # No zone data are there.
  if "${enter[@]}" /jsift records --time '$.ts' --since 2026-01-01 --time-zone Europe/Berlin app.log >"$work/out" 2>"$work/err"; then
    echo "portable: a time zone without data was accepted" >&2
    exit 1
  fi
  compare index -p '$.user.id' app.log
  echo "portable: $(stat -c %s "$work/root/jsift") bytes; $count commands with the answers of the other program; $(tail -n 1 "$work/version")"
)

portable "$@"
