"""``${VAR}`` in a recipe's values, by the shell's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import expandvars  # pyright: ignore[reportMissingTypeStubs]

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_shell = cast("Callable[..., str]", expandvars.expand)  # pyright: ignore[reportUnknownMemberType]

LITERAL_PARTS = ("provided_configs",)
"""Keys under which ``$`` is the connector's business and not ours."""


def expand(
    tree: dict[str, Any], environment: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """The tree with variables replaced, and a line for each one that cannot be."""
    mistakes: list[str] = []

    def walk(node: Any, path: str) -> Any:
        if isinstance(node, dict):
            entries = cast("dict[Any, Any]", node).items()
            return {
                key: walk(value, f"{path}.{key}" if path else str(key)) for key, value in entries
            }
        if isinstance(node, list):
            return [walk(item, f"{path}.{n}") for n, item in enumerate(cast("list[Any]", node))]
        if isinstance(node, str) and "$" in node and not _is_literal(path):
            return _expand_text(node, path, environment, mistakes)
        return node

    return walk(tree, ""), mistakes


def _expand_text(text: str, path: str, environment: Mapping[str, str], mistakes: list[str]) -> str:
    try:
        return _shell(text, nounset=True, environ=dict(environment), surrounded_vars_only=True)
    except expandvars.ExpandvarsException as error:
        mistakes.append(f"{path}: {error}")
        return text


def _is_literal(path: str) -> bool:
    return any(part in path.split(".") for part in LITERAL_PARTS)
