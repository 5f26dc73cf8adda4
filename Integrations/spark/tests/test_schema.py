"""Which columns jsift writes for a schema, and what becomes of them."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from jsonsift_spark import SchemaError
from jsonsift_spark.schema import Schema, name_path

KINDS: list[tuple[DataType, str]] = [
    (LongType(), "int64"),
    (IntegerType(), "int64"),
    (ShortType(), "int64"),
    (ByteType(), "int64"),
    (FloatType(), "float64"),
    (DoubleType(), "float64"),
    (StringType(), "utf8"),
    (DateType(), "date"),
    (TimestampType(), "timestamp"),
    (DecimalType(12, 3), "decimal(12,3)"),
    (ArrayType(ArrayType(StringType())), "list<list<utf8>>"),
    (StructType([StructField("a b", LongType())]), 'struct<"a b":int64>'),
]


def schema(*fields: StructField) -> Schema:
    return Schema.of(StructType(list(fields)), "_corrupt_record")


@pytest.mark.parametrize(("data_type", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_each_type_has_one_of_jsift(data_type: DataType, kind: str) -> None:
    assert schema(StructField("a", data_type)).arguments() == ["--select", "a=$.a", "--type", f"a={kind}"]


@pytest.mark.parametrize(
    "data_type",
    [
        BinaryType(),
        MapType(StringType(), LongType()),
        TimestampNTZType(),
        ArrayType(IntegerType()),
        ArrayType(LongType(), containsNull=False),
        StructType([]),
    ],
    ids=str,
)
def test_another_type_is_an_error(data_type: DataType) -> None:
    with pytest.raises(SchemaError, match="column 'a': expected bigint, double"):
        schema(StructField("a", data_type))


def test_a_column_that_must_have_a_value_is_an_error() -> None:
    with pytest.raises(SchemaError, match="expected a nullable column"):
        schema(StructField("a", LongType(), nullable=False))


def test_a_name_that_occurs_twice_is_an_error() -> None:
    with pytest.raises(SchemaError, match="found it 2 times"):
        schema(StructField("a", LongType()), StructField("a", LongType()))


def test_metadata_sets_the_path_and_the_text_of_json() -> None:
    columns = schema(
        StructField("id", LongType(), metadata={"path": "$.user.id"}),
        StructField("all", StringType(), metadata={"path": "$", "type": "json"}),
    ).columns
    assert [(column.path, column.kind) for column in columns] == [("$.user.id", "int64"), ("$", "json")]


@pytest.mark.parametrize(("name", "path"), [("a_1", "$.a_1"), ("a b", '$["a b"]'), ('a"', '$["a\\""]'), ("ü", '$["ü"]')])
def test_a_name_becomes_a_path(name: str, path: str) -> None:
    assert name_path(name) == path


def test_an_arrow_schema_means_the_same() -> None:
    struct = StructType(
        [
            StructField("x", IntegerType(), metadata={"path": "$.y"}),
            StructField("t", TimestampType()),
            StructField("_corrupt_record", StringType()),
        ]
    )
    one, other = Schema.of(struct, "_corrupt_record"), Schema.of(to_arrow_schema(struct, timezone="UTC"), "_corrupt_record")
    assert one == other


def test_batches_have_the_exact_schema_and_its_order() -> None:
    fields = schema(
        StructField("_corrupt_record", StringType()),
        StructField("l", ArrayType(StringType())),
        StructField("a", LongType()),
    )
    batch = pa.record_batch({"l": pa.array([["x"]], pa.list_(pa.field("item", pa.string()))), "a": pa.array([1])})
    result, _ = fields.convert(batch, pa.nulls(1, pa.string()))
    assert result.schema.equals(fields.arrow)
    assert result.schema.names == ["_corrupt_record", "l", "a"]
    assert result.to_pylist() == [{"_corrupt_record": None, "l": ["x"], "a": 1}]


def test_a_number_out_of_range_of_a_narrow_column_is_null_and_corrupt() -> None:
    fields = schema(
        StructField("i", IntegerType()), StructField("f", FloatType()), StructField("_corrupt_record", StringType())
    )
    batch = pa.record_batch(
        {
            "i": pa.array([2**31 - 1, -(2**31), 2**31, None, 5], pa.int64()),
            "f": pa.array([0.1, 1e38, 1.0, None, 1e39], pa.float64()),
        }
    )
    before = '{"misses":[{"error":"expected int32","column":"l"}]}'
    result, texts = fields.convert(batch, pa.array([None, None, before, '{"raw":"bad"}', None], pa.string()))
    rows = result.to_pylist()
    assert [row["i"] for row in rows] == [2**31 - 1, -(2**31), None, None, 5]
    assert [row["f"] is None for row in rows] == [False, False, False, True, True]
    assert texts is not None
    found = [None if text is None else json.loads(text) for text in texts.to_pylist()]
    assert found[2] == {
        "misses": [
            {"error": "expected int32", "column": "l"},
            {"error": "expected int", "column": "i", "path": "$.i", "raw": "2147483648"},
        ]
    }
    assert found[3] == {"raw": "bad"}
    assert found[4]["misses"][0]["raw"] == "1e+39"
    assert found[:2] == [None, None]
