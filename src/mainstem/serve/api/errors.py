"""One error shape for everything: ``{"code": 404, "message": "…"}``, with ``errors`` where many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from mainstem.errors import BadNodeId, EventRefused, NotFound, StoreUnavailable
from mainstem.serve.api.metrics import EVENTS_REFUSED
from mainstem.serve.api.parameters import json_of

if TYPE_CHECKING:
    from fastapi import FastAPI, Request, Response


def error_response(code: int, message: str, mistakes: tuple[str, ...] = ()) -> Response:
    """An error in the one shape."""
    body: dict[str, Any] = {"code": code, "message": message}
    if mistakes:
        body["errors"] = list(mistakes)
    return json_of(body, code)


def answer_to(error: BaseException) -> Response:
    """The answer that an error is."""
    match error:
        case EventRefused():
            EVENTS_REFUSED.labels(code=str(error.code)).inc()
            return error_response(error.code, str(error), error.mistakes)
        case NotFound() | BadNodeId():
            return error_response(404, str(error))
        case StoreUnavailable():
            return error_response(503, str(error))
        case _:
            message = f"the server made a mistake ({type(error).__name__}); it is logged"
            return error_response(500, message)


async def _answer(_: Request, error: Exception) -> Response:
    return answer_to(error)


async def _http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class alone
    response = error_response(error.status_code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class alone
    mistakes = tuple(_mistake(one) for one in error.errors())
    return error_response(400, "; ".join(mistakes), mistakes)


def _mistake(error: dict[str, Any]) -> str:
    kind, *place = error["loc"]
    name = ".".join(map(str, place)) or kind
    where = f"query param {name}" if kind == "query" else name
    if error["type"] == "missing":
        return f"{where} must not be null"
    return f"{where}: {error['msg']}"


def handle_errors(app: FastAPI) -> None:
    """Give every error of an application the one shape."""
    for kind in (EventRefused, NotFound, BadNodeId, StoreUnavailable, Exception):
        app.add_exception_handler(kind, _answer)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
