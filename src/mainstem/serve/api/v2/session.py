"""Signing in from a page: the token goes into a cookie that scripts cannot read."""

from __future__ import annotations

from fastapi import Request, Response

import mainstem
from mainstem.errors import EventRefused
from mainstem.serve.api.access import COOKIE, presented
from mainstem.serve.api.parameters import Held, json_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes
from mainstem.serve.store.tokens import scope_of, tokens

router = router_of("/api/v2", "session")


@router.get("/session", response_model=shapes.Session)
def get_session(backend: Held, request: Request) -> Response:
    """Whether a token is needed, and what the presented one allows."""
    return json_of(_session(backend, presented(request.scope)))


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
def sign_out() -> Response:
    """Sign out."""
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE)
    return answer


def _session(backend: Held, secret: str | None) -> dict[str, str | bool | None]:
    with backend.read() as connection:
        known = [one for one in tokens(connection) if one.revoked is None]
    scope = scope_of(secret, known) if secret else None
    required = bool(known) or backend.always_guarded
    return {"required": required, "scope": scope, "version": mainstem.__version__}
