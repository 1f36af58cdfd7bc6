"""From ``connector.class`` to a family: full names, forks' names, aliases, managed short names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mainstem.watch.resolvers.model import Resolver

# Words that packages of unrelated connectors share.
_SAY_NOTHING = frozenset(
    {"com", "org", "io", "net", "kafka", "connect", "connector", "connectors", "sink", "source"}
)


class FamilyPicker:
    """Finds the family that answers for a class; of two that know its full name, the first."""

    def __init__(self, families: Sequence[Resolver]) -> None:
        in_turn = reversed(families)
        self._by_name = {name: family for family in in_turn for name in family.classes}
        self._by_package = {
            name.removesuffix("*"): family
            for name, family in self._by_name.items()
            if name.endswith(".*")
        }
        self._by_simple_name: dict[str, list[tuple[frozenset[str], Resolver]]] = {}
        for family in families:
            for name in family.classes:
                entry = (_package_words(name), family)
                self._by_simple_name.setdefault(_simple_name(name), []).append(entry)

    def pick(self, connector_class: str, keys: Collection[str] = ()) -> Resolver | None:
        """The family, or None where none is known or several could be meant.

        A fork keeps the simple name in another package. Where families share a simple name, the
        one whose package has more words in common with the fork's is meant; where that does not
        tell, the one that knows more of the config's keys.
        """
        exact = self._by_name.get(connector_class)
        if exact is not None:
            return exact
        for package, family in self._by_package.items():
            if connector_class.startswith(package):
                return family
        candidates = self._by_simple_name.get(_simple_name(connector_class), [])
        words = _package_words(connector_class)
        best = max((len(words & package) for package, _ in candidates), default=0)
        likely = {
            id(family): family for package, family in candidates if len(words & package) == best
        }
        return _best_reader([*likely.values()], keys)


def _best_reader(families: list[Resolver], keys: Collection[str]) -> Resolver | None:
    if len(families) <= 1:
        return families[0] if families else None
    ranked = sorted(families, key=lambda family: _keys_read(family, keys), reverse=True)
    first, second = (_keys_read(family, keys) for family in ranked[:2])
    return ranked[0] if first > second else None


def _keys_read(family: Resolver, keys: Collection[str]) -> int:
    patterns = [re.compile(pattern) for pattern in family.reads.patterns]
    return sum(
        key in family.reads.names or any(pattern.fullmatch(key) for pattern in patterns)
        for key in keys
    )


def _simple_name(connector_class: str) -> str:
    # Connect accepts a class's simple name, with or without "Connector" at its end.
    return connector_class.rpartition(".")[2].removesuffix("Connector")


def _package_words(connector_class: str) -> frozenset[str]:
    return frozenset(connector_class.split(".")[:-1]) - _SAY_NOTHING
