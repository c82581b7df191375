"""Geometry views of the editor: grid, quads, slopes and collision, each a cached overlay."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Colour, Floats
from ....render import Card, CardRow
from ....render.overlay_layers import OverlayFaces, OverlayLines
from ...input.actions import Action, EditorAction
from . import wireframe

if TYPE_CHECKING:
    from ....level import Level


Layers = tuple[tuple[OverlayFaces, ...], tuple[OverlayLines, ...]]

MIN_UPWARD_PART = 1e-4  # upward part of a unit normal below which a face is vertical
WALKABLE = "walkable"
STEEP = "steep"
WALL = "wall"
CEILING = "ceiling"
GRID = "grid"
OUTLINE_COLOUR = (1.0, 0.98, 0.92, 0.62)
FADE_DISTANCE = 28.0  # m over which outlines fade
FACE_OPACITY = 0.5  # of a coloured face: the shading below it stays visible

SLOPE_COLOURS: dict[str, Colour] = {
    WALKABLE: (0.38, 0.80, 0.44),
    STEEP: (0.98, 0.72, 0.20),
    WALL: (0.86, 0.40, 0.30),
    CEILING: (0.42, 0.58, 0.95),
}
SOLID_RIM = (0.10, 0.13, 0.18, 0.70)
SOLID_DRAWN_COLOUR = (0.55, 0.66, 0.78)
SOLID_HIDDEN_COLOUR = (0.86, 0.35, 0.85)
DRAWN_ONLY_COLOUR = (0.98, 0.80, 0.30)


def walk_class(upwards: float, max_slope: float) -> str:
    """Class of a face for the walker, by the upward part of its unit normal."""
    if upwards < -MIN_UPWARD_PART:
        return CEILING
    if upwards >= math.cos(math.radians(max_slope)) - MIN_UPWARD_PART:
        return WALKABLE
    return STEEP if upwards > MIN_UPWARD_PART else WALL


def _outline_layers(level: Level) -> Layers:
    return (), (OverlayLines(wireframe.unique_edges(level.faces.corners), OUTLINE_COLOUR, 1.5, 0.0, FADE_DISTANCE),)


def _slope_layers(level: Level) -> Layers:
    up = _upward_component(level.triangles)
    limit = math.cos(math.radians(level.player.max_slope)) - MIN_UPWARD_PART
    kinds = np.select(
        [up < -MIN_UPWARD_PART, up >= limit, up > MIN_UPWARD_PART], [3, 0, 1], default=2
    )  # in the order of SLOPE_COLOURS
    colours = np.array([(*colour, FACE_OPACITY) for colour in SLOPE_COLOURS.values()])[kinds]
    return (OverlayFaces(level.triangles, colours, stripes=(kinds == 1).astype(np.float32)),), ()


def _collision_layers(level: Level) -> Layers:
    is_drawn = np.isin(level.quad_index, level.drawn_quad)
    drawn_only = ~np.isin(level.drawn_quad, level.quad_index)
    colours = np.where(is_drawn[:, None], (*SOLID_DRAWN_COLOUR, 0.86), (*SOLID_HIDDEN_COLOUR, 0.55))
    return (
        OverlayFaces(level.triangles[is_drawn], colours[is_drawn]),
        OverlayFaces(level.drawn[drawn_only], (*DRAWN_ONLY_COLOUR, 0.6), stripes=1.0),
        OverlayFaces(level.triangles[~is_drawn], colours[~is_drawn]),
    ), (
        OverlayLines(
            wireframe.silhouette_edges(level.faces.corners[np.unique(level.quad_index)]), SOLID_RIM, 1.3, 0.0, 40.0
        ),
    )


def _upward_component(triangles: Floats) -> Floats:
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(crossed, axis=1)
    up: Floats = np.divide(crossed[:, 1], size, out=np.zeros(len(crossed)), where=size > 0.0)
    return up


@dataclass(frozen=True, slots=True)
class GeometryView:
    """A view that an action toggles. build: its layers; the grid is drawn with what is aimed at."""

    name: str
    action: EditorAction
    label: str
    build: Callable[[Level], Layers] | None = None
    legend: tuple[tuple[str, Colour], ...] = ()
    is_exclusive: bool = False  # it colours faces, so only one such view is on


VIEWS = (
    GeometryView(
        GRID, EditorAction.VIEW_GRID, "grid", None, (("x axis", (1.0, 0.45, 0.40)), ("z axis", (0.42, 0.62, 1.0)))
    ),
    GeometryView("outlines", EditorAction.VIEW_QUADS, "quads", _outline_layers),
    GeometryView(
        "slopes",
        EditorAction.VIEW_SLOPES,
        "slopes",
        _slope_layers,
        (
            ("walkable, up to 45°", SLOPE_COLOURS[WALKABLE]),
            ("too steep, slides (striped)", SLOPE_COLOURS[STEEP]),
            ("wall", SLOPE_COLOURS[WALL]),
            ("ceiling", SLOPE_COLOURS[CEILING]),
        ),
        is_exclusive=True,
    ),
    GeometryView(
        "solid",
        EditorAction.VIEW_COLLISION,
        "collision",
        _collision_layers,
        (
            ("collides", SOLID_DRAWN_COLOUR),
            ("collides, not drawn", SOLID_HIDDEN_COLOUR),
            ("drawn only (striped)", DRAWN_ONLY_COLOUR),
        ),
        is_exclusive=True,
    ),
)


class GeometryViews:
    """Enabled views and their layers, computed once per level."""

    def __init__(self, enabled: Iterable[str] = ()) -> None:
        self.enabled: set[str] = set(enabled)
        self._level: Level | None = None
        self._layers: dict[str, Layers] = {}

    def toggle(self, action: Action) -> None:
        """Toggle the view of an action, where it is one of a view."""
        for view in VIEWS:
            if view.action is not action:
                continue
            if view.name in self.enabled:
                self.enabled.discard(view.name)
            else:
                self.enabled -= {other.name for other in VIEWS if view.is_exclusive and other.is_exclusive}
                self.enabled.add(view.name)

    def layers(self, level: Level) -> Layers:
        if level is not self._level:
            self._level = level
            self._layers = {}
        faces: list[OverlayFaces] = []
        lines: list[OverlayLines] = []
        for view in VIEWS:
            if view.name in self.enabled and view.build is not None:
                if view.name not in self._layers:
                    self._layers[view.name] = view.build(level)
                view_faces, view_lines = self._layers[view.name]
                faces += view_faces
                lines += view_lines
        return tuple(faces), tuple(lines)

    def cards(self) -> tuple[Card, ...]:
        rows: list[CardRow] = []
        for view in VIEWS:
            if view.name in self.enabled:
                rows.append(CardRow(view.label, f"key {view.action.keys[0].removeprefix('_')}"))
                rows += [CardRow(label, colour=colour) for label, colour in view.legend]
        return (Card("Views", "", tuple(rows), side="right"),) if rows else ()
