"""A recipe's text with aliases added: every other character stays where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import yaml
from yaml.nodes import MappingNode, Node, SequenceNode

from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.doctor.picture import Link

KEY = "namespaces"
Additions = dict[str, list[str]]


def with_namespaces(text: str, links: Iterable[Link], where: str) -> str:
    """The text of a recipe in which ``namespaces:`` knows these aliases too.

    Raises ``BadRecipe`` where the file is written in a way that cannot be added to.
    """
    tree = cast("dict[str, Any]", yaml.safe_load(text) or {})
    wanted = _missing(_names(tree), links)
    if not wanted:
        return text
    root = cast(
        "Node | None",
        yaml.compose(text, Loader=yaml.SafeLoader),  # pyright: ignore[reportUnknownMemberType]
    )
    new_line = "\r\n" if "\r\n" in text else "\n"
    added = _inserted(text, _insertions(text, root, wanted)).replace("\v", new_line)
    if _loaded(added) != _expected(tree, wanted):
        lines = "; ".join(f"{one}: {', '.join(others)}" for one, others in wanted.items())
        raise BadRecipe(where, [f"{KEY} cannot be added to as it is written; add there: {lines}"])
    return added


def _loaded(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _names(tree: Mapping[str, Any]) -> Additions:
    """What the recipe knows already."""
    known = cast("dict[str, list[str] | None]", tree.get(KEY) or {})
    return {one: list(others or ()) for one, others in known.items()}


def _missing(known: Additions, links: Iterable[Link]) -> Additions:
    wanted: Additions = {}
    for link in links:
        others = wanted.setdefault(link.namespace, [])
        if link.other_namespace not in (*known.get(link.namespace, ()), *others):
            others.append(link.other_namespace)
    return {one: others for one, others in wanted.items() if others}


def _expected(tree: Mapping[str, Any], wanted: Additions) -> dict[str, Any]:
    known = _names(tree)
    for one, others in wanted.items():
        known[one] = [*known.get(one, []), *others]
    return {**tree, KEY: known}


def _insertions(text: str, root: Node | None, wanted: Additions) -> list[tuple[int, str]]:
    """What to put where; a vertical tab stands for the file's own line end."""
    found = _entry(root, KEY)
    if found is None and isinstance(root, MappingNode) and root.flow_style:
        return [_more_in_one(root, wanted)]
    if found is None:
        before = "" if not text or text.endswith("\n") else "\v"
        return [(len(text), f"{before}{KEY}:\v{_block(wanted, 2)}\v")]
    key, value = found
    if not isinstance(value, MappingNode):
        return [(_line_end(text, key), f"\v{_block(wanted, 2)}")]
    known = {one: others for one, others in wanted.items() if _entry(value, one)}
    fresh = {one: others for one, others in wanted.items() if one not in known}
    longer = [_longer(text, value, one, others) for one, others in known.items()]
    return [*longer, *([_more(text, value, fresh)] if fresh else [])]


def _more_in_one(root: MappingNode, wanted: Additions) -> tuple[int, str]:
    """Names for a recipe that is written as JSON is; in a line of its own if others are."""
    entry = f"{_quoted(KEY)}: {{{_listed(wanted)}}}"
    if not root.value:
        return root.end_mark.index - 1, entry
    first, last = root.value[0][0], root.value[-1][1]
    is_tall = first.start_mark.line > root.start_mark.line
    gap = "\v" + " " * first.start_mark.column if is_tall else " "
    return last.end_mark.index, f",{gap}{entry}"


def _more(text: str, names: MappingNode, fresh: Additions) -> tuple[int, str]:
    """Names that the map does not have."""
    if names.flow_style:
        return names.end_mark.index - 1, (", " if names.value else "") + _listed(fresh)
    column = names.value[0][0].start_mark.column
    return _line_end(text, names), f"\v{_block(fresh, column)}"


def _longer(text: str, names: MappingNode, one: str, others: list[str]) -> tuple[int, str]:
    """A name that the map has, with more aliases."""
    found = _entry(names, one)
    value = found[1] if found else names
    if isinstance(value, SequenceNode) and not value.flow_style:
        indent = " " * value.start_mark.column
        return _line_end(text, value), "".join(f"\v{indent}- {_quoted(it)}" for it in others)
    comma = ", " if isinstance(value, SequenceNode) and value.value else ""
    return value.end_mark.index - 1, comma + _flow(others)[1:-1]


def _listed(wanted: Additions) -> str:
    return ", ".join(f"{_quoted(one)}: {_flow(others)}" for one, others in wanted.items())


def _flow(others: list[str]) -> str:
    return f"[{', '.join(map(_quoted, others))}]"


def _block(wanted: Additions, column: int) -> str:
    indent = " " * column
    return "\v".join(
        "\v".join([f"{indent}{_quoted(one)}:", *(f"{indent}  - {_quoted(it)}" for it in others)])
        for one, others in wanted.items()
    )


def _entry(node: Node | None, key: str) -> tuple[Node, Node] | None:
    if not isinstance(node, MappingNode):
        return None
    return next((pair for pair in node.value if pair[0].value == key), None)


def _line_end(text: str, node: Node) -> int:
    """Where the line ends that the last word of a node stands in; a comment may follow the word."""
    last = _last(node)
    end = text.find("\n", last.end_mark.index)
    end = len(text) if end < 0 else end
    return end - 1 if text[:end].endswith("\r") else end


def _last(node: Node) -> Node:
    if not isinstance(node, MappingNode | SequenceNode) or not node.value or node.flow_style:
        return node
    return _last(node.value[-1][1] if isinstance(node, MappingNode) else node.value[-1])


def _inserted(text: str, insertions: list[tuple[int, str]]) -> str:
    """A text with more in it; of two insertions in one place the first comes first."""
    parts: list[str] = []
    before = 0
    for place, more in sorted(insertions, key=lambda one: one[0]):
        parts += text[before:place], more
        before = place
    return "".join([*parts, text[before:]])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
