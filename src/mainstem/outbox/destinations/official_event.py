"""A stored event as the official client's object, for transports that take nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping


def official_event(body: bytes) -> Any:
    """The client's RunEvent, JobEvent or DatasetEvent with the facets as plain mappings."""
    from openlineage.client import event_v2  # noqa: PLC0415 - heavy

    told: dict[str, Any] = orjson.loads(body)
    frame = {"eventTime": told["eventTime"], "producer": told["producer"]}
    if "dataset" in told:
        return event_v2.DatasetEvent(**frame, dataset=event_v2.StaticDataset(**told["dataset"]))
    frame |= {
        "job": event_v2.Job(**told["job"]),
        "inputs": [event_v2.InputDataset(**one) for one in told.get("inputs", [])],
        "outputs": [event_v2.OutputDataset(**one) for one in told.get("outputs", [])],
    }
    if "run" not in told:
        return event_v2.JobEvent(**frame)
    return event_v2.RunEvent(
        **frame, run=event_v2.Run(**told["run"]), eventType=_state(told, event_v2)
    )


def _state(told: Mapping[str, Any], event_v2: Any) -> Any:
    return event_v2.RunState[told["eventType"]] if "eventType" in told else None
