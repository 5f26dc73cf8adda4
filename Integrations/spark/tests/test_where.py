"""Which conditions of SQL pass, and as what."""

from __future__ import annotations

import pytest
from pyspark.sql.types import (
    BooleanType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from jsonsift_spark.schema import Schema
from jsonsift_spark.where import condition

COLUMNS = Schema.of(
    StructType(
        [
            StructField("n", LongType()),
            StructField("i", IntegerType()),
            StructField("x", DoubleType()),
            StructField("f", FloatType()),
            StructField("s", StringType()),
            StructField("b", BooleanType()),
            StructField("t", TimestampType()),
            StructField("m", DecimalType(10, 2)),
            StructField("a b", LongType()),
            StructField("AND", LongType()),
            StructField("true", BooleanType()),
            StructField("deep", LongType(), metadata={"path": "$.u['v w'][0]"}),
            StructField("all", StringType(), metadata={"path": "$.t[*]"}),
            StructField("j", StringType(), metadata={"type": "json"}),
            StructField("Q", LongType()),
            StructField("q", LongType()),
            StructField("_corrupt_record", StringType()),
        ]
    ),
    "_corrupt_record",
).columns

PASSED = {
    "n = 5": "@.n == 5",
    "n == -5": "@.n == -5",
    "n <=> 5": "@.n == 5",
    "5 < n": "@.n > 5",
    "-5 >= n": "@.n <= -5",
    "n <> 5": "@.n != 5",
    "i != 5": "@.i != 5",
    "s = 'error'": '@.s == "error"',
    "s = 'größe'": '@.s == "größe"',
    "b = TRUE": "@.b == true",
    "b != false": "@.b != false",
    "n > 5 and s = 'x'": '@.n > 5 && @.s == "x"',
    "(n > 5) AND ((s = 'x'))": '@.n > 5 && @.s == "x"',
    "(n > 5 AND (i < 3 AND s = 'x'))": '@.n > 5 && @.i < 3 && @.s == "x"',
    "n BETWEEN 1 AND 2 AND i = 3": "@.n >= 1 && @.n <= 2 && @.i == 3",
    "n BETWEEN -1 AND -2": "@.n >= -1 && @.n <= -2",
    "n IN (1, -2)": "((@.n == 1) || (@.n == -2))",
    "s IN ('a')": '((@.s == "a"))',
    "s LIKE 'abc'": '@.s == "abc"',
    "s LIKE 'a-b%'": 'search(@.s, "a-b")',
    "s LIKE '%abc%'": 'search(@.s, "abc")',
    "n IS NOT NULL": "@.n",
    "`a b` = 1": '@["a b"] == 1',
    "`AND` = 1 AND n = 2": "@.AND == 1 && @.n == 2",
    "`true` = true": "@.true == true",
    "deep = 1": "@.u['v w'][0] == 1",
    "x = 1e-1": "@.x >= 0.09999999999999998 && @.x <= 0.10000000000000003",
    "x = 0.1": "@.x >= 0.09999999999999898 && @.x <= 0.10000000000000103",
    "x > 5": "@.x >= 4.999999999999998",
    "x <= -1e3": "@.x <= -999.9999999999998",
    "x = 0": "@.x >= -1e-323 && @.x <= 1e-323",
    # The parts that are not understood are left out.
    "n = 5 AND upper(s) = 'X'": "@.n == 5",
    "n = 5 AND (s = 'x' OR s = 'y')": "@.n == 5",
    "n = 5 AND NOT s = 'x'": "@.n == 5",
    "NOT n = 5 AND i = 5": "@.i == 5",
    "n = 5 AND _corrupt_record IS NULL": "@.n == 5",
    "n = 5 AND s IS NULL": "@.n == 5",
    "n = 5 AND f(i AND b)": "@.n == 5",
    "n NOT BETWEEN 1 AND 2 AND i = 3": "@.i == 3",
}
LEFT_OUT = [
    "true = true",
    "true = false",
    "null = 1",
    "n = 5 OR i = 5",
    "n IS NULL",
    "NOT n = 5",
    "! n = 5",
    "NOT (n = 5 AND i = 5)",
    "n - 5 = 3",
    "n = 5 - 3",
    "n = 5.0",
    "n = 5e0",
    "n = 5L",
    "n = 9223372036854775808",
    "n = '5'",
    "n = i",
    "n = 5 = b",
    "s > 'x'",
    "s = 5",
    "s = 'a' 'b'",
    "s = 'it''s'",
    "s = 'a\\nb'",
    's = "x"',
    "s = r'x'",
    "s = '\ufffd'",
    "s NOT LIKE 'x%'",
    "s LIKE 'a_b'",
    "s LIKE 'a%b'",
    "s LIKE 'a.b%'",
    "s LIKE '%'",
    "s LIKE 'a%' ESCAPE '/'",
    "s IN ('a', NULL)",
    "s IN ('a', upper('b'))",
    "n NOT IN (1)",
    "n IN ()",
    "n IN (SELECT 1)",
    "x <> 0.1",
    "x = 1e999",
    "x = 0.1D",
    "f = 0.1",
    "m = 0.1",
    "t > '2024-01-01'",
    "b",
    "all = 'x'",
    "j = '1'",
    "Q = 1",
    "N = 1",
    "unknown = 1",
    "u.n = 1",
    "n = 5 -- AND\n OR i = 5",
    "n = 5 /* */ OR i = 5",
    "CASE WHEN b THEN n = 1 AND i = 2 END",
    "(n = 5",
    "n = 5)",
    "n = 5; i = 3",
    "_corrupt_record IS NOT NULL",
    "",
]


@pytest.mark.parametrize("sql", PASSED)
def test_these_conditions_pass(sql: str) -> None:
    assert condition(sql, COLUMNS) == PASSED[sql]


@pytest.mark.parametrize("sql", LEFT_OUT)
def test_these_conditions_do_not_pass(sql: str) -> None:
    assert condition(sql, COLUMNS) is None
