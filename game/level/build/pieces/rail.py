"""Rails: posts and bars along a line of points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ....core.vectors import Vector
from ...format.numbers import Corners, Length
from ...format.piece_kind import Surfaced, building
from .piece_builder import IDENTITY_PLACEMENT, BuiltPiece, PieceBuilder, Placement

WALL = 0.06  # metres: thickness of what a player collides with, and width of the handrail
POST, BAR = 0.04, 0.03  # metres: their width
POST_GAP, BAR_GAP = 1.5, 0.35  # metres: greatest distance
MIN_STEP = 0.05  # metres between two points on the plan
MAX_LENGTH = 1000.0  # metres; bounds the number of posts
SHARPEST_TURN = math.cos(math.radians(150.0))  # a sharper corner would be long and thin

Plan = tuple[float, float]
Face = tuple[tuple[Vector, Vector, Vector, Vector], bool]  # corners, and whether it rests on the ground


class Rail(BuiltPiece, Surfaced):
    """Posts and bars along a line, which may slope. A player collides with it as with a low wall."""

    kind = "rail"
    example = "rail: {points: [[0, 3, 0], [4, 3, 0], [4, 3, -6]]}"
    is_low_below = True  # where it slopes
    new = building(
        "rail: {points: [[-2, 0, 0], [2, 0, 0]], surface: @}",
        "railing banister handrail fence parapet",
        "Posts and bars along an edge.",
    )
    points = Corners(
        "Its corners, at the height of the floor. Beside stairs: the foot and the head of the flight. A ring ends with "
        "its first point.",
        2,
        100,
        required=True,
    )
    height = Length("Height of the handrail above the points.", 1.0, 0.2, 10.0)

    def build(self, out: PieceBuilder) -> Placement:
        """Posts and bars are only drawn, and the wall is only there for the collision."""
        runs = self._runs(out)
        is_ring = self.points[0] == self.points[-1]
        ahead = [(x / run, z / run) for x, z, run in runs]
        turns = [*pairwise(ahead), *([(ahead[-1], ahead[0])] if is_ring else [])]
        mitres = [_mitre(*turn) for turn in turns]
        for number, mitre in enumerate(mitres, start=2):
            if mitre is None:
                shown = number if number <= len(runs) else 1
                out.reject_piece(Rail.points, f"the rail turns back at point {shown}", "write two rails")
        corners = [mitre for mitre in mitres if mitre is not None]
        first, last = (corners[-1], corners[-1]) if is_ring else (_right_of(ahead[0]), _right_of(ahead[-1]))
        across = [first, *corners[: len(runs) - 1], last]

        bars = math.ceil(self.height / BAR_GAP)
        drawn = _strip(self.points, across, WALL / 2, self.height - POST, self.height, is_ring)
        for bar in range(1, bars):
            middle = self.height * bar / bars
            drawn += _strip(self.points, across, BAR / 2, middle - BAR / 2, middle + BAR / 2, is_ring)
        for start, end, way, (*_, run) in zip(self.points, self.points[1:], ahead, runs, strict=False):
            count = math.ceil(run / POST_GAP)
            for k in range(count):
                drawn += self._post(start, end, k / count, way)
        if not is_ring:
            drawn += self._post(self.points[-2], self.points[-1], 1.0, ahead[-1])
        wall = _strip(self.points, across, WALL / 2, 0.0, self.height, is_ring)
        for faces, collide in ((wall, True), (drawn, False)):
            origin = np.full(len(faces), out.add_part("", collide, not collide))
            surface = np.full(len(faces), self.surface, np.int32)
            rests = np.array([rests for _, rests in faces])
            out.add_quads(np.array([quad for quad, _ in faces]), surface, rests, origin=origin)
        return IDENTITY_PLACEMENT

    def _runs(self, out: PieceBuilder) -> list[tuple[float, float, float]]:
        """(x, z) from each point to the next, and its length on the plan (m)."""
        runs = [(x - u, z - w, math.hypot(x - u, z - w)) for (u, _, w), (x, _, z) in pairwise(self.points)]
        for number, (*_, run) in enumerate(runs, start=1):
            if run < MIN_STEP:
                message = f"points {number} and {number + 1} of the rail are less than {MIN_STEP:g} m apart on the plan"
                out.reject_piece(Rail.points, message, "remove one of them, or write two rails")
        if (length := sum(run for *_, run in runs)) > MAX_LENGTH:
            message = f"the rail is {length:.0f} m long; the limit is {MAX_LENGTH:.0f} m"
            out.reject_piece(Rail.points, message, "write several rails")
        return runs

    def _post(self, start: Vector, end: Vector, share: float, way: Plan) -> list[Face]:
        """A post from the line up into the handrail."""
        x, y, z = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        u, w = (POST / 2 * part for part in way)
        across = _right_of(way)
        line = [(x - u, y, z - w), (x + u, y, z + w)]
        return _strip(line, [across, across], POST / 2, 0.0, self.height - POST / 2, False)


def _right_of(way: Plan) -> Plan:
    return -way[1], way[0]


def _mitre(before: Plan, after: Plan) -> Plan | None:
    """From a corner to its right edge, per metre of half width; None where the line turns back."""
    cosine = before[0] * after[0] + before[1] * after[1]
    if cosine < SHARPEST_TURN:
        return None
    return -(before[1] + after[1]) / (1.0 + cosine), (before[0] + after[0]) / (1.0 + cosine)


def _strip(
    line: Sequence[Vector], across: Sequence[Plan], half: float, low: float, high: float, is_ring: bool
) -> list[Face]:
    """Closed solid along a line, from `low` to `high` above it. across: to its right edge at each point."""
    rims = []
    for (x, y, z), (u, w) in zip(line, across, strict=True):
        left, right = (x - half * u, z - half * w), (x + half * u, z + half * w)
        ring = ((left, low), (right, low), (right, high), (left, high))
        rims.append([(px, y + above, pz) for (px, pz), above in ring])
    faces: list[Face] = []
    rests = low == 0.0
    for (a, b, c, d), (e, f, g, h) in pairwise(rims):
        faces += [((b, f, g, c), False), ((e, a, d, h), False)]
        if a[1] == e[1]:
            faces += [((d, c, g, h), False), ((e, f, b, a), rests)]
        else:  # twisted, where the ends are cut at an angle
            faces += [((d, c, g, g), False), ((d, g, h, h), False), ((e, f, a, a), False), ((f, b, a, a), False)]
    if not is_ring:
        (a, b, c, d), (e, f, g, h) = rims[0], rims[-1]
        faces += [((a, b, c, d), False), ((h, g, f, e), False)]
    return faces
