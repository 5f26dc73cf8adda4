# check soak PART...: runs the tool for long, and checks that its results are complete and that its memory, descriptors and
# threads do not grow. Prints a line from time to time, and fails at the first wrong result. Only on Linux.
#
#   follow MINUTES  jsift --follow on a log with bursts, idle times, rotations and truncations
#   day [RATE]      the records of a day, 24 rotations, RATE records for each second (default: 100), without the waiting
#   large GB        so many gigabytes through every command, and again with 256 MiB of address space
#   long            lines of 50 MB take less than 64 MB and three times their size
#   offsets         errors behind 5 GiB are reported at their byte and line, and more than 2^32 lines and records are counted
#   planted         the checks find a tool that loses, repeats, leaks or grows
#
# JSIFT  the tool (default: .build/release/jsift)

[ $# -gt 0 ] || usage
if [ "$(uname -s)" != Linux ]; then
  skip "soak" "the figures of a process are those of /proc"
  exit 0
fi

find_tool soak "${JSIFT-.build/release/jsift}"
export LC_ALL=C
mkdir -p .build/soak
work=$(mktemp -d "$PWD/.build/soak/XXXXXX")
child=''
trap '[ -z "$child" ] || kill "$child" 2>/dev/null || true; rm -rf "$work"' EXIT
build_helpers measure broken-tool

say() { echo "soak $part: $*"; }
fail() {
  echo "soak $part: FAILED: $*" >&2
  exit 1
}

# MARK: A growing log that one process reads

# Starts the tool on an empty log, and waits until it reads it.
start_following() {
  written=0
  rotations=0
  truncations=0
  : >"$work/log"
  : >"$work/out"
  "$tool" get '$.n' --follow "$work/log" >"$work/out" 2>"$work/messages" &
  child=$!
  append 1
  await
}

# append N: writes so many records to the log, with numbers that continue.
append() {
  awk -v from="$((written + 1))" -v to="$((written + $1))" 'BEGIN {
    for (n = from; n <= to; n++)
      printf "{\"n\":%d,\"level\":\"%s\",\"message\":\"request %d served in %d ms\"}\n", \
        n, n % 7 ? "info" : "warn", n * 31, n % 977
  }' >>"$work/log"
  written=$((written + $1))
}

# await: waits until the last record has been written as a result. A record is lost if that takes so many seconds.
await() {
  local patience=$((${SOAK_PATIENCE-60} * 10))
  while [ "$(tail -n 1 "$work/out")" != "$written" ]; do
    kill -0 "$child" 2>/dev/null || fail "the tool ended: $(tail -n 3 "$work/messages")"
    patience=$((patience - 1))
    [ "$patience" -gt 0 ] || fail "record $written was not read; the last result is $(tail -n 1 "$work/out")"
    sleep 0.1
  done
}

# Another file gets the name of the log. The tool cannot know of a file whose name is gone before it looks.
rotate() {
  await
  mv "$work/log" "$work/log.1"
  : >"$work/log"
  rotations=$((rotations + 1))
}

# The log is emptied. The tool looks four times a second; it would take a file that has grown again by then for a longer one.
truncate_log() {
  await
  : >"$work/log"
  sleep 0.6
  truncations=$((truncations + 1))
}

# sample: sets memory in KB, peak, descriptors and threads of the tool.
sample() {
  memory=$(awk '/^VmRSS/ { print $2 }' "/proc/$child/status")
  peak=$(awk '/^VmHWM/ { print $2 }' "/proc/$child/status")
  threads=$(awk '/^Threads/ { print $2 }' "/proc/$child/status")
  descriptors=$(find "/proc/$child/fd" -mindepth 1 | wc -l)
}

# check_flat: compares the last sample with the first: memory may vary by a megabyte.
check_flat() {
  [ "$descriptors" -le "$first_descriptors" ] || fail "descriptors grew from $first_descriptors to $descriptors"
  [ "$threads" -le "$first_threads" ] || fail "threads grew from $first_threads to $threads"
  [ "$memory" -le $((first_memory + 1024)) ] || fail "memory grew from $first_memory KB to $memory KB"
}

keep_first() {
  sample
  first_memory=$memory
  first_descriptors=$descriptors
  first_threads=$threads
}

# Ends the tool as a user would, and compares all results.
end_following() {
  local status=0
  await
  kill -TERM "$child"
  wait "$child" || status=$?
  child=''
  [ "$status" -eq 0 ] || fail "exit status $status after SIGTERM: $(tail -n 3 "$work/messages")"
  [ ! -s "$work/messages" ] || fail "unexpected messages: $(head -n 3 "$work/messages")"
  awk -v all="$written" '$0 != NR { print "result " NR " is " $0; bad = 1; exit 1 }
    END { if (!bad && NR != all) { print NR " results of " all; exit 1 } }' "$work/out" || fail "wrong results"
  say "$written records, $rotations rotations, $truncations truncations, $SECONDS s: each record is one result;" \
    "memory $first_memory KB at first and $memory KB at the end (peak $peak KB), $descriptors descriptors, $threads threads"
}

