"""A file that grows while it is read."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mainstem.lab.lines import GrowingFile

words = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=5)


@given(st.lists(words, max_size=6), st.integers(1, 9))
def test_every_line_comes_once_and_whole_however_it_is_written(lines: list[str], size: int) -> None:
    written = "".join(f"{line}\n" for line in lines).encode()
    seen: list[str] = []
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "lines"
        growing = GrowingFile(path)
        for start in range(0, len(written), size):
            with path.open("ab") as file:
                file.write(written[start : start + size])
            seen += growing.new_lines()
    assert seen == lines


def test_no_file_has_no_lines(tmp_path: Path) -> None:
    assert GrowingFile(tmp_path / "not-yet").new_lines() == []
