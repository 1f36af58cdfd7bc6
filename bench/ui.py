"""What the page costs in a real Chromium; the limits beside each figure are what it is held to.

Usage: bench/ui.py. The longest tasks are read from the browser's own tracing, which does not
depend on a graphics card as frames do; beside the time on the clock stands what the page's thread
took itself, which a busy machine does not stretch. Set MAINSTEM_BENCH_JOBS for a smaller store.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {
    "everything together, kB gzipped": 600,
    "first graph on 10000 jobs, ms after the API answered": 1000,
    "longest task while 1,001 nodes are laid out, ms": 200,
    "longest task while panning, ms": 200,
    "longest task while panning with all 1,001 in sight, ms": 200,
    "longest task while zooming, ms": 200,
}


def main() -> None:
    script = ROOT / "scripts" / "page.py"
    ran = subprocess.run(
        [sys.executable, script, "run", "bench"], check=False, capture_output=True, text=True
    )
    if ran.returncode != 0:
        sys.exit(ran.stdout + ran.stderr)
    said = [line for line in ran.stdout.splitlines() if line.startswith("{")]
    figures: dict[str, int] = json.loads(said[-1])
    for name, figure in figures.items():
        limit = f"   (at most {LIMITS[name]:,})" if name in LIMITS else ""
        print(f"{figure:>9,}  {name}{limit}")


if __name__ == "__main__":
    main()
