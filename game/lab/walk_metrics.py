"""Metrics of a walk that are the same for all controllers: gap, pace, and ticks in which something went wrong."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from ..core.vectors import Floats
from ..physics import Command, TriangleMesh, WalkerSettings, WalkerState
from ..physics.numerics.trigonometry import heading_sin_cos
from .fauerby_slide import ellipsoid_space_matrix
from .reference_controller import MoveRequest, wish_move
from .triangle_arrays import TriangleArrays, dot, length, nearest_on_triangles, transform_corners

PACE_WINDOW_TICKS = 60  # ticks over which `recent_pace` is averaged
GAP_SEARCH_DISTANCE = 0.6  # m around the body within which the gap is measured
STUCK_FRACTION = 0.01  # of the wished displacement: less in a tick is stuck
BACKWARD_TOLERANCE = 1e-6  # m against the wish: more counts as backward
EMBEDDED_GAP = -1e-6  # m: a smaller gap counts as embedded


@dataclass(slots=True)
class WalkMetrics:
    """Sums over the ticks so far, in metres and ticks.

    gap           distance now between the parallel planes that touch the body and the nearest point; negative inside;
                  infinite where nothing is near
    smallest_gap  the least gap so far
    wished        length of the wished horizontal displacement
    progress      horizontal displacement along the wish
    path          length of the horizontal displacement
    stuck         ticks with a wish and less than a hundredth of it made
    backward      ticks that moved against their wish
    embedded      ticks that ended inside geometry
    tunnelled     ticks in which the centre of the body passed through a surface
    recent        wished displacement and progress of each of the last PACE_WINDOW_TICKS ticks
    """

    ticks: int = 0
    gap: float = math.inf
    smallest_gap: float = math.inf
    wished: float = 0.0
    progress: float = 0.0
    path: float = 0.0
    stuck: int = 0
    backward: int = 0
    embedded: int = 0
    tunnelled: int = 0
    recent: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=PACE_WINDOW_TICKS))

    @property
    def pace(self) -> float:
        """`progress` as a fraction of `wished`; nan where nothing was wished."""
        return self.progress / self.wished if self.wished > 0.0 else math.nan

    @property
    def recent_pace(self) -> float:
        """`pace` of the last ticks."""
        wished = sum(distance for distance, _ in self.recent)
        return sum(distance for _, distance in self.recent) / wished if wished > 0.0 else math.nan

    def add_tick(
        self,
        before: WalkerState,
        command: Command,
        after: WalkerState,
        settings: WalkerSettings,
        mesh: TriangleMesh,
        faces: TriangleArrays,
    ) -> None:
        """Add the tick that led from `before` to `after`."""
        self.ticks += 1
        wish = wish_move(command, settings)
        wished_distance = float(length(wish))
        start, end = np.array(before.position), np.array(after.position)
        start[1] += after.radii[1] - before.radii[1]
        displacement = end - start
        distance = math.sqrt(float(displacement[0] * displacement[0] + displacement[2] * displacement[2]))
        self.path += distance
        along = float(dot(displacement, wish)) / wished_distance if wished_distance > 0.0 else 0.0
        self.recent.append((wished_distance, along))
        if wished_distance > 0.0:
            self.wished += wished_distance
            self.progress += along
            self.stuck += distance < STUCK_FRACTION * wished_distance
            self.backward += along < -BACKWARD_TOLERANCE
        self.gap = surface_gap(after, faces)
        self.smallest_gap = min(self.smallest_gap, self.gap)
        self.embedded += self.gap < EMBEDDED_GAP
        size = float(length(displacement))
        if size > 1e-9:
            hit = mesh.raycast(tuple(start.tolist()), tuple(displacement.tolist()), size)
            self.tunnelled += hit is not None


def surface_gap(state: WalkerState, faces: TriangleArrays) -> float:
    """Gap (m) between a body and the surface that is nearest in ellipsoid space; infinite where none is near."""
    sine, cosine = heading_sin_cos(state.heading)
    centre = np.array(state.position)
    radii = np.array(state.radii)
    candidates = faces.overlapping_box(
        centre - radii.max() - GAP_SEARCH_DISTANCE, centre + radii.max() + GAP_SEARCH_DISTANCE
    )
    if not len(candidates):
        return math.inf
    zero: Floats = np.zeros(3)
    matrix = ellipsoid_space_matrix(MoveRequest(zero, zero, zero, state.radii, float(sine), float(cosine)))
    a, b, c = transform_corners(faces.corners[candidates] - centre, matrix)
    with np.errstate(all="ignore"):
        points = nearest_on_triangles(np.zeros((3, 1)), a, b, c)
        distances = length(points)
        best = int(np.argmin(np.where(np.isfinite(distances), distances, np.inf)))
        distance = float(distances[best])
        if distance < 1e-9:
            return -min(state.radii)
        normal = matrix.T @ points[:, best] / distance
        return (distance - 1.0) / float(length(normal))
