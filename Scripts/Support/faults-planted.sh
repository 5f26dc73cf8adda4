# The part planted of Scripts/faults: each of the other parts must find the defects of broken tools, and must find nothing in
# the same tool without a defect.

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
      JSIFT=.build/faults/broken-tool BROKEN=$defect FAULTS_SEED=1 FAULTS_STOP=1 Scripts/faults "$part_name" \
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
