"""What is thought out about signing in: attempts, ways back, what the operator may say."""

from __future__ import annotations

import hashlib
import inspect
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainstem.cli.serve import CLIENT_SECRET, address_of, refuse_strangers, serve, sign_in_of
from mainstem.errors import BadRecipe
from mainstem.serve.api.backend import Backend
from mainstem.serve.oidc.attempt import (
    LONGEST_WAY_BACK,
    Attempt,
    authorization_url,
    new_attempt,
    read_attempt,
    way_back,
)
from mainstem.serve.oidc.settings import OidcSettings, checked_settings

SAID: dict[str, Any] = {
    "issuer": "https://login.example.com/realms/data",
    "client_id": "mainstem",
    "public_url": "https://lineage.example.com",
}
SETTINGS = OidcSettings(**SAID)
texts = st.text(st.characters(codec="utf-8"))
secrets = st.text(st.sampled_from("abcXYZ019-_"), min_size=1)


@given(secrets, texts)
def test_an_attempt_survives_its_cookie(secret: str, to: str) -> None:
    attempt = Attempt(secret, to)
    assert read_attempt(attempt.spelled) == attempt
    assert attempt.spelled.isascii()
    assert not set(attempt.spelled) & set(' ",;\\')


@given(texts)
def test_a_cookie_stays_small_enough_for_any_browser(to: str) -> None:
    for far in (to, to * 3000):
        attempt = new_attempt(far)
        assert len(attempt.spelled) <= LONGEST_WAY_BACK + 100
        assert attempt.to in (far, "")


@given(secrets)
def test_what_others_see_of_an_attempt_differs_and_tells_no_secret(secret: str) -> None:
    attempt = Attempt(secret * 43)
    seen = {attempt.state, attempt.nonce, attempt.challenge}
    assert len({*seen, attempt.verifier, attempt.secret}) == 5
    digest = hashlib.sha256(attempt.verifier.encode()).digest()
    assert attempt.challenge == urlsafe_b64encode(digest).decode().rstrip("=")
    assert 43 <= len(attempt.verifier) <= 128
    url = authorization_url("https://login.example.com/auth?kept=1", SETTINGS, attempt)
    words = parse_qs(urlsplit(url).query)
    assert words["kept"] == ["1"]
    assert words["code_challenge_method"] == ["S256"]
    assert words["response_type"] == ["code"]
    assert words["redirect_uri"] == ["https://lineage.example.com/api/v2/session/oidc/callback"]
    assert attempt.verifier not in url


def test_no_two_attempts_are_alike() -> None:
    assert len({new_attempt("").secret for _ in range(100)}) == 100


@given(texts, st.sampled_from(["https://a.example", "https://a.example/below"]))
def test_the_way_back_leads_to_us_whatever_was_asked_for(to: str, public: str) -> None:
    settings = OidcSettings(**{**SAID, "public_url": public})
    assert way_back(settings, to).startswith(f"{public}/")
    assert not way_back(settings, to).startswith(f"{public}//")


@pytest.mark.parametrize(
    ("said", "mistake"),
    [
        ({"issuer": "login.example.com"}, "--oidc-issuer 'login.example.com' is not an address"),
        ({"issuer": "http://login.example.com"}, "http only on loopback"),
        ({"issuer": "https://me:pw@login.example.com"}, "--oidc-issuer"),
        ({"issuer": "https://login.example.com?x=1"}, "--oidc-issuer"),
        ({"issuer": "https://login.example.com:port"}, "--oidc-issuer"),
        ({"client_id": None}, "--oidc-issuer needs --oidc-client-id"),
        ({"client_id": ""}, "--oidc-issuer needs --oidc-client-id"),
        ({"public_url": "lineage.example.com"}, "--public-url 'lineage.example.com' is not"),
        ({"public_url": "http://0.0.0.0:5000"}, "--public-url 'http://0.0.0.0:5000' is not"),
        ({"public_url": "http://[::]:5000"}, "--public-url"),
        ({"scopes": "profile"}, "--oidc-scopes 'profile' lacks openid"),
        ({"hosts": ["https://x"]}, "--oidc-host 'https://x' is not a host"),
        ({"write_claims": ["groups"]}, "--oidc-write-claim 'groups' is not CLAIM=VALUE"),
        ({"read_claims": ["=x"]}, "--oidc-read-claim '=x' is not CLAIM=VALUE"),
    ],
)
def test_a_mistake_names_the_flag_and_what_is_allowed(said: dict[str, Any], mistake: str) -> None:
    with pytest.raises(BadRecipe) as caught:
        checked_settings(**{**SAID, **said})
    (told,) = caught.value.mistakes
    assert mistake in told


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(BadRecipe) as caught:
        checked_settings(issuer="x", client_id=None, public_url="y", write_claims=["z"])
    assert len(caught.value.mistakes) == 4


def test_a_value_may_hold_an_equals_sign() -> None:
    settings = checked_settings(**SAID, write_claims=["groups=CN=data,OU=eu"])
    assert settings.writers == (("groups", "CN=data,OU=eu"),)


def test_flags_without_an_issuer_are_told() -> None:
    nothing: dict[str, Any] = {"client_id": None, "hosts": (), "read_claims": ()}
    with pytest.raises(BadRecipe) as caught:
        sign_in_of(None, **{**nothing, "client_id": "x"}, write_claims=("a=b",))
    assert [one.split()[0] for one in caught.value.mistakes] == [
        "--oidc-client-id",
        "--oidc-write-claim",
    ]
    assert sign_in_of(None, **nothing, write_claims=()) is None


def test_every_flag_is_documented() -> None:
    docs = Path(__file__).parents[2] / "docs"
    pages = (docs / "serve.md").read_text() + (docs / "signing-in.md").read_text()
    flags = ["--" + name.replace("_", "-") for name in inspect.signature(serve).parameters]
    assert [flag for flag in flags if f"`{flag}`" not in pages] == []
    assert f"`{CLIENT_SECRET}`" in pages


def test_an_address_for_browsers_is_made_of_either_kind_of_host() -> None:
    assert address_of("127.0.0.1", 5000) == "http://127.0.0.1:5000"
    assert address_of("::1", 5000) == "http://[::1]:5000"


def test_an_issuer_is_enough_to_listen_beyond_loopback(backend: Backend) -> None:
    with pytest.raises(BadRecipe) as caught:
        refuse_strangers(backend, "192.0.2.1", insecure=False)
    for way in ("mainstem token create", "--oidc-issuer", "--insecure"):
        assert way in str(caught.value)
    backend.sign_in = sign_in_of(**SAID)
    refuse_strangers(backend, "192.0.2.1", insecure=False)
    assert backend.always_guarded
