"""Transports that only the official client knows: best effort, and said so."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

import orjson
import pytest
from openlineage.client.serde import Serde
from openlineage.client.transport.transport import Config, Transport
from structlog.testing import capture_logs

from mainstem.outbox import Configuration, StoredEvent, destinations_from_configuration

RUN = {
    "eventTime": "2026-01-02T03:04:05Z",
    "eventType": "START",
    "producer": "https://example.org/producer",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "run": {"runId": "01890a5d-ac96-774b-bcce-b302099a8057", "facets": {"x": {"deep": [1, 2]}}},
    "job": {"namespace": "ns", "name": "orders", "facets": {}},
    "inputs": [
        {
            "namespace": "kafka://b:9092",
            "name": "orders",
            "facets": {"y": {"z": 1}},
            "inputFacets": {},
        }
    ],
    "outputs": [
        {"namespace": "file", "name": "/data/orders", "facets": {}, "outputFacets": {"s": {"n": 1}}}
    ],
}
JOB = {key: value for key, value in RUN.items() if key not in {"run", "eventType"}}
DATASET = {
    "eventTime": RUN["eventTime"],
    "producer": RUN["producer"],
    "dataset": {"namespace": "file", "name": "/data/orders", "facets": {"y": {"z": 1}}},
}


class RememberingTransport(Transport):
    """A transport of the user's own, named in the configuration by its class."""

    kind = "remembering"
    config_class = Config
    emitted: ClassVar[list[Any]] = []

    def __init__(self, config: Config) -> None:
        self.config = config

    def emit(self, event: Any) -> None:
        self.emitted.append(Serde.to_dict(event))


def without_schema(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "schemaURL"}


def test_a_class_of_the_users_own_gets_what_was_stored_and_the_log_says_best_effort() -> None:
    transport: dict[str, object] = {"type": f"{__name__}.RememberingTransport"}
    with capture_logs() as logs:
        [destination] = destinations_from_configuration(Configuration("environment", transport))
    assert "best effort" in logs[0]["event"]
    RememberingTransport.emitted.clear()
    for number, told in enumerate((RUN, JOB, DATASET)):
        body = orjson.dumps(told)
        destination.deliver(StoredEvent(number, "r1", body, datetime(2026, 1, 2, tzinfo=UTC)))
    destination.close()
    emitted = [without_schema(event) for event in RememberingTransport.emitted]
    assert emitted[0] == without_schema(RUN)
    assert emitted[1] == without_schema(JOB)
    assert emitted[2] == DATASET


@pytest.mark.parametrize("kind", ["datadog", "gcplineage", "msk-iam", "transform"])
def test_every_other_transport_of_the_client_is_handed_to_it(kind: str) -> None:
    transport: dict[str, object] = {"type": kind, "password": "s3cr3t"}
    [destination] = destinations_from_configuration(Configuration("environment", transport))
    assert destination.kind == kind
    assert "s3cr3t" not in repr(destination)
