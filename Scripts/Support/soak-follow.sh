# The parts follow and day of Scripts/soak: one process that reads a growing log.

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
