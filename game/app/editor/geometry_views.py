"""Ways to look at a level's geometry, each as a layer over the picture that is made once for a level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...render import Card, CardRow
from ...render.overlay_layers import Faces, Lines
from . import inspector, wireframe

if TYPE_CHECKING:
    from ...level import Level

Floats = NDArray[np.float64]
Colour = tuple[float, float, float]

GRID, OUTLINES, NORMALS, SLOPES, SEAMS, SOLID = "grid", "outlines", "normals", "slopes", "seams", "solid"


@dataclass(frozen=True, slots=True)
class View:
    """A view that a key shows and hides."""

    name: str
    key: str
    label: str
    alone: bool = False  # it colours the faces, as only one view can


VIEWS = (
    View(GRID, "1", "grid"),
    View(OUTLINES, "2", "quads"),
    View(NORMALS, "3", "normals"),
    View(SLOPES, "4", "slopes", alone=True),
    View(SEAMS, "5", "seams"),
    View(SOLID, "6", "what collides", alone=True),
)

OUTLINE = (1.0, 0.98, 0.92, 0.62)
NORMAL = (0.35, 0.85, 1.0, 0.9)
ACTIVE, SMOOTH = (1.0, 0.55, 0.15, 0.95), (0.45, 0.62, 0.80, 0.55)
REACH = 28.0  # m over which outlines and seams fade
NORMAL_REACH = 12.0
NORMAL_LENGTH, NORMAL_PART = 0.35, 0.35  # m at most; of the size of a small quad
COVER = 0.5  # of what lies below a coloured face: the picture's own light still tells its shape

SLOPE_COLOURS: dict[str, Colour] = {
    inspector.WALKABLE: (0.38, 0.80, 0.44),
    inspector.STEEP: (0.98, 0.72, 0.20),
    inspector.WALL: (0.86, 0.40, 0.30),
    inspector.CEILING: (0.42, 0.58, 0.95),
}
SOLID_RIM = (0.10, 0.13, 0.18, 0.70)
SOLID_SEEN, SOLID_UNSEEN, SEEN_ONLY = (0.55, 0.66, 0.78), (0.86, 0.35, 0.85), (0.98, 0.80, 0.30)


class Shown:
    """Which views are on, and their layers for one level after another."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self._level: Level | None = None
        self._layers: dict[str, tuple[tuple[Faces, ...], tuple[Lines, ...]]] = {}

    def press(self, key: str) -> bool:
        """Show or hide the view of a key; whether there is one."""
        for view in VIEWS:
            if view.key == key:
                if view.name in self.on:
                    self.on.discard(view.name)
                else:
                    self.on -= {other.name for other in VIEWS if view.alone and other.alone}
                    self.on.add(view.name)
                return True
        return False

    def layers(self, level: Level) -> tuple[tuple[Faces, ...], tuple[Lines, ...]]:
        """Faces and lines of all views that are on."""
        if level is not self._level:
            self._level, self._layers = level, {}
        faces: list[Faces] = []
        lines: list[Lines] = []
        for view in VIEWS:
            if view.name in self.on and view.name in MAKERS:
                if view.name not in self._layers:
                    self._layers[view.name] = MAKERS[view.name](level)
                some, others = self._layers[view.name]
                faces += some
                lines += others
        return tuple(faces), tuple(lines)

    def cards(self) -> tuple[Card, ...]:
        """What the colours mean."""
        rows: list[CardRow] = []
        for view in VIEWS:
            if view.name in self.on:
                rows.append(CardRow(view.label, f"key {view.key}"))
                rows += [CardRow(label, colour=colour) for label, colour in LEGENDS.get(view.name, ())]
        return (Card("Shown", "", tuple(rows), side="right"),) if rows else ()


def _outlines(level: Level) -> tuple[tuple[Faces, ...], tuple[Lines, ...]]:
    return (), (Lines(wireframe.unique(level.faces.corners), OUTLINE, 1.5, 0.0, REACH),)


