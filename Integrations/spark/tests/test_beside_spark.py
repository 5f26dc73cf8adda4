"""Records read by `spark.read.json` and by jsift are equal but for the differences that the page lists."""

from __future__ import annotations

import datetime
import json
import math
import random
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import IS_SAIL

pytestmark = pytest.mark.skipif(IS_SAIL, reason="compares with Spark")

SCHEMA = (
    "id bigint, n bigint, x double, s string, b boolean, d date, m decimal(10,2), l array<bigint>, "
    "u struct<n:bigint,s:string>, _corrupt_record string"
)
NAMES = ["id", "n", "x", "s", "b", "d", "m", "l", "u", "_corrupt_record"]
NUMBERS = [
    "0",
    "1",
    "-7",
    "0.5",
    "1.0",
    "1e3",
    "1E400",
    "9223372036854775807",
    "9223372036854775808",
    "12.34",
    "12.345",
    "-0",
]
STRINGS = ['"x"', '""', '"1"', '"true"', '"NaN"', '"2026-01-31"', '"2026-02-30"', '"a\\"b"', '"\\ud834\\udd1e"', '"größe"']
OTHERS = ["null", "true", "false", "[]", "[1,2]", '[1,"x"]', "{}", '{"n":1,"s":"y"}', '{"n":"1"}', "[null]"]
MALFORMED = ["NaN", "Infinity", "'x'", "01", "1.", "nul", '"\\x"', '"a\tb"', "undefined", '"\\ud800"']


# The differences by their names on the page: a line, a column, and what the two read there.
LISTED: dict[str, tuple[str, str, Any, Any]] = {
    "duplicate keys": ('{"n":1,"n":2}', "n", 2, 1),
    "a number, an array or an object in a `string` column": ('{"s":[1, 2.50]}', "s", "[1, 2.50]", None),
    "`1.0` or `1e3` in a `bigint` column": ('{"n":1e3}', "n", None, 1000),
    "`1e400` in a `double` column": ('{"x":1e400}', "x", math.inf, None),
    '`"NaN"`, `"Infinity"` in a `double` column': ('{"x":"Infinity"}', "x", math.inf, None),
    "a string with a number in a `decimal` column": ('{"m":"1.5"}', "m", Decimal("1.50"), None),
    "a decimal with more digits than its scale": ('{"m":1.555}', "m", Decimal("1.56"), None),
    "dates and times": ('{"d":"2026-1-1"}', "d", datetime.date(2026, 1, 1), None),
    "text after the first value of a line": ('{"n":1}{"n":2}', "n", 1, None),
    "text that is not JSON: `NaN`, `'x'`, half a surrogate pair": ("{'n':1}", "n", 1, None),
    "a value of another type in an array": ('{"l":[1,"x"]}', "l", None, [1, None]),
}


class Text(str):
    """The text of a number."""


def line(source: random.Random, number: int) -> str:
    members = [f'"id":{number}']
    for name in "nxsbdmlu":
        if source.random() < 0.5:
            chosen = source.random()
            values = NUMBERS if chosen < 0.35 else STRINGS if chosen < 0.6 else OTHERS if chosen < 0.97 else MALFORMED
            members.append(f'"{name}":{source.choice(values)}')
    if source.random() < 0.03:
        members.append(f'"{source.choice("nxs")}":{source.choice(NUMBERS + STRINGS)}')
    text = "{" + ",".join(members) + "}"
    chosen = source.random()
    if chosen < 0.02:
        text = text[: source.randrange(8, len(text))]
    elif chosen < 0.03:
        text += source.choice(['{"n":1}', " x", ",", "}"])
    elif chosen < 0.04:
        text = source.choice(["1", '"x"', "null", "{", "}", "x", "true"])
    return text


