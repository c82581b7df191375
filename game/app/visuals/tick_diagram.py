"""Tick diagram in the world: the transparent body, contact planes, and arrows of requested and actual displacement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Colour, Floats, Point, to_point
from ...render import Camera, ScreenLabel
from ...render.colour_palettes import DEFAULT_PALETTE
from ...render.hud.palette import contact_colour, theme_for
from ...render.overlay_layers import Overlay, OverlayFaces, OverlayLines, OverlayPoints
from ...render.snapshot import EllipsoidInstance

if TYPE_CHECKING:
    from ...sim import BodyPose, RewindBuffer
    from ...sim.replay.tick_report import TickReport, TouchedSurface

SCALES = (50.0, 20.0, 10.0, 5.0, 2.0, 1.0)  # factors by which displacements are drawn longer
MAX_ARROW_LENGTH = 1.15  # m, of the longest arrow
MIN_ARROW_LENGTH = 0.5e-3  # m; shorter displacements have no arrow
BLOCKED_COLOUR: Colour = (0.98, 0.36, 0.34)
GLASS_COLOUR: Colour = (0.74, 0.88, 1.0)
OUTLINE_COLOUR = (0.92, 0.95, 1.0, 0.34)
TRAIL_TICKS = 90  # ticks before and after with dots
ARROW_SEGMENTS = 14
CIRCLE_SEGMENTS = 44
PATCH_RADIUS = 0.62  # m, radius of a drawn plane
PATCH_RINGS = ((0.0, 0.45, 0.58), (0.45, 0.75, 0.42), (0.75, 1.0, 0.24))  # inner and outer radius (fractions), opacity
REQUEST_OFFSET = 0.07  # m from the actual displacement up to the requested one
PATCH_OFFSET = 0.004  # m from a surface to its patch, against z-fighting


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two points (m) with the radius of its shaft (m)."""

    start: Point
    end: Point
    colour: Colour
    radius: float
    label: str = ""


class TickDiagram:
    """The diagram of one tick. `scale`: factor by which displacements are drawn longer."""

    def __init__(self, report: TickReport, palette: str = DEFAULT_PALETTE) -> None:
        self.report = report
        self.palette = palette
        self.scale = _choose_scale(report)
        accent = theme_for(palette).accent
        ink = theme_for(palette).ink
        self.requested_colour: Colour = (accent[0], accent[1], accent[2])
        self.actual_colour: Colour = (ink[0], ink[1], ink[2])
        self.arrows = self._arrows()
        self._static_layers = self._layers()
        self._outline = OverlayLines(_body_outline(report), (*GLASS_COLOUR, 0.75), 1.6, 0.25)
        self._overlay_key: tuple[Any, ...] = ()
        self._overlay = Overlay()

    def body_ellipsoid(self) -> tuple[EllipsoidInstance, ...]:
        """The body at the end of the tick."""
        state = self.report.after
        return (EllipsoidInstance(state.position, state.radii, GLASS_COLOUR, state.yaw, 0.30, state.up, state.north),)

    def overlay(self, eye: Point, dots: OverlayPoints | None, with_body: bool = True) -> Overlay:
        """All layers for an eye at this position; `dots`: the trail.

        with_body: with the outline of the body. To an eye in the body it is a line through the middle of the picture.
        """
        key = (*(round(coordinate, 3) for coordinate in eye), id(dots), with_body)
        if key != self._overlay_key:
            self._overlay_key = key
            faces, lines, points = self._static_layers
            solid = _solid_arrow_layer(self.arrows, eye)
            trail = () if dots is None else (dots,)
            if with_body:
                lines = (*lines, self._outline)
            self._overlay = Overlay((*faces, *solid), lines, (*trail, *points))
        return self._overlay

    def labels(self, view: Camera, aspect: float) -> tuple[ScreenLabel, ...]:
        """Numbers on the planes, and words at the tips of the arrows."""
        matrix = view.view_projection_matrix(aspect)
        labels = []
        for surface in self.report.surfaces:
            tip = tuple(a + 0.50 * b for a, b in zip(surface.point, surface.normal, strict=True))
            place = _project_to_screen(tip, matrix)
            if place is not None:
                colour = contact_colour(surface.kind, self.palette)
                labels.append(ScreenLabel(str(surface.number), *place, colour, badge=True))
        for arrow in self.arrows:
            start, end = np.array(arrow.start), np.array(arrow.end)
            size = max(float(np.linalg.norm(end - start)), 1e-9)
            fraction = 0.5 if arrow.label == "blocked" else 1.0 + 0.10 / size  # its tip is between the other tips
            place = _project_to_screen(start + fraction * (end - start), matrix) if arrow.label else None
            if place is not None:
                labels.append(ScreenLabel(arrow.label, *place, arrow.colour, centred=arrow.label != "blocked"))
        return tuple(labels)

    def _arrows(self) -> tuple[Arrow, ...]:
        report = self.report
        scale = self.scale
        start = np.array(report.before.position) + np.array(report.carried_by_platform)
        arrows: list[Arrow] = []
        above = start + REQUEST_OFFSET * np.array(report.before.up)
        requested, moved, blocked = (np.array(vector) for vector in (report.wished, report.moved, report.blocked))

        def add_arrow(start: Floats, end: Floats, colour: Colour, radius: float, label: str = "") -> None:
            arrows.append(Arrow(to_point(start), to_point(end), colour, radius, label))

        for surface in report.surfaces:
            point = np.array(surface.point)
            colour = contact_colour(surface.kind, self.palette)
            add_arrow(point, point + 0.38 * np.array(surface.normal), colour, 0.011)
        if report.stopped and np.linalg.norm(requested) > MIN_ARROW_LENGTH:
            requested_tip = above + scale * requested
            add_arrow(above, requested_tip, self.requested_colour, 0.020, "requested")
            if np.linalg.norm(blocked) > MIN_ARROW_LENGTH:
                add_arrow(requested_tip, requested_tip - scale * blocked, BLOCKED_COLOUR, 0.014, "blocked")
        if np.linalg.norm(moved) > MIN_ARROW_LENGTH:
            add_arrow(start, start + scale * moved, self.actual_colour, 0.030, "moved")
        return tuple(arrows)

    def _layers(self) -> tuple[tuple[OverlayFaces, ...], tuple[OverlayLines, ...], tuple[OverlayPoints, ...]]:
        report = self.report
        faces: list[OverlayFaces] = []
        lines: list[OverlayLines] = []
        if len(report.candidate_triangles):
            lines.append(OverlayLines(_unique_edges(report.candidate_triangles), OUTLINE_COLOUR, 1.4, 0.10, 7.0))
        for surface in report.surfaces:
            colour = contact_colour(surface.kind, self.palette)
            faces.append(_plane_patch(surface, colour))
            lines.append(OverlayLines(_patch_outline(surface), (*colour, 0.9), 2.0, 0.12))
            corners = np.array(surface.corners)
            rim = np.stack((corners, np.roll(corners, -1, axis=0)), axis=1)
            lines.append(OverlayLines(rim, (*colour, 0.85), 2.2, 0.15, 7.0))
        for arrow in self.arrows:  # hidden parts show faintly
            lines.append(OverlayLines([(arrow.start, arrow.end)], (*arrow.colour, 0.9), 1.5, 0.6))
        points = [OverlayPoints([surface.point], (*contact_colour(surface.kind, self.palette), 1.0), 10.0, 0.5)
                  for surface in report.surfaces]  # fmt: skip
        joints = self._slide_points()
        if len(joints) > 1:
            points.append(OverlayPoints(joints[:-1], (*self.actual_colour, 1.0), 8.0, 0.8))
        return tuple(faces), tuple(lines), tuple(points)

    def _slide_points(self) -> list[Point]:
        """End points of the slides, scaled like the arrows."""
        report = self.report
        start = np.array(report.before.position)
        offsets = [
            np.array(slide.end) - start for slide in report.slides if math.hypot(*slide.displacement) > MIN_ARROW_LENGTH
        ]
        return [to_point(start + self.scale * offset) for offset in offsets]


