# check faults [--long] [PART...]: runs the tool while the system fails, and checks what is left behind: the output file is the
# previous one or the complete new one, the exit status is true, an error has a message. Only on Linux. The default is all
# parts but planted and library in their short form, which takes less than a minute; --long tries every place of a fault, which
# takes half an hour.
#
#   full-disk    a full tmpfs, and /dev/full
#   limits       ulimit -v, -n, -f, -s
#   kill         SIGKILL at random times
#   calls        SIGKILL at system calls, by strace; the order of the calls that complete a file
#   allocations  the n-th allocation fails, by a preloaded library
#   preload      the n-th read, write, rename, close, fsync or open fails or is cut short, by the same library
#   inputs       FIFOs, files of /proc, files that change while they are read, unusual names, closed descriptors
#   locales      C, German and Turkish
#   library      the tests of the library in a process that has set a German or Turkish locale; needs the debug build
#   planted      each of these parts finds the defects of broken tools (Tests/ToolFaults/broken-tool.c)
#
# JSIFT        the tool (default: .build/release/jsift)
# FAULTS_SEED  the seed of random times, which is printed

if [ "$(uname -s)" != Linux ]; then
  skip "faults" "the faults are those of Linux"
  exit 0
fi

# MARK: Runs

# A part runs commands ("cases") under a fault, and judges what is left behind.
#
# work   a folder: the inputs, `expected` with the results without a fault, `run` in which each run takes place
# tool   the tool

# The arguments of each case, split at blanks; none may be a pattern of file names. Each writes the file `out`; some write bad
# records to `rej`.
declare -A cases=(
  [get]='get $.message -o out --rejects rej ../in.ndjson'
  [records]='records --where @.request.latency_ms>50 -o out --rejects rej ../in.ndjson'
  [all]='records -o out --rejects rej ../in.ndjson'
  [csv]='records --format csv --select l=$.level --select m=$.message -o out ../in.ndjson'
  [each]='each $.items -o out ../in.json'
  [format]='format -o out ../in.json'
  [shape]='shape -o out ../in.ndjson'
  [stats]='stats --of ms=$.request.latency_ms --by s=$.service -o out ../in.ndjson'
  [check]='check -o out ../in.ndjson'
  [in-place]='edit --mask $.message --in-place out'
)
# The content of the file `out` before a run.
previous='{"message":"before"}'
case_names='get records all csv each format shape stats check'

# make_inputs N: a log of N records, every 20th of which is bad, and a document with the good ones.
make_inputs() {
  Scripts/make-log "$1" >"$work/good.ndjson"
  awk 'NR % 20 == 7 { print substr($0, 1, length($0) / 2); next } { print }' "$work/good.ndjson" >"$work/in.ndjson"
  awk 'BEGIN { print "{\"items\":[" } { printf "%s%s\n", (NR > 1 ? "," : ""), $0 } END { print "]}" }' \
    "$work/good.ndjson" >"$work/in.json"
}

# begin_part NAME: sets the counts to zero.
begin_part() {
  part=$1
  part_start=$SECONDS
  runs=0
  broken=0
  declare -gA tally=()
}

# end_part [WORD...]: prints the counts. Fails if a run was broken, if there was no run, or if no run had one of the verdicts:
# then the faults had no effect.
end_part() {
  local word line=''
  for word in "$@"; do
    if [ "${tally[$word]-0}" -eq 0 ]; then
      echo "faults $part: no run had the result '$word', so the faults have no effect"
      broken=$((broken + 1))
    fi
  done
  for word in "${!tally[@]}"; do line+=", ${tally[$word]} $word"; done
  echo "faults $part: $runs runs$line; $broken broken ($((SECONDS - part_start)) s)"
  total_runs=$((total_runs + runs))
  [ "$runs" -gt 0 ] && [ "$broken" -eq 0 ] || failed=1
}

# report_broken WORDS: a run that breaks a promise.
report_broken() {
  broken=$((broken + 1))
  verdict=broken
  [ "$broken" -gt 10 ] || echo "faults $part: BROKEN: $*"
  # Only whether something is found is of interest.
  [ -z "${FAULTS_STOP-}" ] || exit 1
}

