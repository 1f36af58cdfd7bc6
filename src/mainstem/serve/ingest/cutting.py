"""Events cut into parts, so that facets which were read before need not be read again.

Most of an event are the facets of its datasets, and most events repeat them to the byte. What was
read and found valid once is known by these bytes; everything else of an event is read each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
import orjson

from mainstem.names.dataset import DatasetName
from mainstem.serve.model.shelf import Shelf

if TYPE_CHECKING:
    from mainstem.said.datasets import DatasetSaid
    from mainstem.said.json_values import Json

MOST_BYTES = 16_000_000
SIDES = ("inputs", "outputs")

_PARTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DATASETS = msgspec.json.Decoder(list[dict[str, msgspec.Raw]] | None)
_Listed = list[dict[str, msgspec.Raw]]
_known: Shelf[tuple[DatasetName, bytes], DatasetSaid] = Shelf(MOST_BYTES)


class CutDataset(NamedTuple):
    """A dataset on one side of an event."""

    json: Json
    """What the event says of it, without facets that are known."""

    facets: bytes
    """Its facets as they were sent; empty where it has none."""

    known: DatasetSaid | None
    """What they say, where they were read before."""


class CutEvent(NamedTuple):
    """An event without those facets of its datasets that are known."""

    json: Json
    datasets: list[CutDataset]
    """What it reads, then what it writes."""


def cut_event(raw: bytes) -> CutEvent | None:
    """An event's parts; None where it must be read whole to tell its mistakes."""
    json: Json = {}
    datasets: list[CutDataset] = []
    try:
        parts = _PARTS.decode(raw)
        sides = {side: _DATASETS.decode(parts[side]) for side in SIDES if side in parts}
        if not _is_all_there(raw, parts, sides):
            orjson.loads(raw)  # what stands twice in an object is not looked at below, but stored
        for name, part in parts.items():
            if name not in sides:
                json[name] = orjson.loads(bytes(part))
        for side, listed in sides.items():
            cut = None if listed is None else [_cut_dataset(one) for one in listed]
            json[side] = None if cut is None else [one.json for one in cut]
            datasets += cut or ()
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None
    return CutEvent(json, datasets)


def remember(name: DatasetName, facets: bytes, said: DatasetSaid) -> None:
    """Know facets by their bytes from now on; they are valid."""
    _known.put((name, facets), said, len(facets) + said.size)


def _is_all_there(
    raw: bytes, parts: dict[str, msgspec.Raw], sides: dict[str, _Listed | None]
) -> bool:
    """Whether an event is its parts and nothing else; False where that cannot be told at once."""
    listed = [(parts[side], one) for side, one in sides.items() if one is not None]
    if len(raw) == _shortest(parts):
        # No blank has room in it, let alone a word that is said twice.
        return all(
            len(side) == sum(map(_shortest, one)) + max(len(one) - 1, 0) + len("[]")
            for side, one in listed
        )
    return raw == _as_python_writes(parts) and all(
        bytes(side) == b"[%b]" % b", ".join(map(_as_python_writes, one)) for side, one in listed
    )


def _shortest(members: dict[str, msgspec.Raw]) -> int:
    """How many bytes an object takes at least."""
    names = len("".join(members).encode())
    values = sum(map(len, members.values()))
    return names + values + len('"":,') * len(members) + len("{}") - bool(members)


def _as_python_writes(members: dict[str, msgspec.Raw]) -> bytes:
    """An object as ``json`` writes it, which most producers in Python use."""
    written = [b'"%b": %b' % (name.encode(), value) for name, value in members.items()]
    return b"{%b}" % b", ".join(written)


def _cut_dataset(parts: dict[str, msgspec.Raw]) -> CutDataset:
    sent = parts.pop("facets", None)
    json: Json = {name: orjson.loads(bytes(part)) for name, part in parts.items()}
    if sent is None:
        return CutDataset(json, b"", None)
    facets = bytes(sent)
    namespace, name = json.get("namespace"), json.get("name")
    if isinstance(namespace, str) and isinstance(name, str):
        known = _known.get((DatasetName(namespace, name), facets))
        if known is not None:
            return CutDataset(json, facets, known)
    json["facets"] = orjson.loads(facets)
    return CutDataset(json, facets, None)
