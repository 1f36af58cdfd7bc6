"""A schema registry in memory, for tests, benchmarks and trying things out.

It answers the paths that the client asks as Confluent's does; a test with a real registry holds
it to that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import orjson
from msgspec import Struct

from mainstem.watch.connect.fake_http import Answered, Asked, FakeHttp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KIND = "application/vnd.schemaregistry.v1+json"


class _Registered(Struct, frozen=True):
    id: int
    version: int
    schema: str
    type: str
    references: tuple[Mapping[str, Any], ...]


class FakeRegistry:
    """Subjects that are registered, evolved and deleted by plain method calls."""

    def __init__(self) -> None:
        self.subjects: dict[str, list[_Registered]] = {}
        self.requests: list[str] = []
        self.authorisations: list[str | None] = []
        """What each request that came through ``http`` had to show."""

        self.trouble: int | None = None
        """An HTTP status that every request gets; None when all is well."""

        self._ids: dict[tuple[str, str], int] = {}

    def register(
        self,
        subject: str,
        schema: Any,
        kind: str = "AVRO",
        references: Sequence[Mapping[str, Any]] = (),
    ) -> int:
        """A new version of a subject; the schema's id, which equal schemas share."""
        text = schema if isinstance(schema, str) else orjson.dumps(schema).decode()
        number = self._ids.setdefault((kind, text), len(self._ids) + 1)
        versions = self.subjects.setdefault(subject, [])
        version = versions[-1].version + 1 if versions else 1
        versions.append(_Registered(number, version, text, kind, tuple(references)))
        return number

    def delete(self, subject: str) -> None:
        """Delete a subject."""
        del self.subjects[subject]

    def answer(self, target: str) -> tuple[int, str, bytes]:
        """Status, content type and body of a GET."""
        self.requests.append(target)
        if self.trouble is not None:
            return _json(self.trouble, {"error_code": self.trouble, "message": "trouble"})
        parts = urlsplit(target)
        match [unquote(part) for part in parts.path.strip("/").split("/")]:
            case [*_, "subjects"]:
                prefix = parse_qs(parts.query).get("subjectPrefix", [""])[0]
                return _json(200, sorted(name for name in self.subjects if name.startswith(prefix)))
            case [*_, "subjects", subject, "versions", version]:
                return self._version(subject, version)
            case _:
                return _json(404, {"error_code": 404, "message": "HTTP 404 Not Found"})

    def http(self) -> FakeHttp:
        """This registry behind any URL."""

        def answered(asked: Asked) -> Answered:
            self.authorisations.append(asked.headers.get("Authorization"))
            return Answered(*self.answer(asked.target))

        return FakeHttp(answered)

    def _version(self, subject: str, version: str) -> tuple[int, str, bytes]:
        versions = self.subjects.get(subject, [])
        wanted = [each for each in versions if version in {"latest", str(each.version)}]
        if not wanted:
            missing = (40401, "Subject") if not versions else (40402, "Version")
            code, what = missing
            return _json(404, {"error_code": code, "message": f"{what} not found."})
        found = wanted[-1]
        told: dict[str, Any] = {
            "subject": subject,
            "version": found.version,
            "id": found.id,
            "schema": found.schema,
        }
        if found.type != "AVRO":
            told["schemaType"] = found.type
        if found.references:
            told["references"] = list(found.references)
        return _json(200, told)


def _json(status: int, body: Any) -> tuple[int, str, bytes]:
    return status, KIND, orjson.dumps(body)
