# The part offsets of Scripts/soak.

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
