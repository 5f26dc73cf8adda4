"""Files of 18 kinds, which are generated, and the rows that one jsift process reads from them."""

from __future__ import annotations

import gzip
import json
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from conftest import run

from jsonsift_spark.schema import Schema

SCHEMA = (
    "id bigint, s string, x double, ok boolean, l array<string>, u struct<n:bigint,v:array<double>>, _corrupt_record string"
)
ARROW = pa.schema(
    [
        ("id", pa.int64()),
        ("s", pa.string()),
        ("x", pa.float64()),
        ("ok", pa.bool_()),
        ("l", pa.list_(pa.string())),
        ("u", pa.struct([("n", pa.int64()), ("v", pa.list_(pa.float64()))])),
        ("_corrupt_record", pa.string()),
    ]
)
TEXTS = ["error", "größe", "", 'a "quoted" one', "tab\tand\nline feed", "\U0001d11e", "x" * 300]
BAD = ['{"id":', "null x", '{"id":1}{"id":2}', "\x01", '{"s":"\\ud800"}', "[1,2", '{"id":1,}', '"open']


def record(random: random.Random, number: int) -> str:
    """Returns a record. Members may be absent or null."""
    value: dict[str, Any] = {
        "id": number,
        "s": random.choice(TEXTS),
        "x": random.choice([0.1, -2.5e300, 7, 1e-320]),
        "ok": random.random() < 0.5,
        "l": [random.choice(TEXTS) for _ in range(random.randrange(4))],
        "u": {"n": random.randrange(2**63), "v": [random.random() for _ in range(random.randrange(3))]},
        "more": {"deep": [[{}]] * random.randrange(3)},
    }
    for name in list(value):
        if name != "id" and random.random() < 0.1:
            value[name] = None
        elif name != "id" and random.random() < 0.1:
            del value[name]
    return json.dumps(value, ensure_ascii=random.random() < 0.5)


def lines(seed: int, count: int = 150) -> list[bytes]:
    """Returns records as lines without their ends."""
    source = random.Random(seed)
    return [record(source, number).encode() for number in range(count)]


def with_others(seed: int, others: list[str]) -> list[bytes]:
    """Returns records with other lines among them."""
    source = random.Random(seed)
    result = lines(seed)
    for _ in range(40):
        result.insert(source.randrange(len(result) + 1), source.choice(others).encode())
    return result


def joined(parts: list[bytes]) -> bytes:
    return b"".join(part + b"\n" for part in parts)


def pieces(data: bytes, count: int = 9) -> list[bytes]:
    """Returns data in pieces of different sizes, which do not end where lines do."""
    cuts = sorted(random.Random(7).sample(range(1, len(data)), count - 1))
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def bgzf(blocks: list[bytes]) -> bytes:
    """Returns BGZF: members of gzip that contain their size. The last one is empty."""
    data = b""
    for block in [*blocks, b""]:
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(block) + packer.flush()
        extra = struct.pack("<2sHH", b"BC", 2, len(packed) + 25)
        head = b"\x1f\x8b\x08\x04" + bytes(5) + b"\xff" + struct.pack("<H", 6) + extra
        data += head + packed + struct.pack("<II", zlib.crc32(block), len(block))
    return data


def zstd(blocks: list[bytes]) -> bytes:
    """Returns a zstd frame for each block."""
    return b"".join(pa.compress(block, codec="zstd", asbytes=True) for block in blocks)


MISSES = [
    '{"id":"x","s":5}',
    '{"id":1.5,"x":1e999}',
    '{"id":9223372036854775808}',
    '{"l":[1,"y"],"u":{"n":true}}',
    '{"ok":"true"}',
]
DUPLICATES = ['{"id":1,"id":2}', '{"s":"a","s":null}', '{"u":{"n":1},"u":{"n":2}}', '{"id":1} {"id":2}']

PREFIX = b"2026-01-01T00:00:00Z stdout F "
MARK = b"\xef\xbb\xbf"


def marked() -> bytes:
    """Returns lines of which each third begins with a byte order mark."""
    return joined([MARK + line if number % 3 == 1 else line for number, line in enumerate(lines(5))])


def long() -> bytes:
    """Returns records of which one is longer than a part."""
    return joined([*lines(8, 30), b'{"s":"' + b"y" * 60_000 + b'"}', *lines(9, 30)])


def sequence() -> bytes:
    """Returns text sequences of RFC 7464."""
    return b"".join(b"\x1e" + line + b"\n" for line in with_others(16, BAD))


def only_bad() -> bytes:
    source = random.Random(9)
    return joined([source.choice(BAD).encode() for _ in range(60)])


KINDS: dict[str, tuple[str, Callable[[], bytes], dict[str, str]]] = {
    "line feeds": ("lf.ndjson", lambda: joined(lines(1)), {}),
    "CRLF": ("crlf.ndjson", lambda: joined([line + b"\r" for line in lines(2)]), {}),
    "no last line feed": ("open.ndjson", lambda: joined(lines(3))[:-1], {}),
    "a byte order mark": ("bom.ndjson", lambda: MARK + joined(lines(4)), {}),
    "byte order marks elsewhere": ("boms.ndjson", marked, {}),
    "blank lines": ("blank.ndjson", lambda: b"\n \n" + joined(with_others(6, ["", " ", "\t", "\r"])), {}),
    "bad records": ("bad.ndjson", lambda: joined(with_others(7, BAD)), {}),
    "a record longer than parts": ("long.ndjson", long, {}),
    "only bad records": ("only-bad.ndjson", only_bad, {}),
    "nothing": ("empty.ndjson", lambda: b"", {}),
    "one record": ("one.ndjson", lambda: lines(10, 1)[0], {}),
    "values of other types": ("misses.ndjson", lambda: joined(with_others(11, MISSES)), {}),
    "duplicate keys": ("duplicates.ndjson", lambda: joined(with_others(12, DUPLICATES)), {}),
    "gzip": ("plain.ndjson.gz", lambda: gzip.compress(joined(with_others(13, BAD))), {}),
    "zstd frames that end inside records": ("frames.zst", lambda: zstd(pieces(joined(with_others(14, BAD)))), {}),
    "BGZF that is cut inside records": ("blocks.gz", lambda: bgzf(pieces(joined(with_others(15, BAD)))), {}),
    "text sequences": ("records.seq", sequence, {"input": "seq"}),
    "a prefix before records": (
        "prefix.log",
        lambda: joined([PREFIX + line for line in with_others(17, BAD)]),
        {"skipPrefix": "true"},
    ),
}


def write(folder: Path, kind: str) -> Path:
    """Writes a file of a kind, and returns its path."""
    name, make, _ = KINDS[kind]
    path = folder / name
    path.write_bytes(make())
    return path


def key(row: dict[str, Any]) -> str:
    """Returns a text that is equal for equal rows."""
    return repr(sorted(row.items()))


def expected(jsift: str, path: Path, options: dict[str, str]) -> list[str]:
    """Returns the rows that one jsift process reads from a whole file, in a fixed order."""
    command = [
        jsift,
        "records",
        "--format",
        "arrow",
        "--input",
        options.get("input", "ndjson"),
        "--rejects-inline",
        "_corrupt_record",
    ]
    if "skipPrefix" in options:
        command.append("--skip-prefix")
    data = run([*command, *Schema.of(ARROW, "_corrupt_record").arguments(), str(path)])
    table = pa.ipc.open_stream(data).read_all()
    assert table.schema.names == ARROW.names
    return sorted(key(row) for row in table.to_pylist())
