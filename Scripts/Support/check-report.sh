# check report [JSIFT] [FOLDER]: opens pages of `jsift report` in Chromium: hostile text runs nothing and stays what it is, a validator
# accepts the page, and pictures of it at three widths are written into FOLDER (default: .build/report-pictures). Chromium and tidy are
# installed if they are missing and this is Debian or Ubuntu. `pages report` writes the pictures of the documentation so.
#
# JSIFT is the program (default: .build/debug/jsift).

find_tool report "${1-.build/debug/jsift}"
if { ! command -v chromium || ! command -v tidy; } >/dev/null && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  mkdir -p .build
  { apt-get update && apt-get install -y --no-install-recommends chromium tidy fonts-dejavu-core; } >.build/chromium.log 2>&1 || true
fi
if ! command -v chromium >/dev/null || ! command -v tidy >/dev/null; then
  skip report "Chromium or tidy is missing; on Debian the packages chromium and tidy"
  exit 0
fi
python3 Tests/ReportPages/pages.py "$tool" chromium "${2-.build/report-pictures}"
