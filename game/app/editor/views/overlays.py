"""Overlays of the editor over the world, cached while they do not change."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....core.angles import RADIANS_PER_HEADING_UNIT
from ....core.vectors import Floats, Vector
from ....level.geometry.quads import split_into_triangles
from ....render.overlay_layers import (
    Overlay,
    OverlayFaces,
    OverlayGrid,
    OverlayLines,
    OverlayPoints,
)
from ..handles import handle_positions
from ..selection import Selection, selected_faces
from ..views.handle_layers import HandleLayers
from . import wireframe

if TYPE_CHECKING:
    from ....level import Level
    from ..edit_tools import EditTools
    from ..editor_view import EditorView
    from ..picking import PickHit


SELECTION_COLOUR = (0.40, 0.86, 1.0)
GLOW_COLOUR = (1.0, 0.80, 0.42)
CORNER_COLOUR = (1.0, 0.86, 0.45, 1.0)
BODY_COLOUR = (0.65, 0.95, 0.75, 0.55)
GRID_OFFSET = 0.004  # m above its plane
GRID_REACH = {1.0: 20.0, 0.5: 14.0, 0.25: 9.0, 0.1: 6.0}


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
        self._quad_key: tuple[Level, int, OverlayLines] | None = None
        self._handle_layers = HandleLayers()
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
        handle_marks, handle_lines = self._handle_layers.build(level, tools.selected, offset)
        marks += handle_marks
        lines += handle_lines
        picked = view.picked
        grid = None
        if picked is not None:
            if picked.quad < 0:
                marks.append(OverlayPoints([picked.point], (*GLOW_COLOUR, 0.5), 30.0, 0.2))
            elif tools.is_selected(picked):
                lines.append(self._aimed_face_layers(level, picked.quad))
            else:
                lines += self._aimed_piece_layers(level, picked.quad)
            corner = view.snapped_corner(level)
            if corner is not None:
                marks.append(OverlayPoints([corner], CORNER_COLOUR, 10.0))
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

    def _aimed_face_layers(self, level: Level, quad: int) -> OverlayLines:
        """Edges of one face of the selection, which can be pulled."""
        if self._quad_key is None or self._quad_key[0] is not level or self._quad_key[1] != quad:
            self._quad_key = (
                level,
                quad,
                OverlayLines(wireframe.face_edges(level.faces.corners[[quad]])[0], (*GLOW_COLOUR, 0.95), 3.0, 0.2),
            )
        return self._quad_key[2]

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
