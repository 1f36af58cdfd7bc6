"""What was rendered of jobs and datasets, kept as bytes for as long as nothing of it changed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.graph.view import Node

MOST_BYTES = 24_000_000
FOR_EVER = 2**62


class Piece(NamedTuple):
    """One resource as JSON."""

    json: bytes
    made_of: object
    """What it shows besides its own rows: whoever asks compares it with what holds now."""

    until: int
    """The instant from which a run in it is stale."""


class Rendered:
    """Pieces by form and node; the writer's thread forgets, any thread keeps."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[str, Node], Piece] = {}
        self._bytes = 0
        self._lock = threading.Lock()
        self.epoch = 0
        """Counts what was committed; a piece made from rows read in an older one is not kept."""

    def get(self, form: str, node: Node, made_of: object, now: int) -> bytes | None:
        """The JSON of a node, if it still holds."""
        piece = self._pieces.get((form, node))
        if piece is None or piece.until < now or piece.made_of != made_of:
            return None
        return piece.json

    def keep(self, epoch: int, form: str, pieces: Iterable[tuple[Node, Piece]]) -> None:
        """Keep pieces that were made in an epoch."""
        with self._lock:
            if epoch != self.epoch:
                return
            for node, piece in pieces:
                self._drop((form, node))
                self._pieces[form, node] = piece
                self._bytes += len(piece.json)
            while self._bytes > MOST_BYTES:
                self._drop(next(iter(self._pieces)))

    def forget(self, nodes: Iterable[Node]) -> None:
        """Drop what was made of some nodes."""
        with self._lock:
            self.epoch += 1
            for node in nodes:
                for form in FORMS:
                    self._drop((form, node))

    def forget_all(self) -> None:
        """Drop everything: aliases, tags or what is hidden changed."""
        with self._lock:
            self.epoch += 1
            self._pieces.clear()
            self._bytes = 0

    def _drop(self, place: tuple[str, Node]) -> None:
        piece = self._pieces.pop(place, None)
        if piece is not None:
            self._bytes -= len(piece.json)


NODE, LISTED = "node", "listed"
FORMS = (NODE, LISTED)
"""A node of Marquez's lineage graph with its edges; a job as lists show it, with its runs."""
