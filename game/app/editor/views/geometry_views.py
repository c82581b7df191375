"""Geometry views of the editor, each by a key: grid, quads, slopes and collision."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.vectors import Colour
from ....render import Card, CardRow
from ....render.overlay_layers import OverlayFaces, OverlayLines
from ...input.actions import Action, EditorAction
from . import wireframe

if TYPE_CHECKING:
    from ....level import Level


Layers = tuple[tuple[OverlayFaces, ...], tuple[OverlayLines, ...]]

MIN_UPWARD_PART = 1e-4  # upward part of a unit normal below which a face is vertical
OUTLINE_COLOUR = (1.0, 0.98, 0.92, 0.62)
FADE_DISTANCE = 28.0  # m over which outlines fade
FACE_OPACITY = 0.5  # of a coloured face: the shading below it stays visible

GRID = "grid"
WALKABLE, STEEP, WALL, CEILING = range(4)  # classes of faces for the walker
CLASS_NAMES = "walkable", "steep", "wall", "ceiling"
CLASS_COLOURS = np.array([(0.38, 0.80, 0.44), (0.98, 0.72, 0.20), (0.86, 0.40, 0.30), (0.42, 0.58, 0.95)])
CLASS_LEGEND = "walkable, up to 45°", "too steep, slides (striped)", "wall", "ceiling"
SOLID_RIM = (0.10, 0.13, 0.18, 0.70)
SOLID_DRAWN_COLOUR = (0.55, 0.66, 0.78)
SOLID_HIDDEN_COLOUR = (0.86, 0.35, 0.85)
DRAWN_ONLY_COLOUR = (0.98, 0.80, 0.30)


def walk_class(upwards: Any, max_slope: float) -> Any:
    """Class of a face for the walker, by the upward part of its unit normal: numbers or arrays."""
    limit = math.cos(math.radians(max_slope)) - MIN_UPWARD_PART
    return np.select(
        [upwards < -MIN_UPWARD_PART, upwards >= limit, upwards > MIN_UPWARD_PART], [CEILING, WALKABLE, STEEP], WALL
    )


def _outline_layers(level: Level) -> Layers:
    return (), (OverlayLines(wireframe.unique_edges(level.faces.corners), OUTLINE_COLOUR, 1.5, 0.0, FADE_DISTANCE),)


def _slope_layers(level: Level) -> Layers:
    triangles, normals = np.split(level.mesh.triangles12, [9], axis=1)
    kinds = walk_class(normals[:, 1], level.player.max_slope)
    colours = np.insert(CLASS_COLOURS[kinds], 3, FACE_OPACITY, axis=1)
    return (OverlayFaces(triangles.reshape(-1, 3, 3), colours, stripes=(kinds == STEEP).astype(np.float32)),), ()


def _collision_layers(level: Level) -> Layers:
    is_drawn = np.isin(level.quad_index, level.drawn_quad)
    drawn_only = level.drawn[~np.isin(level.drawn_quad, level.quad_index)]
    rim = wireframe.silhouette_edges(level.faces.corners[np.unique(level.quad_index)])
    return (
        OverlayFaces(level.triangles[is_drawn], (*SOLID_DRAWN_COLOUR, 0.86)),
        OverlayFaces(drawn_only, (*DRAWN_ONLY_COLOUR, 0.6), stripes=1.0),
        OverlayFaces(level.triangles[~is_drawn], (*SOLID_HIDDEN_COLOUR, 0.55)),
    ), (OverlayLines(rim, SOLID_RIM, 1.3, 0.0, 40.0),)


@dataclass(frozen=True, slots=True)
class GeometryView:
    """A view that an action toggles. build: its layers; the grid is drawn with what is aimed at."""

    name: str
    action: EditorAction
    build: Callable[[Level], Layers] | None = None
    legend: tuple[tuple[str, Colour], ...] = ()
    is_exclusive: bool = False  # it colours faces, so only one such view is on


VIEWS = (
    GeometryView(
        GRID, EditorAction.VIEW_GRID, legend=(("x axis", (1.0, 0.45, 0.40)), ("z axis", (0.42, 0.62, 1.0)))
    ),
    GeometryView("quads", EditorAction.VIEW_QUADS, _outline_layers),
    GeometryView("slopes", EditorAction.VIEW_SLOPES, _slope_layers,
                 tuple(zip(CLASS_LEGEND, map(tuple, CLASS_COLOURS.tolist()), strict=True)), is_exclusive=True),
    GeometryView("collision", EditorAction.VIEW_COLLISION, _collision_layers,
                 (("collides", SOLID_DRAWN_COLOUR), ("collides, not drawn", SOLID_HIDDEN_COLOUR),
                  ("drawn only (striped)", DRAWN_ONLY_COLOUR)), is_exclusive=True),
)  # fmt: skip


class GeometryViews:
    """Enabled views, by name, and their layers, computed once per level."""

    def __init__(self, enabled: Iterable[str] = ()) -> None:
        self.enabled: set[str] = set(enabled)
        self._level: Level | None = None
        self._layers: dict[str, Layers] = {}

    def toggle(self, action: Action) -> None:
        """Toggle the view of an action."""
        view = next(view for view in VIEWS if view.action is action)
        if view.is_exclusive:
            self.enabled -= {other.name for other in VIEWS if other.is_exclusive and other is not view}
        self.enabled ^= {view.name}

    def layers(self, level: Level) -> Layers:
        if level is not self._level:
            self._level, self._layers = level, {}
        shown: list[Layers] = []
        for view in VIEWS:
            if view.name in self.enabled and view.build is not None:
                if view.name not in self._layers:
                    self._layers[view.name] = view.build(level)
                shown.append(self._layers[view.name])
        return tuple(one for faces, _ in shown for one in faces), tuple(one for _, lines in shown for one in lines)

    def cards(self) -> tuple[Card, ...]:
        rows: list[CardRow] = []
        for view in VIEWS:
            if view.name in self.enabled:
                rows.append(CardRow(view.name, f"key {view.action.keys[0].removeprefix('_')}"))
                rows += [CardRow(label, colour=colour) for label, colour in view.legend]
        return (Card("Views", "", tuple(rows), side="right"),) if rows else ()
