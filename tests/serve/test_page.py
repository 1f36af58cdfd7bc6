"""How the page is served; what it shows is tested in a browser, from ui/e2e."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from mainstem.cli.serve import root_of
from mainstem.errors import BadRecipe
from mainstem.serve.api.page import Page
from mainstem.serve.app import make_app
from serve_fixtures import client_of, open_backend, run_event, sqlite_url

HTML = {"Accept": "text/html,application/xhtml+xml"}
INDEX = '<!doctype html><base href="/" /><div id="page"></div>'


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "index-abc123.js").write_text("export const x = 1;\n" * 200)
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("not to be served")
    return folder


@pytest.fixture
def client(static: Path) -> TestClient:
    return TestClient(Page(PlainTextResponse("the application", 404), static))


@pytest.mark.parametrize("path", ["/", "/lineage?node=job:a:b", "/no/such/page", "/dataset"])
def test_every_address_that_a_reader_opens_is_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["cache-control"] == "no-cache"


def test_the_policy_lets_nothing_in_from_elsewhere_and_nothing_inline(client: TestClient) -> None:
    policy = client.get("/", headers=HTML).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["worker-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v2/lineage", "/healthz", "/metrics"])
def test_the_api_is_never_answered_with_the_page(client: TestClient, path: str) -> None:
    assert client.get(path, headers=HTML).text == "the application"


def test_a_program_that_asks_for_no_page_is_given_none(client: TestClient) -> None:
    answer = client.get("/lineage", headers={"Accept": "application/json"})
    assert answer.text == "the application"
    assert client.post("/", headers=HTML).text == "the application"


def test_named_by_their_hash_files_are_kept_for_ever(client: TestClient) -> None:
    asset = client.get("/assets/index-abc123.js")
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-encoding"] == "gzip"
    assert asset.headers["content-type"].startswith("text/javascript")
    assert asset.headers["x-content-type-options"] == "nosniff"
    assert client.get("/icon.svg").headers["cache-control"] == "no-cache"


def test_built_anew_under_a_running_server_it_is_whole(static: Path, client: TestClient) -> None:
    old = static / "assets" / "index-abc123.js"
    assert client.get("/", headers=HTML).text == INDEX
    assert client.get("/icon.svg").text == "<svg/>"
    old.unlink()
    (static / "assets" / "index-def456.js").write_text("export const x = 2;")
    (static / "icon.svg").write_text("<svg id='new'/>")
    (static / "index.html").write_text(INDEX + "<p>anew</p>")
    os.utime(static / "index.html", ns=(1, 1))
    # An open tab still wants the old file: there is none, whereupon the page reloads.
    assert client.get("/assets/index-abc123.js").status_code == 404
    assert client.get("/", headers=HTML).text.endswith("<p>anew</p>")
    assert client.get("/assets/index-def456.js").text == "export const x = 2;"
    assert client.get("/icon.svg").text == "<svg id='new'/>"
    assert client.get("/assets/index-abc123.js").status_code == 404


def test_who_cannot_unpack_is_given_the_plain_file(client: TestClient) -> None:
    plain = client.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text.startswith("export")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "//secret.txt"]
)
def test_no_path_leads_out_of_the_folder(client: TestClient, path: str) -> None:
    assert "not to be served" not in client.get(path, headers=HTML).text


@pytest.mark.parametrize("prefix", ["/tools/lineage", ""])
def test_below_a_root_path_the_page_knows_where_it_is(static: Path, prefix: str) -> None:
    page = Page(PlainTextResponse("the application", 404), static, root="/tools/lineage")
    client = TestClient(page)
    for path in ("", "/", "/dataset"):
        answer = client.get(f"{prefix}{path}", headers=HTML)
        assert '<base href="/tools/lineage/" />' in answer.text
    assert client.get(f"{prefix}/icon.svg").text == "<svg/>"
    assert client.get("/tools/lineagefoo/icon.svg").text == "the application"


def test_below_a_root_path_the_api_answers_for_any_name(tmp_path: Path) -> None:
    backend = open_backend(sqlite_url(tmp_path))
    try:
        client = TestClient(make_app(backend, "/tools/lineage"))
        event = run_event("COMPLETE", outputs=[{"namespace": "s3://lake", "name": "a/b c%d"}])
        assert client.post("/tools/lineage/api/v1/lineage", json=event).status_code == 201
        path = "api/v1/namespaces/s3%3A%2F%2Flake/datasets/a%2Fb%20c%25d"
        for root in ("/tools/lineage/", "/"):
            assert client.get(root + path).json()["name"] == "a/b c%d"
        assert client.get(f"/tools/%6cineage/{path}").status_code == 404
    finally:
        backend.close()


def test_without_a_built_page_it_is_said_how_to_build_one(tmp_path: Path) -> None:
    client = TestClient(Page(PlainTextResponse("the application", 404), tmp_path))
    assert "make page" in client.get("/", headers=HTML).text


def test_the_page_needs_no_token_and_the_api_does(tmp_path: Path) -> None:
    backend = open_backend(sqlite_url(tmp_path))
    try:
        client = client_of(backend)
        assert client.get("/", headers=HTML).status_code == 200
        assert client.get("/lineage", headers={"Accept": "*/*"}).status_code == 404
    finally:
        backend.close()


@pytest.mark.parametrize("said", ["/lineage", "/lineage/", "/tools/my-lineage.v2", "", "/"])
def test_a_root_path_loses_its_last_slash(said: str) -> None:
    assert root_of(said) == said.rstrip("/")


@pytest.mark.parametrize(
    "said", ["lineage", "/..", "/a//b", "/a?b", "/a b", "//evil", "/a/./b", '"']
)
def test_a_root_path_that_is_none_is_refused_by_name(said: str) -> None:
    with pytest.raises(BadRecipe, match="--root-path"):
        root_of(said)
