"""The layers of the F2 mode over the world; what stays the same from frame to frame is made once."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...level.geometry.quads import split
from ...render.overlay_layers import Faces, Grid, Lines, Overlay, Points
from . import geometry_views, wireframe
from .picking import Vector
from .selection import Selection, own_faces, own_marks

if TYPE_CHECKING:
    from ...level import Level
    from ..modes.editor import Editor

Floats = NDArray[np.float64]

PICKED = (0.40, 0.86, 1.0)
NEW = (0.55, 1.0, 0.62, 1.0)
GLOW = (1.0, 0.80, 0.42)
CORNER = (1.0, 0.86, 0.45, 1.0)
RULER = (1.0, 0.55, 0.85, 1.0)
BODY = (0.65, 0.95, 0.75, 0.55)
GRID_UP = 0.004  # m above its plane
GRID_REACH = {1.0: 20.0, 0.5: 14.0, 0.25: 9.0, 0.1: 6.0}


def glow(lines: Floats, colour: tuple[float, float, float], strength: float = 1.0) -> tuple[Lines, ...]:
    """A thin bright line in a broad soft one."""
    return (
        Lines(lines, (*colour, 0.20 * strength), 9.0, 0.35),
        Lines(lines, (*colour, 0.35 * strength), 5.0, 0.30),
        Lines(lines, (1.0, 0.95, 0.82, 0.95 * strength), 1.8, 0.35),
    )


class Overlays:
    """Keeps the layers of one editor."""

    def __init__(self) -> None:
        self._piece: tuple[Level, int, int] | None = None
        self._glow: tuple[Lines, ...] = ()
        self._foot = 0.0
        self._quad: tuple[Level, int, Lines] | None = None
        self._picked: tuple[Level, Selection, Vector | None] | None = None
        self._picked_marks: list[Vector] = []
        self._picked_faces: tuple[Faces, ...] = ()
        self._picked_lines: tuple[Lines, ...] = ()

    def made(self, editor: Editor) -> Overlay:
        """All layers of this frame."""
        faces, lines = editor.shown.layers(editor.level)
        marks: list[Points] = []
        more: list[Lines] = list(lines)
        grid = None
        hands = editor.hands
        if hands.picked is not None:
            self._make_picked(editor.level, hands.picked, hands.dragged)
            faces += self._picked_faces
            more += self._picked_lines
            if self._picked_marks:
                marks.append(Points(self._picked_marks, (*PICKED, 0.75), 22.0, 0.4))
        busy = bool(hands.offers) or hands.gripped
        if hands.offers:
            marks.append(Points([hands.target()], NEW, 14.0, 0.6))
        if editor.seen is not None:
            if editor.seen.quad < 0:
                marks.append(Points([editor.seen.point], (*GLOW, 0.5), 30.0, 0.2))
            elif hands.holds(editor.seen):
                more.append(self._face(editor.level, editor.seen.quad))
            else:
                more += self._looked_at(editor.level, editor.seen.quad)
            if editor.corner is not None:
                marks.append(Points([editor.corner], CORNER, 10.0))
            if busy or geometry_views.GRID in editor.shown.on:
                grid = self._grid(editor)
        more += _ruler(editor, marks)
        more += _walker(editor)
        return Overlay(faces, tuple(more), tuple(marks), grid)

    def _looked_at(self, level: Level, quad: int) -> tuple[Lines, ...]:
        """The rims of this copy of the piece; those of its other copies, fainter."""
        all_faces = level.faces
        origin, instance = int(all_faces.origin[quad]), int(all_faces.instance[quad])
        if self._piece is None or self._piece[0] is not level or self._piece[1:] != (origin, instance):
            self._piece = (level, origin, instance)
            own = all_faces.origin == origin
            this = own & (all_faces.instance == instance)
            self._glow = glow(wireframe.outline(all_faces.corners[this]), GLOW)
            if (own & ~this).any():
                others = wireframe.outline(all_faces.corners[own & ~this])
                self._glow = (Lines(others, (*GLOW, 0.35), 2.0, 0.2), *self._glow)
            self._foot = float(all_faces.corners[this][..., 1].min())
        return self._glow

    def _face(self, level: Level, quad: int) -> Lines:
        """The rim of one face: of what is picked, that is what can be pulled."""
        if self._quad is None or self._quad[0] is not level or self._quad[1] != quad:
            self._quad = (level, quad, Lines(wireframe.edges(level.faces.corners[[quad]])[0], (*GLOW, 0.95), 3.0, 0.2))
        return self._quad[2]

    def _make_picked(self, level: Level, picked: Selection, dragged: Vector | None) -> None:
        """What is picked, where it is or is dragged to."""
        if self._picked is not None and self._picked[0] is level and self._picked[1:] == (picked, dragged):
            return
        self._picked = (level, picked, dragged)
        this, others = own_faces(level, picked)
        by = dragged or (0.0, 0.0, 0.0)
        self._picked_marks = [(x + by[0], y + by[1], z + by[2]) for x, y, z in own_marks(level, picked)]
        corners = level.faces.corners[this] + np.asarray(by)
        triangles, _ = split(corners, np.all(corners[:, 2] == corners[:, 3], axis=-1))
        self._picked_faces = (Faces(triangles, (*PICKED, 0.16 if dragged is None else 0.30), shaded=False),)
        self._picked_lines = glow(wireframe.outline(corners), PICKED)
        if others.any():
            rest = wireframe.outline(level.faces.corners[others])
            self._picked_lines = (Lines(rest, (*PICKED, 0.5), 2.0, 0.25), *self._picked_lines)

    def _grid(self, editor: Editor) -> Grid:
        """On the floor looked at; at a wall or a slope, at the foot of its piece."""
        assert editor.seen is not None
        x, y, z = editor.seen.point
        level = editor.seen.quad < 0 or abs(editor.seen.normal[1]) > 0.999
        height = y if level else self._foot
        up = GRID_UP if editor.eye[1] >= height else -GRID_UP
        step = editor.grid
        at = (round(x / step) * step, height + up, round(z / step) * step)
        return Grid(at, step, GRID_REACH.get(step, 12.0))


def _ruler(editor: Editor, marks: list[Points]) -> tuple[Lines, ...]:
    """The measured line, and its way along the axes."""
    span = editor.ruler.span(editor.aim)
    if editor.ruler.open:
        marks.append(Points(editor.ruler.ends, RULER, 11.0, 0.6))
    if span is None:
        return ()
    one, other = span
    corners = [one, (other[0], one[1], one[2]), (other[0], one[1], other[2]), other]
    axes = [(a, b) for a, b in pairwise(corners) if math.dist(a, b) > 1e-6]
    colours = {0: (1.0, 0.45, 0.40, 0.85), 1: (0.55, 0.95, 0.55, 0.85), 2: (0.42, 0.62, 1.0, 0.85)}
    legs = tuple(
        Lines([pair], colours[max(range(3), key=lambda axis: abs(pair[1][axis] - pair[0][axis]))], 2.0, 0.4)
        for pair in axes
    )
    return (*legs, Lines([[one, other]], RULER, 3.0, 0.5))


def _walker(editor: Editor) -> tuple[Lines, ...]:
    """Where the walker stands, once one has flown away from it."""
    session = editor.game.session
    if session is None:
        return ()
    pose = session.pose()
    if math.dist(pose.centre, editor.eye) < 1.6:
        return ()
    return (Lines(_rings(pose.centre, pose.radii, pose.heading * 2.0 * math.pi / 65536), BODY, 1.8, 0.4),)


def _rings(centre: Vector, radii: Vector, yaw: float) -> Floats:
    """Three ellipses of a body."""
    turns = np.linspace(0.0, 2.0 * math.pi, 33)
    s, c = np.sin(turns), np.cos(turns)
    none = np.zeros_like(s)
    rings = [np.stack(ring, axis=1) * radii for ring in ((s, none, c), (s, c, none), (none, c, s))]
    sine, cosine = math.sin(yaw), math.cos(yaw)
    turn = np.array(((cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)))
    placed = [ring @ turn + centre for ring in rings]
    return np.concatenate([np.stack((ring[:-1], ring[1:]), axis=1) for ring in placed])
