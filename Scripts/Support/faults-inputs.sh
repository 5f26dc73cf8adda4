# The parts inputs and locales of Scripts/check faults. Every good line of the log is a result, in its own words.

part_inputs() {
  make_inputs 300
  reference=$work/reference
  launch "$work" "$tool" records good.ndjson
  cp "$work/stdout" "$reference"
  [ -s "$reference" ] && [ "$status" -eq 0 ] || report_broken "no results without a fault: $(head -c 300 "$work/stderr")"
  streams
  special_files
  changing_files
  names
  refused
  closed
  end_part same message
}

# is_same FAULT: the last run must have had all results.
is_same() {
  verdict=same
  if [ "$status" -ne 0 ] || ! cmp -s "$work/stdout" "$reference"; then
    report_broken "$1: other results, status $status: $(head -c 300 "$work/stderr")"
  else
    count "$1"
  fi
}

# is_beginning FAULT: the last run must have had the first results, and no signal.
is_beginning() {
  verdict=beginning
  if [ "$status" -gt 2 ] || ! head -c "$(stat -c %s "$work/stdout")" "$reference" | cmp -s "$work/stdout" -; then
    report_broken "$1: other results, status $status: $(head -c 300 "$work/stderr")"
  else
    count "$1"
  fi
}

# is_refused FAULT REASON: the last run must have ended with one line that contains the reason.
is_refused() {
  verdict=message
  if [ "$status" -ne 2 ]; then
    report_broken "$1: status $status instead of 2"
  elif ! grep -a -q "^jsift: .*$2" "$work/stderr" || [ "$(wc -l <"$work/stderr")" -ne 1 ]; then
    report_broken "$1: expected one line with '$2': $(head -c 300 "$work/stderr")"
  else
    count "$1"
  fi
}

# shell COMMAND: runs a shell command with the tool as $1.
shell() { launch "$work" bash -c "$1" - "$tool"; }

streams() {
  mkfifo "$work/fifo"
  local text
  for text in 'cat good.ndjson >fifo & "$1" records fifo' '"$1" records - <good.ndjson' 'cat good.ndjson | "$1" records -' \
    'cat good.ndjson | "$1" records /dev/stdin' '"$1" records /dev/fd/0 <good.ndjson' \
    'dd if=good.ndjson bs=97 status=none | "$1" records -' 'dd if=good.ndjson of=fifo bs=997 status=none & "$1" records fifo' \
    '(head -c 5000 good.ndjson; sleep 0.1; tail -c +5001 good.ndjson) | "$1" records -'; do
    shell "$text"
    is_same "$text"
  done
}

special_files() {
  # Its size is 0.
  cp /proc/sys/kernel/pid_max "$work/pid_max"
  launch "$work" "$tool" records /proc/sys/kernel/pid_max
  verdict=same
  if [ "$status" -eq 0 ] && cmp -s "$work/stdout" "$work/pid_max"; then
    count /proc
  else
    report_broken "/proc/sys/kernel/pid_max: status $status: $(head -c 300 "$work/stdout" "$work/stderr")"
  fi
  launch "$work" "$tool" records /dev/null
  if [ "$status" -le 1 ] && [ ! -s "$work/stdout" ]; then count /dev/null; else report_broken "/dev/null: status $status"; fi
}

# The reader of the results waits, so that the tool has read a part of its input when the file changes.
changing_files() {
  local command change commands=('records') number
  [ -z "$is_long" ] || commands+=('records -j 2' 'records -j 1' 'get $')
  for number in $(seq 60); do cat "$work/good.ndjson"; done >"$work/large"
  launch "$work" "$tool" records large
  cp "$work/stdout" "$work/all"
  for command in "${commands[@]}"; do
    for change in 'truncate -s 4096 big' ': >big' 'cat good.ndjson >>big' 'rm big' 'mv other big'; do
      cp "$work/large" "$work/big"
      echo '{"other":true}' >"$work/other"
      reference=$work/all
      shell '"$1" '"${command/\$/\\\$}"' big | { sleep 0.1; '"$change"'; cat; }; exit "${PIPESTATUS[0]}"'
      case $change in
      rm* | mv*) is_same "$command, $change" ;;
      cat*)
        cat "$work/good.ndjson" >>"$work/large"
        cat "$work/reference" >>"$work/all"
        is_beginning "$command, $change"
        ;;
      *) is_beginning "$command, $change" ;;
      esac
      reference=$work/reference
    done
  done
}

names() {
  local name long
  long=$(printf '%0250d' 0)
  for name in $'a\nb' $'\xff\xfe.ndjson' ' ' "'" '"' '*' "$long" 'ü' $'\e[31m'; do
    cp "$work/good.ndjson" "$work/$name"
    launch "$work" "$tool" records "$name"
    is_same "the name ${name@Q}"
    rm "$work/$name"
    launch "$work" "$tool" records "$name"
    is_refused "no file with the name ${name@Q}" 'No such file or directory'
    launch "$work/run" "$tool" records -o "$name" ../good.ndjson
    cp "$work/run/$name" "$work/stdout" || true
    is_same "results in ${name@Q}"
    rm -f "$work/run/$name"
  done
  cp "$work/good.ndjson" "$work/-x"
  launch "$work" "$tool" records ./-x
  is_same "./-x"
}

