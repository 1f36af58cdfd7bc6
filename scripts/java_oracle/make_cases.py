"""Write what the real Java transforms answer to generated questions, for tests to replay.

``make_cases.py`` asks everything anew and rewrites the answers; read the diff.
``make_cases.py --check 10`` asks every tenth kept question again and only tells what differs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import debezium_cases
import field_cases
import topic_cases
from oracle import ask

if TYPE_CHECKING:
    from oracle import Answer, Question

KEPT = Path(__file__).parents[2] / "tests" / "watch" / "transforms" / "java_answers"
SEED = 5
SOURCES = (topic_cases, field_cases, debezium_cases)


def make() -> None:
    files = {
        name: questions
        for source in SOURCES
        for name, questions in source.questions(Random(f"{SEED}{source.__name__}")).items()
    }
    answers = iter(ask([question for questions in files.values() for question in questions]))
    KEPT.mkdir(exist_ok=True)
    for name, questions in files.items():
        (KEPT / f"{name}.json").write_text(
            written([(question, next(answers)) for question in questions])
        )
        print(f"{len(questions)} answers in {name}.json")


def written(cases: list[tuple[Question, Answer]]) -> str:
    """A JSON array with a line for each pair of question and answer."""
    lines = (json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    return "[\n" + ",\n".join(dict.fromkeys(lines)) + "\n]\n"


def check(every: int) -> int:
    kept = [case for file in sorted(KEPT.glob("*.json")) for case in json.loads(file.read_text())]
    sample = kept[::every]
    answers = ask([question for question, _ in sample])
    differing = [
        (question, before, now)
        for (question, before), now in zip(sample, answers, strict=True)
        if before != now
    ]
    for question, before, now in differing:
        print(f"{json.dumps(question)}\n  kept {json.dumps(before)}\n  Java {json.dumps(now)}")
    print(f"{len(sample)} of {len(kept)} answers asked again, {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        sys.exit(check(int(sys.argv[2])))
    make()
