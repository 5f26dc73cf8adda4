"""The data source."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from .files import Part, list_files, split_files
from .process import JSONSiftError, batches, program
from .schema import Schema, SchemaError
from .where import condition

MODES = ("PERMISSIVE", "DROPMALFORMED", "FAILFAST")
INPUTS = ("ndjson", "seq", "auto")
SPLIT_BYTES = 128 << 20
# The names of options in lower case, as Sail passes them.
OPTIONS = (
    "path", "paths", "mode", "columnnameofcorruptrecord", "splitbytes", "splitcompressed", "recursivefilelookup", "input",
    "skipprefix", "jsift", "jobs", "where",
)  # fmt: skip


class BadRecordError(ValueError):
    """A bad record, or a value that does not have the type of its column, in mode FAILFAST."""


@dataclass(frozen=True)
class Options:
    """The options of the data source, with their defaults.

    Attributes:
        paths: Files, folders and patterns.
        mode: What happens with bad records: PERMISSIVE, DROPMALFORMED or FAILFAST.
        corrupt: The name of the column for corrupt records.
        split_bytes: The most bytes of a part.
        splits_compressed: Whether zstd and BGZF files are divided where frames begin.
        recursive: Whether folders inside folders are read.
        input: The framing of records.
        skips_prefix: Whether lines may have text before their JSON.
        jsift: The program; `None` for `$JSIFT` or the one on the `PATH` of the executor.
        jobs: The number of workers of one jsift process.
        where: A condition of SQL that all records of interest satisfy.
    """

    paths: tuple[str, ...]
    mode: str = "PERMISSIVE"
    corrupt: str = "_corrupt_record"
    split_bytes: int = SPLIT_BYTES
    splits_compressed: bool = True
    recursive: bool = False
    input: str = "ndjson"
    skips_prefix: bool = False
    jsift: str | None = None
    jobs: int = 1
    where: str | None = None

    @staticmethod
    def of(options: Mapping[str, str]) -> Options:
        """Reads options, whose names may have any case. An unknown option is an error."""
        given = {name.lower(): value for name, value in options.items()}
        unknown = [name for name in given if name not in OPTIONS]
        if unknown:
            raise ValueError(f"option {unknown[0]!r}: expected one of {', '.join(OPTIONS)}")
        paths = [given["path"]] if "path" in given else []
        if "paths" in given:
            # Spark passes several paths as a JSON array.
            paths += json.loads(given["paths"])
        if not paths:
            raise ValueError("expected a path: load(PATH) or the option path; several paths can be a pattern or a folder")
        mode = given.get("mode", "PERMISSIVE").upper()
        if mode not in MODES:
            raise ValueError(f"option mode: expected {', '.join(MODES)}, found {given['mode']!r}")
        form = given.get("input", "ndjson")
        if form not in INPUTS:
            raise ValueError(f"option input: expected {', '.join(INPUTS)}, found {form!r}")
        return Options(
            paths=tuple(paths),
            mode=mode,
            corrupt=given.get("columnnameofcorruptrecord", "_corrupt_record"),
            split_bytes=_integer(given, "splitbytes", SPLIT_BYTES),
            splits_compressed=_flag(given, "splitcompressed", Options.splits_compressed),
            recursive=_flag(given, "recursivefilelookup", False),
            input=form,
            skips_prefix=_flag(given, "skipprefix", False),
            jsift=given.get("jsift"),
            jobs=_integer(given, "jobs", 1),
            where=given.get("where"),
        )


def _integer(options: Mapping[str, str], name: str, default: int) -> int:
    text = options.get(name, str(default)).strip()
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"option {name}: expected a number from 1, found {options[name]!r}")
    return int(text)


def _flag(options: Mapping[str, str], name: str, default: bool) -> bool:
    text = options.get(name, str(default)).strip().lower()
    if text not in ("true", "false"):
        raise ValueError(f"option {name}: expected true or false, found {options[name]!r}")
    return text == "true"


class JSONSiftDataSource(DataSource):
    """The data source `jsonsift`: records of JSON as typed columns, read by jsift on the executors.

    Register it with `spark.dataSource.register(JSONSiftDataSource)`, then use
    `spark.read.format("jsonsift").schema(…).load(PATH)`. The schema is required: it is what is read, and with which types.
    """

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "jsonsift"

    def schema(self) -> StructType | str:
        """Raises an error: a schema that was guessed from a sample would make wrong columns."""
        raise SchemaError(
            "expected a schema: spark.read.format('jsonsift').schema(…); jsift shape --format types finds types"
        )

    def reader(self, schema: StructType | pa.Schema) -> JSONSiftReader:
        """Returns the reader of a query."""
        options = Options.of(self.options)
        return JSONSiftReader(options, Schema.of(schema, options.corrupt))


@dataclass
class Split(InputPartition):
    """What one task reads."""

    parts: list[Part] = field(default_factory=list)


class JSONSiftReader(DataSourceReader):
    """Divides files into parts, and reads them.

    It does not implement `pushFilters`: Spark keeps what that method returns for later queries of the same DataFrame, also
    for those without the filter. The option `where` belongs to the DataFrame instead.
    """

    def __init__(self, options: Options, schema: Schema) -> None:
        self.options = options
        self.schema = schema
        self.where = None
        if options.where is not None and options.mode != "FAILFAST":
            self.where = condition(options.where, schema.columns)

    def partitions(self) -> list[InputPartition]:
        """Returns the tasks. Spark calls this once for each query, on the driver."""
        files = list_files(self.options.paths, self.options.recursive)
        return [Split(parts) for parts in split_files(files, self.options.split_bytes, self.options.splits_compressed)]

    @property
    def rejects(self) -> str | None:
        """The name of the column in which jsift writes bad records; `None` if they are not needed.

        With a condition, a bad record is no result. Without the column jsift need not validate lines that cannot satisfy it.
        """
        if self.where is not None and self.schema.corrupt is None and self.options.mode == "PERMISSIVE":
            return None
        name = self.options.corrupt
        while any(column.name == name for column in self.schema.columns):
            name += "_"
        return name

    def command(self) -> list[str]:
        """The program and its options, without those for one part."""
        options = self.options
        line = [program(options.jsift), "records", "--format", "arrow", "--progress", "never", "-j", str(options.jobs)]
        line += ["--input", options.input, *self.schema.arguments()]
        if options.skips_prefix:
            line.append("--skip-prefix")
        if self.where is not None:
            line += ["--where", self.where]
        if self.rejects is not None:
            line += ["--rejects-inline", self.rejects]
        return line

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yields the batches of a task. Raises an error if one of its parts was not read to its end."""
        # Without files Spark calls this with a partition of its own.
        if isinstance(partition, Split):
            command = self.command()
            for part in partition.parts:
                for batch in batches(command, part, self.rejects is not None):
                    result = self._convert(batch, part)
                    if result.num_rows > 0:
                        yield result

    def _convert(self, batch: pa.RecordBatch, part: Part) -> pa.RecordBatch:
        names = [column.name for column in self.schema.columns] or ["_"]
        expected = names if self.rejects is None else [*names, self.rejects]
        if batch.schema.names != expected:
            raise JSONSiftError(f"{part.path}: expected columns {expected} from jsift, found {batch.schema.names}")
        texts = None if self.rejects is None else batch.column(self.rejects)
        if isinstance(texts, pa.ExtensionArray):
            texts = texts.storage
        result, texts = self.schema.convert(batch, texts)
        if texts is None or texts.null_count == len(texts):
            return result
        if self.options.mode == "FAILFAST":
            first = texts.drop_null()[0].as_py()
            raise BadRecordError(f"{part.path}: found a bad record in mode FAILFAST: {first}")
        if self.options.mode == "DROPMALFORMED":
            return result.filter(pc.is_null(texts))
        return result


def register(spark: Any) -> None:
    """Registers the data source in a session."""
    spark.dataSource.register(JSONSiftDataSource)


def load(
    spark: Any, path: str | os.PathLike[str], schema: StructType | str, where: str | None = None, **options: Any
) -> Any:
    """Returns a DataFrame of the records at a path, or of those that satisfy a condition.

    The condition is evaluated by Spark. Before that, jsift leaves out records that cannot satisfy it, most of them without
    parsing them. Registers the data source if needed.

    Args:
        spark: The session.
        path: A file, a folder or a pattern.
        schema: The columns and their types.
        where: A condition of SQL, such as `level = 'error' AND ms > 100`.
        options: Options of the data source.
    """
    register(spark)
    reader = spark.read.format(JSONSiftDataSource.name()).schema(schema)
    for name, value in options.items():
        reader = reader.option(name, value)
    if where is None:
        return reader.load(os.fspath(path))
    return reader.option("where", where).load(os.fspath(path)).where(where)
