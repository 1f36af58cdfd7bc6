"""An event read in parts is the event read whole, whatever was read before it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import EventRefused
from mainstem.serve.ingest import reading
from mainstem.serve.ingest.cutting import CutEvent, cut_event
from mainstem.serve.ingest.reading import read_event
from mainstem.serve.model.event import Event

_text = st.text(max_size=4)
_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | _text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_text, inner, max_size=2),
    max_leaves=4,
)
_facets = st.none() | st.dictionaries(
    st.sampled_from(["schema", "columnLineage", "lineage", "symlinks", "é"]),
    st.none() | st.dictionaries(st.sampled_from(["fields", "inputs", "name"]), _values, max_size=2),
    max_size=2,
)
_datasets = st.fixed_dictionaries(
    {"namespace": st.sampled_from(["one", "two"]), "name": st.sampled_from(["a", "b"])},
    optional={"facets": _facets, "inputFacets": _facets, "extra": _values},
)
_sides = st.none() | st.lists(_datasets, max_size=2)
_events = st.fixed_dictionaries(
    {
        "eventTime": st.just("2026-11-16T10:00:00Z"),
        "producer": st.just("https://p"),
        "run": st.just({"runId": "00000000-0000-0000-0000-000000000001"}),
        "job": st.just({"namespace": "n", "name": "j"}),
    },
    optional={"inputs": _sides, "outputs": _sides, "extra": _values, "eventType": st.just("START")},
)


def _outcome(raw: bytes) -> Event | tuple[int, str]:
    try:
        return read_event(raw)
    except EventRefused as refused:
        return refused.code, str(refused)


def _outcome_of_whole(raw: bytes) -> Event | tuple[int, str]:
    try:
        return reading._event(CutEvent(orjson.loads(raw), []), raw)
    except EventRefused as refused:
        return refused.code, str(refused)
    except orjson.JSONDecodeError:
        return _outcome(raw)


@settings(max_examples=150, deadline=None)
@given(said=_events, at=st.none() | st.integers(0, 400), byte=st.binary(max_size=1))
def test_read_in_parts_or_whole_it_is_one_event(
    said: dict[str, Any], at: int | None, byte: bytes
) -> None:
    raw = orjson.dumps(said)
    if at is not None:
        raw = raw[: at % len(raw)] + byte + raw[at % len(raw) + 1 :]
    whole = _outcome_of_whole(raw)
    assert _outcome(raw) == whole
    assert _outcome(raw) == whole  # now its facets are known


def test_facets_that_are_known_are_not_read_again() -> None:
    facets = {"schema": {"fields": [{"name": "id"}]}, "documentation": {"description": "known"}}
    raw = orjson.dumps(
        {
            "eventTime": "2026-11-16T10:00:00Z",
            "producer": "https://p",
            "run": {"runId": "00000000-0000-0000-0000-000000000001"},
            "job": {"namespace": "n", "name": "j"},
            "inputs": [{"namespace": "kept", "name": "in"}],
            "outputs": [{"namespace": "kept", "name": "out", "facets": facets}],
        }
    )
    first = read_event(raw)
    cut = cut_event(raw)
    assert cut is not None
    without, known = cut.datasets
    assert (without.known, without.facets) == (None, b"")
    assert known.known is first.mentions[1].said
    assert known.json == {"namespace": "kept", "name": "out"}
    assert read_event(raw) == first
    assert read_event(raw.replace(b"known", b"other")).digest != first.digest


_EVENT = (
    b'"eventTime":"2026-11-16T10:00:00Z","producer":"p","job":{"namespace":"n","name":"j"},'
    b'"run":{"runId":"00000000-0000-0000-0000-000000000001"}'
)
_DATASET = b'"namespace":"n","name":"d"'
_HIDDEN = (
    b'{"producer":%b,' + _EVENT + b"}",
    b'{"inputs":%b,"inputs":[],' + _EVENT + b"}",
    b'{"inputs":[{"facets":%b,"facets":{},' + _DATASET + b"}]," + _EVENT + b"}",
    b'{"outputs":[{' + _DATASET + b',"name":%b,"name":"e"}],' + _EVENT + b"}",
)


@pytest.mark.parametrize("hiding", _HIDDEN)
@pytest.mark.parametrize("twice", [b'"\xff"', b"[1,]", b"1e999", b"-1e999", b"9" * 400, b"NaN"])
def test_what_a_later_word_replaces_must_be_json_too(hiding: bytes, twice: bytes) -> None:
    with pytest.raises(EventRefused, match="not JSON") as refused:
        read_event(hiding % twice)
    assert refused.value.code == 400


@pytest.mark.parametrize("hiding", _HIDDEN)
def test_of_what_is_said_twice_the_last_word_stands(hiding: bytes) -> None:
    assert read_event(hiding % b"{}") == reading._event(
        CutEvent(orjson.loads(hiding % b"{}"), []), hiding % b"{}"
    )


@pytest.mark.parametrize("blank", [b"", b" ", b"\n  "])
def test_a_number_beyond_all_bounds_is_refused_with_its_place(blank: bytes) -> None:
    with pytest.raises(EventRefused, match=r"not JSON: number is infinity.* at line"):
        read_event(b"{" + blank + _EVENT + b',"extra":[1e999]}')
