"""pages.py JSIFT CHROMIUM FOLDER: opens pages of `jsift report` in a browser.

Ten pages about logs with a hundred hostile strings each: no script may run, and the text of each cell must be that of the report.
Then six pictures of a page, at three widths on light and on dark ground, into FOLDER.
"""

import html.parser
import json
import os
import random
import subprocess
import sys
import tempfile

jsift, chromium, folder = sys.argv[1:4]
browser = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]
scripts = [
    "<script>document.title='ran'</script>", "<img src=x onerror=\"document.title='ran'\">", "<svg onload=document.title=1>",
    "\"><b onmouseover=alert(1)>", "'><iframe src=javascript:alert(1)>", "</style><script>alert(1)</script>", "</title>",
    "<!--", "-->", "]]>", "&lt;i&gt;", "&#x3c;", "&amp;", "javascript:alert", "\u202eabc", "\u2066\u2069", "\u200b", "\ufeff",
    "\x1b[31m", "\x00", "\x7f", "\x85", "\t", "\n", "\r", "\\u{9}", "日本", "é", "🎉", "<", ">", "\"", "'", "`", "=", "/",
]
letters = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def is_hidden(code):
    return (
        code < 0x20 or 0x7F <= code < 0xA0 or 0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E
        or 0x2066 <= code <= 0x2069 or code in (0xFEFF, 0xFFFE, 0xFFFF)
    )


def visible(text):
    return "".join(letters.get(c) or ("\\u{%x}" % ord(c) if is_hidden(ord(c)) else c) for c in text)


class Cells(html.parser.HTMLParser):
    """The texts of cells, the title, and the names of elements."""

    def __init__(self):
        super().__init__()
        self.cells, self.names, self.title, self.open = [], set(), "", None

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        assert not any(name.startswith("on") for name, _ in attributes), attributes
        self.open = tag
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open in ("td", "th"):
            self.cells[-1] += data
        if self.open == "title" and not self.title:
            self.title = data


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True).stdout.decode()


def opened(page):
    """The document as the browser has it after its scripts, if there were any, have run."""
    cells = Cells()
    cells.feed(run(*browser, "--dump-dom", "file://" + page))
    return cells


def hostile(work, number, random):
    log, page = os.path.join(work, "hostile.log"), os.path.join(work, "hostile.html")
    strings = ["".join(random.choices(scripts, k=random.randint(1, 4)))[:70] + "~%d" % n for n in range(100)]
    with open(log, "w") as file:
        for index in range(60):
            record = {"f%d" % n: strings[20 + n * 10 + index % 10] for n in range(8)}
            record["message"] = strings[index % 20]
            record[strings[index % 20]] = strings[index % 7]
            file.write(json.dumps(record) + "\n")
    named = [word for n in range(8) for word in ("--by", "$.f%d" % n)]
    options = [jsift, "report", "--examples", "all", *named, log]
    report = json.loads(run(*options, "--format", "json"))
    run(*options, "-o", page)
    found = opened(page)
    assert found.title == "Report of " + log, found.title
    assert not found.names & {"script", "img", "iframe", "b", "i", "link", "object"}, found.names
    shown, compared = set(found.cells), 0
    for section in report["sections"]:
        for row in section["rows"] if section["id"].startswith(("values", "messages")) else []:
            for cell in row.values():
                text = visible(cell) if isinstance(cell, str) else json.dumps(cell)
                assert text in shown, (number, text)
                compared += 1
    assert compared > 100, compared
    run("tidy", "-q", "-e", page)
    return compared


def incident(path, random):
    """Ten hours of a service that loses its database for eleven minutes."""
    with open(path, "w") as file:
        for second in range(0, 36000):
            fails = 21000 <= second < 21660
            for _ in range(random.randint(1, 3)):
                level = random.choices(["info", "debug", "warn", "error"], [90, 8, 2, 0.3])[0]
                if fails and random.random() < 0.4:
                    level = "error"
                messages = {
                    "info": "request %d served" % random.randint(1, 99999), "debug": "cache probe: hit",
                    "warn": "slow upstream: %d ms" % random.randint(500, 3000),
                    "error": "timeout after 30000 ms: pool db-%d exhausted" % random.randint(1, 3) if fails
                    else "card declined: code %d" % random.randint(1, 9),
                }
                record = {
                    "ts": "2026-03-04T%02d:%02d:%02d.%03dZ" % (second // 3600 + 6, second // 60 % 60, second % 60, random.randint(0, 999)),
                    "level": level, "service": random.choice(["checkout", "billing", "search"]),
                    "status": 503 if level == "error" else random.choices([200, 404], [97, 3])[0],
                    "ms": round(random.expovariate(1 / 80), 1), "msg": messages[level],
                }
                file.write(json.dumps(record) + "\n")


with tempfile.TemporaryDirectory() as work:
    seed = int(os.environ.get("JSONSIFT_TEST_SEED", random.randrange(1 << 32)))
    print("pages: seed", seed)
    source = random.Random(seed)
    print("pages: %d cells with hostile text" % sum(hostile(work, number, source) for number in range(10)))
    log = os.path.join(work, "service.log")
    incident(log, random.Random(5))
    page = os.path.join(work, "report.html")
    subprocess.run([jsift, "report", "service.log", "-o", page], check=True, cwd=work)
    run("tidy", "-q", "-e", page)
    with open(page) as file:
        text = file.read()
    assert "records of level error: up to" in text and "2026-03-04T11:50:00Z" in text.split("<section")[0], text[:3000]
    assert "timeout after &lt;number&gt; ms: pool db-&lt;number&gt; exhausted" in text
    os.makedirs(folder, exist_ok=True)
    for width in (360, 820, 1600):
        for scheme, name in ((1, "light"), (0, "dark")):
            picture = os.path.join(folder, "report-%d-%s.png" % (width, name))
            # The browser makes no window narrower than 500; a frame of that width is a page as a telephone shows it.
            run(*browser, "--blink-settings=preferredColorScheme=%d" % scheme, "--screenshot=" + picture,
                "--window-size=%d,1000" % width, "file://" + page)
            assert os.path.getsize(picture) > 10_000, picture
    print("pages: pictures in", folder)
