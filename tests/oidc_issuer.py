"""A small OpenID Connect issuer: real HTTP on loopback, real signatures, and faults on demand.

It signs with ``cryptography`` itself, so that joserfc is not asked about its own work. As a program
it prints its address and serves until it is ended, for the tests in a browser.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import httpx2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from mainstem import clock

CLIENT = "mainstem"
Answer = tuple[int, dict[str, str], bytes]


@cache
def key_called(kid: str) -> rsa.RSAPrivateKey:
    """A key; each name is another one."""
    del kid
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def present() -> float:
    return clock.now().timestamp()


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def public_key(kid: str) -> dict[str, str]:
    numbers = key_called(kid).public_key().public_numbers()
    parts = {"n": numbers.n, "e": numbers.e}
    shown = {
        name: encoded(one.to_bytes((one.bit_length() + 7) // 8)) for name, one in parts.items()
    }
    return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid, **shown}


def signed(claims: Any, kid: str, header: dict[str, Any] | None = None) -> str:
    head = {"alg": "RS256", "kid": kid, "typ": "JWT", **(header or {})}
    text = ".".join(encoded(json.dumps(part).encode()) for part in (head, claims))
    signature = key_called(kid).sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{text}.{encoded(signature)}"


class SmallIssuer:
    """An issuer with one user, ada; what a test changes in it goes wrong from then on."""

    def __init__(
        self, now: Callable[[], float] = present, client_secret: str | None = None
    ) -> None:
        self._now = now
        self._codes: dict[str, dict[str, str]] = {}
        self.client_secret = client_secret
        self.claims: dict[str, Any] = {"groups": ["staff"]}
        """What the id token says beside or in place of the usual; None leaves a claim out."""

        self.signing_kid = "first"
        self.shown_kids = ["first"]
        self.header: dict[str, Any] = {}
        self.discovery: dict[str, Any] = {}
        self.answers: dict[str, Answer] = {}
        """Answers in place of the true ones, by path."""

        self.delays: dict[str, float] = {}
        self.asked: list[str] = []
        self.forms: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def wait(self) -> None:
        self._thread.join()

    def answer(self, path: str, query: dict[str, str], form: dict[str, str], basic: str) -> Answer:
        self.asked.append(path)
        time.sleep(self.delays.get(path, 0))
        if path in self.answers:
            return self.answers[path]
        match path:
            case "/.well-known/openid-configuration":
                return as_json(200, self._discovery())
            case "/keys":
                return as_json(200, {"keys": [public_key(kid) for kid in self.shown_kids]})
            case "/authorize":
                return self._authorize(query)
            case "/token":
                self.forms.append(form)
                return self._redeem(form, basic)
            case _:
                return as_json(404, {})

    def _discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            **self.discovery,
        }

    def _authorize(self, query: dict[str, str]) -> Answer:
        code = secrets.token_urlsafe(8)
        self._codes[code] = query
        back, state = query["redirect_uri"], {"state": query["state"], "iss": self.url}
        links = {
            "Continue as ada": f"{back}?{urlencode({'code': code, **state})}",
            "Cancel": f"{back}?{urlencode({'error': 'access_denied', **state})}",
        }
        shown = " ".join(f'<a href="{html.escape(to)}">{word}</a>' for word, to in links.items())
        return 200, {"Content-Type": "text/html"}, f"<!doctype html>{shown}".encode()

    def _redeem(self, form: dict[str, str], basic: str) -> Answer:
        asked = self._codes.pop(form.get("code", ""), None)
        name, _, secret = basic.partition(":")
        given = unquote(secret) if basic else form.get("client_secret")
        if given != self.client_secret or (unquote(name) or form.get("client_id")) != CLIENT:
            return as_json(401, {"error": "invalid_client", "error_description": str(given)})
        challenge = encoded(hashlib.sha256(form["code_verifier"].encode()).digest())
        if (
            asked is None
            or asked["redirect_uri"] != form["redirect_uri"]
            or (asked["code_challenge_method"], asked["code_challenge"]) != ("S256", challenge)
        ):
            return as_json(400, {"error": "invalid_grant"})
        now = int(self._now())
        usual = {"iss": self.url, "sub": "ada", "aud": CLIENT, "iat": now, "exp": now + 300}
        claims = {**usual, "nonce": asked["nonce"], **self.claims}
        told = {name: value for name, value in claims.items() if value is not None}
        id_token = signed(told, self.signing_kid, self.header)
        return as_json(
            200, {"access_token": "unused", "token_type": "Bearer", "id_token": id_token}
        )


def as_json(status: int, value: Any) -> Answer:
    return status, {"Content-Type": "application/json"}, json.dumps(value).encode()


@cache
def browser() -> httpx2.Client:
    """One for all tests: each new one reads the system's certificates."""
    return httpx2.Client()


def chosen(authorization_url: str, word: str = "Continue as ada") -> str:
    """Where a user is sent who clicks on a word of the issuer's page."""
    shown = browser().get(authorization_url).text
    (link,) = re.findall(rf'<a href="([^"]*)">{word}</a>', shown)
    return html.unescape(link)


def _handler(issuer: SmallIssuer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(dict(parse_qsl(body.decode())))

        def _answer(self, form: dict[str, str]) -> None:
            parts = urlsplit(self.path)
            kind, _, said = self.headers.get("Authorization", "").partition(" ")
            basic = base64.b64decode(said).decode() if kind == "Basic" else ""
            query = dict(parse_qsl(parts.query))
            status, headers, body = issuer.answer(parts.path, query, form, basic)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except ConnectionError:
                self.close_connection = True  # whoever asked has read enough

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Silence."""

    return Handler


if __name__ == "__main__":
    with SmallIssuer() as running:
        running.claims = {"groups": sys.argv[1:]}
        sys.stdout.write(f"{running.url}\n")
        sys.stdout.flush()
        running.wait()
