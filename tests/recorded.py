"""Answers of a real Connect worker, recorded; ``tests/samples/connect`` holds one file each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson

from mainstem.watch.connect.fake_http import Answered

SAMPLES = Path(__file__).parent / "samples" / "connect"


def recorded(name: str) -> dict[str, Any]:
    """The recorded exchange of that name."""
    return json.loads((SAMPLES / f"{name}.json").read_text())


def response(name: str) -> Answered:
    """The recorded answer."""
    exchange = recorded(name)
    body = exchange["body"]
    content = body.encode() if isinstance(body, str) else orjson.dumps(body)
    kind = exchange.get("content_type", "application/json")
    return Answered(exchange["status"], kind, content)
