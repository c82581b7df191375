"""Exhibits of the collision lab: a triangle with corners to drag, and balls at rest on a box and on a plane.

Line and triangle: the first reply to "Collision detection in 3D", a forum guide of 2020, tests by unsigned areas, which
accepts points outside.

Ball on a plane: "High Speed Accurate Collision Detection" (a golf game). Its local frame (a side, the normal, their
cross product) makes the triangle level, puts the ball one radius above it and transforms back, which equals the shift
along the normal that is used here. Defects, kept: it uses the plane and not the triangle, so a ball beyond the rim
rests on air; it resolves along the normal, so a ball that fell far past the plane jumps back up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..core.vectors import Floats, Point
from ..render import Card, CardRow, Snapshot
from ..render.overlay_layers import Overlay, OverlayFaces, OverlayLines, OverlayPoints, concatenate_layers
from ..render.snapshot import EllipsoidInstance
from .triangle_arrays import is_inside_by_areas

if TYPE_CHECKING:
    from ..level.build.entities.point_entities import Exhibit

TRIANGLE_KIND = "triangle"
RESTING_KIND = "resting"
PARALLEL_TOLERANCE = 1e-9  # sine of the angle to the plane below which a line is parallel to it
VIEW_DISTANCE = 9.0  # m within which the triangle reacts to the line of sight
GRAB_TOLERANCE = 0.06  # of the distance: how near to a corner the line of sight must pass to grab it
INITIAL_CORNERS = ((-1.1, 0.55, 0.15), (1.1, 0.85, -0.25), (0.2, 2.25, 0.1))  # m, of the triangle at first
CORNER_NAMES = ("A", "B", "C")
INSIDE_COLOUR = (0.35, 0.90, 0.45)
OUTSIDE_COLOUR = (1.00, 0.45, 0.35)
EDGE_COLOUR = (0.96, 0.94, 0.89)
DRAGGED_COLOUR = (1.00, 0.76, 0.36)
TRIANGLE_COLOUR = (0.55, 0.75, 0.95)
SLOPE_COLOUR = (0.98, 0.86, 0.55)

BALL_RADIUS = 0.28  # m, of the resting balls
SLOPE_CORNERS = ((0.9, 0.35, -0.7), (-0.9, 0.35, -0.7), (-0.9, 1.15, 0.7), (0.9, 1.15, 0.7))  # m, around its middle
SLOPE_SPACING = 1.25  # m between the middles of a slope and the station
SWAY_AMPLITUDE = 0.42  # m
BOX_BALL_COLOUR = (0.93, 0.40, 0.36)
PLANE_BALL_COLOUR = (0.40, 0.78, 0.95)


@dataclass(frozen=True, slots=True)
class LineTriangleHit:
    """Intersection of a ray and the plane of a triangle.

    point        m
    distance     from the origin of the ray, m
    barycentric  coordinates of the point; they add up to 1
    inside       no coordinate is negative
    unsigned     result of the guide's test with unsigned areas
    """

    point: tuple[float, float, float]
    distance: float
    barycentric: tuple[float, float, float]
    inside: bool
    unsigned: bool


def intersect_line_triangle(corners: ArrayLike, origin: ArrayLike, direction: ArrayLike) -> LineTriangleHit | None:
    """Intersection of a ray with the plane of a triangle (3, 3); None behind it, parallel to it, or for no area."""
    a, b, c = np.asarray(corners, dtype=np.float64)
    start = np.asarray(origin, dtype=np.float64)
    ray = np.asarray(direction, dtype=np.float64)
    normal = np.cross(b - a, c - a)
    normal_squared = float((normal * normal).sum())
    ray_length = float(np.sqrt((ray * ray).sum()))
    denominator = float((normal * ray).sum())
    if abs(denominator) <= PARALLEL_TOLERANCE * ray_length * np.sqrt(normal_squared):  # also without area or length
        return None
    t = float((normal * (a - start)).sum()) / denominator
    if t < 0.0:
        return None
    point = start + t * ray
    first, second, third = (
        float((np.cross(q - p, point - p) * normal).sum()) / normal_squared for p, q in ((b, c), (c, a), (a, b))
    )
    unsigned = bool(is_inside_by_areas(*(corner[:, None] for corner in (point, a, b, c)))[0])
    x, y, z = point.tolist()
    is_inside = min(first, second, third) >= 0.0
    return LineTriangleHit((x, y, z), t * ray_length, (first, second, third), is_inside, unsigned)


def rest_on_bounding_box(corners: ArrayLike, x: float, z: float, radius: float) -> Floats:
    """Centre (3,) of a ball above (x, z) on the bounding box of a polygon (n, 3), at its greatest height."""
    return np.array((x, float(np.asarray(corners, dtype=np.float64)[:, 1].max()) + radius, z))


def rest_on_plane(corners: ArrayLike, x: float, z: float, radius: float) -> tuple[Floats, Floats]:
    """Centre (3,) of a ball above (x, z) on the plane of a polygon, and its contact point (3,).

    corners (n, 3): the first three are not collinear. ValueError for an upright plane.
    """
    a, b, c = np.asarray(corners, dtype=np.float64)[:3]
    side = b - a
    normal = np.cross(side, c - a)
    size = float(np.sqrt((normal * normal).sum()))
    if size == 0.0 or abs(normal[1]) < 1e-9 * size:
        raise ValueError("nothing rests on an upright plane")
    normal = normal / size * np.sign(normal[1])
    # one radius from the plane, vertically above (x, z)
    height = a[1] - (normal[0] * (x - a[0]) + normal[2] * (z - a[2])) / normal[1]
    centre = np.array((x, height + radius / normal[1], z))
    return centre, centre - radius * normal


class ExhibitStation:
    """Base class of the exhibits: the station's frame."""

    def __init__(self, exhibit: Exhibit) -> None:
        self.exhibit = exhibit
        angle = math.radians(exhibit.facing)
        self._sine, self._cosine = math.sin(angle), math.cos(angle)

    def to_world(self, points: object) -> Floats:
        """World positions of points in the station's frame, whose front faces -z."""
        local = np.asarray(points, dtype=np.float64) * self.exhibit.size
        x, y, z = local[..., 0], local[..., 1], local[..., 2]
        s, c = self._sine, self._cosine
        ox, oy, oz = self.exhibit.at
        return np.stack((ox + c * x + s * z, oy + y, oz + c * z - s * x), axis=-1)


