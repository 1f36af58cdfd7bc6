"""The application: routes, errors, names in paths, and who may ask."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI

import mainstem
from mainstem.serve.api import health
from mainstem.serve.api.access import AccessControl
from mainstem.serve.api.errors import handle_errors
from mainstem.serve.api.page import Page
from mainstem.serve.api.paths import WholeNames
from mainstem.serve.api.v1 import (
    column_lineage,
    datasets,
    events,
    ingesting,
    jobs,
    lineage,
    namespaces,
    runs,
    search,
    stats,
    tags,
)
from mainstem.serve.api.v2 import aliases, changes, columns, home, listing, session
from mainstem.serve.api.v2 import lineage as directed_lineage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from mainstem.serve.api.backend import Backend

V1 = (
    ingesting.router,
    lineage.router,
    column_lineage.router,
    runs.router,
    jobs.router,
    datasets.router,
    namespaces.router,
    tags.router,
    search.router,
    events.router,
    stats.router,
)
V2 = (
    directed_lineage.router,
    columns.router,
    aliases.router,
    changes.router,
    home.router,
    listing.router,
    session.router,
)


def make_app(backend: Backend) -> FastAPI:
    """The application over an open backend; it closes the backend when it stops."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        backend.close()

    app = FastAPI(
        title="Mainstem",
        version=mainstem.__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.backend = backend
    for router in V1:
        app.include_router(router, prefix="/api/v1")
    for router in V2:
        app.include_router(router, prefix="/api/v2")
    app.include_router(health.router)
    handle_errors(app)
    app.add_middleware(AccessControl, backend=backend)
    app.add_middleware(WholeNames)
    app.add_middleware(Page)
    return app
