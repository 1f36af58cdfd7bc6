"""Who may ask: where tokens or an issuer guard, everything but the few paths named here."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from mainstem import clock
from mainstem.serve.api.errors import error_response
from mainstem.serve.api.metrics import REQUESTS
from mainstem.serve.store.tokens import Scope, Token, scope_of, tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Send
    from starlette.types import Scope as AsgiScope

    from mainstem.serve.api.backend import Backend

COOKIE = "mainstem_session"
OPEN = frozenset(
    {
        *("/healthz", "/readyz"),
        *("/api/v2/session", "/api/v2/session/oidc", "/api/v2/session/oidc/callback"),
    }
)
_READING = frozenset({"GET", "HEAD"})
_SECONDS_BETWEEN_LOOKS = 1.0


class TokenList:
    """The store's tokens, looked at again every second: another process may revoke one."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._known: list[Token] = []
        self._looked = float("-inf")

    def current(self) -> list[Token]:
        """The tokens that are not revoked."""
        now = clock.monotonic()
        if now - self._looked >= _SECONDS_BETWEEN_LOOKS:
            with self._backend.read() as connection:
                self._known = [one for one in tokens(connection) if one.revoked is None]
            self._looked = now
        return self._known


class AccessControl:
    """Denies by default; counts what is answered."""

    def __init__(self, app: ASGIApp, backend: Backend) -> None:
        self._app = app
        self._backend = backend
        self._tokens = TokenList(backend)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Let one request through, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                REQUESTS.labels(status=f"{message['status'] // 100}xx").inc()
            await send(message)

        known = self._tokens.current()
        guarded = bool(known) or self._backend.always_guarded
        is_open = not guarded or scope["path"] in OPEN
        refusal = None if is_open else refuse(scope, self._backend, known)
        if refusal is not None:
            await error_response(*refusal)(scope, receive, counted)
        else:
            await self._app(scope, receive, counted)


def refuse(scope: AsgiScope, backend: Backend, known: list[Token]) -> tuple[int, str] | None:
    """Why a request may not go on; None where it may."""
    allowed = allowed_by(presented(scope), backend, known)
    if allowed is None:
        return 401, "a token is needed: Authorization: Bearer TOKEN, or sign in"
    if scope["method"] not in _READING and allowed is not Scope.WRITE:
        return 403, "this token or sign-in may only read"
    return None


def allowed_by(secret: str | None, backend: Backend, known: list[Token]) -> Scope | None:
    """What a secret allows, be it a token or that of a session which an issuer's word began."""
    if not secret:
        return None
    allowed = scope_of(secret, known)
    if allowed is None and backend.sign_in is not None:
        return backend.sign_in.sessions.scope_of(secret, backend.now())
    return allowed


def presented(scope: AsgiScope) -> str | None:
    """The secret that a request carries, as a Bearer token or by the page's cookie."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            kind, _, secret = value.decode("latin-1").partition(" ")
            return secret.strip() if kind.lower() == "bearer" else None
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                found = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                return None
            return None if found is None else found.value
    return None