class TriangleStation(ExhibitStation):
    """A triangle with draggable corners, and the intersection of its plane with the line of sight."""

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.corners = self.to_world(INITIAL_CORNERS)
        self.dragged_corner: int | None = None
        self.grabbable_corner: int | None = None
        self._distance = 0.0
        self._was_grabbing = False
        self.plane_hit: LineTriangleHit | None = None
        self.is_aimed = False

    def update(self, eye: Point, ahead: Floats, grabbing: bool) -> None:
        """Update from the line of sight; grabbing: the grab button is held."""
        start = np.array(eye)
        offsets = self.corners - start
        depths = offsets @ ahead
        line_distances = np.linalg.norm(offsets - depths[:, None] * ahead, axis=1)
        tolerance = np.maximum(GRAB_TOLERANCE * depths, 0.08)
        in_reach = (depths > 0.2) & (depths < VIEW_DISTANCE) & (line_distances < tolerance)
        self.grabbable_corner = int(np.argmin(np.where(in_reach, line_distances, np.inf))) if in_reach.any() else None
        if grabbing and not self._was_grabbing and self.grabbable_corner is not None:
            self.dragged_corner = self.grabbable_corner
            self._distance = float(depths[self.grabbable_corner])
        if not grabbing:
            self.dragged_corner = None
        self._was_grabbing = grabbing
        if self.dragged_corner is not None:
            self.corners[self.dragged_corner] = start + self._distance * ahead
            self.grabbable_corner = self.dragged_corner
        self.plane_hit = intersect_line_triangle(self.corners, start, ahead)
        to_middle = self.corners.mean(axis=0) - start
        distance = float(np.linalg.norm(to_middle))
        is_faced = float(to_middle @ ahead) > 0.86 * distance  # the line of sight points roughly at it
        self.is_aimed = distance < VIEW_DISTANCE and (self.grabbable_corner is not None or is_faced)

    def layers(self) -> Overlay:
        """Overlay of the triangle, its corners, and the hit point with lines to the corners."""
        hit = self.plane_hit if self.is_aimed else None
        rim = np.stack((self.corners, np.roll(self.corners, -1, axis=0)), axis=1)
        faces = [OverlayFaces(self.corners[None], (*TRIANGLE_COLOUR, 0.42))]
        lines = [OverlayLines(rim, (*EDGE_COLOUR, 0.95), 2.5, 0.15)]
        colours = [(*(DRAGGED_COLOUR if k == self.grabbable_corner else EDGE_COLOUR), 1.0) for k in range(3)]
        points = [OverlayPoints(self.corners, colours, 13.0, 0.0)]
        if hit is not None:
            colour = INSIDE_COLOUR if hit.inside else OUTSIDE_COLOUR
            spokes = [(hit.point, tuple(corner)) for corner in self.corners.tolist()]
            lines.append(OverlayLines(spokes, (*colour, 0.75), 1.5, 0.15))
            points.append(OverlayPoints([hit.point], (*colour, 1.0), 12.0, 0.0))
        return Overlay(tuple(faces), tuple(lines), tuple(points))

    def card(self) -> Card:
        """Card with corners, hit point, distance, and the results of both point-in-triangle tests."""
        rows = [
            CardRow(name, _format_point(corner), chosen=k == self.grabbable_corner)
            for k, (name, corner) in enumerate(zip(CORNER_NAMES, self.corners.tolist(), strict=True))
        ]
        hit = self.plane_hit
        if hit is None:
            note = "Your line of sight does not hit the triangle's plane."
        else:
            colour = INSIDE_COLOUR if hit.inside else OUTSIDE_COLOUR
            a, b, c = hit.barycentric
            rows.append(CardRow("hit" if hit.inside else "hit on plane", _format_point(hit.point), colour))
            rows.append(CardRow("distance", f"{hit.distance:.3f} m"))
            rows.append(CardRow("areas A B C", f"{a:+.2f}  {b:+.2f}  {c:+.2f}"))
            rows.append(CardRow("signed areas", "inside" if hit.inside else "outside"))
            rows.append(CardRow("unsigned (guide)", "inside" if hit.unsigned else "outside"))
            note = ""
            if hit.unsigned != hit.inside:
                note = "The test with unsigned areas is wrong here."
        if self.dragged_corner is not None:
            note = f"Moving corner {CORNER_NAMES[self.dragged_corner]}. Walk to bring it nearer or farther."
        elif self.grabbable_corner is not None:
            note = f"Hold the left mouse button or E to move corner {CORNER_NAMES[self.grabbable_corner]}."
        return Card("Line and triangle", rows=tuple(rows), note=note, side="right")


