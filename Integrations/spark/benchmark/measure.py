"""Measures the data source beside Spark's own reader of JSON and DuckDB, and the constants of the model of scaling.

usage: measure.py [FILE] [--jsift PROGRAM] [--rounds N] [--parts figures,model]

FILE is a log that Scripts/make-log writes; without it, one of 1 GB is written into a temporary folder. Each program
answers each question on a small log first, where the answers are compared, and which also lets Java compile what it
runs. Then all of them answer it on FILE, in turns. A figure is the median over the rounds; processor seconds are those
of all processes: the driver, Java, the Python workers and jsift. Linux only: they are read from /proc.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")
ROOT = Path(__file__).resolve().parents[3]
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
# Scripts/make-log writes about 362 bytes for each record.
RECORDS = 2_980_000
SMALL_RECORDS = 200_000
SPLIT_BYTES = 128 << 20

NESTED = (
    "ts STRING, level STRING, service STRING, request STRUCT<status: BIGINT, latency_ms: DOUBLE>, user STRUCT<id: BIGINT>"
)
TEXTS = "count(*), sum(length(ts)), sum(length(level)), sum(length(service))"
SIX = f"{TEXTS}, sum(request.status), max(request.latency_ms), sum(user.id)"
FLAT = f"{TEXTS}, sum(status), max(latency_ms), sum(id)"
FILTERED = "level STRING, request STRUCT<latency_ms: DOUBLE>, user STRUCT<id: BIGINT>"
FEW = "count(*), sum(user.id), max(request.latency_ms)"
# One record in a hundred.
WHERE = "level = 'error'"


def process_seconds() -> float:
    """Returns the processor time of this process and of all that began in it, also of those that have ended."""
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                # The name of the program is in parentheses, and may contain spaces.
                fields = Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
            # Own time, and that of children that have ended and were waited for.
            seconds[int(name)] = sum(int(field) for field in fields[11:15]) / CLOCK_TICKS
    total = 0.0
    for pid, own in seconds.items():
        ancestor = pid
        while ancestor not in (0, os.getpid()):
            ancestor = parents.get(ancestor, 0)
        if ancestor:
            total += own
    return total


@dataclass
class Cost:
    """What a query took."""

    wall: float
    processor: float


def measure(query: Callable[[], Result]) -> tuple[Cost, Result]:
    """Runs a query. Returns what it took, and its answer."""
    processor, start = process_seconds(), time.perf_counter()
    result = query()
    wall = time.perf_counter() - start
    return Cost(wall, process_seconds() - processor), result


def median(costs: list[Cost]) -> Cost:
    """Returns the median of both times."""
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.processor for cost in costs),
    )


@contextmanager
def session(cores: int) -> Iterator[Any]:
    """Starts Spark on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{cores}]").appName("jsonsift")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.files.maxPartitionBytes": str(SPLIT_BYTES),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


def flat_schema() -> Any:
    """Returns the six columns outside structures: the metadata of a column names its path."""
    from pyspark.sql.types import DoubleType, LongType, StringType, StructType

    result = StructType().add("ts", StringType()).add("level", StringType()).add("service", StringType())
    result.add("status", LongType(), metadata={"path": "$.request.status"})
    result.add("latency_ms", DoubleType(), metadata={"path": "$.request.latency_ms"})
    return result.add("id", LongType(), metadata={"path": "$.user.id"})


def answer(frame: Any, expressions: str) -> tuple[Any, ...]:
    """Returns the row of an aggregation."""
    import re

    # Commas inside of parentheses do not separate expressions.
    return tuple(frame.selectExpr(*re.split(r",\s*(?![^()]*\))", expressions)).collect()[0])


def duckdb_answer(path: str, columns: str, expressions: str, where: str) -> tuple[Any, ...]:
    """Returns the answer of DuckDB on two threads."""
    import duckdb

    with duckdb.connect(config={"threads": 2}) as database:
        table = f"read_json('{path}', format = 'newline_delimited', columns = {{{columns}}})"
        query = f"SELECT {expressions} FROM {table} {where}"
        result = database.execute(query).fetchone()
    assert result is not None
    return tuple(result)


