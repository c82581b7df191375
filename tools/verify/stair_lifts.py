"""Worst lift in a tick beside flights of stairs: `python -m tools.verify.stair_lifts [--approaches 3600] [--seed 0]`.

Walks start at random places around a flight with open sides, on the ground, and go straight towards a random place on
it. The tables give for each body, run and rise, and for each tick rate, the largest rise of the feet (m) in a tick that
begins on the ground; then, where there are any, the ticks that break the bounds of docs/limits.md: `o` steps onto
something higher than the step height allows, `a` ends in the air. Exit status 1 if there are any.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from game.cluster.fuzzing.tick_referee import TickReferee
from game.physics import Walker, WalkerSettings
from tests.support.referee.scene_shapes import ground
from tests.support.scenes import BODIES, Triangles, box, mesh
from tools.command_numbers import at_least

RUNS = (0.25, 0.30, 0.05)  # m; the last one only with a rise of 0.40 m
RISES = ((0.15, 0.20), (0.20, 0.25), (0.25, 0.30), (0.30, 0.35), (0.35, 0.40), (0.40, 0.40))  # m: from, to
RATES = (30, 60, 120, 240)
STEPS, WIDTH, LANDING = 8, 1.5, 2.0  # width and landing in m
SECONDS = 1.2


@dataclass
class Cell:
    """Result of the approaches to flights of one kind by one body at one rate."""

    approaches: int = 0
    worst: float = 0.0
    over: int = 0
    air: int = 0

    def __str__(self) -> str:
        broken = "".join(f" {n}{letter}" for n, letter in ((self.over, "o"), (self.air, "a")) if n)
        return f"{self.worst:.3f}{broken}" if self.approaches else ""


def flight(rise: float, run: float) -> Triangles:
    """A solid flight that rises towards -Z from z = 0, with a landing."""
    out: Triangles = []
    for k in range(STEPS):
        back = -run * (k + 1) - (LANDING if k == STEPS - 1 else 0.0)
        out += box(-WIDTH / 2.0, 0.0, back, WIDTH / 2.0, rise * (k + 1), -run * k)
    return out


def approach(random: Any, cell: Cell, body: str, rate: int, run: float, rises: tuple[float, float]) -> None:
    """One walk to a random place of a random flight; nothing if its start is on the flight."""
    rise = float(random.uniform(*rises))
    walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate))
    depth = run * STEPS
    angle, far = float(random.uniform(0.0, 2.0 * math.pi)), float(random.uniform(1.0, 2.5))
    x = float(random.uniform(-WIDTH / 2.0, WIDTH / 2.0)) + far * math.sin(angle)
    z = float(random.uniform(-depth, 0.3)) + far * math.cos(angle)
    sprint = bool(random.random() < 0.3)
    clear = max(walker.settings.radii) * 0.5 + 0.2
    if abs(x) < WIDTH / 2.0 + clear and -depth - LANDING - clear < z < clear:
        return
    world = mesh(ground(), flight(rise, run))
    heading = round(angle * 65536 / (2.0 * math.pi)) % 65536
    state = walker.spawn(world, (x, 0.0, z), heading)
    rows = walker.commands(forward=np.ones(round(SECONDS * rate)), heading=heading, sprint=sprint)
    states = np.concatenate((state.row(), walker.run(state, rows, world)))
    feet = states["position"][:, 1] - states["radii"][:, 1]
    kinds = [b.kind for b in TickReferee(walker, world, tread=(rise, run)).check(states, rows)]
    cell.approaches += 1
    cell.worst = max(cell.worst, float(np.diff(feet)[states["grounded"][:-1]].max(initial=0.0)))
    cell.over += kinds.count("high step")
    cell.air += kinds.count("air step")


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.stair_lifts", description=__doc__.splitlines()[0])
    parser.add_argument("--approaches", type=at_least(1), default=3600, help="walks in all, about (default: 3600)")
    parser.add_argument("--seed", type=at_least(0), default=0)
    options = parser.parse_args(arguments)
    kinds = [(run, rises) for run in RUNS for rises in RISES if run > 0.05 or rises[0] == rises[1]]
    each = max(options.approaches // (len(kinds) * len(BODIES) * len(RATES)), 1)
    total = Cell()
    for b, body in enumerate(BODIES):
        print(f"{body:8} {'rise':>11} {'run':>5} " + " ".join(f"{f'{rate}/s':>13}" for rate in RATES))
        for n, (run, rises) in enumerate(kinds):
            cells = []
            for rate in RATES:
                cell, random = Cell(), np.random.default_rng([options.seed, b, n, rate])
                while cell.approaches < each:
                    approach(random, cell, body, rate, run, rises)
                cells.append(cell)
                total = Cell(
                    total.approaches + cell.approaches,
                    max(total.worst, cell.worst),
                    total.over + cell.over,
                    total.air + cell.air,
                )
            print(f"{'':8} {rises[0]:.2f}..{rises[1]:.2f}  {run:5.2f} " + " ".join(f"{cell!s:>13}" for cell in cells))
    print(
        f"{total.approaches} approaches: {total.over} ticks stepped too high, {total.air} lifts ended in the air, "
        f"worst lift {total.worst:.3f} m"
    )
    return int(total.over + total.air > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
