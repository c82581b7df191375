"""Cost of zones and moving platforms for a walker's tick: far away, and ridden; all in one run.

    python -m benchmarks.environment [TICKS ...]

Prints microseconds per tick, the best of nine rounds, and the difference from a level without either.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.common import alternating_seconds, parse_sizes
from game.physics import Environment, Motion, Mover, Movers, TriangleMesh, Walker
from game.physics.environment.zones import Zone, Zones

ROUNDS = 9
MANY = 20


def _slab(side: float, low: float, high: float) -> np.ndarray:
    a, b = -side, side
    top = [[a, high, b], [b, high, b], [b, high, a], [a, high, a]]
    foot = [[a, low, a], [b, low, a], [b, low, b], [a, low, b]]
    return np.array([[q[0], q[k], q[k + 1]] for q in (top, foot) for k in (1, 2)])


def main() -> None:
    """Run the command line."""
    for ticks in parse_sizes("benchmarks.environment", __doc__, "TICKS", "ticks of a measured walk", [20_000]):
        measure(ticks)


def measure(ticks: int) -> None:
    """Print the cost of a tick in each environment."""
    walker, world = Walker(), TriangleMesh(_slab(40.0, -1.0, 0.0))
    up = Motion(path=((0.0, 0.0, 0.0), (0.0, 4.0, 0.0)))
    far = Movers([Mover(TriangleMesh(_slab(1.0, -0.2, 0.0)), (60.0 + 5.0 * k, 0.0, 60.0), up) for k in range(MANY)])
    platform = Movers([Mover(TriangleMesh(_slab(30.0, -0.2, 0.05)), motion=up)])
    zones = Zones([Zone((200.0 + 10.0 * k, 0.0, 0.0), (3.0, 3.0, 3.0), current=(1.0, 0.0, 0.0)) for k in range(MANY)])
    angle = np.arange(MANY) * (2.0 * np.pi / MANY)
    circle = Zones([Zone((70.0 * x, 0.0, 70.0 * z), (3.0, 3.0, 3.0), water=True)
                  for x, z in zip(np.cos(angle).tolist(), np.sin(angle).tolist(), strict=True)])  # fmt: skip
    cases = {
        "empty environment": None,
        f"{MANY} movers, none near": Environment(movers=far),
        f"{MANY} zones, none near": Environment(zones),
        f"{MANY} zones in a circle": Environment(circle),
        "movers and zones, none near": Environment(zones, far),
        "one mover, ridden": Environment(movers=platform),
    }
    rng = np.random.default_rng(1)
    rows = walker.commands(forward=rng.uniform(0, 1, ticks), heading=np.cumsum(rng.integers(-400, 400, ticks)) % 65536)
    starts = {name: walker.spawn(world, (0.0, 0.05, 0.0), around=around) for name, around in cases.items()}
    runs = [partial(walker.run, starts[name], rows, world, around=around) for name, around in cases.items()]
    best = alternating_seconds(runs, ROUNDS + 1)[1:].min(axis=0) / ticks * 1e6  # the first round compiles
    for name, cost in zip(cases, best.tolist(), strict=True):
        print(f"{name:28} {cost:6.2f} microseconds a tick, {100 * (cost / best[0] - 1):+.0f} %")


if __name__ == "__main__":
    main()
