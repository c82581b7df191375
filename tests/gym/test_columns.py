"""Angles and hits as arrays, for observations and commands of many walkers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from game.core.angles import heading_from_degrees
from game.level import load
from game.physics import Crowd, Walker
from game.sim import World

SLIDING = """
format: 1
name: Sliding
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - mover: {at: [-3, 0, -1], path: [[0, 0, 0], [6, 0, 0]], seconds: 2, pause: 0, of: [box: {from: [-1, 0, -1], to: [1, 3, 1]}]}
"""  # noqa: E501


def test_headings_of_an_array_are_those_of_its_numbers() -> None:
    angles = [0.0, 90.0, -90.0, 359.999, 720.5, 45.0]
    assert heading_from_degrees(np.array(angles)).tolist() == [heading_from_degrees(angle) for angle in angles]
    assert Walker().commands(heading=heading_from_degrees([90.0, 180.0]))["heading"].tolist() == [16384, -32768]
    with pytest.raises(ValueError, match="finite numbers"):
        heading_from_degrees(np.array([1.0, np.nan]))


@pytest.mark.parametrize("query", ["raycast", "sweep", "step"])
def test_rows_have_a_clock_of_their_own(query: str) -> None:
    level = load(text=SLIDING)
    world = World(level)
    crowd = Crowd(world.walker, level.mesh, 1, level.environment)
    states = np.concatenate([world.walker_state.row()] * 6)
    states["position"][:, 2] -= np.arange(6) * 0.3
    clocks = np.array([0, 70, 150, 70, 500, 0])
    view = world.walker.commands(heading=np.arange(6) * 3000, forward=np.ones(6))
    directions = [(0, 0, -1.0), (1.0, 0.2, 0), (0, -0.5, -0.5)]

    def ask(rows: slice, clock: Any) -> list[bytes]:
        if query == "step":
            return [crowd.step(states[rows], view[rows], clock).tobytes()]
        found = getattr(crowd, query)(states[rows], np.array(directions) * 6, view=view[rows], clock=clock)
        return [getattr(found, name).tobytes() for name in ("distance", "normal", "mover", "triangle")]

    together = ask(slice(0, 6), clocks)
    alone = [ask(slice(k, k + 1), int(clocks[k])) for k in range(6)]
    assert together == [b"".join(one[part] for one in alone) for part in range(len(together))]
    assert ask(slice(0, 6), 0) != together
