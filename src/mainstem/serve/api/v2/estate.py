"""The whole estate in one answer, and what is wrong with it."""

from __future__ import annotations

from fastapi import Response

from mainstem.serve.api.estate import estate_json
from mainstem.serve.api.parameters import Held, JsonBytes
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes

router = router_of("/api/v2", "doctor")


@router.get("/estate", response_model=shapes.Estate)
def get_estate(backend: Held) -> Response:
    """Every dataset and every job, for whoever looks at all of them; large."""
    return JsonBytes(estate_json(backend))


@router.get("/findings", response_model=shapes.Findings)
def get_findings(backend: Held) -> Response:
    """Names that do not align, seams that are broken, runs that never end."""
    epoch, now = backend.rendered.epoch, backend.now()
    return JsonBytes(backend.findings.current(epoch, now, lambda: estate_json(backend)))
