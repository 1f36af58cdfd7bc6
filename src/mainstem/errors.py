"""Every error that Mainstem raises on purpose.

::

    MainstemError
    ├── RetryLater             what failed may work when tried again
    │   ├── BackendUnavailable   no usable answer from a backend that is asked for its graph
    │   ├── ConnectUnavailable   no usable answer from Connect: 409, 5xx, time-out, start-up
    │   ├── DestinationBusy      a destination did not take an event: 429, 5xx, time-out, refused
    │   ├── IssuerUnavailable    no usable answer from an OpenID Connect issuer
    │   ├── KafkaUnavailable     a topic's last records could not be read: no broker, time-out
    │   ├── JournalUnwritable    the journal's disk is full or failing; nothing was stored
    │   ├── RegistryUnavailable  no usable answer from a schema registry: 429, 5xx, time-out
    │   ├── RepositoryBusy       a Maven repository did not give a file: 429, time-out, no network
    │   └── StoreUnavailable     the backend's database does not answer, or is too new
    └── GiveUp                 trying again gives the same answer
        ├── BadRecipe            the user's file or flags are wrong; every mistake is listed
        ├── ConnectRefused       a Connect cluster says no: 401, 403, not a Connect cluster at all
        ├── DestinationRefused   a destination will never take this event: 400, 413, 422
        ├── DestinationLocked    a destination does not let us in: 401, 403
        ├── JournalInUse         another watcher holds this journal
        ├── JournalUnusable      damaged, or written by a newer Mainstem, or not there
        ├── ArtefactRefused      a downloaded file is not the one that we pinned
        ├── CannotTell           a name or an edge cannot be told from what is known
        ├── BadNodeId            a text that is no node id
        ├── RegistryRefused      a schema registry says no: 401, 403, not a registry at all
        ├── ServiceFailed        a service of the lab did not start, or died
        ├── SignInRefused        somebody is not let in; the sentence is for them to read
        ├── StoreInUse           another process writes the backend's store
        ├── StreamFailed         a stream of the pipeline ended by an error of Spark's
        ├── EventRefused         an event is not JSON, not valid, or too large
        └── NotFound             what was asked for is not in the store

Facts are attributes; the message is made from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class MainstemError(Exception):
    """The root; a caller that catches this catches every error made here on purpose."""


class RetryLater(MainstemError):
    """What failed may work when tried again."""


class GiveUp(MainstemError):
    """Trying again gives the same answer."""


class BackendUnavailable(RetryLater):
    """A backend gave no usable answer about its graph."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class ConnectUnavailable(RetryLater):
    """No usable answer from a Connect cluster; nothing may be concluded from it."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class DestinationBusy(RetryLater):
    """A destination did not take an event now; ``retry_after`` is its own wish in seconds.

    ``whole`` says that it takes no event at all now, so that no other needs to be tried.
    """

    def __init__(
        self,
        destination: str,
        reason: str,
        retry_after: float | None = None,
        *,
        whole: bool = False,
    ) -> None:
        super().__init__(f"{destination}: {reason}")
        self.destination = destination
        self.reason = reason
        self.retry_after = retry_after
        self.whole = whole or retry_after is not None


class JournalUnwritable(RetryLater):
    """The journal could not be written: disk full, I/O error, locked; nothing was stored."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} cannot be written: {reason}; nothing of this was stored")
        self.path = path
        self.reason = reason


class RegistryUnavailable(RetryLater):
    """No usable answer from a schema registry; what was known of its schemas stays."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class KafkaUnavailable(RetryLater):
    """The last records of a topic could not be read; what was known of their schemas stays."""

    def __init__(self, bootstrap: str, reason: str) -> None:
        super().__init__(f"{bootstrap}: {reason}")
        self.bootstrap = bootstrap
        self.reason = reason


class RepositoryBusy(RetryLater):
    """A Maven repository did not give a file now."""

    def __init__(self, coordinate: str, reason: str) -> None:
        super().__init__(f"{coordinate} could not be downloaded: {reason}")
        self.coordinate = coordinate
        self.reason = reason


class IssuerUnavailable(RetryLater):
    """An OpenID Connect issuer gave no usable answer; who wants to sign in may try again."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class BadRecipe(GiveUp):
    """The user's file or flags are wrong; ``mistakes`` has one line per mistake."""

    def __init__(self, where: str, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join([f"{where}:", *(f"  {mistake}" for mistake in mistakes)]))
        self.where = where
        self.mistakes = tuple(mistakes)