# Bursts of up to 20,000 records, trickles, idle times up to 10 s, a rotation or truncation each tenth time.
part_follow() {
  local seconds end next index=0 chance
  seconds=$(awk -v minutes="$1" 'BEGIN { printf "%d", minutes * 60 }')
  RANDOM=${SOAK_SEED-1}
  start_following
  # What the first burst needs is no growth.
  append 20000
  await
  rotate
  append 20000
  await
  keep_first
  end=$((SECONDS + seconds))
  next=$SECONDS
  while [ "$SECONDS" -lt "$end" ]; do
    index=$((index + 1))
    chance=$((RANDOM % 20))
    case $chance in
    0) rotate ;;
    1) truncate_log ;;
    2 | 3) sleep $((1 + RANDOM % 10)) ;;
    4 | 5 | 6) append $((5000 + RANDOM % 15000)) ;;
    7) await ;;
    8)
      # The old file still grows after it got another name. The tool must have opened it before.
      append 1
      await
      mv "$work/log" "$work/log.1"
      append_to_old
      : >"$work/log"
      rotations=$((rotations + 1))
      ;;
    *)
      append $((1 + RANDOM % 50))
      sleep 0.$((RANDOM % 5))
      ;;
    esac
    # A disk is not part of the question.
    if [ $((index % 50)) -eq 0 ]; then truncate_log; fi
    if [ "$SECONDS" -ge "$next" ]; then
      sample
      check_flat
      say "after $((SECONDS - end + seconds)) s: $written records, $rotations rotations, $truncations truncations;" \
        "$memory KB, $descriptors descriptors, $threads threads"
      next=$((SECONDS + (seconds > 600 ? 300 : 10)))
    fi
  done
  end_following
}

# append_to_old: appends to the log that has another name now.
append_to_old() {
  awk -v from="$((written + 1))" -v to="$((written + 100))" \
    'BEGIN { for (n = from; n <= to; n++) printf "{\"n\":%d}\n", n }' >>"$work/log.1"
  written=$((written + 100))
}

# The records of 24 hours; after each hour the log is rotated.
part_day() {
  local rate=$1 hour
  start_following
  append $((rate * 3600 - 1))
  await
  keep_first
  for hour in $(seq 1 24); do
    if [ "$hour" -gt 1 ]; then append $((rate * 3600)); fi
    await
    rotate
    sample
    check_flat
    [ $((hour % 6)) -ne 0 ] || say "after $hour h: $written records; $memory KB, $descriptors descriptors, $threads threads"
  done
  end_following
}

# MARK: Offsets and numbers beyond 32 bits

# The error is at this byte, behind the 32 bits of many a counter. Each line before has 1024 bytes.
error_offset=5368709119
error_line=$(((error_offset + 1) / 1024))

# zeros COUNT: so many zeros.
zeros() { printf '%0*d' "$1" 0; }

# offsets_text FIRST END: lines of 1024 bytes, the last of which has a wrong byte at its end. FIRST is what the first one begins
# with, and END what each of them ends with.
offsets_text() {
  printf '%s{"a":1,"pad":"%s"}%s\n' "$1" "$(zeros $((1024 - 17 - ${#1} - ${#2})))" "$2"
  printf '{"a":1,"pad":"%s"}%s\n' "$(zeros $((1024 - 17 - ${#2})))" "$2" >"$work/line"
  for _ in $(seq 10); do
    cat "$work/line" "$work/line" >"$work/lines"
    mv "$work/lines" "$work/line"
  done
  # 1024 lines for each copy, and the others.
  for _ in $(seq $(((error_line - 2) / 1024))); do cat "$work/line"; done
  head -n $(((error_line - 2) % 1024)) "$work/line"
  printf '{"a":1,"pad":"%s"!\n' "$(zeros $((1023 - 15)))"
}

# offsets_run NAME EXPECTED ARGUMENT...: the message must have the text.
offsets_run() {
  local name=$1 expected=$2
  shift 2
  "$tool" "$@" >"$work/out" 2>"$work/messages" || true
  grep -q -F "$expected" "$work/messages" "$work/out" ||
    fail "$name: expected '$expected', found '$(head -c 300 "$work/messages")'"
  say "$name: $expected"
}

part_offsets() {
  local expected=":$error_line:1024: expected ',' or '}' after a member, found a character with no meaning here (byte $error_offset)"
  offsets_text '' '' >"$work/text"
  [ "$(head -c $((error_offset + 1)) "$work/text" | tail -c 1)" = '!' ] || fail "the text has no error at $error_offset"
  offsets_run 'records of a file' "$expected" check "$work/text"
  offsets_run 'records of a file, one worker' "$expected" get -j 1 '$.b' "$work/text"
  offsets_run 'records of a pipe' "$expected" get '$.b' <"$work/text"
  offsets_run 'the last bytes of a file' "(byte $error_offset)" check --range $((error_offset - 5000))- "$work/text"
  offsets_text '[' ',' >"$work/text"
  [ "$(head -c $((error_offset + 1)) "$work/text" | tail -c 1)" = '!' ] || fail "the document has no error at $error_offset"
  offsets_run 'a document' "$expected" check --input json "$work/text"
  offsets_run 'a document, one worker' "$expected" check --input json -j 1 "$work/text"
  offsets_run 'a document in a pipe' "$expected" get --input json '$.b' <"$work/text"
  rm "$work/text"
  # More lines and more records than 32 bits can count.
  { { yes '' || true; } | head -c 4294967300; echo x; } >"$work/text"
  offsets_run 'the line after 4294967300 others' ':4294967301:1: ' check --input ndjson "$work/text"
  { { yes 1 || true; } | head -c 8589934600; } >"$work/text"
  [ "$("$tool" records --count "$work/text")" = 4294967300 ] || fail 'a count of records beyond 32 bits'
  say '4294967300 records are counted'
  rm "$work/text"
}

. Scripts/Support/soak-large.sh

# MARK: What runs

while [ $# -gt 0 ]; do
  part=$1
  shift
  # A number after the part is its argument.
  argument=''
  case ${1-} in *[!0-9.]* | '') ;; *)
    argument=$1
    shift
    ;;
  esac
  case $part in
  follow | large) "part_$part" "${argument:?soak: $part takes a number}" ;;
  day) part_day "${argument:-100}" ;;
  long) part_long ;;
  offsets) part_offsets ;;
  planted) part_planted ;;
  *) usage ;;
  esac
done
