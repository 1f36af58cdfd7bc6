"""The schemas that records carry themselves, from the last records of a topic.

Read beside all consumers: partitions are assigned and given back, no group is joined and no
offset committed. Of a record only its schema is looked at.
"""

from __future__ import annotations

from collections import deque
from importlib.util import find_spec
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from mainstem.clock import monotonic
from mainstem.errors import CannotTell, KafkaUnavailable
from mainstem.watch.schema_registry.connect_schema import fields_of, schema_in_record
from mainstem.watch.schema_registry.fields import NoSchema, SubjectFields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from confluent_kafka import KafkaError, Message

    from mainstem.watch.schema_registry.access import KafkaAccess
    from mainstem.watch.schema_registry.client import Limits

RECORDS_OF_EACH_PARTITION = 5
"""A deleted row leaves two records, and a transaction's end takes an offset too."""

MOST_PARTITIONS = 64
READINGS_REMEMBERED = 10
SAME_READING_SECONDS = 5.0
"""Key and value of a topic are asked for one after the other."""

POLL_SECONDS = 0.2
_TAIL = -2000
"""librdkafka's ``OFFSET_TAIL``: so many records before the end."""

OURS: Mapping[str, object] = {
    # librdkafka wants a name even of those who join no group
    "group.id": "mainstem-last-records",
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "enable.partition.eof": True,
    "auto.offset.reset": "earliest",
    "allow.auto.create.topics": False,
    "fetch.wait.max.ms": 100,
    "queued.max.messages.kbytes": 16_384,
    "log_level": 0,
}


class _Half(Struct):
    """What the keys or the values of one reading carried."""

    schemas: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Newest first."""

    complaint: str | None = None
    """Why the newest has none."""

    @property
    def kinds(self) -> frozenset[str]:
        """What the records are called; those of one topic mostly by one name."""
        names = (schema.get("name") for schema in self.schemas)
        return frozenset(name for name in names if isinstance(name, str))


class _Reading(Struct):
    topic: str
    when: float
    halves: Mapping[str, _Half]


def client_mistake(access: KafkaAccess) -> str | None:
    """What is wrong with a client's settings; they are read without any server being asked."""
    if find_spec("confluent_kafka") is None:
        return "needs: pip install 'mainstem[kafka]'"
    from confluent_kafka import Consumer, KafkaException  # noqa: PLC0415 - optional

    secrets = {key: secret.reveal() for key, secret in access.settings}
    try:
        Consumer({**secrets, **OURS}).close()
    except (KafkaException, TypeError, ValueError) as error:
        said = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        for value in sorted(filter(None, secrets.values()), key=len, reverse=True):
            said = said.replace(value, "***")
        return said
    return None


