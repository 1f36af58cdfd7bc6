"""Records of ours as orjson prints them: an object for each."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from mainstem.names.dataset import DatasetName


def plain(value: object) -> dict[str, Any]:
    """For orjson's ``default``: a Struct and a dataset's name, which it does not know."""
    match value:
        case Struct():
            return asdict(value)
        case DatasetName():
            return value._asdict()
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON")
