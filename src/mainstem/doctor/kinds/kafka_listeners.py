"""Two brokers or listeners of what may be one Kafka cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.namespaces import (
    are_other_clusters,
    cluster_ids,
    one_system,
    servers,
    shared_between,
)
from mainstem.doctor.seams import Seam

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.servers import Address
    from mainstem.doctor.view import View

KIND = "kafka-listeners"
_DIGITS = re.compile(r"\d+")


def find(view: View) -> Iterator[Finding]:
    """Two addresses whose common topics are all written under one and read under the other."""
    read = {
        one: at
        for one, at in servers(view).items()
        if at.system == "kafka" and at.first.host is not None and not at.first.is_loopback
    }
    ids = cluster_ids(view)
    for (one, other), shared in shared_between(view, read).items():
        if are_other_clusters(ids, one, other):
            continue
        are_siblings = _are_siblings(read[one], read[other])
        least = Seam.CUT if are_siblings else Seam.FITS
        if shared.count(least) == len(shared.seams):
            count = len(shared.pairs)
            topics = "a topic is" if count == 1 else f"{count} topics are"
            how = f"{topics} written under one of them and read under the other"
            confidence = Confidence.LIKELY if are_siblings else Confidence.POSSIBLE
            yield one_system(view, KIND, [one, other], confidence, how)


def _are_siblings(one: Address, other: Address) -> bool:
    """Whether the hosts differ in a number alone, as brokers of one cluster do."""
    first, second = one.first, other.first
    return (
        first.port == second.port
        and first.host is not None
        and second.host is not None
        and first.host != second.host
        and _DIGITS.sub("#", first.host) == _DIGITS.sub("#", second.host)
        and not first.host.replace(".", "").isdecimal()
    )
