"""arrow.py JSIFT: compares Arrow streams that jsift writes with the JSON that they were made from, as Python reads it. pyarrow,
polars, DuckDB and nanoarrow read the streams; Scripts/check arrow installs them. Compares each type, nulls, nested values, values
that miss their type, no rows, many batches and many workers. Then cuts a stream at each byte, kills jsift in the middle of a
stream, and lets runs fail: readers must raise an error."""

import datetime
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from decimal import Decimal

import duckdb
import nanoarrow
import polars
import pyarrow as pa

JSIFT = sys.argv[1]
ROWS = int(os.environ.get("JSONSIFT_ARROW_ROWS", "200000"))
UTC = datetime.timezone.utc
failures = 0
# nanoarrow reports that it reads arrow.json as strings.
warnings.filterwarnings("ignore", message=".*unregistered extension.*")


def check(is_true, text):
    global failures
    if not is_true:
        failures += 1
        print(f"arrow: {text}", file=sys.stderr)


# MARK: The values that jsift must write, from Python's own reading of the JSON.

INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d+))? ?([Zz]|[+-]\d\d(?::?\d\d)?)\Z", re.ASCII)


class Text(str):
    """The text of a number: decides whether it is exact."""


def parse(line):
    """The record, with numbers as their text, and of duplicate keys the first."""

    def first(pairs):
        result = {}
        for key, value in pairs:
            result.setdefault(key, value)
        return result

    return json.loads(line, parse_int=Text, parse_float=Text, object_pairs_hook=first)


def convert(kind, value):
    """The value in a column, or None."""
    is_number = isinstance(value, Text)
    is_string = isinstance(value, str) and not is_number
    if value is None:
        return None
    if kind == "int64":
        if not is_number:
            return None
        number = Decimal(value)
        if number != number.to_integral_value() or not -(2**63) <= number < 2**63:
            return None
        return int(number)
    if kind == "float64":
        if not is_number or float(value) in (float("inf"), float("-inf")):
            return None
        return float(value)
    if kind == "bool":
        return value if isinstance(value, bool) else None
    if kind in ("utf8", "dictionary<utf8>"):
        return value if is_string else None
    if kind.startswith("timestamp"):
        match = INSTANT.match(value) if is_string else None
        if not match:
            return None
        day, clock, fraction, offset = match.groups()
        fraction = (fraction or "").rstrip("0")
        if len(fraction) > (3 if kind == "timestamp(ms)" else 6):
            return None
        digits = offset[1:].replace(":", "").ljust(4, "0")
        offset = "+00:00" if offset in "Zz" else f"{offset[0]}{digits[:2]}:{digits[2:]}"
        try:
            return datetime.datetime.fromisoformat(
                f"{day}T{clock}.{fraction.ljust(6, '0')}{offset}").astimezone(UTC)
        except ValueError:
            return None
    if kind == "date":
        if not is_string or not re.match(r"\d{4}-\d\d-\d\d\Z", value, re.ASCII):
            return None
        try:
            return datetime.date.fromisoformat(value)
        except ValueError:
            return None
    if kind.startswith("decimal"):
        precision, scale = map(int, kind[8:-1].split(","))
        if not is_number:
            return None
        number = Decimal(value)
        scaled = number.scaleb(scale)
        if scaled != scaled.to_integral_value() or abs(scaled) >= 10**precision:
            return None
        return number
    if kind.startswith("list<"):
        return [convert(kind[5:-1], item) for item in value] if isinstance(value, list) else None
    if kind == "struct<a:int64,b:list<utf8>>":
        if not isinstance(value, dict):
            return None
        return {"a": convert("int64", value.get("a")), "b": convert("list<utf8>", value.get("b"))}
    if kind == "list<struct<a:int64,b:list<utf8>>>":
        return None if not isinstance(value, list) else [convert(kind[5:-1], item) for item in value]
    raise AssertionError(kind)


KINDS = [
    "int64", "float64", "bool", "utf8", "timestamp", "timestamp(ms)", "date", "decimal(12,3)", "decimal(38,0)", "dictionary<utf8>",
    "list<int64>", "list<list<float64>>", "struct<a:int64,b:list<utf8>>", "list<struct<a:int64,b:list<utf8>>>", "json",
]

