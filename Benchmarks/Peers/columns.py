#!/usr/bin/env python3
"""run columns [--mb N] [--rounds N] [--jsift FILE]: six typed columns of a log, as jsift records --format arrow writes them, beside
DuckDB, polars and pyarrow.json, which read the same columns, and beside libyajl with empty callbacks.

Each program is a process, and its time includes its start. All run in turn, each round beginning with a different one. Before
the clock starts, the answer of each is compared with that of Python's json for a short log, and afterwards all must have the
same answer for the long one: the number of rows, of null values, and sums over each column.

jsift writes all columns to a file, whose sums are computed without the clock. The others compute the sums while they read, and
write nothing, which is less work; `to Arrow` writes the columns, too.

JSONSIFT_BENCH_PYTHON_FOLDER  a virtual environment with duckdb, polars and pyarrow, kept (default: a temporary one)
JSONSIFT_BENCH_BUILD          the build folder (default: Benchmarks/.build)
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
# The first time in the log in microseconds: sums of the times since then fit 64 bits.
START = 1_740_787_200_000_000
COLUMNS = [
    ("ts", "$.ts", "timestamp"),
    ("level", "$.level", "utf8"),
    ("status", "$.request.status", "int64"),
    ("ms", "$.request.latency_ms", "float64"),
    ("id", "$.user.id", "int64"),
    ("name", "$.user.name", "utf8"),
]
SQL = """
  SELECT ts, level, request.status AS status, request.latency_ms AS ms, "user".id AS id, "user".name AS name
  FROM read_json(?, format = 'newline_delimited', columns = {ts: 'TIMESTAMPTZ', level: 'VARCHAR',
    request: 'STRUCT(status BIGINT, latency_ms DOUBLE)', "user": 'STRUCT(id BIGINT, name VARCHAR)'})
"""
SUMS = """
  SELECT count(*), sum(epoch_us(ts) - {start}), sum(strlen(level)), sum(status), sum(ms), sum(id), sum(strlen(name)) FROM ({sql})
"""


def expected(path):
    """The answer of Python's json: the number of rows, and a sum for each column."""
    from datetime import datetime

    sums = [0] * 7
    with open(path, encoding="utf8") as file:
        for line in file:
            record = json.loads(line)
            moment = datetime.fromisoformat(record["ts"].replace("Z", "+00:00"))
            values = (
                1,
                round(moment.timestamp() * 1000) * 1000 - START,
                len(record["level"].encode()),
                record["request"]["status"],
                record["request"]["latency_ms"],
                record["user"]["id"],
                len(record["user"]["name"].encode()),
            )
            sums = [a + b for a, b in zip(sums, values)]
    return sums


def sums_of_batches(batches):
    """The same of batches of Arrow."""
    import pyarrow
    import pyarrow.compute as pc

    sums = [0] * 7
    for batch in batches:
        ts, level, status, ms, id, name = batch.columns
        if sum(column.null_count for column in batch.columns):
            raise ValueError("null values")
        values = [pc.sum(pc.subtract(ts.cast(pyarrow.int64()), START)), pc.sum(pc.binary_length(level)), pc.sum(status), pc.sum(ms)]
        values += [pc.sum(id), pc.sum(pc.binary_length(name))]
        sums = [a + b for a, b in zip(sums, [batch.num_rows] + [value.as_py() or 0 for value in values])]
    return sums


def sums_of_stream(path):
    import pyarrow

    with pyarrow.ipc.open_stream(path) as reader:
        return sums_of_batches(reader)


# The peers: each is run as `columns.py --peer NAME FILE THREADS OUTPUT`.


def duckdb(path, threads, output):
    import duckdb

    duckdb.execute(f"SET threads = {threads}; SET TimeZone = 'UTC'")
    return list(duckdb.execute(SUMS.format(sql=SQL, start=START), [path]).fetchone())


