"""What every database of ours can do; statements are written once, with ``?`` for values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

Row = tuple[Any, ...]


def spell(statement: str, words: dict[str, str]) -> str:
    """A statement in one dialect's words: ``{blob}`` becomes BLOB here and BYTEA there."""
    for word, spelling in words.items():
        statement = statement.replace("{" + word + "}", spelling)
    return statement


class Connection(Protocol):
    """One connection, used by one thread at a time."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Every row that a query answers."""
        ...

    def among(self, statement: str, wanted: Iterable[Any], values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query whose ``{among}`` stands for "is one of these"; ``values`` follow."""
        ...

    def each(self, statement: str, wanted: Iterable[Any]) -> list[Row]:
        """The rows of a query about one thing, its only ``?``, asked for each of some."""
        ...

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Execute one statement that answers nothing."""
        ...

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute one statement once per row."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; what was written is durable when the block is left."""
        ...

    def close(self) -> None:
        """Give the connection back to the system."""
        ...


class Database(Protocol):
    """A database that connections are made to."""

    dialect: str
    """``sqlite`` or ``postgresql``."""

    def connect(self) -> Connection:
        """A new connection."""
        ...

    def reader(self) -> AbstractContextManager[Connection]:
        """A connection for reading, borrowed from a pool that threads share."""
        ...

    def hold(self, holder: str) -> AbstractContextManager[None]:
        """Be the only writer of this database until the block is left, or raise StoreInUse."""
        ...

    def close(self) -> None:
        """Close every pooled connection."""
        ...
