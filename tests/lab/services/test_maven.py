"""Downloads: only pinned bytes are used, and a busy repository is asked again."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from mainstem.errors import ArtefactRefused, RepositoryBusy
from mainstem.lab.services.artefacts import PINS as PINS_FILE
from mainstem.lab.services.artefacts import Artefact, fingerprint, pinned
from mainstem.lab.services.library import (
    AVRO,
    CAMEL_S3,
    DEBEZIUM_POSTGRES,
    ICEBERG,
    KAFKA,
    PLUGINS_OF_JARS,
    SPARK_LAKE,
    Library,
)
from mainstem.lab.services.maven import ATTEMPTS, fetch_all, fetch_checked


class FakeRepository:
    """Gives each answer once, the last one for ever; an exception is raised, bytes are a file."""

    def __init__(self, directory: Path, *answers: bytes | RepositoryBusy) -> None:
        self._directory = directory
        self._answers = list(answers)
        self.asked = 0

    def fetch(self, artefact: Artefact) -> Path:
        file = self._directory / f"{artefact.name}-{artefact.version}.{artefact.packaging}"
        if file.exists():
            return file
        self.asked += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, RepositoryBusy):
            raise answer
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(answer)
        return file


def artefact(content: bytes, name: str = "thing", packaging: str = "jar") -> Artefact:
    digest = hashlib.sha256(content).hexdigest()
    return Artefact("org.example", name, packaging, "", "1.0", digest)


BUSY = RepositoryBusy("org.example:thing:jar:1.0", "429 Too Many Requests")


def test_a_busy_repository_is_asked_again_with_growing_pauses(tmp_path: Path) -> None:
    pauses: list[float] = []
    repository = FakeRepository(tmp_path, BUSY, BUSY, b"right")
    file = fetch_checked(artefact(b"right"), repository, sleep=pauses.append)
    assert file.read_bytes() == b"right"
    assert len(pauses) == 2
    assert pauses[0] < pauses[1]


def test_a_repository_that_stays_busy_is_given_up(tmp_path: Path) -> None:
    repository = FakeRepository(tmp_path, BUSY)
    with pytest.raises(RepositoryBusy, match="429"):
        fetch_checked(artefact(b"right"), repository, sleep=lambda _seconds: None)
    assert repository.asked == ATTEMPTS


def test_wrong_bytes_are_refused_and_not_kept(tmp_path: Path) -> None:
    repository = FakeRepository(tmp_path, b"wrong")
    with pytest.raises(ArtefactRefused, match="pinned; not used"):
        fetch_checked(artefact(b"right"), repository)
    assert list(tmp_path.iterdir()) == []


def test_a_download_cut_short_earlier_is_replaced(tmp_path: Path) -> None:
    repository = FakeRepository(tmp_path, b"right")
    (tmp_path / "thing-1.0.jar").write_bytes(b"rig")
    assert fetch_checked(artefact(b"right"), repository).read_bytes() == b"right"


def test_progress_counts_every_file(tmp_path: Path) -> None:
    wanted = [artefact(b"same", name) for name in ("a", "b", "c")]
    seen: list[tuple[str, int, int]] = []
    repository = FakeRepository(tmp_path, b"same")
    files = fetch_all(wanted, repository, lambda *step: seen.append(step))
    assert [file.name for file in files] == ["a-1.0.jar", "b-1.0.jar", "c-1.0.jar"]
    assert seen == [("a", 1, 3), ("b", 2, 3), ("c", 3, 3)]


def archive(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


PLUGIN = archive(plugin=b"inside")
PINS = (artefact(PLUGIN, "plugin", "tar.gz"),)


def test_a_set_is_fetched_once_and_then_needs_no_repository(tmp_path: Path) -> None:
    made: list[FakeRepository] = []

    def repository(cache: Path) -> FakeRepository:
        made.append(FakeRepository(cache, PLUGIN))
        return made[-1]

    first = Library(tmp_path, repository, lambda _name: PINS).ensure("plugin")
    second = Library(tmp_path, repository, lambda _name: PINS).ensure("plugin")
    assert first == second
    assert (first / "plugin").read_bytes() == b"inside"
    assert len(made) == 1


def test_a_set_that_failed_leaves_no_directory_that_looks_complete(tmp_path: Path) -> None:
    broken = Library(tmp_path, lambda cache: FakeRepository(cache, b"broken"), lambda _name: PINS)
    with pytest.raises(ArtefactRefused):
        broken.ensure("plugin")
    assert not broken.directory("plugin").exists()


@pytest.mark.parametrize("name", PLUGINS_OF_JARS)
def test_a_plugin_of_jars_is_one_folder_that_lists_what_it_offers(
    name: str, tmp_path: Path
) -> None:
    jar = artefact(b"classes", "sink")
    library = Library(tmp_path, lambda cache: FakeRepository(cache, b"classes"), lambda _: (jar,))
    # Connect takes each entry of this directory for one plug-in.
    (plugin,) = library.ensure(name).iterdir()
    assert (plugin / "sink-1.0.jar").read_bytes() == b"classes"
    offered: dict[str, list[str]] = {}
    for shim in (file for file in plugin.iterdir() if file.name != "sink-1.0.jar"):
        with zipfile.ZipFile(shim) as listed:
            offered |= {entry: listed.read(entry).decode().split() for entry in listed.namelist()}
    wanted = PLUGINS_OF_JARS[name]
    assert offered == {f"META-INF/services/{key}": [value] for key, value in wanted.items()}


@pytest.mark.parametrize("name", [KAFKA, DEBEZIUM_POSTGRES, AVRO, CAMEL_S3, ICEBERG, SPARK_LAKE])
def test_every_pin_is_a_full_coordinate_with_a_sha256(name: str) -> None:
    for pin in pinned(name):
        assert pin == Artefact.parse(pin.coordinate, pin.sha256)
        assert len(bytes.fromhex(pin.sha256)) == 32


def test_the_name_of_a_set_changes_with_any_pin() -> None:
    pins = pinned(KAFKA)
    assert fingerprint(pins) != fingerprint(pins[1:])


def test_the_list_of_pins_names_no_address() -> None:
    assert "://" not in PINS_FILE.read_text()
