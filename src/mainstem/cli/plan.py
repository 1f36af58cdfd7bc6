"""``mainstem plan``: what a connector will touch, for whoever reviews or gates its config."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mainstem.cli.exits import EXIT_FAILED
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.preview.planning import Plan, Today
    from mainstem.watch.resolvers.model import Resolution

PLAN_SCHEMA = 1
DEFAULT_FAIL_ON = ("already-written", "no-longer-written", "broken-column")


def plan(
    source: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *,
    connect: str | None = None,
    kafka: str | None = None,
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
        A live Connect cluster, whose other connectors may write the same.
    kafka
        HOST:PORT of the Kafka that the connectors work on.
    backend
        A backend with Marquez's API, whose current graph tells what would break.
    namespace
        The job namespace of the connectors in the backend; by default as watch says it.
    fail_on
        Exit 1 on findings of this kind: already-written, no-longer-written, broken-column, naming,
        unresolved, any or never. May be given several times.
    json
        Print JSON for machines.
    """
    from mainstem.cli.explain import told_in

    wanted = _kinds(fail_on)
    told = told_in(source, kafka)
    others = _others(connect, kafka, {connector.name for connector, _ in told})
    plans = [
        _planned(connector.name, answer, others, backend, namespace) for connector, answer in told
    ]
    if json:
        _print_json(plans)
    else:
        _print_for_people(plans)
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


def _others(
    connect: str | None, kafka: str | None, planned: set[str]
) -> dict[DatasetName, frozenset[str]]:
    """By dataset, the connectors of a live cluster that write it, the planned ones left out."""
    if connect is None:
        return {}
    from mainstem.recipe import from_flags
    from mainstem.watch.loop.settings import settings_of
    from mainstem.watch.loop.single import outputs_on

    recipe = from_flags(connect, kafka=kafka)
    writers: dict[DatasetName, set[str]] = {}
    outputs = outputs_on(settings_of(recipe, recipe.clusters[0], os.environ))
    for connector, datasets in outputs.items():
        for dataset in datasets if connector not in planned else ():
            writers.setdefault(dataset, set()).add(f"connector {connector}")
    return {dataset: frozenset(names) for dataset, names in writers.items()}


def _planned(
    name: str,
    resolution: Resolution,
    others: dict[DatasetName, frozenset[str]],
    backend: str | None,
    namespace: str | None,
) -> Plan:
    from mainstem.watch.preview.planning import plan_of

    today = _today(name, resolution, backend, namespace)
    writers = {
        dataset: today.writers.get(dataset, frozenset()) | others.get(dataset, frozenset())
        for dataset in {*today.writers, *others}
    }
    from msgspec.structs import replace

    return plan_of(name, resolution, replace(today, writers=writers))


def _today(name: str, resolution: Resolution, backend: str | None, namespace: str | None) -> Today:
    from mainstem.names.jobs import connect_namespace
    from mainstem.watch.preview.backend import BackendGraph, is_http
    from mainstem.watch.preview.planning import Today

    if backend is None:
        return Today()
    if not is_http(backend):
        raise BadRecipe("--backend", [f"{backend!r}: must be http://HOST:PORT or https://…"])
    jobs = namespace or os.environ.get("OPENLINEAGE_NAMESPACE") or connect_namespace("connect")
    with BackendGraph(backend, os.environ.get("OPENLINEAGE_API_KEY")) as graph:
        return graph.today(jobs, name, resolution.outputs)


def _print_json(plans: list[Plan]) -> None:
    import orjson

    from mainstem.cli.plainly import plain

    told: dict[str, Any] = {"schema": PLAN_SCHEMA, "plans": plans}
    option = orjson.OPT_INDENT_2
    print(orjson.dumps(told, default=plain, option=option).decode())


def _print_for_people(plans: list[Plan]) -> None:
    for each in plans:
        print(each.connector or "(no name)")
        for word, datasets in (
            ("reads", each.inputs), ("writes", each.outputs), ("control", each.control),
        ):  # fmt: skip
            for dataset in datasets:
                print(f"  {word:<8} {dataset.namespace}  {dataset.name}")
        for finding in each.findings:
            print(f"  {finding.kind.value}: {finding.message}")
        if not each.findings:
            print("  nothing speaks against it")
