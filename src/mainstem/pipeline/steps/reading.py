"""From bytes to a row of ``event``, or to the reason why they are none; the backend's rules."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from mainstem.errors import EventRefused
from mainstem.pipeline.steps.contents import Contents, id_of
from mainstem.said.checking import NUL, event_time, parse_json, refuse_nul, validate
from mainstem.said.event import RANKS, EventKind, event_kind, order_key
from mainstem.said.event_schema import LONGEST_NAME
from mainstem.said.jobs import location
from mainstem.said.json_values import Json, as_object, as_objects, as_text
from mainstem.said.versions import digest_uuid, run_uuid

NO_JOB = 0
LONGEST_WINDOW = 10**9
_SORTED = orjson.OPT_SORT_KEYS


class Reader:
    """Reads events one by one; what they say of jobs and datasets gathers in ``contents``."""

    def __init__(self) -> None:
        self.contents = Contents()
        self._jobs: dict[tuple[str, str], int] = {}
        self._plain_addresses: set[Any] = {None}

    def read(self, raw: bytes) -> tuple[Any, ...]:
        """The row of an event, all but what was received; raises EventRefused."""
        if not raw or raw.isspace():
            raise EventRefused(422, "an empty line is no event")
        try:
            said = orjson.loads(raw)
        except orjson.JSONDecodeError:
            said = parse_json(raw)
        if not isinstance(said, dict):
            raise EventRefused(400, "one event is a JSON object")
        try:
            canonical = orjson.dumps(said, option=_SORTED)
        except orjson.JSONEncodeError as error:
            raise EventRefused(413, "nested deeper than 254 levels") from error
        if NUL in canonical:
            refuse_nul(said)
        kind = event_kind(said)
        if not self._is_plain(kind, said):
            validate(kind, said)
        return self._row(kind, said, hashlib.sha256(canonical).digest()[:16])

    def _row(self, kind: EventKind, said: Json, digest: bytes) -> tuple[Any, ...]:
        time = event_time(said["eventTime"])
        if kind is EventKind.DATASET:
            content = self.contents.of_event(None, [said["dataset"]], [])
            row = (digest_uuid(digest), NO_JOB, None, None, *content)
            return (
                order_key(time, None, digest), kind.value, None, time, said["producer"], *row,
                None, None, None, None, None, None, None,
            )  # fmt: skip
        event_type = said.get("eventType") if kind is EventKind.RUN else None
        run: Json = said.get("run") or {} if kind is EventKind.RUN else {}
        job = said["job"]
        name = (job["namespace"], job["name"])
        job_id = self._jobs.get(name)
        if job_id is None:
            job_id = self._jobs[name] = id_of("job", *name)
        inputs, outputs = said.get("inputs") or [], said.get("outputs") or []
        rows_read = _rows(inputs, "inputFacets", "inputStatistics")
        rows_written = _rows(outputs, "outputFacets", "outputStatistics")
        content = self.contents.of_event(job, inputs, outputs)
        facets: Json = run.get("facets") or {}
        job_facets: Json = job.get("facets") or {}
        return (
            order_key(time, event_type, digest), kind.value, event_type, time, said["producer"],
            run_uuid(run["runId"]) if run else digest_uuid(digest), job_id, *name, *content,
            rows_read, rows_written,
            _error(facets) if "errorMessage" in facets else None,
            _parent(facets) if "parent" in facets else None,
            self._connector(facets) if "mainstem_connector" in facets else None,
            _pattern(job_facets) if "jobType" in job_facets else None,
            (location(job_facets),) if "sourceCodeLocation" in job_facets else None,
        )  # fmt: skip

    def _connector(self, facets: Json) -> tuple[Any, ...]:
        facet = _standing(facets, "mainstem_connector")
        if not facet:
            return (None, None)
        edges: list[tuple[int, str]] = []
        for edge in as_objects(facet.get("edges")):
            for side in ("input", "output"):
                end = as_object(edge.get(side))
                name = self.contents.name(str(end.get("namespace")), str(end.get("name")))
                edges.append((name, str(edge.get("evidence"))))
        return (as_text(facet.get("configVersion")), edges)

    def _is_plain(self, kind: EventKind, said: Json) -> bool:
        """Whether an event is certainly valid; of any other the schema has the word."""
        plain = self._plain_addresses
        producer, url = said.get("producer"), said.get("schemaURL")
        if type(producer) is not str or producer not in plain:
            return self._learn(producer)
        if "schemaURL" in said and (type(url) is not str or url not in plain):
            return self._learn(url)
        if kind is not EventKind.RUN or type(said.get("eventTime")) is not str:
            return False
        run, job, event_type = said.get("run"), said.get("job"), said.get("eventType")
        return (
            (event_type is None or (type(event_type) is str and event_type in RANKS))
            and type(run) is dict
            and _is_name(run.get("runId"))
            and _are_facets(run.get("facets"))
            and _is_named(job)
            and all(_are_datasets(said.get(side)) for side in ("inputs", "outputs"))
        )

    def _learn(self, address: Any) -> bool:
        """Know an address that is surely one next time; this event the schema judges."""
        plain = isinstance(address, str) and address.isascii() and address.isprintable()
        if plain and " " not in address:
            self._plain_addresses.add(address)
        return False


def _is_name(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= LONGEST_NAME


def _is_named(value: Any) -> bool:
    return (
        type(value) is dict
        and _is_name(value.get("namespace"))
        and _is_name(value.get("name"))
        and _are_facets(value.get("facets"))
    )


def _are_facets(value: Any) -> bool:
    if not value:
        return value is None or type(value) is dict
    return type(value) is dict and all(type(one) is dict or one is None for one in value.values())


def _are_datasets(value: Any) -> bool:
    if not value:
        return value is None or type(value) is list
    return type(value) is list and all(
        _is_named(one)
        and _are_facets(one.get("inputFacets"))
        and _are_facets(one.get("outputFacets"))
        for one in value
    )


def _rows(datasets: list[Json], holder: str, statistics: str) -> int | None:
    """Rows that datasets' statistics count; takes these facets away, which change every time."""
    total: int | None = None
    for one in datasets:
        facets = one.pop(holder, None)
        if facets:
            rows = as_object(facets.get(statistics)).get("rowCount")
            if type(rows) is int and 0 <= rows < 1 << 53:
                total = rows + (total or 0)
    return total


def _standing(facets: Json, name: str) -> Json:
    facet = as_object(facets.get(name))
    return {} if facet.get("_deleted") is True else facet


def _error(facets: Json) -> tuple[str | None]:
    return (as_text(_standing(facets, "errorMessage").get("message")),)


def _parent(facets: Json) -> tuple[str | None, ...]:
    facet = _standing(facets, "parent")
    job = as_object(facet.get("job"))
    run_id = as_text(as_object(facet.get("run")).get("runId"))
    return (run_id, as_text(job.get("namespace")), as_text(job.get("name")))


def _pattern(job_facets: Json) -> tuple[bool, float | None]:
    said = as_object(_standing(job_facets, "jobType").get("emissionPattern"))
    window: Any = said.get("windowDuration")
    promised = isinstance(window, int | float) and 0 < window < LONGEST_WINDOW
    is_snapshot = (
        said.get("eventTrigger") == "PERIODIC"
        and said.get("eventContentMode") == "COMPLETE_SNAPSHOT"
    )
    return (is_snapshot, float(window) if promised else None)