def duckdb_arrow(path, threads, output):
    import duckdb
    import pyarrow

    duckdb.execute(f"SET threads = {threads}; SET TimeZone = 'UTC'")
    reader = duckdb.sql(SQL, params=[path]).to_arrow_reader(65536)
    with pyarrow.ipc.new_stream(output, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def polars(path, threads, output):
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as pl

    schema = {
        "ts": pl.String,
        "level": pl.String,
        "request": pl.Struct({"status": pl.Int64, "latency_ms": pl.Float64}),
        "user": pl.Struct({"id": pl.Int64, "name": pl.String}),
    }
    request, user = pl.col("request").struct, pl.col("user").struct
    sums = pl.scan_ndjson(path, schema=schema).select(
        pl.len().alias("rows"),
        # The type of the column is given, as for the others.
        pl.col("ts").str.to_datetime("%Y-%m-%dT%H:%M:%S%.fZ", time_unit="us").dt.timestamp("us").sub(START).sum().alias("ts"),
        pl.col("level").str.len_bytes().cast(pl.Int64).sum().alias("level"),
        request.field("status").sum().alias("status"),
        request.field("latency_ms").sum().alias("ms"),
        user.field("id").sum().alias("id"),
        user.field("name").str.len_bytes().cast(pl.Int64).sum().alias("name"),
    )
    return list(sums.collect(engine="streaming").row(0))


def pyarrow_json(path, threads, output):
    import pyarrow
    import pyarrow.json

    pyarrow.set_cpu_count(threads)
    schema = pyarrow.schema(
        [
            ("ts", pyarrow.timestamp("us")),
            ("level", pyarrow.string()),
            ("request", pyarrow.struct([("status", pyarrow.int64()), ("latency_ms", pyarrow.float64())])),
            ("user", pyarrow.struct([("id", pyarrow.int64()), ("name", pyarrow.string())])),
        ]
    )
    options = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    reading = pyarrow.json.ReadOptions(use_threads=threads > 1, block_size=1 << 22)
    batches = pyarrow.json.open_json(path, parse_options=options, read_options=reading)
    names = [name for name, _, _ in COLUMNS]
    return sums_of_batches(
        pyarrow.RecordBatch.from_arrays(
            [
                batch["ts"],
                batch["level"],
                batch["request"].field(0),
                batch["request"].field(1),
                batch["user"].field(0),
                batch["user"].field(1),
            ],
            names,
        )
        for batch in batches
    )


PEERS = {"duckdb": duckdb, "duckdb-arrow": duckdb_arrow, "polars": polars, "pyarrow.json": pyarrow_json}


class Contender:
    """A program that writes its answer to a file: an Arrow stream or the sums; or none."""

    def __init__(self, name, words, answer=None):
        self.name, self.words, self.answer = name, words, answer
        self.runs = []

    def run(self, meter, path, output):
        """Runs the program. Returns wall and processor seconds, the peak in bytes, and the answer."""
        words = [word.format(file=path, output=output) for word in self.words]
        # Its memory would count as the program's, if this process started the program itself.
        found = subprocess.run([meter, path, *words], capture_output=True, text=True, check=True).stdout.split()
        status, seconds, processor, peak = (float(found[index]) for index in (0, 4, 6, 7))
        if status != 0:
            raise SystemExit(f"columns: {self.name} ended with status {status:.0f}: {words}")
        return (seconds, processor, peak), self.answer and self.answer(output)


def sums_of_text(path):
    return json.loads(pathlib.Path(path).read_text())


def is_same(found, right):
    return len(found) == len(right) and all(abs(a - b) <= 1e-9 * abs(b) for a, b in zip(found, right))


def build(jsift, folder):
    """Returns the programs of this package: jsift as it is installed, and libyajl."""
    folder.mkdir(parents=True, exist_ok=True)
    if jsift is None:
        words = ["swift", "build", "-c", "release", "--package-path", PACKAGE.parent, "--scratch-path", folder / "static"]
        subprocess.run([*words, "--product", "jsift", "--static-swift-stdlib"], check=True, stdout=sys.stderr)
        jsift = folder / "static/release/jsift"
    flags = ["-lyajl"]
    if shutil.which("pkg-config"):
        found = subprocess.run(["pkg-config", "--cflags", "--libs", "yajl"], capture_output=True, text=True)
        flags = found.stdout.split() or flags
    raw = PACKAGE / "Sources/CRawYajl"
    sources = [PACKAGE / "Peers/compare_yajl.c", raw / "raw_yajl.c", f"-I{raw / 'include'}"]
    compiler = [os.environ.get("CC", "cc"), "-std=gnu11", "-O3", "-march=native", "-o"]
    subprocess.run([*compiler, folder / "compare_yajl", *sources, *flags], check=True)
    subprocess.run([*compiler, folder / "compare_meter", PACKAGE / "Peers/compare_meter.c", "-lm"], check=True)
    return str(jsift), str(folder / "compare_yajl"), str(folder / "compare_meter")


def contenders(jsift, yajl):
    words = [jsift, "records", "--format", "arrow", "--on-error", "stop"]
    for name, path, type in COLUMNS:
        words += ["--select", f"{name}={path}", "--type", f"{name}={type}"]
    peer = [sys.executable, __file__, "--peer"]
    all = [Contender("libyajl, empty callbacks", [yajl, "lines", "{file}"])]
    for jobs in "12":
        all.append(Contender(f"jsift -j {jobs}", [*words, "-j", jobs, "-o", "{output}", "{file}"], sums_of_stream))
    for name, shown in [("duckdb", "DuckDB"), ("polars", "polars"), ("pyarrow.json", "pyarrow.json")]:
        for threads in "12":
            all.append(Contender(f"{shown}, {threads} threads", [*peer, name, "{file}", threads, "{output}"], sums_of_text))
    all.append(Contender("DuckDB to Arrow, 2 threads", [*peer, "duckdb-arrow", "{file}", "2", "{output}"], sums_of_stream))
    return all


def measure(arguments, folder):
    log, short, output = folder / "log.ndjson", folder / "short.ndjson", folder / "output"
    # A record has 362 bytes on average.
    rows = int(arguments.get("--mb", "1000")) * 1_000_000 // 362
    for path, count in [(log, rows), (short, 1000)]:
        subprocess.run([PACKAGE.parent / "Scripts/make-log", str(count), path], check=True)
    scratch = pathlib.Path(os.environ.get("JSONSIFT_BENCH_BUILD", PACKAGE / ".build"))
    jsift, yajl, meter = build(arguments.get("--jsift"), scratch)
    programs = contenders(jsift, yajl)
    right = expected(short)
    starts = {}
    for program in programs:
        (seconds, _, _), answer = program.run(meter, short, output)
        starts[program.name] = seconds
        if program.answer and not is_same(answer, right):
            raise SystemExit(f"columns: {program.name} answered {answer} where {right} is right")
    right = None
    for turn in range(int(arguments.get("--rounds", "3"))):
        for index in range(len(programs)):
            program = programs[(index + turn) % len(programs)]
            run, answer = program.run(meter, log, output)
            program.runs.append(run)
            right = right or answer
            if program.answer and not is_same(answer, right):
                raise SystemExit(f"columns: {program.name} answered {answer} where another answered {right}")
    report(programs, log.stat().st_size, right, starts)


def report(programs, size, right, starts):
    print(f"six typed columns of a log: {size / 1e6:.0f} MB, {right[0]} records; medians of {len(programs[0].runs)} rounds\n")
    print(f"{'':28}{'wall s':>8}{'cpu s':>8}{'x libyajl, cpu':>16}{'x DuckDB on 2, wall':>21}{'peak MB':>9}{'start s':>9}")
    median = lambda program, field: statistics.median(run[field] for run in program.runs)
    floor = programs[0]
    duck = next(program for program in programs if program.name == "DuckDB, 2 threads")
    ratio = lambda a, b, field: statistics.median(y[field] / x[field] for x, y in zip(a.runs, b.runs))
    for program in programs:
        print(
            f"{program.name:28}{median(program, 0):8.2f}{median(program, 1):8.2f}{ratio(program, floor, 1):16.2f}"
            f"{ratio(program, duck, 0):21.2f}{max(run[2] for run in program.runs) / 1e6:9.0f}{starts[program.name]:9.2f}"
        )


def main(words):
    if words[:1] == ["--peer"]:
        name, path, threads, output = words[1:]
        sums = PEERS[name](path, int(threads), output)
        if sums is not None:
            pathlib.Path(output).write_text(json.dumps(sums, default=float))
        return
    names = ["--mb", "--rounds", "--jsift"]
    if len(words) % 2 or any(word not in names for word in words[::2]):
        print(__doc__.strip(), file=sys.stderr)
        raise SystemExit(0 if words in (["-h"], ["--help"]) else 2)
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.environ.get("JSONSIFT_BENCH_PYTHON_FOLDER", f"{temporary}/python")
        python = pathlib.Path(folder) / "bin/python"
        # The peers are in the environment, so the program goes on there.
        if os.environ.get("JSONSIFT_BENCH_INSIDE") != folder:
            if not python.exists():
                subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "duckdb", "polars", "pyarrow"], check=True, stdout=sys.stderr)
            variables = dict(os.environ, JSONSIFT_BENCH_INSIDE=folder, JSONSIFT_BENCH_PYTHON_FOLDER=folder)
            raise SystemExit(subprocess.run([python, __file__, *words], env=variables).returncode)
        measure(dict(zip(words[::2], words[1::2])), pathlib.Path(temporary))


main(sys.argv[1:])
