"""Golf course of a level: holes with tee and cup, water and bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ....core.vectors import Floats, Point
from ...format.findings import FindingCollector, SourceSpan
from ...format.level_file import GolfFields, HoleFields
from ...geometry.faces import CupSpec, FaceArrays


@dataclass(frozen=True, slots=True)
class GolfHole:
    """One hole. tee: ground below the ball. cup: centre of the rim. radius, depth: of the cup, m. via: a point as high
    as the cup, aimed at until the ball is near it."""

    name: str
    par: int
    tee: Point
    cup: Point
    radius: float
    depth: float
    via: Point | None = None
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    @property
    def foot(self) -> Point:
        """Centre of the cup's bottom, where the flag stands."""
        return self.cup[0], self.cup[1] - self.depth, self.cup[2]


@dataclass(frozen=True, slots=True)
class Golf:
    """Golf course. holes: in playing order. water: index of the surface that returns a ball, or -1.

    bounds: lowest and highest corner. radius: of the ball, m. speed: of the strongest stroke, m/s.
    """

    holes: tuple[GolfHole, ...]
    water: int
    bounds: tuple[Point, Point]
    radius: float
    speed: float


def read_golf(golf: GolfFields | None, faces: FaceArrays, triangles: Floats, report: FindingCollector) -> Golf | None:
    """Golf course of a level file. A hole without ground below its tee, or without a cup, is dropped."""
    if golf is None:
        return None
    cups = [
        (marker.at, marker.payload, faces.instances[marker.instance])
        for marker in faces.marks
        if isinstance(marker.payload, CupSpec)
    ]
    holes: list[GolfHole] = []
    for entry in golf.holes:
        x, z = entry.tee
        cup_point = entry.cup
        height = highest_ground(triangles, x, z)
        if height is None:
            cure = "give `tee` the x and z of a point on a floor or terrain"
            message = "there is no ground under the tee"
            report.add("dropped", entry.place_of(HoleFields.tee), "golf.holes.tee", message, cure)
            continue
        matching_cups = [
            (at, cup, instance)
            for at, cup, instance in cups
            if math.hypot(at[0] - cup_point[0], at[2] - cup_point[1]) <= cup.radius * instance.size
        ]
        if not matching_cups:
            cure = f"dig one into the terrain: `cups: [{{at: [{cup_point[0]:g}, {cup_point[1]:g}]}}]`"
            if not report.has_gaps:  # the terrain with the cup may have been left out
                report.add("dropped", entry.place_of(HoleFields.cup), "golf.holes.cup", "there is no cup here", cure)
            continue
        at, cup, instance = matching_cups[0]
        name = entry.name or f"Hole {len(holes) + 1}"
        radius = cup.radius * instance.size
        depth = cup.depth * instance.scale[1]
        via = None if entry.via is None else (entry.via[0], at[1], entry.via[1])
        holes.append(GolfHole(name, entry.par, (x, height, z), at, radius, depth, via, entry.place))
    if not holes:
        return None
    corners = np.array(golf.bounds) if golf.bounds else np.array([[-1e9] * 3, [1e9] * 3])
    low, high = (tuple(map(float, corner)) for corner in (corners.min(axis=0), corners.max(axis=0)))
    bounds = (low[0], low[1], low[2]), (high[0], high[1], high[2])
    return Golf(tuple(holes), golf.water, bounds, golf.radius, golf.strength)


def highest_ground(triangles: Floats, x: float, z: float) -> float | None:
    """Height of the highest of the triangles (N,3,3) at x, z; None if there is none."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    in_bounds = (low[:, 0] <= x) & (high[:, 0] >= x) & (low[:, 2] <= z) & (high[:, 2] >= z)
    a, b, c = a[in_bounds], b[in_bounds], c[in_bounds]
    area = (b[:, 0] - a[:, 0]) * (c[:, 2] - a[:, 2]) - (b[:, 2] - a[:, 2]) * (c[:, 0] - a[:, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        u = ((x - a[:, 0]) * (c[:, 2] - a[:, 2]) - (z - a[:, 2]) * (c[:, 0] - a[:, 0])) / area
        v = ((b[:, 0] - a[:, 0]) * (z - a[:, 2]) - (b[:, 2] - a[:, 2]) * (x - a[:, 0])) / area
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9)
        height = a[:, 1] + u * (b[:, 1] - a[:, 1]) + v * (c[:, 1] - a[:, 1])
    return float(height[inside].max()) if inside.any() else None
