"""Runs jsift on a part of a file, and returns its batches only as long as all is well."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import IO, Any

import pyarrow as pa

from .files import Part

# The most text of standard error that is kept, from its end.
KEPT_MESSAGES = 64 << 10
PIPE_BYTES = 1 << 20


class JSONSiftError(RuntimeError):
    """A part of a file that was not read to its end. Spark runs the task again."""


def program(option: str | None) -> str:
    """Returns the path of jsift: the option, `$JSIFT`, or a program on the `PATH`."""
    name = option or os.environ.get("JSIFT") or "jsift"
    path = shutil.which(name)
    if path is None:
        raise JSONSiftError(f"{name}: expected the program jsift, on the PATH, in $JSIFT or in the option jsift")
    return path


def range_text(part: Part) -> str:
    """Returns the range of a part as an argument."""
    return f"{part.start}-{part.end}"


def arguments(part: Part) -> list[str]:
    """The options of jsift for a part."""
    seconds, nanoseconds = divmod(part.modified, 10**9)
    result = ["--expect-size", str(part.size), "--expect-mtime", f"{seconds}.{nanoseconds:09}"]
    if part.end is not None:
        result += ["--range", range_text(part)]
    return result


def batches(command: Sequence[str], part: Part, has_rejects: bool) -> Iterator[pa.RecordBatch]:
    """Yields the batches of a run of jsift, and then raises an error unless the run is known to be complete.

    A run is complete if jsift ended with status 0 and wrote a summary with the range and the number of rows; jsift writes a
    summary only after a complete run. If the caller stops early, jsift is ended.

    Args:
        command: The program and its options, without those for the part.
        part: What to read.
        has_rejects: Whether bad records are rows of the output.
    """
    line = [*command, *arguments(part), "--summary", "-", "--", part.path]
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    messages = _Messages(process.stderr)
    rows = 0
    try:
        if sys.platform == "linux":
            # Fewer switches between the two processes. A system may permit less.
            with contextlib.suppress(OSError):
                fcntl.fcntl(process.stdout.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        failure: Exception | None = None
        try:
            with pa.ipc.open_stream(process.stdout) as reader:
                for batch in reader:
                    rows += batch.num_rows
                    yield batch
            if process.stdout.read(1):
                failure = JSONSiftError("bytes after the end of the stream")
        except (pa.ArrowInvalid, OSError) as error:
            failure = error
        process.stdout.close()
        status = process.wait()
        _check(part, status, messages.end(), rows, has_rejects, failure)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        messages.end()


def _check(part: Part, status: int, text: str, rows: int, has_rejects: bool, failure: Exception | None) -> None:
    name = part.path if part.end is None else f"{part.path}, bytes {range_text(part)}"
    # Without a range, status 1 says that there is no result.
    if status != 0 and not (status == 1 and part.end is None):
        ending = f"signal {-status}" if status < 0 else f"status {status}"
        raise JSONSiftError(f"{name}: jsift ended with {ending}: {text.strip() or 'no message'}")
    if failure is not None:
        raise JSONSiftError(f"{name}: the stream of jsift is damaged: {failure}") from failure
    summary = _summary(text)
    if summary is None:
        raise JSONSiftError(f"{name}: expected a summary at the end of the messages of jsift, found none")
    found = summary.get("results", 0) + (summary.get("rejects", 0) if has_rejects else 0)
    if found != rows:
        raise JSONSiftError(f"{name}: expected a summary with {rows} rows, found {found}")
    expected = {"status": status, "range": None if part.end is None else [part.start, part.end]}
    for key, value in expected.items():
        if summary.get(key) != value:
            raise JSONSiftError(f"{name}: expected a summary with {key} {value}, found {summary.get(key)}")


def _summary(text: str) -> dict[str, Any] | None:
    """Returns the summary, which is the last line of the messages."""
    lines = text.rstrip("\n").rsplit("\n", 1)
    try:
        value = json.loads(lines[-1])
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


class _Messages:
    """The end of standard error, read by a thread so that the process never waits for its reader."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._kept = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        # The file is closed while it is read if the caller stops early.
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._file.fileno(), 1 << 16):
                self._kept = (self._kept + chunk)[-KEPT_MESSAGES:]

    def end(self) -> str:
        """Returns the text when the process has ended."""
        self._thread.join()
        self._file.close()
        return self._kept.decode(errors="replace")
