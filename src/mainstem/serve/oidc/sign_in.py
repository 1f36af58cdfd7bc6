"""Signing in by OpenID Connect: the authorization code flow with PKCE, from begin to session."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, NamedTuple

from mainstem.errors import IssuerUnavailable, SigningKeyUnknown, SignInRefused
from mainstem.logs import log
from mainstem.said.times import SECOND
from mainstem.serve.oidc.attempt import authorization_url, new_attempt, read_attempt, way_back
from mainstem.serve.oidc.id_token import believed_claims, scope_of_claims
from mainstem.serve.oidc.issuer import Issuer, is_error_word
from mainstem.serve.oidc.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mainstem.serve.oidc.attempt import Attempt
    from mainstem.serve.oidc.settings import OidcSettings


class Begun(NamedTuple):
    """Where a browser goes, and what it keeps until it comes back."""

    url: str
    cookie: str


class Entered(NamedTuple):
    """Where a browser goes on, and the secret of its session."""

    url: str
    secret: str


class SignIn:
    """Lets those in for whom an issuer vouches."""

    def __init__(self, settings: OidcSettings, issuer: Issuer) -> None:
        self.settings = settings
        self.sessions = Sessions()
        self._issuer = issuer

    async def look(self) -> None:
        """Ask the issuer once and say if it cannot be used: it is asked again when needed."""
        try:
            await self._issuer.endpoints()
        except IssuerUnavailable as silent:
            log.warning(
                "nobody can sign in by OpenID Connect yet; the issuer is asked again when needed",
                why=str(silent),
            )

    async def begin(self, to: str) -> Begun:
        """Send a browser to the issuer."""
        attempt = new_attempt(to)
        endpoint = (await self._issuer.endpoints()).authorization
        return Begun(authorization_url(endpoint, self.settings, attempt), attempt.spelled)

    async def finish(self, answer: Mapping[str, str], cookie: str | None, now: int) -> Entered:
        """Let a browser in that came back with the issuer's word."""
        attempt = self._attempt_of(answer, cookie)
        id_token = await self._issuer.redeem(answer["code"], attempt.verifier)
        claims = await self._believed(id_token, attempt, now)
        scope = scope_of_claims(claims, self.settings)
        if scope is None:
            wanted = " or ".join(f"{one.name}={one.value}" for one in self.settings.readers)
            raise SignInRefused(
                f"you are known to {self.settings.host}, but only those with {wanted} may read here"
            )
        return Entered(way_back(self.settings, attempt.to), self.sessions.open(scope, now))

    def _attempt_of(self, answer: Mapping[str, str], cookie: str | None) -> Attempt:
        """The attempt that an answer belongs to; nothing else of the answer counts before that."""
        if not cookie:
            raise SignInRefused("this sign-in was not begun in this browser, or took too long")
        attempt = read_attempt(cookie)
        if not hmac.compare_digest(attempt.state.encode(), answer.get("state", "").encode()):
            raise SignInRefused("this answer belongs to another sign-in (state); please try again")
        host, said = self.settings.host, answer.get("iss", self.settings.issuer)
        if said != self.settings.issuer:
            raise SignInRefused(f"the answer is of another issuer than {self.settings.issuer}")
        error = answer.get("error")
        if error == "access_denied":
            raise SignInRefused(f"the sign-in was refused at {host} (access_denied)")
        if error is not None:
            word = error if is_error_word(error) else "an error"
            raise SignInRefused(f"{host} answered {word}")
        if not answer.get("code"):
            raise SignInRefused(f"{host} answered without a code")
        return attempt

    async def _believed(self, id_token: str, attempt: Attempt, now: int) -> dict[str, Any]:
        asked = (self.settings, attempt.nonce, now // SECOND)
        try:
            return believed_claims(id_token, await self._issuer.keys(), *asked)
        except SigningKeyUnknown:
            return believed_claims(id_token, await self._issuer.keys(anew=True), *asked)
