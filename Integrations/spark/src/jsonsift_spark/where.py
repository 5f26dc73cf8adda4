"""Conditions of SQL that are passed to jsift: each is satisfied by all records for which the SQL condition is true.

jsift selects too many records rather than too few, and Spark evaluates the condition again. A part of the condition that
is not understood is left out. A condition passes only if it is not true for a row of nulls, since jsift does not return bad
records then.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pyspark.sql.types import BooleanType, ByteType, DoubleType, IntegerType, LongType, ShortType, StringType

from .schema import Column

Kind = Literal["name", "word", "integer", "number", "string", "operator", "other"]

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<quoted>`[^`]+`(?!`))
  | (?P<number>(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.]))
  | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<string>'[^'\\]*')
  | (?P<other_string>"[^"\\]*")
  | (?P<operator><=>|<=|>=|<>|!=|==|=|<|>)
  | (?P<sign>[(),.+\-*/%!])
    """,
    re.VERBOSE | re.ASCII,
)
INTEGERS = (LongType, IntegerType, ShortType, ByteType)
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
SINGULAR_PATH = re.compile(r"\$(?:\.[A-Za-z_][A-Za-z0-9_]*|\[\"[^\"\\]*\"\]|\['[^'\\]*'\]|\[[0-9]+\])+\Z", re.ASCII)
# Sail compares a double with a literal such as 0.1 as decimals of 15 digits after the point.
DECIMAL_TOLERANCE = 1e-15
# Words that are not the name of a column, or not always, unless they are quoted.
KEYWORDS = re.compile(
    "ALL|AND|ANY|BETWEEN|CASE|CAST|CURRENT_DATE|CURRENT_TIME|CURRENT_TIMESTAMP|CURRENT_USER|DATE|DEFAULT|EXISTS|FALSE|"
    "GROUPING__ID|IN|INTERVAL|IS|LIKE|LOCALTIME|LOCALTIMESTAMP|NOT|NULL|OR|SESSION_USER|SOME|TIMESTAMP|TRUE|USER"
)
# Characters that mean themselves in an I-Regexp (RFC 9485).
PLAIN = re.compile(r"[A-Za-z0-9 _/:@-]+\Z", re.ASCII)


@dataclass(frozen=True)
class Token:
    """A token of SQL. Words are in upper case in `text`; `raw` is the text as written."""

    kind: Kind
    text: str
    raw: str


def condition(sql: str, columns: Sequence[Column]) -> str | None:
    """Returns a condition for `--where` of jsift; `None` if no part of the SQL condition can be passed.

    Args:
        sql: A condition in SQL.
        columns: The columns that jsift reads.
    """
    tokens = _tokens(sql)
    if tokens is None:
        return None
    parts = [_atom(atom, columns) for atom in _conjunction(tokens)]
    return " && ".join(part for part in parts if part is not None) or None


def _tokens(sql: str) -> list[Token] | None:
    if "--" in sql or "/*" in sql:
        return None
    result: list[Token] = []
    index = 0
    while index < len(sql):
        match = TOKEN.match(sql, index)
        if match is None:
            return None
        index = match.end()
        text, group = match.group(), match.lastgroup
        if group == "space":
            continue
        if group == "quoted":
            result.append(Token("name", text[1:-1], text))
        elif group == "word":
            result.append(Token("word", text.upper(), text))
        elif group == "number":
            result.append(Token("integer" if text.isdigit() else "number", text, text))
        elif group == "string":
            # Spark joins strings that touch or follow each other; such a part is not understood.
            result.append(Token("string", text[1:-1], text))
        elif group == "operator":
            result.append(Token("operator", text, text))
        else:
            result.append(Token("other", text, text))
    return result


def _conjunction(tokens: list[Token]) -> list[list[Token]]:
    """Returns the operands of AND; nothing if the condition is not a conjunction, or one that is hard to divide."""
    if any(token.kind == "word" and token.text in ("CASE", "SELECT", "ESCAPE") for token in tokens):
        return []
    atoms: list[list[Token]] = [[]]
    depth = 0
    is_between = False
    for token in tokens:
        if token.raw == "(":
            depth += 1
        elif token.raw == ")":
            depth -= 1
            if depth < 0:
                return []
        elif depth == 0 and token.kind == "word":
            if token.text == "OR":
                return []
            if token.text == "BETWEEN":
                is_between = True
            elif token.text == "AND":
                if not is_between:
                    atoms.append([])
                    continue
                is_between = False
        atoms[-1].append(token)
    if depth != 0:
        return []
    result: list[list[Token]] = []
    for atom in atoms:
        inner = _without_parentheses(atom)
        result += _conjunction(inner) if inner is not None else [atom]
    return result


def _without_parentheses(atom: list[Token]) -> list[Token] | None:
    """Returns the tokens inside parentheses that enclose the whole of an operand."""
    if len(atom) < 3 or atom[0].raw != "(" or atom[-1].raw != ")":
        return None
    depth = 0
    for index, token in enumerate(atom):
        depth += (token.raw == "(") - (token.raw == ")")
        if depth == 0 and index < len(atom) - 1:
            return None
    return atom[1:-1]


