"""The two kinds of session: one with its JVM beside it, and one that is a client alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from mainstem.spark.guard import kept_from_the_job
from mainstem.spark.jvm import DriverJvm, NoJvm
from mainstem.spark.listening import listen
from mainstem.spark.settings import READ_KEYS, READ_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.spark.jvm import Jvm
    from mainstem.spark.listening import Ear

    Farewells = list[Callable[[], None]]


class Driver(Protocol):
    """What tracking needs of a session."""

    key: str
    """Tells applications apart inside this process."""

    application_id: str | None
    version: str
    jvm: Jvm
    stopped_by: Any
    """The object whose ``stop()`` ends the application."""

    def conf(self) -> dict[str, str]:
        """The application's settings, as far as tracking reads them."""
        ...

    def listen(self, ear: Ear, farewells: Farewells) -> None:
        """Hear of queries from now on; ``farewells`` gets what takes it back."""
        ...


def is_remote(session: Any) -> bool:
    """Whether this is a session of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


class ClassicDriver:
    """A session with its JVM beside it."""

    def __init__(self, session: Any) -> None:
        context = session.sparkContext
        self._session = session
        self.key: str = context.applicationId
        self.application_id: str | None = self.key
        self.version: str = session.version
        self.jvm: Jvm = DriverJvm(context)
        self.stopped_by = context

    def conf(self) -> dict[str, str]:
        """What tracking reads of the settings that the application was started with.

        Each setting is two calls to the JVM, and there may be hundreds.
        """
        settings = self._session.sparkContext._jsc.sc().conf()  # noqa: SLF001
        told = {key: str(settings.get(key, "")) for key in READ_KEYS}
        for prefix in READ_PREFIXES:
            for pair in settings.getAllWithPrefix(prefix):
                told[prefix + pair._1()] = pair._2()  # noqa: SLF001
        return told

    def listen(self, ear: Ear, farewells: Farewells) -> None:
        """Register with the session, and with those that are made from it."""
        _listen_to(self._session, ear, farewells)


class RemoteDriver:
    """A session of Spark Connect."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.key: str = session.session_id
        self.application_id: str | None = session.conf.get("spark.app.id", None)
        self.version: str = session.version
        self.jvm: Jvm = NoJvm()
        self.stopped_by = session

    def conf(self) -> dict[str, str]:
        """The settings of the server's session."""
        return dict(self._session.conf.getAll)

    def listen(self, ear: Ear, farewells: Farewells) -> None:
        """Register with the client."""
        # Its modules need more than PySpark alone.
        from mainstem.spark.remote import listen_remotely  # noqa: PLC0415

        farewells += listen_remotely(self._session, ear)


def _listen_to(session: Any, ear: Ear, farewells: Farewells) -> None:
    farewells.append(listen(session, ear))
    make = session.newSession

    def make_and_listen() -> Any:
        made = make()
        if ear.open:
            with kept_from_the_job("listening to a new session"):
                _listen_to(made, ear, farewells)
        return made

    session.newSession = make_and_listen
    farewells.append(lambda: session.__dict__.pop("newSession", None))
