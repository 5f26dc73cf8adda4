# The parts kill and calls of Scripts/faults: SIGKILL, which no program can handle.

# MARK: Random times

part_kill() {
  local seed=${FAULTS_SEED-$RANDOM} name longest started delay count number
  echo "faults kill: FAULTS_SEED=$seed"
  RANDOM=$seed
  make_inputs 400
  # Long enough that most kills hit the middle.
  for number in $(seq 40); do cat "$work/in.ndjson"; done >"$work/long"
  mv "$work/long" "$work/in.ndjson"
  cases[two]='records -j 2 -o out --rejects rej ../in.ndjson'
  for name in records two; do
    started=$(now)
    expect "$name"
    longest=$(($(now) - started))
    count=$(pick 40 1000)
    for number in $(seq "$count"); do
      delay=$(((RANDOM * 32768 + RANDOM) % (longest * 5 / 4)))
      attempt "$name" timeout -s KILL "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
      judge "$name" "SIGKILL after $delay us" same died
      # A file that a killed run left does not disturb the next run.
      if [ "$verdict" = died ] && has_partial && [ $((number % 10)) -eq 0 ]; then after_kill "$name"; fi
    done
  done
  end_part died
}

# after_kill CASE: the next run beside what is left.
after_kill() {
  local name=$1 left
  left=("$work"/run/.*.part)
  launch "$work/run" "$tool" ${cases[$name]}
  rm -f "${left[@]}"
  judge "$name" "a run after SIGKILL" same
}

# MARK: Every system call

part_calls() {
  if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true 2>/dev/null; then
    skip "faults calls" "strace is missing, or may not trace"
    return 0
  fi
  make_inputs 60
  local name call most since names
  names=$(pick 'all' "$case_names")
  for name in $names; do
    expect "$name"
    in_order "$name"
    # The largest number of calls of each kind in one thread, and how many of them come before the temporary file.
    attempt "$name" strace -f -qq -o "$work/calls"
    judge "$name" "strace" same
    awk '{ call = $2; sub(/\(.*/, "", call) }
      call !~ /^[a-z_0-9]+$/ || call ~ /^exit/ { next }
      { n = ++count[$1, call]; if (n > most[call]) most[call] = n }
      /\.part/ { begun = 1 }
      !begun { before[call] = most[call] }
      END { for (call in most) print call, most[call], before[call] + 0 }' "$work/calls" | sort >"$work/kinds"
    while read -r call most since; do
      # The short form tries the calls after the temporary file was made, and the call that makes it.
      [ -n "$is_long" ] || case $call in
      openat | write | fsync | close | rename | read) ;;
      *) continue ;;
      esac
      for number in $(seq $(($(pick "$since" 0) + 1)) "$most"); do
        attempt "$name" strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$number"
        judge "$name" "SIGKILL at $call $number" same died
      done
    done <"$work/kinds"
  done
  end_part died
}

# in_order CASE: the temporary file is synchronized and closed after its last write, and renamed after that.
in_order() {
  local name=$1 order
  attempt "$name" strace -f -qq -y -e trace=write,fsync,close,rename -o "$work/order"
  judge "$name" "strace" same
  order=$(awk '/ write\([0-9]+<[^>]*\.part>/ { if (last != "write") text = text " write"; last = "write" }
    / (fsync|close)\([0-9]+<[^>]*\.part>/ { last = $2; sub(/\(.*/, "", last); text = text " " last }
    / rename\(.*\.part/ { last = "rename"; text = text " rename" }
    END { print text }' "$work/order")
  if [ "$order" != ' write fsync close rename' ]; then
    report_broken "$name: expected the calls write, fsync, close, rename; found:$order"
  fi
}
