"""Random walks over levels with a check of every tick: `python -m tools.verify.fuzz_walks [options] [FILE...]`.

Levels are YAML, OBJ or GLB files; by default the demo, the museum and the files in ../shared/real. Prints a line for
each level and body with the first failing tick of each kind (game/cluster/fuzzing/random_walks.py lists them). Each
line is one shard: its seed is that of the options, its index is 0. Exit status 1 if anything failed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from game.cluster.fuzzing.fuzz_shard import walk_shard
from game.cluster.fuzzing.random_walks import CHUNK
from game.core.user_folders import has_level_suffix
from game.level import Level, load
from game.level.format.file_access import is_tests_file
from game.level.mesh_level import level_of_mesh
from game.physics import TriangleMesh, WalkerSettings
from tests.support.scenes import BODIES
from tools.command_numbers import at_least


def levels(files: list[str]) -> list[tuple[str, Level]]:
    """The levels to walk on."""
    from tests.support import real_levels

    museum = sorted(path for path in Path("levels/museum").glob("*.yaml") if not is_tests_file(path))
    paths = [Path(f) for f in files] or [Path("levels/demo.yaml"), *museum, *real_levels.FOUND]
    if not files and not real_levels.FOUND:
        print(f"no real levels in {real_levels.FOLDER}: left out")
    out = []
    for path in paths:
        if has_level_suffix(path):
            out.append((path.name, load(path)))
        else:
            mesh = TriangleMesh(np.asarray(real_levels.read(path)[1]))
            out.append((path.name, level_of_mesh(mesh, (0.0, 0.0, 0.0), 0)))
    return out


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.fuzz_walks", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="levels: YAML, OBJ or GLB")
    parser.add_argument("--ticks", type=at_least(1), default=1_000_000, help="total ticks (default: a million)")
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument(
        "--cases", type=at_least(0), default=0, help="failing states and commands to show for each line"
    )
    options = parser.parse_args(arguments)
    worlds = levels(options.files)
    share = max(options.ticks // (len(worlds) * len(BODIES)), CHUNK)
    failed, total, worst = False, 0, 9.0
    for name, level in worlds:
        for body, radii in BODIES.items():
            report = walk_shard(level, body, WalkerSettings(radii=radii), options.seed, 0, share)
            failed |= report.failed
            total += report.ticks
            worst = min(worst, report.worst_gap)
            print(report.line(name, body), flush=True)
            for case in report.cases[: options.cases]:
                print("    ", case, flush=True)
    print(f"{total} ticks, worst gap {worst:.6f} (half the skin is 0.005): {'FAILED' if failed else 'all held'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
