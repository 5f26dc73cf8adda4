# The parts large, long and planted of Scripts/check soak.

# The peak in KB that no command may exceed, and the growth in percent from a tenth of the input to the whole.
most_memory=65536
most_growth=5
# How much of the input workers hold at a time depends on the timing: the peak of the same run varies by so many KB.
timing=8192

# name|input|arguments: the input is a log, the same log through a pipe, or one document through a pipe.
large_runs='get|log|get $.message
get, one worker|log|get -j 1 $.message
records --where|log|records --where @.level=="error"
records|log|records
records, a pipe|pipe|records
records --count|log|records --count
each|document|each $.items
format|document|format
check|log|check
shape|log|shape
stats|log|stats --of ms=$.request.latency_ms --by s=$.service'

# make_large GB: the file log, of so many gigabytes; sets copies to the number of copies of the block in it.
make_large() {
  local size
  if [ ! -e "$work/block" ]; then
    Scripts/make-log 100000 "$work/block"
    # The elements of an array, without its end.
    sed 's/$/,/' "$work/block" >"$work/elements"
  fi
  size=$(stat -c %s "$work/block")
  copies=$(awk -v gigabytes="$1" -v size="$size" 'BEGIN { n = int(gigabytes * 1e9 / size + 0.999); print n < 1 ? 1 : n }')
  repeat_file block >"$work/log"
}

repeat_file() {
  local number
  for number in $(seq "$copies"); do cat "$work/$1"; done
}

# feed INPUT: the standard input of a run.
feed() {
  case $1 in
  pipe) cat "$work/log" ;;
  document)
    printf '{"items":['
    repeat_file elements
    printf '{}]}\n'
    ;;
  esac
}

# large_run INPUT LIMIT ARGUMENT...: sets peak, spent, passed and lines. The results are counted.
large_run() {
  local kind=$1 limit=$2 status=0 file=()
  shift 2
  [ "$kind" != log ] || file=("$work/log")
  lines=$(feed "$kind" | (
    [ "$limit" = none ] || ulimit -v "$limit"
    exec .build/faults/measure "$work/use" "$tool" "$@" "${file[@]}"
  ) 2>"$work/messages" | wc -l) || status=$?
  # pipefail: 1 is the status of a run that found nothing.
  [ "$status" -eq 0 ] || fail "$*: exit status $status: $(tail -n 3 "$work/messages")"
  read -r peak spent passed <"$work/use"
}

part_large() {
  local gigabytes=$1 name kind text arguments small_peak small_lines small_copies growth worst=0 unlimited
  make_large "$(awk -v all="$gigabytes" 'BEGIN { print all / 10 }')"
  : >"$work/small"
  while IFS='|' read -r name kind text; do
    read -ra arguments <<<"$text"
    large_run "$kind" none "${arguments[@]}"
    echo "$peak $lines" >>"$work/small"
  done <<<"$large_runs"
  small_copies=$copies
  make_large "$gigabytes"
  say "$(stat -c %s "$work/log") bytes, $copies copies of 100000 records; peak memory"
  exec 4<"$work/small"
  while IFS='|' read -r name kind text; do
    read -ra arguments <<<"$text"
    read -r small_peak small_lines <&4
    large_run "$kind" none "${arguments[@]}"
    growth=$(awk -v a="$small_peak" -v b="$peak" 'BEGIN { printf "%.1f", (b - a) * 100 / a }')
    say "$(printf '%-18s %5.1f MB, %5s %% more than for a tenth; %5.1f s, %5.1f s of processor time' "$name" \
      "$((peak / 100))e-1" "$growth" "$((passed / 100))e-1" "$((spent / 100))e-1")"
    [ "$peak" -le "$most_memory" ] || fail "$name: $peak KB, more than $most_memory KB"
    awk -v g="$growth" -v most="$most_growth" -v more="$((peak - small_peak))" -v timing="$timing" \
      'BEGIN { exit !(g <= most || more <= timing) }' || fail "$name: grows by $growth %"
    check_lines "$name" "$small_lines" "$small_copies"
    if [ "$peak" -gt "$worst" ]; then worst=$peak; fi
    # Again with little address space.
    unlimited=$lines
    large_run "$kind" 262144 "${arguments[@]}"
    [ "$lines" = "$unlimited" ] || fail "$name: $lines lines under ulimit -v 262144, $unlimited without"
  done <<<"$large_runs"
  exec 4<&-
  say "all commands: at most $worst KB; the same number of results under ulimit -v 262144"
}