def figures(spark: Any, small: str, large: str, rounds: int, options: dict[str, str]) -> None:
    """Prints the table of both questions."""
    from jsonsift_spark import load

    few = "level: 'VARCHAR', request: 'STRUCT(latency_ms DOUBLE)', \"user\": 'STRUCT(id BIGINT)'"
    six = (
        "ts: 'VARCHAR', level: 'VARCHAR', service: 'VARCHAR', request: 'STRUCT(status BIGINT, latency_ms DOUBLE)', "
        "\"user\": 'STRUCT(id BIGINT)'"
    )
    questions: dict[str, dict[str, Callable[[str], tuple[Any, ...]]]] = {
        "one record in a hundred": {
            "spark.read.json": lambda path: answer(spark.read.schema(FILTERED).json(path).where(WHERE), FEW),
            "jsonsift, where": lambda path: answer(load(spark, path, FILTERED, where=WHERE, **options), FEW),
            "jsonsift, no where": lambda path: answer(load(spark, path, FILTERED, **options).where(WHERE), FEW),
            "DuckDB": lambda path: duckdb_answer(path, few, FEW.replace("user", '"user"'), f"WHERE {WHERE}"),
        },
        "six columns": {
            "spark.read.json": lambda path: answer(spark.read.schema(NESTED).json(path), SIX),
            "jsonsift, structs": lambda path: answer(load(spark, path, NESTED, **options), SIX),
            "jsonsift, paths": lambda path: answer(load(spark, path, flat_schema(), **options), FLAT),
            "DuckDB": lambda path: duckdb_answer(path, six, SIX.replace("user", '"user"'), ""),
        },
    }
    gigabytes = os.path.getsize(large) / 1e9
    print(f"\n| question, {gigabytes:.2f} GB | program | processor s | of spark.read.json | wall s |")
    print("|---|---|---|---|---|")
    for question, programs in questions.items():
        expected = None
        for program, run in programs.items():
            for _ in range(4):
                found = run(small)
            expected = expected or found
            if found != expected:
                sys.exit(f"measure: {question}: {program} found {found}, expected {expected}")
        costs: dict[str, list[Cost]] = {program: [] for program in programs}
        expected = None
        for _ in range(rounds):
            for program, run in programs.items():
                cost, found = measure(partial(run, large))
                costs[program].append(cost)
                expected = expected or found
                if found != expected:
                    sys.exit(f"measure: {question}: {program} found {found}, expected {expected}")
        for program in programs:
            cost = median(costs[program])
            # Both ran in the same round, so under the same load of the machine.
            ratios = [
                one.processor / base.processor for one, base in zip(costs[program], costs["spark.read.json"], strict=True)
            ]
            ratio = statistics.median(ratios)
            print(f"| {question} | {program} | {cost.processor:.2f} | {ratio:.2f} | {cost.wall:.2f} |", flush=True)


def jsift_seconds(jsift: str, path: str, ranges: int) -> Cost:
    """Returns what jsift alone takes for the six columns, in a number of ranges."""
    size = os.path.getsize(path)
    columns = []
    for name, place, kind in [
        ("ts", "$.ts", "utf8"), ("level", "$.level", "utf8"), ("service", "$.service", "utf8"),
        ("status", "$.request.status", "int64"), ("ms", "$.request.latency_ms", "float64"),
        ("id", "$.user.id", "int64"),
    ]:  # fmt: skip
        columns += ["--select", f"{name}={place}", "--type", f"{name}={kind}"]

    def run() -> None:
        for number in range(ranges):
            bounds = f"{size * number // ranges}-{size * (number + 1) // ranges}"
            line = [jsift, "records", "-j", "1", "--input", "ndjson", "--format", "arrow", "--range", bounds, *columns]
            with subprocess.Popen([*line, path], stdout=subprocess.PIPE) as process:
                assert process.stdout is not None
                while process.stdout.read(1 << 20):
                    pass
            if process.returncode != 0:
                sys.exit(f"measure: jsift ended with status {process.returncode}")

    return measure(run)[0]