class RestingBallStation(ExhibitStation):
    """Left: a ball on the bounding box of its polygon; right: a ball on the polygon's plane."""

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.radius = BALL_RADIUS * exhibit.size
        slope = np.array(SLOPE_CORNERS)
        self.box_balls, self.plane_balls = (
            self.to_world(slope + np.array((side * SLOPE_SPACING, 0.0, 0.0))) for side in (1.0, -1.0)
        )

    def ball_positions(self, seconds: float) -> tuple[Floats, Floats, Floats]:
        """Centres of the balls on the box and on the plane, and the latter's contact point; they sway."""
        sway = SWAY_AMPLITUDE * math.sin(0.9 * seconds)
        box_at, plane_at = (self.to_world((side * SLOPE_SPACING, 0.0, sway)) for side in (1.0, -1.0))
        box_centre = rest_on_bounding_box(self.box_balls, float(box_at[0]), float(box_at[2]), self.radius)
        plane_centre, contact = rest_on_plane(self.plane_balls, float(plane_at[0]), float(plane_at[2]), self.radius)
        return box_centre, plane_centre, contact

    def layers(self, seconds: float) -> Overlay:
        """Overlay of both slopes, the box, and the point below and the contact point of each ball."""
        box_centre, plane_centre, contact = self.ball_positions(seconds)
        plates = np.concatenate([[quad[[0, 1, 2]], quad[[0, 2, 3]]] for quad in (self.box_balls, self.plane_balls)])
        rims = np.concatenate(
            [np.stack((quad, np.roll(quad, -1, axis=0)), axis=1) for quad in (self.box_balls, self.plane_balls)]
        )
        down = np.array((0.0, self.radius, 0.0))
        lines = (
            OverlayLines(rims, (*EDGE_COLOUR, 0.9), 2.0, 0.1),
            OverlayLines(_bounding_box_edges(self.box_balls), (*BOX_BALL_COLOUR, 0.9), 2.0),
            OverlayLines([(box_centre, box_centre - down)], (*BOX_BALL_COLOUR, 1.0), 2.5),
            OverlayLines([(plane_centre, contact)], (*PLANE_BALL_COLOUR, 1.0), 2.5),
            OverlayLines([(plane_centre, plane_centre - down)], (*EDGE_COLOUR, 0.8), 1.5),
        )
        points = (
            OverlayPoints([box_centre - down], (*BOX_BALL_COLOUR, 1.0), 10.0, 0.0),
            OverlayPoints([contact], (*PLANE_BALL_COLOUR, 1.0), 10.0, 0.0),
        )
        return Overlay((OverlayFaces(plates, (*SLOPE_COLOUR, 0.45)),), lines, points)

    def balls(self, seconds: float) -> tuple[EllipsoidInstance, ...]:
        """Both balls, translucent so that the contact points show."""
        box_centre, plane_centre, _ = self.ball_positions(seconds)
        size = (self.radius, self.radius, self.radius)
        return tuple(
            EllipsoidInstance((float(at[0]), float(at[1]), float(at[2])), size, colour, 0.0, 0.62)
            for at, colour in ((box_centre, BOX_BALL_COLOUR), (plane_centre, PLANE_BALL_COLOUR))
        )


