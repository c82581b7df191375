"""One-line sabotages of the physics: each must turn a test red. `python -m tests.mutations.sabotage [NAME...]`.

Each is made in a copy of the project, where the physics tests then run without the JIT (nothing needs compiling) until
the first failure, together with short judged walks through random rooms. Takes some minutes; exits 1 where a sabotage
survives. Named for what they take away (docs/physics.md would call them the naive versions).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# name: (file in game/physics, what stands there, what it becomes)
SABOTAGES = {
    "snap not limited by the touching planes": (
        "walk.py",
        "drop = min(drop, max(-planes[p, BOUND], 0.0) / planes[p, NY])",
        "pass",
    ),
    "no final check of all planes": (
        "walk.py",
        "if given >= min(planes[p, BOUND], 0.0) - CHECK:",
        "if True:",
    ),
    "response in ellipsoid space": (
        "touching.py",
        "wx, wy, wz = ex / b[R], ey / b[R + 1], ez / b[R + 2]",
        "wx, wy, wz = ex, ey, ez",
    ),
    "no claiming": ("touching.py", "if con[f, 3] * dx + con[f, 4] * dy + con[f, 5] * dz <= CLAIM:", "if False:"),
    "no floor-and-ceiling rows": ("walk.py", "if planes[q, NY] <= SUPPORTING:", "if True:"),
    "matrix to ellipsoid space as rotation times scale": (
        "gather.py",
        "return (c * x - s * z) / b[R], y / b[R + 1], (s * x + c * z) / b[R + 2]",
        "return c * x / b[R] - s * z / b[R + 2], y / b[R + 1], s * x / b[R] + c * z / b[R + 2]",
    ),
    "closest point forgets an edge": ("geometry.py", "if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:", "if False:"),
    "a sweep that keeps no skin": ("move.py", "r = 1.0 + part * b[SKIN]", "r = 1.0"),
    "back off along the motion": (
        "move.py",
        "t = sweep(w, dx, dy, dz, NEAR)",
        "t = max(sweep(w, dx, dy, dz, 0.0) - 0.005, 0.0)",
    ),
    "no kink": ("walk.py", "if t1 <= c1:", "if True:"),
    "edges ask for their tangent alone": ("touching.py", "return min(tangent, max(top, 0.0))", "return tangent"),
    "turning without looking": (
        "turn.py",
        "done, reachable = _turn_in_place(w, heading, delta)",
        "done, reachable = delta, 0",
    ),
    "standing up without looking": (
        "stance.py",
        "if touch(w) >= 0.5 * b[SKIN] - INSIDE:\n        return True",
        "if True:\n        return True",
    ),
    "gravity by Euler": ("tick.py", "v * dt - 0.5 * gravity * dt * dt", "after * dt"),
    "a jump that coyote time repeats": ("tick.py", "buffer, coyote = 0, 0", "buffer = 0"),
    "speed kept against a wall": ("tick.py", "vx, vz = clip_velocity(w, vx, vz)", "pass"),
    "steep slopes lift": ("walk.py", "best = max(best, min(hold, 0.0))", "best = max(best, hold)"),
    "a long way in one piece": ("tick.py", "pieces = int(sqrt(ux * ux + uz * uz) / STRIDE) + 1", "pieces = 1"),
}

WALKS = """
import sys
from tests.physics.test_random import BODIES, fuzz, room, terrain
for seed in (0, 1):
    for body in BODIES:
        for world, reach in ((room(seed), 4.9), (terrain(seed), 4.0)):
            report = fuzz(world, BODIES[body], 2000, seed, reach)
            if report.failed or report.left:
                sys.exit(report.line(str(seed), body))
"""


def survives(name: str) -> str:
    """Empty where a test turned red, else a sentence."""
    file, before, after = SABOTAGES[name]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("game", "tests", "tools", "levels"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        target = copy / "game" / "physics" / file
        text = target.read_text(encoding="utf-8")
        if text.count(before) != 1:
            return f"stands {text.count(before)} times in {file}: mend the sabotage"
        target.write_text(text.replace(before, after), encoding="utf-8")
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(copy)}
        tests = [f"tests/physics/test_{t}.py" for t in ("air", "turn_stance", "walk")]
        select = ["-m", "not jit", "--deselect", "tests/physics/test_contract.py"]
        for command in (
            [sys.executable, "-c", WALKS],
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *select, *tests],
        ):
            done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                lines = (done.stdout + done.stderr).strip().splitlines()
                red = [line for line in lines if line.startswith("FAILED")] or lines[-1:]
                print(f"red      {name}: {red[0][:150]}", flush=True)
                return ""
    return "every test stayed green"


def main(names: list[str]) -> int:
    """The command."""
    survivors = 0
    for name in names or SABOTAGES:
        if why := survives(name):
            survivors += 1
            print(f"SURVIVED {name}: {why}", flush=True)
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
