"""From bytes to an event, or to the reason why they are none."""

from __future__ import annotations

import hashlib
from itertools import repeat

import orjson

from mainstem.errors import EventRefused
from mainstem.names.dataset import DatasetName
from mainstem.said.checking import NUL, event_time, parse_json, refuse_nul, validate
from mainstem.said.datasets import NOTHING, understand
from mainstem.said.event import EventKind, JobName, Mention, event_kind, order_key
from mainstem.said.json_values import Json, as_object
from mainstem.said.pairs import implied_datasets, said_pairs
from mainstem.said.registers import spell_facets
from mainstem.said.versions import digest_uuid, run_uuid
from mainstem.serve.ingest.cutting import CutDataset, CutEvent, cut_event, remember
from mainstem.serve.model.event import Event

_IO_FACETS = {False: "inputFacets", True: "outputFacets"}


def read_event(raw: bytes) -> Event:
    """The event that some bytes are; raises EventRefused with every mistake."""
    if not raw or raw.isspace():
        raise EventRefused(422, "the request body must not be null", ["the body must not be null"])
    return _event(cut_event(raw) or _whole(raw), raw)


def _whole(raw: bytes) -> CutEvent:
    said = parse_json(raw)
    if not isinstance(said, dict):
        raise EventRefused(400, "one event is a JSON object; several go to /api/v1/lineage/batch")
    return CutEvent(as_object(said), [])


def _event(cut: CutEvent, raw: bytes) -> Event:
    said = cut.json
    canonical = _canonical(cut)
    kind = event_kind(said)
    validate(kind, said)
    time = event_time(said["eventTime"])
    event_type = said.get("eventType") if kind is EventKind.RUN else None
    run: Json = said.get("run") or {} if kind is EventKind.RUN else {}
    job: Json | None = said["job"] if kind is not EventKind.DATASET else None
    name = None if job is None else JobName(job["namespace"], job["name"])
    job_facets: Json = {} if job is None else job.get("facets") or {}
    mentions = _mentions(kind, cut, name, job_facets)
    digest = hashlib.sha256(canonical).digest()[:16]
    return Event(
        kind=kind,
        raw=raw,
        digest=digest,
        key=order_key(time, event_type, digest),
        time=time,
        type=event_type,
        producer=said["producer"],
        run_id=run_uuid(run["runId"]) if run else digest_uuid(digest),
        run_facets=run.get("facets") or {},
        job=name,
        job_facets=job_facets,
        job_spelled=spell_facets(job_facets),
        mentions=mentions,
        pairs=None if name is None else said_pairs(job_facets, mentions),
    )


def _canonical(cut: CutEvent) -> bytes:
    """The one spelling of an event, by which a repetition is known."""
    known = [(one.json, one.known) for one in cut.datasets if one.known is not None]
    for dataset, facets in known:
        dataset["facets"] = orjson.Fragment(facets.spelled)
    try:
        canonical = orjson.dumps(cut.json, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        raise EventRefused(413, "nested deeper than 254 levels") from error
    for dataset, _ in known:
        del dataset["facets"]
    if NUL in canonical:
        refuse_nul(cut.json)
    return canonical


def _mentions(
    kind: EventKind, cut: CutEvent, job: JobName | None, job_facets: Json
) -> tuple[Mention, ...]:
    said = cut.json
    if kind is EventKind.DATASET or job is None:
        return (_mention(said["dataset"], None),)
    datasets = iter(cut.datasets or repeat(None))
    mentions = [_mention(one, False, next(datasets)) for one in said.get("inputs") or ()]
    mentions += [_mention(one, True, next(datasets)) for one in said.get("outputs") or ()]
    if "lineage" in job_facets:
        known = {(one.dataset, one.written) for one in mentions}
        implied = sorted(implied_datasets(job_facets, job) - known)
        mentions += [Mention(dataset, written, {}, NOTHING) for dataset, written in implied]
    return tuple(mentions)


def _mention(said: Json, written: bool | None, cut: CutDataset | None = None) -> Mention:
    name = DatasetName(said["namespace"], said["name"])
    understood = cut and cut.known
    if understood is None:
        understood = understand(name, said.get("facets") or {})
        if cut is not None and said.get("facets"):
            remember(name, cut.facets, understood)
    io_facets: Json = {} if written is None else said.get(_IO_FACETS[written]) or {}
    return Mention(name, written, io_facets, understood)
