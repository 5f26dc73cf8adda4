"""Answers stay the same while processes are killed, or the job fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ENGINE, IS_SAIL, processes
from kinds import BAD, SCHEMA, expected, joined, key, with_others

IS_CLUSTER = ENGINE not in ("local", "sail")
PARTS = 8


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = tmp_path / "fault.ndjson"
    result.write_bytes(joined(with_others(24, BAD)))
    return result


@pytest.fixture
def broken(tmp_path: Path, jsift: str) -> Callable[[str], str]:
    """Returns a program that runs a shell command on the first attempt for each part, and another one before each jsift.

    In the commands, $part is the range, $jsift the program, and $folder a folder that all attempts share.
    """

    def make(command: str, before_each: str = ":") -> str:
        folder = tmp_path / "attempts"
        folder.mkdir()
        script = tmp_path / "broken-jsift"
        script.write_text(
            f"""#!/usr/bin/env bash
jsift={jsift} folder={folder} part=
for option; do
  case $before in --range) part=$option ;; esac
  before=$option
done
if mkdir "$folder/$part" 2>/dev/null; then
  {command}
fi
{before_each}
exec "$jsift" "$@"
"""
        )
        script.chmod(0o755)
        return str(script)

    return make


def read(spark: Any, path: Path, program: str) -> Any:
    size = str(-(-path.stat().st_size // PARTS))
    return spark.read.format("jsonsift").schema(SCHEMA).option("splitBytes", size).option("jsift", program).load(str(path))


def rows(frame: Any) -> list[str]:
    return sorted(key(row.asDict(recursive=True)) for row in frame.collect())


def attempts(tmp_path: Path) -> int:
    return len(list((tmp_path / "attempts").iterdir()))


def no_process_is_left(marker: str) -> bool:
    for _ in range(100):
        if not processes(marker):
            return True
        time.sleep(0.1)
    return False


FAULTS = {
    "jsift is killed in the middle of its stream": '"$jsift" "$@" | head -c 3000; kill -9 $$',
    "jsift is killed before its stream": "kill -9 $$",
    "jsift fails after a whole stream": '"$jsift" "$@"; exit 2',
    "the stream ends early with status 0": '"$jsift" "$@" | head -c 3000; exit 0',
    "the Python worker is killed": "kill -9 $PPID",
}


@pytest.mark.skipif(IS_SAIL, reason="Sail runs no task again on one machine")
@pytest.mark.parametrize("fault", FAULTS)
def test_the_answer_is_the_same_if(
    fault: str, spark: Any, path: Path, jsift: str, broken: Callable[[str], str], tmp_path: Path
) -> None:
    # In one task only: an executor that loses many tasks at a time is given up.
    program = broken(f"case $part in 0-*) {FAULTS[fault]} ;; esac")
    assert rows(read(spark, path, program)) == expected(jsift, path, {})
    assert attempts(tmp_path) == PARTS
    assert no_process_is_left(str(path))


@pytest.mark.skipif(not IS_CLUSTER, reason="needs an executor of its own")
def test_the_answer_is_the_same_if_an_executor_is_killed(
    spark: Any, path: Path, jsift: str, broken: Callable[[str], str]
) -> None:
    # The parents: the Python worker, its daemon, and the executor.
    parent = "$(cut -d' ' -f4 /proc/$(cut -d' ' -f4 /proc/$PPID/stat)/stat)"
    program = broken(f"case $part in 0-*) kill -9 {parent} ;; esac")
    before = executors()
    assert len(before) >= 1
    assert rows(read(spark, path, program)) == expected(jsift, path, {})
    assert set(before) - set(executors()) != set()
    assert no_process_is_left(str(path))


def executors() -> list[int]:
    return [pid for pid in processes("CoarseGrainedExecutorBackend") if "java" in Path(f"/proc/{pid}/comm").read_text()]


@pytest.mark.skipif(not ENGINE.startswith("spark:"), reason="needs two hosts")
def test_a_task_that_runs_twice_counts_once(
    spark: Any, path: Path, jsift: str, broken: Callable[[str], str], tmp_path: Path
) -> None:
    # Hangs until its worker is gone, as jsift ends when its reader has gone.
    hang = "for _ in {1..600}; do kill -0 $PPID 2>/dev/null || exit 1; sleep 0.2; done"
    program = broken(f'case $part in 0-*) "$jsift" "$@" | head -c 3000; {hang} ;; esac')
    began = time.monotonic()
    assert rows(read(spark, path, program)) == expected(jsift, path, {})
    # The second attempt ended while the first one hung.
    assert time.monotonic() - began < 100
    assert no_process_is_left(str(path))


@pytest.mark.skipif(not IS_SAIL, reason="Spark runs a task again")
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if "worker" not in fault])
def test_the_query_fails_if(fault: str, spark: Any, path: Path, broken: Callable[[str], str]) -> None:
    program = broken(f"case $part in 0-*) {FAULTS[fault]} ;; esac")
    with pytest.raises(Exception, match="JSONSiftError"):
        rows(read(spark, path, program))
    assert no_process_is_left(str(path))


CHANGES = {
    "is truncated": 'truncate -s -100 "${@: -1}"',
    "grows": 'echo "{}" >>"${@: -1}"',
    "is replaced": 'cp "${@: -1}" "$folder/copy" && touch -d 2001-01-01 "$folder/copy" && mv "$folder/copy" "${@: -1}"',
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_job_fails_if_a_file(change: str, spark: Any, path: Path, broken: Callable[[str], str]) -> None:
    # The change happens when the job already runs: the parts were made for the file before. A second attempt that Spark
    # starts beside a slow one waits for the change too.
    program = broken(
        f'case $part in 0-*) sleep 0.5; {CHANGES[change]}; touch "$folder/changed" ;; esac',
        'case $part in 0-*) for _ in {1..300}; do [ -e "$folder/changed" ] && break; sleep 0.1; done ;; esac',
    )
    with pytest.raises(Exception, match="expected a file"):
        rows(read(spark, path, program))


@pytest.mark.parametrize("count", [1, 16])
def test_a_query_that_stops_early_leaves_no_process(count: int, spark: Any, tmp_path: Path) -> None:
    path = tmp_path / f"limit-{count}.ndjson"
    path.write_bytes(joined(with_others(25, BAD)) * 300)
    size = str(-(-path.stat().st_size // count))
    frame = spark.read.format("jsonsift").schema(SCHEMA).option("splitBytes", size).load(str(path))
    assert len(frame.limit(5).collect()) == 5
    assert no_process_is_left(str(path))
    # One step later in the plan.
    assert len(frame.where("id >= 0").limit(5).collect()) == 5
    assert no_process_is_left(str(path))
