from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from mainstem import clock
from mainstem.errors import ConnectUnavailable
from mainstem.outbox import Drainer, Outbox, OutboxItem
from mainstem.recipe.address import parse_address
from mainstem.watch.loop.admin import AdminPages, open_admin_port
from mainstem.watch.loop.metrics import Metrics
from mainstem.watch.loop.reports import LookReport
from outbox.doubles import MemoryDestination

MUST_HAVE = {
    "mainstem_events_emitted_total": {"destination", "result"},
    "mainstem_outbox_events": {"destination"},
    "mainstem_outbox_bytes": set[str](),
    "mainstem_outbox_oldest_age_seconds": {"destination"},
    "mainstem_poll_duration_seconds_count": {"cluster"},
    "mainstem_poll_errors_total": {"cluster", "reason"},
    "mainstem_connectors_skipped_total": {"cluster", "reason"},
    "mainstem_last_success_timestamp_seconds": {"cluster"},
    "mainstem_build_info": {"version"},
}


class Port:
    """An open admin port, and what stands behind it."""

    def __init__(self, box: Outbox) -> None:
        self.metrics = Metrics(box)
        self.lifeless: tuple[str, ...] = ()
        pages = AdminPages(self.metrics, box, lambda: self.lifeless)
        self.server = open_admin_port(("127.0.0.1", 0), pages)

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(self.server.url + path, timeout=10)

    def numbers(self) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
        families = text_string_to_metric_families(self.get("/metrics").text)
        return {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in families
            for sample in family.samples
        }


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Port]:
    box = Outbox.open(tmp_path / "journal.db")
    drainer = Drainer(box, [MemoryDestination("backend")])
    with box.transaction() as connection:
        box.append(connection, [OutboxItem("run", b'{"is":"a"}')])
    drainer.start()
    drainer.drain_until_empty(10)
    port = Port(box)
    port.metrics.count(LookReport("prod", clock.now(), 0.1, skipped={"pattern": 3}))
    port.metrics.count(LookReport("prod", clock.now(), 0.1, ConnectUnavailable("u", "HTTP 500")))
    yield port
    port.server.close()
    drainer.stop()
    box.close()


def test_every_number_that_operators_expect_is_there_with_few_labels(port: Port) -> None:
    found = {name: {label for label, _ in labels} for name, labels in port.numbers()}
    assert {name: found.get(name) for name in MUST_HAVE} == MUST_HAVE
    assert all(name.startswith("mainstem_") for name in found)


def test_numbers_are_those_of_the_looks_and_of_the_outbox(port: Port) -> None:
    numbers = port.numbers()
    delivered = frozenset({("destination", "backend"), ("result", "delivered")})
    assert numbers["mainstem_events_emitted_total", delivered] == 1
    assert numbers["mainstem_outbox_events", frozenset({("destination", "backend")})] == 0
    errors = frozenset({("cluster", "prod"), ("reason", "ConnectUnavailable")})
    assert numbers["mainstem_poll_errors_total", errors] == 1
    skipped = frozenset({("cluster", "prod"), ("reason", "pattern")})
    assert numbers["mainstem_connectors_skipped_total", skipped] == 3


def test_health_and_readiness_say_why_not(port: Port, tmp_path: Path) -> None:
    assert (port.get("/healthz").status_code, port.get("/readyz").status_code) == (200, 200)
    port.lifeless = ("prod",)
    assert port.get("/healthz").status_code == 503
    assert "prod" in port.get("/healthz").text
    for file in tmp_path.glob("journal.db*"):
        file.unlink()
    assert port.get("/readyz").status_code == 503
    assert port.get("/metrics").status_code == 503
    assert port.get("/").status_code == 404


@pytest.mark.parametrize("wrong", ["", "here", "host:", "1:99999", "-1"])
def test_an_address_without_a_port_is_a_mistake(wrong: str) -> None:
    with pytest.raises(ValueError, match="HOST:PORT"):
        parse_address(wrong)


def test_a_port_alone_is_for_this_machine_alone() -> None:
    assert parse_address(9464) == parse_address(":9464") == ("127.0.0.1", 9464)
