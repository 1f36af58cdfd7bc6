from __future__ import annotations

import orjson
import pytest

from mainstem.errors import EventRefused
from mainstem.serve.ingest.reading import read_event
from serve_fixtures import run_event


def test_a_time_that_is_none_is_told_beside_other_mistakes() -> None:
    event = {**run_event(), "eventType": "WAT", "eventTime": "yesterday"}
    with pytest.raises(EventRefused) as caught:
        read_event(orjson.dumps(event))
    kinds, time = caught.value.mistakes
    assert kinds.startswith("eventType: 'WAT' is not allowed")
    assert time == "eventTime is no ISO 8601 instant: 'yesterday'"
