"""Filters and tags of the client's configuration, compared with what the client itself does."""

from __future__ import annotations

from typing import Any

import pytest
from openlineage.client import OpenLineageClient, event_v2
from openlineage.client.facet_v2 import tags_job
from openlineage.client.serde import Serde
from openlineage.client.transport.noop import NoopConfig, NoopTransport

from mainstem.outbox import preparation_from_configuration, read_configuration

PRODUCER = "https://example.org/producer"
SETTINGS: dict[str, Any] = {
    "transport": {"type": "noop"},
    "filters": [{"type": "exact", "match": "secret-job"}, {"type": "regex", "regex": "tmp_.*"}],
    "tags": {"job": {"team": "data", "Tier": "1"}, "run": {"region": "eu"}},
}


def run_event(job: str) -> event_v2.RunEvent:
    told = [tags_job.TagsJobFacetFields("TEAM", "old", "X"), tags_job.TagsJobFacetFields("k", "v")]
    return event_v2.RunEvent(
        eventTime="2026-01-02T03:04:05Z",
        producer=PRODUCER,
        run=event_v2.Run("01890a5d-ac96-774b-bcce-b302099a8057"),
        job=event_v2.Job("ns", job, {"tags": tags_job.TagsJobFacet(told)}),
        eventType=event_v2.RunState.START,
    )


def official_client() -> OpenLineageClient:
    return OpenLineageClient(transport=NoopTransport(NoopConfig()), config=SETTINGS)


@pytest.mark.parametrize("job", ["orders", "secret-job", "secret-job-2", "tmp_x", "not_tmp_x"])
def test_the_same_events_are_filtered_as_by_the_client(job: str) -> None:
    prepare = preparation_from_configuration(read_configuration(SETTINGS))
    theirs = official_client().filter_event(run_event(job))
    assert (prepare(Serde.to_dict(run_event(job))) is None) == (theirs is None)


def test_the_tags_are_those_of_the_client_but_for_its_version() -> None:
    prepare = preparation_from_configuration(read_configuration(SETTINGS))
    given = Serde.to_dict(run_event("orders"))
    ours = prepare(given)
    assert ours is not None
    theirs = Serde.to_dict(official_client().update_event_tags_facets(run_event("orders")))
    assert ours["job"]["facets"]["tags"]["tags"] == theirs["job"]["facets"]["tags"]["tags"]
    their_run_tags = theirs["run"]["facets"]["tags"]["tags"]
    assert ours["run"]["facets"]["tags"]["tags"] == [
        tag for tag in their_run_tags if tag["source"] == "USER"
    ]
    assert ours["run"]["facets"]["tags"]["_producer"] == PRODUCER


def test_an_event_is_not_changed_in_place_and_a_job_event_is_never_filtered() -> None:
    prepare = preparation_from_configuration(read_configuration(SETTINGS))
    event = {"producer": PRODUCER, "job": {"namespace": "ns", "name": "tmp_x"}}
    ours = prepare(event)
    assert ours is not None
    assert [tag["key"] for tag in ours["job"]["facets"]["tags"]["tags"]] == ["team", "Tier"]
    assert event == {"producer": PRODUCER, "job": {"namespace": "ns", "name": "tmp_x"}}
    assert prepare({"dataset": {}}) == {"dataset": {}}
