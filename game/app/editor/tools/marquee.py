"""Marquee: a rectangle that is drawn with the free pointer and selects the pieces that lie wholly within it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Flags, Floats
from ....render import Camera
from ....render.overlay_layers import OverlayLines
from .. import selection
from ..selection import UNSEEN_MARKERS, Selection

if TYPE_CHECKING:
    from ....level import Level

MIN_PIXELS = 6.0  # a shorter way is a click
LINE_DISTANCE = 0.3  # m before the eye that the rectangle is drawn
COLOUR = (1.0, 0.85, 0.3, 0.95)
Point = tuple[float, float]


def is_drawn(start: Point, end: Point) -> bool:
    """Whether the pointer has moved far enough for a rectangle."""
    return max(abs(end[0] - start[0]), abs(end[1] - start[1])) >= MIN_PIXELS


def rectangle_lines(camera: Camera, size: tuple[int, int], start: Point, end: Point) -> OverlayLines:
    across = np.array((start[0], end[0], end[0], start[0]))
    down = np.array((start[1], start[1], end[1], end[1]))
    rays = camera.pixel_ray(across, down, *size)
    distance = max(LINE_DISTANCE, 2.0 * camera.near)
    corners = np.asarray(camera.eye) + distance * rays
    return OverlayLines(np.stack((corners, np.roll(corners, -1, axis=0)), axis=1), COLOUR, 2.0, 0.9)


def pieces_within(level: Level, camera: Camera, size: tuple[int, int], start: Point, end: Point) -> list[Selection]:
    """Pieces of which every corner lies within the rectangle."""
    low, high = np.minimum(start, end), np.maximum(start, end)
    faces = level.faces
    inside: Flags = np.all(_is_inside(faces.corners.reshape(-1, 3), camera, size, low, high).reshape(-1, 4), axis=1)
    found = []
    pairs = np.stack((faces.origin, faces.instance), axis=1)
    for origin, instance in np.unique(pairs[inside], axis=0).tolist():
        own = (faces.origin == origin) & (faces.instance == instance)
        if inside[own].all():
            found.append(selection.select_origin(level, origin, instance))
    for mark in level.faces.marks:
        if mark.kind not in UNSEEN_MARKERS and _is_inside(np.array([mark.at]), camera, size, low, high).all():
            found.append(selection.select_origin(level, mark.origin, mark.instance))
    places: set[object] = set()
    kept = []
    for picked in found:
        if picked.source_place not in places:
            places.add(picked.source_place)
            kept.append(picked)
    return kept


def _is_inside(points: Floats, camera: Camera, size: tuple[int, int], low: Floats, high: Floats) -> Flags:
    """Mask (n) of the points before the eye that appear within a rectangle (pixels)."""
    right, up, forward = camera.basis()
    away = points - np.asarray(camera.eye)
    depth = away @ forward
    across, upright = camera.half_fov_tangents(size[0] / max(size[1], 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        x = (0.5 + (away @ right) / depth / across / 2.0) * size[0]
        y = (0.5 - (away @ up) / depth / upright / 2.0) * size[1]
    mask: Flags = (depth > 1e-6) & (x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1])
    return mask
