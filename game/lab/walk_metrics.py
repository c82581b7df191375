"""How a walk went, measured the same way whoever walked: gap, pace, and ticks in which something went wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..physics import Command, TriangleMesh, WalkerSettings, WalkerState
from ..physics.numerics.trigonometry import heading_sin_cos
from .reference_controller import Floats, Move, will
from .triangle_arrays import Faces, dot, length, nearest_on_faces, to_space

LOOK = 0.6  # m round the body in which a gap is looked for
STUCK = 0.01  # of the wish: less than this in a tick is no way
BACK = 1e-6  # m against the wish from which on a tick counts as backward
INSIDE = -1e-6  # m: a gap under this is inside


@dataclass(slots=True)
class Measure:
    """Sums over the ticks so far. Metres, ticks.

    gap         between body and geometry now: of the two planes that touch body and nearest point; under 0 inside;
                infinite where nothing is near
    least       the least gap so far
    wished      the plan way wished for
    made        of the plan way, what went along the wish
    path        the plan way made in all
    stuck       ticks with a wish and less than a hundredth of it made
    backward    ticks that went against their wish
    embedded    ticks that ended inside something
    tunnelled   ticks in which the middle of the body went through a surface
    """

    ticks: int = 0
    gap: float = math.inf
    least: float = math.inf
    wished: float = 0.0
    made: float = 0.0
    path: float = 0.0
    stuck: int = 0
    backward: int = 0
    embedded: int = 0
    tunnelled: int = 0

    @property
    def pace(self) -> float:
        """The part of the wished way that was made along it; nan where nothing was wished."""
        return self.made / self.wished if self.wished > 0.0 else math.nan

    def note(
        self,
        before: WalkerState,
        command: Command,
        after: WalkerState,
        settings: WalkerSettings,
        mesh: TriangleMesh,
        faces: Faces,
    ) -> None:
        """Add a tick."""
        self.ticks += 1
        wish = will(command, settings)
        asked = float(length(wish))
        start, end = np.array(before.position), np.array(after.position)
        start[1] += after.radii[1] - before.radii[1]
        way = end - start
        self.path += math.sqrt(float(way[0] * way[0] + way[2] * way[2]))
        if asked > 0.0:
            along = float(dot(way, wish)) / asked
            self.wished += asked
            self.made += along
            self.stuck += math.sqrt(float(way[0] * way[0] + way[2] * way[2])) < STUCK * asked
            self.backward += along < -BACK
        self.gap = gap(after, faces)
        self.least = min(self.least, self.gap)
        self.embedded += self.gap < INSIDE
        size = float(length(way))
        if size > 1e-9:
            hit = mesh.raycast(tuple(start.tolist()), tuple(way.tolist()), size)
            self.tunnelled += hit is not None


def gap(state: WalkerState, faces: Faces) -> float:
    """Metres between a body and the nearest surface (nearest to the body as a sphere); infinite where none is near."""
    sine, cosine = heading_sin_cos(state.heading)
    place = np.array(state.position)
    radii = np.array(state.radii)
    near = faces.near(place - radii.max() - LOOK, place + radii.max() + LOOK)
    if not len(near):
        return math.inf
    nothing: Floats = np.zeros(3)
    matrix = _matrix(Move(nothing, nothing, nothing, state.radii, float(sine), float(cosine)))
    a, b, c = to_space(faces.corners[near] - place, matrix)
    with np.errstate(all="ignore"):
        points = nearest_on_faces(np.zeros((3, 1)), a, b, c)
        apart = length(points)
        best = int(np.argmin(np.where(np.isfinite(apart), apart, np.inf)))
        distance = float(apart[best])
        if distance < 1e-9:
            return -min(state.radii)
        normal = matrix.T @ points[:, best] / distance
        return (distance - 1.0) / float(length(normal))


def _matrix(ask: Move) -> Floats:
    from .fauerby_slide import to_ellipsoid

    return to_ellipsoid(ask)