class ConnectRefused(GiveUp):
    """A Connect cluster says no, or what answers there is no Connect cluster."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class NoSuchResource(ConnectRefused):
    """A worker that knows what it has says that this is not among it."""


class RegistryRefused(GiveUp):
    """A schema registry does not let us in, or what answers there is no registry."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class DestinationRefused(GiveUp):
    """A destination will never take this event; the event becomes a dead letter."""

    def __init__(self, destination: str, reason: str) -> None:
        super().__init__(f"{destination}: {reason}")
        self.destination = destination
        self.reason = reason


class DestinationLocked(GiveUp):
    """A destination does not let us in; it is paused and says so, its events stay."""

    def __init__(self, destination: str, reason: str) -> None:
        super().__init__(f"{destination}: {reason}")
        self.destination = destination
        self.reason = reason


class JournalInUse(GiveUp):
    """Another watcher holds this journal; two would tell every run twice."""

    def __init__(self, path: str, holder: str) -> None:
        super().__init__(
            f"{path} is in use by {holder}; stop it, or give this one another --journal"
        )
        self.path = path
        self.holder = holder


class JournalUnusable(GiveUp):
    """The journal cannot be worked with as it is: damaged, too new, not there."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class ArtefactRefused(GiveUp):
    """A downloaded file is not the one that we pinned; it is not used."""

    def __init__(self, coordinate: str, expected: str, found: str) -> None:
        super().__init__(f"{coordinate} has sha256 {found}, but {expected} is pinned; not used")
        self.coordinate = coordinate
        self.expected = expected
        self.found = found


class ServiceFailed(GiveUp):
    """A service of the lab did not start, or died; ``log`` is where it says why."""

    def __init__(self, service: str, reason: str, log: str | None = None) -> None:
        super().__init__(f"{service}: {reason}" + (f" (log: {log})" if log else ""))
        self.service = service
        self.reason = reason
        self.log = log


class CannotTell(GiveUp):
    """A name or an edge cannot be told from what is known; ``reason`` holds no config value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadNodeId(GiveUp):
    """A text that is no node id."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} is no node id; they look like dataset:NAMESPACE:NAME, "
            "datasetField:NAMESPACE:NAME:FIELD, job:NAMESPACE:NAME or run:UUID"
        )
        self.text = text


class StoreUnavailable(RetryLater):
    """The backend's database does not answer, or cannot be used as it is."""

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(f"{store}: {reason}")
        self.store = store
        self.reason = reason


class StoreInUse(GiveUp):
    """Another process writes this store; two would not see each other's graph."""

    def __init__(self, store: str, holder: str) -> None:
        super().__init__(
            f"{store} is in use by {holder}; stop it, or send the events to it over HTTP"
        )
        self.store = store
        self.holder = holder


class EventRefused(GiveUp):
    """A body is not JSON (400), not a valid event (422) or too large (413)."""

    def __init__(self, code: int, message: str, mistakes: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.mistakes = tuple(mistakes)


class StreamFailed(GiveUp):
    """A stream of the pipeline ended by an error of Spark's; what it had folded stands."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"following {source} ended: {reason}")
        self.source = source
        self.reason = reason


class NotFound(GiveUp):
    """What was asked for is not in the store."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"{kind} '{name}' not found.")
        self.kind = kind
        self.name = name


class SignInRefused(GiveUp):
    """Somebody who wants to sign in is not let in; the sentence is shown to them."""


class SigningKeyUnknown(SignInRefused):
    """An id token was signed with a key that the issuer may have got meanwhile."""