def interpolated_body(pose: BodyPose) -> EllipsoidInstance:
    """The transparent body between two ticks."""
    return EllipsoidInstance(
        pose.centre, pose.radii, GLASS_COLOUR, pose.heading * RADIANS_PER_HEADING_UNIT, 0.42, pose.up, pose.north
    )


def trail_dots(buffer: RewindBuffer, at: float) -> OverlayPoints:
    """Dots at the feet of each tick: bright before the position `at`, faint after it."""
    first, last = max(0, math.floor(at) - TRAIL_TICKS), min(len(buffer), math.ceil(at) + TRAIL_TICKS)
    places = []
    colours = []
    feet = buffer.rows(first, last)["feet"].tolist()
    for k in range(first, last):
        x, y, z = feet[k - first]
        away = 1.0 - abs(k + 1 - at) / TRAIL_TICKS
        places.append((x, y + 0.015, z))
        colours.append((1.0, 0.97, 0.90, 0.85 * away) if k + 1 <= at else (0.75, 0.82, 0.95, 0.35 * away))
    return OverlayPoints(np.array(places).reshape(-1, 3), np.array(colours).reshape(-1, 4), 5.0, 0.15)


def _choose_scale(report: TickReport) -> float:
    longest = max(math.hypot(*report.wished), math.hypot(*report.moved), 1e-9)
    return next((scale for scale in SCALES if scale * longest <= MAX_ARROW_LENGTH), 1.0)


def _project_to_screen(point: Any, matrix: Floats) -> tuple[float, float] | None:
    """Position as fractions of width and height from the top left; None behind the eye or outside the picture."""
    x, y, _, w = np.array((*point, 1.0)) @ matrix
    if w < 0.05 or abs(x) > 1.05 * w or abs(y) > 1.05 * w:
        return None
    return float(0.5 + 0.5 * x / w), float(0.5 - 0.5 * y / w)


def _unique_edges(triangles: Floats) -> Floats:
    """Edges (n, 2, 3) of triangles, each once."""
    pairs = np.concatenate([triangles[:, (k, (k + 1) % 3)] for k in range(3)])
    found = {tuple(sorted(map(tuple, ends))): k for k, ends in enumerate(np.round(pairs, 5).tolist())}
    return np.asarray(pairs[list(found.values())])


