"""Names are found as if each were looked at alone."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.serve.graph.name_index import NameIndex

_names = st.text("aBé.\n", min_size=1, max_size=5)


def _told(text: str) -> str:
    return text.lower().replace("\n", " ")


@settings(max_examples=150, deadline=None)
@given(names=st.lists(_names, max_size=8), word=_names, few=st.sampled_from([0, 1000]))
def test_a_word_is_found_in_every_name_that_holds_it_and_no_other(
    names: list[str], word: str, few: int
) -> None:
    index = NameIndex(enumerate(names), few)
    hits = list(index.hits(word))
    holding = [at for at, name in enumerate(names) if _told(word) in _told(name)]
    assert sorted(hits) == holding
    assert index.count(word) == len(holding)
    beginning = [_told(names[at]).startswith(_told(word)) for at in hits]
    assert beginning == sorted(beginning, reverse=True)
