"""What transforms answer whose topic is a value of each record: only the topics seen tell."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Unpredictable

_REASON = Unpredictable("the topic depends on the data of each record")


def depends_on_data(_options: Options, _topic: str) -> Unpredictable:
    """No name can be predicted."""
    return _REASON


def cannot_be_undone(_options: Options, _topic: str, _words: tuple[str, ...]) -> Unpredictable:
    """No name can be led back."""
    return _REASON
