"""Marquez's PUT and POST requests told as OpenLineage events, so that there is one way in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.said.json_values import as_list
from mainstem.said.times import iso
from mainstem.serve.ingest.reading import read_event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mainstem.said.event import JobName
    from mainstem.serve.model.event import Event

PRODUCER = "https://mainstem.dev/serve"


def declare_dataset(namespace: str, name: str, said: Mapping[str, Any], now: int) -> Event:
    """PUT of a dataset, as a DatasetEvent."""
    facets: dict[str, Any] = {}
    source = said.get("sourceName")
    if source:
        facets["dataSource"] = _facet(name=source, uri="")
    if said.get("description"):
        facets["documentation"] = _facet(description=said["description"])
    if said.get("fields"):
        facets["schema"] = _facet(fields=said["fields"])
    if said.get("type") == "STREAM":
        facets["datasetType"] = _facet(datasetType="STREAM")
    return _event({"dataset": {"namespace": namespace, "name": name, "facets": facets}}, now)


def declare_job(namespace: str, name: str, said: Mapping[str, Any], now: int) -> Event:
    """PUT of a job, as a JobEvent."""
    processing = "STREAMING" if said.get("type") in ("STREAM", "SERVICE") else "BATCH"
    facets: dict[str, Any] = {"jobType": _facet(processingType=processing, integration="MARQUEZ")}
    if said.get("location"):
        facets["sourceCodeLocation"] = _facet(type="git", url=said["location"])
    if said.get("description"):
        facets["documentation"] = _facet(description=said["description"])
    job = {"namespace": namespace, "name": name, "facets": facets}
    inputs, outputs = as_list(said.get("inputs")), as_list(said.get("outputs"))
    return _event({"job": job, "inputs": inputs, "outputs": outputs}, now)


def declare_run(
    job: JobName,
    run_id: str,
    said: Mapping[str, Any],
    sides: tuple[Sequence[Mapping[str, str]], Sequence[Mapping[str, str]]],
    now: int,
) -> Event:
    """POST of a run, as a RunEvent without a type: it is there and has not started."""
    facets: dict[str, Any] = {}
    nominal = {
        word: said[word] for word in ("nominalStartTime", "nominalEndTime") if said.get(word)
    }
    if nominal:
        facets["nominalTime"] = _facet(**nominal)
    if said.get("args"):
        facets["mainstem_arguments"] = _facet(**said["args"])
    inputs, outputs = sides
    run = {"runId": run_id, "facets": facets}
    return _event(
        {"run": run, "job": job._asdict(), "inputs": list(inputs), "outputs": list(outputs)}, now
    )


def declare_transition(job: JobName, run_id: str, event_type: str, at: int) -> Event:
    """POST of start, complete, fail or abort, as a RunEvent."""
    return _event({"run": {"runId": run_id}, "job": job._asdict(), "eventType": event_type}, at)


def _facet(**said: Any) -> dict[str, Any]:
    return {"_producer": PRODUCER, **said}


def _event(said: dict[str, Any], time: int) -> Event:
    return read_event(orjson.dumps({"eventTime": iso(time), "producer": PRODUCER, **said}))
