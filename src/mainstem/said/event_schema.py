"""What an OpenLineage event must look like to be taken, as JSON Schema.

Told in our own words from the specification (core 2-0-2), and a little more patient than it, as
Marquez is: ``schemaURL`` may be missing, facets need not name their producer, unknown facets and
properties are kept. A little stricter in one point: a name is never empty.
"""

from __future__ import annotations

from typing import Any

LONGEST_NAME = 10_000

_NAME: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_FACETS: dict[str, Any] = {
    "type": ["object", "null"],
    "additionalProperties": {"type": ["object", "null"]},
}
_URI: dict[str, Any] = {"type": "string", "pattern": r"^[^\s]*$"}
_DATASET: dict[str, Any] = {
    "type": "object",
    "required": ["namespace", "name"],
    "properties": {
        "namespace": _NAME,
        "name": _NAME,
        "facets": _FACETS,
        "inputFacets": _FACETS,
        "outputFacets": _FACETS,
    },
}
_JOB: dict[str, Any] = {
    "type": "object",
    "required": ["namespace", "name"],
    "properties": {"namespace": _NAME, "name": _NAME, "facets": _FACETS},
}
_RUN: dict[str, Any] = {
    "type": "object",
    "required": ["runId"],
    "properties": {"runId": _NAME, "facets": _FACETS},
}
_TYPES = ["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER", None]


def _event(required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    shared = {"eventTime": {"type": "string"}, "producer": _URI, "schemaURL": _URI}
    return {
        "type": "object",
        "required": [*required, "eventTime", "producer"],
        "properties": {**shared, **properties},
    }


_SIDES: dict[str, Any] = {
    side: {"type": ["array", "null"], "items": _DATASET} for side in ("inputs", "outputs")
}

RUN_EVENT = _event(
    ["run", "job"], {"run": _RUN, "job": _JOB, "eventType": {"enum": _TYPES}, **_SIDES}
)
JOB_EVENT = _event(["job"], {"job": _JOB, **_SIDES})
DATASET_EVENT = _event(["dataset"], {"dataset": _DATASET})
