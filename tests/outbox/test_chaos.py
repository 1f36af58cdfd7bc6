"""A backend that does everything wrong at random: what can be delivered is, in order per run."""

from __future__ import annotations

import json
import random

import pytest

from mainstem.outbox import Drainer, Outbox, OutboxItem
from mainstem.outbox.destinations.http import HttpDestination, HttpSettings
from mainstem.outbox.patience import Schedule
from outbox.backend import Reply, Request, running_backend

RUNS = 12
EVENTS = 150
IMPATIENT = Schedule(first=0.002, cap=0.02, longest_wish=0.02)
TROUBLE = (
    Reply(401),
    Reply(429, {"Retry-After": "0"}),
    Reply(429),
    Reply(500),
    Reply(503),
    Reply(deed="hang"),
    Reply(deed="reset"),
    Reply(deed="half"),
)
REFUSALS = (400, 413, 422)
SUCCESSES = (200, 201)


class Moody:
    """Refuses the same events each time; else fails at random, and now and then for long."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.bad = self.random.sample(range(EVENTS), 12)
        self.outage: list[Reply] = []

    def __call__(self, request: Request) -> Reply:
        if self.outage:
            return self.outage.pop()
        dice = self.random.random()
        if dice < 0.02:
            self.outage = [self.random.choice(TROUBLE[:5])] * 10
        if dice < 0.25:
            return self.random.choice(TROUBLE)
        if json.loads(request.body)["n"] in self.bad:
            return Reply(self.random.choice(REFUSALS), body=b"cannot take this")
        return Reply(self.random.choice(SUCCESSES), body=b"thanks")


@pytest.mark.parametrize("seed", [1, 2])
def test_everything_deliverable_arrives_in_order_per_run(box: Outbox, seed: int) -> None:
    bodies = [
        json.dumps({"key": f"run-{number * 7 % RUNS}", "n": number}).encode()
        for number in range(EVENTS)
    ]
    with box.transaction() as connection:
        box.append(connection, [OutboxItem(json.loads(body)["key"], body) for body in bodies])
    with running_backend() as backend:
        moody = Moody(seed)
        backend.behaviour = moody
        settings = HttpSettings(url=f"{backend.url}/api/v1/lineage", timeout=0.1, gzip=seed == 1)
        drainer = Drainer(box, [HttpDestination("http", settings)], schedule=IMPATIENT)
        drainer.start()
        assert drainer.drain_until_empty(60)
        drainer.stop()
        accepted = list(dict.fromkeys(backend.accepted))
    dead = {letter.event_id - 1 for letter in box.dead_letters()}
    assert dead == set(moody.bad)
    for run in range(RUNS):
        wanted = [body for n, body in enumerate(bodies) if n * 7 % RUNS == run and n not in dead]
        assert [body for body in accepted if json.loads(body)["key"] == f"run-{run}"] == wanted
