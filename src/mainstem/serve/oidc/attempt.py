"""One attempt of one browser to sign in: everything about it follows from one secret.

The secret lies in a cookie of that browser alone, so the server keeps nothing of attempts that are
never finished. State and nonce, which others see, do not tell it; nor does the challenge.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlencode

from msgspec import Struct

if TYPE_CHECKING:
    from mainstem.serve.oidc.settings import OidcSettings

LONGEST_WAY_BACK = 2000
"""Cookies may have 4,096 bytes; who comes from farther begins at the first page."""


class Attempt(Struct, frozen=True):
    """An attempt to sign in, and the part of the page that it began at."""

    secret: str
    to: str = ""

    @property
    def state(self) -> str:
        """What the issuer sends back with a browser: it must be the one that was sent there."""
        return _derived("state", self.secret)

    @property
    def nonce(self) -> str:
        """What the issuer writes into the id token: it must have been made for this attempt."""
        return _derived("nonce", self.secret)

    @property
    def verifier(self) -> str:
        """What redeems the code (PKCE): a code that was stolen is worth nothing without it."""
        return _derived("verifier", self.secret)

    @property
    def challenge(self) -> str:
        """The verifier as the issuer sees it beforehand."""
        return _encoded(hashlib.sha256(self.verifier.encode()).digest())

    @property
    def spelled(self) -> str:
        """The attempt as the value of a cookie."""
        return f"{self.secret}.{quote(self.to, safe='')}"


def new_attempt(to: str) -> Attempt:
    """An attempt that nobody can guess."""
    way_back = to if len(quote(to, safe="")) <= LONGEST_WAY_BACK else ""
    return Attempt(secrets.token_urlsafe(32), way_back)


def read_attempt(cookie: str) -> Attempt:
    """The attempt that a cookie spells."""
    secret, _, to = cookie.partition(".")
    return Attempt(secret, unquote(to))


def authorization_url(endpoint: str, settings: OidcSettings, attempt: Attempt) -> str:
    """Where a browser is sent so that its user signs in at the issuer."""
    words = urlencode(
        {
            "response_type": "code",
            "client_id": settings.client_id,
            "redirect_uri": settings.redirect_uri,
            "scope": settings.scopes,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
    )
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{words}"


def way_back(settings: OidcSettings, to: str) -> str:
    """An address of our own page, whatever was asked for.

    What follows the slash can name no other host.
    """
    return f"{settings.public_url}/{to.lstrip('/')}"


def _derived(what: str, secret: str) -> str:
    return _encoded(hashlib.sha256(f"{what} {secret}".encode()).digest())


def _encoded(digest: bytes) -> str:
    return urlsafe_b64encode(digest).rstrip(b"=").decode()
