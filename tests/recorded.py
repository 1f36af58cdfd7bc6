"""Answers of a real Connect worker, recorded; ``tests/samples/connect`` holds one file each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import orjson

SAMPLES = Path(__file__).parent / "samples" / "connect"


def recorded(name: str) -> dict[str, Any]:
    """The recorded exchange of that name."""
    return json.loads((SAMPLES / f"{name}.json").read_text())


def response(name: str) -> httpx2.Response:
    """The recorded answer as an HTTP response."""
    exchange = recorded(name)
    body = exchange["body"]
    content = body.encode() if isinstance(body, str) else orjson.dumps(body)
    kind = exchange.get("content_type", "application/json")
    return httpx2.Response(exchange["status"], content=content, headers={"content-type": kind})


def answering(answer: Callable[[httpx2.Request], httpx2.Response]) -> httpx2.MockTransport:
    """A transport that answers by a function, at the outermost edge of the client."""
    return httpx2.MockTransport(answer)