refused() {
  mkdir "$work/folder" "$work/closed"
  ln -s loop "$work/loop"
  local name reason drop=(env)
  while read -r name reason; do
    launch "$work" "$tool" records "$name"
    is_refused "reading $name" "$reason"
    launch "$work" "$tool" records -o "$name" good.ndjson
    is_refused "writing $name" "$reason"
  done <<END
folder Is a directory
loop Too many levels of symbolic links
good.ndjson/x Not a directory
none/x No such file or directory
$(printf '%0300d' 0) File name too long
END
  # Root may read everything, unless it gives up that right.
  if [ "$(id -u)" -eq 0 ]; then
    drop=(setpriv '--bounding-set=-dac_override,-dac_read_search')
    if ! "${drop[@]}" true 2>/dev/null; then
      skip "faults inputs" "permissions do not matter to root, and setpriv is missing"
      return 0
    fi
  fi
  cp "$work/good.ndjson" "$work/secret"
  chmod 0 "$work/secret" "$work/closed"
  launch "$work" "${drop[@]}" "$tool" records secret
  is_refused "reading without permission" 'Permission denied'
  launch "$work" "${drop[@]}" "$tool" records -o closed/out good.ndjson
  is_refused "writing without permission" 'Permission denied'
}

closed() {
  shell '"$1" records good.ndjson <&-'
  is_same 'standard input is closed'
  shell '"$1" records good.ndjson 2>&-'
  is_same 'standard error is closed'
  shell '"$1" records good.ndjson >&-'
  is_refused 'standard output is closed' 'Bad file descriptor'
  shell '"$1" records -o closed.out good.ndjson <&- >&- 2>&-; mv closed.out stdout'
  is_same 'all three are closed'
}

# MARK: Locales

part_locales() {
  local name locale zone
  make_inputs 100
  make_locales || return 0
  for name in $case_names; do
    expect "$name"
    for locale in de_DE.UTF-8 tr_TR.UTF-8 C.UTF-8 none; do
      for zone in UTC $(pick '' Asia/Kathmandu); do
        attempt "$name" env LC_ALL="$locale" LANG="$locale" TZ="$zone"
        judge "$name" "LC_ALL=$locale TZ=$zone" same
      done
    done
  done
  end_part same
}

# Many programs set the locale of their environment; a test process does not. Messages of the system stay English, since the
# tests know them.
part_library() {
  local locale setter=$work/set-locale.so tests=.build/debug/JSONSiftPackageTests.xctest
  [ -x "$tests" ] || {
    echo "faults library: expected tests at $tests; swift build --traits Compression --build-tests" >&2
    exit 2
  }
  make_locales || return 0
  cc -shared -fPIC -x c -o "$setter" - <<'END'
#include <locale.h>
__attribute__((constructor)) static void set_locale(void) {
  setlocale(LC_ALL, "");
  setlocale(LC_MESSAGES, "C");
}
END
  for locale in de_DE.UTF-8 tr_TR.UTF-8; do
    LC_ALL=$locale LD_PRELOAD=$setter "$tests" --testing-library swift-testing \
      --filter '^(JSONSiftTests|AnalysisTests|ArrowTests|ConformanceTests|CodingTests|SwiftyJSONTests|SGYSwiftJSONTests|CompressionTests)\.' \
      >"$work/$locale.log" 2>&1 || {
      grep -a '✘' "$work/$locale.log" | sed -n 1,20p >&2
      echo "faults library: a test failed with LC_ALL=$locale" >&2
      exit 1
    }
    echo "faults library: LC_ALL=$locale: $(grep -a -o 'Test run with .*' "$work/$locale.log")"
  done
}

# Compiles German and Turkish, if the system has not got them.
make_locales() {
  local locale folder=$PWD/.build/faults/locales
  for locale in de_DE tr_TR; do
    [ "$(has_comma $locale)" != 0,5 ] || continue
    export LOCPATH=$folder
    [ "$(has_comma $locale)" != 0,5 ] || continue
    mkdir -p "$folder"
    localedef -i "$locale" -f UTF-8 "$folder/$locale.UTF-8" >/dev/null 2>&1 || true
    if [ "$(has_comma $locale)" != 0,5 ]; then
      unset LOCPATH
      skip "faults locales" "the locale $locale is missing, and localedef cannot make it"
      return 1
    fi
  done
}

has_comma() { LC_ALL=$1.UTF-8 bash -c 'printf %.1f 0,5' 2>/dev/null; }
