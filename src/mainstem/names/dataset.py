"""What a dataset is called: the pair that OpenLineage identifies it by."""

from __future__ import annotations

from typing import NamedTuple


class DatasetName(NamedTuple):
    """One dataset's OpenLineage identity; a tuple: names are hashed and sorted by the million.

    >>> DatasetName("kafka://b1:9092", "orders").namespace
    'kafka://b1:9092'
    """

    namespace: str
    """The system that holds it, for instance ``postgres://db:5432``; never a credential in it."""

    name: str
    """What it is called there, for instance ``shop.public.orders``."""
