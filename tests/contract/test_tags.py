"""Tags that users give to jobs, datasets and fields: shown, found, taken away again."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from serve_fixtures import dataset, post, run_event

DATASET = "/api/v1/namespaces/postgres%3A%2F%2Fdb%3A5432/datasets/out"
JOB = "/api/v1/namespaces/jobs/jobs/job"


def tell(client: TestClient) -> None:
    schema = {"schema": {"fields": [{"name": "e/mail", "type": "TEXT"}, {"name": "id"}]}}
    post(client, run_event(outputs=[dataset("out") | {"facets": schema}]))


def tags_of_fields(shown: dict[str, Any]) -> dict[str, list[str]]:
    return {field["name"]: field["tags"] for field in shown["fields"]}


def test_tags_are_shown_and_taken_away(client: TestClient) -> None:
    tell(client)
    for path, field in ((DATASET, None), (JOB, None), (f"{DATASET}/fields/e%2Fmail", "e/mail")):
        tagged = client.post(f"{path}/tags/a%20b").json()
        of_field = None if field is None else tags_of_fields(tagged)[field]
        assert (of_field or tagged["tags"]) == ["a b"]
        untagged = client.delete(f"{path}/tags/a%20b").json()
        of_field = None if field is None else tags_of_fields(untagged)[field]
        assert (of_field or untagged["tags"]) == []
    assert "a b" in [one["name"] for one in client.get("/api/v1/tags").json()["tags"]]


def test_a_field_that_is_not_there_is_not_tagged(client: TestClient) -> None:
    tell(client)
    answer = client.post(f"{DATASET}/fields/none/tags/PII")
    assert (answer.status_code, answer.json()["message"]) == (404, "Field 'none' not found.")
    assert tags_of_fields(client.get(DATASET).json()) == {"e/mail": [], "id": []}


def test_what_is_tagged_is_found_by_its_tag(client: TestClient) -> None:
    tell(client)
    client.post(f"{JOB}/tags/nightly")
    client.post(f"{DATASET}/fields/id/tags/Nightly%20load")
    listed = client.get("/api/v2/nodes?tag=nightly").json()
    assert [one["name"] for one in listed["nodes"]] == ["job"]
    assert found(client, "q=nightly") == {
        ("job", "tag", "nightly"),
        ("out", "tag", "Nightly load"),
    }
    assert found(client, "q=nightly&type=JOB") == {("job", "tag", "nightly")}
    assert client.get("/api/v1/search?q=nightly").json()["totalCount"] == 0  # Marquez's: names
    client.delete(f"{JOB}/tags/nightly")
    assert found(client, "q=nightly&type=JOB") == set()


def found(client: TestClient, words: str) -> set[tuple[str, str, str]]:
    answer = client.get(f"/api/v2/search?{words}").json()
    assert answer["total"] == len(answer["hits"])
    return {(hit["name"], hit["matched"], hit["value"]) for hit in answer["hits"]}
