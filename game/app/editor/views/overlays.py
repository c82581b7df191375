"""Overlays of the editor over the world, cached while they do not change: the aimed piece, the selection, the grid, and
the handles with their labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ....core.angles import RADIANS_PER_HEADING_UNIT
from ....core.vectors import Colour, Floats, Vector, to_point
from ....level.geometry.quads import split_into_triangles
from ....render import Camera, ScreenLabel
from ....render.overlay_layers import (
    Overlay,
    OverlayFaces,
    OverlayGrid,
    OverlayLines,
    OverlayPoints,
)
from ..handles import Handle, handle_positions, level_handles
from ..selection import Selection, selected_faces
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
CIRCLE_SIDES = 32
MAX_LABELS = 14
LABEL_DISTANCE = 14.0  # m from the eye
Layers = tuple[list[OverlayPoints], list[OverlayLines]]


def glowing_lines(lines: Floats, colour: tuple[float, float, float]) -> tuple[OverlayLines, ...]:
    """Lines with a glow: a thin bright line in two broad soft ones."""
    return (
        OverlayLines(lines, (*colour, 0.20), 9.0, 0.35),
        OverlayLines(lines, (*colour, 0.35), 5.0, 0.30),
        OverlayLines(lines, (1.0, 0.95, 0.82, 0.95), 1.8, 0.35),
    )


class EditorOverlays:
    """Cached overlays of one editor."""

    def __init__(self) -> None:
        self._piece_key: tuple[Level, int, int] | None = None
        self._glow: tuple[OverlayLines, ...] = ()
        self._foot = 0.0
        self._handle_level: Level | None = None
        self._handle_layers: Layers = [], []
        self._picked: tuple[Level, tuple[Selection, ...], Vector | None] | None = None
        self._picked_marks: list[Vector] = []
        self._picked_faces: tuple[OverlayFaces, ...] = ()
        self._picked_lines: tuple[OverlayLines, ...] = ()

    def build(self, tools: EditTools, offset: Vector | None, shows_grid: bool) -> Overlay:
        """Overlay of this frame. offset: displacement (m) of the selection while it is moved."""
        view = tools.view
        level = tools.level
        faces: tuple[OverlayFaces, ...] = ()
        lines: list[OverlayLines] = []
        marks: list[OverlayPoints] = []
        if tools.selected:
            self._build_selection_layers(level, tools.selected, offset)
            faces += self._picked_faces
            lines += self._picked_lines
            if self._picked_marks:
                marks.append(OverlayPoints(self._picked_marks, (*SELECTION_COLOUR, 0.75), 22.0, 0.4))
        if self._handle_level is not level:
            self._handle_level = level
            self._handle_layers = _resting_layers(level_handles(level))
        marks += self._handle_layers[0]
        lines += self._handle_layers[1]
        for chosen in tools.selected:
            for handle in level_handles(level):
                if any(place == chosen.source_place for _, place in handle.selection.links):
                    lines += _selected_lines(handle, chosen, offset or (0.0, 0.0, 0.0))
        picked = view.picked
        grid = None
        if picked is not None:
            if picked.quad < 0:
                marks.append(OverlayPoints([picked.point], (*GLOW_COLOUR, 0.5), 30.0, 0.2))
            elif tools.is_selected(picked):
                face = wireframe.face_edges(level.faces.corners[[picked.quad]])[0]
                lines.append(OverlayLines(face, (*GLOW_COLOUR, 0.95), 3.0, 0.2))
            else:
                lines += self._aimed_piece_layers(level, picked.quad)
            if shows_grid:
                grid = self._grid_layer(view, picked)
        lines += _walker_outline(view)
        return Overlay(faces, tuple(lines), tuple(marks), grid)

    def _aimed_piece_layers(self, level: Level, quad: int) -> tuple[OverlayLines, ...]:
        """Edges of the aimed instance, and fainter ones of the other instances of the piece."""
        all_faces = level.faces
        origin = int(all_faces.origin[quad])
        instance = int(all_faces.instance[quad])
        if self._piece_key is None or self._piece_key[0] is not level or self._piece_key[1:] != (origin, instance):
            self._piece_key = (level, origin, instance)
            of_piece = all_faces.origin == origin
            of_instance = of_piece & (all_faces.instance == instance)
            self._glow = glowing_lines(wireframe.silhouette_edges(all_faces.corners[of_instance]), GLOW_COLOUR)
            if (of_piece & ~of_instance).any():
                others = wireframe.silhouette_edges(all_faces.corners[of_piece & ~of_instance])
                self._glow = (OverlayLines(others, (*GLOW_COLOUR, 0.35), 2.0, 0.2), *self._glow)
            self._foot = float(all_faces.corners[of_instance][..., 1].min())
        return self._glow

    def _build_selection_layers(self, level: Level, chosen: tuple[Selection, ...], dragged: Vector | None) -> None:
        """Layers of the selection, at its position or where it is dragged to."""
        if self._picked is not None and self._picked[0] is level and self._picked[1:] == (chosen, dragged):
            return
        self._picked = (level, chosen, dragged)
        offset = np.array(dragged or (0.0, 0.0, 0.0))
        all_faces = level.faces.corners
        every = np.zeros(len(all_faces), np.bool_)
        others = np.zeros(len(all_faces), np.bool_)
        self._picked_marks = []
        lines = []
        for picked in chosen:
            selected, rest = selected_faces(level, picked)
            every |= selected
            others |= rest
            marks = [np.array(at) + offset for at in handle_positions(level, picked)]
            self._picked_marks += [(float(x), float(y), float(z)) for x, y, z in marks]
            lines.append(wireframe.silhouette_edges(all_faces[selected] + offset))
        corners = all_faces[every] + offset
        triangles, _ = split_into_triangles(corners, np.all(corners[:, 2] == corners[:, 3], axis=-1))
        self._picked_faces = (
            OverlayFaces(triangles, (*SELECTION_COLOUR, 0.16 if dragged is None else 0.30), shaded=False),
        )
        self._picked_lines = glowing_lines(np.concatenate(lines), SELECTION_COLOUR)
        others &= ~every
        if others.any():
            rest_lines = wireframe.silhouette_edges(all_faces[others])
            self._picked_lines = (OverlayLines(rest_lines, (*SELECTION_COLOUR, 0.5), 2.0, 0.25), *self._picked_lines)

    def _grid_layer(self, view: EditorView, picked: PickHit) -> OverlayGrid:
        """Grid at the height of the aimed floor; for a wall or a slope, at the foot of its piece."""
        x, y, z = picked.point
        is_floor = picked.quad < 0 or abs(picked.normal[1]) > 0.999
        height = y if is_floor else self._foot
        up = GRID_OFFSET if view.eye[1] >= height else -GRID_OFFSET
        step = view.grid
        at = (round(x / step) * step, height + up, round(z / step) * step)
        return OverlayGrid(at, step, GRID_REACH.get(step, 12.0))


def _walker_outline(view: EditorView) -> tuple[OverlayLines, ...]:
    """Outline of the walker, unless the camera is close to it."""
    session = view.game.session
    if session is None:
        return ()
    pose = session.pose()
    if math.dist(pose.centre, view.eye) < 1.6:
        return ()
    return (
        OverlayLines(
            _ellipsoid_outline(pose.centre, pose.radii, pose.heading * RADIANS_PER_HEADING_UNIT), BODY_COLOUR, 1.8, 0.4
        ),
    )


def _ellipsoid_outline(centre: Vector, radii: Vector, yaw: float) -> Floats:
    """Three ellipses (lines) of an ellipsoid."""
    angles = np.linspace(0.0, 2.0 * math.pi, 33)
    s, c = np.sin(angles), np.cos(angles)
    zeros = np.zeros_like(s)
    ellipses = [np.stack(ellipse, axis=1) * radii for ellipse in ((s, zeros, c), (s, c, zeros), (zeros, c, s))]
    sine, cosine = math.sin(yaw), math.cos(yaw)
    rotation = np.array(((cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)))
    placed = [ellipse @ rotation + centre for ellipse in ellipses]
    return np.concatenate([np.stack((ellipse[:-1], ellipse[1:]), axis=1) for ellipse in placed])


# ---- handles


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
    return [OverlayLines(moved, (*SELECTION_COLOUR, 0.9), 2.5, 0.4)] if len(moved) else []


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
