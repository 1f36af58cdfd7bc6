"""What a dataset is called: the pair that OpenLineage identifies it by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class DatasetName:
    """One dataset's OpenLineage identity.

    >>> DatasetName("kafka://b1:9092", "orders").namespace
    'kafka://b1:9092'
    """

    namespace: str
    """The system that holds it, for instance ``postgres://db:5432``; never a credential in it."""

    name: str
    """What it is called there, for instance ``shop.public.orders``."""
