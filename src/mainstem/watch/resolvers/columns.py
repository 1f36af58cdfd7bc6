"""What each column of an output is made from: a topic's fields through the chain, edge by edge."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import KAFKA_PLACE, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Direction
from mainstem.watch.schema_registry.fields import (
    KEY_ROOT,
    VALUE_ROOT,
    DatasetSchema,
    Field,
    NoSchema,
    TopicFields,
)
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.model import Unpredictable
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record, columns, start
from mainstem.watch.transforms.spelling import keeps_undeclared, may_change_names, spelling_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.column_rules import ColumnRules
    from mainstem.watch.resolvers.model import Connector, Edge, Resolution
    from mainstem.watch.transforms.chain import Chain
    from mainstem.watch.transforms.record import Nesting
    from mainstem.watch.transforms.settings import Settings

    Rule = Callable[[ConnectRecord], Iterable[Node]]

_NO_KEY = NoSchema("a dataset that is no topic has no key")
_TOPICS = "kafka://"
_OF_KAFKA = frozenset(part for part, _ in KAFKA_PLACE)
"""What a source's record has of Kafka and of nothing that is read."""
_MOST_FILTERS = 100
"""A condition over a whole row of more columns than these says little of any of them."""

_SCRUBBED = (
    "columns: the converter has scrub.invalid.names, so that a column whose name Avro or Protobuf "
    "refuses is told by the name that it has in the topic"
)

_UNDECLARED = (
    "columns: the converter has preserve.additional.properties, so that a column "
    "__connect_additional_properties__ may hold what the schema does not declare"
)


def with_columns(connector: Connector, rules: ColumnRules, told: Resolution) -> Resolution:
    """The resolution with its column lineage, and with the schemas of what is no topic.

    Each edge takes the schema of its own topic. An output whose columns the family stated itself,
    as those of a query, is left alone.
    """
    is_sink = connector.direction is Direction.SINK
    rule = rules.written if is_sink else rules.read
    if rule is None or not connector.fields:
        return told
    config = settings_of(connector)
    way = _Way(config, rule, rules.nesting(config) if rules.nesting else None)
    stated = {column.output for column in told.columns}
    found = _Found(dict(told.schemas))
    for edge in told.edges:
        topic = edge.input if is_sink else edge.output
        fields = connector.fields.get(topic.name) if topic.namespace.startswith(_TOPICS) else None
        if fields is None or edge.output in stated:
            continue
        try:
            if is_sink:
                found.add_written(edge, fields, way.written(edge, fields))
            else:
                found.add_read(edge, fields, way.read(edge, fields))
        except CannotTell as unknown:
            found.notes[f"columns of {edge.output.name}: {unknown.reason}"] = None
    if not is_sink and found.has_columns and may_change_names(config):
        found.notes[_SCRUBBED] = None
    if is_sink and found.has_columns and keeps_undeclared(config):
        found.notes[_UNDECLARED] = None
    return replace(
        told,
        columns=(*told.columns, *found.edges()),
        schemas=found.schemas,
        notes=(*told.notes, *found.notes),
    )


class _Written(Struct, frozen=True):
    """What a sink makes of a topic's fields."""

    nodes: tuple[Node, ...]
    filters: tuple[Origin, ...]
    """What decides whether a record arrives in its columns."""


class _Read(Struct, frozen=True):
    """What a source's topic is made from."""

    nodes: tuple[Node, ...]
    paths: tuple[str, ...]
    """Every field of the topic, in its order."""

    made: frozenset[str]
    """Those that the connector or its chain make themselves."""

    filters: tuple[str, ...] = ()
    """The columns that decide whether a row arrives."""


class _Way:
    """The way of fields between a connector's topics and its other side."""

    def __init__(self, config: Settings, rule: Rule, nesting: Nesting | None) -> None:
        self._config = config
        self._chain = chain_of(config)
        self._rule = rule
        self._nesting = nesting
        self._start = partial(
            start, value=spelling_of(config, "value"), key=spelling_of(config, "key")
        )

    def written(self, edge: Edge, fields: TopicFields) -> _Written:
        topic = edge.input.name
        end = self._chain.route(topic).end
        name = topic if isinstance(end, Unpredictable) else end
        record = self._chain.forward(topic, self._start(fields))
        nodes = tuple(self._rule(ConnectRecord(self._config, name, record, edge.output)))
        if not nodes:
            raise CannotTell("no field of the records is of a kind that is written there")
        return _Written(nodes, record.filters)

    def read(self, edge: Edge, fields: TopicFields) -> _Read:
        topic = edge.output.name
        before = edge.topic_before or _name_before(self._chain, topic)
        name = topic if isinstance(before, Unpredictable) else before
        end = self._start(fields)
        record = self._chain.backward(before, end, self._nesting)
        nodes = tuple(self._rule(ConnectRecord(self._config, name, record, edge.input)))
        used = {origin.path for _, node in _leaves(nodes) for origin in node.origins}
        value = columns(replace(record, key=_NO_KEY))
        made = {origin.path for _, node in value for origin in node.origins} - used
        if self._chain.steps and not isinstance(before, Unpredictable):
            again = self._chain.forward(before, start(_as_fields(record)))
            made |= {
                path
                for path, node in columns(again)
                if all(origin.path in _OF_KAFKA for origin in node.origins)
            }
        paths = (origin.path for _, node in columns(end) for origin in node.origins)
        filters = tuple(_asked_for(nodes, {origin.path for origin in record.filters}))
        if len(filters) > _MOST_FILTERS:
            filters = ()
        return _Read(nodes, tuple(paths), frozenset(made), filters)


