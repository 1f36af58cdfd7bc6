"""One more job per table or topic that a connector reads, told from the connector's own event."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
from openlineage.client.facet_v2 import parent_run
from openlineage.client.serde import Serde

from mainstem.names.jobs import child_job
from mainstem.names.run_id import run_id, time_of
from mainstem.watch.events.offspring import NONE, Event, Offspring
from mainstem.watch.events.producer import PRODUCER
from mainstem.watch.runs.model import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def children_of(
    told: bytes, told_before: bytes | None, offspring: Offspring = NONE, *, holds: bool = False
) -> tuple[tuple[bytes, ...], Offspring]:
    """The events of the jobs below a connector's, which follow its run, and what to remember.

    ``told_before`` is the connector's last event: a child that it did not have starts, and one
    that it had and this one has not is complete, or, where it ``holds``, stays as it is.
    """
    parent = orjson.loads(told)
    before = orjson.loads(told_before) if told_before else None
    own = offspring if before is not None and _run_of(before) == _run_of(parent) else None
    known = {**_children(before, own.runs), **own.held} if before and own else {}
    own = _begun_again(own or NONE, parent)
    there = _children(parent, own.runs)
    gone = {name: child for name, child in known.items() if name not in there}
    events = [_as_of(child, parent, known=name in known) for name, child in there.items()]
    if _run_of(parent) is None:
        after = NONE
    elif holds and parent["eventType"] not in TERMINAL:
        after = Offspring(own.ended, own.runs, held=gone)
    else:
        events += _ended(gone, parent, as_parent=holds)
        after = Offspring(own.ended | gone.keys(), own.runs)
    return tuple(orjson.dumps(event, option=orjson.OPT_SORT_KEYS) for event in events), after


def _begun_again(own: Offspring, parent: Event) -> Offspring:
    """Nothing follows the end of a run: a job that comes back has another."""
    time = parent["eventTime"]
    names = own.ended & _inputs_by_job(parent).keys()
    return own.begun_again({name: _run_id(parent, name, time) for name in names})


def _as_of(child: Event, parent: Event, *, known: bool) -> Event:
    if parent.get("eventType") == "RUNNING" and not known:
        return {**child, "eventType": "START"}
    return child


def _ended(gone: Mapping[str, Event], parent: Event, *, as_parent: bool) -> list[Event]:
    """Those that are no longer there are complete; those that may be end as the connector does."""
    how = parent["eventType"] if as_parent else "COMPLETE"
    ending = {"eventType": how, "eventTime": parent["eventTime"]}
    return [{**child, **ending} for child in gone.values()]


def _run_of(event: Event) -> str | None:
    return event["run"]["runId"] if "run" in event else None


def _children(parent: Event, runs: Mapping[str, str]) -> dict[str, Event]:
    """By the job's name."""
    jobs = _inputs_by_job(parent).items()
    return {name: _child(parent, name, inputs, runs.get(name)) for name, inputs in jobs}


def _inputs_by_job(parent: Event) -> dict[str, set[tuple[str, str]]]:
    """Datasets of one name are one job, whatever system they are in."""
    inputs_by_name: dict[str, set[tuple[str, str]]] = {}
    for dataset in parent["inputs"]:
        name = child_job(parent["job"]["name"], dataset["name"])
        inputs_by_name.setdefault(name, set()).add((dataset["namespace"], dataset["name"]))
    return inputs_by_name


def _child(parent: Event, name: str, inputs: set[tuple[str, str]], run: str | None) -> Event:
    told = parent["job"]["facets"]["lineage"]["entries"]
    entries = [_entry_from(entry, inputs) for entry in told]
    reached = [entry for entry in entries if entry["inputs"] or _any_source(entry["fields"])]
    outputs = {(entry["namespace"], entry["name"]) for entry in reached}
    facets = parent["job"]["facets"]
    lineage = {**facets["lineage"], "entries": reached}
    event: Event = {
        **parent,
        "job": {**parent["job"], "name": name, "facets": {**facets, "lineage": lineage}},
        "inputs": [each for each in parent["inputs"] if _id(each) in inputs],
        "outputs": [
            _output_from(each, inputs) for each in parent["outputs"] if _id(each) in outputs
        ],
    }
    if "run" in parent:
        event["run"] = {
            "runId": run or _run_id(parent, name),
            "facets": {**_run_facets(parent), "parent": _parent_facet(parent)},
        }
    return event


def _run_id(parent: Event, name: str, *again: str) -> str:
    """Derived from the connector's run, with which it begins anew, or by the time it did again."""
    of_parent = UUID(parent["run"]["runId"])
    began = datetime.fromisoformat(again[0]) if again else time_of(of_parent)
    identity = (parent["job"]["namespace"], name, str(of_parent), *again)
    return str(run_id(began, *identity))


def _run_facets(parent: Event) -> dict[str, Any]:
    facets = parent["run"]["facets"]
    return {name: facets[name] for name in ("processing_engine", "errorMessage") if name in facets}


def _parent_facet(parent: Event) -> dict[str, Any]:
    job = parent["job"]
    facet = parent_run.ParentRunFacet(
        run=parent_run.Run(parent["run"]["runId"]),
        job=parent_run.Job(job["namespace"], job["name"]),
        producer=PRODUCER,  # pyright: ignore[reportCallIssue]
    )
    return Serde.to_dict(facet)


def _entry_from(entry: Event, inputs: set[tuple[str, str]]) -> Event:
    """What of an output's lineage comes from these inputs."""
    fields = {
        field: {**one, "inputs": _only(one["inputs"], inputs)}
        for field, one in entry.get("fields", {}).items()
    }
    return {**entry, "inputs": _only(entry.get("inputs", ()), inputs), "fields": fields}


def _output_from(output: Event, inputs: set[tuple[str, str]]) -> Event:
    facet = output["facets"].get("columnLineage")
    if facet is None:
        return output
    fields = {
        field: {**one, "inputFields": _only(one["inputFields"], inputs)}
        for field, one in facet["fields"].items()
    }
    restricted = {**facet, "fields": fields}
    if "dataset" in facet:
        restricted["dataset"] = _only(facet["dataset"], inputs)
    return {**output, "facets": {**output["facets"], "columnLineage": restricted}}


def _only(references: Iterable[Event], inputs: set[tuple[str, str]]) -> list[Event]:
    return [each for each in references if _id(each) in inputs]


def _any_source(fields: dict[str, Event]) -> bool:
    return any(one["inputs"] for one in fields.values())


def _id(dataset: Event) -> tuple[str, str]:
    return dataset["namespace"], dataset["name"]
