"""The client configuration's filters and tags, applied to an event before it is stored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mainstem.outbox.configuration import read_configuration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mainstem.outbox.configuration import Configuration

Event = dict[str, Any]
Tag = dict[str, str]


def preparation_from_configuration(
    configuration: Configuration | None = None,
) -> Callable[[Event], Event | None]:
    """A function from an event to what is stored of it: the event with tags, or None if filtered.

    As in the official client, filters look at the job's name of run events only, and a configured
    tag replaces one of the same key whatever its case.
    """
    read = configuration or read_configuration()
    exact = frozenset(one.exact for one in read.filters if one.exact)
    patterns = tuple(re.compile(one.regex) for one in read.filters if one.regex)

    def prepare(event: Event) -> Event | None:
        job = event.get("job")
        if job is None:
            return event
        filtered = job["name"] in exact or any(one.match(job["name"]) for one in patterns)
        if filtered and "run" in event:
            return None
        return _with_tags(_with_tags(event, "job", read.job_tags), "run", read.run_tags)

    return prepare


def _with_tags(event: Event, part: str, tags: Mapping[str, str]) -> Event:
    if not tags or part not in event:
        return event
    facets: dict[str, Any] = event[part].get("facets", {})
    facet: dict[str, Any] = facets.get("tags") or _empty_facet(part, event["producer"])
    merged = {**facet, "tags": _merge(facet["tags"], tags)}
    return {**event, part: {**event[part], "facets": {**facets, "tags": merged}}}


def _merge(told: Sequence[Tag], configured: Mapping[str, str]) -> list[Tag]:
    spelling = {tag["key"].lower(): tag["key"] for tag in told}
    replaced = {key.lower() for key in configured}
    kept = [tag for tag in told if tag["key"].lower() not in replaced]
    return kept + [
        {"key": spelling.get(key.lower(), key), "value": str(value), "source": "USER"}
        for key, value in configured.items()
    ]


def _empty_facet(part: str, producer: str) -> dict[str, Any]:
    from openlineage.client.facet_v2 import tags_job, tags_run  # noqa: PLC0415 - heavy
    from openlineage.client.serde import Serde  # noqa: PLC0415 - heavy

    facet = tags_job.TagsJobFacet if part == "job" else tags_run.TagsRunFacet
    return Serde.to_dict(facet(tags=[], producer=producer))  # pyright: ignore[reportCallIssue]