# check_lines NAME SMALL COPIES: results are proportional to the copies. A count, a shape and a table are as long as before.
check_lines() {
  case $1 in
  get* | records | 'records --where' | 'records, a pipe')
    [ $((lines * $3)) -eq $(($2 * copies)) ] || fail "$1: $lines results of $copies copies, $2 of $3"
    ;;
  each) [ $(((lines - 1) * $3)) -eq $((($2 - 1) * copies)) ] || fail "$1: $lines results of $copies copies, $2 of $3" ;;
  check) [ "$lines" -eq 0 ] || fail "$1: $lines messages" ;;
  esac
}

# MARK: Long lines

# The size of each of four lines in bytes, and the commands that read them; each with one worker and two.
long_line=50000000
long_runs='get $.x
get $.list
get $.pad
get $.x --where @.x>=0
records
records --where @.x>=0
records --select x=$.x --select pad=$.pad
records --format arrow --select x=$.x --type x=int64 --select pad=$.pad --type pad=utf8
each $.list
stats --of x=$.x
check'

part_long() {
  local limit=$((65536 + 3 * long_line / 1024)) worst=0
  awk -v size="$long_line" 'BEGIN {
    list = "0"
    for (n = 1; n < 1000; n++) list = list "," n * 7919 % 1000003
    while (length(list) < size / 4) list = list "," list
    pad = "x"
    while (length(pad) < size) pad = pad pad
    pad = substr(pad, 1, size - length(list) - 30)
    for (n = 0; n < 4; n++) printf "{\"x\":%d,\"list\":[%s],\"pad\":\"%s\"}\n", n, list, pad
  }' >"$work/log"
  [ "$(wc -c <"$work/log")" -gt $((4 * long_line - 200)) ] || fail "the lines are too short"
  long_commands 'four lines'
  head -n 1 "$work/log" | head -c -1 >"$work/line"
  mv "$work/line" "$work/log"
  long_commands 'a line without line feed'
  say "at most $worst KB of $limit KB"
}

# long_commands NAME: runs all commands on the log.
long_commands() {
  local text workers lines arguments number
  say "$1"
  while read -r text; do
    read -ra arguments <<<"$text"
    number=
    for workers in 1 2; do
      large_run log none "${arguments[@]}" -j "$workers" --input ndjson
      say "$(printf '%6.1f MB: %s -j %s' "$((peak / 100))e-1" "$text" "$workers")"
      [ "$peak" -le "$limit" ] || fail "$text -j $workers: $peak KB, more than $limit KB"
      [ "$lines" = "${number:-$lines}" ] || fail "$text: $lines results with two workers, $number with one"
      number=$lines
      if [ "$peak" -gt "$worst" ]; then worst=$peak; fi
    done
  done <<<"$long_runs"
}

# MARK: Planted

part_planted() {
  local defect count=0
  for defect in none loses repeats dies descriptors threads memory ignores-rotation ignores-truncation wrong-status; do
    plant Tests/ToolFaults/broken-follow "$defect" follow 0.4
    [ "$defect" = none ] || count=$((count + 1))
  done
  # Tools that hold their results in memory, and that lose some.
  printf '#!/usr/bin/env bash\nresults=$("%s" "$@"); printf "%%s\n" "$results"\n' "$tool" >"$work/holds"
  printf '#!/usr/bin/env bash\n"%s" "$@" | awk "NR %% 500000 != 77"\n' "$tool" >"$work/drops"
  chmod +x "$work/holds" "$work/drops"
  plant "$work/holds" 'more than 65536 KB' large 0.3
  plant "$work/drops" 'results of' large 0.3
  say "$count defects of --follow and 2 of large input, all found"
}

# plant TOOL DEFECT PART NUMBER: the part must fail unless the defect is none. A part of the message of failure stands for a
# defect that the tool does not take from its environment.
plant() {
  local status=0
  JSIFT=$1 BROKEN=$2 SOAK_PATIENCE=5 Scripts/check soak "$3" "$4" >"$work/planted" 2>&1 || status=$?
  if [ "$2" = none ]; then
    [ "$status" -eq 0 ] || fail "finds something in a tool without a defect: $(tail -n 2 "$work/planted")"
  elif ! grep -q FAILED "$work/planted" || [[ $2 = *' '* ]] && ! grep -q "FAILED.*$2" "$work/planted"; then
    fail "does not find the defect '$2': $(tail -n 2 "$work/planted")"
  fi
  say "$2: $(tail -n 1 "$work/planted" | cut -c1-160)"
}
