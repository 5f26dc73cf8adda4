# check ranges [JSIFT [MEGABYTES [CUTS]]]: compares runs of jsift over ranges of a log with one run over all of it. The ranges
# meet at CUTS random offsets (7) of a log of MEGABYTES (1000) with damaged, blank and long lines. Results, lines, offsets and rejects
# must be the same bytes, and the counts of --summary must add up, for several commands, and for one worker and three. The same
# for a third of the log compressed by pzstd, bgzip and gzip, where these programs exist. Then the log is truncated, extended and
# replaced while it is read with --expect-size: no run may succeed.
#
# JSIFT is the program (default: .build/release/jsift). JSONSIFT_SEED repeats the cuts of a run.

find_tool ranges "${1-.build/release/jsift}"
jsift=$tool
megabytes=${2-1000}
cuts=${3-7}
seed=${JSONSIFT_SEED-$RANDOM}
RANDOM=$seed

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/app.log

# A tenth of a thousand lines is damaged in different ways; one line in each part is longer than a window.
Scripts/make-log 20000 "$work/records"
awk 'NR % 1009 == 7 { print substr($0, 1, 60); next } NR % 1013 == 9 { print ""; next } NR % 1019 == 11 { print $0 "\r"; next }
  NR % 5003 == 13 { printf "{\"long\":\""; for (i = 0; i < 60000; i++) printf "0123456789"; print "\"}"; next }
  NR % 1021 == 15 { print " \t"; next } { print }' "$work/records" >"$work/part"
size=$((megabytes * 1000000))
part=$(wc -c <"$work/part")
for ((count = size / part; count > 0; count--)); do cat "$work/part"; done >"$log"
head -c $((size % part)) "$work/part" >>"$log"

# member NAME: the sum of a number in the summaries on standard input; 0 if they do not have it.
member() { { grep -o "\"$1\":[0-9]*" || true; } | cut -d : -f 2 | awk '{ sum += $1 } END { printf "%d", sum }'; }

# cut_file FILE: chooses the offsets at which the ranges of a file meet.
cut_file() {
  input=$1
  input_size=$(wc -c <"$input")
  offsets=$(for ((cut = 0; cut < cuts; cut++)); do echo $(((RANDOM * 1073741824 + RANDOM * 32768 + RANDOM) % (input_size + 1))); done |
    sort -n)
  echo "ranges: ${input##*/}, $input_size bytes, seed $seed, cut at" $offsets
}

# compare JOBS ARGUMENT...: runs one command over everything, and over the ranges.
compare() {
  local jobs=$1 start=0 end line=1 text=0 name status=0 whole
  shift
  "$jsift" "$@" -j "$jobs" --expect-size "$input_size" --summary "$work/whole" --rejects "$work/rejects" "$input" 2>/dev/null |
    cksum >"$work/whole.sum" || status=$?
  [ "$status" -lt 2 ]
  cksum <"$work/rejects" >"$work/whole.rejects"
  : >"$work/parts"
  : >"$work/parts.rejects"
  for end in $offsets "$input_size"; do
    status=0
    "$jsift" "$@" -j "$jobs" --expect-size "$input_size" --range "$start-$end" --first-line "$line" --first-offset "$text" \
      --summary "$work/counts" --rejects "$work/rejects" "$input" 2>/dev/null || status=$?
    if [ "$status" -gt 1 ] || { [ "$status" -eq 1 ] && [ "$1" != check ]; }; then
      echo "ranges: $*: --range $start-$end has status $status" >&2
      return 1
    fi
    cat "$work/counts" >>"$work/parts"
    cat "$work/rejects" >>"$work/parts.rejects"
    line=$((line + $(member lineFeeds <"$work/counts")))
    text=$((text + $(member bytes <"$work/counts")))
    start=$end
  done | cksum >"$work/parts.sum"
  cmp "$work/whole.sum" "$work/parts.sum"
  cksum <"$work/parts.rejects" | cmp - "$work/whole.rejects"
  for name in bytes compressedBytes lineFeeds records results rejects; do
    whole=$(member "$name" <"$work/whole")
    if [ "$(member "$name" <"$work/parts")" -ne "$whole" ]; then
      echo "ranges: $*: $name does not add up to $whole" >&2
      return 1
    fi
  done
  [ "$(member bytes <"$work/whole")" -eq "$size" ]
  [ "$input" = "$log" ] || [ "$(member compressedBytes <"$work/whole")" -eq "$input_size" ]
  echo "ranges: -j $jobs $*: $(sed 's/.*"bytes"/"bytes"/; s/}$//' "$work/whole")"
}

cut_file "$log"
for jobs in 1 3; do
  compare "$jobs" records
  compare "$jobs" get '$.service' --with-location
  compare "$jobs" records --where '@.request.status >= 500' --select id='$.user.id' --select tags='$.user.tags[*]'
  compare "$jobs" records --where "@.level == 'error'" --with-location
  compare "$jobs" each '$'
  compare "$jobs" check
done

# Compressed: the ranges count bytes of the compressed file.
full=$size
size=$((size / 3))
head -c "$size" "$log" >"$work/third.log"
for program in pzstd bgzip gzip; do
  command -v "$program" >/dev/null || {
    echo "ranges: without $program"
    continue
  }
  "$program" -c <"$work/third.log" >"$work/third.$program" 2>/dev/null
  cut_file "$work/third.$program"
  for jobs in 1 3; do
    compare "$jobs" records --where '@.request.status >= 500' --with-location
    compare "$jobs" check
  done
  rm "$work/third.$program"
done
size=$full

# changed WHAT COMMAND: changes the log while the output of the tool waits for its reader.
changed() {
  local what=$1 status=0
  shift
  { "$jsift" records --expect-size "$size" --summary "$work/counts" "$log" 2>"$work/message" || echo $? >"$work/status"; } | {
    head -c 1000 >"$work/head"
    "$@"
    cat >"$work/rest"
  }
  status=$(cat "$work/status" 2>/dev/null || echo 0)
  if [ "$status" -ne 2 ] || [ -e "$work/counts" ]; then
    echo "ranges: a log that was $what while it was read: status $status" >&2
    return 1
  fi
  echo "ranges: $what: $(sed "s|$work/||" "$work/message" | grep -a "expected a file" | tail -n 1)"
  rm -f "$work/status"
}

shorten() { head -c $((size / 2)) "$log" >"$work/half" && cat "$work/half" >"$log"; }
extend() { cat "$work/part" >>"$log"; }
# The new file has the same name and another size; the old one grows.
exchange() {
  exec 3>>"$log"
  head -c 1000 "$work/part" >"$work/new"
  mv "$work/new" "$log"
  cat "$work/part" >&3
  exec 3>&-
}

changed shortened shorten
size=$(wc -c <"$log")
changed extended extend
size=$(wc -c <"$log")
changed replaced exchange
