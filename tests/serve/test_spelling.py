"""What is spelled quickly is spelled as the plain way spells it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeKind
from mainstem.said.json_values import brief_json, kept_json
from mainstem.said.registers import spell_facets
from mainstem.said.schema import read_schema
from mainstem.said.times import iso
from mainstem.said.versions import digest_uuid
from mainstem.serve.api.spelling import graph_node, joined_graph, node_id, spell

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
OLDEST, NEWEST = -62_135_596_800_000_000, 253_402_300_799_999_999
few = settings(max_examples=50)


@few
@given(st.integers(OLDEST, NEWEST))
def test_instants_are_spelled_as_datetime_spells_them(micros: int) -> None:
    instant = EPOCH + timedelta(microseconds=micros)
    assert iso(micros) == instant.isoformat().replace("+00:00", "Z")


@few
@given(st.binary(min_size=16, max_size=16))
def test_digests_are_spelled_as_uuid_spells_them(digest: bytes) -> None:
    assert digest_uuid(digest) == str(UUID(bytes=digest, version=5))


names = st.text(max_size=5)


@few
@given(st.lists(st.tuples(names, st.lists(names, max_size=3), st.lists(names, max_size=3))))
def test_graphs_are_joined_from_bytes(nodes: list[tuple[str, list[str], list[str]]]) -> None:
    joined = joined_graph(
        [
            graph_node(
                orjson.dumps(own),
                b"JOB",
                [b'"a":', b"1"],
                list(map(orjson.dumps, before)),
                list(map(orjson.dumps, after)),
            )
            for own, before, after in nodes
        ]
    )
    assert orjson.loads(joined) == {
        "graph": [
            {
                "id": own,
                "type": "JOB",
                "data": {"a": 1},
                "inEdges": [{"origin": one, "destination": own} for one in before],
                "outEdges": [{"origin": own, "destination": one} for one in after],
            }
            for own, before, after in nodes
        ]
    }


@few
@given(st.text())
def test_words_are_spelled_as_orjson_spells_them(text: str) -> None:
    assert brief_json(text) == orjson.dumps(text) == kept_json(text)


@pytest.mark.parametrize(
    "spelled",
    [
        lambda at: node_id(NodeKind.JOB, "a namespace", f"job {at}"),
        lambda at: spell("a namespace", f"job {at}").name,
        lambda at: spell_facets({"sql": {"query": f"SELECT {at}"}}),
        lambda at: read_schema(DatasetName("a", "b"), [{"name": f"column {at}"}]).fields,
    ],
)
def test_what_is_kept_takes_hardly_more_memory_than_it_is_long(
    spelled: Callable[[int], bytes],
) -> None:
    spelled(-1)
    tracemalloc.start()
    try:
        kept = [spelled(at) for at in range(500)]
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < sum(map(len, kept)) + 500 * 600
