"""A fake cluster behind a real port of this machine, for programs that must be reached by HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.connect.answering import AnsweringServer

if TYPE_CHECKING:
    from mainstem.watch.connect.fake import FakeConnect


class FakeConnectServer(AnsweringServer):
    """Answers from a fake cluster on a free loopback port until it is closed."""

    def __init__(self, connect: FakeConnect) -> None:
        super().__init__(connect.answer)
