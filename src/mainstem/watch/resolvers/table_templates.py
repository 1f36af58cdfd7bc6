"""Table names that a config makes of templates and qualifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings


def filled_template(
    config: Settings, key: str, topic: str, *, default: str = "${topic}", variable: str = "topic"
) -> str:
    """A name template of the config with the topic's name in it.

    >>> from mainstem.watch.transforms.settings import Settings
    >>> filled_template(Settings({"table.name.format": "raw_${topic}"}), "table.name.format", "t")
    'raw_t'
    """
    name = config.text(key, default).replace(f"${{{variable}}}", topic)
    if "${" in name:
        raise CannotTell(f"{key} names the target record by record")
    return name


def qualified_table(name: str, *qualifiers: str) -> tuple[str, ...]:
    """The parts of a table's name, those that it leaves out taken from the qualifiers.

    >>> qualified_table('sales."Orders"', "shop", "public")
    ('shop', 'sales', 'Orders')
    """
    parts = tuple(part.strip('"`[]') for part in name.split("."))
    if len(parts) > len(qualifiers) + 1:
        raise CannotTell("a table's name has more parts than its database knows")
    return (*qualifiers[: len(qualifiers) + 1 - len(parts)], *parts)
