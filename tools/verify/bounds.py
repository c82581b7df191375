"""Physics with bounds checks: `python -m tools.verify.bounds [--full] [--ticks N] [--kinds flight pool ...]`.

Compiles the kernels with NUMBA_BOUNDSCHECK=1, in a cache folder of their own (`bounds` in the user's cache folder), so
that an index outside an array raises IndexError instead of reading or writing other memory. Numba counts an index from
-1 down to -n from the end, as Python does; that is no violation.

1. A kernel with a violation in an inner function, in an array of its own and in an argument, must be reported, compiled
   and from the cache. Otherwise the other results say nothing.
2. Random scenes of each kind (tests/support/referee/random_scenes.py) until each has N ticks. Up to 2000 ticks, which
   is the default, the tick runs in Python on the compiled kernels that take most of its time, and Python checks the
   rest; for more ticks the whole tick is compiled first.
3. With --full: the physics tests, and a million ticks of each kind.

Prints the violations. Exit status 1 if there is one, or if the violation on purpose was not reported.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from game.core import user_folders
from game.physics import prepare
from game.physics.numerics import jit
from tests.support.referee.random_scenes import KINDS, random_scene
from tools.command_numbers import at_least

ROOT = Path(__file__).resolve().parents[2]
CHECKED = "NUMBA_BOUNDSCHECK"
SHORT_TICKS, FULL_TICKS = 2000, 1_000_000  # of each kind of scene
SHOWN = 5  # violations of a kind that are printed with where they are
VIOLATION = f"""
import numpy as np
from {jit.__name__} import allocating, inner, kernel

@inner
def write(rows, k, column):
    rows[k, column] = 1.0

@kernel
def argument(rows, k, column):
    write(rows, k, column)

@allocating
def own(rows, k, column):
    write(np.zeros((4, 3)), k, column)
"""
REPORT = """
import numpy as np
from violation import argument, own

for kernel in (argument, own):
    for k, column in ((3, 2), (-4, -3), (4, 0), (0, 3), (-5, 0), (1 << 40, 0)):
        try:
            kernel(np.zeros((4, 3)), k, column)
        except IndexError:
            print("x", end="")
        else:
            print(".", end="")
"""
REPORTED = "..xxxx..xxxx"  # the last four of each are outside


def checked_environment(cache: Path) -> dict[str, str]:
    """Environment of a process with bounds checks and a cache folder."""
    return {
        **os.environ,
        CHECKED: "1",
        "NUMBA_DISABLE_JIT": "0",
        "WALKER_BACKGROUND_COMPILE": "0",
        user_folders.CACHE_VARIABLE: str(cache),
    }


def reported_violations() -> list[str]:
    """What a kernel with violations reports, compiled and from the cache: REPORTED each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "violation.py").write_text(VIOLATION, encoding="utf-8")
        environment = checked_environment(folder)
        environment["PYTHONPATH"] = os.pathsep.join((name, str(ROOT)))
        call = [sys.executable, "-c", REPORT]
        return [
            subprocess.run(call, env=environment, capture_output=True, text=True, check=True).stdout for _ in range(2)
        ]


def walk_scenes(kind: str, ticks: int, first_seed: int = 0) -> tuple[int, int, list[str]]:
    """(scenes, ticks, violations) of random scenes of a kind, until they have so many ticks."""
    scenes, walked, violations, seed = 0, 0, [], first_seed
    while walked < ticks and seed - first_seed < ticks:  # a seed without room for its start gives no scene
        try:
            scene = random_scene(kind, seed)
            if scene is not None:
                scene.walk()
                scenes, walked = scenes + 1, walked + len(scene.rows)
        except IndexError:
            violations.append(f"{kind} {seed}\n{traceback.format_exc()}")
            walked += 1
        seed += 1
    return scenes, walked, violations


def check_scenes(kinds: list[str], ticks: int) -> int:
    """Print a line for each kind of scene. Returns the number of violations."""
    found = 0
    print(f"{'kind':14} {'scenes':>7} {'ticks':>9} {'violations':>10} {'s':>6}", flush=True)
    for kind in kinds:
        began = time.perf_counter()
        scenes, walked, violations = walk_scenes(kind, ticks)
        seconds = time.perf_counter() - began
        print(f"{kind:14} {scenes:7} {walked:9} {len(violations):10} {seconds:6.0f}", flush=True)
        for text in violations[:SHOWN]:
            print(text, flush=True)
        found += len(violations)
    return found


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.bounds", description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="the physics tests as well, and a million ticks a kind")
    parser.add_argument("--ticks", type=at_least(1), help=f"ticks of each kind of scene (default: {SHORT_TICKS})")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    options = parser.parse_args(arguments)
    ticks = options.ticks or (FULL_TICKS if options.full else SHORT_TICKS)
    if os.environ.get(CHECKED) != "1":  # Numba reads it when it is imported
        environment = checked_environment(user_folders.cache_folder() / "bounds")
        return subprocess.run([sys.executable, "-m", "tools.verify.bounds", *arguments], env=environment).returncode
    reported = reported_violations()
    print(f"violations on purpose, compiled and from the cache: {' '.join(reported)} (expected {REPORTED} twice)")
    if reported != [REPORTED, REPORTED]:
        return 1
    if ticks > SHORT_TICKS:
        prepare.compile_whole()
    failed = check_scenes(options.kinds, ticks)
    if options.full:
        tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/physics", "tests/properties"]
        failed += subprocess.run(tests, cwd=ROOT).returncode
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
