"""Events in files: NDJSON, plain or gzipped, one file or a directory of them."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw

from mainstem.doctor.reading.fold import Fold
from mainstem.doctor.reading.said import read_event
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mainstem.doctor.picture import Link, Picture

ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")


def read_events(
    path: Path, progress: Callable[[int], None], links: tuple[Link, ...] = ()
) -> tuple[Picture, int]:
    """The picture that the events in a file or directory tell, and how many lines were no events.

    ``progress`` is told how many events were read so far; ``links`` are namespaces that are known
    to be one.
    """
    fold = Fold(links)
    events = strange = 0
    for file in _files(path):
        for line in _lines(file):
            read = read_event(line)
            if read is None:
                strange += 1
                continue
            fold.add(*read)
            events += 1
            progress(events)
    picture = fold.picture()
    if picture is None:
        raise BadRecipe(str(path), ["holds no OpenLineage event"])
    return picture, strange


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*") if one.name.endswith(ENDINGS) and one.is_file())
    if not found:
        raise BadRecipe(str(path), [f"has no file that ends in {', '.join(ENDINGS)}"])
    return found


def _lines(file: Path) -> Iterator[bytes]:
    """One event each; a file that is one JSON document may hold one event or a list of them."""
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            first = stream.readline()
            if _is_json(first):
                yield from (line for line in (first, *stream) if line.strip())
                return
            whole = first + stream.read()
    except (OSError, EOFError, zlib.error) as error:
        raise BadRecipe(str(file), [f"cannot be read: {error}"]) from error
    yield from _document(whole)


def _is_json(line: bytes) -> bool:
    try:
        return not isinstance(msgspec.json.decode(line), list)
    except msgspec.DecodeError:
        return False


def _document(text: bytes) -> Iterator[bytes]:
    try:
        yield from map(bytes, msgspec.json.decode(text, type=list[Raw]))
    except msgspec.DecodeError:
        yield text
