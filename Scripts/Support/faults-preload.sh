# The parts allocations and preload of Scripts/faults: a call of the C library fails (Scripts/Support/faults.c).

preload=$PWD/.build/faults/faults.so

# count_calls CASE CALL PATH: sets calls to the number of calls on files whose path contains PATH.
count_calls() {
  attempt "$1" env LD_PRELOAD="$preload" FAULT="$2:0:0" FAULT_PATH="$3" FAULT_COUNT="$work/calls"
  runs=$((runs - 1))
  read -r calls <"$work/calls"
}

# MARK: Allocations

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

# MARK: Calls

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
