"""The session that the tests use.

JSONSIFT_SPARK_ENGINE selects it: `local` (the default), `cluster` for a cluster inside one Java process, `sail`, or the URL
of a master such as `spark://127.0.0.1:7077`. JSIFT is the program.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

ENGINE = os.environ.get("JSONSIFT_SPARK_ENGINE", "local")
SOURCES = str(Path(__file__).parents[1] / "src")
IS_SAIL = ENGINE == "sail"


def _sail() -> Iterator[Any]:
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer(port=0)
    server.start(background=True)
    address = server.listening_address
    assert address is not None
    session = SparkSession.builder.remote(f"sc://127.0.0.1:{address[1]}").getOrCreate()
    yield session
    session.stop()
    server.stop()


def _spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    # Each of these has a default that does not work on some machines: see Documentation/Spark.md.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    master = {"local": "local[2,4]", "cluster": "local-cluster[2,1,1024]"}.get(ENGINE, ENGINE)
    builder = (
        SparkSession.builder.master(master)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executorEnv.PYTHONPATH", SOURCES)
        .config("spark.executor.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "FATAL")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.session.timeZone", "UTC")
    )
    if ENGINE.startswith("spark:"):
        # A task that takes longer than the others is run again beside itself.
        builder = (
            builder.config("spark.speculation", "true")
            .config("spark.speculation.interval", "200ms")
            .config("spark.speculation.minTaskRuntime", "1s")
            .config("spark.executor.cores", "1")
        )
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session with the data source."""
    from jsonsift_spark import register

    for session in _sail() if IS_SAIL else _spark():
        register(session)
        yield session


@pytest.fixture(scope="session")
def jsift() -> str:
    """The program."""
    from jsonsift_spark.process import program

    return program(None)


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], str]:
    """Returns a program that runs Python code in place of jsift, after `from fakes import *`."""

    schema = pa.schema([("a", pa.int64()), ("_corrupt_record", pa.string())])
    for rows in (0, 3):
        with pa.ipc.new_stream(str(tmp_path / f"{rows}.arrows"), schema) as writer:
            writer.write_batch(
                pa.record_batch([pa.array(range(rows), pa.int64()), pa.nulls(rows, pa.string())], schema=schema)
            )

    def make(code: str) -> str:
        path = tmp_path / "fake-jsift"
        folder = str(Path(__file__).parent)
        head = f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {folder!r})\nfrom fakes import *\n"
        path.write_text(f"{head}{code}\n")
        path.chmod(0o755)
        return str(path)

    return make


def processes(marker: str) -> list[int]:
    """Returns the processes with a text in their arguments."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def run(command: Sequence[str]) -> bytes:
    """Returns the output of jsift. Status 1 says that there is no result."""
    process = subprocess.run(command, capture_output=True, check=False)
    assert process.returncode in (0, 1), process.stderr
    return process.stdout
