"""Brings proposals to a DataHub through its own emitter."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import orjson

from mainstem.errors import DestinationBusy, DestinationRefused
from mainstem.outbox.destinations.http_answer import Answer, judge
from mainstem.scrub import scrub

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from datahub.emitter.rest_emitter import DatahubRestEmitter

    from mainstem.outbox.model import StoredEvent
    from mainstem.watch.datahub.proposals import Proposal


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """Where a DataHub is, and what opens it."""

    server: str
    token: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    ca_certificate: str | None = None
    client_certificate: str | None = None
    verify: bool = True


def packed(proposals: Sequence[Proposal]) -> bytes:
    """What the outbox keeps of one connector's proposals: they go in one request."""
    return orjson.dumps({"proposals": proposals})


class DataHubDestination:
    """One DataHub."""

    name = "datahub"
    kind = "datahub-rest"

    def __init__(self, access: ServerAccess) -> None:
        # loading it takes a while, which must not be taken for a DataHub that does not answer
        import datahub.emitter.rest_emitter  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]

        self._access = access

    def deliver(self, event: StoredEvent) -> None:
        """One connector's proposals; the emitter's own retries are off, the outbox has better."""
        from datahub.configuration.common import OperationalError  # noqa: PLC0415 - an extra
        from datahub.emitter.mcp import MetadataChangeProposalWrapper  # noqa: PLC0415

        told: dict[str, Any] = orjson.loads(event.body)
        if "proposals" not in told:
            raise DestinationRefused(self.name, "not DataHub's: made for the recipe's earlier sink")
        read = cast("Callable[[Proposal], Any]", MetadataChangeProposalWrapper.from_obj)  # pyright: ignore[reportUnknownMemberType]
        proposals = [read(each) for each in told["proposals"]]
        try:
            self._emitter.emit_mcps(proposals)
        except OperationalError as error:
            self._judge(error.__cause__)

    def close(self) -> None:
        """Give the connections back."""
        if "_emitter" in self.__dict__:
            self._emitter.close()
            del self._emitter

    @cached_property
    def _emitter(self) -> DatahubRestEmitter:
        from datahub.emitter.rest_emitter import DatahubRestEmitter  # noqa: PLC0415

        access = self._access
        return DatahubRestEmitter(
            gms_server=access.server,
            token=access.token,
            timeout_sec=access.timeout_seconds,
            retry_max_times=0,
            extra_headers=dict(access.headers),
            ca_certificate_path=access.ca_certificate,
            client_certificate_path=access.client_certificate,
            disable_ssl_verification=not access.verify,
            openapi_ingestion=False,
        )

    def _judge(self, cause: BaseException | None) -> None:
        answer = getattr(cause, "response", None)
        if answer is None:
            reason = scrub(str(cause)) if cause else "no answer"
            raise DestinationBusy(self.name, f"cannot be reached: {reason}", whole=True)
        retry_after = answer.headers.get("Retry-After")
        judge(self.name, Answer(answer.status_code, retry_after, scrub(answer.text)))
