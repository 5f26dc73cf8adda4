"""compare_python.py LIBRARY JOB FILE [PLACE]: the questions of `run compare`, answered by libraries of Python.

Each function is what somebody writes who wants just this answer. Only the library that is asked is imported, so that
its start is its own. `version` as the job prints the library's version.
"""

import sys


class Output:
    """The first result at once, the others as they fill a buffer."""

    is_later = False

    def put(self, value):
        sys.stdout.write(f"{value}\n")
        if not self.is_later:
            sys.stdout.flush()
        self.is_later = True


put = Output().put


def steps(path):
    """The names, indexes and wildcards of a plain path: `$.a[0].b[*]`."""
    import re

    for name, index in re.findall(r"\.([^.\[\]]+)|\[(\d+|\*)\]", path):
        yield name or (index if index == "*" else int(index))


# ijson: use_float is the faster way; without it each number becomes a Decimal.


def ijson(job, path, place):
    import ijson
    import ijson.backends.yajl2_c as ijson_c

    if job == "version":
        return put(ijson.__version__)
    with open(path, "rb") as file:
        if job == "count":
            depths = (event for prefix, event, _ in ijson_c.parse(file, use_float=True) if prefix == "records.item")
            return put(sum(1 for event in depths if event == "start_map"))
        if job == "filter":
            for record in ijson_c.items(file, "", multiple_values=True, use_float=True):
                if record["level"] == "error":
                    put(record["latency_ms"])
            return None
        if job == "log":
            for value in ijson_c.items(file, "user.id", multiple_values=True, use_float=True):
                put(value)
            return None
        if job.startswith("own:"):
            prefix = ".".join("item" if type(step) is int or step == "*" else step for step in steps(job[4:]))
            for value in ijson_c.items(file, prefix, multiple_values=place == "lines", use_float=True):
                put(compact(value))
            return None
        ids = ijson_c.items(file, "records.item.user.id", use_float=True)
        for index, value in enumerate(ids):
            if job == "path" or (job == "some" and index % 1000 == 0) or (job == "value" and index == place):
                put(value)
            if job == "value" and index == place:
                return None


# orjson: a document is one value, and a log one on each line.


def orjson(job, path, place):
    import orjson

    if job == "version":
        return put(orjson.__version__)
    with open(path, "rb") as file:
        if job == "filter":
            for line in file:
                record = orjson.loads(line)
                if record["level"] == "error":
                    put(record["latency_ms"])
            return None
        if job == "log":
            for line in file:
                put(orjson.loads(line)["user"]["id"])
            return None
        if job == "stats":
            groups = {}
            for line in file:
                record = orjson.loads(line)
                groups.setdefault(record["level"], []).append(record["latency_ms"])
            for numbers in groups.values():
                for value in len(numbers), sum(numbers), min(numbers), max(numbers):
                    put(value)
            return None
        if job == "texts":
            texts = (line for line in file if line.strip()) if place == "lines" else [file.read()]
            return put(sum(1 for text in texts if orjson.loads(text) is not Ellipsis))
        if job.startswith("own:"):
            wanted = list(steps(job[4:]))
            texts = (line for line in file if line.strip()) if place == "lines" else [file.read()]
            for text in texts:
                for value in walk(orjson.loads(text), wanted):
                    put(orjson.dumps(value).decode())
            return None
        records = orjson.loads(file.read())["records"]
    if job == "count":
        return put(len(records))
    if job == "value":
        return put(records[place]["user"]["id"])
    for record in records[:: 1000 if job == "some" else 1]:
        if "user" in record:
            put(record["user"]["id"])


def walk(value, wanted):
    if not wanted:
        yield value
        return
    step, rest = wanted[0], wanted[1:]
    if step == "*":
        below = value if isinstance(value, list) else value.values() if isinstance(value, dict) else []
    elif isinstance(step, int):
        below = [value[step]] if isinstance(value, list) and step < len(value) else []
    else:
        below = [value[step]] if isinstance(value, dict) and step in value else []
    for child in below:
        yield from walk(child, rest)


