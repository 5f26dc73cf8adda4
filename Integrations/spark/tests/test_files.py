"""Which files a path has, and how they are divided."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import struct
from pathlib import Path

import pytest
from kinds import bgzf

from jsonsift_spark.files import Part, list_files, split_files
from jsonsift_spark.frames import frame_starts


def names(paths: list[str]) -> list[str]:
    return [Path(path).name for path in paths]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ["b.ndjson", "a b.ndjson", "[x]*.ndjson", "ü.ndjson", "_SUCCESS", ".hidden", "sub/c.ndjson", "100%20.txt"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("b.ndjson", ["b.ndjson"]),
        ("a b.ndjson", ["a b.ndjson"]),
        ("[x]*.ndjson", ["[x]*.ndjson"]),
        ("?.ndjson", ["b.ndjson", "ü.ndjson"]),
        ("*/c.ndjson", ["c.ndjson"]),
        ("sub", ["c.ndjson"]),
        ("{b,ü,sub/c}.ndjson", ["b.ndjson", "c.ndjson", "ü.ndjson"]),
        ("{b.nd,100%20.{t,x}}*", ["100%20.txt", "b.ndjson"]),
        ("[^b].ndjson", ["ü.ndjson"]),
        ("100%20.txt", ["100%20.txt"]),
    ],
)
def test_a_path_is_a_file_a_folder_or_a_pattern(folder: Path, path: str, expected: list[str]) -> None:
    assert names(list_files([str(folder / path)])) == expected


def test_a_url_is_decoded(folder: Path) -> None:
    assert names(list_files([f"file://{folder}/a%20b.ndjson"])) == ["a b.ndjson"]


def test_a_folder_in_a_folder_needs_an_option(folder: Path) -> None:
    with pytest.raises(ValueError, match="recursiveFileLookup"):
        list_files([str(folder)])
    assert names(list_files([str(folder)], recursive=True)) == [
        *("100%20.txt", "[x]*.ndjson", "a b.ndjson", "b.ndjson", "c.ndjson", "ü.ndjson")
    ]


def test_a_file_that_two_paths_select_is_read_twice_as_in_spark(folder: Path) -> None:
    found = list_files([str(folder / "b.ndjson"), str(folder / "{b,a*,b*}.ndjson")])
    assert names(found) == ["b.ndjson", "a b.ndjson", "b.ndjson"]


def test_a_path_without_files_is_an_error(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match="matches one, found nothing"):
        list_files([str(folder / "no*")])


@pytest.mark.parametrize("url", ["s3://bucket/a", "hdfs://host/a", "file://host/a"])
def test_a_path_that_is_not_local_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match="expected a local path"):
        list_files([url])


@pytest.mark.parametrize("size", [0, 1, 2, 127, 128, 129, 1000])
@pytest.mark.parametrize("most", [1, 7, 64, 128, 10_000])
def test_parts_meet_and_cover_a_file(tmp_path: Path, size: int, most: int) -> None:
    path = tmp_path / "x.ndjson"
    path.write_bytes(b"a" * size)
    parts = [part for task in split_files([str(path)], most) for part in task]
    ends = [part.end for part in parts]
    assert [part.start for part in parts] == [0, *ends[:-1]]
    assert ends[-1] == size
    lengths = [part.bytes for part in parts]
    assert max(lengths) <= most
    assert len(parts) == 1 or min(lengths) >= most // 2


def test_small_files_share_a_task(tmp_path: Path) -> None:
    sizes = [100, 200, 300, 400, 2500, 50]
    paths = []
    for index, size in enumerate(sizes):
        paths.append(str(tmp_path / str(index)))
        Path(paths[-1]).write_bytes(b"a" * size)
    tasks = split_files(paths, 1000)
    assert [[part.bytes for part in task] for task in tasks] == [[833], [833], [834], [100, 200, 300, 400], [50]]


def test_a_task_has_at_most_32_files(tmp_path: Path) -> None:
    for index in range(100):
        (tmp_path / str(index)).touch()
    assert [len(task) for task in split_files(list_files([str(tmp_path)]), 128 << 20)] == [32, 32, 32, 4]


def zstd(blocks: list[bytes]) -> bytes:
    """Returns zstd frames of raw blocks, with a skippable frame before each, as `pzstd` writes them."""
    data = b""
    for block in blocks:
        data += struct.pack("<III", 0x184D2A50, 4, len(block))
        data += b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(block))
        pieces = [block[index : index + 1000] for index in range(0, len(block), 1000)] or [b""]
        for piece in pieces:
            data += (len(piece) << 3 | (piece is pieces[-1])).to_bytes(3, "little") + piece
    return data


def test_frames_are_found_by_their_headers() -> None:
    random.seed(24)
    blocks = [random.randbytes(random.randrange(5000)) for _ in range(40)]
    data = bgzf(blocks)
    starts = frame_starts(io.BytesIO(data), len(data))
    assert starts is not None
    assert [gzip.decompress(data[start:end]) for start, end in zip(starts, [*starts[1:], len(data)], strict=True)] == [
        *blocks,
        b"",
    ]
    data = zstd(blocks)
    starts = frame_starts(io.BytesIO(data), len(data))
    assert starts is not None
    assert [data[start : start + 4] for start in starts] == [b"\x28\xb5\x2f\xfd"] * 40


@pytest.mark.parametrize("damage", ["cut", "tail"])
@pytest.mark.parametrize("make", [bgzf, zstd])
def test_a_file_with_other_bytes_than_frames_is_not_divided(make: object, damage: str) -> None:
    data = make([b"abc" * 1000, b"def" * 1000])  # type: ignore[operator]
    data = data[:-1] if damage == "cut" else data + b"abcdefghijkl"
    assert frame_starts(io.BytesIO(data), len(data)) is None


def test_gzip_is_one_part_and_frames_are_several(tmp_path: Path) -> None:
    random.seed(24)
    blocks = [random.randbytes(1000) for _ in range(16)]
    plain = tmp_path / "a.gz"
    plain.write_bytes(gzip.compress(b"".join(blocks)))
    assert split_files([str(plain)], 4096) == [[Part(str(plain), 0, None, plain.stat().st_size, plain.stat().st_mtime_ns)]]
    for make, name in [(bgzf, "b.gz"), (zstd, "c.zst")]:
        path = tmp_path / name
        data = make(blocks)
        path.write_bytes(data)
        starts = frame_starts(io.BytesIO(data), len(data)) or []
        parts = [part for task in split_files([str(path)], 4096) for part in task]
        assert 2 <= len(parts) <= 5
        assert parts[0].start == 0
        assert parts[-1].end == len(data)
        assert all(part.start in starts for part in parts[1:])
        assert all(before.end == after.start for before, after in itertools.pairwise(parts))
        assert len(split_files([str(path)], 4096, divides_frames=False)) == 1
