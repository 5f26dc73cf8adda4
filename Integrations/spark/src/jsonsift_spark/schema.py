"""The columns that jsift writes for a Spark schema, and their conversion to the exact Arrow types that Spark expects."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

SIMPLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)

# jsift has one type of integer and one of floating-point numbers. Columns of these types are read as the wider type.
NARROW: dict[type[DataType], str] = {
    ByteType: "int64",
    ShortType: "int64",
    IntegerType: "int64",
    FloatType: "float64",
}
EQUAL: dict[type[DataType], str] = {
    LongType: "int64",
    DoubleType: "float64",
    BooleanType: "bool",
    DateType: "date",
    TimestampType: "timestamp",
}


class SchemaError(ValueError):
    """A schema that jsift cannot read."""


@dataclass(frozen=True)
class Column:
    """A column of the result.

    Attributes:
        name: The name in Spark's schema.
        path: The path in the record.
        kind: The type for `--type` of jsift.
        data_type: Spark's type.
    """

    name: str
    path: str
    kind: str
    data_type: DataType


@dataclass(frozen=True)
class Schema:
    """A Spark schema, divided into the columns that are read and the one for corrupt records.

    Attributes:
        columns: The columns that jsift reads.
        corrupt: The name of the column for corrupt records, if the schema has it.
        arrow: The exact schema of each batch, with its order.
    """

    columns: tuple[Column, ...]
    corrupt: str | None
    arrow: pa.Schema

    @staticmethod
    def of(schema: StructType | pa.Schema, corrupt_name: str) -> Schema:
        """Returns the columns of a schema. Spark passes its own type, Sail passes an Arrow schema."""
        if isinstance(schema, pa.Schema):
            arrow, struct = schema, _struct(schema)
        else:
            arrow, struct = to_arrow_schema(schema, timezone="UTC"), schema
        columns: list[Column] = []
        corrupt: str | None = None
        for field in struct.fields:
            if field.name == corrupt_name:
                if not isinstance(field.dataType, StringType):
                    raise SchemaError(f"column {field.name!r}: expected type string, found {_text(field.dataType)}")
                corrupt = field.name
                continue
            columns.append(_column(field))
        names = [field.name for field in struct.fields]
        for name in names:
            if names.count(name) > 1:
                raise SchemaError(f"column {name!r}: expected different names, found it {names.count(name)} times")
        # Batches have no metadata: Spark compares schemas without it.
        return Schema(tuple(columns), corrupt, pa.schema([field.remove_metadata() for field in arrow]))

    def arguments(self) -> list[str]:
        """The options of jsift that describe the columns. A stream without columns has no rows, so there is always one."""
        if not self.columns:
            return ["--select", "_=$", "--type", "_=json"]
        arguments: list[str] = []
        for column in self.columns:
            arguments += ["--select", f"{column.name}={column.path}", "--type", f"{column.name}={column.kind}"]
        return arguments

    def convert(self, batch: pa.RecordBatch, corrupt: pa.Array | None) -> tuple[pa.RecordBatch, pa.Array | None]:
        """Returns the batch that Spark expects, and the corrupt records with those that narrow columns add.

        Args:
            batch: A batch of jsift.
            corrupt: The text of corrupt records, null for the others.
        """
        arrays: dict[str, pa.Array] = {}
        for column in self.columns:
            array = batch.column(column.name)
            if isinstance(array, pa.ExtensionArray):
                array = array.storage
            target = self.arrow.field(column.name).type
            if type(column.data_type) in NARROW:
                array, misses = _narrow(array, target)
                if misses is not None and corrupt is not None:
                    corrupt = _with_misses(corrupt, misses, batch.column(column.name), column)
            elif array.type != target:
                # The types differ in names of list elements only.
                array = array.cast(target)
            arrays[column.name] = array
        if self.corrupt is not None:
            texts = corrupt if corrupt is not None else pa.nulls(batch.num_rows, pa.string())
            arrays[self.corrupt] = texts.cast(self.arrow.field(self.corrupt).type)
        result = pa.RecordBatch.from_arrays([arrays[name] for name in self.arrow.names], schema=self.arrow)
        result.validate()
        return result, corrupt


def _struct(schema: pa.Schema) -> StructType:
    """Returns Spark's type of an Arrow schema with the metadata of its fields."""
    struct: StructType = from_arrow_schema(schema)
    fields = []
    for field, arrow in zip(struct.fields, schema, strict=True):
        text = (arrow.metadata or {}).get(b"SPARK::metadata::json")
        fields.append(StructField(field.name, field.dataType, field.nullable, json.loads(text) if text else {}))
    return StructType(fields)


