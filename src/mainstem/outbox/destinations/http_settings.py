"""The ``http`` transport of the official client's configuration, read into our settings."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, cast
from urllib.parse import urljoin, urlsplit

from mainstem.outbox.destinations.http import HttpDestination, HttpSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.outbox.section import Section

DEFAULT_ENDPOINT = "api/v1/lineage"
DEFAULT_TIMEOUT_SECONDS = 5.0
COMPRESSIONS = ("gzip",)


def build(name: str, section: Section) -> HttpDestination:
    """A destination from ``{type: http, url: …}``."""
    headers = section.texts("custom_headers")
    auth = section.section("auth")
    url = _url(section)
    secrets = [*headers.values(), urlsplit(url).password or "", *_secrets_of(auth)]
    settings = HttpSettings(
        url=url,
        timeout=section.seconds("timeout", DEFAULT_TIMEOUT_SECONDS),
        gzip=section.choice("compression", COMPRESSIONS) == "gzip",
        headers=headers,
        bearer=_bearer(auth),
        tls=_tls(section),
        secrets=tuple(secret for secret in secrets if secret),
    )
    return HttpDestination(name, settings)


def _url(section: Section) -> str:
    written = section.required_text("url").strip()
    parts = urlsplit(written)
    if written and not (parts.scheme in {"http", "https"} and parts.hostname):
        shown = f"{parts.scheme}://{parts.hostname}" if parts.password else repr(written)
        section.mistakes.append(
            f"{section.place}.url is {shown}; it must be http://HOST:PORT or https://HOST:PORT"
        )
    # urljoin, as the official client does: a path in the url counts only up to its last slash.
    return urljoin(written, section.text("endpoint", default=DEFAULT_ENDPOINT))


def _bearer(auth: Section | None) -> Callable[[], str | None]:
    """What answers the Authorization header, asked before every event."""
    kind = "" if auth is None else auth.text("type")
    if auth is None or not kind:
        return _no_bearer
    if kind == "api_key":
        key = auth.required_text("apiKey", "api_key", secret=True)
        return lambda: f"Bearer {key}"
    return _official_bearer(auth)


def _no_bearer() -> None:
    return None


def _official_bearer(auth: Section) -> Callable[[], str | None]:
    """The official client's own token providers: ``jwt``, ``oauth2``, or a class by its name."""
    from openlineage.client.transport.http import create_token_provider  # noqa: PLC0415 - heavy

    try:
        provider = create_token_provider(cast("dict[str, str]", dict(auth.values)))
    except (KeyError, ValueError, TypeError, ImportError) as error:
        auth.mistakes.append(f"{auth.place}: {error.args[0] if error.args else error}")
        return _no_bearer
    return provider.get_bearer


def _secrets_of(auth: Section | None) -> list[str]:
    names = (("apiKey", "api_key"), ("clientSecret", "client_secret"))
    return [] if auth is None else [auth.text(*spellings, secret=True) for spellings in names]


def _tls(section: Section) -> ssl.SSLContext | bool:
    inner = section.section("sslContext", "ssl_context")
    authority = "" if inner is None else inner.text("caCertPath", "ca_cert_path")
    certificate = "" if inner is None else inner.text("clientCertPath", "client_cert_path")
    key = "" if inner is None else inner.text("clientKeyPath", "client_key_path")
    if key and not certificate:
        section.mistakes.append(
            f"{section.place}.sslContext has clientKeyPath alone; add clientCertPath"
        )
    verify, path = _verification(section, authority)
    if not (path or certificate):
        return verify
    try:
        context = ssl.create_default_context(cafile=path or None)
        if not verify and not path:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if certificate:
            context.load_cert_chain(certificate, key or None)
    except OSError as error:
        files = ", ".join(filter(None, (path, certificate, key)))
        section.mistakes.append(
            f"{section.place}: certificates cannot be read from {files}: {error}"
        )
        return True
    return context


def _verification(section: Section, authority: str) -> tuple[bool, str]:
    """Whether to check the backend's certificate, and against which CA file."""
    if authority:
        return True, authority
    written = section.text("verify", default="true") if _is_path(section) else ""
    return (True, written) if written else (section.flag("verify", default=True), "")


def _is_path(section: Section) -> bool:
    value = section.values.get("verify")
    return isinstance(value, str) and value.strip().lower() not in {"true", "false"}