# attempt CASE [COMMAND...]: runs the case below the command, in `run`, where `out` is the previous file. Sets status. The
# subshell evaluates $limits before that.
limits=''
attempt() {
  local name=$1
  shift
  rm -f "$work/run/rej" "$work"/run/.*.part
  echo "$previous" >"$work/run/out" || true
  launch "$work/run" "$@" "$tool" ${cases[$name]}
}

# launch FOLDER COMMAND...: runs the command in the folder. Sets status; what it writes is in stdout and stderr of $work.
launch() {
  local folder=$1
  shift
  runs=$((runs + 1))
  status=0
  : >"$work/stderr"
  # The outer redirection hides the shell's message about a process that died.
  { (
    cd "$folder"
    eval "$limits"
    exec "$@"
  ) <"$input" >"$work/stdout" 2>>"$work/stderr" || status=$?; } 2>/dev/null
}
input=/dev/null

# expect CASE: stores the results of a run without a fault.
expect() {
  local name=$1
  attempt "$name"
  runs=$((runs - 1))
  cp "$work/run/out" "$work/expected/$name.out"
  rm -f "$work/expected/$name.rej"
  if [ -f "$work/run/rej" ]; then cp "$work/run/rej" "$work/expected/$name.rej"; fi
  cp "$work/stdout" "$work/expected/$name.stdout"
  cp "$work/stderr" "$work/expected/$name.stderr"
  expected_status[$name]=$status
  if [ "$status" -gt 1 ] || cmp -s "$work/run/out" "$work/before"; then
    cat "$work/stderr"
    report_broken "'$name' fails without a fault, with status $status"
  fi
}
declare -A expected_status=()

has_partial() {
  local file
  for file in "$work"/run/.*.part; do [ -e "$file" ] && return 0; done
  return 1
}

# judge CASE FAULT [VERDICT...]: sets verdict to what the last run was, and reports the run if it broke a promise or had none
# of the verdicts.
#
#   same     the results, messages and status of a run without a fault
#   message  a message and status 2; the previous output file
#   died     a signal; the previous output file or the complete new one; perhaps a temporary file
#   unready  the system did not start the program; the previous output file
judge() {
  local name=$1 fault=$2 out=old size=0 rejects=complete
  shift 2
  verdict=''
  if cmp -s "$work/run/out" "$work/expected/$name.out"; then
    out=new
  elif ! cmp -s "$work/run/out" "$work/before"; then
    report_broken "$name, $fault: the output file is neither the previous one nor the complete new one (status $status)"
    return
  fi
  if [ -f "$work/expected/$name.rej" ]; then
    if [ ! -f "$work/run/rej" ]; then
      rejects=none
    elif ! cmp -s "$work/run/rej" "$work/expected/$name.rej"; then
      rejects=part
      size=$(stat -c %s "$work/run/rej")
      if ! head -c "$size" "$work/expected/$name.rej" | cmp -s "$work/run/rej" -; then
        report_broken "$name, $fault: the bad records are not the beginning of all (status $status)"
        return
      fi
    fi
  fi
  if [ "$status" -eq "${expected_status[$name]}" ] && [ $out = new ]; then
    if [ $rejects != complete ]; then
      report_broken "$name, $fault: status $status, but bad records are missing"
    elif ! cmp -s "$work/stdout" "$work/expected/$name.stdout" || ! cmp -s "$work/stderr" "$work/expected/$name.stderr"; then
      report_broken "$name, $fault: status $status, but other text: $(head -c 300 "$work/stderr")"
    elif has_partial; then
      report_broken "$name, $fault: a temporary file is left"
    else
      verdict=same
    fi
  elif [ "$status" -ge 128 ]; then
    verdict=died
  elif [ $out = new ]; then
    report_broken "$name, $fault: the output file is complete, but the status is $status: $(head -c 300 "$work/stderr")"
  elif [ "$status" -ge 126 ]; then
    verdict=unready
  elif [ "$status" -eq 2 ]; then
    if ! grep -a -q '^jsift: ' "$work/stderr"; then
      report_broken "$name, $fault: status 2 without a message: $(head -c 300 "$work/stderr")"
    elif has_partial; then
      report_broken "$name, $fault: a temporary file is left"
    else
      verdict=message
    fi
  else
    report_broken "$name, $fault: the output file is unchanged, and the status is $status: $(head -c 300 "$work/stderr")"
  fi
  [ -n "$verdict" ] && [ "$verdict" != broken ] || return 0
  count "$name, $fault" "$@"
}