def _text(data_type: DataType) -> str:
    return str(data_type.simpleString())


def name_path(name: str) -> str:
    """Returns the path of a member."""
    if SIMPLE_NAME.match(name):
        return f"$.{name}"
    return f"$[{json.dumps(name, ensure_ascii=False)}]"


def _column(field: StructField) -> Column:
    metadata = field.metadata or {}
    if not field.nullable:
        raise SchemaError(f"column {field.name!r}: expected a nullable column, since a record may lack the value")
    if field.name == "" or "=" in field.name:
        raise SchemaError(f"column {field.name!r}: expected a name that is not empty and does not contain '='")
    path = metadata.get("path", name_path(field.name))
    if metadata.get("type") == "json":
        if not isinstance(field.dataType, StringType):
            raise SchemaError(f"column {field.name!r}: expected type string for JSON, found {_text(field.dataType)}")
        kind = "json"
    elif type(field.dataType) in NARROW:
        kind = NARROW[type(field.dataType)]
    else:
        kind = _kind(field.dataType, field.name)
    return Column(field.name, path, kind, field.dataType)


def _kind(data_type: DataType, column: str) -> str:
    """Returns the type in the notation of jsift."""
    if type(data_type) in EQUAL:
        return EQUAL[type(data_type)]
    if type(data_type) is StringType:
        return "utf8"
    if isinstance(data_type, DecimalType):
        if not 0 <= data_type.scale <= data_type.precision:
            raise SchemaError(f"column {column!r}: expected a decimal with a scale from 0 to its precision")
        return f"decimal({data_type.precision},{data_type.scale})"
    if isinstance(data_type, ArrayType) and data_type.containsNull:
        return f"list<{_kind(data_type.elementType, column)}>"
    if isinstance(data_type, StructType) and data_type.fields and all(field.nullable for field in data_type.fields):
        members = [f"{json.dumps(field.name)}:{_kind(field.dataType, column)}" for field in data_type.fields]
        return f"struct<{','.join(members)}>"
    nested = " (int, smallint, tinyint and float only outside arrays and structs)" if type(data_type) in NARROW else ""
    raise SchemaError(
        f"column {column!r}: expected bigint, double, boolean, string, timestamp, date, decimal, or nullable arrays and "
        f"structs of them{nested}, found {_text(data_type)}"
    )


def _narrow(array: pa.Array, target: pa.DataType) -> tuple[pa.Array, pa.Array | None]:
    """Returns the values in a narrower type, null where they are out of its range, and which these are."""
    if pa.types.is_integer(target):
        bits = target.bit_width - 1
        fits = pc.and_(pc.greater_equal(array, -(2**bits)), pc.less(array, 2**bits))
    else:
        # A double that rounds to infinity in 32 bits.
        fits = pc.is_finite(array.cast(target, safe=False))
    misses = pc.fill_null(pc.invert(fits), False)
    if not pc.any(misses).as_py():
        return array.cast(target, safe=False), None
    return pc.if_else(misses, None, array).cast(target, safe=False), misses


def _with_misses(corrupt: pa.Array, misses: pa.Array, values: pa.Array, column: Column) -> pa.Array:
    """Returns the corrupt records, with the values that are out of range added to those that jsift found."""
    texts = corrupt.to_pylist()
    for row in pc.indices_nonzero(misses).to_pylist():
        record = json.loads(texts[row]) if texts[row] is not None else {"misses": []}
        record["misses"].append(
            {
                "error": f"expected {_text(column.data_type)}",
                "column": column.name,
                "path": column.path,
                "raw": json.dumps(values[row].as_py()),
            }
        )
        texts[row] = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return pa.array(texts, pa.string())
