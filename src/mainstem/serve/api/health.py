"""/healthz, /readyz and /metrics."""

from __future__ import annotations

from fastapi import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from mainstem.serve.api.metrics import REGISTRY
from mainstem.serve.api.parameters import Held, json_of
from mainstem.serve.api.routers import router_of
from mainstem.sql.migration import applied

router = router_of("", "operations")


@router.head("/healthz", include_in_schema=False)  # load balancers ask so
@router.get("/healthz")
async def healthz() -> Response:
    """The process lives."""
    return json_of({"status": "ok"})


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz")
def readyz(backend: Held) -> Response:
    """The store answers and is migrated."""
    with backend.read() as connection:
        return json_of({"status": "ok", "migration": applied(connection)})


@router.get("/metrics")
def metrics() -> Response:
    """Prometheus metrics."""
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)
