"""Loopback ports that are free and stay ours across a restart."""

from __future__ import annotations

import random
import socket

from mainstem.errors import ServiceFailed

HOST = "127.0.0.1"
# Below the range from which systems take ports of outgoing connections: while a service is down,
# nobody's client lands on the port that it will come back to.
FIRST, LAST = 20000, 32000


def free_port() -> int:
    """A port of the loopback interface that nothing listens on."""
    candidates = random.sample(range(FIRST, LAST), 200)
    found = next((port for port in candidates if _is_free(port)), None)
    if found is None:
        raise ServiceFailed("lab", f"no free port among {len(candidates)} of {FIRST} to {LAST}")
    return found


def is_listening(port: int) -> bool:
    """Whether something accepts connections on this loopback port."""
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex((HOST, port)) == 0


def _is_free(port: int) -> bool:
    with socket.socket() as server:
        try:
            server.bind((HOST, port))
        except OSError:
            return False
    return True
