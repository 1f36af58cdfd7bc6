"""The graph as a picture for other pages: what the API tells, in the page's words, and harmless."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from mainstem.serve.api.picture import KINDS, STATES
from mainstem.serve.graph.columns_of_hops import columns_of_hops
from serve_fixtures import post, run_event

PICTURE = "/api/v2/lineage.svg"
SVG = "{http://www.w3.org/2000/svg}"
UI = Path(__file__).resolve().parents[2] / "ui" / "src" / "graph"
OTHER_RUN = "00000000-0000-4000-8000-000000000002"
DEGRADED = {
    "mainstem_connector": {"tasks": [{"id": 0, "state": "FAILED"}], "degraded": "1 of 1 failed"}
}


def drawn(client: TestClient, node: str, **hops: int) -> ElementTree.Element:
    answer = client.get(PICTURE, params={"node": node, **hops})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("image/svg+xml")
    return ElementTree.fromstring(answer.text)  # noqa: S314 - our own answer


def with_class(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [one for one in picture.iter() if one.get("class") == name]


def test_it_shows_the_nodes_and_edges_that_the_api_tells(client: TestClient) -> None:
    post(client, run_event(inputs=["a", "b"], outputs=["c"]))
    post(client, run_event(job="next", run=OTHER_RUN, inputs=["c"], outputs=["d"]))
    told = client.get("/api/v2/lineage", params={"node": "job:jobs:job", "depth": 2}).json()
    picture = drawn(client, "job:jobs:job", up=2, down=2)
    assert len(with_class(picture, "node")) == len(told["nodes"]) == 5
    assert len(with_class(picture, "edge")) == len(told["edges"]) == 4
    alone = drawn(client, "job:jobs:job", up=0, down=0)
    assert (len(with_class(alone, "node")), len(with_class(alone, "edge"))) == (1, 0)


def test_a_state_is_said_as_on_the_page(client: TestClient) -> None:
    post(client, run_event("START", inputs=["a"], run_facets=DEGRADED))
    post(client, run_event("FAIL", job="broken", run=OTHER_RUN, inputs=["a"]))
    words = [one.text for one in drawn(client, "dataset:postgres://db:5432:a").iter(f"{SVG}text")]
    assert {"Degraded", "Failed", "0/1 tasks"} <= set(words)


def test_the_words_are_those_of_the_page() -> None:
    kinds = re.findall(r'\n  (\w+): \["\w+", "([\w ]+)"\]', (UI / "kind.ts").read_text())
    assert dict(kinds) == KINDS
    states = (UI / "state.ts").read_text()
    found = re.findall(r'\n  \[?"?([A-Z]+)"?(?:: \[|, )"(\w+)"', states)
    assert dict(found) == {code: word for code, (word, _) in STATES.items()}


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "\" onload='x' &amp; ]]>",
        "javascript:alert(1)",
        "\u202eevil \x07\x1b",
        "\U0001f30a" * 300,
    ],
)
def test_no_name_breaks_it_or_becomes_markup(client: TestClient, name: str) -> None:
    post(client, run_event(inputs=[name], outputs=["out"]))
    picture = drawn(client, "job:jobs:job")
    known = {"svg", "title", "defs", "marker", "path", "rect", "g", "text"}
    assert {one.tag.removeprefix(SVG) for one in picture.iter()} <= known
    assert not [key for one in picture.iter() for key in one.attrib if key.startswith("on")]
    assert not [key for one in picture.iter() for key in one.attrib if "href" in key]


def test_opened_by_itself_it_may_run_and_load_nothing(client: TestClient) -> None:
    post(client, run_event(inputs=["a"]))
    headers = client.get(PICTURE, params={"node": "job:jobs:job"}).headers
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert headers["x-content-type-options"] == "nosniff"
    assert "private" in headers["cache-control"]


def test_what_is_not_there_is_said(client: TestClient) -> None:
    assert client.get(PICTURE, params={"node": "job:jobs:none"}).status_code == 404
    assert client.get(PICTURE, params={"node": "job:jobs:job", "up": 99}).status_code == 400


GRAPHS = st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=12)


@given(GRAPHS)
def test_each_node_stands_once_and_the_roots_neighbours_beside_it(
    edges: list[tuple[str, str]],
) -> None:
    nodes = {"a"} | {end for edge in edges for end in edge}
    columns = columns_of_hops("a", nodes, edges)
    assert sorted(one for column in columns for one in column) == sorted(nodes)
    at = {one: number for number, column in enumerate(columns) for one in column}
    reached = {target for source, target in edges if source == "a"} - {"a"}
    told = {source for source, target in edges if target == "a"} - {"a"}
    assert {at[one] - at["a"] for one in reached - told} <= {1}
    assert {at["a"] - at[one] for one in told - reached} <= {1}
