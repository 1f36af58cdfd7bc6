"""Make the virtual environment that every make target runs in; needs Python and nothing else.

Usage: bootstrap.py EXTRAS, for instance ``bootstrap.py lab,dev``. Cheap when nothing changed: the
environment remembers what it was made from, and what is asked for later is added to what is there.
Uses only the standard library, because it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SUPPORTED = ((3, 11), (3, 12), (3, 13))
ATTEMPTS = 6
BUSY = ("429", "Too Many Requests", "Connection", "timed out", "Temporary failure", "HTTP error 5")


def say(text: str) -> None:
    print(f"[setup] {text}", file=sys.stderr, flush=True)


def find_python() -> str:
    """The interpreter that runs this, if it is supported; else the newest supported on the PATH."""
    if sys.version_info[:2] in SUPPORTED:
        return sys.executable
    for major, minor in reversed(SUPPORTED):
        found = shutil.which(f"python{major}.{minor}")
        if found:
            return found
    have = ".".join(map(str, sys.version_info[:3]))
    allowed = ", ".join(f"{a}.{b}" for a, b in SUPPORTED)
    sys.exit(f"[setup] Python {have} is not supported; install one of {allowed} and try again.")


def make_environment(python: str) -> Path:
    """The environment's interpreter, made with venv or, where Debian lacks it, virtualenv."""
    own = VENV / "bin" / "python"
    if own.exists():
        return own
    say(f"making a virtual environment in {VENV.name}/ with {python}")
    made = subprocess.run(
        [python, "-m", "venv", str(VENV)], check=False, capture_output=True, text=True
    )
    if made.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        made = subprocess.run([python, "-m", "virtualenv", str(VENV)], check=False)
    if made.returncode != 0:
        sys.exit(
            "[setup] neither the venv nor the virtualenv module works with this Python; "
            "on Debian and Ubuntu: apt-get install python3-venv"
        )
    return own


def install(python: Path, *what: str) -> None:
    """Install what pip is told to, trying again only where a registry is busy."""
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "-q",
        "--progress-bar",
        "on",
        "-c",
        str(ROOT / "constraints.txt"),
        *what,
    ]
    for attempt in range(1, ATTEMPTS + 1):
        ran = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
        sys.stderr.write(ran.stderr)
        if ran.returncode == 0:
            return
        if attempt == ATTEMPTS or not any(sign in ran.stderr for sign in BUSY):
            break
        wait = min(60, 3 * 2**attempt)
        say(f"the package registry is busy (try {attempt} of {ATTEMPTS}); again in {wait} s")
        time.sleep(wait)
    sys.exit("[setup] the packages could not be installed; the error is above.")


def fingerprint() -> str:
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def installed(stamp: Path, made_from: str) -> set[str]:
    """The extras that the environment has, if it was made from what these files say now."""
    known, _, extras = stamp.read_text().partition(" ") if stamp.exists() else ("", "", "")
    return set(extras.split(",")) if known == made_from else set()


def main() -> None:
    wanted = set(sys.argv[1].split(","))
    stamp = VENV / ".mainstem-setup"
    made_from = fingerprint()
    have = installed(stamp, made_from)
    if wanted <= have:
        return
    started = time.monotonic()
    python = make_environment(find_python())
    missing = ",".join(sorted(wanted - have))
    say(f"installing mainstem[{missing}], versions from constraints.txt")
    if have:
        # Not -e again: it would take the product away for a moment, and it may be running.
        install(python, f"mainstem[{missing}]")
    else:
        install(python, "-e", f"{ROOT}[{missing}]")
    stamp.write_text(f"{made_from} {','.join(sorted(wanted | have))}")
    say(f"ready after {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
