"""Rows and corrupt records are those of one jsift process, however a file is divided."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from conftest import ENGINE, IS_SAIL
from kinds import ARROW, KINDS, SCHEMA, expected, key, write

from jsonsift_spark.schema import Schema
from jsonsift_spark.source import JSONSiftReader, Options

COUNTS = [1, 2, 7, 64, 400]
# A process for each part: these are the kinds whose parts meet in different ways.
IN_400_PARTS = ["line feeds", "CRLF", "bad records", "a record longer than parts", "text sequences"]


def size_of(path: Path, count: int) -> str:
    """The option `splitBytes` that divides a file into parts."""
    return str(max(1, math.ceil(path.stat().st_size / count)))


def rows(frame: Any) -> list[str]:
    return sorted(key(row.asDict(recursive=True)) for row in frame.collect())


@pytest.mark.skipif(ENGINE != "local", reason="needs no engine")
@pytest.mark.parametrize("kind", KINDS)
def test_the_parts_of_a_file_have_the_rows_of_one_process(kind: str, tmp_path: Path, jsift: str) -> None:
    path = write(tmp_path, kind)
    given = KINDS[kind][2]
    whole = expected(jsift, path, given)
    for count in COUNTS if kind in IN_400_PARTS else COUNTS[:-1]:
        options = Options.of({"path": str(path), "splitBytes": size_of(path, count)} | given)
        reader = JSONSiftReader(options, Schema.of(ARROW, "_corrupt_record"))
        batches = [batch for split in reader.partitions() for batch in reader.read(split)]
        assert all(batch.schema.equals(ARROW) for batch in batches)
        assert sorted(key(row) for batch in batches for row in batch.to_pylist()) == whole, f"{count} parts"


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_has_the_rows_of_one_process(spark: Any, kind: str, tmp_path: Path, jsift: str) -> None:
    path = write(tmp_path, kind)
    given = KINDS[kind][2]
    reader = spark.read.format("jsonsift").schema(SCHEMA).option("splitBytes", size_of(path, 7)).options(**given)
    assert rows(reader.load(str(path))) == expected(jsift, path, given)


@pytest.mark.parametrize("count", [count for count in COUNTS if count < 400 or not IS_SAIL])
def test_a_query_in_this_many_tasks_has_the_rows_of_one_process(spark: Any, count: int, tmp_path: Path, jsift: str) -> None:
    path = write(tmp_path, "bad records")
    reader = spark.read.format("jsonsift").schema(SCHEMA).option("splitBytes", size_of(path, count))
    frame = reader.load(str(path))
    assert rows(frame) == expected(jsift, path, {})
    if not IS_SAIL:
        assert count * 0.99 <= frame.rdd.getNumPartitions() <= count