class LastRecords:
    """Reads the ends of one Kafka's topics, one topic at a time."""

    at_once = 1
    is_waited_for = False

    def __init__(self, access: KafkaAccess, limits: Limits) -> None:
        from confluent_kafka import Consumer  # noqa: PLC0415 - optional

        self.name = access.bootstrap
        self.pause = access.refresh
        self._limits = limits
        self._closed = Event()
        self._busy = Lock()
        self._last: _Reading | None = None
        self._kinds: dict[tuple[str, str], deque[frozenset[str]]] = {}
        secrets = {key: secret.reveal() for key, secret in access.settings}
        self._consumer = Consumer({**secrets, "bootstrap.servers": access.bootstrap, **OURS})

    def find(self, topic: str, side: str) -> SubjectFields | NoSchema:
        """The fields of a topic's keys or values, by the newest of its last records."""
        try:
            with self._busy:
                half = self._reading(topic).halves[side]
        except CannotTell as unknown:
            return NoSchema(unknown.reason)
        kinds = self._kinds_lately(topic, side, half)
        if len(kinds) > 1:
            return NoSchema(f"there are several kinds of records: {', '.join(sorted(kinds))}")
        if half.complaint or not half.schemas:
            return NoSchema(half.complaint or "the topic holds no record that could tell it")
        try:
            return SubjectFields(None, fields_of(half.schemas[0]))
        except CannotTell as unknown:
            return NoSchema(unknown.reason)

    def close(self) -> None:
        """Read no more; a reading under way is not waited for, as it ends by itself."""
        self._closed.set()
        if self._busy.acquire(timeout=2 * POLL_SECONDS):
            try:
                self._consumer.close()
            finally:
                self._busy.release()

    def _kinds_lately(self, topic: str, side: str, half: _Half) -> frozenset[str]:
        """Also those of earlier readings: of a mixed topic the last few may be of one kind."""
        readings = self._kinds.setdefault((topic, side), deque(maxlen=READINGS_REMEMBERED))
        if half.schemas:
            readings.append(half.kinds)
        return frozenset[str]().union(*readings)

    def _reading(self, topic: str) -> _Reading:
        last = self._last
        now = monotonic()
        if last is None or last.topic != topic or now - last.when > SAME_READING_SECONDS:
            last = _Reading(topic, now, _halves(self._read(topic, now + self._limits.seconds)))
            self._last = last
        return last

    def _read(self, topic: str, deadline: float) -> list[Message]:
        from confluent_kafka import KafkaException, TopicPartition  # noqa: PLC0415 - optional

        if self._closed.is_set():
            raise CannotTell("the topic is not read any more")
        try:
            told = self._consumer.list_topics(topic, timeout=self._limits.seconds).topics[topic]
            partitions = sorted(told.partitions)[:MOST_PARTITIONS]
            if told.error is not None or not partitions:
                raise CannotTell(told.error.str() if told.error else "the topic has no partitions")
            tail = _TAIL - RECORDS_OF_EACH_PARTITION
            self._consumer.assign([TopicPartition(topic, each, tail) for each in partitions])
            try:
                return self._poll(set(partitions), deadline)
            finally:
                self._consumer.unassign()
        except KafkaException as error:
            raise KafkaUnavailable(self.name, error.args[0].str()) from error

    def _poll(self, left: set[int], deadline: float) -> list[Message]:
        """The messages until each partition is at its end or gave as many as are wanted."""
        found: dict[int, list[Message]] = {partition: [] for partition in left}
        while left and not self._closed.is_set():
            if monotonic() > deadline:
                if any(found.values()):
                    break  # a partition without a leader says nothing of the others
                raise KafkaUnavailable(self.name, "reading takes too long")
            message = self._consumer.poll(POLL_SECONDS)
            if message is None:
                continue
            partition = message.partition()
            if (error := message.error()) is not None:
                if not _is_end(error):
                    continue
            elif partition in left:
                found[partition].append(message)
                if len(found[partition]) < RECORDS_OF_EACH_PARTITION:
                    continue
            left.discard(partition if partition is not None else -1)
        return [message for messages in found.values() for message in messages]


def _is_end(error: KafkaError) -> bool:
    """Whether a partition ended; librdkafka gets over most else by itself, or runs out of time."""
    if error.code() == error.TOPIC_AUTHORIZATION_FAILED:
        raise CannotTell("the recipe's Kafka client may not read the topic")
    return error.code() == error._PARTITION_EOF  # noqa: SLF001 - librdkafka's own codes begin so


def _halves(messages: Iterable[Message]) -> Mapping[str, _Half]:
    newest_first = sorted(messages, key=lambda message: message.timestamp()[1], reverse=True)
    halves = {"key": _Half(), "value": _Half()}
    for message in newest_first:
        for half, body in ((halves["key"], message.key()), (halves["value"], message.value())):
            _take(half, body)
    return halves


def _take(half: _Half, body: bytes | str | None) -> None:
    """Keep the schema of one key or value; the newest that is not empty decides whether any is."""
    if body is None or half.complaint:
        return
    try:
        half.schemas.append(schema_in_record(body if isinstance(body, bytes) else body.encode()))
    except CannotTell as unknown:
        half.complaint = None if half.schemas else unknown.reason
