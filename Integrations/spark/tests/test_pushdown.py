"""A condition that jsift evaluates first changes no answer."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import ENGINE, IS_SAIL

from jsonsift_spark import load
from jsonsift_spark.schema import Schema
from jsonsift_spark.source import JSONSiftReader, Options

SCHEMA = "n bigint, i int, x double, s string, b boolean, u struct<n:bigint>, _corrupt_record string"
PLAIN_SCHEMA = "n bigint, i int, x double, s string, b boolean, u struct<n:bigint>"
NUMBERS = [
    *("0", "-0", "-0.0", "5", "5.0", "5e0", "0.5e1", "50e-1", "5.1", "5.000000000000000000001", "-5", "6", "4"),
    *("0.1", "1e-1", "0.10", "0.1000000000000000055511151231257827", "0.1000000000000000055", "0.10000000000000001"),
    *("0.09999999999999999", "0.10000000000000002", "0.30000000000000004", "4.999999999999999999999"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *("9007199254740992", "9007199254740993", "9007199254740993.0", "1e18", "1e19", "1e400", "-1e400", "5e-324", "1e-400"),
    *("2147483647", "2147483648", "3000000000", "1e3", "1.0"),
]
OTHERS = [
    "null",
    "true",
    "false",
    '"5"',
    '"x"',
    '""',
    '"X"',
    '"xy"',
    '"\\u0078"',
    '"größe"',
    '"gro\\u0308\\u00dfe"',
    "[5]",
    '{"n":5}',
]
CONDITIONS = [
    *("n = 5", "n <=> 5", "n > 5", "n >= 5", "n < 5", "n <= -5", "n <> 5", "5 < n", "n = 0", "n = -0", "n > -1"),
    *("n = 9223372036854775807", "n > 9223372036854775806", "n < -9223372036854775807", "n IN (5, 1000, -5)"),
    *("n = 9007199254740993", "n = 9007199254740992e0", "n = 5.0", "n > 4.5", "n BETWEEN 4 AND 6", "n = '5'"),
    *("i = 5", "i > 2147483646", "i < 0", "i = 3000000000", "i <> 5"),
    *("x = 0.1", "x = 1e-1", "x > 0.1", "x >= 0.1", "x < 0.1", "x <= 0.1", "x <> 0.1", "x = 0", "x = -0.0", "x = 5"),
    *("x > 0", "x < 0", "x = 9007199254740993", "x >= 9223372036854775807", "x > 1e300", "x BETWEEN 0.1 AND 0.1"),
    *("x IN (0.1, 0.3, 5)", "x = 0.30000000000000004", "x = 5e-324", "x < 5e-324"),
    *("s = 'x'", "s <> 'x'", "s IN ('x', '5')", "s = '5'", "s = 5", "s = ''", "s = 'größe'", "s LIKE 'x%'", "s LIKE '%y'"),
    *("s LIKE '%'", "s LIKE 'x'", "s LIKE '_'", "upper(s) = 'X'", "s = 'x' AND n = 5", "s = 'x' OR n = 5"),
    *("b = true", "b = false", "b", "NOT b", "b <> true", "n IS NOT NULL", "x IS NOT NULL AND s = 'x'", "n IS NULL"),
    *(
        "NOT n = 5",
        "n = 5 AND x IS NULL",
        "n <=> NULL",
        "coalesce(n, 5) = 5",
        "u.n = 5",
        "u IS NOT NULL",
        "n = 5 AND u.n = 5",
    ),
    *("(n = 5 AND (s = 'x' OR s IS NULL))", "n NOT IN (5)", "n NOT BETWEEN 4 AND 6 AND x > 0", "rand() >= 0 AND n = 5"),
]
WITH_CORRUPT = [
    *("_corrupt_record IS NOT NULL", "_corrupt_record IS NULL AND n = 5", "n = 5 AND _corrupt_record IS NOT NULL"),
    *("_corrupt_record IS NOT NULL OR n = 5", "s = 'x' AND _corrupt_record LIKE '%int64%'"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of values that two readers may compare in two ways."""
    source = random.Random(24)
    values = NUMBERS + OTHERS
    lines = []
    for _ in range(1500):
        members = [f'"{name}":{source.choice(values)}' for name in "nixsb" if source.random() < 0.8]
        members += [f'"u":{{"n":{source.choice(values)}}}'] * (source.random() < 0.3)
        if source.random() < 0.2:
            # A second member of the same name.
            members.append(f'"{source.choice("nixs")}":{source.choice(values)}')
        source.shuffle(members)
        lines.append("{" + ",".join(members) + "}")
        if source.random() < 0.05:
            lines.append(source.choice(['{"n":5}{"n":5}', '{"n":5,}', '{"n":5', "5", '["x",5]', '{"s":"x"} {"n":5}', ""]))
    result = tmp_path_factory.mktemp("pushdown") / "x.ndjson"
    result.write_text("\n".join(lines))
    return result


def rows(frame: Any) -> list[str]:
    return sorted(repr(tuple(row)) for row in frame.collect())


@pytest.mark.parametrize("schema", [PLAIN_SCHEMA, SCHEMA], ids=["plain", "corrupt"])
def test_the_answer_is_the_same_with_and_without_jsifts_condition(spark: Any, path: Path, schema: str) -> None:
    conditions = CONDITIONS if schema is PLAIN_SCHEMA else CONDITIONS[::5] + WITH_CORRUPT
    whole = load(spark, path, schema).cache()
    differences = []
    compared = 0
    for condition in conditions:
        try:
            expected: Any = rows(whole.where(condition))
        except Exception:
            # An ANSI cast that fails, such as of 'x' to a number, or an expression that an engine does not have.
            continue
        compared += 1
        found = rows(load(spark, path, schema, where=condition))
        if found != expected:
            differences.append((condition, len(found), len(expected)))
    whole.unpersist()
    assert differences == []
    assert compared > len(conditions) * 0.7


