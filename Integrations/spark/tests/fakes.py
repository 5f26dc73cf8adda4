"""What a program that takes the place of jsift needs: its options, and parts of an answer."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

__all__ = ["answer", "json", "option", "os", "signal", "stream", "summary", "sys", "time"]


def option(name: str) -> str | None:
    """Returns the value of an option."""
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def stream(rows: int = 3) -> bytes:
    """Returns a stream with one column of integers and one of texts. The file is beside the program."""
    with open(os.path.join(os.path.dirname(sys.argv[0]), f"{rows}.arrows"), "rb") as file:
        return file.read()


def summary(**changes: object) -> str:
    """Returns the summary of the stream, with changes."""
    text = option("--range")
    bounds = None if text is None else [int(bound) for bound in text.split("-")]
    return json.dumps({"range": bounds, "results": 3, "rejects": 0, "status": 0} | changes)


def answer(data: bytes, text: str, status: int = 0) -> None:
    """Writes a stream and messages, and ends."""
    sys.stdout.buffer.write(data)
    sys.stdout.flush()
    sys.stderr.write(text)
    sys.exit(status)
