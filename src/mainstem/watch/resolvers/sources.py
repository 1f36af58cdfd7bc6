"""What every source has in common: what it reads, the topics predicted, and the topics seen.

Topics seen win over what config predicts, unless config excludes them; see ``resolve_source``.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Connector, ControlTopic, Edge, Evidence, Resolution
from mainstem.watch.transforms.chain import Chain, chain_of
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName


_WHICH_OUTBOX = Unpredictable("the config does not tell which of the tables is the outbox")


class Stranger(Enum):
    """Why a topic seen is none that the config makes."""

    EXCLUDED = "the config excludes it"
    FOREIGN = "the config does not make such a name"
    RENAMED = "the transforms give it another name"


class Feed(Struct, frozen=True):
    """What a source writes into one topic; the topic is named before the transforms."""

    topic: str | Unpredictable
    inputs: tuple[DatasetName, ...] = ()
    """Nothing where the connector makes its data up, or where they cannot be told."""

    missing: str | None = None
    """Why the inputs cannot be told."""


def feed_of(topic: str | Unpredictable, *inputs: Callable[[], DatasetName]) -> Feed:
    """A feed whose inputs' names may not be tellable; its topic is, all the same."""
    try:
        return Feed(topic, tuple(name() for name in inputs))
    except CannotTell as unknown:
        return Feed(topic, missing=unknown.reason)


def source_or_reason(build: Callable[[], Source]) -> Source:
    """The source that a family builds; where the config does not tell, one of topics seen alone."""
    try:
        return build()
    except CannotTell as unknown:
        reason = unknown.reason
        return Source(feeds=(Feed(Unpredictable(reason), missing=reason),))


def _all_strangers(_topic: str) -> DatasetName | Stranger:
    return Stranger.FOREIGN


class Source(Struct, frozen=True):
    """What a family knows of a source before any topic was seen."""

    feeds: tuple[Feed, ...] = ()
    """What the config names exactly."""

    input_of: Callable[[str], DatasetName | Stranger] = _all_strangers
    """For a topic before the transforms, the dataset it holds; for configs that name patterns."""

    start: str = ""
    """What every topic's name begins with before the transforms, where the config tells."""

    words: tuple[str, ...] = ()
    """Every text that a part of a topic's name can be, or nothing if not all are known."""

    control: tuple[ControlTopic, ...] = ()
    unresolved: tuple[str, ...] = ()
    """What the config leaves open; dropped where the topics seen answer it."""

    def names(self, topic: str) -> bool:
        """Whether a topic is called as topics are before the transforms, allowed or not."""
        if not self.start or not topic.startswith(self.start):
            return False
        try:
            return self.input_of(topic) is not Stranger.FOREIGN
        except CannotTell:
            return True


class _Findings(Struct):
    """What is being found out about one source."""

    edges: dict[tuple[DatasetName | None, str], Evidence] = field(
        default_factory=dict[tuple["DatasetName | None", str], Evidence]
    )
    names_before: dict[tuple[DatasetName | None, str], str] = field(
        default_factory=dict[tuple["DatasetName | None", str], str]
    )
    unresolved: dict[str, None] = field(default_factory=dict[str, None])
    notes: dict[str, None] = field(default_factory=dict[str, None])

    def add(self, inputs: tuple[DatasetName, ...], topic: str, evidence: Evidence) -> None:
        for dataset in inputs or (None,):
            self.edges.setdefault((dataset, topic), evidence)

    def add_feed(self, feed: Feed, topic: str, evidence: Evidence) -> None:
        self.add(feed.inputs, topic, evidence)
        if isinstance(feed.topic, str):
            for dataset in feed.inputs:
                self.names_before.setdefault((dataset, topic), feed.topic)


