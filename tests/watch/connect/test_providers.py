from __future__ import annotations

from pathlib import Path

import pytest

from mainstem.watch.connect.providers import LARGEST_FILE, Providers


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    directory = tmp_path / "opened"
    directory.mkdir()
    (directory / "db.properties").write_text(
        "host=db\nurl=jdbc:postgresql://u:pw@h/d\npassword=x\n"
    )
    (tmp_path / "closed.properties").write_text("host=elsewhere\n")
    return directory


def test_listed_directories_and_names_are_read(opened: Path) -> None:
    providers = Providers((opened,), ("DB_.*",), {"DB_HOST": "db", "HOME": "/root"})
    file = f"{opened}/db.properties"
    config = {"a": f"x-${{file:{file}:host}}-${{env:DB_HOST}}", "b": "${env::DB_HOST}"}
    assert providers.values(config) == {
        f"${{file:{file}:host}}": "db", "${env:DB_HOST}": "db", "${env::DB_HOST}": "db"
    }  # fmt: skip
    (opened / "db.properties").write_text("host=another-db\n")
    assert "another-db" in providers.values(config).values()


@pytest.mark.parametrize(
    "placeholder",
    [
        "${{env:HOME}}",
        "${{env:DB_PASSWORD}}",
        "${{file:{opened}/db.properties:password}}",
        "${{file:{opened}/../closed.properties:host}}",
        "${{file:{opened}/link.properties:host}}",
        "${{file:{opened}/large.properties:host}}",
        "${{file:{opened}/none.properties:host}}",
        "${{file:{opened}:host}}",
        "${{file:relative.properties:host}}",
        "${{vault:{opened}/db.properties:host}}",
        "${{directory:{opened}:db.properties}}",
    ],
)
def test_everything_else_stays_a_placeholder(placeholder: str, opened: Path) -> None:
    (opened / "link.properties").symlink_to(opened.parent / "closed.properties")
    (opened / "large.properties").write_text("host=x\n" + " " * LARGEST_FILE)
    environment = {"HOME": "/root", "DB_PASSWORD": "x"}
    providers = Providers((opened,), ("DB_.*",), environment)
    assert providers.values({"key": placeholder.format(opened=opened)}) == {}


def test_nothing_listed_is_nothing_read(opened: Path) -> None:
    assert Providers().values({"key": f"${{file:{opened}/db.properties:host}}"}) == {}


def test_a_value_with_credentials_comes_without_them(opened: Path) -> None:
    config = {"url": f"${{file:{opened}/db.properties:url}}"}
    providers = Providers((opened,))
    assert list(providers.values(config).values()) == ["jdbc:postgresql://h/d"]
    assert "pw" not in repr(providers)
