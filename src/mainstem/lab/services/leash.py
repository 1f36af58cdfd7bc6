"""Become another program that ends when its owner ends, even by kill -9.

Run as a script: ``leash.py OWNER_PID SIGNAL USER COMMAND...``; an empty USER stays who it is. The
order matters: Linux forgets the signal of ``PR_SET_PDEATHSIG`` when the user changes. Elsewhere
than on Linux there is no such signal, and a service ends when its owner ends in order.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import sys

PR_SET_PDEATHSIG = 1


def main(owner: int, signal: int, user: str, command: list[str]) -> None:
    """Change the user, tie this process to its owner, and become ``command``."""
    if user:
        become(user)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal)
        if os.getppid() != owner:
            sys.exit("the owner ended before this service started")
    os.execvp(command[0], command)


def become(user: str) -> None:
    """Give up every right but those of ``user``."""
    entry = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
