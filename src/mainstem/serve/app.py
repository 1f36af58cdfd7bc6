"""The application: routes, errors, names in paths, and who may ask."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

import mainstem
from mainstem.serve.api import health
from mainstem.serve.api.access import AccessControl
from mainstem.serve.api.errors import handle_errors
from mainstem.serve.api.page import Page
from mainstem.serve.api.paths import WholeNames
from mainstem.serve.api.routers import add_routes
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
from mainstem.serve.api.v1.ingesting import Intake
from mainstem.serve.api.v2 import (
    aliases,
    changes,
    columns,
    estate,
    home,
    listing,
    news,
    oidc,
    picture,
    session,
)
from mainstem.serve.api.v2 import lineage as directed_lineage
from mainstem.serve.api.warming import ask_first, warm_up

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.types import ASGIApp

    from mainstem.serve.api.backend import Backend

ROUTERS = (
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
    directed_lineage.router,
    picture.router,
    columns.router,
    aliases.router,
    changes.router,
    home.router,
    listing.router,
    news.router,
    estate.router,
    session.router,
    oidc.router,
    health.router,
)


class Api(FastAPI):
    """The routes; their document speaks of the intake too, which stands before them."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document."""
        document = super().openapi()
        document["paths"][ingesting.ONE_EVENT]["post"] = ingesting.DESCRIBED
        return document


def make_app(backend: Backend, root: str = "") -> ASGIApp:
    """The application over an open backend, also below a root; it closes the backend at its end."""
    api = AccessControl(Intake(WholeNames(make_api(backend)), backend), backend)
    return Page(api, root=root)


def make_api(backend: Backend) -> FastAPI:
    """Every route, and the document that describes them."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        await ask_first(api, backend)
        first = [asyncio.create_task(warm_up(api, backend))]
        if backend.sign_in is not None:
            first.append(asyncio.create_task(backend.sign_in.look()))
        yield
        for task in first:
            task.cancel()
        await asyncio.wait(first)
        backend.close()

    api = Api(
        title="Mainstem",
        version=mainstem.__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    api.state.backend = backend
    add_routes(api, ROUTERS)
    handle_errors(api)
    return api
