"""Cost of zones and moving platforms for a walker's tick: far away, and ridden; all in one run.

    python -m benchmarks.environment [TICKS]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from game.physics import Environment, Motion, Mover, Movers, TriangleMesh, Walker
from game.physics.environment.zones import Zone, Zones

ROUNDS = 9
MANY = 20


def _slab(side: float, low: float, high: float) -> np.ndarray:
    a, b = -side, side
    top = [[a, high, b], [b, high, b], [b, high, a], [a, high, a]]
    foot = [[a, low, a], [b, low, a], [b, low, b], [a, low, b]]
    return np.array([[q[0], q[k], q[k + 1]] for q in (top, foot) for k in (1, 2)])


def main(arguments: list[str]) -> int:
    """Print microseconds per tick, the best of some rounds."""
    ticks = int(arguments[0]) if arguments else 20_000
    walker, world = Walker(), TriangleMesh(_slab(40.0, -1.0, 0.0))
    up = Motion(path=((0.0, 0.0, 0.0), (0.0, 4.0, 0.0)))
    far = Movers([Mover(TriangleMesh(_slab(1.0, -0.2, 0.0)), (60.0 + 5.0 * k, 0.0, 60.0), up) for k in range(MANY)])
    wide = Movers([Mover(TriangleMesh(_slab(30.0, -0.2, 0.05)), motion=up)])
    zones = Zones([Zone((200.0 + 10.0 * k, 0.0, 0.0), (3.0, 3.0, 3.0), current=(1.0, 0.0, 0.0)) for k in range(MANY)])
    turn = np.arange(MANY) * (2.0 * np.pi / MANY)
    ring = Zones([Zone((70.0 * x, 0.0, 70.0 * z), (3.0, 3.0, 3.0), water=True)
                  for x, z in zip(np.cos(turn).tolist(), np.sin(turn).tolist(), strict=True)])  # fmt: skip
    cases = {
        "nothing around": None,
        f"{MANY} movers, none near": Environment(movers=far),
        f"{MANY} zones, none near": Environment(zones),
        f"{MANY} zones in a ring": Environment(ring),
        "both": Environment(zones, far),
        "one that is ridden": Environment(movers=wide),
    }
    rng = np.random.default_rng(1)
    rows = walker.commands(forward=rng.uniform(0, 1, ticks), heading=np.cumsum(rng.integers(-400, 400, ticks)) % 65536)
    starts = {name: walker.spawn(world, (0.0, 0.05, 0.0), around=around) for name, around in cases.items()}
    best = dict.fromkeys(cases, np.inf)
    for _ in range(ROUNDS):
        for name, around in cases.items():
            walker.run(starts[name], rows[:10], world, around=around)
            began = perf_counter()
            walker.run(starts[name], rows, world, around=around)
            best[name] = min(best[name], (perf_counter() - began) / ticks * 1e6)
    for name, taken in best.items():
        print(f"{name:24} {taken:6.2f} microseconds a tick, {100 * (taken / best['nothing around'] - 1):+.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
