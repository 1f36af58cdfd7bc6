"""What we ask an issuer: where its endpoints are, its keys, and an id token for a code.

Only the hosts that the operator named are asked; no redirect is followed, no answer is read beyond
its limit, and no question takes longer than its time, however slowly the answer drips.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlsplit

import httpx2
import orjson
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, KeySet
from msgspec import Struct

from mainstem import __version__, clock
from mainstem.errors import IssuerUnavailable, SignInRefused
from mainstem.said.json_values import Json, as_object, as_objects, as_text, as_texts
from mainstem.serve.oidc.settings import place_of

if TYPE_CHECKING:
    import ssl
    from collections.abc import Generator

    from joserfc.jwk import Key

    from mainstem.serve.oidc.settings import OidcSettings

DISCOVERY = "/.well-known/openid-configuration"
MOST_BYTES = 1024 * 1024
MOST_AT_ONCE = 16
SECONDS_TO_ANSWER = 10.0
SECONDS_BELIEVED = 3600.0
"""How long endpoints and keys are taken for current; a key that is not among them asks anew."""

_PUBLIC_KEYS = ("RSA", "EC", "OKP")
_HEADERS = {
    "Accept": "application/json",
    # What is packed can be larger than its limit before anyone counts it.
    "Accept-Encoding": "identity",
    "User-Agent": f"mainstem/{__version__}",
}


class Endpoints(Struct, frozen=True):
    """Where the issuer signs people in, redeems codes and shows its keys."""

    authorization: str
    token: str
    keys: str
    takes_secret_in_body: bool
    """Whether it wants the client's secret there, and not as basic authentication."""


