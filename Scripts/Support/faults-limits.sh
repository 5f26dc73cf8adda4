# The parts full-disk and limits of Scripts/faults.

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
      echo before >"$work/run/out"
      launch "$work" "${enter[@]}" bash -c '
        mount -t tmpfs -o size='"$size"'k faults disk
        if [ '"$size"' -gt 4 ]; then cp before disk/out; fi
        (cd disk; exec "$@"); status=$?
        rm -f run/out run/rej; cp -p disk/* disk/.*.part run/ 2>/dev/null
        exit $status' - "$tool" ${cases[$name]}
      # On the smallest disk there is no room for a previous file.
      if [ "$size" -eq 4 ] && [ ! -e "$work/run/out" ]; then echo before >"$work/run/out"; fi
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