def differences(text: str) -> set[str]:
    """Returns the listed differences that a line may show."""
    found: set[str] = set()

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in members}) < len(members):
            found.add("duplicate keys")
        return dict(members)

    def constant(name: str) -> str:
        found.add("text that is not JSON")
        return name

    try:
        value = json.loads(text, parse_int=Text, parse_float=Text, object_pairs_hook=pairs, parse_constant=constant)
    except ValueError:
        return found | {"text that is not JSON"}
    if "\\ud800" in text:
        found.add("text that is not JSON")
    if not isinstance(value, dict):
        return found | {"a record that is not an object"}
    # A value of another type: Spark converts some, and jsift none.
    kinds = {
        "n": "bigint",
        "x": "double",
        "s": "string",
        "b": "boolean",
        "d": "date",
        "m": "decimal",
        "l": "list",
        "u": "struct",
    }
    for name, member in value.items():
        if name in kinds and member is not None:
            found |= _conversions(kinds[name], member)
    return found


def _conversions(kind: str, value: Any) -> set[str]:
    is_number = isinstance(value, Text)
    is_string = isinstance(value, str) and not is_number
    if kind == "string":
        return set() if is_string else {"a value of another type in a string column"}
    if kind == "bigint" and is_number and any(character in value for character in ".eE"):
        return {"an integer that is written with a point or an exponent"}
    if kind == "double" and is_number and "400" in value:
        return {"a number beyond the doubles"}
    if kind in ("double", "decimal", "date", "bigint", "boolean") and not (is_number and kind != "date"):
        return {"a string or another value in a column of another type"}
    if kind == "decimal" and is_number:
        return {"a decimal that is rounded"}
    if kind == "date":
        return {"a string or another value in a column of another type"}
    if kind in ("list", "struct"):
        return {"a value of another type in an array or a struct"}
    return set()


def test_the_page_lists_each_difference(spark: Any, tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "Documentation" / "Spark.md").read_text()
    path = tmp_path / "x.ndjson"
    path.write_text("\n".join(line for line, _, _, _ in LISTED.values()))
    theirs = spark.read.schema(SCHEMA).json(str(path)).select(*NAMES).collect()
    ours = spark.read.format("jsonsift").schema(SCHEMA).load(str(path)).collect()
    for (name, (_, column, their, our)), one, other in zip(LISTED.items(), theirs, ours, strict=True):
        assert f"| {name} |" in page
        assert (one[column], other[column]) == (their, our), name


def test_a_record_that_is_not_an_object_is_a_row_of_nulls(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text('[{"n":1},{"n":2}]\n5\n')
    assert [row.n for row in spark.read.schema(SCHEMA).json(str(path)).collect()] == [1, 2, None]
    ours = spark.read.format("jsonsift").schema(SCHEMA).load(str(path)).collect()
    assert [tuple(row) for row in ours] == [(None,) * 10] * 2


def test_lines_are_read_alike_but_for_the_listed_differences(spark: Any, tmp_path: Path) -> None:
    source = random.Random(10_000)
    lines = [line(source, number) for number in range(10_000)]
    path = tmp_path / "x.ndjson"
    path.write_text("\n".join(lines), encoding="utf-8", errors="surrogatepass")
    theirs = spark.read.schema(SCHEMA).json(str(path)).select(*NAMES).collect()
    ours = spark.read.format("jsonsift").schema(SCHEMA).load(str(path)).collect()
    assert len(theirs) == len(ours) == len(lines)
    seen: Counter[str] = Counter()
    unlisted = []
    equal = 0
    for text, their, our in zip(lines, theirs, ours, strict=True):
        corrupt = our._corrupt_record
        if tuple(their)[:-1] == tuple(our)[:-1] and (their._corrupt_record is None) == (corrupt is None):
            equal += 1
            if corrupt is not None and our.id is None:
                assert json.loads(corrupt)["raw"] == their._corrupt_record
            continue
        reasons = differences(text)
        seen.update(reasons)
        if not reasons:
            unlisted.append((text, their, our))
    print(f"{equal} of {len(lines)} rows are equal; differences: {dict(seen.most_common())}")
    assert unlisted == []
    assert equal > 2000