def resolve_source(connector: Connector, family: str, source: Source) -> Resolution:
    """Edges into the topics that the config and the topics seen agree on.

    Without topics seen, what the config names exactly. With them: a topic that config predicts is
    an edge that was seen; one that the chain and the family can be read back from is an edge too;
    one that only stands for an earlier config is dropped with a note; and where none of the names
    predicted was seen, the names seen stand and those predicted fall.
    """
    chain = chain_of(settings_of(connector))
    own = _own_topics(chain, source.control)
    seen = tuple(dict.fromkeys(topic for topic in connector.topics or () if topic not in own))
    found = _Findings()
    predicted, open_feeds = _predict(chain, source)
    if seen:
        expected = {topic for topic, _ in predicted}
        strangers, explained = _explain_seen(chain, source, seen, expected, found)
        if strangers:
            _judge_strangers(source, strangers, open_feeds, found, explained=explained)
        _judge_predicted(predicted, seen, found, stand=explained or not strangers)
    else:
        for topic, feed in predicted:
            found.add_feed(feed, topic, Evidence.CONFIG)
    if not seen or not found.edges:
        found.unresolved.update(dict.fromkeys([*open_feeds.values(), *source.unresolved]))
    missing = (f"inputs: {feed.missing}" for feed in source.feeds if feed.missing)
    found.unresolved.update(dict.fromkeys(missing))
    before = dict.fromkeys(feed.topic for feed in open_feeds if isinstance(feed.topic, str))
    return _resolution(connector, family, source, found, tuple(before))


def _own_topics(chain: Chain, control: tuple[ControlTopic, ...]) -> set[str]:
    # Heartbeats and the like pass through the transforms too.
    names = {topic.dataset.name for topic in control}
    routed = {chain.end_of_own(name) for name in names} if chain.steps else ()
    return names | {name for name in routed if isinstance(name, str)}


def _predict(chain: Chain, source: Source) -> tuple[list[tuple[str, Feed]], dict[Feed, str]]:
    predicted: list[tuple[str, Feed]] = []
    open_feeds: dict[Feed, str] = {}
    taken = _taken_as_outbox(chain, source)
    for feed in source.feeds:
        topic = feed.topic
        end = topic if isinstance(topic, Unpredictable) else chain.route(topic).end
        if len(taken) > 1 and topic in taken and isinstance(end, str):
            end = _WHICH_OUTBOX
        if isinstance(end, Unpredictable):
            open_feeds[feed] = f"topic: {end.reason}"
        else:
            predicted.append((end, feed))
    return predicted, open_feeds


def _taken_as_outbox(chain: Chain, source: Source) -> set[str]:
    if not any(step.takes_outbox_alone for step in chain.steps):
        return set()
    names = (feed.topic for feed in source.feeds if isinstance(feed.topic, str))
    return {name for name in names if chain.takes_as_outbox(name)}


def _explain_seen(
    chain: Chain, source: Source, seen: tuple[str, ...], predicted: set[str], found: _Findings
) -> tuple[list[str], bool]:
    """Adds the edges that topics seen tell.

    Answers the topics that config does not explain, and whether it explains any.
    """
    strangers: list[str] = []
    explained = False
    for topic in seen:
        answer = None if topic in predicted else _read_back(chain, source, topic)
        if answer is Stranger.FOREIGN:
            strangers.append(topic)
            continue
        explained = explained or answer is not Stranger.RENAMED
        if isinstance(answer, Stranger):
            found.notes[f"topic {topic} was seen, but {answer.value}"] = None
        elif isinstance(answer, CannotTell):
            found.add((), topic, Evidence.SEEN)
            found.unresolved[f"inputs: {answer.reason}"] = None
        elif answer is not None:
            found.add((answer,), topic, Evidence.SEEN)
    return strangers, explained


def _judge_predicted(
    predicted: list[tuple[str, Feed]], seen: tuple[str, ...], found: _Findings, *, stand: bool
) -> None:
    spelt_otherwise = {topic.lower() for _, topic in found.edges}
    for topic, feed in predicted:
        if topic not in seen and topic.lower() in spelt_otherwise:
            # Lists ignore case; the topic seen tells how the table is really spelt.
            continue
        if stand:
            found.add_feed(feed, topic, Evidence.SEEN if topic in seen else Evidence.CONFIG)
        else:
            found.notes[f"topic {topic} is predicted by config, but others were seen"] = None


