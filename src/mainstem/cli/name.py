"""``mainstem name``: what something will be called, for other engines to agree with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mainstem.cli.exits import EXIT_FAILED
from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName


def name(*words: Annotated[str, Parameter(allow_leading_hyphen=True)], json: bool = False) -> None:
    """Show what a dataset is called: its OpenLineage namespace and name.

    Parameters
    ----------
    words
        A JDBC URL and a table, or a kind, a place and a name, such as: kafka b1:9092 orders,
        glue eu-west-3:000000000000 shop.orders, location s3://lake/shop/orders.
        Without any, or with -, one dataset per line of standard input.
    json
        Print {namespace, name}; an array for lines of standard input.
    """
    from mainstem.names.by_words import connector_name_differs, dataset_from_words, words_of_line

    if words and words != ("-",):
        _print(dataset_from_words(words), json=json)
        if differs := connector_name_differs(words):
            print(f"note: {differs}", file=sys.stderr)
        return
    lines = [line for line in sys.stdin.read().splitlines() if line.strip()]
    answers = [_answer(words_of_line(line)) for line in lines]
    if json:
        _print_array(answers)
    else:
        for answer in answers:
            print(_line(answer))
    if any(isinstance(answer, CannotTell) for answer in answers):
        raise SystemExit(EXIT_FAILED)


def _answer(words: list[str]) -> DatasetName | CannotTell:
    from mainstem.names.by_words import dataset_from_words

    try:
        return dataset_from_words(words)
    except CannotTell as unknown:
        return unknown


def _print(dataset: DatasetName, *, json: bool) -> None:
    if json:
        import orjson

        print(orjson.dumps(_fields(dataset)).decode())
    else:
        print(_line(dataset))


def _print_array(answers: list[DatasetName | CannotTell]) -> None:
    import orjson

    print(
        orjson.dumps([_fields(answer) for answer in answers], option=orjson.OPT_INDENT_2).decode()
    )


def _fields(answer: DatasetName | CannotTell) -> dict[str, str | None]:
    if isinstance(answer, CannotTell):
        return {"namespace": None, "name": None, "error": answer.reason}
    return {"namespace": answer.namespace, "name": answer.name}


def _line(answer: DatasetName | CannotTell) -> str:
    if isinstance(answer, CannotTell):
        return f"? {answer.reason}"
    return f"{answer.namespace} {answer.name}"
