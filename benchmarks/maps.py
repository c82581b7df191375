"""Walks over maps that people made for other games, for the walker and its peers in turns.

    python -m benchmarks.maps [--only ours,physx] [--rounds 5] [--ticks 20000]

The maps are .npz files (`tris` (N,3,3) m, Y up; `spawns` (K,3), 0.61 m above the feet) in ../shared/real/maps beside
the checkout, or in maps/ of the folder WALKER_REAL_LEVELS. Their players are smaller than ours: everything is scaled by
SCALE. Prints a Markdown table: microseconds a tick of each peer, the sum over the legs of the median round and, in
brackets, of the processor time of each leg's best round; and our time divided by theirs.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.courses import HEIGHT, RADIUS, SPEED, TICKS, Course, Leg, course_named
from game.physics import TriangleMesh, Walker, WalkerState, bare

REAL_LEVELS = Path(__file__).resolve().parents[2] / "shared" / "real"
SCALE = 1.27
SPAWN_HEIGHT = 0.61  # m of a spawn above the feet, before scaling
PREFIX = "map "
BATCH = 50  # ticks in one direction
BATCHES = 3  # of a leg
MAX_DROP = 3.0  # m in a batch; other directions are tried first, since a fall out of the map costs nothing
TRIES = 8  # directions for a batch


def map_folder() -> Path:
    """Where the maps are."""
    return Path(os.environ.get("WALKER_REAL_LEVELS") or REAL_LEVELS) / "maps"


def map_names() -> list[str]:
    """Names of the map courses that exist here, for `course_of`."""
    return [PREFIX + path.stem.removesuffix("_brushes") for path in sorted(map_folder().glob("*.npz"))]


def _read_map(name: str) -> tuple[np.ndarray, np.ndarray]:
    """(triangles (N,3,3), feet of the spawns (K,3)) of a map, scaled; float32 as all peers get them."""
    paths = [path for path in map_folder().glob("*.npz") if path.stem.removesuffix("_brushes") == name]
    if not paths:
        raise ValueError(f"no map {name!r} in {map_folder()}")
    with np.load(paths[0]) as found:
        triangles, spawns = found["tris"].astype(np.float64), found["spawns"].astype(np.float64)
    spawns[:, 1] -= SPAWN_HEIGHT
    return (SCALE * triangles).astype(np.float32).astype(np.float64), SCALE * spawns


@cache
def map_course(name: str, ticks: int = TICKS) -> Course:
    """Legs of BATCHES random directions from the map's own spawns.

    A direction in which our walker falls by more than MAX_DROP is replaced, at most TRIES times.
    """
    triangles, spawns = _read_map(name)
    mesh = TriangleMesh(triangles)
    walker = Walker(bare(radii=(RADIUS, HEIGHT / 2, RADIUS), walk_speed=SPEED))
    random = np.random.default_rng(len(triangles))
    legs: list[Leg] = []
    for number in range(10 * len(spawns) + ticks // (BATCH * BATCHES)):
        if len(legs) * BATCH * BATCHES >= ticks:
            break
        start = spawns[number % len(spawns)]
        try:
            state = walker.spawn(mesh, start)
        except ValueError:
            continue
        headings = []
        for _ in range(BATCHES):
            for _ in range(TRIES):
                heading = int(random.integers(65536))
                rows = walker.commands(forward=1.0, heading=np.full(BATCH, heading))
                after = WalkerState(walker.run(state, rows, mesh)[-1:])
                if after.feet[1] > state.feet[1] - MAX_DROP:
                    break
            state = after
            headings.append(np.full(BATCH, heading))
        speed = np.full(BATCH * BATCHES, SPEED)
        x, y, z = map(float, start)
        legs.append(Leg(f"{name} {number}", (x, y, z), np.concatenate(headings), speed, 0))
    return Course(PREFIX + name, triangles, tuple(legs))


def course_of(name: str, ticks: int = TICKS) -> Course:
    """The course of a map (`map_names`), or one of `courses.course_named`."""
    return map_course(name.removeprefix(PREFIX), ticks) if name.startswith(PREFIX) else course_named(name, ticks)


def _pair(values: list[float]) -> str:
    """Ratio of the medians, and that of the undisturbed times in brackets."""
    return "-" if math.isnan(values[0]) else f"{values[0]:.2f} ({values[1]:.2f})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    from benchmarks.peers.measure import Effort, Run
    from benchmarks.peers.table import grid
    from benchmarks.peers.workers import PEERS

    parser = argparse.ArgumentParser(prog="python -m benchmarks.maps", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--only", default="ours,physx", help="peers (%(default)s); all: every installed one")
    parser.add_argument("--rounds", type=int, default=5, help="rounds in turns (%(default)s)")
    parser.add_argument("--ticks", type=int, default=TICKS, help="of each map (%(default)s)")
    options = parser.parse_args(arguments)
    if not map_names():
        print(f"no maps in {map_folder()}: nothing to measure")
        return 0
    peers = [p for p in PEERS if not p.missing() and (options.only == "all" or p.key in options.only.split(","))]
    effort = Effort(options.ticks, options.rounds, 1, 8.0, 1, 30.0, 0)
    rows, logs = [], {peer.key: [] for peer in peers if peer.key != "ours"}
    with TemporaryDirectory() as folder:
        for name in map_names():
            run = Run(name, peers, effort, Path(folder), lambda line: print(line, file=sys.stderr))
            run.walk()
            run.time()
            run.end()
            ours = run.rows["ours"]
            row = [f"{name.removeprefix(PREFIX)} ({len(run.course.triangles)})"]
            for peer in peers:
                found = run.rows[peer.key]
                row.append(f"{found['mean']:.2f} ({found['least']:.2f})" if "mean" in found else "-")
            for key, values in logs.items():
                found = run.rows[key]
                pair = [ours[of] / found[of] if of in found else math.nan for of in ("mean", "least")]
                values.append([math.log(ratio) for ratio in pair])
                row.append(_pair(pair))
            rows.append(row)
    names = {peer.key: peer.name for peer in peers}
    head = ["map (triangles)", *names.values(), *[f"ours: {names[key]}'s" for key in logs]]
    means = [_pair(np.exp(np.nanmean(values, axis=0)).tolist()) for values in logs.values()]
    print(grid(head, [*rows, ["geometric mean", *[""] * len(peers), *means]]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
