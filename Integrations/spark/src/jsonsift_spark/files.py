"""The files of a path, and the parts of them that tasks read."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from .frames import frame_starts, is_compressed


@dataclass(frozen=True)
class Part:
    """A range of a file, which is read by one jsift process.

    Attributes:
        path: The file.
        start: The first byte of the range.
        end: The byte after the range; `None` for a file that is read as a whole because it cannot be divided.
        size: The size that the file must have before and after it is read.
        modified: The time of its last modification in nanoseconds since 1970, which must be the same, too.
    """

    path: str
    start: int
    end: int | None
    size: int
    modified: int

    @property
    def bytes(self) -> int:
        """The number of bytes of the file that the part owns."""
        return (self.size if self.end is None else self.end) - self.start


def local_path(path: str) -> str:
    """Returns the local path of a path or `file:` URL."""
    parts = urlsplit(path)
    if len(parts.scheme) > 1 and "/" not in path.split(":", 1)[0]:
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            raise ValueError(f"{path}: expected a local path, which all executors can open, found {parts.scheme!r}")
        return unquote(parts.path)
    return path


def list_files(paths: Iterable[str], recursive: bool = False) -> list[str]:
    """Returns the files of paths in a fixed order. A file that two paths name is read twice, as in Spark.

    A path is a file, a folder or a pattern with `*`, `?`, `[a-b]`, `[^a]` and `{a,b}`. In folders, names that begin with `_`
    or `.` are not read, as in Spark.

    Args:
        paths: The paths.
        recursive: Whether folders inside folders are read; otherwise they are an error.
    """
    result: list[str] = []
    for path in map(local_path, paths):
        # A name may contain characters of patterns.
        names = [path] if os.path.lexists(path) else _matches(path)
        if not names:
            raise FileNotFoundError(f"{path}: expected a file, a folder or a pattern that matches one, found nothing")
        for name in names:
            result += _files(os.path.abspath(name), recursive)
    return result


def _matches(pattern: str) -> list[str]:
    """Returns the names that a pattern matches, each once."""
    return sorted({name for text in _alternatives(pattern) for name in glob.glob(text.replace("[^", "[!"))})


def _alternatives(pattern: str) -> list[str]:
    """Returns the patterns of which one with braces consists."""
    inner = re.search(r"\{([^{}]*)\}", pattern)
    if inner is None:
        return [pattern]
    head, tail = pattern[: inner.start()], pattern[inner.end() :]
    return [text for choice in inner[1].split(",") for text in _alternatives(head + choice + tail)]


def _files(path: str, recursive: bool) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    for name in sorted(os.listdir(path)):
        if name.startswith(("_", ".")):
            continue
        file = os.path.join(path, name)
        if os.path.isdir(file) and not recursive:
            raise ValueError(f"{file}: expected a file, found a folder, which the option recursiveFileLookup reads")
        yield from _files(file, recursive)


def split_files(files: Iterable[str], size: int, divides_frames: bool = True) -> list[list[Part]]:
    """Returns the parts of files, and which of them one task reads.

    A larger file is divided into parts of about the same size, which is between one half of `size` and `size`. Small files
    share a task, 32 at most. A compressed file is divided where a frame begins; one frame, or gzip, is one part.

    Args:
        files: The files.
        size: The most bytes of a part, except of one that cannot be divided.
        divides_frames: Whether compressed files are divided.
    """
    if size < 1:
        raise ValueError(f"splitBytes: expected a number from 1, found {size}")
    tasks: list[list[Part]] = []
    shared: list[Part] = []
    for path in files:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{path}: expected a regular file, which has a size")
        bounds = _bounds(path, status.st_size, size, divides_frames)
        parts = [
            Part(path, start, end, status.st_size, status.st_mtime_ns)
            for start, end in ([(0, None)] if bounds is None else pairwise(bounds))
        ]
        if len(parts) > 1 or status.st_size >= size:
            tasks += [[part] for part in parts]
            continue
        # Each file counts for a 32nd of a part at least, since it needs a process.
        if shared and sum(max(part.bytes, size // 32) for part in [*shared, *parts]) > size:
            tasks.append(shared)
            shared = []
        shared += parts
    if shared:
        tasks.append(shared)
    return tasks


def _bounds(path: str, file_size: int, size: int, divides_frames: bool) -> list[int] | None:
    """Returns where the parts of a file begin, and its size; `None` for a file that one process reads."""
    with open(path, "rb") as file:
        starts = frame_starts(file, file_size) if divides_frames else None
        file.seek(0)
        compressed = is_compressed(file.read(4))
    count = max(1, -(-file_size // size))
    cuts = [file_size * index // count for index in range(count)]
    if not compressed:
        return [*cuts, file_size]
    if starts is None or len(starts) < 2:
        return None
    # A part begins with the first frame after the cut, so that each owns one at least.
    chosen = {0}
    index = 0
    for cut in cuts[1:]:
        while index < len(starts) and starts[index] < cut:
            index += 1
        if index < len(starts):
            chosen.add(starts[index])
    return [*sorted(chosen), file_size]