def _tangent_basis(normal: Any) -> tuple[Floats, Floats]:
    """Two unit vectors that form an orthonormal basis with a unit normal."""
    n = np.array(normal)
    other = np.array((0.0, 1.0, 0.0)) if abs(n[1]) < 0.9 else np.array((1.0, 0.0, 0.0))
    a = np.cross(n, other)
    a /= np.linalg.norm(a)
    return a, np.cross(n, a)


def _circle_points(middle: Any, normal: Any, radius: float, count: int) -> Floats:
    a, b = _tangent_basis(normal)
    angle = np.arange(count) * (math.tau / count)
    points: Floats = np.array(middle) + radius * (np.cos(angle)[:, None] * a + np.sin(angle)[:, None] * b)
    return points


def _plane_patch(surface: TouchedSurface, colour: Colour) -> OverlayFaces:
    """A disc of the contact plane that fades outwards; striped where it is not walkable."""
    middle = np.array(surface.point) + PATCH_OFFSET * np.array(surface.normal)
    triangles = []
    colours = []
    for inner, outer, opacity in PATCH_RINGS:
        a, b = (_circle_points(middle, surface.normal, PATCH_RADIUS * r, CIRCLE_SEGMENTS) for r in (inner, outer))
        c, d = np.roll(b, -1, axis=0), np.roll(a, -1, axis=0)
        triangles += [*np.stack((a, b, c), axis=1), *np.stack((a, c, d), axis=1)]
        colours += [(*colour, opacity)] * (2 * CIRCLE_SEGMENTS)
    return OverlayFaces(np.array(triangles), np.array(colours), shaded=False, stripes=float(surface.kind != "walkable"))


def _patch_outline(surface: TouchedSurface) -> Floats:
    rim = _circle_points(
        np.array(surface.point) + PATCH_OFFSET * np.array(surface.normal), surface.normal, PATCH_RADIUS, CIRCLE_SEGMENTS
    )
    return np.stack((rim, np.roll(rim, -1, axis=0)), axis=1)


def _body_outline(report: TickReport) -> Floats:
    """Outline of the body: three ellipses around its centre."""
    state = report.after
    up, north = np.array(state.up), np.array(state.north)
    east = np.cross(north, up)
    s, c = math.sin(state.yaw), math.cos(state.yaw)
    ahead = c * north - s * east
    right = np.cross(ahead, up)
    axes = [radius * axis for radius, axis in zip(state.radii, (right, up, ahead), strict=True)]
    turn = np.arange(CIRCLE_SEGMENTS + 1) * (math.tau / CIRCLE_SEGMENTS)
    segments = []
    for one, other in ((0, 1), (1, 2), (2, 0)):
        points = np.array(state.position) + np.cos(turn)[:, None] * axes[one] + np.sin(turn)[:, None] * axes[other]
        segments.append(np.stack((points[:-1], points[1:]), axis=1))
    return np.concatenate(segments)


def _solid_arrow_layer(arrows: tuple[Arrow, ...], eye: Point) -> tuple[OverlayFaces, ...]:
    """All arrows as one layer: triangles that face the eye, sorted from back to front."""
    triangles = []
    colours = []
    for arrow in arrows:
        mesh = _arrow_mesh(np.array(arrow.start), np.array(arrow.end), arrow.radius)
        triangles.append(mesh)
        colours.append(np.tile((*arrow.colour, 1.0), (len(mesh), 1)))
    if not triangles:
        return ()
    corners = np.concatenate(triangles)
    paint = np.concatenate(colours)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    to_eye = np.array(eye) - corners.mean(axis=1)
    front = (normals * to_eye).sum(axis=1) > 0.0
    order = np.argsort(-np.linalg.norm(to_eye[front], axis=1), kind="stable")
    return (OverlayFaces(corners[front][order], paint[front][order]),)


def _arrow_mesh(start: Floats, end: Floats, radius: float) -> Floats:
    """(n,3,3): a round shaft and a cone, counter-clockwise seen from outside."""
    length = float(np.linalg.norm(end - start))
    ahead = (end - start) / max(length, 1e-9)
    head = min(6.5 * radius, 0.6 * length)
    neck = end - head * ahead
    a, b = _circle_points(start, ahead, radius, ARROW_SEGMENTS), _circle_points(neck, ahead, radius, ARROW_SEGMENTS)
    rim = _circle_points(neck, ahead, 2.5 * radius * head / (6.5 * radius), ARROW_SEGMENTS)
    following = [np.roll(circle, -1, axis=0) for circle in (a, b, rim)]
    tip, middle, foot = (np.tile(place, (ARROW_SEGMENTS, 1)) for place in (end, neck, start))
    strips = [
        (a, following[0], b), (following[0], following[1], b), (rim, following[2], tip), (rim, middle, following[2]),
        (a, foot, following[0]),
    ]  # fmt: skip
    return np.concatenate([np.stack(strip, axis=1) for strip in strips])
