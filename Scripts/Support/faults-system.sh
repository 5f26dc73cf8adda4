# The parts full-disk, limits, kill, calls, allocations and preload of Scripts/check faults.

# MARK: A full disk

part_full_disk() {
  make_inputs 400
  local name
  for name in $case_names; do expect "$name"; done
  disk_of_memory
  dev_full
  end_part message same
}

# Every case writes to a tmpfs of each size, from too small for a file to large enough. Only a process with its own mounts can
# mount one, so a subshell is not enough: this script starts itself.
disk_of_memory() {
  local enter=(unshare -m) name size folder=$work/disk sizes
  mkdir "$folder"
  # Only root can mount, perhaps root of a namespace of users.
  [ "$(id -u)" -eq 0 ] || enter=(unshare -r -m)
  if ! "${enter[@]}" mount -t tmpfs -o size=8k faults "$folder" 2>/dev/null; then
    skip "faults full-disk" "a tmpfs cannot be mounted here"
    return 0
  fi
  sizes=$(pick '4 8 16 64 1024' '4 8 12 16 20 24 32 48 64 96 128 192 256 1024')
  for name in $case_names; do
    for size in $sizes; do
      # The mount is gone when the run ends, so the same command copies what the run left.
      rm -f "$work/run/rej" "$work"/run/.*.part
      echo "$previous" >"$work/run/out"
      launch "$work" "${enter[@]}" bash -c '
        mount -t tmpfs -o size='"$size"'k faults disk
        if [ '"$size"' -gt 4 ]; then cp before disk/out; fi
        (cd disk; exec "$@"); status=$?
        rm -f run/out run/rej; cp -p disk/* disk/.*.part run/ 2>/dev/null
        exit $status' - "$tool" ${cases[$name]}
      # On the smallest disk there is no room for a previous file.
      if [ "$size" -eq 4 ] && [ ! -e "$work/run/out" ]; then echo "$previous" >"$work/run/out"; fi
      judge "$name" "a disk of $size KiB" same message
      if [ "$verdict" = message ] && ! grep -q 'No space left on device' "$work/stderr"; then
        report_broken "$name, a disk of $size KiB: the message does not say why: $(head -c 300 "$work/stderr")"
      fi
      if [ "$verdict" = message ] && [ "$size" -eq 1024 ]; then report_broken "$name: fails on a large disk"; fi
    done
  done
}

dev_full() {
  local name line
  for name in $case_names; do
    line=" ${cases[$name]} "
    # The file for results, then standard output.
    launch "$work/run" "$tool" ${line/ -o out / -o \/dev\/full }
    full "$name -o /dev/full"
    full_stdout ${line/ -o out / }
    full "$name >/dev/full"
  done
  # With these bad records only, the results are complete, but the bad records are not.
  launch "$work/run" "$tool" records --rejects /dev/full ../in.ndjson
  full "--rejects /dev/full"
  # Without a place for messages the status is still true.
  full_stderr
}

# full FAULT: the last run must have ended with a message about a full disk.
full() {
  verdict=message
  if [ "$status" -ne 2 ]; then
    report_broken "$1: status $status instead of 2"
  elif ! grep -q '^jsift: .*No space left on device' "$work/stderr"; then
    report_broken "$1: no message: $(head -c 300 "$work/stderr")"
  else
    count "$1"
  fi
}

full_stdout() { launch "$work/run" bash -c 'exec "$@" >/dev/full' - "$tool" "$@"; }

full_stderr() {
  launch "$work/run" bash -c 'exec "$@" 2>/dev/full' - "$tool" records -o new --rejects rej ../in.ndjson
  verdict=same
  if [ "$status" -ne "${expected_status[all]}" ] || ! cmp -s "$work/run/new" "$work/expected/all.out"; then
    report_broken "2>/dev/full: status $status"
  else
    count "2>/dev/full"
  fi
  rm -f "$work/run/new"
}

# MARK: Limits

part_limits() {
  make_inputs 200
  local name number most
  for name in $case_names; do expect "$name"; done
  for name in $case_names; do
    # Address space in KiB, up to more than is used. Without memory the program dies.
    for number in $(steps 4096 300000 "$(pick 7 80)"); do
      limited "$name" -v "$number" same message died unready
    done
    # Descriptors. The loader of the program needs one.
    for number in $(steps 0 20 "$(pick 6 21)"); do limited "$name" -n "$number" same message unready; done
    # The size of a file in KiB, from none to more than is written.
    most=$(($(stat -c %s "$work/expected/$name.out") / 1024 + 2))
    for number in $(steps 0 "$most" "$(pick 4 32)"); do limited_size "$name" "$number"; done
    # Stack in KiB. With less than a few pages the system does not start a program.
    for number in $(steps 4 400 "$(pick 5 24)"); do
      if [ "$number" -lt 32 ]; then
        limited "$name" -s "$number" same message died unready
      else
        limited "$name" -s "$number" same message unready
      fi
    done
  done
  end_part same message
}

# limited CASE OPTION NUMBER VERDICT...
limited() {
  local name=$1 option=$2 number=$3
  shift 3
  limits="ulimit $option $number"
  attempt "$name"
  limits=''
  judge "$name" "ulimit $option $number" "$@"
}

# A limit of file sizes is for the messages, too, so they go through a pipe.
limited_size() {
  local name=$1 number=$2 reader
  [ -p "$work/messages" ] || mkfifo "$work/messages"
  cat "$work/messages" >"$work/stderr" &
  reader=$!
  limits="exec 2>'$work/messages'; ulimit -f $number"
  attempt "$name"
  limits=''
  wait "$reader"
  judge "$name" "ulimit -f $number" same message
}

# MARK: SIGKILL, which no program can handle

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

part_calls() {
  if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true 2>/dev/null; then
    skip "faults calls" "strace is missing, or may not trace"
    return 0
  fi
  make_inputs 60
  local name call most since names
  names=$(pick 'all' "$case_names")
  # A tool with a planted defect cannot edit.
  [ -n "${BROKEN-}" ] || names+=' in-place'
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

# MARK: Calls of the C library that fail (Tests/ToolFaults/failing-calls.c)

preload=$PWD/.build/faults/failing-calls.so

# count_calls CASE CALL PATH: sets calls to the number of calls on files whose path contains PATH.
count_calls() {
  attempt "$1" env LD_PRELOAD="$preload" FAULT="$2:0:0" FAULT_PATH="$3" FAULT_COUNT="$work/calls"
  runs=$((runs - 1))
  read -r calls <"$work/calls"
}

# Without memory the Swift runtime ends the program by a signal. While it starts threads it may wait for memory.
part_allocations() {
  make_inputs 30
  local name number before
  for name in $(pick 'get all stats' "$case_names"); do
    expect "$name"
    count_calls "$name" malloc ''
    for number in $(steps 1 "$calls" "$(pick 16 600)"); do fail_allocation "$name" "$number:12"; done
  done
  # No memory from some point on.
  for name in $(pick 'all' "$case_names"); do
    expect "$name"
    count_calls "$name" malloc ''
    for number in $(steps 1 "$calls" "$(pick 4 40)"); do fail_allocation "$name" "$number+:12"; done
  done
  # The log is long enough for workers: the allocations after those of a short log include those of their start.
  if [ -n "$is_long" ]; then
    cases[two]='records -j 2 -o out --rejects rej ../in.ndjson'
    expect two
    count_calls two malloc ''
    before=$calls
    make_inputs 10000
    expect two
    for number in $(seq $((before - 50)) $((before + 150))); do fail_allocation two "$number:12"; done
  fi
  echo "faults allocations: $waited of those that died waited for memory"
  end_part died
}
waited=0

# fail_allocation CASE FAULT
fail_allocation() {
  attempt "$1" timeout -s KILL "$(pick 2 5)" env LD_PRELOAD="$preload" FAULT="malloc:$2"
  # timeout ends with 137 only if it had to end the program.
  [ "$status" -ne 137 ] || waited=$((waited + 1))
  judge "$1" "FAULT=malloc:$2" same message died
}

# The numbers of errno: 4 EINTR, 5 EIO, 11 EAGAIN, 12 ENOMEM, 13 EACCES, 18 EXDEV, 22 EINVAL, 24 EMFILE, 28 ENOSPC, 30 EROFS.
part_preload() {
  make_inputs "$(pick 60 3000)"
  local name
  for name in $(pick 'all format' "$case_names"); do
    expect "$name"
    # An interrupted, a nonblocking and a short read are repeated.
    fail "$name" read ../in. same '4 11 s1 s2 s3 s4 s5 s6 s7'
    fail "$name" read ../in. message '5'
    fail "$name" write .part same '4 11 s1 s7'
    fail "$name" write .part message '5 28'
    fail "$name" fsync .part same '4 22 30'
    fail "$name" fsync .part message '5 28'
    fail "$name" close .part same '4'
    fail "$name" close .part message '5 28'
    fail "$name" rename .part message '5 13 18 28 30'
    fail "$name" open .part same '4'
    fail "$name" open .part message '5 13 24 28 30'
    fail "$name" open ../in. same '4'
    fail "$name" open ../in. message '5 13 24'
    # The input was read completely when it is closed.
    fail "$name" close ../in. same '4 5'
    if [ -f "$work/expected/$name.rej" ]; then
      fail "$name" write /rej same '4 11 s1 s7'
      fail "$name" write /rej message '5 28'
      fail "$name" close /rej message '5 28'
      fail "$name" open rej message '5 13 24 28 30'
    fi
    # Without helper threads one thread does all.
    fail "$name" thread '' same '11'
    # Each call, and not only one.
    repeat "$name" read ../in. same 's1 s7'
    repeat "$name" write .part same 's1 s7'
  done
  end_part same message
}

# fail CASE CALL PATH VERDICT EFFECTS: each of the calls has each effect.
fail() {
  local name=$1 call=$2 path=$3 verdict_wanted=$4 effects=$5 effect number all
  count_calls "$name" "$call" "${path#..}"
  all=$calls
  for number in $(steps 1 "$all" "$(pick 2 40)"); do
    for effect in $effects; do faulty "$name" "$call:$number:$effect" "$path" "$verdict_wanted"; done
  done
}

# repeat CASE CALL PATH VERDICT EFFECTS: all calls have each effect.
repeat() {
  local effect
  for effect in $5; do faulty "$1" "$2:1+:$effect" "$3" "$4"; done
}

faulty() {
  attempt "$1" timeout -s KILL 60 env LD_PRELOAD="$preload" FAULT="$2" FAULT_PATH="${3#..}"
  judge "$1" "FAULT=$2 FAULT_PATH=${3#..}" "$4"
  # The message names the reason.
  if [ "$verdict" = message ] && [ "${2##*:}" = 5 ] && ! grep -q 'Input/output error' "$work/stderr"; then
    report_broken "$1, FAULT=$2: the message does not say why: $(head -c 300 "$work/stderr")"
  fi
}
