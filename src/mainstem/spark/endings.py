"""How an application ends, whichever way: heard before the process is gone.

Nothing here changes what the job does: every hook calls what stood there before, and SIGTERM kills
as it did.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from mainstem.spark.exit_codes import hear_exit_code
from mainstem.spark.guard import kept_from_the_job, reason_of
from mainstem.spark.inbox import Outcome
from mainstem.spark.runs import Failure, Telling

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

EXIT_OF_SIGNALS = {128 + signal.SIGINT: "SIGINT", 128 + signal.SIGTERM: "SIGTERM"}
"""What shells and handlers answer for a process that a signal ended."""


class Endings:
    """The hooks of one application, in the process that set them and in no fork of it."""

    def __init__(self, finish: Callable[[Outcome], None], on_stop: Telling) -> None:
        self._finish = finish
        self._on_stop = on_stop
        self._process = os.getpid()
        self._exception: BaseException | None = None
        self._exit_code: object = None
        self.interrupted = False
        """Whether SIGINT has come, whatever became of it in PySpark's own handler."""
        self._undo: list[Callable[[], None]] = []

    def hook(self) -> None:
        """Set the hooks that need no session."""
        self._undo += [self._hook_exceptions(), *hear_exit_code(self._remember_code)]
        atexit.register(self._at_exit)
        # Python takes signals on the main thread, and lets handlers be set nowhere else.
        if threading.current_thread() is threading.main_thread():
            self._hook_signal(signal.SIGTERM, self._terminated)
            self._hook_signal(signal.SIGINT, self._interrupt)

    def hook_stop(self, owner: Any) -> None:
        """Hear of ``owner.stop()``: after it, Spark tells no more of what was running."""
        stop = owner.stop

        def stop_and_tell(*arguments: Any, **named: Any) -> Any:
            self.finish(self.outcome(sys.exc_info()[1]))
            return stop(*arguments, **named)

        owner.stop = stop_and_tell
        self._undo.append(lambda: owner.__dict__.pop("stop", None))

    def unhook(self) -> None:
        """Take the hooks back, where nobody has hooked in above them."""
        atexit.unregister(self._at_exit)
        for undo in self._undo:
            undo()
        self._undo.clear()

    def finish(self, outcome: Outcome) -> None:
        """The application ends now; a mistake in telling so stays here."""
        if os.getpid() == self._process:
            with kept_from_the_job("the end of the application"):
                self._finish(outcome)

    def outcome(self, exception: BaseException | None) -> Outcome:
        """What an exception that is on its way, or none, means for the application."""
        match exception:
            case None:
                return Outcome(Telling.COMPLETE, self._on_stop)
            case KeyboardInterrupt():
                return _aborted("SIGINT")
            case SystemExit(code=code):
                return self._of_exit_code(code)
            case _ if self.interrupted:
                # PySpark cancels the jobs on an interrupt, and main may see that alone.
                return _aborted("SIGINT")
            case _:
                failure = Failure(reason_of(exception), "PYTHON")
                return Outcome(Telling.FAIL, Telling.ABORT, failure)

    def _of_exit_code(self, code: object) -> Outcome:
        if code is None or code == 0:
            return Outcome(Telling.COMPLETE, self._on_stop)
        if code in EXIT_OF_SIGNALS:
            return _aborted(EXIT_OF_SIGNALS[code])  # pyright: ignore[reportArgumentType]
        told = f"exit code {code}" if isinstance(code, int) else "exit with a message"
        return Outcome(Telling.FAIL, Telling.ABORT, Failure(told, "PYTHON"))

    def _at_exit(self) -> None:
        if self._exception is not None:
            self.finish(self.outcome(self._exception))
        else:
            self.finish(self._of_exit_code(self._exit_code))

    def _hook_exceptions(self) -> Callable[[], None]:
        before = sys.excepthook

        def remember(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            self._exception = error
            before(kind, error, trace)

        sys.excepthook = remember

        def undo() -> None:
            if sys.excepthook is remember:
                sys.excepthook = before

        return undo

    def _remember_code(self, code: object) -> None:
        self._exit_code = code

    def _hook_signal(self, number: signal.Signals, hear: Callable[[], None]) -> None:
        before = signal.getsignal(number)
        if before is signal.SIG_IGN or before is None:
            return

        def handle(received: int, frame: FrameType | None) -> None:
            if os.getpid() == self._process:
                hear()
            if callable(before):
                before(received, frame)
            else:
                signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)

        signal.signal(number, handle)

        def undo() -> None:
            on_main = threading.current_thread() is threading.main_thread()
            if on_main and signal.getsignal(number) is handle:
                signal.signal(number, before)

        self._undo.append(undo)

    def _interrupt(self) -> None:
        self.interrupted = True

    def _terminated(self) -> None:
        self.finish(_aborted("SIGTERM"))


def _aborted(by: str) -> Outcome:
    return Outcome(Telling.ABORT, Telling.ABORT, Failure(f"ended by {by}", "PYTHON"))