def test_doubles_near_a_literal_are_compared_alike(spark: Any, tmp_path: Path) -> None:
    # Not all engines compare doubles with 0.1 as doubles, and some fail with large ones.
    numbers = [0.1]
    for _ in range(8):
        numbers += [math.nextafter(numbers[-1], 1), math.nextafter(numbers[-2] if len(numbers) > 1 else 0.1, 0)]
    numbers += [0.1 + sign * step for sign in (-1, 1) for step in (1e-16, 4e-16, 6e-16, 9e-16, 2e-15, 1e-14)]
    path = tmp_path / "near.ndjson"
    path.write_text("\n".join(f'{{"x":{number!r}}}' for number in numbers))
    for literal in ["0.1", "1e-1", "0.10000000000000002"]:
        for operator in ["=", ">", "<="]:
            where = f"x {operator} {literal}"
            assert rows(load(spark, path, "x double", where=where)) == rows(load(spark, path, "x double").where(where)), (
                where
            )


@pytest.mark.skipif(ENGINE != "local", reason="needs no engine")
def test_a_condition_leaves_out_rows(path: Path) -> None:
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    schema = StructType([StructField("n", LongType()), StructField("s", StringType())])
    counts = {}
    for where in ["", "n = 5", "s = 'x' AND n > 5", "n IS NULL"]:
        options = Options.of({"path": str(path)} | ({"where": where} if where else {}))
        reader = JSONSiftReader(options, Schema.of(schema, "_corrupt_record"))
        counts[where] = sum(batch.num_rows for split in reader.partitions() for batch in reader.read(split))
    assert counts["n = 5"] < counts[""] / 4
    assert 0 < counts["s = 'x' AND n > 5"] < counts["n = 5"]
    assert counts["n IS NULL"] == counts[""]


def test_a_later_query_does_not_keep_a_filter(spark: Any, path: Path) -> None:
    frame = load(spark, path, PLAIN_SCHEMA)
    whole = frame.count()
    few = frame.filter("s = 'x'").count()
    assert 0 < few < whole
    assert frame.count() == whole
    assert frame.filter("s = 'x'").union(frame).count() == few + whole
    selected = load(spark, path, PLAIN_SCHEMA, where="s = 'x'")
    fewer = selected.filter("n = 5").count()
    assert fewer < few
    assert selected.count() == few
    assert selected.filter("n = 5").union(selected).union(frame).count() == fewer + few + whole


@pytest.mark.skipif(IS_SAIL, reason="Sail has no such configuration")
def test_sparks_own_pushdown_can_be_switched_on(spark: Any, path: Path) -> None:
    name = "spark.sql.python.filterPushdown.enabled"
    before = spark.conf.get(name)
    try:
        counts = []
        for value in ["false", "true"]:
            spark.conf.set(name, value)
            frame = load(spark, path, PLAIN_SCHEMA)
            counts.append((frame.filter("s = 'x'").count(), frame.count()))
        assert counts[0] == counts[1]
    finally:
        spark.conf.set(name, before)


@pytest.mark.skipif(ENGINE != "local", reason="shows what Spark does")
def test_spark_keeps_the_filters_that_a_reader_accepts_for_later_queries(spark: Any) -> None:
    """The reason for `where`. If this test fails, Spark has changed, and the reader may implement `pushFilters`."""
    import pyarrow as pa
    from pyspark.sql.datasource import DataSource, DataSourceReader, Filter

    class Reader(DataSourceReader):
        filters: list[Filter] = []  # noqa: RUF012

        def pushFilters(self, filters: list[Filter]) -> list[Filter]:
            self.filters = list(filters)
            return self.filters

        def read(self, partition: Any) -> Any:
            yield pa.record_batch({"a": pa.array([5, 6] if self.filters else [1, 2, 3, 4, 5, 6])})

    class Source(DataSource):
        @classmethod
        def name(cls) -> str:
            return "keeps"

        def reader(self, schema: Any) -> Any:
            return Reader()

    name = "spark.sql.python.filterPushdown.enabled"
    before = spark.conf.get(name)
    spark.conf.set(name, "true")
    try:
        spark.dataSource.register(Source)
        frame = spark.read.format("keeps").schema("a bigint").load()
        assert frame.filter("a > 4").count() == 2
        assert frame.count() == 2  # 6 would be right
    finally:
        spark.conf.set(name, before)


def test_failfast_reads_all_records_in_spite_of_a_condition(spark: Any, path: Path) -> None:
    with pytest.raises(Exception, match="FAILFAST"):
        load(spark, path, PLAIN_SCHEMA, where="s = 'x'", mode="FAILFAST").count()


def test_dropmalformed_has_the_same_rows_with_a_condition(spark: Any, path: Path) -> None:
    frame = load(spark, path, PLAIN_SCHEMA, mode="DROPMALFORMED")
    for where in ["s = 'x'", "n = 5", "x = 1e-1"]:
        assert rows(load(spark, path, PLAIN_SCHEMA, where=where, mode="DROPMALFORMED")) == rows(frame.where(where))