TEXTS = {
    "number": [
        "0", "-0", "1", "-1", "1.0", "1e3", "1E+3", "1.5", "-2.50", "0.1", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "9.223372036854775807e18", "1e400", "-1e400", "1e-400",
        "123456789.123", "123456789.1234", "999999999.999", "1e9", "1e-3", "1e-4", "12345678901234567890123456789012345678",
        "100000000000000000000000000000000000000", "3.141592653589793238", "1.7976931348623157e308", "5e-324", "0e999999999",
        "-0.0", "10e-1", "1000000000000000000000e-18", "2.2250738585072011e-308",
    ],
    "string": [
        '""', '"a"', '"é€😀"', r'"\ud83d\ude00\n\"\\\/\u0000é"', '"2026-01-31"', '"2026-02-29"', '"2024-02-29"', '"0001-01-01"',
        '"9999-12-31"', '"1969-12-31T23:59:59.999999Z"', '"2026-01-31T23:59:59Z"', '"2026-01-31T23:59:59.25+01:00"',
        '"2026-01-31 23:59:59.123456789Z"', '"2026-01-31t23:59:59.1234560000z"', '"2026-01-31T23:59:60Z"',
        '"2026-01-31T24:00:00Z"', '"2026-01-31T23:59:59"', '"2026-1-31"', '"1900-03-01T00:00:00-23:59"', '"12.5"', '"null"',
        '"2000-02-29T12:00:00.000001-00:00"', '"2026-01-31T23:59:59.Z"', '"x" ',
        '"2026-01-31 23:59:59,5 +0100"', r'"2026-01-31\u005423:59:59.125\u005a"', '"2026-01-31T23:59:59-01"', r'"2026\u002d01-31"',
    ],
    "other": [
        "null", "true", "false", "[]", "{}", "[1,2,null,3.0]", '[1,"x",[2]]', "[[],[1.5,null],null,[2e3]]", '{"a":1,"b":["x",null,"y"]}',
        '{"b":[],"c":{"a":9},"a":2.0}', '{"a":"no","b":[1,"z"]}', '{"a":1,"a":2}', r'{"\u0061":7,"b":null}',
        '[{"a":1,"b":["p"]},null,{},{"b":["q","r"],"a":-5}]', '[ 1 , 2 ]', '{ "a" : 3 , "b" : [ "s" ] }', '["]","}",","]',
    ],
}


def make_records(count, seed):
    random.seed(seed)
    every = [text for texts in TEXTS.values() for text in texts]
    lines = []
    for number in range(count):
        members = [f'"n":{number}']
        for index, _ in enumerate(KINDS):
            # Each text occurs in each column.
            text = every[number] if number < len(every) else random.choice(every)
            if number >= len(every) and random.random() < 0.1:
                continue
            members.append(f'"c{index}":{text}')
        if number % 3 == 0:
            members.reverse()
        lines.append("{" + ",".join(members) + "}")
    return lines


def run(arguments, stdin=None):
    return subprocess.run([JSIFT, "records", "--format", "arrow"] + arguments, input=stdin, capture_output=True)


def columns(kinds):
    result = ["--select", "n=$.n", "--type", "n=int64"]
    for index, kind in enumerate(kinds):
        result += ["--select", f"c{index}=$.c{index}", "--type", f"c{index}={kind}"]
    return result


