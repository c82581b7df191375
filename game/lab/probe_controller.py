"""2.5-D collision with three probes.

Source: "Poor man's 3D Collision Detection", 2019.

Upward faces form a list sorted by their smallest x. Three points ahead, left and right, at five times the step, are
looked up in it. A rise up to the limit is walked: the height comes from the plane equation. A higher rise is a wall:
the edge between the body and the probe, found by intersecting lines in plan, turns the step along itself.
Defects: one height at each place, so no bridges, ceilings or overhangs; probes are points, so thin obstacles pass
between them; the distance kept from a wall depends on the speed; without an edge (a start inside) there is no wall;
slopes of any angle are walked, and a rise up to the limit is one jump.

Differences here: triangles instead of quads; the highest of several faces counts; metres instead of whole centimetres;
the limit is the step height instead of two metres.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.vectors import Floats
from .reference_controller import MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays

PROBE_LENGTH_FACTOR = 5.0  # times the step, as published
TOP_MIN_NORMAL_Y = 1e-3  # least y of the unit normal of an upward face


class TopFaces:
    """Upward faces, sorted by their smallest x."""

    def __init__(self, faces: TriangleArrays) -> None:
        top = np.flatnonzero(faces.normals[:, 1] > TOP_MIN_NORMAL_Y)
        top = top[np.argsort(faces.low[top, 0], kind="stable")]
        self.min_x, self.max_x = faces.low[top, 0], faces.high[top, 0]
        self.corners = faces.corners[top]
        self.normals = faces.normals[top]

    def height_below(self, x: float, z: float) -> tuple[float, Any] | None:
        """Greatest height (m) at a point in plan, and the corners (3, 3) of that face; None where there is none."""
        last = int(np.searchsorted(self.min_x, x, side="right"))
        candidates = np.flatnonzero(self.max_x[:last] >= x)
        corners = self.corners[candidates]
        a, b = corners, np.roll(corners, -1, axis=1)
        sides = (x - a[..., 0]) * (b[..., 2] - a[..., 2]) - (b[..., 0] - a[..., 0]) * (z - a[..., 2])
        inside = (sides >= 0).all(axis=1) | (sides <= 0).all(axis=1)
        if not inside.any():
            return None
        candidates, corners = candidates[inside], corners[inside]
        normal = self.normals[candidates]
        a = corners[:, 0]
        height = a[:, 1] + ((a[:, 2] - z) * normal[:, 2] + (a[:, 0] - x) * normal[:, 0]) / normal[:, 1]
        best = int(np.argmax(height))
        return float(height[best]), corners[best]


class ProbeController(ReferenceController):
    """The 2.5-D method."""

    name = "probes"
    title = "2.5-D probes"
    source = '"Poor man\'s 3D Collision Detection", 2019'

    _tops: tuple[TriangleArrays, TopFaces] | None = None

    @property
    def body(self) -> tuple[float, float, float]:
        """A round body, as broad as the walker."""
        across, high, _ = self.settings.radii
        return across, high, across

    def resolve_move(self, faces: TriangleArrays, request: MoveRequest) -> Floats:
        if self._tops is None or self._tops[0] is not faces:
            self._tops = faces, TopFaces(faces)
        tops = self._tops[1]
        feet = float(request.centre[1]) - request.radii[1]
        x, z = float(request.centre[0]), float(request.centre[2])
        dx, dz = float(request.wish_displacement[0]), float(request.wish_displacement[2])
        px, pz = PROBE_LENGTH_FACTOR * dx, PROBE_LENGTH_FACTOR * dz
        for ax, az in ((px, pz), (pz, -px), (-pz, px)):
            top = tops.height_below(x + ax, z + az)
            if top is None or top[0] - feet <= self.settings.step_height:
                continue
            edge = crossed_edge_direction(x, z, x + ax, z + az, top[1])
            if edge is not None:
                along = dx * edge[0] + dz * edge[1]
                dx, dz = along * edge[0], along * edge[1]
        centre = np.array((x + dx, request.centre[1] + request.gravity_displacement[1], z + dz))
        ground = tops.height_below(x + dx, z + dz)
        if ground is not None and ground[0] - feet <= self.settings.step_height:
            centre[1] = max(centre[1], ground[0] + request.radii[1])
        return centre


def crossed_edge_direction(x0: float, z0: float, x1: float, z1: float, corners: Any) -> tuple[float, float] | None:
    """Unit direction in plan of the first edge of a triangle that the line from 0 to 1 crosses, or None."""
    nearest = 2.0
    direction = None
    for k in range(3):
        ax, az = float(corners[k, 0]), float(corners[k, 2])
        ex, ez = float(corners[(k + 1) % 3, 0]) - ax, float(corners[(k + 1) % 3, 2]) - az
        denominator = (x1 - x0) * ez - (z1 - z0) * ex
        edge_length = (ex * ex + ez * ez) ** 0.5
        if denominator == 0.0 or edge_length == 0.0:
            continue
        t = ((ax - x0) * ez - (az - z0) * ex) / denominator
        u = ((ax - x0) * (z1 - z0) - (az - z0) * (x1 - x0)) / denominator
        if 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0 and t < nearest:
            nearest = t
            direction = (ex / edge_length, ez / edge_length)
    return direction
