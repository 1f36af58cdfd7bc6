"""Versions are names of contents: equal contents have one version, whoever says them, whenever."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson

from mainstem.said.json_values import as_list, as_objects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName


_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def uuid_of(*parts: Any) -> str:
    """A UUID that stands for these JSON values and no others."""
    return digest_uuid(hashlib.blake2b(orjson.dumps(parts), digest_size=16).digest())


def digest_uuid(digest: bytes) -> str:
    """A digest spelled as a UUID of version 5; ``uuid.UUID`` takes three times as long.

    >>> digest_uuid(bytes(16)) == str(UUID(bytes=bytes(16), version=5))
    True
    """
    text = digest.hex()
    variant = "89ab"[digest[8] >> 4 & 3]
    return f"{text[:8]}-{text[8:12]}-5{text[13:16]}-{variant}{text[17:20]}-{text[20:]}"


def uuid_of_text(text: str) -> str:
    """Java's name-based UUID, by which Marquez files a run id that is no UUID."""
    return str(UUID(bytes=hashlib.md5(text.encode(), usedforsecurity=False).digest(), version=3))


def run_uuid(text: str) -> str:
    """A run id as a UUID; one that is none is filed under the UUID that Marquez gives it."""
    return text.lower() if _UUID.fullmatch(text) else uuid_of_text(text)


@lru_cache(maxsize=1024)
def version_without_schema(dataset: DatasetName) -> str:
    """The version of a dataset whose fields nobody said."""
    return dataset_version(dataset, None)


def dataset_version(dataset: DatasetName, fields: list[Any] | None) -> str:
    """The version of a dataset with these fields; without fields, the one for "not said"."""
    return uuid_of("dataset", dataset.namespace, dataset.name, _shape(fields))


def job_version(
    namespace: str,
    name: str,
    inputs: Iterable[tuple[str, str]],
    outputs: Iterable[tuple[str, str]],
    config: str,
) -> str:
    """The version of a job that reads and writes these under this configuration."""
    return uuid_of("job", namespace, name, sorted(inputs), sorted(outputs), config)


def _shape(fields: list[Any] | None) -> list[Any] | None:
    """Names, types and nesting; a new description is no new version."""
    if fields is None:
        return None
    return [
        [one.get("name"), one.get("type"), _shape(as_list(one.get("fields")) or None)]
        for one in as_objects(fields)
    ]
