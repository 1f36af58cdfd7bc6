"""A Camel endpoint, in whichever of its spellings a config has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.watch.transforms.settings import Settings

_CLASS = re.compile(r"Camel(\w+?)(?:Source|Sink)(?:Connector)?$")
_KAMELET = re.compile(r"camel\.kamelet\.([^.]+)\.(.+)")
_URL = re.compile(r"(?:camel:)?([a-z][a-z0-9+.-]*):(?://)?([^?]*)(?:\?(.*))?", re.DOTALL)
_RAW = re.compile(r"RAW\([^)]*\)|RAW\{[^}]*\}")
READS = (
    r"camel\.(?:source|sink)\.(?:url|component)",
    r"camel\.(?:source|sink)\.(?:path|endpoint)\..+",
    r"camel\.kamelet\.[^.]+\..+",
    r"camel\.component\.[^.]+\..+",
)
# What stands behind the scheme of a URL, part by part, under the names that keys give the parts.
_PATHS = {
    "awsddb": r"(?P<tablename>.+)",
    "awskinesis": r"(?P<streamname>.+)",
    "awskinesisfirehose": r"(?P<streamname>.+)",
    "awslambda": r"(?P<function>.+)",
    "awss3": r"(?P<bucketnameorarn>.+)",
    "awssns": r"(?P<topicnameorarn>.+)",
    "awssqs": r"(?P<queuenameorarn>.+)",
    "azureeventhubs": r"(?P<namespace>[^/]+)/(?P<eventhubname>.+)",
    "azurestorageblob": r"(?P<accountname>[^/]+)/(?P<containername>.+)",
    "azurestoragedatalake": r"(?P<accountname>[^/]+)/(?P<filesystemname>.+)",
    "cql": r"(?P<hosts>[^:/]+)(?::(?P<port>\d+))?(?:/(?P<keyspace>\w+))?",
    "elasticsearch": r"(?P<clustername>.+)",
    "file": r"(?P<directoryname>.+)",
    "ftp": r"(?:[^@]*@)?(?P<host>[^:/]+)(?::(?P<port>\d+))?(?P<directoryname>/.*)?",
    "googlepubsub": r"(?P<projectid>[^:]+):(?P<destinationname>.+)",
    "googlestorage": r"(?P<bucketname>.+)",
    "jms": r"(?:(?P<destinationtype>queue|topic|temp-queue|temp-topic):)?(?P<destinationname>.+)",
    "kafka": r"(?P<topic>.+)",
    "minio": r"(?P<bucketname>.+)",
    "mongodb": r"(?P<connectionbean>.+)",
    "mqtt": r"(?P<topic>.+)",
    "sql": r"(?P<query>.+)",
    "rabbitmq": r"(?:(?P<hostname>[^:/]+)(?::(?P<portnumber>\d+))?/)?(?P<exchangename>.+)",
}
_FAMILIES = {
    "activemq": "jms",
    "activemq6": "jms",
    "amqp": "jms",
    "cassandra": "cql",
    "elasticsearchindex": "elasticsearch",
    "elasticsearchrest": "elasticsearch",
    "elasticsearchsearch": "elasticsearch",
    "ftps": "ftp",
    "awss3streamingupload": "awss3",
    "jmsamqp10": "jms",
    "jmsapacheartemis": "jms",
    "jmspooledapacheartemis": "jms",
    "mongodbchangesstream": "mongodb",
    "mqtt5": "mqtt",
    "paho": "mqtt",
    "pahomqtt5": "mqtt",
    "scp": "ftp",
    "sftp": "ftp",
    "sjms": "jms",
    "sjms2": "jms",
    "springrabbitmq": "rabbitmq",
}
"""Components that are configured like another one."""


class CamelEndpoint(Struct, frozen=True):
    """A component and its options, whose names are in lower case and without hyphens."""

    component: str
    options: Mapping[str, str | CannotTell]
    """An option that holds an unfilled placeholder is there as the reason why it cannot be told."""

    def first(self, *names: str) -> str | None:
        """The first of the options that is there, and is no template that records fill in."""
        for name in names:
            value = self.options.get(name, "")
            if isinstance(value, CannotTell):
                raise value
            if value.strip() and "${" not in value:
                return value.strip()
        return None

    def required(self, *names: str) -> str:
        """The first of the options that is there; none of them cannot be."""
        value = self.first(*names)
        if value is None:
            raise CannotTell(f"the endpoint has no {' or '.join(names)}")
        return value


def read_endpoint(config: Settings, side: str) -> CamelEndpoint:
    """The endpoint of a connector's source or sink side."""
    url = config.first(f"camel.{side}.url")
    if url is not None:
        return _by_url(config, url)
    kamelets = {found[1] for key in config if (found := _KAMELET.fullmatch(key))}
    if len(kamelets) == 1:
        kamelet = kamelets.pop()
        return CamelEndpoint(_component(kamelet), _options(config, f"camel.kamelet.{kamelet}."))
    by_class = _CLASS.search(config.get("connector.class", ""))
    name = config.first(f"camel.{side}.component") or (by_class[1] if by_class else "")
    if not name:
        raise CannotTell("the config names no Camel component")
    options = {
        **_component_options(config),
        **_options(config, f"camel.{side}.endpoint."),
        **_options(config, f"camel.{side}.path."),
    }
    return CamelEndpoint(_component(name), options)


def _by_url(config: Settings, url: str) -> CamelEndpoint:
    found = _URL.fullmatch(url)
    if found is None:
        raise CannotTell("the endpoint is not a Camel URI")
    component = _component(found[1])
    options = {**_component_options(config), **_query(found[3] or "")}
    if component in ("http", "https"):
        return CamelEndpoint(component, {**options, "httpuri": found[2]})
    if _may_hold_a_password(found[2] if component != "ftp" else "", found[3] or ""):
        raise CannotTell("the endpoint holds an @ or an & where a password may stand before it")
    parts = re.fullmatch(_PATHS.get(component, ""), found[2])
    if parts is None:
        raise CannotTell("the endpoint's path is not of the form that its component has")
    named = {name: value for name, value in parts.groupdict().items() if value}
    return CamelEndpoint(component, {**options, **named})


def _may_hold_a_password(path: str, query: str) -> bool:
    return "@" in path or "&" in path or "@" in _RAW.sub("", query)


def _component(name: str) -> str:
    bare = re.sub(r"[^a-z0-9]", "", name.lower()).replace("aws2", "aws")
    bare = re.sub(r"(?:source|sink)$", "", bare)
    return _FAMILIES.get(bare, bare)


def _component_options(config: Settings) -> dict[str, str | CannotTell]:
    found = (key.split(".", 3) for key in config if key.startswith("camel.component."))
    keys = {parts[3]: ".".join(parts) for parts in found if len(parts) > 3}  # noqa: PLR2004
    return {_option(name): value for name, key in keys.items() if (value := _value(config, key))}


def _options(config: Settings, prefix: str) -> dict[str, str | CannotTell]:
    return {
        _option(key.removeprefix(prefix)): value
        for key in config
        if key.startswith(prefix) and (value := _value(config, key))
    }


def _value(config: Settings, key: str) -> str | CannotTell:
    """An option's value; a placeholder in one that nobody asks for must not hide the endpoint."""
    try:
        return config[key]
    except CannotTell as unknown:
        return unknown


def _query(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in re.split(r"&(?:amp;)?", text) if part)
    return {_option(name): unquote(value) for name, _, value in pairs}


def _option(name: str) -> str:
    return name.lower().replace("-", "").rpartition(".")[2]