@dataclass
class Model:
    """The constants of the model. Other programs on the machine change times, and processor seconds much less."""

    #: Time and processor seconds of a query without work, when Java is warm: the plan, the files, the answer.
    start: Cost
    #: Processor seconds of each task on its executor: jsift begins and ends, the Python worker, the pipes.
    task: float
    #: Processor seconds of each task on the driver, which are not divided: Spark schedules it and adds its row.
    merge: float
    #: Processor seconds for 1 GB in the processes of a task.
    read: float

    def processor(self, splits: int, size: float) -> float:
        """Returns the expected processor seconds of a query."""
        return self.start.processor + splits * (self.task + self.merge) + self.read * size / 1e9

    def wall(self, cores: int, splits: int, size: float) -> float:
        """Returns the expected time of a query on idle cores."""
        tasks = -(-splits // cores) * (self.task + self.read * size / 1e9 / splits)
        return self.start.wall + max(tasks, splits * self.merge)


def constants(large: str, tiny: str, rounds: int, query: Callable[[Any, str, int], Cost]) -> Model:
    """Measures the constants on two cores."""
    counts = [1, 50, 200, 400]
    with session(2) as spark:

        def no_files(count: int) -> Cost:
            return measure(lambda: answer(spark.range(0, count, 1, count), "sum(id)"))[0]

        for _ in range(2):
            query(spark, tiny, 200)
            no_files(400)
            query(spark, large, 8)
        costs = {count: median([query(spark, tiny, count) for _ in range(rounds)]) for count in counts}
        start, task = line([(count, cost.processor) for count, cost in costs.items()])
        scheduled = {count: median([no_files(count) for _ in range(rounds)]) for count in counts}
        _, merge = line([(count, cost.processor) for count, cost in scheduled.items()])
        whole = median([query(spark, large, 8) for _ in range(rounds)])
    return Model(
        start=Cost(costs[1].wall, start),
        task=task - merge,
        merge=merge,
        read=(whole.processor - start - 8 * task) / (os.path.getsize(large) / 1e9),
    )


def line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Returns intercept and slope of the line through points, by least squares."""
    found = statistics.linear_regression([x for x, _ in points], [y for _, y in points])
    return found.intercept, found.slope


def model(folder: str, large: str, rounds: int, options: dict[str, str]) -> None:
    """Prints the constants of the model, and compares it with measurements on two cores."""
    from jsonsift_spark import load

    tiny, empty = os.path.join(folder, "tiny.ndjson"), os.path.join(folder, "empty.ndjson")
    write_log(2_000, tiny)
    Path(empty).touch()
    size = os.path.getsize(large)

    def query(spark: Any, path: str, splits: int) -> Cost:
        split_bytes = -(-os.path.getsize(path) // splits)
        schema = flat_schema()
        return measure(lambda: answer(load(spark, path, schema, splitBytes=split_bytes, **options), FLAT))[0]

    found = constants(large, tiny, rounds, query)
    jsift = options["jsift"]
    begin = median([jsift_seconds(jsift, empty, 50) for _ in range(rounds)]).processor / 50
    whole = median([jsift_seconds(jsift, large, 1) for _ in range(rounds)]).processor
    cut = median([jsift_seconds(jsift, large, 400) for _ in range(rounds)]).processor
    align = max(0.0, (cut - whole) / 399 - begin)
    print("\n| constant | measured | |")
    print("|---|---|---|")
    print(f"| start | {found.start.wall:.2f} s, {found.start.processor:.2f} processor s | a query, when Java is warm |")
    print(f"| task | {found.task * 1e3:.1f} ms | a task on its executor |")
    print(f"| of this, split | {begin * 1e3:.1f} + {align * 1e3:.1f} ms | jsift begins and ends; aligns its range |")
    print(f"| merge | {found.merge * 1e3:.1f} ms | a task on the driver: it schedules the task and adds its row |")
    print(f"| read | {found.read:.2f} s/GB | the processes of a task |")
    print(f"| of this, jsift | {whole / size * 1e9:.2f} s/GB | with a reader that does nothing |")

    print("\n| splits | processor s by the model | measured | wall s, two cores, by the model | measured |")
    print("|---|---|---|---|---|")
    with session(2) as spark:
        for _ in range(2):
            query(spark, large, 8)
        for splits in [1, 2, 8, 64, 400]:
            cost = median([query(spark, large, splits) for _ in range(rounds)])
            processor, wall = found.processor(splits, size), found.wall(2, splits, size)
            print(f"| {splits} | {processor:.2f} | {cost.processor:.2f} | {wall:.2f} | {cost.wall:.2f} |", flush=True)
    print(f"\nOther programs ran: the load of the machine was {os.getloadavg()[1]:.1f} in the last five minutes.")
    splits = -(-(10**12) // SPLIT_BYTES)
    print(f"\n| cores, 1 TB in {splits} splits | seconds by the model | GB/s | of linear |")
    print("|---|---|---|---|")
    one = found.wall(1, splits, 1e12)
    for cores in [2, 16, 64, 256, 1024]:
        seconds = found.wall(cores, splits, 1e12)
        print(f"| {cores} | {seconds:.0f} | {1000 / seconds:.1f} | {one / cores / seconds:.2f} |")


def write_log(records: int, path: str) -> None:
    """Writes a log."""
    subprocess.run([str(ROOT / "Scripts/make-log"), str(records), path], check=True)


def main() -> None:
    """Runs the parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--jsift", default=os.environ.get("JSIFT") or shutil.which("jsift"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", default="figures,model")
    given = parser.parse_args()
    if given.jsift is None:
        sys.exit("measure: expected jsift on the PATH, in $JSIFT or in --jsift")
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, "small.ndjson")
        large = given.file or os.path.join(folder, "large.ndjson")
        if given.file is None:
            write_log(RECORDS, large)
        options = {"jsift": os.path.abspath(given.jsift)}
        if "figures" in given.parts:
            write_log(SMALL_RECORDS, small)
            with session(2) as spark:
                print(f"Spark {spark.version}, two cores, splits of {SPLIT_BYTES >> 20} MiB, {given.rounds} rounds")
                figures(spark, small, large, given.rounds, options)
        if "model" in given.parts:
            model(folder, large, given.rounds, options)


if __name__ == "__main__":
    main()
