"""The stations of the collision lab: a triangle with corners to drag, and a ball on its box beside one on its plane."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..render import Card, CardRow, Snapshot
from ..render.overlay_layers import Faces, Lines, Overlay, Points
from ..render.passes.ellipsoids import EllipsoidLook
from .ball_rest import on_box, on_plane
from .line_triangle import Meeting, meet

if TYPE_CHECKING:
    from ..level.build.entities.exhibits import Exhibit

Floats = NDArray[np.float64]
Point = tuple[float, float, float]
TRIANGLE, RESTING = "triangle", "resting"
REACH = 9.0  # m from which a station is looked at
GRASP = 0.06  # of the distance: how near the line of sight has to pass a corner to take hold of it
CORNERS = ((-1.1, 0.55, 0.15), (1.1, 0.85, -0.25), (0.2, 2.25, 0.1))  # m, of the triangle as it begins
NAMES = ("A", "B", "C")
INSIDE, OUTSIDE, EDGE = (0.35, 0.90, 0.45), (1.00, 0.45, 0.35), (0.96, 0.94, 0.89)
HELD = (1.00, 0.76, 0.36)
PLATE = (0.55, 0.75, 0.95)
SHEET = (0.98, 0.86, 0.55)

BALL = 0.28  # m, of the balls that rest
SLOPE = ((0.9, 0.35, -0.7), (-0.9, 0.35, -0.7), (-0.9, 1.15, 0.7), (0.9, 1.15, 0.7))  # m, round its middle
APART = 1.25  # m, of each slope's middle from the station's
SWAY = 0.42  # m, to and fro
BOXED, PLANED = (0.93, 0.40, 0.36), (0.40, 0.78, 0.95)


class Station:
    """One exhibit where it stands."""

    def __init__(self, exhibit: Exhibit) -> None:
        self.exhibit = exhibit
        turn = math.radians(exhibit.facing)
        self._sine, self._cosine = math.sin(turn), math.cos(turn)

    def world(self, points: object) -> Floats:
        """Places in the station's own directions (its front looks along -z), in the world."""
        own = np.asarray(points, dtype=np.float64) * self.exhibit.size
        x, y, z = own[..., 0], own[..., 1], own[..., 2]
        s, c = self._sine, self._cosine
        ox, oy, oz = self.exhibit.at
        return np.stack((ox + c * x + s * z, oy + y, oz + c * z - s * x), axis=-1)


class TriangleStation(Station):
    """Its corners can be dragged; the line of sight meets its plane."""

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.corners = self.world(CORNERS)
        self.held: int | None = None
        self.near: int | None = None  # the corner that could be taken hold of
        self._distance = 0.0
        self._pulling = False
        self.meeting: Meeting | None = None
        self.looked_at = False

    def frame(self, eye: Point, ahead: Floats, pulling: bool) -> None:
        """Follow the line of sight; `pulling`: the hand is closed."""
        start = np.array(eye)
        to = self.corners - start
        along = to @ ahead
        aside = np.linalg.norm(to - along[:, None] * ahead, axis=1)
        fits = (along > 0.2) & (along < REACH) & (aside < np.maximum(GRASP * along, 0.08))
        self.near = int(np.argmin(np.where(fits, aside, np.inf))) if fits.any() else None
        if pulling and not self._pulling and self.near is not None:
            self.held, self._distance = self.near, float(along[self.near])
        if not pulling:
            self.held = None
        self._pulling = pulling
        if self.held is not None:
            self.corners[self.held] = start + self._distance * ahead
            self.near = self.held
        self.meeting = meet(self.corners, start, ahead)
        middle = np.linalg.norm(self.corners.mean(axis=0) - start)
        self.looked_at = bool(middle < REACH and (self.near is not None or self._faced(start, ahead)))

    def _faced(self, start: Floats, ahead: Floats) -> bool:
        """Whether the line of sight passes near."""
        to = self.corners.mean(axis=0) - start
        size = float(np.linalg.norm(to))
        return size > 0.0 and float(to @ ahead) / size > 0.86

    def layers(self) -> Overlay:
        """The triangle, its corners, and the point with lines to the corners: their three parts of the area."""
        meeting = self.meeting if self.looked_at else None
        rim = np.stack((self.corners, np.roll(self.corners, -1, axis=0)), axis=1)
        faces = [Faces(self.corners[None], (*PLATE, 0.42))]
        lines = [Lines(rim, (*EDGE, 0.95), 2.5, 0.15)]
        colours = [(*(HELD if k == self.near else EDGE), 1.0) for k in range(3)]
        points = [Points(self.corners, colours, 13.0, 0.0)]
        if meeting is not None:
            colour = INSIDE if meeting.inside else OUTSIDE
            spokes = [(meeting.point, tuple(corner)) for corner in self.corners.tolist()]
            lines.append(Lines(spokes, (*colour, 0.75), 1.5, 0.15))
            points.append(Points([meeting.point], (*colour, 1.0), 12.0, 0.0))
        return Overlay(tuple(faces), tuple(lines), tuple(points))

    def card(self) -> Card:
        """Corners, the point and its distance, and how the two tests of "inside" judge it."""
        rows = [
            CardRow(name, _place(corner), chosen=k == self.near)
            for k, (name, corner) in enumerate(zip(NAMES, self.corners.tolist(), strict=True))
        ]
        meeting = self.meeting
        if meeting is None:
            note = "The line of sight does not meet its plane ahead of you."
        else:
            colour = INSIDE if meeting.inside else OUTSIDE
            a, b, c = meeting.parts
            rows.append(CardRow("meets" if meeting.inside else "its plane", _place(meeting.point), colour))
            rows.append(CardRow("distance", f"{meeting.distance:.3f} m"))
            rows.append(CardRow("parts A B C", f"{a:+.2f}  {b:+.2f}  {c:+.2f}"))
            rows.append(CardRow("with signs", "inside" if meeting.inside else "outside"))
            rows.append(CardRow("without (guide)", "inside" if meeting.unsigned else "outside"))
            note = ""
            if meeting.unsigned != meeting.inside:
                note = "Areas without a sign are wrong here."
        if self.held is not None:
            note = f"Corner {NAMES[self.held]} comes along. Walk to bring it nearer or farther."
        elif self.near is not None:
            note = f"Hold the left button or E: corner {NAMES[self.near]} follows your eye."
        return Card("Line and triangle", rows=tuple(rows), note=note, side="right")


