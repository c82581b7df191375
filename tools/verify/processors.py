"""Hashes of walks on other processors: `python -m tools.verify.processors` compares what each of them gives.

Each variant runs in a Python process of its own, with kernels of its own: the native processor, the baseline of the
platform, AVX off, whole ticks compiled or only the inner kernels, nothing compiled; and aarch64, emulated by QEMU, with
`--aarch64`. A variant gives the hashes of the first 600 ticks of five levels, and of a crowd on 1 to 8 threads. With
`--golden`, the walks of `tools.verify.golden` are compared as well. Every difference is a defect: status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ("demo", "escher", "lifts", "surfaces", "waters")
TICKS = 600
WALKERS, CROWD_TICKS, THREADS = 8 * 64 + 1, 60, range(1, 9)  # a thread takes 64 walkers at a time
INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
INNER = {"WALKER_BACKGROUND_COMPILE": "0"}  # the tick is interpreted, the kernels that it calls are compiled
WHOLE = {"WHOLE": "1"}  # compile the whole tick first
BASELINE = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
VARIANTS: dict[str, dict[str, str]] = {
    "native": WHOLE | {"NUMBA_ENABLE_AVX": "1"},
    "native, AVX off": WHOLE | {"NUMBA_ENABLE_AVX": "0"},
    "baseline": WHOLE | BASELINE,
    "native, inner kernels compiled": INNER,
    "interpreted": INTERPRETED,
}
EMULATED: dict[str, dict[str, str]] = {
    "aarch64, interpreted": INTERPRETED,
    "aarch64, inner kernels compiled": INNER,
    "aarch64": WHOLE,
}


def main(arguments: list[str]) -> int:
    """Compare variants. Returns 0 if all hashes are those of the first one, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.processors", description=__doc__)
    parser.add_argument("--golden", action="store_true", help="compare the walks of tools.verify.golden too")
    parser.add_argument("--aarch64", type=Path, metavar="FOLDER",
                        help="also emulate aarch64, with a Debian tree in FOLDER (made if it is missing)")  # fmt: skip
    parser.add_argument("--levels", nargs="+", default=LEVELS, metavar="LEVEL")
    parser.add_argument("--only", nargs="+", default=[*VARIANTS, *EMULATED], metavar="VARIANT",
                        choices=[*VARIANTS, *EMULATED])  # fmt: skip
    parser.add_argument("--hashes", action="store_true", help="print the hashes of this process, and end")
    options = parser.parse_args(arguments)
    if options.hashes:
        for name, value in hashes(options.levels, options.golden):
            print(json.dumps([name, value]), flush=True)
        return 0
    words = ["-m", __spec__.name, "--hashes", "--levels", *options.levels]
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="processors-") as scratch:
        for name, environment in {**VARIANTS, **EMULATED}.items():
            if name not in options.only or (name in EMULATED and options.aarch64 is None):
                continue
            began, used = time.monotonic(), os.times()
            more = {**environment, "WALKER_CACHE": str(Path(scratch) / name.replace(" ", "-"))}
            if name in EMULATED:
                from tools.verify import debian_tree

                tree = debian_tree.make_emulated(options.aarch64)
                call, more = debian_tree.emulated_python(tree, words, **environment), {}
            else:
                call = [sys.executable, *words, *["--golden"] * options.golden]
            found[name] = _collect(call, more)
            cpu = sum(os.times()[2:4]) - sum(used[2:4])
            print(
                f"{name}: {time.monotonic() - began:.0f} s, {cpu:.0f} s of processor time", file=sys.stderr, flush=True
            )
    print(table(found))
    return 1 if differences(found) else 0


def _collect(call: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Name -> hash, of the lines that a child prints. Standard error shows each as it comes."""
    found: dict[str, str] = {}
    with subprocess.Popen(
        call, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    ) as child:
        for line in child.stdout or ():
            if line.startswith("["):
                name, value = json.loads(line)
                found[name] = value
                print(f"  {name}: {value}", file=sys.stderr, flush=True)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, call)
    return found


def differences(found: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str]]:
    """(variant, name) of each hash that is not the one of the first variant that has this name."""
    first: dict[str, str] = {}
    for hashes_of in found.values():
        for name, value in hashes_of.items():
            first.setdefault(name, value)
    return [
        (variant, name)
        for variant, hashes_of in found.items()
        for name, value in hashes_of.items()
        if name != "features" and value != first[name]
    ]


def table(found: Mapping[str, Mapping[str, str]]) -> str:
    """Markdown table: a row for each hash, a column for each variant; a hash that differs is bold."""
    names = list(dict.fromkeys(name for hashes_of in found.values() for name in hashes_of))
    wrong = set(differences(found))
    lines = ["| | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    for name in names:
        cells = [hashes_of.get(name, "-") for hashes_of in found.values()]
        marked = [
            f"**{cell}**" if (variant, name) in wrong else cell for variant, cell in zip(found, cells, strict=True)
        ]
        lines.append(f"| {name} | " + " | ".join(marked) + " |")
    return "\n".join(lines)


def hashes(levels: Sequence[str], with_golden: bool) -> Any:
    """Names and hashes of this process, as they are computed; "features" first, a description of the processor."""
    from game.level import load
    from game.physics import prepare
    from game.physics.numerics import kernel_key
    from game.sim import World, command_script, headless_run

    of = kernel_key.environment()
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        yield "features", "-"
    else:
        vector = [
            word
            for word in of["features"].split(",")
            if word in ("+avx", "+avx2", "+avx512f", "+fma", "+sse2", "+neon")
        ]
        yield "features", f"{of['processor']} {' '.join(vector)}".strip()
    if "WHOLE" in os.environ:
        prepare.compile_part("whole", lambda done, name: None)
    for name in levels:
        level = load(name)
        script = command_script.read_script(ROOT / "levels" / f"{name}.commands")
        yield f"{name}, {TICKS} ticks", headless_run.run_walk(World(level), script, TICKS).hash
    if "WHOLE" in os.environ:
        for threads in THREADS:
            yield f"crowd, {threads} threads", crowd_hash(threads)
    if with_golden:
        from tools.verify import golden

        for name, make in golden.names().items():
            yield f"golden {name}", make()


def crowd_hash(threads: int) -> str:
    """Hash of the states of a crowd that walks at random in the demo level, each walker with commands of its own."""
    import hashlib

    import numpy as np

    from game.level import load
    from game.physics import Crowd, Walker
    from tools.verify.golden import restless

    level, walker = load("demo"), Walker()
    crowd = Crowd(walker, level.mesh, threads, level.environment)
    states: Any = [walker.spawn(level.mesh, level.spawns[0].feet)] * WALKERS
    rows = np.array([walker.commands(restless(walker, CROWD_TICKS, seed)) for seed in range(WALKERS)])
    digest = hashlib.sha256()
    for tick in range(CROWD_TICKS):
        states = crowd.step(states, rows[:, tick], tick)
        digest.update(states.tobytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
