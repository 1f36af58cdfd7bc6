"""From bytes to a row of ``event``, or to the reason why they are none; the backend's rules."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import orjson

from mainstem import __version__
from mainstem.errors import EventRefused
from mainstem.pipeline.steps.contents import Contents, fingerprint, id_of
from mainstem.said.checking import NUL, event_time, parse_json, refuse_nul, validate
from mainstem.said.event import EventKind, event_kind, order_key
from mainstem.said.jobs import location
from mainstem.said.json_values import Json, as_object, as_objects, as_text
from mainstem.said.versions import digest_uuid, run_uuid

NO_JOB = 0
LONGEST_WINDOW = 10**9
_SORTED = orjson.OPT_SORT_KEYS


class _Told(NamedTuple):
    """The columns of a row that follow from an event's job and datasets, most of which repeat."""

    of_job: tuple[int, str | None, str | None, int, int, bool]
    """The job's id and name, the ids of content and shape, and whether it names datasets."""

    facets: tuple[tuple[bool, float | None] | None, tuple[str | None] | None]
    """The pattern and the location."""


class Reader:
    """Reads events one by one; what they say of jobs and datasets gathers in ``contents``."""

    def __init__(self) -> None:
        self.contents = Contents()
        self._known: dict[str, _Told] = {}

    @property
    def remembers(self) -> int:
        """How many spellings it understands without thinking."""
        return len(self._known)

    def remember(self, told: bytes) -> None:
        """Take over a spelling that an earlier build understood, as it was told then."""
        spelled, *understood = orjson.loads(told)
        self._known[spelled] = _Told(*understood)

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
        # Few events have a backslash, and one byte is found ten times sooner than six.
        if b"\\" in canonical and NUL in canonical:
            refuse_nul(said)
        kind = event_kind(said)
        validate(kind, said)
        return self._row(kind, said, hashlib.sha256(canonical).digest()[:16])

    def _row(self, kind: EventKind, said: Json, digest: bytes) -> tuple[Any, ...]:
        time = event_time(said["eventTime"])
        if kind is EventKind.DATASET:
            told = self._told(None, [said["dataset"]], [])
            return (
                order_key(time, None, digest), kind.value, None, time, said["producer"],
                digest_uuid(digest), *told.of_job, None, None, None, None, None, *told.facets,
            )  # fmt: skip
        event_type = said.get("eventType") if kind is EventKind.RUN else None
        run: Json = said.get("run") or {} if kind is EventKind.RUN else {}
        inputs, outputs = said.get("inputs") or [], said.get("outputs") or []
        rows_read = _rows(inputs, "inputFacets", "inputStatistics")
        rows_written = _rows(outputs, "outputFacets", "outputStatistics")
        told = self._told(said["job"], inputs, outputs)
        facets: Json = run.get("facets") or {}
        return (
            order_key(time, event_type, digest), kind.value, event_type, time, said["producer"],
            run_uuid(run["runId"]) if run else digest_uuid(digest), *told.of_job,
            rows_read, rows_written,
            _error(facets) if "errorMessage" in facets else None,
            _parent(facets) if "parent" in facets else None,
            self._connector(facets) if "mainstem_connector" in facets else None,
            *told.facets,
        )  # fmt: skip

    def _told(self, job: Json | None, inputs: list[Json], outputs: list[Json]) -> _Told:
        for one in (*inputs, *outputs):
            # It may differ with every run, and nothing follows from it.
            if facets := one.get("facets"):
                facets.pop("version", None)
        # Another version of our own may understand the same letters otherwise.
        spelled = fingerprint(__version__, job, inputs, outputs)
        known = self._known.get(spelled)
        if known is None:
            content = self.contents.of_event(job, inputs, outputs)
            known = self._known[spelled] = _told(job, content)
            self.contents.told.spellings.append(_spelling(spelled, known))
        return known

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


def _told(job: Json | None, content: tuple[int, int, bool]) -> _Told:
    if job is None:
        return _Told((NO_JOB, None, None, *content), (None, None))
    name = (job["namespace"], job["name"])
    facets: Json = job.get("facets") or {}
    return _Told(
        (id_of("job", *name), *name, *content),
        (
            _pattern(facets) if "jobType" in facets else None,
            (location(facets),) if "sourceCodeLocation" in facets else None,
        ),
    )


def _spelling(spelled: str, told: _Told) -> tuple[Any, ...]:
    job_id, _, _, content_id, shape_id, _ = told.of_job
    return (job_id, content_id, shape_id, orjson.dumps((spelled, *told)).decode())


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
