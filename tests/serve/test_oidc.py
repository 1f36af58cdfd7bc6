"""Signing in by OpenID Connect, against an issuer that speaks HTTP and signs with real keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

import orjson
import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from mainstem.cli.serve import refuse_strangers
from mainstem.serve.api.backend import Backend
from mainstem.serve.oidc import sessions
from mainstem.serve.oidc.issuer import MOST_AT_ONCE, MOST_BYTES, Issuer
from mainstem.serve.oidc.settings import checked_settings
from mainstem.serve.oidc.sign_in import SignIn
from mainstem.serve.store.tokens import Scope, create_token
from oidc_issuer import CLIENT, SmallIssuer, as_json, chosen, public_key
from serve_fixtures import NOON, client_of, open_backend, run_event, sqlite_url

PUBLIC = "http://testserver"
BEGIN = "/api/v2/session/oidc"
SECRET = "hush-3141/592+65"
DISCOVERY = "/.well-known/openid-configuration"


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    """One store for all: what is tested here is not in it."""
    backend = open_backend(sqlite_url(tmp_path_factory.mktemp("oidc")))
    yield backend
    backend.close()


@pytest.fixture
def issuer() -> Iterator[SmallIssuer]:
    with SmallIssuer(NOON.timestamp) as issuer:
        yield issuer


@pytest.fixture(autouse=True)
def logs() -> Iterator[list[Any]]:
    with capture_logs() as logs:
        yield logs


@pytest.fixture
def client(backend: Backend, issuer: SmallIssuer) -> TestClient:
    return served(backend, issuer)


def served(
    backend: Backend, issuer: SmallIssuer, *, seconds_to_answer: float = 10, **said: Any
) -> TestClient:
    """A browser before a server that believes the issuer."""
    settings = checked_settings(
        **{"issuer": issuer.url, "client_id": CLIENT, "public_url": PUBLIC, **said}
    )
    backend.sign_in = SignIn(settings, Issuer(settings, issuer.client_secret, seconds_to_answer))
    refuse_strangers(backend, "127.0.0.1", insecure=False)
    client = client_of(backend)
    client.follow_redirects = False
    return client


def begin(client: TestClient, to: str = "") -> str:
    """Where the issuer is asked to sign somebody in."""
    answer = client.get(BEGIN, params={"to": to})
    assert answer.status_code == 303
    return answer.headers["location"]


def sign_in(client: TestClient, to: str = "") -> str:
    """The whole way; answers where the browser ends."""
    answer = client.get(chosen(begin(client, to)))
    assert answer.status_code == 303
    assert answer.headers["cache-control"] == "no-store"
    return answer.headers["location"]


def refusal(client: TestClient) -> str:
    """The sentence on the page after a sign-in that failed."""
    assert client.get("/api/v1/jobs").status_code == 401
    session = client.get("/api/v2/session").json()
    assert session["scope"] is None
    assert client.get("/api/v2/session").json()["refused"] is None, "it is told once"
    return session["refused"]


def test_whoever_the_issuer_signs_in_may_read_and_leaves_again(client: TestClient) -> None:
    offered = client.get("/api/v2/session").json()
    assert (offered["required"], offered["scope"]) == (True, None)
    assert offered["oidc"]["url"] == PUBLIC + BEGIN
    assert client.get("/api/v1/jobs").status_code == 401
    assert sign_in(client, "lineage?node=job:a:b") == f"{PUBLIC}/lineage?node=job:a:b"
    assert client.get("/api/v1/jobs").status_code == 200
    assert client.get("/api/v2/session").json()["scope"] == "read"
    assert client.post("/api/v1/lineage", json=run_event()).status_code == 403
    kept = client.cookies["mainstem_session"]
    assert client.delete("/api/v2/session").status_code == 204
    assert client.get("/api/v1/jobs").status_code == 401
    # The session itself has ended, not only the browser's memory of it.
    client.cookies.set("mainstem_session", kept)
    assert client.get("/api/v1/jobs").status_code == 401


@pytest.mark.parametrize(
    ("claims", "flags", "scope"),
    [
        ({"groups": ["staff", "data"]}, {"write_claims": ["groups=data"]}, "write"),
        ({"groups": ["staff"]}, {"write_claims": ["groups=data"]}, "read"),
        ({"groups": "data"}, {"write_claims": ["groups=data"]}, "write"),
        ({"realm_access": {"roles": ["w"]}}, {"write_claims": ["realm_access.roles=w"]}, "write"),
        ({"a.b/c": ["w"]}, {"write_claims": ["a.b/c=w"]}, "write"),
        ({"admin": True}, {"write_claims": ["admin=true"]}, "write"),
        ({"hd": "a.example"}, {"read_claims": ["hd=a.example", "hd=b.example"]}, "read"),
        ({"groups": ["data"]}, {"read_claims": ["x=y"], "write_claims": ["groups=data"]}, "write"),
    ],
)
def test_claims_say_what_somebody_may_do(
    backend: Backend,
    issuer: SmallIssuer,
    claims: dict[str, Any],
    flags: dict[str, Any],
    scope: str,
) -> None:
    issuer.claims = claims
    client = served(backend, issuer, **flags)
    sign_in(client)
    assert client.get("/api/v2/session").json()["scope"] == scope
    sent = client.post("/api/v1/lineage", json=run_event())
    assert sent.status_code == (201 if scope == "write" else 403)


def test_who_lacks_the_claim_for_reading_is_told_which(
    backend: Backend, issuer: SmallIssuer
) -> None:
    client = served(backend, issuer, read_claims=["hd=a.example", "groups=data"])
    sign_in(client)
    assert "only those with hd=a.example or groups=data may read" in refusal(client)


def test_the_cookies_are_short_lived_and_no_scripts(backend: Backend, issuer: SmallIssuer) -> None:
    client = served(backend, issuer, public_url="https://lineage.example.com/below/")
    begun = client.get(f"https://testserver{BEGIN}")
    (attempt,) = begun.headers.get_list("set-cookie")
    for word in ("HttpOnly", "SameSite=lax", "Secure", "Max-Age=600"):
        assert word in attempt
    back = chosen(begun.headers["location"])
    assert back.startswith("https://lineage.example.com/below/api/v2/session/oidc/callback?")
    entered = client.get(f"https://testserver{BEGIN}/callback?{urlsplit(back).query}")
    assert entered.headers["location"] == "https://lineage.example.com/below/"
    session, gone = entered.headers.get_list("set-cookie")
    assert session.startswith("mainstem_session=")
    for word in ("HttpOnly", "SameSite=strict", "Secure", f"Max-Age={sessions.SECONDS}"):
        assert word in session
    assert gone.startswith('mainstem_signing_in=""')
    assert "Max-Age=0" in gone


def test_a_session_ends_by_itself(backend: Backend, issuer: SmallIssuer) -> None:
    client = served(backend, issuer)
    sign_in(client)
    assert backend.sign_in is not None
    (secret,) = [client.cookies["mainstem_session"]]
    end = backend.now() + sessions.SECONDS * 1_000_000
    assert backend.sign_in.sessions.scope_of(secret, end - 1) is Scope.READ
    assert backend.sign_in.sessions.scope_of(secret, end) is None


def test_sessions_are_bounded_and_the_oldest_goes_first() -> None:
    kept = sessions.Sessions()
    secrets = [kept.open(Scope.READ, 0) for _ in range(sessions.MOST + 1)]
    assert kept.scope_of(secrets[0], 1) is None
    assert kept.scope_of(secrets[1], 1) is Scope.READ
    assert kept.scope_of(secrets[-1], 1) is Scope.READ


def test_tokens_work_beside_it(backend: Backend, client: TestClient) -> None:
    made = backend.writer.submit(lambda one: create_token(one, "t", Scope.WRITE, 0))
    token = made.result()
    bearer = {"Authorization": f"Bearer {token}"}
    assert client.post("/api/v1/lineage", json=run_event(), headers=bearer).status_code == 201
    assert client.post("/api/v2/session", json={"token": "wrong"}).status_code == 401
    assert client.post("/api/v2/session", json={"token": token}).json()["scope"] == "write"


@pytest.mark.parametrize(
    ("claims", "sentence"),
    [
        ({"aud": "another"}, "the id token is for 'another', not for the client 'mainstem'"),
        ({"aud": []}, "the id token is for [], not for the client 'mainstem'"),
        ({"aud": None}, "the id token lacks aud"),
        ({"aud": [CLIENT, "another"], "azp": "another"}, "made for another client, azp 'another'"),
        ({"iss": "https://evil.example"}, "of the issuer 'https://evil.example', not of 'http://"),
        ({"exp": int(NOON.timestamp()) - 61}, "the id token has expired"),
        ({"exp": None}, "the id token lacks exp"),
        ({"exp": "tomorrow"}, "the id token's exp is not acceptable"),
        ({"iat": int(NOON.timestamp()) + 61}, "the id token's iat is not acceptable"),
        ({"nbf": int(NOON.timestamp()) + 61}, "the id token's nbf is not acceptable"),
        ({"nonce": "stolen"}, "the id token was made for another sign-in (nonce)"),
        ({"nonce": None}, "the id token lacks nonce"),
        ({"sub": None}, "the id token lacks sub"),
    ],
)
def test_an_id_token_that_is_not_for_us_now_is_refused(
    client: TestClient, issuer: SmallIssuer, claims: dict[str, Any], sentence: str
) -> None:
    issuer.claims = claims
    sign_in(client)
    assert sentence in refusal(client)


def test_clocks_may_differ_by_a_minute_and_tokens_be_for_several(
    client: TestClient, issuer: SmallIssuer
) -> None:
    noon = int(NOON.timestamp())
    issuer.claims = {"exp": noon - 59, "iat": noon + 59, "aud": ["x", CLIENT], "azp": CLIENT}
    sign_in(client)
    assert client.get("/api/v1/jobs").status_code == 200


@pytest.mark.parametrize(
    "header", [{"alg": "none"}, {"alg": "HS256"}, {"alg": "RS384"}, {"crit": ["exp"], "exp": 1}]
)
def test_no_header_talks_us_into_believing(
    client: TestClient, issuer: SmallIssuer, header: dict[str, Any]
) -> None:
    issuer.header = header
    sign_in(client)
    assert "id token" in refusal(client)


def test_a_header_that_nobody_knows_is_passed_over(client: TestClient, issuer: SmallIssuer) -> None:
    issuer.header = {"odd": "value"}
    sign_in(client)
    assert client.get("/api/v1/jobs").status_code == 200


def test_a_token_signed_by_a_stranger_is_refused(client: TestClient, issuer: SmallIssuer) -> None:
    issuer.header = {"kid": "first"}
    issuer.signing_kid = "a stranger's"
    sign_in(client)
    assert "is not valid: bad_signature" in refusal(client)


def test_a_new_key_is_asked_for_once_and_an_unknown_one_refused(
    client: TestClient, issuer: SmallIssuer
) -> None:
    sign_in(client)
    sign_in(client)
    assert issuer.asked.count("/keys") == issuer.asked.count(DISCOVERY) == 1, "both are remembered"
    issuer.signing_kid = "second"
    issuer.shown_kids = ["first", "second"]
    sign_in(client)
    assert client.get("/api/v1/jobs").status_code == 200
    assert issuer.asked.count("/keys") == 2
    client.delete("/api/v2/session")
    issuer.signing_kid = "hidden"
    sign_in(client)
    assert "no key of 127.0.0.1" in refusal(client)
    assert issuer.asked.count("/keys") == 3


def test_keys_that_cannot_be_used_do_not_spoil_the_others(
    client: TestClient, issuer: SmallIssuer
) -> None:
    odd = [{"kty": "AKP"}, {"kty": "RSA", "n": "!"}, {"kty": "oct", "k": "AAAA"}, "text"]
    enc = {**public_key("other"), "use": "enc"}
    issuer.answers["/keys"] = as_json(200, {"keys": [*odd, enc, public_key("first")]})
    sign_in(client)
    assert client.get("/api/v1/jobs").status_code == 200


def callback(location: str, **changed: str | None) -> str:
    """The way back of a browser, tampered with."""
    parts = urlsplit(chosen(location))
    words = {**dict(parse_qsl(parts.query)), **changed}
    kept = {name: value for name, value in words.items() if value is not None}
    return f"{parts.path}?{urlencode(kept)}"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"state": "guessed"}, "belongs to another sign-in (state)"),
        ({"state": None}, "belongs to another sign-in (state)"),
        ({"state": "ü"}, "belongs to another sign-in (state)"),
        # What comes without the state is nobody's word: its error is not shown.
        ({"state": None, "error": "buy_now"}, "belongs to another sign-in (state)"),
        ({"iss": "https://evil.example"}, "of another issuer than http://127.0.0.1"),
        ({"code": None}, "answered without a code"),
        ({"code": None, "error": "server_error"}, "answered server_error"),
        ({"code": None, "error": "<b>pay</b> here"}, "answered an error"),
        ({"code": "guessed"}, "did not redeem the code: invalid_grant"),
    ],
)
def test_an_answer_that_was_tampered_with_is_refused(
    client: TestClient, changed: dict[str, str | None], sentence: str
) -> None:
    answer = client.get(callback(begin(client, "search"), **changed))
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PUBLIC}/search")
    said = refusal(client)
    assert sentence in said
    assert "buy_now" not in said
    assert "pay" not in said


def test_a_user_who_refuses_is_told_so(client: TestClient) -> None:
    client.get(chosen(begin(client), "Cancel"))
    assert "the sign-in was refused at 127.0.0.1" in refusal(client)


def test_an_answer_in_another_browser_is_refused(backend: Backend, client: TestClient) -> None:
    back = chosen(begin(client))
    other = client_of(backend)
    other.follow_redirects = False
    assert other.get(back).headers["location"] == f"{PUBLIC}/"
    assert "not begun in this browser" in refusal(other)


def test_a_code_is_worth_nothing_in_another_attempt(backend: Backend, client: TestClient) -> None:
    code = parse_qs(urlsplit(chosen(begin(client))).query)["code"][0]
    thief = client_of(backend)
    thief.follow_redirects = False
    thief.get(callback(begin(thief), code=code))
    assert "did not redeem the code: invalid_grant" in refusal(thief)


@pytest.mark.parametrize("in_body", [False, True])
def test_a_client_with_a_secret_proves_itself_and_never_tells_it(
    backend: Backend, logs: list[Any], in_body: bool
) -> None:
    with SmallIssuer(NOON.timestamp, client_secret=SECRET) as issuer:
        if in_body:
            issuer.discovery = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
        client = served(backend, issuer)
        sign_in(client)
        assert client.get("/api/v1/jobs").status_code == 200
        assert ("client_secret" in issuer.forms[0]) is in_body
        client.delete("/api/v2/session")
        issuer.client_secret = "changed there"
        sign_in(client)
        said = refusal(client)
        issuer.answers["/token"] = as_json(500, {})
        sign_in(client)
    assert "did not redeem the code: invalid_client" in said
    told = f"{said} {logs} {refusal(client)}"
    assert len(logs) == 2
    for form in issuer.forms:
        for hidden in (SECRET, quote(SECRET, safe=""), form["code"], form["code_verifier"]):
            assert hidden not in told


@pytest.mark.parametrize(
    ("path", "answer", "sentence"),
    [
        (DISCOVERY, as_json(503, {}), "HTTP 503"),
        (DISCOVERY, (200, {}, b"<html>"), "not JSON"),
        (DISCOVERY, as_json(200, []), "calls itself None"),
        (DISCOVERY, as_json(200, {"issuer": "https://other"}), "calls itself 'https://other'"),
        (DISCOVERY, (302, {"Location": "/elsewhere"}, b""), "redirects are not followed"),
        (DISCOVERY, (200, {}, b" " * (MOST_BYTES + 1)), f"larger than {MOST_BYTES} bytes"),
        ("/keys", as_json(500, {}), "HTTP 500"),
        ("/keys", as_json(200, {"keys": []}), "shows no key"),
        ("/keys", (307, {"Location": "http://127.0.0.1:1/"}, b""), "redirects are not followed"),
        ("/token", as_json(502, {}), "HTTP 502"),
        ("/token", as_json(200, {"access_token": "x"}), "gave no id token"),
        ("/token", as_json(400, {"error": "<script>"}), "did not redeem the code: HTTP 400"),
        ("/token", as_json(200, {"id_token": "no.jwt"}), "is not valid"),
        ("/token", as_json(200, {"id_token": "e30.e30.e30"}), "is not valid"),
        ("/token", (308, {"Location": "/token"}, b""), "redirects are not followed"),
    ],
)
def test_an_issuer_that_answers_oddly_ends_on_the_page_with_a_sentence(
    client: TestClient, issuer: SmallIssuer, path: str, answer: Any, sentence: str
) -> None:
    issuer.answers[path] = answer
    if path == DISCOVERY:
        assert begin(client, "search") == f"{PUBLIC}/search"
    else:
        assert sign_in(client) == f"{PUBLIC}/"
    assert sentence in refusal(client)
    assert "/elsewhere" not in issuer.asked
    issuer.answers.clear()
    sign_in(client)
    assert client.get("/api/v1/jobs").status_code == 200, "it is asked again"


def test_an_issuer_that_is_not_there_is_told(backend: Backend) -> None:
    with SmallIssuer(NOON.timestamp) as gone:
        pass
    client = served(backend, gone)
    assert begin(client) == f"{PUBLIC}/"
    said = refusal(client)
    assert said.startswith(f"{urlsplit(gone.url).netloc} cannot be asked now; please try again")
    assert f"{gone.url}{DISCOVERY}: cannot be reached" in said


def test_an_issuer_that_is_slow_is_not_waited_for(backend: Backend, issuer: SmallIssuer) -> None:
    issuer.delays[DISCOVERY] = 0.3
    client = served(backend, issuer, seconds_to_answer=0.05)
    begin(client)
    assert "no answer within 0.05 s" in refusal(client)


def test_not_everybody_is_asked_for_at_once(backend: Backend, issuer: SmallIssuer) -> None:
    client = served(backend, issuer)
    assert backend.sign_in is not None
    backend.sign_in._issuer._asking = MOST_AT_ONCE
    begin(client)
    assert "too many sign in at once" in refusal(client)


ELSEWHERE = (
    "https://evil.example/x",
    "http://169.254.169.254/latest",
    "http://127.0.0.1:1/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user@127.0.0.1/x",
    "http://[::1",
    "",
    7,
)


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_only_the_hosts_that_were_named_are_gone_to(
    client: TestClient, issuer: SmallIssuer, name: str
) -> None:
    for endpoint in ELSEWHERE:
        issuer.discovery = {name: endpoint}
        assert begin(client) == f"{PUBLIC}/"
        assert f"its {name}" in refusal(client)
    assert issuer.asked == [DISCOVERY] * len(ELSEWHERE)


def test_a_host_that_the_operator_names_may_have_endpoints(
    backend: Backend, issuer: SmallIssuer
) -> None:
    with SmallIssuer(NOON.timestamp) as keys:
        issuer.discovery = {"jwks_uri": f"{keys.url}/keys"}
        client = served(backend, issuer, hosts=[urlsplit(keys.url).netloc])
        sign_in(client)
        assert client.get("/api/v1/jobs").status_code == 200
        assert keys.asked == ["/keys"]


@pytest.mark.parametrize(
    "to",
    ["//evil.example", "https://evil.example", "\\\\evil.example", "/\r\nSet-Cookie: a=b", "é"],
)
def test_nobody_is_led_away_after_signing_in(client: TestClient, to: str) -> None:
    location = sign_in(client, to)
    assert urlsplit(location).netloc == "testserver"
    assert location.isascii()
    assert location.isprintable()


def test_a_server_without_an_issuer_says_so(backend: Backend) -> None:
    backend.sign_in = None
    plain = client_of(backend)
    for path in (BEGIN, f"{BEGIN}/callback"):
        answer = plain.get(path)
        assert (answer.status_code, orjson.loads(answer.content)["code"]) == (404, 404)
    assert plain.get("/api/v2/session").json()["oidc"] is None


def test_the_paths_that_are_open_open_nothing_else(client: TestClient) -> None:
    for path in (f"{BEGIN}/", f"{BEGIN}/callback/", f"{BEGIN};x", f"{BEGIN}/../../../v1/jobs"):
        assert client.get(path).status_code in (401, 404), path
    assert json.loads(client.get("/api/openapi.json").content)["code"] == 401
