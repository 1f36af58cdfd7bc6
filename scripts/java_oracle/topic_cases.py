"""Questions about a topic's name: routers, by patterns that people write and by odd ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from oracle import Question

APACHE = "org.apache.kafka.connect.transforms"
WORDS = ("orders", "eu", "srv", "db1", "Shop", "v2", "a_b", "x", "customer")
WITHOUT_GROUPS = ("$0", "copy_of_$0", "", "fixed", r"\$1", r"a\.b", r"\\", "$0$0", "a${b}c", "a b")
ODD_REPLACEMENTS = (
    "$1", "$2", "$9", "$10", "${g1}", "${g2}", "${nope}", "$", "${g1", "$x", "\\", "${1}",
)  # fmt: skip

ODD_PATTERNS = Path(__file__).with_name("odd_patterns.txt").read_text().split("\n")[:-1]
ODD_TOPICS = (
    "ab", "a", "b", "aa", "AB", "aB", "abba", "a.b", "a-b", "a1", "a|b", "é", "Ä", "ab\n", "k", "s",
    "a b", "{", "a~~b", "a--b", "[", "&",
)  # fmt: skip


def questions(random: Random) -> dict[str, list[Question]]:
    """By the name of the file that keeps the answers."""
    return {
        "regex_router": [router(random) for _ in range(480)] + list(map(easily_missed, MISSED)),
        "regex_router_odd": odd_routers(),
        "topic_predicates": [predicated(random) for _ in range(100)],
        "timestamp_router": [timestamp_router(random) for _ in range(80)],
    }


def router(random: Random) -> Question:
    topic = some_topic(random)
    regex = pattern_for(random, topic if random.random() < 0.9 else "a.b")
    return {"steps": [route(regex, replacement_for(random, regex))], "topic": topic}


def easily_missed(case: tuple[str, str, str]) -> Question:
    regex, replacement, topic = case
    return {"steps": [route(regex, replacement)], "topic": topic}


MISSED = (
    # what a group held in an attempt that failed
    (".*(db[1q])*+_x-db1", "<$1>", "db1_x-db1"),
    (".*(db[1q])?+_x-db1", "<$1>", "db1_x-db1"),
    (".*(db[1q]){0,2}+_x-db1", "<$1>", "db1_x-db1"),
    (".*(db[1q])*_x-db1", "<$1>", "db1_x-db1"),
    (".*(db[1q])++_x-db1", "<$1>", "db1_x-db1"),
    ("(?s)(.*?){1}+", "x-$0", "db1-customer"),
    ("(?<g1>.*?)+((?:_orders|other))", "$11$2", "srv_orders"),
    # the first match ends before the whole one
    (r"^.*\.(srv.customer)?", "x-$0_$0", "eu.srv.customer"),
    (r"(.*?)\.?", "x-$1", "eu.srv"),
    ("orders|orders-eu", "x", "orders-eu"),
)
"""Where we differed once: pattern, replacement, topic."""


def route(regex: str, replacement: str) -> dict[str, object]:
    return {"type": f"{APACHE}.RegexRouter", "regex": regex, "replacement": replacement}


def odd_routers() -> list[Question]:
    return [
        {"steps": [route(pattern, "<$0>")], "topics": list(ODD_TOPICS)} for pattern in ODD_PATTERNS
    ]


def predicated(random: Random) -> Question:
    topic = some_topic(random)
    asked = pattern_for(random, topic if random.random() < 0.6 else some_topic(random))
    predicate = {"type": f"{APACHE}.predicates.TopicNameMatches", "pattern": asked}
    step = route("(.*)", "x-$1") | {"predicate": predicate}
    if random.random() < 0.4:
        step["negate"] = random.choice(["true", "false"])
    second = route(pattern_for(random, topic), "$0-y")
    return {"steps": [step, second] if random.random() < 0.4 else [step], "topic": topic}


def timestamp_router(random: Random) -> Question:
    step = {"type": f"{APACHE}.TimestampRouter"}
    if random.random() < 0.8:
        step["topic.format"] = random.choice(TOPIC_FORMATS)
    if random.random() < 0.7:
        step["timestamp.format"] = random.choice(DATE_FORMATS)
    return {"steps": [step], "topic": some_topic(random)}


TOPIC_FORMATS = (
    "${topic}", "x-${topic}", "${topic}-${timestamp}", "${timestamp}.${topic}", "fixed",
    "a_${topic}_${timestamp}_b", "${timestamp}", "${topic}${topic}", "${topic}.$1", r"\${topic}",
    "${timestamp}-${topic}-${timestamp}", "", " ${topic} ", "${Topic}-x",
)  # fmt: skip
DATE_FORMATS = (
    "yyyyMMdd", "yyyy-MM-dd", "yyyy", "yyyy.MM.dd.HH", "yyyy'w'ww", "MMM-yyyy", "EEE", "y-M-d",
    "yyMMdd-HHmmss.SSS", "yyyy-MM-dd'T'HH:mm:ssZ", "D", "''yyyy", "u", "a", "'day'dd", "q", "",
)  # fmt: skip


def some_topic(random: Random) -> str:
    words = random.choices(WORDS, k=random.randint(1, 4))
    return "".join(word + random.choice(".-_") for word in words)[:-1]


def replacement_for(random: Random, regex: str) -> str:
    """A replacement that names groups of the pattern, most often such as it has."""
    count = len(re.findall(r"\((?!\?)|\(\?<g", regex))
    references = [f"${number}" for number in range(count + 1)] + re.findall(r"\?<(g\d)>", regex)
    references = [one if one[0] == "$" else f"${{{one}}}" for one in references]
    chance = random.random()
    if chance < 0.12:
        return random.choice(ODD_REPLACEMENTS)
    if chance < 0.25:
        return random.choice(WITHOUT_GROUPS)
    picked = random.choices(references, k=random.choice([1, 1, 2, 3]))
    return random.choice(["", "x-", "é"]) + random.choice("._-1").join(picked)


def pattern_for(random: Random, topic: str) -> str:
    """A pattern that most often matches the topic, of the kinds that people write."""
    parts = [part for part in re.split(r"([.\-_])", topic) if part]
    made, groups, position = "", 0, 0
    while position < len(parts):
        width = random.choice([1, 1, 1, 3])
        text = "".join(parts[position : position + width])
        position += width
        piece = random.choice(PIECES)(random, text)
        if random.random() < 0.5:
            groups += 1
            opening = random.choice(["(", "(", f"(?<g{groups}>"])
            piece = f"{opening}{piece})" + random.choice(["", "", "", "?", "+", "{1}", "*+"])
        made += piece
    return random.choice(BEFORE) + made + random.choice(AFTER)


BEFORE = ("", "", "", "", "^", "(?i)", "(?s)", "(?x)", ".*", r"\A", "(?iu)", "(?!q)", "(?=.)")
AFTER = ("", "", "", "", "$", ".*", r"\z", r"\Z", "+", "?", r"(\..*)?", "(?<!q)", "|fixed")
PIECES = (
    lambda _, text: re.escape(text),
    lambda _, text: text,
    lambda _, text: rf"\Q{text}\E",
    lambda _, text: f"(?i:{text.upper()})",
    lambda _, text: f"(?:{text}|other)",
    lambda _, text: f"{text[0]}.*",
    lambda _, text: f"(?>{text})",
    lambda _, text: f"{text[:-1]}[{text[-1]}q]",
    lambda _, text: f"(?:{text}){{1,2}}",
    lambda random, _: random.choice(ANYTHING),
    lambda random, _: random.choice(ANYTHING),
)
ANYTHING = (
    ".*", ".+", ".+?", ".*?", "[^.]+", "[^.]*", "[a-z0-9_]+", r"[\w.-]+", "[a-zA-Z0-9._-]++",
    r"\p{Alnum}+", "[a-z&&[^q]]+", r"[\p{L}\d_]*", r"\S+", "[^.]++", ".{1,9}", "[A-Z]?[a-z]*",
)  # fmt: skip
