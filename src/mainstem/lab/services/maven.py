"""Fetching pinned artefacts: checked by hash, tried again while the repository is busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from mainstem.errors import ArtefactRefused, RepositoryBusy
from mainstem.lab.services.artefacts import Artefact, sha256_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

THREADS = 4
ATTEMPTS = 8
LONGEST_WAIT = 60
HTTP_TIMEOUT = 120

Progress = Callable[[str, int, int], None]
"""Called with what is being fetched, how many files are there, how many there will be."""


class Repository(Protocol):
    """Where artefacts come from; raises ``RepositoryBusy`` when it may work later."""

    def fetch(self, artefact: Artefact) -> Path:
        """The artefact's file on this machine, downloaded if it is not there yet."""
        ...


class JgoRepository:
    """Maven Central through jgo, which knows its address and keeps files in ``cache``."""

    def __init__(self, cache: Path) -> None:
        # Imported here because jgo brings requests and a hundred modules that no other verb needs.
        from jgo.maven import MavenContext

        self._context = MavenContext(repo_cache=cache, timeout=HTTP_TIMEOUT)

    def fetch(self, artefact: Artefact) -> Path:
        """The artefact's file in the cache, downloaded if it is not there yet."""
        import requests

        component = self._context.project(artefact.group, artefact.name)
        file = component.at_version(artefact.version).artifact(
            classifier=artefact.classifier, packaging=artefact.packaging
        )
        try:
            return file.resolve()
        # After four answers of 429 jgo says "not found", which for a pinned file means busy.
        except (RuntimeError, requests.RequestException) as error:
            reason = str(error).splitlines()[0]
            raise RepositoryBusy(artefact.coordinate, reason) from error


def fetch_checked(
    artefact: Artefact, repository: Repository, *, sleep: Callable[[float], None] = time.sleep
) -> Path:
    """The artefact's file with exactly the pinned bytes; a broken one is fetched once more."""
    file = _fetch_patiently(artefact, repository, sleep)
    if sha256_of(file) == artefact.sha256:
        return file
    # A download that was cut short by a crash stays in the cache under its final name.
    file.unlink()
    file = _fetch_patiently(artefact, repository, sleep)
    found = sha256_of(file)
    if found != artefact.sha256:
        file.unlink()
        raise ArtefactRefused(artefact.coordinate, artefact.sha256, found)
    return file


def fetch_all(
    artefacts: Sequence[Artefact], repository: Repository, progress: Progress
) -> list[Path]:
    """The files of all artefacts, in the same order."""
    files: list[Path] = []

    def pause(seconds: float) -> None:
        progress(f"the repository is busy, again in {seconds:.0f} s", len(files), len(artefacts))
        time.sleep(seconds)

    def fetch(artefact: Artefact) -> Path:
        return fetch_checked(artefact, repository, sleep=pause)

    with ThreadPoolExecutor(THREADS) as pool:
        fetched = pool.map(fetch, artefacts)
        for artefact, file in zip(artefacts, fetched, strict=True):
            files.append(file)
            progress(artefact.name, len(files), len(artefacts))
    return files


def _fetch_patiently(
    artefact: Artefact, repository: Repository, sleep: Callable[[float], None]
) -> Path:
    for attempt in range(1, ATTEMPTS):
        try:
            return repository.fetch(artefact)
        except RepositoryBusy:
            sleep(min(LONGEST_WAIT, 2**attempt))
    return repository.fetch(artefact)
