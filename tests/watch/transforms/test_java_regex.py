from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.watch.transforms.java_regex import ATTEMPTS, compiled, matches, replace_first


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"orders\..*", "orders.eu"),
        (r"(?i)ORDERS", "orders"),
        (r"a(?i)bc", "aBC"),
        (r"a++b", "aaab"),
        (r"(?>a+)b", "aab"),
        (r"\Qa.b\E-\d", "a.b-1"),
        (r"(?<x>a+)-\k<x>", "aa-aa"),
        (r"[a-z&&[^b]]+", "acd"),
        (r"[a[bc]]+", "abc"),
        (r"\p{Alpha}\p{javaLowerCase}\P{Digit}", "Xyz"),
        (r"[\p{Alnum}_]+", "a_9"),
        (r"x--y~~", "x--y~~"),
        (r"\x{41}\0101\u0041", "AAA"),
        (r"(?d)a(?-u)b", "ab"),
        (r"a\z", "a"),
    ],
)
def test_what_java_matches_is_matched(pattern: str, text: str) -> None:
    assert matches(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("orders", "orders.eu"),
        (r"\Qa.b\E", "axb"),
        (r"a(?i)bc", "ABC"),
        (r"a++ab", "aaab"),
        (r"\w", "ä"),
        (r"\d", "٣"),
        (r"(?i)ä", "Ä"),
    ],
)
def test_what_java_refuses_is_refused(pattern: str, text: str) -> None:
    assert not matches(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "replacement", "text", "after"),
    [
        ("(.*)", "x-$1", "orders", "x-orders"),
        ("a|ab", "Z", "ab", "Zb"),  # find() takes the first alternative, unlike matches()
        ("(a)(b)", "$2$1", "ab", "ba"),
        ("(a)", "$11", "a", "a1"),  # there is no eleventh group
        ("(?<db>[a-z]+)-.*", "x-${db}", "shop-1", "x-shop"),
        (".*", "copy_of_$0", "t", "copy_of_t"),
        ("(a)|(b)", "<$2>", "a", "<>"),
        ("a", r"\$1\\", "a", "$1\\"),
        ("x", "y", "a", "a"),
    ],
)
def test_replace_first(pattern: str, replacement: str, text: str, after: str) -> None:
    assert replace_first(pattern, replacement, text) == after


@pytest.mark.parametrize("replacement", ["$", "$x", "$2", "\\", "${1a}"])
def test_a_replacement_that_java_refuses_tells_nothing(replacement: str) -> None:
    with pytest.raises(CannotTell):
        replace_first("(a)", replacement, "a")


@pytest.mark.parametrize("pattern", ["[", "(", "*a", "a**", "a{2,1}", r"\x{110000}", "(" * 30_000])
def test_a_pattern_that_java_refuses_tells_nothing(pattern: str) -> None:
    with pytest.raises(CannotTell):
        matches(pattern, "a")


def test_a_pattern_that_would_run_for_ever_is_stopped() -> None:
    with pytest.raises(CannotTell, match="too long"):
        matches(r"(a|aa)+(b|c)", "a" * 120 + "d")


def test_a_pattern_that_is_stopped_again_and_again_is_given_up() -> None:
    pattern = "(a|aa)+(b|c)(?:)"
    assert matches(pattern, "ab")
    for length in range(120, 120 + ATTEMPTS):
        with pytest.raises(CannotTell, match="too long"):
            matches(pattern, "a" * length + "d")
    with pytest.raises(CannotTell, match="too long"):
        matches(pattern, "ab")


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab.*+?()[]{}|\\QEpk<>^$&-~i:1", max_size=14),
    st.text(alphabet="ab$\\{}1", max_size=6),
    st.text(alphabet="ab.", max_size=8),
)
def test_any_pattern_either_answers_or_cannot_tell(
    pattern: str, replacement: str, text: str
) -> None:
    try:
        assert isinstance(matches(pattern, text), bool)
        assert isinstance(replace_first(pattern, replacement, text), str)
    except CannotTell:
        pass


pieces = st.sampled_from(["a", "B", "-", "_", r"\.", "[.]", ".", ".*", ".+", "[^.]+", "(", ")"])


@settings(max_examples=200, deadline=None)
@given(st.lists(pieces, max_size=8).map("".join), st.text("aAbB.-_", max_size=8), st.booleans())
def test_the_engine_for_plain_patterns_answers_as_the_other_does(
    pattern: str, text: str, ignore_case: bool
) -> None:
    try:
        slow = compiled(pattern, ignore_case=ignore_case).fullmatch(text) is not None
    except CannotTell:
        with pytest.raises(CannotTell):
            matches(pattern, text, ignore_case=ignore_case)
    else:
        assert matches(pattern, text, ignore_case=ignore_case) is slow


_PLAIN_PIECES = st.sampled_from(
    ["srv", "a", "B", r"\.", "[.]", ".", ".*", ".+", "(", ")", "[^.]+", "[^.]*", "-", "_1"]
)


@settings(max_examples=100)
@given(
    st.lists(_PLAIN_PIECES, max_size=7).map("".join),
    st.text("srvaAbB.-_1", max_size=12),
    st.booleans(),
)
def test_plain_patterns_mean_the_same_to_the_quick_engine(
    pattern: str, text: str, ignore_case: bool
) -> None:
    try:
        full = compiled(pattern, ignore_case=ignore_case).fullmatch(text)
    except CannotTell:
        return
    assert matches(pattern, text, ignore_case=ignore_case) is (full is not None)
    first = compiled(pattern, ignore_case=False).search(text)
    expected = (
        text if first is None else f"{text[: first.start()]}<{first[0]}>{text[first.end() :]}"
    )
    assert replace_first(pattern, "<$0>", text) == expected