def _atom(tokens: list[Token], columns: Sequence[Column]) -> str | None:
    tokens = _signed(tokens)
    words = [token.text if token.kind == "word" else token.kind for token in tokens]
    if len(tokens) == 3 and words[1] == "operator":
        left, operator, right = tokens
        column = _column(left, columns)
        if column is not None:
            return _comparison(column, operator.text, right)
        column = _column(right, columns)
        return None if column is None else _comparison(column, FLIPPED.get(operator.text, operator.text), left)
    column = _column(tokens[0], columns) if tokens else None
    if column is None:
        return None
    path = "@" + column.path[1:]
    if words[1:] == ["IS", "NOT", "NULL"]:
        return path
    if len(words) == 5 and words[1] == "BETWEEN" and words[3] == "AND":
        both = [_comparison(column, ">=", tokens[2]), _comparison(column, "<=", tokens[4])]
        return " && ".join(part for part in both if part is not None) or None
    if len(words) >= 5 and words[1] == "IN" and tokens[2].raw == "(" and tokens[-1].raw == ")":
        values, commas = tokens[3:-1:2], tokens[4:-1:2]
        if len(values) != len(commas) + 1 or any(comma.raw != "," for comma in commas):
            return None
        parts = [_comparison(column, "=", value) for value in values]
        known = [f"({part})" for part in parts if part is not None]
        return f"({' || '.join(known)})" if len(known) == len(parts) else None
    if words[1:] == ["LIKE", "string"]:
        return _like(column, tokens[2])
    return None


def _signed(tokens: list[Token]) -> list[Token]:
    """Returns the tokens with a minus as a part of the number after it, where it cannot be a subtraction."""
    result: list[Token] = []
    for token in tokens:
        before = result[-2] if len(result) > 1 else None
        if (
            token.kind in ("integer", "number")
            and result
            and result[-1].raw == "-"
            and (before is None or before.kind == "operator" or before.raw in ("(", ",") or before.kind == "word")
            and (before is None or before.kind != "word" or before.text in ("AND", "BETWEEN"))
        ):
            result.pop()
            token = Token(token.kind, f"-{token.text}", f"-{token.raw}")
        result.append(token)
    return result


def _column(token: Token, columns: Sequence[Column]) -> Column | None:
    """Returns the column that a token names. Names that differ in case only are ambiguous, as Spark may ignore case."""
    if token.kind not in ("name", "word") or (token.kind == "word" and KEYWORDS.fullmatch(token.text)):
        return None
    name = token.text if token.kind == "name" else token.raw
    alike = [column for column in columns if column.name.lower() == name.lower()]
    if len(alike) != 1 or alike[0].name != name or alike[0].kind == "json" or not SINGULAR_PATH.match(alike[0].path):
        return None
    if type(alike[0].data_type) is StringType and alike[0].data_type != StringType():
        # Strings with a collation are compared in another way.
        return None
    return alike[0]


def _comparison(column: Column, operator: str, value: Token) -> str | None:
    path, kind = "@" + column.path[1:], type(column.data_type)
    if operator in ("=", "<=>"):
        operator = "=="
    elif operator == "<>":
        operator = "!="
    if kind in INTEGERS:
        # A literal with a point or an exponent, or beyond 64 bits, makes Spark compare other types.
        if value.kind != "integer" or not -(2**63) <= int(value.text) < 2**63:
            return None
        return f"{path} {operator} {int(value.text)}"
    if kind is DoubleType and value.kind in ("integer", "number"):
        is_decimal = value.kind == "number" and "e" not in value.text.lower()
        return _double_comparison(path, operator, float(value.text), DECIMAL_TOLERANCE if is_decimal else 0)
    if kind is StringType and value.kind == "string" and operator in ("==", "!="):
        return f"{path} {operator} {_quoted(value.text)}" if _is_plain(value.text) else None
    if kind is BooleanType and value.kind == "word" and value.text in ("TRUE", "FALSE") and operator in ("==", "!="):
        return f"{path} {operator} {value.text.lower()}"
    return None


def _double_comparison(path: str, operator: str, number: float, tolerance: float) -> str | None:
    """Compares with doubles beside the number: a text may be another number than the literal and the same double."""
    low = math.nextafter(math.nextafter(number - tolerance, -math.inf), -math.inf)
    high = math.nextafter(math.nextafter(number + tolerance, math.inf), math.inf)
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    if operator == "==":
        return f"{path} >= {low!r} && {path} <= {high!r}"
    if operator in (">", ">="):
        return f"{path} >= {low!r}"
    if operator in ("<", "<="):
        return f"{path} <= {high!r}"
    return None


def _like(column: Column, pattern: Token) -> str | None:
    if type(column.data_type) is not StringType:
        return None
    text = pattern.text
    inner = text.strip("%")
    if "_" in text or "%" in inner:
        return None
    if inner == text:
        return _comparison(column, "=", pattern)
    return f'search(@{column.path[1:]}, "{inner}")' if PLAIN.match(inner) else None


def _is_plain(text: str) -> bool:
    """Whether a string means the same in SQL and in a path: no control characters, surrogates or replacement characters."""
    return all(character >= " " and character != "\ufffd" and not "\ud800" <= character <= "\udfff" for character in text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
