"""Small worlds to draw: a profile along the way, drawn out sideways; and a look at what a tick worked on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from game.physics import Command, TriangleMesh, Walker, WalkerState
from game.physics.character.rows import body, counter
from game.physics.character.scratch import Scratch
from tools.docs.figures.svg import EARTH, GROUND, Panel, Point


def extrude(profile: Sequence[Point], half: float = 4.0) -> TriangleMesh:
    """A world whose section is the polyline of (way along -Z, height), `half` metres to each side."""
    quads = []
    for (u0, y0), (u1, y1) in pairwise(profile):
        a, b, c, d = (-half, y0, -u0), (half, y0, -u0), (half, y1, -u1), (-half, y1, -u1)
        quads += [(a, b, c), (a, c, d)]
    return TriangleMesh(np.array(quads))


def side(position: Any) -> Point:
    """A place as the profile shows it."""
    return (-float(position[2]), float(position[1]))


def draw_ground(panel: Panel, profile: Sequence[Point], deep: float, width: float = 2.0) -> None:
    """The profile, and earth under it down to `deep`."""
    d = panel.drawing
    d.area(panel([*profile, (profile[-1][0], deep), (profile[0][0], deep)]), EARTH)
    d.line(panel(profile), GROUND, width)


def touched(walker: Walker, state: WalkerState, world: TriangleMesh) -> Scratch:
    """The scratch memory after a tick of standing still: the planes that the body touches where it is."""
    _, trace = walker.step(state, Command(heading=state.heading), world)
    assert trace.contacts is not None  # makes the tick in the traced memory
    return walker._free_traced[-1].scratch


def planes(work: Scratch) -> Any:
    """The touching planes, one row each (columns: game/physics/character/scratch.py)."""
    return work.planes[: work.counters[counter.PLANES]]


def base(work: Scratch) -> Any:
    """The world position that planes and candidates are relative to."""
    return work.body[body.ORIGIN : body.ORIGIN + 3]