class RestingStation(Station):
    """On the left a ball rests on its polygon's box, on the right on the polygon's plane."""

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.radius = BALL * exhibit.size
        slope = np.array(SLOPE)
        self.boxed, self.planed = (self.world(slope + np.array((side * APART, 0.0, 0.0))) for side in (1.0, -1.0))

    def places(self, seconds: float) -> tuple[Floats, Floats, Floats]:
        """Centre of the ball on the box, of the one on the plane, and the point that this touches in. They sway."""
        sway = SWAY * math.sin(0.9 * seconds)
        box_at, plane_at = (self.world((side * APART, 0.0, sway)) for side in (1.0, -1.0))
        boxed = on_box(self.boxed, float(box_at[0]), float(box_at[2]), self.radius)
        centre, touch = on_plane(self.planed, float(plane_at[0]), float(plane_at[2]), self.radius)
        return boxed, centre, touch

    def layers(self, seconds: float) -> Overlay:
        """Both slopes, the box, the place straight under each ball, and the point where it touches."""
        boxed, centre, touch = self.places(seconds)
        plates = np.concatenate([[quad[[0, 1, 2]], quad[[0, 2, 3]]] for quad in (self.boxed, self.planed)])
        rims = np.concatenate(
            [np.stack((quad, np.roll(quad, -1, axis=0)), axis=1) for quad in (self.boxed, self.planed)]
        )
        down = np.array((0.0, self.radius, 0.0))
        lines = (
            Lines(rims, (*EDGE, 0.9), 2.0, 0.1),
            Lines(_box(self.boxed), (*BOXED, 0.9), 2.0),
            Lines([(boxed, boxed - down)], (*BOXED, 1.0), 2.5),
            Lines([(centre, touch)], (*PLANED, 1.0), 2.5),
            Lines([(centre, centre - down)], (*EDGE, 0.8), 1.5),
        )
        points = (Points([boxed - down], (*BOXED, 1.0), 10.0, 0.0), Points([touch], (*PLANED, 1.0), 10.0, 0.0))
        return Overlay((Faces(plates, (*SHEET, 0.45)),), lines, points)

    def balls(self, seconds: float) -> tuple[EllipsoidLook, ...]:
        """Both balls, a little translucent: one sees where they touch."""
        boxed, centre, _ = self.places(seconds)
        size = (self.radius, self.radius, self.radius)
        return tuple(
            EllipsoidLook((float(at[0]), float(at[1]), float(at[2])), size, colour, 0.0, 0.62)
            for at, colour in ((boxed, BOXED), (centre, PLANED))
        )


def stations_of(exhibits: tuple[Exhibit, ...]) -> tuple[tuple[TriangleStation, ...], tuple[RestingStation, ...]]:
    """Those that show a triangle, and those that show balls."""
    return (
        tuple(TriangleStation(one) for one in exhibits if one.show == TRIANGLE),
        tuple(RestingStation(one) for one in exhibits if one.show == RESTING),
    )


def still(exhibits: tuple[Exhibit, ...], shot: Snapshot) -> Snapshot:
    """A picture of a level with its exhibits in it, as they stand before anybody touches them."""
    triangles, rests = stations_of(exhibits)
    layers = [one.layers() for one in triangles] + [one.layers(shot.time) for one in rests]
    balls = tuple(ball for one in rests for ball in one.balls(shot.time))
    return replace(shot, overlay=together(layers), ellipsoids=balls)


def together(layers: list[Overlay]) -> Overlay | None:
    """All layers as one."""
    if not layers:
        return None
    return Overlay(
        tuple(face for one in layers for face in one.faces),
        tuple(line for one in layers for line in one.lines),
        tuple(point for one in layers for point in one.points),
        next((one.grid for one in layers if one.grid is not None), None),
    )


def _box(corners: Floats) -> Floats:
    """(12, 2, 3) the edges of the box round some points."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    ends = [np.array((x, y, z)) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    pairs = [(a, b) for k, a in enumerate(ends) for b in ends[k + 1 :] if int(np.abs(a - b).sum()) == 1]
    return np.array([(low + a * (high - low), low + b * (high - low)) for a, b in pairs])


def _place(point: object) -> str:
    x, y, z = (float(value) for value in np.asarray(point, dtype=np.float64))
    return f"{x:.2f}  {y:.2f}  {z:.2f}"