def _read_back(chain: Chain, source: Source, topic: str) -> DatasetName | Stranger | CannotTell:
    """The dataset that a topic seen holds, if exactly one can be meant."""
    before = chain.undo(topic, source.words) if chain.steps else (topic,)
    sure = not isinstance(before, Unpredictable)
    candidates = before if sure else (topic,) if _may_stay(chain, topic) else ()
    own = before != (topic,) and source.names(topic)
    if own:
        # Only a table called like a topic, prefix and all, would have such a name.
        candidates = tuple([one for one in candidates if one == topic or not one.endswith(topic)])
    try:
        answers = {name: source.input_of(name) for name in candidates}
    except CannotTell as unknown:
        return unknown
    datasets = {one: answer for one, answer in answers.items() if not isinstance(answer, Stranger)}
    if len(datasets) > 1:
        datasets = {one: datasets[one] for one in _simplest(tuple(datasets), source.words)}
    meant = set(datasets.values())
    if len(meant) == 1:
        return meant.pop()
    if own and not meant and topic not in candidates and _leaves(chain, source, topic):
        return Stranger.RENAMED
    excluded = sure and not meant and Stranger.EXCLUDED in answers.values()
    return Stranger.EXCLUDED if excluded else Stranger.FOREIGN


def _may_stay(chain: Chain, topic: str) -> bool:
    end = chain.route(topic).end
    return isinstance(end, Unpredictable) or end == topic


def _leaves(chain: Chain, source: Source, topic: str) -> bool:
    """Whether the chain gives a topic a name that no topic has before it."""
    end = chain.route(topic).end
    return isinstance(end, str) and not source.names(end)


def _simplest(names: tuple[str, ...], words: tuple[str, ...]) -> list[str]:
    """The names that are not another one with a word put in."""
    return [name for name in names if not any(_adds_a_word(name, other, words) for other in names)]


def _adds_a_word(name: str, other: str, words: tuple[str, ...]) -> bool:
    more = len(name) - len(other)
    return more > 0 and any(
        name[:at] + name[at + more :] == other and name[at : at + more].strip("-._") in words
        for at in range(len(other))
    )


def _judge_strangers(
    source: Source,
    strangers: list[str],
    open_feeds: dict[Feed, str],
    found: _Findings,
    *,
    explained: bool,
) -> None:
    if explained and not open_feeds:
        for topic in strangers:
            found.notes[f"topic {topic} was seen, but {Stranger.FOREIGN.value}"] = None
        return
    # The topics come from the feeds whose names cannot be predicted, or else from any of them.
    candidates = tuple(open_feeds) or source.feeds
    inputs = {feed.inputs for feed in candidates}
    if len(inputs) == 1:
        for topic in strangers:
            found.add(next(iter(inputs)), topic, Evidence.SEEN)
        return
    for topic in strangers:
        found.add((), topic, Evidence.SEEN)
    reason = "which dataset each topic comes from cannot be told from its name"
    found.unresolved[f"inputs: {reason}" if not inputs else f"edges: {reason}"] = None


def _resolution(
    connector: Connector,
    family: str,
    source: Source,
    found: _Findings,
    open_topics: tuple[str, ...],
) -> Resolution:
    topics = {name: kafka.topic(connector.kafka_namespace, name) for _, name in found.edges}
    reached = [dataset for dataset, _ in found.edges if dataset is not None]
    spelt_otherwise = {dataset.name.lower() for dataset in reached} if connector.topics else ()
    named = [
        dataset
        for feed in source.feeds
        for dataset in feed.inputs
        if dataset in reached or dataset.name.lower() not in spelt_otherwise
    ]
    return Resolution(
        family,
        inputs=tuple(dict.fromkeys([*named, *reached])),
        outputs=tuple(topics.values()),
        edges=tuple(
            [
                Edge(dataset, topics[name], evidence, found.names_before.get((dataset, name)))
                for (dataset, name), evidence in found.edges.items()
                if dataset is not None
            ]
        ),
        control=source.control,
        open_topics=open_topics,
        unresolved=tuple(found.unresolved),
        notes=tuple(found.notes),
    )