def _normals(level: Level) -> tuple[tuple[Faces, ...], tuple[Lines, ...]]:
    corners = level.faces.corners
    three = level.faces.triangular
    middle = np.where(three[:, None], corners[:, :3].mean(axis=1), corners.mean(axis=1))
    size = np.minimum(
        np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1), np.linalg.norm(corners[:, 2] - corners[:, 1], axis=1)
    )
    length = np.minimum(NORMAL_LENGTH, np.maximum(0.05, NORMAL_PART * size))
    tips = middle + length[:, None] * wireframe.normals(corners)
    return (), (Lines(np.stack((middle, tips), axis=1), NORMAL, 2.0, 0.0, NORMAL_REACH),)


def _slopes(level: Level) -> tuple[tuple[Faces, ...], tuple[Lines, ...]]:
    up = _upwards(level.triangles)
    limit = math.cos(math.radians(inspector.MAX_SLOPE)) - inspector.LEVEL_PART
    kinds = np.select(
        [up < -inspector.LEVEL_PART, up >= limit, up > inspector.LEVEL_PART], [3, 0, 1], default=2
    )  # in the order of SLOPE_COLOURS
    colours = np.array([(*colour, COVER) for colour in SLOPE_COLOURS.values()])[kinds]
    return (Faces(level.triangles, colours, stripes=(kinds == 1).astype(np.float32)),), ()


def _seams(level: Level) -> tuple[tuple[Faces, ...], tuple[Lines, ...]]:
    mesh = level.mesh
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    lines = np.stack((corners, np.roll(corners, -1, axis=1)), axis=2).reshape(-1, 2, 3)
    active = (mesh.edge_active.reshape(-1) & 1) == 1
    return (), (
        Lines(lines[~active], SMOOTH, 1.5, 0.0, REACH),
        Lines(lines[active], ACTIVE, 2.2, 0.0, REACH),
    )


def _solid(level: Level) -> tuple[tuple[Faces, ...], tuple[Lines, ...]]:
    seen = np.isin(level.quad_index, level.drawn_quad)
    loose = ~np.isin(level.drawn_quad, level.quad_index)
    colours = np.where(seen[:, None], (*SOLID_SEEN, 0.86), (*SOLID_UNSEEN, 0.55))
    return (
        Faces(level.triangles[seen], colours[seen]),
        Faces(level.drawn[loose], (*SEEN_ONLY, 0.6), stripes=1.0),
        Faces(level.triangles[~seen], colours[~seen]),
    ), (Lines(wireframe.outline(level.faces.corners[np.unique(level.quad_index)]), SOLID_RIM, 1.3, 0.0, 40.0),)


def _upwards(triangles: Floats) -> Floats:
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(crossed, axis=1)
    up: Floats = np.divide(crossed[:, 1], size, out=np.zeros(len(crossed)), where=size > 0.0)
    return up


MAKERS = {OUTLINES: _outlines, NORMALS: _normals, SLOPES: _slopes, SEAMS: _seams, SOLID: _solid}
LEGENDS: dict[str, tuple[tuple[str, Colour], ...]] = {
    SLOPES: (
        ("walkable, up to 45°", SLOPE_COLOURS[inspector.WALKABLE]),
        ("steep: one slides (striped)", SLOPE_COLOURS[inspector.STEEP]),
        ("wall", SLOPE_COLOURS[inspector.WALL]),
        ("ceiling", SLOPE_COLOURS[inspector.CEILING]),
    ),
    SEAMS: (("edge that can be touched", ACTIVE[:3]), ("seam of one surface", SMOOTH[:3])),
    SOLID: (
        ("collides", SOLID_SEEN),
        ("collides, not drawn", SOLID_UNSEEN),
        ("drawn only (striped)", SEEN_ONLY),
    ),
    GRID: (("x axis", (1.0, 0.45, 0.40)), ("z axis", (0.42, 0.62, 1.0))),
}
