"""What MongoDB's source calls its topics, forward from a collection and back to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import orjson
from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.watch.transforms.java_regex import matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.watch.transforms.settings import Settings

READS = (
    "topic.mapper",
    "topic.namespace.map",
    "topic.prefix",
    "topic.separator",
    "topic.suffix",
)
_REGEX_MARK = "/"
_ANY = "*"
_VARIABLE = re.compile(r"\{(db|sep|coll|sep_coll|coll_sep|sep_coll_sep)\}")

Collection = tuple[str, str]


class MongoTopicNames(Struct, frozen=True):
    """How a connector names topics after databases and collections."""

    prefix: str
    suffix: str
    separator: str
    namespaces: Mapping[str, str]
    """``topic.namespace.map``: collections, databases, ``/`` and a regex, or ``*``."""

    predictable: bool
    """Whether the mapper is the one that comes with the connector."""

    def of(self, database: str, collection: str) -> str:
        """The topic of a collection."""
        return self.prefix + self._undecorated(database, collection) + self.suffix

    def spelt_out(self, database: str | None) -> list[Collection]:
        """The collections that the map names one by one, of the database watched."""
        plain = [key for key in self.namespaces if not key.startswith(_REGEX_MARK) and "." in key]
        split = [(key.partition(".")[0], key.partition(".")[2]) for key in plain]
        return [one for one in split if database in (None, one[0])]

    def collections_of(self, topic: str, database: str | None) -> list[Collection]:
        """The collections that may lie behind a topic; every one of them makes its name."""
        if not (topic.startswith(self.prefix) and topic.endswith(self.suffix)):
            return []
        bare = topic[len(self.prefix) : len(topic) - len(self.suffix)]
        candidates = [*self.spelt_out(database), *self._split(bare, database)]
        for key, mapped in self.namespaces.items():
            if key.startswith(_REGEX_MARK) or key == _ANY:
                if mapped == bare or _VARIABLE.search(mapped):
                    raise CannotTell("a pattern of topic.namespace.map may name the topic")
            elif "." not in key and bare.startswith(mapped + self.separator):
                candidates.append((key, bare[len(mapped + self.separator) :]))
        return [one for one in dict.fromkeys(candidates) if self.of(*one) == topic]

    def _split(self, bare: str, database: str | None) -> list[Collection]:
        found, _, name = bare.partition(self.separator)
        if database is not None:
            found, name = database, bare.removeprefix(database + self.separator)
        return [(found, name)] if found and name else []

    def _undecorated(self, database: str, collection: str) -> str:
        exact = self.namespaces.get(f"{database}.{collection}")
        if exact:
            return exact
        of_database = self.namespaces.get(database)
        if of_database:
            return of_database + self.separator + collection
        for key, template in self.namespaces.items():
            if key.startswith(_REGEX_MARK) and matches(key[1:], f"{database}.{collection}"):
                return self._filled(template, database, collection)
        return self.namespaces.get(_ANY) or database + self.separator + collection

    def _filled(self, template: str, database: str, collection: str) -> str:
        values = {"db": database, "coll": collection, "sep": self.separator}
        return _VARIABLE.sub(
            lambda found: "".join(values[word] for word in found[1].split("_")), template
        )


def topic_names(config: Settings) -> MongoTopicNames:
    """How the config makes topics' names."""
    separator = config.text("topic.separator", ".")
    prefix, suffix = config.text("topic.prefix", ""), config.text("topic.suffix", "")
    return MongoTopicNames(
        prefix=prefix + separator if prefix else "",
        suffix=separator + suffix if suffix else "",
        separator=separator,
        namespaces=_namespace_map(config.first("topic.namespace.map")),
        predictable=config.text("topic.mapper", "DefaultTopicMapper").endswith(
            "DefaultTopicMapper"
        ),
    )


def _namespace_map(text: str | None) -> dict[str, str]:
    try:
        document: Any = orjson.loads(text or "{}")
    except orjson.JSONDecodeError as refused:
        raise CannotTell("topic.namespace.map is not JSON") from refused
    if not isinstance(document, dict):
        raise CannotTell("topic.namespace.map is not a JSON object")
    given = cast("dict[str, Any]", document)
    templates = {key: str(value) for key, value in given.items() if value}
    if any(key.startswith(_REGEX_MARK) and _is_refused(templates[key]) for key in templates):
        raise CannotTell("topic.namespace.map holds a variable that the connector refuses")
    return templates


def _is_refused(template: str) -> bool:
    rest = _VARIABLE.sub("", template)
    return "{" in rest or "}" in rest
