"""What a converter's settings change of the usual way to spell the fields of a record.

A topic's columns keep their usual names whatever a connector's converter calls them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.schema_registry.protobuf import ONEOF, WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.watch.schema_registry.fields import Branch
    from mainstem.watch.transforms.settings import Settings

_GENERAL = "connect_union_field_"

SIDES = ("key", "value")
_SETTINGS = tuple(
    f"{side}.converter.{key}"
    for side in SIDES
    for key in (
        "generalized.sum.type.support",
        "enhanced.avro.schema.support",
        "flatten.singleton.unions",
        "flatten.unions",
        "generate.index.for.unions",
        "wrapper.for.nullables",
        "scrub.invalid.names",
        "preserve.additional.properties",
    )
)
READS = (*(f"{side}.converter" for side in SIDES), *_SETTINGS)


class Spelling(Struct, frozen=True):
    """How the converter of keys or of values calls what unions and wrappers hold."""

    generalizes: bool = False
    """Branches by their number; by their name otherwise."""

    qualifies: bool = False
    """Branches of named types by the whole name, and not by the last part of it."""

    wraps_single: bool = False
    """A union of one type is a record as well, and not that type."""

    flattens: bool = False
    """What a ``oneof`` holds stands beside its neighbours."""

    numbers: bool = True
    """The field of a ``oneof`` has its number in its name."""

    unwraps: bool = False
    """Protobuf's wrappers are plain values, and not records of one."""

    def branch(self, branch: Branch) -> str:
        """What a union's branch is called."""
        if self.generalizes:
            return f"{_GENERAL}{branch.index}"
        return branch.qualified if self.qualifies else branch.name

    def is_flattened(self, type_: str) -> bool:
        """Whether fields of that type give their place to what they hold."""
        return self.flattens and type_ == ONEOF

    def is_unwrapped(self, type_: str) -> bool:
        """Whether fields of that type are the one value that they hold."""
        return self.unwraps and type_ in WRAPPERS

    def field(self, name: str, type_: str) -> str:
        """What a field is called by its own name."""
        return name.rpartition("_")[0] if type_ == ONEOF and not self.numbers else name


USUAL = Spelling()


def spelling_of(config: Settings, side: str) -> Spelling:
    """By the settings of a connector's converter, as far as its config has them."""
    own = config.under(f"{side}.converter.")
    if not own:
        return USUAL
    return Spelling(
        generalizes=own.flag("generalized.sum.type.support", default=False),
        qualifies=own.flag("enhanced.avro.schema.support", default=False),
        wraps_single=not own.flag("flatten.singleton.unions", default=True),
        flattens=own.flag("flatten.unions", default=False),
        numbers=own.flag("generate.index.for.unions", default=True),
        unwraps=own.flag("wrapper.for.nullables", default=False),
    )


def may_change_names(config: Settings) -> bool:
    """Whether a source's converter may have put other letters into the names of its fields."""
    return any(
        config.flag(f"{side}.converter.scrub.invalid.names", default=False) for side in SIDES
    )


def keeps_undeclared(config: Settings) -> bool:
    """Whether a sink's converter hands on what a JSON Schema does not declare, as a map."""
    return any(
        config.flag(f"{side}.converter.preserve.additional.properties", default=False)
        for side in SIDES
    )


def with_worker_s(config: Mapping[str, str], worker: Mapping[str, str]) -> Mapping[str, str]:
    """The config with its worker's converter settings, for a half that has no converter itself."""
    if not worker:
        return config
    taken = {
        key: worker[key]
        for key in _SETTINGS
        if key in worker and f"{key.partition('.')[0]}.converter" not in config
    }
    return {**config, **taken} if taken else config
