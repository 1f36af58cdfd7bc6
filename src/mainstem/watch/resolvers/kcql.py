"""KCQL, the statements that Lenses' connectors are configured with, read into data."""

from __future__ import annotations

import re

from msgspec import Struct

from mainstem.errors import CannotTell

_WORD = r"(?:`[^`]*`|'[^']*'|[^\s`';])+"
_STATEMENTS = re.compile(r"(?:`[^`]*`|'[^']*'|[^;`'])+")
_STATEMENT = re.compile(
    rf"(?:(?:INSERT|UPSERT)\s(?:PK\s\S+\s)?INTO\s(?P<target>{_WORD})\s)?"
    rf"SELECT\s(?P<columns>.+?)\sFROM\s(?P<source>{_WORD})(?P<clauses>.*)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"(?:`[^`]*`|'[^']*'|\([^)]*\)|[^,`'(])+")
_ALIAS = re.compile(
    r"(?P<path>.+?)\s+AS\s+(?P<alias>`[^`]*`|'[^']*'|\S+)", re.IGNORECASE | re.DOTALL
)
_STORED_AS = re.compile(r"\bSTOREAS\s+[`']?(\w+)", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(PARTITIONBY|WITHINDEXSUFFIX|WITHTARGET|PROPERTIES)\b", re.IGNORECASE)


class Column(Struct, frozen=True):
    """One selected field."""

    path: str
    """As it is selected: ``price``, ``_key.id``, ``address.city``."""

    name: str
    """What it is called where it is written."""

    @property
    def computed(self) -> bool:
        """Whether a function makes it, so that no field is behind it."""
        return "(" in self.path


class Statement(Struct, frozen=True):
    """``INSERT INTO target SELECT columns FROM source`` and the clauses after it."""

    target: str | None
    source: str
    columns: tuple[Column, ...]
    """Nothing where all fields are taken."""

    clauses: frozenset[str]
    """Which of the clauses that change where data go are there, in upper case."""

    is_all: bool = False
    """Whether it takes all fields of the value, and nothing else."""

    stored_as: str | None = None
    """The format of its files, in upper case."""


def parse_kcql(text: str) -> tuple[Statement, ...]:
    """The statements of a KCQL config, which semicolons separate.

    >>> one, = parse_kcql("INSERT INTO `a b` SELECT id, x.y AS z FROM t-1 PK id")
    >>> one.target, one.source, [(column.path, column.name) for column in one.columns]
    ('a b', 't-1', [('id', 'id'), ('x.y', 'z')])
    """
    found = tuple(one for part in _STATEMENTS.findall(text) if (one := " ".join(part.split())))
    if not found:
        raise CannotTell("there is no statement")
    return tuple(_statement(one, number) for number, one in enumerate(found, start=1))


def _statement(text: str, number: int) -> Statement:
    found = _STATEMENT.fullmatch(text)
    if found is None:
        raise CannotTell(f"statement {number} cannot be read")
    target = found["target"]
    clauses = frozenset(name.upper() for name in _CLAUSE.findall(found["clauses"]))
    columns = tuple(map(_column, _COLUMNS.findall(found["columns"])))
    everything = any(column.path.endswith("*") for column in columns)
    return Statement(
        _bare(target) if target else None,
        _bare(found["source"]),
        () if everything else columns,
        clauses,
        [column.path for column in columns] == ["*"],
        stored[1].upper() if (stored := _STORED_AS.search(found["clauses"])) else None,
    )


def _column(text: str) -> Column:
    found = _ALIAS.fullmatch(text.strip())
    if found is not None:
        return Column(_bare(found["path"].strip()), _bare(found["alias"]))
    path = _bare(text.strip())
    return Column(path, path if "(" in path else path.rpartition(".")[2])


def _bare(word: str) -> str:
    return re.sub(r"[`']", "", word)
