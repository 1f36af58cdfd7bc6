"""``mainstem explain``: what connectors read and write, and how that is known."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from cyclopts import Parameter

from mainstem.cli.explain_where import Where
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from mainstem.watch.loop.kafka_name import KafkaName
    from mainstem.watch.resolvers.model import Connector, Resolution, Unresolved

ASSUMED_KAFKA = "kafka://unknown"
NO_KAFKA = (
    f"topics stand under {ASSUMED_KAFKA}, since nothing tells which Kafka cluster is meant; "
    "give --kafka HOST:PORT or KAFKA_BOOTSTRAP"
)
NO_CONNECTOR = "no connector"
EXPECTED = "an object with a config, or a config with its connector.class, is expected"

_KINDS: dict[type[object], str] = {
    bool: "true or false",
    float: "a number",
    int: "a number",
    str: "a text",
    type(None): "null",
}
"""What JSON may hold beside objects; of lists, only an empty one is an entry."""


def explain(
    source: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *others: Annotated[str, Parameter(allow_leading_hyphen=True)],
    connect: str | None = None,
    kafka: str | None = None,
    config: Annotated[Path | None, Parameter(name=["--config", "-c"])] = None,
    cluster: str | None = None,
    json: bool = False,
    columns: bool = False,
) -> None:
    """Show what connectors read and write, from their JSON alone or on a live cluster.

    Parameters
    ----------
    source
        A file with one connector or an array of them, or - for standard input. Each is an object
        {name, type?, config, topics?, tasks?, provided?, schemas?}, or a bare config; what Connect
        answers to GET /connectors?expand=info&expand=status does too. With --connect or -c, the
        name of a connector.
    others
        More files, or with --connect or -c more connectors, told in the order given.
    connect
        The address of a live Connect cluster that lets everybody in.
    kafka
        HOST:PORT of the Kafka that the connectors work on.
    config
        Instead of --connect: a recipe of watch or ingest, with what opens the cluster's door.
    cluster
        Which cluster of the recipe is meant, where it has several.
    json
        Print an array for machines, one entry per connector in the order given.
    columns
        Print what each column is made from, too; the topics' schemas stand under schemas.
    """
    sources = (source, *others)
    where = Where(connect, kafka, config, cluster)
    settings = where.settings()
    if settings is not None:
        from mainstem.watch.loop.single import look_at_one

        told = [look_at_one(settings, name) for name in sources]
    else:
        named = where.kafka_name()
        documents = [document for each in sources for document in documents_of(each)]
        told = [_told(document, named) for document in documents]
    if any(connector.kafka_namespace == ASSUMED_KAFKA for connector, _ in told):
        print(f"note: {NO_KAFKA}", file=sys.stderr)
    if json:
        _print_json(told)
    else:
        _print_for_people(told, columns=columns)


def _told(document: object, kafka: KafkaName) -> tuple[Connector, Resolution | Unresolved]:
    from mainstem.watch.resolvers import resolve
    from mainstem.watch.resolvers.model import Unresolved

    connector = connector_in(document, kafka)
    if mistake := no_connector(document):
        return connector, Unresolved(NO_CONNECTOR, mistake)
    return connector, resolve(connector)


def connector_in(document: object, kafka: KafkaName) -> Connector:
    """What an entry of a file tells of a connector, on that Kafka or on its own."""
    from msgspec.structs import replace

    from mainstem.watch.loop.kafka_name import name_for_connector
    from mainstem.watch.resolvers import direction_of
    from mainstem.watch.resolvers.told import connector_from

    fields = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    connector = connector_from(fields, kafka.namespace)
    direction = direction_of(connector, connector.config.get("connector.class", ""))
    named = name_for_connector(connector.config, direction.value, kafka)
    return replace(connector, kafka_namespace=named.namespace)


def no_connector(document: object) -> str | None:
    """What an entry is instead of a connector, and what is expected."""
    kind = _other_kind(cast("Any", document))
    return f"the entry is {kind}; {EXPECTED}" if kind else None


def _other_kind(document: object) -> str | None:
    if not isinstance(document, dict):
        return _KINDS.get(type(document), "an empty list")
    fields = cast("dict[str, Any]", document)
    if not fields:
        return "an empty object"
    if "config" in fields:
        config: object = fields["config"]
        return None if config and isinstance(config, dict) else "a connector without a config"
    return None if "connector.class" in fields else "an object without config and connector.class"


def documents_of(source: str) -> list[Any]:
    """The entries of a file, or of standard input, whether they are connectors or not."""
    import orjson

    from mainstem.watch.resolvers.told import documents_in

    text = sys.stdin.buffer.read() if source == "-" else _file(source)
    try:
        found: Any = orjson.loads(text.removeprefix(BOM_UTF8))
    except orjson.JSONDecodeError as mistake:
        raise BadRecipe(source, [f"not JSON: {mistake}"]) from mistake
    said = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if "error_code" in said:
        reason = f"an error of Connect, not a connector: {said['error_code']} {said.get('message')}"
        raise BadRecipe(source, [reason])
    return documents_in(cast("Any", found))


def _file(source: str) -> bytes:
    try:
        return Path(source).read_bytes()
    except OSError as mistake:
        raise BadRecipe(source, [f"cannot be read: {mistake.strerror}"]) from mistake


def _print_json(told: list[tuple[Connector, Resolution | Unresolved]]) -> None:
    import orjson

    from mainstem.watch.resolvers.passages import passages
    from mainstem.watch.resolvers.told import as_json, chain_as_json

    entries = [
        {
            **as_json(connector.name, answer),
            "chain": chain_as_json(passages(connector, answer)),
        }
        for connector, answer in told
    ]
    print(orjson.dumps(entries, option=orjson.OPT_INDENT_2).decode())


def _print_for_people(
    told: list[tuple[Connector, Resolution | Unresolved]], *, columns: bool
) -> None:
    from rich.console import Console

    from mainstem.cli.explaining import explanation

    console = Console(highlight=False, soft_wrap=True)
    for connector, answer in told:
        for line in explanation(connector, answer, columns=columns):
            console.print(line, markup=False, style=None)
