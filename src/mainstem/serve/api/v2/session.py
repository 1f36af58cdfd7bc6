"""Signing in from a page: what opens the door goes into a cookie that scripts cannot read."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from fastapi import Request, Response

import mainstem
from mainstem.errors import EventRefused
from mainstem.serve.api.access import COOKIE, allowed_by, presented
from mainstem.serve.api.parameters import Held, json_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import oidc, shapes
from mainstem.serve.store.tokens import tokens

router = router_of("/api/v2", "session")


@router.get("/session", response_model=shapes.Session)
def get_session(backend: Held, request: Request) -> Response:
    """Whether a token or a sign-in is needed, and what the presented one allows."""
    refused = request.cookies.get(oidc.REFUSAL_COOKIE)
    session = _session(backend, presented(request.scope))
    answer = json_of({**session, "refused": unquote(refused) if refused else None})
    if refused:
        answer.delete_cookie(oidc.REFUSAL_COOKIE)
    return answer


@router.post("/session", response_model=shapes.Session)
def sign_in(backend: Held, request: Request, said: shapes.SignIn) -> Response:
    """Sign in with a token."""
    session = _session(backend, said.token)
    if session["required"] and session["scope"] is None:
        raise EventRefused(401, "this token is not known")
    answer = json_of(session)
    if session["scope"] is not None:
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, said.token, httponly=True, samesite="strict", secure=secure)
    return answer


@router.delete("/session", status_code=204)
async def sign_out(backend: Held, request: Request) -> Response:
    """Sign out."""
    secret = presented(request.scope)
    if backend.sign_in is not None and secret:
        backend.sign_in.sessions.end(secret)
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE)
    return answer


def _session(backend: Held, secret: str | None) -> dict[str, Any]:
    with backend.read() as connection:
        known = [one for one in tokens(connection) if one.revoked is None]
    return {
        "required": bool(known) or backend.always_guarded,
        "scope": allowed_by(secret, backend, known),
        "version": mainstem.__version__,
        "oidc": oidc.offer(backend),
        "refused": None,
    }
