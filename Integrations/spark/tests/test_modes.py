"""What happens with bad records, and other options of a query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import IS_SAIL

LINES = ['{"a":1,"s":"x"}', "{bad", '{"a":"2","s":"y"}', '{"a":3}', '{"a":3000000000,"s":"z"}']


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = tmp_path / "x.ndjson"
    result.write_text("\n".join(LINES))
    return result


def read(spark: Any, path: Path, schema: str, **options: str) -> list[tuple[Any, ...]]:
    frame = spark.read.format("jsonsift").schema(schema).options(**options).load(str(path))
    return sorted((tuple(row) for row in frame.collect()), key=repr)


def test_permissive_has_a_row_for_each_record(spark: Any, path: Path) -> None:
    rows = read(spark, path, "a bigint, s string")
    assert rows == sorted([(1, "x"), (None, None), (None, "y"), (3, None), (3000000000, "z")], key=repr)


def test_permissive_has_the_corrupt_record_in_its_column(spark: Any, path: Path) -> None:
    rows = read(spark, path, "_corrupt_record string, a int, s string")
    texts = {row[1:]: None if row[0] is None else json.loads(row[0]) for row in rows}
    assert texts[(1, "x")] is None
    assert texts[(3, None)] is None
    assert texts[(None, None)]["offset"] == 16
    assert texts[(None, None)]["raw"] == "{bad"
    assert "expected a key" in texts[(None, None)]["error"]
    # A number out of range of a narrow column is corrupt, too.
    miss = {"error": "expected int", "column": "a", "path": "$.a", "raw": "3000000000"}
    assert texts[(None, "z")] == {"misses": [miss]}
    miss = {"error": "expected int64", "column": "a", "path": "$['a']", "raw": '"2"'}
    assert texts[(None, "y")] == {"misses": [{"offset": 26, "length": 3} | miss]}


def test_the_column_of_corrupt_records_can_have_another_name(spark: Any, path: Path) -> None:
    rows = read(spark, path, "s string, bad string", columnNameOfCorruptRecord="bad")
    assert [json.loads(row[1])["raw"] for row in rows if row[1] is not None] == ["{bad"]


def test_only_corrupt_records_can_be_read(spark: Any, path: Path) -> None:
    rows = read(spark, path, "_corrupt_record string")
    assert len(rows) == 5
    assert [json.loads(row[0])["raw"] for row in rows if row[0] is not None] == ["{bad"]


def test_dropmalformed_has_neither_bad_records_nor_those_with_a_value_of_another_type(spark: Any, path: Path) -> None:
    rows = read(spark, path, "a int, s string", mode="dropMalformed")
    assert rows == sorted([(1, "x"), (3, None)], key=repr)


@pytest.mark.parametrize("schema", ["s string", "a bigint", "a bigint, _corrupt_record string"])
def test_failfast_fails_with_a_bad_record(spark: Any, path: Path, schema: str) -> None:
    with pytest.raises(Exception, match="found a bad record in mode FAILFAST"):
        read(spark, path, schema, mode="FAILFAST")


def test_failfast_fails_with_a_value_of_another_type(spark: Any, path: Path) -> None:
    path.write_text('{"a":"x"}\n')
    with pytest.raises(Exception, match="found a bad record in mode FAILFAST"):
        read(spark, path, "a bigint", mode="FAILFAST")


def test_failfast_has_all_rows_of_a_good_file(spark: Any, path: Path) -> None:
    path.write_text('{"a":1}\n{"a":2}\n')
    assert read(spark, path, "a bigint", mode="FAILFAST") == [(1,), (2,)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "STRICT"}, "expected PERMISSIVE, DROPMALFORMED, FAILFAST, found 'STRICT'"),
        ({"splitBytes": "0"}, "expected a number from 1, found '0'"),
        ({"multiLine": "true"}, "option 'multiline': expected one of"),
        ({"input": "json"}, "expected ndjson, seq, auto, found 'json'"),
        ({"skipPrefix": "yes"}, "expected true or false, found 'yes'"),
        ({"jsift": "no-such-jsift"}, "no-such-jsift: expected the program jsift"),
    ],
    ids=str,
)
def test_a_wrong_option_is_an_error(spark: Any, path: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(Exception, match=message):
        read(spark, path, "a bigint", **options)


def test_a_schema_is_required(spark: Any, path: Path) -> None:
    with pytest.raises(Exception, match="expected a schema"):
        spark.read.format("jsonsift").load(str(path)).collect()


def test_many_files_folders_patterns_and_names_with_spaces_are_read(spark: Any, tmp_path: Path) -> None:
    names = [f"day {day}/part-{part} of 9.ndjson" for day in range(5) for part in range(30)]
    for number, name in enumerate(names):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f'{{"a":{number}}}\n')
    assert read(spark, tmp_path, "a bigint", recursiveFileLookup="true") == sorted(((n,) for n in range(150)), key=repr)
    assert len(read(spark, tmp_path / "day *", "a bigint")) == 150
    assert len(read(spark, tmp_path / "day [12]" / "part-?? of 9.*", "a bigint", splitBytes="40")) == 40
    assert read(spark, tmp_path / "day 4" / "part-7 of 9.ndjson", "a bigint") == [(127,)]
    assert len(read(spark, tmp_path / "day 3", "a bigint")) == 30
    with pytest.raises(Exception, match="recursiveFileLookup"):
        read(spark, tmp_path, "a bigint")
    with pytest.raises(Exception, match="found nothing"):
        read(spark, tmp_path / "night *", "a bigint")


def test_files_that_have_grown_need_another_load(spark: Any, path: Path) -> None:
    frame = spark.read.format("jsonsift").schema("a bigint").load(str(path))
    assert frame.count() == 5
    with path.open("a") as file:
        file.write("\n{}\n")
    if IS_SAIL:
        # It plans each query anew.
        assert frame.count() == 6
    else:
        with pytest.raises(Exception, match="expected a file"):
            frame.count()
    assert spark.read.format("jsonsift").schema("a bigint").load(str(path)).count() == 6


@pytest.mark.skipif(IS_SAIL, reason="Sail passes no paths where load() has several")
def test_several_paths_are_read(spark: Any, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number} x.ndjson").write_text(f'{{"a":{number}}}\n')
    paths = [str(tmp_path / f"{number} x.ndjson") for number in (0, 2)]
    frame = spark.read.format("jsonsift").schema("a bigint").load(paths)
    assert sorted(row.a for row in frame.collect()) == [0, 2]


def test_metadata_selects_paths_and_texts(spark: Any, tmp_path: Path) -> None:
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    path = tmp_path / "x.ndjson"
    path.write_text('{"u":{"id":7},"t":[1, 2.50]}\n')
    schema = StructType(
        [
            StructField("id", LongType(), metadata={"path": "$.u.id"}),
            StructField("t", StringType(), metadata={"type": "json"}),
        ]
    )
    rows = spark.read.format("jsonsift").schema(schema).load(str(path)).collect()
    assert [tuple(row) for row in rows] == [(7, "[1, 2.50]")]
