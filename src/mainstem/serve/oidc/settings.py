"""What the operator says of an OpenID Connect issuer, checked before anything is asked."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from collections.abc import Iterable

SCOPES = "openid"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Claim(NamedTuple):
    """A claim of an id token, and the value that it is or holds."""

    name: str
    value: str


class OidcSettings(Struct, frozen=True):
    """Which issuer is believed, as whom we ask it, and what its users may do."""

    issuer: str
    client_id: str
    public_url: str
    """Where browsers find this server, without a slash at its end."""

    scopes: str = SCOPES
    hosts: frozenset[str] = frozenset()
    """Hosts on which the issuer may have endpoints, beside its own."""

    readers: tuple[Claim, ...] = ()
    """Who has one of these may read; without any, whoever the issuer signs in."""

    writers: tuple[Claim, ...] = ()
    """Who has one of these may write too."""

    @property
    def host(self) -> str:
        """The issuer's host, as people know it."""
        return urlsplit(self.issuer).netloc

    @property
    def redirect_uri(self) -> str:
        """Where the issuer sends a browser back to; it must know this address."""
        return f"{self.public_url}/api/v2/session/oidc/callback"

    def lets(self, url: str) -> bool:
        """Whether an endpoint that the issuer names lies where we may go."""
        place = place_of(url)
        known = {place_of(self.issuer), *(place_of(f"https://{host}") for host in self.hosts)}
        return place is not None and place in known


def checked_settings(
    *,
    issuer: str,
    client_id: str | None,
    public_url: str,
    scopes: str = SCOPES,
    hosts: Iterable[str] = (),
    read_claims: Iterable[str] = (),
    write_claims: Iterable[str] = (),
) -> OidcSettings:
    """The settings, or every mistake in them at once."""
    mistakes: list[str] = []
    if place_of(issuer) is None or not _is_bare(issuer):
        allowed = "an address such as https://login.example.com/realms/data; http only on loopback"
        mistakes.append(f"--oidc-issuer {issuer!r} is not {allowed}")
    if not client_id:
        mistakes.append("--oidc-issuer needs --oidc-client-id: as whom this server is known there")
    if not _is_for_browsers(public_url) or not _is_bare(public_url):
        allowed = "the address that browsers use, such as https://lineage.example.com"
        mistakes.append(f"--public-url {public_url!r} is not {allowed}")
    if "openid" not in scopes.split():
        mistakes.append(f"--oidc-scopes {scopes!r} lacks openid, which asks for the id token")
    mistakes += [
        f"--oidc-host {host!r} is not a host such as oauth2.example.com"
        for host in hosts
        if place_of(f"https://{host}") is None or not _is_bare(host) or "/" in host
    ]
    readers = _claims("--oidc-read-claim", read_claims, mistakes)
    writers = _claims("--oidc-write-claim", write_claims, mistakes)
    if mistakes:
        raise BadRecipe("serve", mistakes)
    return OidcSettings(
        issuer=issuer,
        client_id=client_id or "",
        public_url=public_url.rstrip("/"),
        scopes=" ".join(scopes.split()),
        hosts=frozenset(hosts),
        readers=readers,
        writers=writers,
    )


def _claims(flag: str, said: Iterable[str], mistakes: list[str]) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for text in said:
        name, _, value = text.partition("=")
        if name and value:
            claims.append(Claim(name, value))
        else:
            mistakes.append(f"{flag} {text!r} is not CLAIM=VALUE, such as groups=data-platform")
    return tuple(claims)


def place_of(url: str) -> tuple[str, int] | None:
    """Host and port of an address that may be asked; None of any other.

    >>> place_of("https://login.example.com/realms/data"), place_of("http://login.example.com")
    (('login.example.com', 443), None)
    """
    parts = _split(url)
    if parts is None or parts.hostname is None or "@" in parts.netloc:
        return None
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(parts.hostname)):
        return None
    return parts.hostname, parts.port or _DEFAULT_PORTS[parts.scheme]


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _is_for_browsers(url: str) -> bool:
    """Whether a browser can go there; 0.0.0.0 is everywhere and nowhere."""
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return False
    try:
        return not ipaddress.ip_address(parts.hostname).is_unspecified
    except ValueError:
        return True


def _is_bare(url: str) -> bool:
    """Whether an address can be followed by a path: no user, no query, no fragment, no spaces."""
    return not set(url) & set("@?#\\ ") and url.isprintable()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
