"""The client of a schema registry by Confluent's API, which Karapace and Apicurio speak too."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import quote

import orjson
from msgspec import Struct

from mainstem.errors import CannotTell, RegistryRefused, RegistryUnavailable
from mainstem.watch.connect.asking import Asking, Errors
from mainstem.watch.connect.http import MEGABYTE
from mainstem.watch.schema_registry.fields import Field, NoSchema, SchemaVersion, SubjectFields
from mainstem.watch.schema_registry.formats import AVRO, read_schema
from mainstem.watch.schema_registry.subjects import is_record_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    import urllib3

    from mainstem.watch.schema_registry.access import RegistryAccess

_ERRORS = Errors(RegistryUnavailable, RegistryRefused)
MOST_REFERENCES = 200
MOST_SCHEMAS_REMEMBERED = 10_000


class Limits(Struct, frozen=True):
    """What one question may cost at most, whatever the other side does."""

    seconds: float = 5.0
    bytes: int = 8 * MEGABYTE


class Reference(Struct, frozen=True):
    """A schema that another is made with: the name it has there, and where it lies."""

    name: str
    subject: str
    version: int


class RegisteredSchema(Struct, frozen=True):
    """One version of a subject, as the registry gives it."""

    version: SchemaVersion
    text: str
    references: tuple[Reference, ...] = ()


class RegistryClient:
    """Asks one registry; fails over between its addresses; never writes."""

    at_once = 4
    is_waited_for = True
    pause = timedelta(0)

    def __init__(
        self,
        access: RegistryAccess,
        limits: Limits | None = None,
        http: urllib3.PoolManager | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._asking = Asking(access, _ERRORS, self._limits.seconds, http)
        self.name = self._asking.name
        """Its addresses, for people."""

        # what stands behind an id, or a version, never changes
        self._fields_of = lru_cache(MOST_SCHEMAS_REMEMBERED)(self._read)
        self._referenced = lru_cache(MOST_SCHEMAS_REMEMBERED)(self._reference)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the connections."""
        self._asking.close()

    def find(self, subjects: Sequence[str], prefix: str | None = None) -> SubjectFields | NoSchema:
        """The fields of the first subject that exists, in its latest version.

        Where none does, those of the one subject that names a record behind ``prefix``.
        """
        found = self._first(subjects)
        if found is None and prefix is not None:
            records = [each for each in self.subjects(prefix) if is_record_of(each, prefix)]
            if len(records) > 1:
                return NoSchema(f"there are several kinds of records: {', '.join(records)}")
            found = self._first(records)
        if found is None:
            return NoSchema(f"the registry has no subject {' or '.join(subjects)}")
        return self._told(found)

    def _first(self, subjects: Iterable[str]) -> RegisteredSchema | None:
        found = (self._version(subject, "latest") for subject in subjects)
        return next((schema for schema in found if schema is not None), None)

    def _told(self, schema: RegisteredSchema) -> SubjectFields | NoSchema:
        try:
            fields = self._fields_of(schema)
        except CannotTell as unknown:
            fields = NoSchema(unknown.reason)
        if isinstance(fields, NoSchema):
            version = schema.version
            return NoSchema(f"{version.subject} version {version.version}: {fields.reason}")
        return SubjectFields(schema.version, fields)

    def subjects(self, prefix: str) -> tuple[str, ...]:
        """The subjects whose names begin so."""
        answer = self._get(f"/subjects?subjectPrefix={quote(prefix, safe='')}")
        names = cast("list[Any]", answer if isinstance(answer, list) else [])
        # a registry that does not know the parameter gives them all
        return tuple(str(name) for name in names if str(name).startswith(prefix))

    def _version(self, subject: str, version: str) -> RegisteredSchema | None:
        answer = self._get(f"/subjects/{quote(subject, safe='')}/versions/{version}")
        if answer is None:
            return None
        try:
            return _registered(answer, subject)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise RegistryUnavailable(self.name, f"no schema in the answer: {subject}") from error

    def _reference(self, subject: str, version: int) -> RegisteredSchema:
        found = self._version(subject, str(version))
        if found is None:
            raise CannotTell(f"it refers to {subject} version {version}, which the registry lacks")
        return found

    def _read(self, schema: RegisteredSchema) -> tuple[Field, ...] | NoSchema:
        """The fields; that a schema cannot be read will not change, that it lacks another may."""
        texts: dict[str, str] = {}
        self._collect(schema, texts, {(schema.version.subject, schema.version.version)})
        try:
            return read_schema(schema.version.format, schema.text, texts)
        except CannotTell as unknown:
            return NoSchema(unknown.reason)

    def _collect(
        self, schema: RegisteredSchema, texts: dict[str, str], seen: set[tuple[str, int]]
    ) -> None:
        """What a schema refers to, and before that what those refer to."""
        for reference in schema.references:
            place = (reference.subject, reference.version)
            if place in seen or len(seen) > MOST_REFERENCES:
                continue
            seen.add(place)
            found = self._referenced(reference.subject, reference.version)
            self._collect(found, texts, seen)
            texts.setdefault(reference.name, found.text)

    def _get(self, path: str) -> Any:
        """The JSON of the first address that answers; None where there is no such thing."""
        return self._asking.get(path, self._limits.seconds, self._limits.bytes, _judge)


def _judge(response: urllib3.BaseHTTPResponse, body: bytes, where: str) -> Any:
    """The JSON of a true answer, None for what does not exist; else what kind of silence it is."""
    status = response.status
    if status in {401, 403}:
        raise RegistryRefused(where, f"HTTP {status}: not allowed; check the credentials")
    if status not in {200, 404}:
        raise RegistryUnavailable(where, f"HTTP {status}")
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        # a proxy's own 404 page says nothing about the subject
        raise RegistryUnavailable(where, f"HTTP {status}, but not JSON") from error
    return None if status == 404 else answer  # noqa: PLR2004


def _registered(answer: Any, subject: str) -> RegisteredSchema:
    references = cast("list[dict[str, Any]]", answer.get("references") or [])
    return RegisteredSchema(
        SchemaVersion(
            subject,
            int(answer["version"]),
            int(answer["id"]),
            str(answer.get("schemaType") or AVRO),
        ),
        str(answer["schema"]),
        tuple(
            Reference(str(one["name"]), str(one["subject"]), int(one["version"]))
            for one in references
        ),
    )
