"""Crowd: sixty-four walkers on hills, each with its own command, in one call for each tick."""

from __future__ import annotations

from typing import Any

import numpy as np

from ellipsoid_walker.level import LevelBuilder
from ellipsoid_walker.physics import Crowd, TriangleMesh, Walker

COUNT, TICKS = 64, 120


def main() -> tuple[TriangleMesh, list[Any]]:
    """The mesh, and the states (COUNT,) after each tick."""
    hills = LevelBuilder(spawn={"at": (0, 3, 0)})
    hills.add(
        "terrain", from_=(-16, -16), to=(16, 16), cell=0.5, formula="1.2 * sin(0.6 * x) * cos(0.5 * z) + 0.04 * x"
    )
    mesh = hills.build().mesh
    walker = Walker()
    crowd = Crowd(walker, mesh)
    start = walker.spawn(mesh, feet=(0.0, 0.2, 0.0))
    states: Any = [start] * COUNT  # walkers do not collide with each other
    headings = np.linspace(0, 65536, COUNT, endpoint=False).astype(int)  # 65536 to the turn, counter-clockwise
    rows = walker.commands(forward=[1.0] * COUNT, heading=headings, sprint=[k % 2 == 0 for k in range(COUNT)])
    history = []
    for _ in range(TICKS):
        states = crowd.step(states, rows)
        history.append(states)
    feet = states["position"][:, 1] - walker.settings.radii[1]
    way = np.hypot(*(states["position"] - start.position)[:, [0, 2]].T)
    print(f"{COUNT} walkers, {TICKS} ticks: {states['grounded'].sum()} on the ground")
    print(f"height of the feet: {feet.min():.2f} to {feet.max():.2f} m; way: {way.min():.1f} to {way.max():.1f} m")
    return mesh, history


if __name__ == "__main__":
    main()
