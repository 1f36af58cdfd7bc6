"""Every example of docs/api.md is answered as the page says, and every path has one."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.testclient import TestClient

from mainstem.serve.api.backend import Backend
from mainstem.serve.app import make_api

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
EXAMPLE = re.compile(r"```http\n(\w+) (\S+)\n(?:([\[{].*)\n)?→ (\d+)(?: (.*))?\n```")
WITHOUT_EXAMPLE = {
    ("get", "/api/v2/changes"),  # a stream; tests/serve/test_changes.py follows it
    ("get", "/api/openapi.json"),
}


def test_every_example_is_answered_as_the_page_says(client: TestClient) -> None:
    examples = EXAMPLE.findall(PAGE.read_text())
    assert len(examples) == PAGE.read_text().count("```http")
    for method, path, body, code, fields in examples:
        headers = {"Content-Type": "application/json"} if body else {}
        answer = client.request(method, path, content=body.encode() or None, headers=headers)
        assert answer.status_code == int(code), (method, path, answer.text)
        if fields:
            missing = set(fields.split(", ")) - answer.json().keys()
            assert not missing, (method, path, missing)


def test_every_path_has_an_example(backend: Backend) -> None:
    asked = [(m.lower(), p.partition("?")[0]) for m, p, *_ in EXAMPLE.findall(PAGE.read_text())]
    for path, operations in make_api(backend).openapi()["paths"].items():
        shape = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
        for method in operations:
            shown = any(m == method and shape.fullmatch(p) for m, p in asked)
            assert shown or (method, path) in WITHOUT_EXAMPLE, f"{method} {path}"
