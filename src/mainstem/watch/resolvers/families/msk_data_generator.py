"""The MSK data generator and Voluble, whose topics stand in their keys: ``genv.orders.id.with``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Feed, Source, resolve_source

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Connector, Resolution

NAME = "MSK data generator"
_KEYS = r"gen(?:k|kp|v|vp)\.([^.]+)\..+"
_NONE = "topics: no key of the form genv.<topic>.<field>.with names one"


def resolve(connector: Connector) -> Resolution:
    """The topics that generating keys name; the data are made up."""
    found = (re.fullmatch(_KEYS, key) for key in settings_of(connector))
    topics = dict.fromkeys(key[1] for key in found if key is not None)
    source = Source(feeds=tuple(map(Feed, topics)), unresolved=() if topics else (_NONE,))
    return resolve_source(connector, NAME, source)


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.amazonaws.mskdatagen.GeneratorSourceConnector",
        "io.mdrogalis.voluble.VolubleSourceConnector",
    ),
    reads=Reads(patterns=(_KEYS,)),
    resolve=resolve,
)
