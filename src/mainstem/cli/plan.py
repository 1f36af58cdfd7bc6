"""``mainstem plan``: what a connector will touch, for whoever reviews or gates its config."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mainstem.cli.exits import EXIT_FAILED
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from mainstem.watch.preview.backend import BackendGraph
    from mainstem.watch.preview.planning import Plan

PLAN_SCHEMA = 1
DEFAULT_FAIL_ON = ("already-written", "no-longer-written", "broken-column")


def plan(
    source: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *,
    connect: str | None = None,
    kafka: str | None = None,
    config: Annotated[Path | None, Parameter(name=["--config", "-c"])] = None,
    cluster: str | None = None,
    backend: str | None = None,
    namespace: str | None = None,
    fail_on: tuple[str, ...] = DEFAULT_FAIL_ON,
    json: bool = False,
) -> None:
    """Show what connectors will read and write, and what speaks against it.

    Parameters
    ----------
    source
        A file with one connector's JSON or an array of them, or - for standard input, as for
        explain.
    connect
        A live Connect cluster that lets everybody in, whose other connectors may write the same.
    kafka
        HOST:PORT of the Kafka that the connectors work on; by default the live cluster's.
    config
        Instead of --connect: a recipe of watch or ingest, with what opens the cluster's door.
    cluster
        Which cluster of the recipe is meant, where it has several.
    backend
        A backend with Marquez's API, whose current graph tells what would break.
    namespace
        The job namespace of the connectors in the backend; by default the recipe's, else
        OPENLINEAGE_NAMESPACE, else that of the one Connect cluster which has such a connector.
    fail_on
        Exit 1 on findings of this kind: already-written, no-longer-written, broken-column, naming,
        unresolved, any or never. May be given several times.
    json
        Print JSON for machines.
    """
    from mainstem.cli.explain_where import Where
    from mainstem.cli.plan_comparing import Comparison, planned_in

    wanted = _kinds(fail_on)
    where = Where(connect, kafka, config, cluster)
    settings = where.settings()
    given = planned_in(source, where, settings)
    if namespace is None:
        told = settings.job_namespace if config and settings else None
        namespace = told or os.environ.get("OPENLINEAGE_NAMESPACE")
    with _graph(backend) as graph:
        plans = Comparison(given, graph, namespace).plans()
    if json:
        _print_json(plans)
    else:
        _print_for_people(plans, compared=backend is not None)
    if any(finding.kind.value in wanted for each in plans for finding in each.findings):
        raise SystemExit(EXIT_FAILED)


def _kinds(fail_on: tuple[str, ...]) -> frozenset[str]:
    from mainstem.watch.preview.planning import Kind

    kinds = [kind.value for kind in Kind]
    wrong = [each for each in fail_on if each not in {*kinds, "any", "never"}]
    if wrong:
        allowed = ", ".join([*kinds, "any", "never"])
        raise BadRecipe("mainstem plan", [f"--fail-on {wrong[0]!r}: must be one of {allowed}"])
    if "any" in fail_on:
        return frozenset(kinds)
    return frozenset() if "never" in fail_on else frozenset(fail_on)


def _graph(backend: str | None) -> AbstractContextManager[BackendGraph | None]:
    from mainstem.watch.preview.backend import BackendGraph, is_http

    if backend is None:
        return nullcontext()
    if not is_http(backend):
        raise BadRecipe("--backend", [f"{backend!r}: must be http://HOST:PORT or https://…"])
    return BackendGraph(backend, os.environ.get("OPENLINEAGE_API_KEY"))


def _print_json(plans: list[Plan]) -> None:
    import orjson

    from mainstem.cli.plainly import plain

    told: dict[str, Any] = {"schema": PLAN_SCHEMA, "plans": plans}
    option = orjson.OPT_INDENT_2
    print(orjson.dumps(told, default=plain, option=option).decode())


def _print_for_people(plans: list[Plan], *, compared: bool) -> None:
    for each in plans:
        print(each.connector or "(no name)")
        for word, datasets in (
            ("reads", each.inputs), ("writes", each.outputs), ("control", each.control),
        ):  # fmt: skip
            for dataset in datasets:
                print(f"  {word:<8} {dataset.namespace}  {dataset.name}")
        if compared:
            print(f"  today    {each.job or 'not known to the backend'}")
        for finding in each.findings:
            print(f"  {finding.kind.value}: {finding.message}")
        if not each.findings:
            print("  nothing speaks against it")
