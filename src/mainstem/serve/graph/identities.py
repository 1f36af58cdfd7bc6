"""One physical thing, one node: which dataset numbers are names of the same dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.dataset import DatasetName
from mainstem.names.identity import NO_ALIASES, Aliases, canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

Numbers = tuple[int, ...]


class Identities:
    """Leaders stand for their groups; a dataset without aliases leads itself and costs nothing."""

    def __init__(self) -> None:
        self.aliases: Aliases = NO_ALIASES
        self._leaders: dict[int, int] = {}
        self._groups: dict[int, Numbers] = {}
        self._shown: dict[int, DatasetName] = {}
        self._by_name: dict[DatasetName, int] = {}
        self._preferred: set[DatasetName] = set()

    def build(self, names: Sequence[DatasetName | None], aliases: Aliases) -> Identities:
        """The identities of all datasets under a set of aliases; ``names`` by number."""
        fresh = Identities()
        fresh.aliases = aliases
        preferred = {
            namespace: aliases.in_one_namespace(DatasetName(namespace, "")).namespace
            for namespace in {name.namespace for name in names if name is not None}
        }
        # Names of other namespaces stand for themselves: nothing needs to be kept of them.
        joined = {one for pair in preferred.items() if pair[0] != pair[1] for one in pair}
        renamed = aliases.dataset_names
        if not joined and not renamed:
            return fresh
        together: dict[DatasetName, list[int]] = {}
        for number, name in enumerate(names):
            if name is None or (name.namespace not in joined and name not in renamed):
                continue
            shown = canonical(name.namespace, name.name, aliases)
            together.setdefault(shown, []).append(number)
        for shown, members in together.items():
            fresh._join(shown, members, names)
        return fresh

    def _join(
        self, shown: DatasetName, members: list[int], names: Sequence[DatasetName | None]
    ) -> None:
        leader = next((one for one in members if names[one] == shown), members[0])
        if len(members) > 1 or names[leader] != shown:
            self._preferred.add(shown)
        if names[leader] != shown:
            self._shown[leader] = shown
            self._by_name[shown] = leader
        if len(members) > 1:
            self._groups[leader] = tuple(members)
            self._leaders.update((one, leader) for one in members if one != leader)

    @property
    def preferred_names(self) -> set[DatasetName]:
        """The canonical names of groups, which a new dataset of that name joins."""
        return self._preferred

    def leader(self, number: int) -> int:
        """The number that stands for a dataset."""
        return self._leaders.get(number, number)

    def members(self, leader: int) -> Numbers:
        """Every number that a leader stands for."""
        return self._groups.get(leader) or (leader,)

    def shown_name(self, leader: int, own: DatasetName) -> DatasetName:
        """The canonical name of a leader whose own name is ``own``."""
        return self._shown.get(leader, own)

    def find(self, name: DatasetName, numbers: dict[DatasetName, int]) -> int | None:
        """The leader that any name of a dataset leads to."""
        number = numbers.get(name)
        if number is None:
            preferred = canonical(name.namespace, name.name, self.aliases)
            number = self._by_name.get(preferred, numbers.get(preferred))
        return None if number is None else self.leader(number)

    def surplus(self, word: str, names: Sequence[DatasetName | None]) -> int:
        """How many names hold a word beyond the first of each group that does."""
        found = 0
        for members in self._groups.values():
            known = (names[one] for one in members)
            holding = sum(name is not None and word.lower() in name.name.lower() for name in known)
            found += max(0, holding - 1)
        return found

    def leaders(self, numbers: Numbers) -> Numbers:
        """The leaders of some datasets, each once."""
        if not self._leaders:
            return numbers
        return tuple(dict.fromkeys(map(self.leader, numbers)))
