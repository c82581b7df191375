"""Drawing of handles: points by kind, boxes of zones, ways of movers, directions, and labels near the eye."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ....core.angles import RADIANS_PER_HEADING_UNIT
from ....core.vectors import Colour, Floats, Vector, to_point
from ....render import Camera, ScreenLabel
from ....render.overlay_layers import OverlayLines, OverlayPoints
from ..handles import Handle, level_handles
from ..selection import Selection

if TYPE_CHECKING:
    from ....level import Level

COLOURS: dict[str, Colour] = {
    "spawn": (0.65, 0.95, 0.75), "goal": (1.0, 0.85, 0.35), "exit": (0.75, 0.65, 1.0), "light": (1.0, 0.9, 0.6),
    "target": (1.0, 0.75, 0.35), "zone": (0.45, 0.75, 1.0), "mover": (1.0, 0.6, 0.8), "stop": (1.0, 0.6, 0.8),
    "arrive": (0.75, 0.65, 1.0), "landing": (0.6, 1.0, 0.9),
}  # fmt: skip
OTHER_COLOUR: Colour = (0.85, 0.85, 0.9)
POINT_PIXELS = 15.0
PART_PIXELS = 11.0
ARROW_LENGTH = 0.9  # m
ARROW_HEAD = 0.2  # m
CIRCLE_SIDES = 32
MAX_LABELS = 14
LABEL_DISTANCE = 14.0  # m from the eye
SELECTED_COLOUR: Colour = (0.40, 0.86, 1.0)
Layers = tuple[list[OverlayPoints], list[OverlayLines]]


class HandleLayers:
    """Cached layers of the handles of a level."""

    def __init__(self) -> None:
        self._level: Level | None = None
        self._points: list[OverlayPoints] = []
        self._lines: list[OverlayLines] = []

    def build(self, level: Level, selected: Sequence[Selection], offset: Vector | None) -> Layers:
        """Points and lines of all handles. offset: displacement (m) of the selection while it is dragged."""
        if self._level is not level:
            self._level = level
            self._points, self._lines = _resting_layers(level_handles(level))
        points = list(self._points)
        lines = list(self._lines)
        for chosen in selected:
            for handle in level_handles(level):
                if any(place == chosen.source_place for _, place in handle.selection.links):
                    lines += _selected_lines(handle, chosen, offset or (0.0, 0.0, 0.0))
        return points, lines


def handle_labels(level: Level, view: Camera, aspect: float, selected: Sequence[Selection]) -> tuple[ScreenLabel, ...]:
    """Labels of the handles near the eye: of pieces and stops, and of the other parts of a selected piece."""
    places = {chosen.source_place for chosen in selected}
    near = []
    for handle in level_handles(level):
        distance = math.dist(handle.at, view.eye)
        is_labelled = handle.selection.part is None or handle.kind == "stop" or handle.selection.source_place in places
        if distance <= LABEL_DISTANCE and is_labelled:
            near.append((distance, handle))
    near.sort(key=lambda item: item[0])
    labels = []
    for _, handle in near[:MAX_LABELS]:
        place = _on_screen(view, aspect, handle.at)
        if place is not None:
            name = handle.label if handle.selection.part is None else handle.label.rpartition(": ")[2]
            labels.append(ScreenLabel(name, *place, handle_colour(handle)))
    return tuple(labels)


def handle_colour(handle: Handle) -> Colour:
    """Colour of a handle, sRGB."""
    return COLOURS.get(handle.kind, OTHER_COLOUR)


def _on_screen(view: Camera, aspect: float, point: Vector) -> tuple[float, float] | None:
    """Fractions of width and height; None behind the eye or outside the picture."""
    x, y, _, w = (np.array((*point, 1.0)) @ view.view_projection_matrix(aspect)).tolist()
    if w <= 0.05:
        return None
    across, down = 0.5 + 0.5 * x / w, 0.5 - 0.5 * y / w
    return (across, down) if 0.0 < across < 1.0 and 0.0 < down < 1.0 else None


def _resting_layers(handles: Sequence[Handle]) -> Layers:
    points = []
    lines = []
    for kind in dict.fromkeys(handle.kind for handle in handles):
        own = [handle for handle in handles if handle.kind == kind]
        colour = handle_colour(own[0])
        is_part = own[0].selection.part is not None
        points.append(
            OverlayPoints(
                [handle.at for handle in own], (*colour, 0.85), PART_PIXELS if is_part else POINT_PIXELS, 0.35
            )
        )
        edges = [_shape(handle) for handle in own if kind not in ("light", "target")]
        drawn = [one for one in edges if len(one)]
        if drawn:
            lines.append(OverlayLines(np.concatenate(drawn), (*colour, 0.5), 1.6, 0.3))
    return points, lines


def _shape(handle: Handle) -> Floats:
    """Edges (n, 2, 3) of the box, the circle, the way and the arrow of a handle."""
    shapes = [np.zeros((0, 2, 3))]
    if handle.zone is not None:
        shapes.append(handle.zone.edges)
    if handle.radius > 0.0:
        shapes.append(_circle(handle.at, handle.radius))
    if len(handle.path) > 1 and handle.kind == "mover":
        shapes.append(np.array(list(pairwise(handle.path))))
    if handle.heading is not None:
        shapes.append(_arrow(handle.at, handle.heading))
    return np.concatenate(shapes)


def _selected_lines(handle: Handle, chosen: Selection, offset: Vector) -> list[OverlayLines]:
    """Lines of a handle of the selection, where the drag would put it."""
    move = np.asarray(offset)
    if chosen.part is None:
        moved = _shape(handle) + move if handle.selection.part is None else np.zeros((0, 2, 3))
    elif handle.selection.part == chosen.part:
        path = [np.asarray(stop) for stop in handle.path]
        if chosen.part[0] == "path":
            path[chosen.part[1]] = path[chosen.part[1]] + move
        moved = np.array(list(pairwise(path))) if len(path) > 1 else np.zeros((0, 2, 3))
        moved = np.concatenate((moved, _circle(to_point(np.asarray(handle.at) + move), 0.3)))
    else:
        return []
    return [OverlayLines(moved, (*SELECTED_COLOUR, 0.9), 2.5, 0.4)] if len(moved) else []


def _circle(centre: Vector, radius: float) -> Floats:
    """A level circle and an upright one, as lines."""
    angles = np.linspace(0.0, math.tau, CIRCLE_SIDES + 1)
    s, c = radius * np.sin(angles), radius * np.cos(angles)
    zeros = np.zeros(CIRCLE_SIDES + 1)
    rings = [np.stack(ring, axis=1) + np.asarray(centre) for ring in ((s, zeros, c), (s, c, zeros))]
    return np.concatenate([np.stack((ring[:-1], ring[1:]), axis=1) for ring in rings])


def _arrow(start: Vector, heading: int) -> Floats:
    angle = heading * RADIANS_PER_HEADING_UNIT
    ahead, right = (
        np.array((-math.sin(angle), 0.0, -math.cos(angle))),
        np.array((math.cos(angle), 0.0, -math.sin(angle))),
    )
    tip = np.asarray(start) + ARROW_LENGTH * ahead
    sides = [tip - ARROW_HEAD * (ahead + sign * 0.6 * right) for sign in (-1.0, 1.0)]
    return np.array([(np.asarray(start), tip), (tip, sides[0]), (tip, sides[1])])