class Issuer:
    """One issuer; what it said is remembered for an hour."""

    def __init__(
        self,
        settings: OidcSettings,
        client_secret: str | None = None,
        seconds_to_answer: float = SECONDS_TO_ANSWER,
    ) -> None:
        self._settings = settings
        self._client_secret = client_secret
        self._seconds_to_answer = seconds_to_answer
        self._asking = 0
        self._endpoints: Endpoints | None = None
        self._keys: KeySet | None = None
        self._learned = float("-inf")

    async def endpoints(self) -> Endpoints:
        """Its endpoints, as its discovery document names them."""
        if clock.monotonic() - self._learned > SECONDS_BELIEVED:
            self._endpoints = self._keys = None
        if self._endpoints is None:
            url = self._settings.issuer.rstrip("/") + DISCOVERY
            status, said = await self._ask("GET", url)
            if status != HTTPStatus.OK:
                raise IssuerUnavailable(url, f"HTTP {status}")
            self._endpoints = self._read_endpoints(url, said)
            self._learned = clock.monotonic()
        return self._endpoints

    async def keys(self, *, anew: bool = False) -> KeySet:
        """The keys that it signs with."""
        url = (await self.endpoints()).keys
        if self._keys is None or anew:
            status, said = await self._ask("GET", url)
            if status != HTTPStatus.OK:
                raise IssuerUnavailable(url, f"HTTP {status}")
            self._keys = _read_keys(url, said)
        return self._keys

    async def redeem(self, code: str, verifier: str) -> str:
        """The id token that a code stands for."""
        endpoints = await self.endpoints()
        known = self._settings
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": known.redirect_uri,
            "client_id": known.client_id,
            "code_verifier": verifier,
        }
        basic: httpx2.BasicAuth | None = None
        if self._client_secret is not None and endpoints.takes_secret_in_body:
            form["client_secret"] = self._client_secret
        elif self._client_secret is not None:
            # Both are escaped before they are joined (RFC 6749, 2.3.1).
            basic = httpx2.BasicAuth(
                quote(known.client_id, safe=""), quote(self._client_secret, safe="")
            )
        status, said = await self._ask("POST", endpoints.token, form, basic)
        id_token = as_text(said.get("id_token"))
        if status == HTTPStatus.OK and id_token:
            return id_token
        if status == HTTPStatus.OK:
            raise SignInRefused(f"{known.host} gave no id token; is openid among its scopes?")
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise IssuerUnavailable(endpoints.token, f"HTTP {status}")
        raise SignInRefused(f"{known.host} did not redeem the code: {error_word(said, status)}")

    def _read_endpoints(self, url: str, said: Json) -> Endpoints:
        issuer = as_text(said.get("issuer"))
        if issuer != self._settings.issuer:
            raise IssuerUnavailable(
                url, f"calls itself {issuer!r}; --oidc-issuer must be that to the letter"
            )
        found: dict[str, str] = {}
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            endpoint = as_text(said.get(name)) or ""
            if place_of(endpoint) is None:
                raise IssuerUnavailable(url, f"its {name} {endpoint!r} is no https address")
            if not self._settings.lets(endpoint):
                host = urlsplit(endpoint).netloc
                raise IssuerUnavailable(
                    url,
                    f"its {name} {endpoint!r} is not on {self._settings.host}; "
                    f"if that is right, say --oidc-host {host}",
                )
            found[name] = endpoint
        methods = as_texts(said.get("token_endpoint_auth_methods_supported"))
        return Endpoints(
            authorization=found["authorization_endpoint"],
            token=found["token_endpoint"],
            keys=found["jwks_uri"],
            takes_secret_in_body=(
                "client_secret_basic" not in methods and "client_secret_post" in methods
            ),
        )

    async def _ask(
        self,
        method: str,
        url: str,
        form: dict[str, str] | None = None,
        basic: httpx2.BasicAuth | None = None,
    ) -> tuple[int, Json]:
        """The status and the JSON object of an answer."""
        with self._one_of_few(url):
            try:
                async with (
                    asyncio.timeout(self._seconds_to_answer),
                    httpx2.AsyncClient(
                        verify=_tls(), headers=_HEADERS, auth=basic, timeout=None
                    ) as http,
                    http.stream(method, url, data=form, follow_redirects=False) as response,
                ):
                    body = await _read(url, response)
            except TimeoutError as error:
                seconds = self._seconds_to_answer
                raise IssuerUnavailable(url, f"no answer within {seconds:g} s") from error
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise IssuerUnavailable(
                    url, f"cannot be reached ({type(error).__name__})"
                ) from error
        if response.is_redirect:
            raise IssuerUnavailable(url, f"HTTP {response.status_code}: redirects are not followed")
        try:
            return response.status_code, as_object(orjson.loads(body))
        except orjson.JSONDecodeError as error:
            raise IssuerUnavailable(url, f"HTTP {response.status_code}, but not JSON") from error

    @contextmanager
    def _one_of_few(self, url: str) -> Generator[None]:
        """Whoever asks us to ask can do so as often as they like; the issuer is spared."""
        if self._asking >= MOST_AT_ONCE:
            raise IssuerUnavailable(url, "too many sign in at once")
        self._asking += 1
        try:
            yield
        finally:
            self._asking -= 1


@cache
def _tls() -> ssl.SSLContext:
    """Whom the system believes; reading that takes a while."""
    return httpx2.create_ssl_context()


async def _read(url: str, response: httpx2.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MOST_BYTES:
            raise IssuerUnavailable(url, f"the answer is larger than {MOST_BYTES} bytes")
    return bytes(body)


def _read_keys(url: str, said: Json) -> KeySet:
    """The public keys for signatures; a kind that is new to us does not spoil the others."""
    keys: list[Key] = []
    for one in as_objects(said.get("keys")):
        if one.get("kty") not in _PUBLIC_KEYS or one.get("use") == "enc":
            continue
        try:
            keys.append(JWKRegistry.import_key(cast("Any", one)))
        except (JoseError, ValueError, TypeError, LookupError):
            continue
    if not keys:
        raise IssuerUnavailable(url, "shows no key that signatures could be checked with")
    return KeySet(keys)


def error_word(said: Json, status: int) -> str:
    """The error that an issuer names, if it is a word of the standard's kind."""
    word = as_text(said.get("error")) or ""
    return word if is_error_word(word) else f"HTTP {status}"


def is_error_word(word: str) -> bool:
    """Whether a text may be shown as an OAuth error: a short word that says no more than that."""
    return 0 < len(word) <= 60 and word.replace("_", "").isascii() and word.isidentifier()  # noqa: PLR2004