Sources = list[ColumnSource]


class _Found(Struct):
    """What is being found out about one connector's columns."""

    schemas: dict[DatasetName, DatasetSchema]
    notes: dict[str, None] = field(default_factory=dict[str, None])
    _columns: dict[DatasetName, dict[str, Sources]] = field(
        default_factory=dict["DatasetName", dict[str, Sources]]
    )

    @property
    def has_columns(self) -> bool:
        """Whether any is told."""
        return bool(self._columns)

    def add_written(self, edge: Edge, topic: TopicFields, written: _Written) -> None:
        """The columns of a sink's target, from the fields of the topic."""
        known = self._columns.setdefault(edge.output, {})
        for path, node in _leaves(written.nodes):
            sources = known.setdefault(path, [])
            for origin in node.origins:
                sources.append(_source(edge.input, origin.path, origin))
            for origin in written.filters:
                source = _source(edge.input, origin.path, origin)
                sources.append(replace(source, of_rows=True))
        self._add_schema(edge.output, topic, written.nodes)

    def add_read(self, edge: Edge, topic: TopicFields, read: _Read) -> None:
        """The fields of the topic, from the columns of what a source reads."""
        found: dict[str, Sources] = {path: [] for path in read.made}
        filters = [
            ColumnSource(edge.input, path, "FILTER", direct=False, of_rows=True)
            for path in read.filters
        ]
        for path, node in _leaves(read.nodes):
            for origin in node.origins:
                source = _source(edge.input, path, origin)
                found.setdefault(origin.path, []).append(source)
        known = self._columns.setdefault(edge.output, {})
        for path in read.paths:
            if path in found:
                known.setdefault(path, []).extend([*found[path], *filters])
        if not edge.input.namespace.startswith(_TOPICS):
            self._add_schema(edge.input, topic, read.nodes)

    def edges(self) -> Iterator[ColumnEdge]:
        """Each column once, with all that it is made from."""
        for output, found in self._columns.items():
            for path, sources in found.items():
                once = dict.fromkeys(sources) if len(sources) > 1 else sources
                yield ColumnEdge(output, path, tuple(once))

    def _add_schema(self, dataset: DatasetName, topic: TopicFields, nodes: Iterable[Node]) -> None:
        schema = DatasetSchema(tuple(map(_field, nodes)), topic.value_schema, topic.key_schema)
        known = self.schemas.get(dataset)
        self.schemas[dataset] = schema if known is None else _united(known, schema)


def _asked_for(nodes: tuple[Node, ...], halves: set[str]) -> Iterator[str]:
    """The columns that stand in the half of the record that a filter asks for."""
    for path, node in _leaves(nodes) if halves else ():
        roots = {
            KEY_ROOT if origin.path.startswith(KEY_ROOT) else VALUE_ROOT for origin in node.origins
        }
        if roots & halves:
            yield path


def _source(dataset: DatasetName, path: str, origin: Origin) -> ColumnSource:
    return ColumnSource(dataset, path, origin.transformation, origin.direct, origin.masking)


def _name_before(chain: Chain, topic: str) -> str | Unpredictable:
    """The topic's name before the chain; the one that is renamed, where another is not."""
    if not chain.steps:
        return topic
    before = chain.undo(topic)
    if isinstance(before, Unpredictable):
        return before
    certain = [name for name in before if chain.route(name).end == topic]
    renamed = [name for name in certain if name != topic]
    if len(renamed) == 1:
        return renamed[0]
    return certain[0] if len(certain) == 1 else Unpredictable("several names lead to the topic")


def _leaves(nodes: tuple[Node, ...]) -> Iterator[tuple[str, Node]]:
    return columns(Record(Node("", STRUCT, (), nodes), _NO_KEY))


def _as_fields(record: Record) -> TopicFields:
    return TopicFields(_halves(record.value), _halves(record.key))


def _halves(node: Node | NoSchema) -> tuple[Field, ...]:
    if isinstance(node, NoSchema):
        return ()
    return tuple(map(_field, node.fields)) if node.is_record else (_field(node),)


def _field(node: Node) -> Field:
    fields = tuple(map(_field, node.fields)) if node.fields else ()
    return Field(node.name, node.type, fields, node.optional, node.description)


def _united(one: DatasetSchema, other: DatasetSchema) -> DatasetSchema:
    """The columns of both; which schema they were read from is told where it is one."""
    names = {known.name for known in one.fields}
    return DatasetSchema(
        (*one.fields, *(new for new in other.fields if new.name not in names)),
        one.value if one.value == other.value else None,
        one.key if one.key == other.key else None,
    )
