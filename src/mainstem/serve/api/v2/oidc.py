"""Signing in by OpenID Connect: a browser is sent to the issuer and taken back.

Both routes redirect a browser and answer no program, so the document of the API is silent of them.
Whatever goes wrong ends on the page, which asks ``/api/v2/session`` and is told the sentence there:
in an address it could be anybody's.
"""

from __future__ import annotations

from typing import Literal, NamedTuple
from urllib.parse import quote

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from mainstem.errors import IssuerUnavailable, SignInRefused
from mainstem.logs import log
from mainstem.serve.api.access import COOKIE
from mainstem.serve.api.backend import Backend
from mainstem.serve.api.parameters import Held
from mainstem.serve.api.routers import router_of
from mainstem.serve.oidc.attempt import read_attempt, way_back
from mainstem.serve.oidc.sessions import SECONDS
from mainstem.serve.oidc.settings import OidcSettings

BEGIN = "/api/v2/session/oidc"
ATTEMPT_COOKIE = "mainstem_signing_in"
REFUSAL_COOKIE = "mainstem_refused"
SECONDS_TO_SIGN_IN = 600
SECONDS_TO_READ_A_REFUSAL = 60
LONGEST_REFUSAL = 500

router = router_of("", "session")


class Kept(NamedTuple):
    """A cookie, and how long a browser keeps it."""

    name: str
    value: str
    seconds: int
    same_site: Literal["lax", "strict"] = "strict"


def offer(backend: Backend) -> dict[str, str] | None:
    """Whom a page can offer to sign in with, and where that begins."""
    if backend.sign_in is None:
        return None
    settings = backend.sign_in.settings
    return {"host": settings.host, "url": f"{settings.public_url}{BEGIN}"}


@router.get(BEGIN, include_in_schema=False)
async def begin(backend: Held, to: str = "") -> Response:
    """Send a browser to the issuer; ``to`` is the part of the page that it comes back to."""
    if backend.sign_in is None:
        raise _nobody_to_ask()
    try:
        url, cookie = await backend.sign_in.begin(to)
    except IssuerUnavailable as silent:
        return _refused(backend.sign_in.settings, silent, to)
    answer = _redirect(url)
    # Lax: the browser comes back from another site.
    _keep(answer, backend.sign_in.settings, Kept(ATTEMPT_COOKIE, cookie, SECONDS_TO_SIGN_IN, "lax"))
    return answer


@router.get(f"{BEGIN}/callback", include_in_schema=False)
async def finish(backend: Held, request: Request) -> Response:
    """Take a browser back from the issuer, into a session of ours or with a sentence why not."""
    if backend.sign_in is None:
        raise _nobody_to_ask()
    cookie = request.cookies.get(ATTEMPT_COOKIE)
    try:
        url, secret = await backend.sign_in.finish(request.query_params, cookie, backend.now())
    except (IssuerUnavailable, SignInRefused) as refusal:
        to = read_attempt(cookie).to if cookie else ""
        answer = _refused(backend.sign_in.settings, refusal, to)
    else:
        answer = _redirect(url)
        _keep(answer, backend.sign_in.settings, Kept(COOKIE, secret, SECONDS))
    answer.delete_cookie(ATTEMPT_COOKIE)
    return answer


def _nobody_to_ask() -> HTTPException:
    return HTTPException(404, "this server has no --oidc-issuer to sign in with")


def _refused(
    settings: OidcSettings, refusal: IssuerUnavailable | SignInRefused, to: str
) -> Response:
    sentence = str(refusal)[:LONGEST_REFUSAL]
    if isinstance(refusal, IssuerUnavailable):
        sentence = f"{settings.host} cannot be asked now; please try again later ({sentence})"
    log.warning("sign-in refused", why=sentence)
    answer = _redirect(way_back(settings, to))
    _keep(answer, settings, Kept(REFUSAL_COOKIE, quote(sentence), SECONDS_TO_READ_A_REFUSAL))
    return answer


def _redirect(url: str) -> Response:
    return RedirectResponse(url, 303, headers={"Cache-Control": "no-store"})


def _keep(answer: Response, settings: OidcSettings, kept: Kept) -> None:
    """Give a browser a cookie that no script reads."""
    answer.set_cookie(
        kept.name,
        kept.value,
        max_age=kept.seconds,
        httponly=True,
        samesite=kept.same_site,
        secure=settings.public_url.startswith("https:"),
    )
