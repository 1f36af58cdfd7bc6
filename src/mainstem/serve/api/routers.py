"""Routers whose routes are the application's own.

A router that is included is built a second time when the first request comes, and each request is
matched twice on its way through it. Routes that know their whole path need neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastapi import FastAPI


class Error(BaseModel):
    """What is wrong with a request."""

    code: int
    message: str
    errors: list[str] = []
    """Every mistake, where there are several."""


def router_of(prefix: str, tag: str) -> APIRouter:
    """A router for one kind of thing below a path."""
    told = {"model": Error, "description": "What is wrong, in one shape."}
    return APIRouter(prefix=prefix, tags=[tag], responses={"4XX": told})


def add_routes(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    """Give an application the routes of some routers."""
    for router in routers:
        app.router.routes.extend(router.routes)
