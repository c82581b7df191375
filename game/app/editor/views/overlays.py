"""Overlays of the editor over the world: the aimed piece, the selection, the grid, and handles with their labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import numpy as np

from ....core.angles import DEGREES_PER_HEADING_UNIT, RADIANS_PER_HEADING_UNIT
from ....core.vectors import Colour, Floats, Vector, to_point
from ....level.geometry.instance_transform import exact_sin_cos
from ....level.geometry.quads import split_into_triangles
from ....render import Camera, ScreenLabel
from ....render.overlay_layers import (
    Overlay,
    OverlayFaces,
    OverlayGrid,
    OverlayLines,
    OverlayPoints,
)
from ..selection import Handle, Selection, handle_positions, level_handles, selected_faces
from . import wireframe

if TYPE_CHECKING:
    from ....level import Level
    from ..edit_tools import EditTools
    from ..editor_view import EditorView
    from ..picking import PickHit


SELECTION_COLOUR = (0.40, 0.86, 1.0)
GLOW_COLOUR = (1.0, 0.80, 0.42)
BODY_COLOUR = (0.65, 0.95, 0.75, 0.55)
GRID_OFFSET = 0.004  # m above its plane
GRID_REACH = {1.0: 20.0, 0.5: 14.0, 0.25: 9.0, 0.1: 6.0}

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
RING_SIDES = 32
PART_RING_RADIUS = 0.3  # m
MIN_WALKER_DISTANCE = 1.6  # m from the eye: the outline of a nearer walker would be around it
MAX_LABELS = 14
LABEL_DISTANCE = 14.0  # m from the eye
Shown = TypeVarTuple("Shown")
Result = TypeVar("Result")


def glowing_lines(lines: Floats, colour: tuple[float, float, float]) -> tuple[OverlayLines, ...]:
    """Lines with a glow: a thin bright line in two broad soft ones."""
    return (
        OverlayLines(lines, (*colour, 0.20), 9.0, 0.35),
        OverlayLines(lines, (*colour, 0.35), 5.0, 0.30),
        OverlayLines(lines, (1.0, 0.95, 0.82, 0.95), 1.8, 0.35),
    )


class EditorOverlays:
    """Overlays of one editor. Each part is built anew when what it shows has changed."""

    def __init__(self) -> None:
        self._built: dict[Callable[..., Any], tuple[tuple[Any, ...], Any]] = {}

    def _once(self, build: Callable[[*Shown], Result], *shown: *Shown) -> Result:
        """build(*shown), which is called when `shown` differs from that of the last call."""
        if build not in self._built or self._built[build][0] != shown:
            self._built[build] = shown, build(*shown)
        result: Result = self._built[build][1]
        return result

    def build(self, tools: EditTools, offset: Vector | None, shows_grid: bool) -> list[Overlay]:
        """Overlays of this frame. offset: displacement (m) of the selection while it is moved."""
        view, level, picked = tools.view, tools.level, tools.view.picked
        parts = [self._once(_resting_handles, level), _walker_outline(view)]
        if tools.selected:
            parts.append(self._once(_selection, level, tools.selected, offset))
        foot = 0.0
        if picked is not None and picked.quad >= 0:
            origin, instance = (int(each[picked.quad]) for each in (level.faces.origin, level.faces.instance))
            glow, foot = self._once(_aimed_piece, level, origin, instance)
            if tools.is_selected(picked):
                face = wireframe.face_edges(level.faces.corners[[picked.quad]])[0]
                glow = Overlay(lines=(OverlayLines(face, (*GLOW_COLOUR, 0.95), 3.0, 0.2),))
            parts.append(glow)
        elif picked is not None:
            parts.append(Overlay(points=(OverlayPoints([picked.point], (*GLOW_COLOUR, 0.5), 30.0, 0.2),)))
        if picked is not None and shows_grid:
            parts.append(Overlay(grid=_grid(view, picked, foot)))
        return parts


def _aimed_piece(level: Level, origin: int, instance: int) -> tuple[Overlay, float]:
    """Edges of the aimed instance, and fainter ones of the other instances of the piece; the height of its foot."""
    faces = level.faces
    of_piece = faces.origin == origin
    of_instance = of_piece & (faces.instance == instance)
    lines = glowing_lines(wireframe.silhouette_edges(faces.corners[of_instance]), GLOW_COLOUR)
    if (of_piece & ~of_instance).any():
        others = wireframe.silhouette_edges(faces.corners[of_piece & ~of_instance])
        lines = (OverlayLines(others, (*GLOW_COLOUR, 0.35), 2.0, 0.2), *lines)
    return Overlay(lines=lines), float(faces.corners[of_instance][..., 1].min())


def _selection(level: Level, chosen: tuple[Selection, ...], dragged: Vector | None) -> Overlay:
    """The selection, at its position or where it is dragged to; fainter the other copies of its pieces."""
    offset = np.array(dragged or (0.0, 0.0, 0.0))
    all_faces = level.faces.corners
    masks = [selected_faces(level, picked) for picked in chosen]
    every, others = (np.logical_or.reduce(each) for each in zip(*masks, strict=True))
    corners = all_faces[every] + offset
    triangles, _ = split_into_triangles(corners, np.all(corners[:, 2] == corners[:, 3], axis=-1))
    faces = OverlayFaces(triangles, (*SELECTION_COLOUR, 0.16 if dragged is None else 0.30), shaded=False)
    edges = [wireframe.silhouette_edges(all_faces[selected] + offset) for selected, _ in masks]
    lines = list(glowing_lines(np.concatenate(edges), SELECTION_COLOUR))
    if (others & ~every).any():
        rest = wireframe.silhouette_edges(all_faces[others & ~every])
        lines.insert(0, OverlayLines(rest, (*SELECTION_COLOUR, 0.5), 2.0, 0.25))
    for picked in chosen:
        for handle in level_handles(level):
            if any(place == picked.source_place for _, place in handle.selection.links):
                lines += _selected_lines(handle, picked, offset)
    marks = [to_point(offset + at) for picked in chosen for at in handle_positions(level, picked)]
    points = (OverlayPoints(marks, (*SELECTION_COLOUR, 0.75), 22.0, 0.4),) if marks else ()
    return Overlay((faces,), tuple(lines), points)


def _grid(view: EditorView, picked: PickHit, foot: float) -> OverlayGrid:
    """Grid at the height of the aimed floor; for a wall or a slope, at the foot of its piece."""
    x, y, z = picked.point
    is_floor = picked.quad < 0 or abs(picked.normal[1]) > 0.999
    height = y if is_floor else foot
    up = GRID_OFFSET if view.eye[1] >= height else -GRID_OFFSET
    step = view.grid
    return OverlayGrid((round(x / step) * step, height + up, round(z / step) * step), step, GRID_REACH[step])


def _walker_outline(view: EditorView) -> Overlay:
    """Outline of the walker, unless the camera is close to it."""
    session = view.game.session
    if session is None or math.dist(session.pose().centre, view.eye) < MIN_WALKER_DISTANCE:
        return Overlay()
    pose = session.pose()
    sine, cosine = exact_sin_cos(pose.heading * DEGREES_PER_HEADING_UNIT)
    rotation = np.array(((cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)))
    rings = _rings(3) * pose.radii @ rotation + pose.centre
    return Overlay(lines=(OverlayLines(rings, BODY_COLOUR, 1.8, 0.4),))


def _rings(count: int) -> Floats:
    """Circles of radius 1 as lines (n, 2, 3): the first level, the others upright."""
    angles = np.linspace(0.0, math.tau, RING_SIDES + 1)
    s, c, zeros = np.sin(angles), np.cos(angles), np.zeros(RING_SIDES + 1)
    rings = [np.stack(ring, axis=1) for ring in ((s, zeros, c), (s, c, zeros), (zeros, c, s))[:count]]
    return np.concatenate([np.stack((ring[:-1], ring[1:]), axis=1) for ring in rings])


# Handles


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
        place = view.project_point(handle.at, aspect)
        if place is not None:
            name = handle.label if handle.selection.part is None else handle.label.rpartition(": ")[2]
            labels.append(ScreenLabel(name, *place, handle_colour(handle)))
    return tuple(labels)


def handle_colour(handle: Handle) -> Colour:
    """Colour of a handle, sRGB."""
    return COLOURS.get(handle.kind, OTHER_COLOUR)


def _resting_handles(level: Level) -> Overlay:
    """The handles of a level, by kind."""
    points, lines = [], []
    handles = level_handles(level)
    for kind in dict.fromkeys(handle.kind for handle in handles):
        own = [handle for handle in handles if handle.kind == kind]
        colour = handle_colour(own[0])
        pixels = POINT_PIXELS if own[0].selection.part is None else PART_PIXELS
        points.append(OverlayPoints([handle.at for handle in own], (*colour, 0.85), pixels, 0.35))
        edges = np.concatenate([_shape(handle) for handle in own])
        if len(edges) and kind not in ("light", "target"):
            lines.append(OverlayLines(edges, (*colour, 0.5), 1.6, 0.3))
    return Overlay((), tuple(lines), tuple(points))


def _shape(handle: Handle) -> Floats:
    """Edges (n, 2, 3) of the box, the circle, the way and the arrow of a handle."""
    shapes = [np.zeros((0, 2, 3))]
    if handle.zone is not None:
        shapes.append(handle.zone.edges)
    if handle.radius > 0.0:
        shapes.append(handle.radius * _rings(2) + handle.at)
    if len(handle.path) > 1 and handle.kind == "mover":
        shapes.append(np.array(list(pairwise(handle.path))))
    if handle.heading is not None:
        shapes.append(_arrow(np.array(handle.at), handle.heading))
    return np.concatenate(shapes)


def _selected_lines(handle: Handle, chosen: Selection, offset: Floats) -> list[OverlayLines]:
    """Lines of a handle of the selection, where the drag would put it."""
    if chosen.part is None and handle.selection.part is None:
        moved = _shape(handle) + offset
    elif chosen.part is not None and handle.selection.part == chosen.part:
        path = np.array(handle.path).reshape(-1, 3)
        if chosen.part[0] == "path":
            path[chosen.part[1]] += offset
        way = np.stack((path[:-1], path[1:]), axis=1)
        moved = np.concatenate((way, PART_RING_RADIUS * _rings(2) + (np.array(handle.at) + offset)))
    else:
        return []
    return [OverlayLines(moved, (*SELECTION_COLOUR, 0.9), 2.5, 0.4)] if len(moved) else []


def _arrow(start: Floats, heading: int) -> Floats:
    """Lines (3, 2, 3) of an arrow along a heading (65536 to the turn)."""
    ahead, right = (
        np.array((-math.sin(angle), 0.0, -math.cos(angle)))
        for angle in (heading * RADIANS_PER_HEADING_UNIT, heading * RADIANS_PER_HEADING_UNIT - math.pi / 2)
    )
    tip = start + ARROW_LENGTH * ahead
    left_end, right_end = (tip - ARROW_HEAD * (ahead + sign * 0.6 * right) for sign in (-1.0, 1.0))
    return np.array([(start, tip), (tip, left_end), (tip, right_end)])