# count FAULT [VERDICT...]: counts the verdict, and reports the run if the verdict is none of these.
count() {
  local fault=$1 allowed
  shift
  tally[$verdict]=$((${tally[$verdict]-0} + 1))
  [ $# -gt 0 ] || return 0
  for allowed in "$@"; do [ "$verdict" != "$allowed" ] || return 0; done
  report_broken "$fault: '$verdict' instead of '$*' (status $status): $(head -c 300 "$work/stderr")"
}

# steps FROM TO COUNT: prints COUNT numbers at most, evenly from FROM to TO.
steps() {
  awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN {
    if (n > b - a + 1) n = b - a + 1
    for (i = 0; i < n; i++) print (n > 1 ? int(a + (b - a) * i / (n - 1)) : a)
  }'
}

# Prints the number of microseconds since the epoch.
now() { echo "${EPOCHREALTIME/[.,]/}"; }

# MARK: Planted

# Each of the other parts must find the defects of broken tools, and must find nothing in the same tool without a defect.
planted='full-disk: direct ignores-writes silent leaves-part wrong-status
limits: direct ignores-writes wrong-status
kill: direct rejects-placeholder
calls: direct early-rename no-sync
allocations: ignores-memory
preload: ignores-reads ignores-writes short-writes no-eintr ignores-close ignores-sync ignores-rename leaves-part
inputs: trusts-size maps raw-names silent
locales: locale'

part_planted() {
  local part_name defects defect log=$work/planted.log
  while IFS=: read -r part_name defects; do
    for defect in none $defects; do
      runs=$((runs + 1))
      status=0
      JSIFT=.build/faults/broken-tool BROKEN=$defect FAULTS_SEED=1 FAULTS_STOP=1 Scripts/check faults "$part_name" \
        >"$log" 2>"$work/stderr" || status=$?
      verdict=found
      if [ "$defect" = none ]; then
        verdict=passed
        [ "$status" -eq 0 ] || report_broken "$part_name finds something in a tool without a defect: $(tail -n 3 "$log")"
      elif [ "$status" -eq 0 ]; then
        report_broken "$part_name does not find the defect '$defect'"
      elif ! grep -q 'BROKEN' "$log"; then
        report_broken "$part_name fails for another reason with '$defect': $(tail -n 3 "$log" "$work/stderr")"
      fi
      [ "$verdict" = broken ] || count "$part_name $defect"
    done
  done <<<"$planted"
  end_part found passed
}

. Scripts/Support/faults-system.sh
. Scripts/Support/faults-inputs.sh

# MARK: What runs

is_long=''
parts=()
while [ $# -gt 0 ]; do
  case $1 in
  --long) is_long=1 ;;
  full-disk | limits | kill | calls | allocations | preload | inputs | locales | library | planted) parts+=("$1") ;;
  *) usage ;;
  esac
  shift
done
[ "${#parts[@]}" -gt 0 ] || parts=(full-disk limits kill calls allocations preload inputs locales)

find_tool faults "${JSIFT-.build/release/jsift}"

# pick SHORT LONG: a number that depends on the form.
pick() { if [ -n "$is_long" ]; then echo "$2"; else echo "$1"; fi; }

ulimit -c 0
# A backtrace takes seconds, and the tool is expected to die here.
export SWIFT_BACKTRACE=enable=no LC_ALL=C
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
mkdir "$work/run" "$work/expected"
echo "$previous" >"$work/before"
failed=''
total_runs=0
build_helpers failing-calls measure broken-tool

for name in "${parts[@]}"; do
  begin_part "$name"
  "part_${name//-/_}"
done
echo "faults: $total_runs runs after $SECONDS s$([ -z "$failed" ] || echo ', FAILED')"
[ -z "$failed" ]