def plain(value):
    """Values of all readers in one form."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, polars.Series)):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime):
        return value.astimezone(UTC).timestamp()
    return value


def with_pyarrow(stream):
    with pa.ipc.open_stream(stream) as reader:
        table = reader.read_all()
    table.validate(full=True)
    # The extension type shows that the column contains JSON.
    return {name: [getattr(v, "value", v) for v in table[name].to_pylist()] for name in table.column_names}


def with_polars(stream):
    frame = polars.read_ipc_stream(io.BytesIO(stream))
    return {name: frame[name].to_list() for name in frame.columns}


def with_duckdb(stream):
    with pa.ipc.open_stream(stream) as reader:
        relation = duckdb.connect().from_arrow(reader.read_all())
        names = relation.columns
        rows = relation.fetchall()
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


def with_nanoarrow(stream):
    with nanoarrow.ArrayStream.from_readable(io.BytesIO(stream)) as arrays:
        rows = list(arrays.read_all().iter_py())
        names = [field.name for field in arrays.schema.fields]
    return {name: [row[name] for row in rows] for name in names}


READERS = {"pyarrow": with_pyarrow, "polars": with_polars, "DuckDB": with_duckdb, "nanoarrow": with_nanoarrow}


def raw_texts(line):
    """The texts of the members, for columns of JSON."""
    result = {}
    decoder = json.JSONDecoder()
    index = 1
    while line[index] != "}":
        key, index = decoder.raw_decode(line, index)
        start = index + 1
        _, index = decoder.raw_decode(line, start)
        result[key] = line[start:index]
        while line[index] in " ,":
            index += 1
    return result


def compare(lines, kinds, arguments, readers=READERS, name=""):
    """Writes the lines as a stream, and compares what each reader finds with the expected values."""
    result = run(columns(kinds) + arguments, "".join(line + "\n" for line in lines).encode())
    check(result.returncode == (0 if lines else 1), f"{name}: status {result.returncode}: {result.stderr.decode()}")
    records = [parse(line) for line in lines]
    expected = {"n": [int(record["n"]) for record in records]}
    for index, kind in enumerate(kinds):
        column = f"c{index}"
        if kind == "json":
            texts = [raw_texts(line).get(column) for line in lines]
            expected[column] = [None if text == "null" else text for text in texts]
        else:
            expected[column] = [convert(kind, record.get(column)) for record in records]
    for reader, read in readers.items():
        try:
            found = read(result.stdout)
        except Exception as error:
            check(False, f"{name}: {reader} rejects the stream: {type(error).__name__}: {error}")
            continue
        check(list(found) == list(expected), f"{name}: {reader}: columns {list(found)}")
        for column, values in expected.items():
            got = plain(found.get(column, []))
            want = plain(values)
            if reader == "nanoarrow":
                # nanoarrow 0.9.0 reads a negative decimal as unsigned, also in a stream that pyarrow wrote.
                got = [
                    other if isinstance(other, Decimal) and other < 0 and isinstance(one, Decimal) else one
                    for one, other in zip(got, want)] + got[len(want):]
            if got == want:
                continue
            kind = "int64" if column == "n" else kinds[int(column[1:])]
            check(len(got) == len(want), f"{name}: {reader}: {kind}: {len(got)} rows, expected {len(want)}")
            for row, (one, other) in enumerate(zip(got, want)):
                if one != other:
                    check(False, f"{name}: {reader}: {kind}: row {row}: {one!r}, expected {other!r} from {lines[row]}")
                    break
    return result


def check_values():
    lines = make_records(400, 1)
    result = compare(lines, KINDS, [], name="all types")
    with pa.ipc.open_stream(result.stdout) as reader:
        types = [str(field.type) for field in reader.schema]
    print("arrow: types in pyarrow: " + ", ".join(types))
    for kind in KINDS:
        compare(lines, [kind], [], name=kind)
    # A path that is not made of names, so that records are parsed.
    compare(lines, KINDS, ["--where", "@.n >= 0 && $.n >= 0"], name="all types, with a condition")
    empty = compare([], KINDS, [], name="no rows")
    check(len(empty.stdout) > 0, "no rows: no stream")
    compare(["{}".replace("}", '"n":1}')], KINDS, [], name="one row of nulls")


def check_many():
    lines = []
    random.seed(2)
    for number in range(ROWS):
        lines.append(
            f'{{"n":{number},"c0":{number * 7},"c1":{random.random()},"c2":{"true" if number % 2 else "false"},'
            f'"c3":"text {number}","c4":"2026-01-31T23:59:59.{number % 1000000:06}Z","c5":{number}.25,"c6":"k{number % 7}"}}')
    kinds = ["int64", "float64", "bool", "utf8", "timestamp", "decimal(12,3)", "dictionary<utf8>"]
    outputs = [compare(lines, kinds, ["-j", jobs], name=f"{ROWS} rows, -j {jobs}").stdout for jobs in ["1", "4"]]
    check(outputs[0] == outputs[1], "the stream depends on the number of workers")
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
        file.write("".join(line + "\n" for line in lines).encode())
        file.flush()
        for jobs in ["1", "2", "3", "8"]:
            output = run(columns(kinds) + ["-j", jobs, file.name]).stdout
            check(output == outputs[0], f"the stream depends on the number of workers: -j {jobs} of a file")
    with pa.ipc.open_stream(outputs[0]) as reader:
        batches = [batch.num_rows for batch in reader]
    print(f"arrow: {ROWS} rows in batches of {sorted(set(batches))} rows")


def boundaries(stream):
    """The positions between messages."""
    positions = []
    position = 0
    while position < len(stream):
        length = int.from_bytes(stream[position + 4:position + 8], "little")
        if length == 0:
            break
        message = pa.ipc.read_message(pa.py_buffer(stream[position:]))
        position += 8 + length + (message.body.size if message.body is not None else 0)
        positions.append(position)
    return positions


def check_cuts():
    lines = make_records(60, 3)
    kinds = ["int64", "utf8", "dictionary<utf8>", "list<int64>"]
    stream = compare(lines, kinds, [], name="cuts").stdout
    between = boundaries(stream)
    accepted = {}
    # Each reader takes its turn at the bytes far from an end of a message, where they all do the same.
    near = {end for position in between for end in range(position - 16, position + 17)}
    for number, (reader, read) in enumerate(READERS.items()):
        for end in range(len(stream)):
            if end not in near and end % len(READERS) != number:
                continue
            try:
                read(stream[:end])
                accepted.setdefault(end, []).append(reader)
            except Exception:
                pass
    # A cut between messages cannot be seen in the stream, and polars ignores up to three bytes beside it. A stream of jsift never
    # ends there: the last 8 bytes of a message are written with the next one; check_ends verifies that.
    for end, readers in accepted.items():
        check(
            any(abs(end - position) < 8 for position in between),
            f"a stream of {len(stream)} bytes cut at {end} is read by {readers}")
    print(f"arrow: {len(stream)} cuts; {len(accepted)} are within 7 bytes of an end of a message, and read by some")


def check_ends():
    """What jsift has written when it is killed, or has failed, is rejected by each reader."""
    arguments = columns(["int64", "utf8"])
    for count in [1, 70000, 150000]:
        process = subprocess.Popen(
            [JSIFT, "records", "--format", "arrow"] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        out = tempfile.TemporaryFile()
        process.kill()
        process.communicate()
        process = subprocess.Popen(
            [JSIFT, "records", "--format", "arrow"] + arguments, stdin=subprocess.PIPE, stdout=out)
        process.stdin.write(b"".join(b'{"n":%d,"c0":%d,"c1":"x"}\n' % (n, n) for n in range(count)))
        process.stdin.flush()
        size = -1
        while size != out.seek(0, 2):
            size = out.seek(0, 2)
            time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        out.seek(0)
        stream = out.read()
        check_rejected(stream, f"killed after {count} rows")
    bad = b'{"n":1,"c0":1,"c1":"x"}\n{"n":2,,}\n{"n":3}\n'
    for extra in [["--on-error", "stop"], ["--max-errors", "0"]]:
        result = run(arguments + extra, bad)
        check(result.returncode == 2, f"{extra}: status {result.returncode}")
        check_rejected(result.stdout, f"a run that failed with {extra}")
    result = run(arguments, bad)
    check(with_pyarrow(result.stdout)["n"] == [1, 3], "a bad record that is skipped")
    result = run(arguments + ["--limit", "1"], bad)
    check(with_pyarrow(result.stdout)["n"] == [1], "--limit")


def check_rejected(stream, name):
    for reader, read in READERS.items():
        try:
            read(stream)
            check(False, f"{name}: {reader} reads {len(stream)} bytes without an error")
        except Exception:
            pass


def check_rejects():
    lines = make_records(300, 4)
    with tempfile.TemporaryDirectory() as folder:
        file, rejects = os.path.join(folder, "in.ndjson"), os.path.join(folder, "rejects")
        with open(file, "w", newline="") as output:
            output.write("".join(line + "\n" for line in lines))
        data = open(file, "rb").read()
        kinds = ["int64", "list<int64>", "struct<a:int64,b:list<utf8>>"]
        for extra in [[], ["-j", "3"], ["--where", "$.n >= 0"], ["--where", "@.n >= 0"]]:
            result = run(columns(kinds) + ["--rejects", rejects] + extra + [file])
            check(result.returncode == 0, f"rejects: status {result.returncode}")
            found = [json.loads(line) for line in open(rejects)]
            for reject in found:
                raw = data[reject["byteOffset"]:reject["byteOffset"] + reject["length"]].decode()
                check(raw == reject["raw"], f"rejects {extra}: {reject}: the file has {raw!r} there")
                check(lines[reject["line"] - 1].find(raw) >= 0, f"rejects {extra}: {reject}: another line")
            wanted = sum(
                1 for line in lines for value in [parse(line).get("c0")]
                if value is not None and convert("int64", value) is None)
            check(sum(1 for reject in found if reject["column"] == "c0") == wanted, f"rejects {extra}: another number")
            print(f"arrow: {len(found)} rejects {extra}")


check_values()
check_many()
check_cuts()
check_ends()
check_rejects()
if failures:
    sys.exit(f"arrow: {failures} checks failed")
print("arrow: pyarrow, polars, DuckDB and nanoarrow find the values of the JSON")
