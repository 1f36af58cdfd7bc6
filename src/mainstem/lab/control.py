"""How another terminal reaches the supervisor: a lock that says it runs, a socket that it answers.

A request is one line of JSON with the token that only the owner of the lab can read, and so is
the answer: what was asked for, or ``error``, ``service`` and ``log`` of what failed.
"""

from __future__ import annotations

import fcntl
import hmac
import json
import os
import secrets
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mainstem.errors import ServiceFailed
from mainstem.lab.services.ports import HOST

if TYPE_CHECKING:
    from mainstem.lab.place import Place

Answer = dict[str, Any]
Handler = Callable[[dict[str, str]], Answer]
SECONDS_FOR_AN_ANSWER = 600
_NOT_YOU = {"error": "the lab belongs to somebody else", "service": "lab", "log": None}
_NO_ANSWER = {"error": "the lab ended before it answered", "service": "lab", "log": None}


def become_the_only_one(place: Place) -> int:
    """The descriptor of the lab's lock, with our process id in it.

    Leave it open: the system frees the lock when nothing of this process is left, which is what
    others wait for.
    """
    place.lock.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(place.lock, os.O_RDWR | os.O_CREAT, 0o644)
    _acquire(lock)
    os.ftruncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())
    return lock


def running_supervisor(place: Place) -> int | None:
    """The process id of the supervisor while the lab runs."""
    if not place.lock.exists():
        return None
    with place.lock.open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(lock.read() or 0) or None
    return None


class ControlSocket:
    """The supervisor's ear, on a loopback port."""

    def __init__(self) -> None:
        self._server = socket.create_server((HOST, 0))
        self._token = secrets.token_hex(16)

    def publish(self, place: Place) -> str:
        """Write down how to reach us, for the owner alone; answers what can be asked."""
        reach = {"port": self._server.getsockname()[1], "token": self._token}
        descriptor = os.open(place.state, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as state:
            json.dump(reach, state)
        return "can ask for status, break and heal"

    def answer_one(self, handle: Handler, seconds: float) -> None:
        """Wait so long for one request, and answer it."""
        self._server.settimeout(seconds)
        try:
            connection, _address = self._server.accept()
        except TimeoutError:
            return
        with connection, connection.makefile("rw") as stream:
            connection.settimeout(5)
            try:
                answer = self._answer(json.loads(stream.readline()), handle)
                stream.write(json.dumps(answer) + "\n")
            except (OSError, ValueError):
                return

    def _answer(self, request: dict[str, str], handle: Handler) -> Answer:
        if not hmac.compare_digest(request.pop("token", ""), self._token):
            return _NOT_YOU
        try:
            return handle(request)
        except ServiceFailed as error:
            return {"error": error.reason, "service": error.service, "log": error.log}


def ask(place: Place, **request: str) -> Answer:
    """The supervisor's answer to a request."""
    if running_supervisor(place) is None:
        raise ServiceFailed("lab", "it is not running; start it with: mainstem lab up")
    if not place.state.exists():
        raise ServiceFailed("lab", f"it is still starting; its steps: {place.steps}")
    reach = json.loads(place.state.read_text())
    with socket.create_connection((HOST, reach["port"]), SECONDS_FOR_AN_ANSWER) as connection:
        connection.sendall(json.dumps({**request, "token": reach["token"]}).encode() + b"\n")
        line = connection.makefile().readline()
    answer: Answer = json.loads(line) if line else _NO_ANSWER
    if "error" in answer:
        raise ServiceFailed(answer["service"], answer["error"], answer["log"])
    return answer


def _acquire(lock: int) -> None:
    # Whoever asks whether the lab runs holds the lock for an instant: one refusal says nothing.
    for _attempt in range(20):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.1)
        else:
            return
    raise ServiceFailed("lab", "it is running already; see: mainstem lab status")