def build_stations(exhibits: tuple[Exhibit, ...]) -> tuple[tuple[TriangleStation, ...], tuple[RestingBallStation, ...]]:
    return (
        tuple(TriangleStation(exhibit) for exhibit in exhibits if exhibit.show == TRIANGLE_KIND),
        tuple(RestingBallStation(exhibit) for exhibit in exhibits if exhibit.show == RESTING_KIND),
    )


def add_static_exhibits(exhibits: tuple[Exhibit, ...], shot: Snapshot) -> Snapshot:
    """The snapshot with the exhibits of a level in their first state."""
    triangle_stations, ball_stations = build_stations(exhibits)
    layers = [station.layers() for station in triangle_stations]
    layers += [station.layers(shot.time) for station in ball_stations]
    balls = tuple(ball for station in ball_stations for ball in station.balls(shot.time))
    return replace(shot, overlay=concatenate_layers(layers), ellipsoids=balls)


def _bounding_box_edges(corners: Floats) -> Floats:
    """(12, 2, 3) edges of the bounding box of points."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    ends = [np.array((x, y, z)) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    pairs = [(a, b) for k, a in enumerate(ends) for b in ends[k + 1 :] if int(np.abs(a - b).sum()) == 1]
    return np.array([(low + a * (high - low), low + b * (high - low)) for a, b in pairs])


def _format_point(point: object) -> str:
    x, y, z = (float(value) for value in np.asarray(point, dtype=np.float64))
    return f"{x:.2f}  {y:.2f}  {z:.2f}"
