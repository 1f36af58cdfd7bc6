"""``${VAR}`` in a recipe's values, by the shell's rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import expandvars  # pyright: ignore[reportMissingTypeStubs]

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_shell = cast("Callable[..., str]", expandvars.expand)  # pyright: ignore[reportUnknownMemberType]

LITERAL_PARTS = ("provided_configs",)
"""Keys under which ``$`` is the connector's business and not ours."""


_BRACED = re.compile(r"\$\{.+\}")


def expand(
    tree: dict[str, Any], environment: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """The tree with variables replaced, and a line for each one that cannot be."""

    def expand_text(text: str, path: str) -> str:
        return text if _is_literal(path) else _braced(text, environment)

    return _walked(tree, expand_text)


def expand_as_datahub(
    tree: dict[str, Any], environment: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """The same by DataHub's rules: a text that begins with a bare ``$VAR`` is expanded too.

    Such a text may as well be a password; where no such variable is set, it stays as it is.
    """

    def expand_text(text: str, _path: str) -> str:
        if _BRACED.search(text):
            return _shell(text, nounset=True, environ=dict(environment))
        if not text.startswith("$"):
            return text
        try:
            return _shell(text, nounset=True, environ=dict(environment))
        except expandvars.UnboundVariable:
            return text

    return _walked(tree, expand_text)


def _walked(
    tree: dict[str, Any], expand_text: Callable[[str, str], str]
) -> tuple[dict[str, Any], list[str]]:
    mistakes: list[str] = []

    def walk(node: Any, path: str) -> Any:
        if isinstance(node, dict):
            entries = cast("dict[Any, Any]", node).items()
            return {
                key: walk(value, f"{path}.{key}" if path else str(key)) for key, value in entries
            }
        if isinstance(node, list):
            return [walk(item, f"{path}.{n}") for n, item in enumerate(cast("list[Any]", node))]
        if isinstance(node, str) and "$" in node:
            try:
                return expand_text(node, path)
            except expandvars.UnboundVariable as error:
                name = str(error.args[0]).partition(":")[0]
                known = f"the environment has no {name}; ${{{name}:-DEFAULT}} would do without"
                mistakes.append(f"{path}: {known}")
            except expandvars.ExpandvarsException as error:
                mistakes.append(f"{path}: {error}")
        return node

    return walk(tree, ""), mistakes


def _braced(text: str, environment: Mapping[str, str]) -> str:
    return _shell(text, nounset=True, environ=dict(environment), surrounded_vars_only=True)


def _is_literal(path: str) -> bool:
    return any(part in path.split(".") for part in LITERAL_PARTS)
