"""A run of jsift that is not complete is an error."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import processes

from jsonsift_spark import JSONSiftError
from jsonsift_spark.files import Part
from jsonsift_spark.process import arguments, batches, program

WRONG = {
    "a status other than 0": ("answer(stream(), summary(), 1)", "status 1"),
    "status 2 after a whole stream": ("answer(stream(), 'jsift: no', 2)", "jsift: no"),
    "a stream without an end": ("answer(stream()[:-8], summary())", "with 3 rows, found 6|damaged"),
    "a stream that is cut in a batch": ("answer(stream()[:-20], summary())", "damaged"),
    "no stream": ("answer(b'', summary())", "damaged"),
    "bytes after the stream": ("answer(stream() + b'x', summary())", "after the end"),
    "no summary": ("answer(stream(), 'jsift: a message\\n')", "expected a summary"),
    "no messages": ("answer(stream(), '')", "expected a summary"),
    "a summary of another range": ("answer(stream(), summary(range=[0, 9]))", r"range \[0, 10\], found \[0, 9\]"),
    "a summary with fewer rows": ("answer(stream(), summary(results=2))", "with 3 rows, found 2"),
    "a summary with more bad records": ("answer(stream(), summary(rejects=1))", "with 3 rows, found 4"),
    "a signal": (
        "sys.stdout.buffer.write(stream()); sys.stdout.flush(); os.kill(os.getpid(), signal.SIGKILL)",
        "signal 9",
    ),
}


def part(path: Path) -> Part:
    return Part(str(path), 0, 10, 100, 1_500_000_000_123_456_789)


@pytest.mark.parametrize("name", WRONG)
def test_a_run_with_this_is_an_error(name: str, fake: Callable[[str], str], tmp_path: Path) -> None:
    code, message = WRONG[name]
    if name == "a stream without an end":
        # Readers accept it, so the number of rows shows that one batch is missing.
        code = code.replace("summary()", "summary(results=6)")
    with pytest.raises(JSONSiftError, match=message):
        list(batches([fake(code)], part(tmp_path / "x.ndjson"), True))


def test_a_complete_run_has_all_rows(fake: Callable[[str], str], tmp_path: Path) -> None:
    found = list(batches([fake("answer(stream(), 'jsift: a bad line\\n' + summary() + '\\n')")], part(tmp_path / "x"), True))
    assert [batch.num_rows for batch in found] == [3]


def test_a_file_without_results_is_complete_with_status_1(fake: Callable[[str], str], tmp_path: Path) -> None:
    whole = Part(str(tmp_path / "x.gz"), 0, None, 100, 0)
    assert (
        sum(batch.num_rows for batch in batches([fake("answer(stream(0), summary(results=0, status=1), 1)")], whole, True))
        == 0
    )
    with pytest.raises(JSONSiftError, match="status 1"):
        list(batches([fake("answer(stream(0), summary(results=0, status=1), 1)")], part(tmp_path / "x"), True))


def test_bad_records_that_are_no_rows_are_not_counted(fake: Callable[[str], str], tmp_path: Path) -> None:
    code = "answer(stream(), summary(rejects=2))"
    assert sum(batch.num_rows for batch in batches([fake(code)], part(tmp_path / "x"), False)) == 3


def test_many_messages_do_not_block_a_run(fake: Callable[[str], str], tmp_path: Path) -> None:
    code = "sys.stderr.write('m' * 100 * 2**16 + '\\n'); answer(stream(), summary())"
    assert sum(batch.num_rows for batch in batches([fake(code)], part(tmp_path / "x"), True)) == 3


def test_a_caller_that_stops_early_ends_the_process(fake: Callable[[str], str], tmp_path: Path) -> None:
    code = "sys.stdout.buffer.write(stream()[:-8]); sys.stdout.flush(); time.sleep(600)"
    marker = f"stops-early-{os.getpid()}"
    running = batches([fake(code)], part(tmp_path / marker), True)
    next(running)
    assert len(processes(marker)) == 1
    began = time.monotonic()
    running.close()
    assert processes(marker) == []
    assert time.monotonic() - began < 10


def test_the_file_that_is_expected_is_an_option(tmp_path: Path) -> None:
    assert arguments(part(tmp_path)) == [
        *("--expect-size", "100", "--expect-mtime", "1500000000.123456789"),
        *("--range", "0-10"),
    ]


def test_a_missing_program_is_named() -> None:
    with pytest.raises(JSONSiftError, match="no-such-jsift: expected the program jsift"):
        program("no-such-jsift")
