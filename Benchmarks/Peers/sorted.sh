#!/usr/bin/env bash
# run sorted [GB...]: how long jsift takes to find ten minutes in a sorted log, and how much it reads. The default is 1 10.
#
# Makes one log of the largest size with Scripts/make-log, whose records have increasing times, and cuts the smaller ones from
# its start. Windows begin at ten places of the log. The answer of each is compared with that of a run that reads all records,
# for the smallest log, and between one and two workers for the others. With strace it also counts the bytes of each read.
#
# JSIFT    the tool (default: the release build in .build/release-tests or .build/release, otherwise the installed one)
# ROUNDS   how often each window is read (default: 5)
# TMPDIR   where the logs go: the sum of the sizes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

jsift=${JSIFT:-}
for found in .build/release-tests/release/jsift .build/release/jsift "$(command -v jsift || true)"; do
  if [ -z "$jsift" ] && [ -x "$found" ]; then jsift=$found; fi
done
if [ -z "$jsift" ]; then
  echo "sorted: no jsift; build it with swift build -c release" >&2
  exit 2
fi
[ $# -gt 0 ] || set -- 1 10
for size in "$@"; do
  case $size in '' | *[!0-9]* | 0) echo "usage: run sorted [GB...]" >&2 && exit 2 ;; esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-5}
mapfile -t sizes < <(printf '%s\n' "$@" | sort -n)
largest=${sizes[-1]}

# A record has about 362 bytes.
Scripts/make-log $((largest * 2800000)) "$work/$largest.log"
for size in "${sizes[@]}"; do
  log=$work/$size.log
  [ "$size" -eq "$largest" ] || head -c $((size * 1000000000)) "$work/$largest.log" >"$log"
  truncate -s $((size * 1000000000)) "$log"
  # Without the line that was cut.
  truncate -s -"$(tail -n 1 "$log" | wc -c)" "$log"
done

# time_at FILE OFFSET: the minute of the first record that begins after an offset.
time_at() { tail -c +"$2" "$1" | sed -n '2{s/^{"ts":"\([^"]*\):[0-9.]*Z".*/\1:00Z/p;q}' || true; }
# later TIME: ten minutes later.
later() { TZ=UTC date -d "$1 + 10 minutes" +%Y-%m-%dT%H:%M:%SZ; }
now() { date +%s%N; }

for size in "${sizes[@]}"; do
  log=$work/$size.log
  bytes=$(stat -c %s "$log")
  times=()
  for place in 0 1 2 3 4 5 6 7 8 9; do
    since=$(time_at "$log" $((bytes / 10 * place + bytes / 20)))
    until=$(later "$since")
    window=(records --time '$.ts' --since "$since" --until "$until")
    found=$("$jsift" "${window[@]}" --sorted "$log" | cksum)
    if [ "$size" -eq "${sizes[0]}" ]; then
      expected=$("$jsift" "${window[@]}" "$log" | cksum)
    else
      expected=$("$jsift" "${window[@]}" --sorted -j 1 "$log" | cksum)
    fi
    if [ "$found" != "$expected" ]; then
      echo "sorted: $size GB, from $since: another answer" >&2
      exit 1
    fi
    for ((round = 0; round < rounds; round++)); do
      start=$(now)
      "$jsift" "${window[@]}" --sorted "$log" >/dev/null
      times+=($((($(now) - start) / 1000)))
    done
  done
  mapfile -t ordered < <(printf '%s\n' "${times[@]}" | sort -n)
  count=${#ordered[@]}
  median=${ordered[count / 2]}
  echo "$size GB: ten minutes ($("$jsift" "${window[@]}" --sorted --count "$log") records) in" \
    "$((median / 1000)).$((median % 1000 / 100)) ms (median of $count; fastest $((ordered[0] / 1000)).$((ordered[0] % 1000 / 100)))"
  if command -v strace >/dev/null; then
    # One worker reads with read, and the search with pread64: these are the steps.
    strace -f -e trace=pread64,read -o "$work/trace" "$jsift" "${window[@]}" --sorted -j 1 "$log" >/dev/null
    awk -v name="$size GB" '
      /pread64\(/ && match($0, /= [0-9]+$/) { steps++; step = substr($0, RSTART + 2) + 0; searched += step
        if (step > most) most = step }
      / read\(/ && match($0, /= [0-9]+$/) { bytes += substr($0, RSTART + 2) }
      END { printf "%s: the search made %d reads of at most %d bytes, %d bytes together; all other reads %d bytes\n",
        name, steps, most, searched, bytes }' "$work/trace"
  fi
done
