"""The fake cluster is held to what a real worker says, step by step."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mainstem.lab.services.connect import ConnectWorker
from mainstem.watch.connect.fake import FakeConnect
from watch.live import Buttons

pytestmark = pytest.mark.lab

NAME = "fake and true"


def shape(entry: dict[str, Any]) -> dict[str, Any]:
    """What must agree: every field, with the values that do not depend on the machine."""
    status = entry["status"]
    return {
        "config": entry["info"]["config"],
        "tasks of info": entry["info"]["tasks"],
        "type": (entry["info"]["type"], status["type"]),
        "keys": (sorted(entry), sorted(entry["info"]), sorted(status)),
        "connector": (status["connector"]["state"], sorted(status["connector"])),
        "tasks": [(task["id"], task["state"], sorted(task)) for task in status["tasks"]],
    }


def settled(look: Callable[[], dict[str, Any]], expected: dict[str, Any]) -> dict[str, Any]:
    """The first look that agrees, or the last one there is time for."""
    deadline = time.monotonic() + 30
    found = look()
    while found != expected and time.monotonic() < deadline:
        time.sleep(0.2)
        found = look()
    return found


def test_each_step_looks_the_same(connect: ConnectWorker, tmp_path: Path) -> None:
    config = {
        "connector.class": "FileStreamSink", "topics": "fake-lines",
        "file": str(tmp_path / "out.txt"), "tasks.max": "1",
    }  # fmt: skip
    fake, buttons = FakeConnect(), Buttons(connect.url)
    path = "/connectors?expand=info&expand=status"

    def true_shape() -> dict[str, Any]:
        entry = httpx2.get(connect.url + path).json().get(NAME)
        return {} if entry is None else shape(entry)  # not there yet

    def fake_shape() -> dict[str, Any]:
        return shape(json.loads(fake.answer(path)[2])[NAME])

    fake.create(NAME, config)
    buttons.put(NAME, config)
    assert settled(true_shape, fake_shape()) == fake_shape()
    for button, change in (
        ("pause", fake.pause), ("resume", fake.resume), ("stop", fake.stop), ("resume", fake.resume)
    ):  # fmt: skip
        buttons.press(NAME, button)
        change(NAME)
        assert settled(true_shape, fake_shape()) == fake_shape(), button
    broken = {**config, "file": str(tmp_path / "no directory" / "out.txt")}
    buttons.put(NAME, broken)
    fake.connectors[NAME].config = {**broken, "name": NAME}
    fake.fail_task(NAME, 0, "trace")
    assert settled(true_shape, fake_shape()) == fake_shape()
    buttons.press(NAME, "pause")
    fake.pause(NAME)
    assert settled(true_shape, fake_shape()) == fake_shape()
    buttons.delete(NAME)
    fake.delete(NAME)

    def true_answer(target: str) -> tuple[int, str, bytes]:
        answer = httpx2.get(connect.url + target)
        return answer.status_code, answer.headers["content-type"], answer.content

    for answer in (true_answer, fake.answer):
        status, _, topics = answer("/connectors/never%20was/topics")
        assert (status, json.loads(topics)) == (200, {"never was": {"topics": []}})
        for part in ("status", "config"):
            assert answer(f"/connectors/never%20was/{part}")[:2] == (404, "application/json")
        assert set(json.loads(answer("/")[2])) == {"version", "commit", "kafka_cluster_id"}
    buttons.close()
