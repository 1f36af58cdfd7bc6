"""The recorded exchanges of a real Marquez, replayed in order against an empty store.

Compared are statuses and shapes: every field that Marquez answers is there with the same type, and
the lineage graphs have the same nodes and edges. Where we do better, ``BETTER`` says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "marquez"

BETTER = {
    "005": 400,  # a missing owner is the client's mistake, not ours
    "037": 200,  # tagging a job that has a parent works
    "053": 404,  # the recorded version id is Marquez's own
    "063": 404,  # likewise
    "094": 404,  # the beta search and GraphQL are not part of the API we promise
    "095": 404,
    "096": 404,
    "097": 400,  # bad JSON is 400, not a 500 with a 400 inside
    "099": 400,
    "100": 400,
    "108": 422,
    "110": 422,
    "111": 422,  # an event type BANANA is refused
    "112": 422,  # an empty job name is refused
    "115": 422,
    "117": 400,  # U+0000 is refused with its place
    "123": 400,
}
OTHER_SHAPE = {
    "051": "asked for by its symlink, a dataset answers with its one canonical name",
    "062": "two runs with one outcome are one version; a failed run without outputs another",
    "080": "downstream of a column is answered, Marquez answers an empty graph",
    "086": "events of jobs and datasets are listed too, and have no type",
    "082": "a symlink's two names are one dataset",
    "084": "the same",
    "087": "an event is answered as it was received, without nulls added",
    "142": "errors have one shape",
}


def exchanges() -> list[tuple[str, dict[str, Any]]]:
    return [
        (file.name[:3], json.loads(file.read_text())) for file in sorted(SAMPLES.glob("*.json"))
    ]


def ask(client: TestClient, request: dict[str, Any]) -> Any:
    method, path = request["line"].split(" ", 1)
    body = request.get("rawBody")
    if body is None and request.get("body") is not None:
        body = json.dumps(request["body"])
    headers = {"Content-Type": request.get("contentType", "application/json")}
    content = None if body is None else body.encode()
    return client.request(
        method, path, content=content, headers=headers if content is not None else {}
    )


def missing(ours: Any, theirs: Any, place: str = "$") -> list[str]:
    """What their answer has and ours lacks, or has with another type."""
    if theirs is None or ours is None:
        return []
    if isinstance(theirs, dict):
        if not isinstance(ours, dict) or place.endswith((".args", ".facets")):
            return [] if isinstance(ours, dict) else [f"{place} is no object"]
        lacking = [f"{place}.{name}" for name in theirs if name not in ours]
        shared = [missing(ours[n], theirs[n], f"{place}.{n}") for n in theirs if n in ours]
        return lacking + [one for found in shared for one in found]
    if isinstance(theirs, list):
        if not isinstance(ours, list):
            return [f"{place} is no list"]
        return missing(ours[0], theirs[0], f"{place}[0]") if ours and theirs else []
    kinds = [(isinstance(one, str), isinstance(one, bool)) for one in (ours, theirs)]
    return [] if kinds[0] == kinds[1] else [f"{place}: {theirs!r} became {ours!r}"]


def edges(graph: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (edge["origin"], edge["destination"])
        for node in graph["graph"]
        for edge in (*node["inEdges"], *node["outEdges"])
    }


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded exchanges are not on this machine")
def test_every_recorded_exchange_is_answered_in_the_same_shape(client: TestClient) -> None:
    wrong: list[str] = []
    for number, exchange in exchanges():
        answer = ask(client, exchange["request"])
        theirs = exchange["response"]
        expected = BETTER.get(number, theirs["status"])
        if answer.status_code != expected:
            wrong.append(f"{number}: {expected} became {answer.status_code} {answer.text[:200]}")
        if number in BETTER or number in OTHER_SHAPE or theirs["body"] is None:
            continue
        ours = answer.json()
        wrong += [f"{number}: {one}" for one in missing(ours, theirs["body"])]
        if exchange["request"]["line"].startswith("GET /api/v1/lineage") and "graph" in ours:
            other = edges(ours) ^ edges(theirs["body"])
            wrong += [f"{number}: {edge}" for edge in sorted(other)]
    assert wrong == []


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded exchanges are not on this machine")
def test_there_are_as_many_exchanges_as_were_recorded() -> None:
    assert len(exchanges()) == 156
