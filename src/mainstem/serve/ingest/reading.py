"""From bytes to an event, or to the reason why they are none."""

from __future__ import annotations

import hashlib
import re
from itertools import islice, repeat
from typing import Any

import jsonschema_rs
import orjson

from mainstem.errors import EventRefused
from mainstem.names.dataset import DatasetName
from mainstem.serve.ingest.cutting import CutDataset, CutEvent, cut_event, remember
from mainstem.serve.ingest.event_schema import DATASET_EVENT, JOB_EVENT, RUN_EVENT
from mainstem.serve.model.event import Event, EventKind, JobName, Mention, order_key
from mainstem.serve.model.json_values import Json, as_list, as_object
from mainstem.serve.model.pairs import entries, inputs_of, job_inputs, said_pairs, target
from mainstem.serve.model.registers import spell_facets
from mainstem.serve.model.said import NOTHING, understand
from mainstem.serve.model.times import parse_instant
from mainstem.serve.model.versions import digest_uuid, uuid_of_text

_VALIDATORS = {
    EventKind.RUN: jsonschema_rs.Draft202012Validator(RUN_EVENT),
    EventKind.JOB: jsonschema_rs.Draft202012Validator(JOB_EVENT),
    EventKind.DATASET: jsonschema_rs.Draft202012Validator(DATASET_EVENT),
}
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_IO_FACETS = {False: "inputFacets", True: "outputFacets"}
MOST_MISTAKES = 20
LONGEST_MESSAGE = 200


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


def parse_json(raw: bytes) -> Any:
    """The JSON value of some bytes; raises EventRefused with the place of the mistake."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise EventRefused(400, f"not JSON: {error.msg} at {place}") from error


def _event(cut: CutEvent, raw: bytes) -> Event:
    said = cut.json
    canonical = _canonical(cut)
    kind = _kind(said)
    _validate(kind, said)
    time = _time(said["eventTime"])
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
    if b"\\u0000" in canonical and (place := _place_of_nul(cut.json, "$")):
        raise EventRefused(400, f"U+0000 cannot be stored; it is in {place}")
    return canonical


def _validate(kind: EventKind, said: Json) -> None:
    validator = _VALIDATORS[kind]
    if not validator.is_valid(said):
        mistakes = [_mistake(one) for one in islice(validator.iter_errors(said), MOST_MISTAKES)]
        mistakes += _mistakes_in_time(said.get("eventTime"))
        raise EventRefused(422, "; ".join(mistakes), mistakes)


def _time(text: str) -> int:
    try:
        return parse_instant(text)
    except (ValueError, OverflowError) as error:
        mistake = f"eventTime is no ISO 8601 instant: {text[:50]!r}"
        raise EventRefused(422, mistake, [mistake]) from error


def _mistakes_in_time(time: object) -> list[str]:
    if not isinstance(time, str):
        return []  # the schema tells
    try:
        _time(time)
    except EventRefused as refused:
        return list(refused.mistakes)
    return []


def run_uuid(text: str) -> str:
    """A run id as a UUID; one that is none is filed under the UUID that Marquez gives it."""
    return text.lower() if _UUID.fullmatch(text) else uuid_of_text(text)


def _kind(said: Json) -> EventKind:
    if "run" in said:
        return EventKind.RUN
    if "dataset" in said and "job" not in said:
        return EventKind.DATASET
    url = said.get("schemaURL")
    spoken_of = url.rsplit("/", 1)[-1] if isinstance(url, str) else ""
    if "job" in said and spoken_of != "RunEvent" and "eventType" not in said:
        return EventKind.JOB
    return EventKind.RUN


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
        mentions += _implied(mentions, job, job_facets)
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


def _implied(mentions: list[Mention], job: JobName, job_facets: Json) -> list[Mention]:
    """Datasets that only the explicit ``lineage`` facet names."""
    known = {(one.dataset, one.written) for one in mentions}
    implied = {(dataset, False) for dataset in job_inputs(job_facets, job)}
    for entry in entries(job_facets):
        name = target(entry)
        if name is not None:
            implied |= {(name, True), *((dataset, False) for dataset in inputs_of(entry))}
    return [Mention(dataset, written, {}, NOTHING) for dataset, written in sorted(implied - known)]


def _mistake(error: jsonschema_rs.ValidationError) -> str:
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path
    ).removeprefix(".")
    missing = getattr(error.kind, "property", None)
    if missing is not None:
        return f"{path}.{missing} must not be null".removeprefix(".")
    options = getattr(error.kind, "options", None)
    if options is not None:
        # The library names but the first two of the values that are allowed.
        allowed = ", ".join(one for one in options if one is not None)
        return f"{path}: {str(error.instance)[:50]!r} is not allowed; allowed: {allowed}"
    message = error.message[:LONGEST_MESSAGE]
    return f"{path}: {message}" if path else message


def _place_of_nul(value: Any, place: str) -> str | None:
    if isinstance(value, str):
        return place if "\0" in value else None
    for name in as_object(value):
        if "\0" in name:
            return f"{place}.{name!r}"
    nested = [(f"{place}.{name}", one) for name, one in as_object(value).items()]
    nested += [(f"{place}[{at}]", one) for at, one in enumerate(as_list(value))]
    places = (_place_of_nul(one, where) for where, one in nested)
    return next((found for found in places if found), None)