def compact(value):
    import json

    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# DuckDB: the columns are named, but where `auto` asks it to find them out.

LINES = "SELECT latency_ms FROM read_json(?, format = 'newline_delimited'{columns}) WHERE level = 'error'"
COLUMNS = ", columns = {level: 'VARCHAR', latency_ms: 'DOUBLE'}"
LOG = """
  SELECT "user".id FROM read_json(?, format = 'newline_delimited', columns = {"user": 'STRUCT(id BIGINT)'})
"""
STATS = f"""
  SELECT count(latency_ms), sum(latency_ms), min(latency_ms), max(latency_ms)
  FROM read_json(?, format = 'newline_delimited'{COLUMNS}) GROUP BY level
"""
DOCUMENT = """
  SELECT unnest(records).user.id AS id FROM read_json(?, format = 'unstructured', maximum_object_size = 2000000000,
  columns = {records: 'STRUCT("user" STRUCT(id BIGINT))[]'})
"""


def duckdb(job, path, place):
    import duckdb

    if job == "version":
        return put(duckdb.__version__)
    if job.startswith("filter"):
        duckdb.execute(f"SET threads = {place or 2}")
        rows(duckdb.execute(LINES.replace("{columns}", "" if job == "filter-auto" else COLUMNS), [path]))
    elif job == "stats":
        duckdb.execute(f"SET threads = {place or 2}")
        for row in duckdb.execute(STATS, [path]).fetchall():
            for value in row:
                put(value)
    elif job == "log":
        duckdb.execute(f"SET threads = {place or 2}")
        rows(duckdb.execute(LOG, [path]))
    elif job == "count":
        rows(duckdb.execute(DOCUMENT.replace("unnest(records).user.id AS id", "len(records)"), [path]))
    elif job == "value":
        rows(duckdb.execute(DOCUMENT.replace("unnest(records).user.id", f"records[{place + 1}].user.id"), [path]))
    else:
        rows(duckdb.execute(f"SELECT id FROM ({DOCUMENT}) WHERE id IS NOT NULL", [path]))
    return None


def rows(result):
    while found := result.fetchmany(10000):
        for (value,) in found:
            put(value)


# polars: the schema is given.


def polars(job, path, place):
    import polars

    if job == "version":
        return put(polars.__version__)
    user = polars.Struct({"user": polars.Struct({"id": polars.Int64})})
    if job == "filter":
        schema = {"level": polars.String, "latency_ms": polars.Float64}
        lines = polars.scan_ndjson(path, schema=schema)
        found = lines.filter(polars.col("level") == "error").select("latency_ms").collect()["latency_ms"]
    elif job == "stats":
        lines = polars.scan_ndjson(path, schema={"level": polars.String, "latency_ms": polars.Float64})
        ms = polars.col("latency_ms")
        groups = lines.group_by("level").agg(
            ms.count().alias("count"), ms.sum().alias("sum"), ms.min().alias("min"), ms.max().alias("max")
        )
        for row in groups.collect().drop("level").iter_rows():
            for value in row:
                put(value)
        return
    elif job == "log":
        lines = polars.scan_ndjson(path, schema=user.to_schema())
        found = lines.select(polars.col("user").struct.field("id")).collect()["id"]
    else:
        records = polars.read_json(path, schema={"records": polars.List(user)})["records"].explode()
        if job == "count":
            return put(len(records))
        found = records.struct.field("user").struct.field("id")
        found = found.slice(place, 1) if job == "value" else found.drop_nulls()
    for value in found:
        put(value)


def main():
    library, job, path, *place = [*sys.argv[1:], ""][: max(len(sys.argv) - 1, 3)]
    place = place[0] if place else ""
    {"ijson": ijson, "orjson": orjson, "duckdb": duckdb, "polars": polars}[library](
        job, path, int(place) if place.isdigit() else place
    )


main()
