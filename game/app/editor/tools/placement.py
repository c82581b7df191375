"""Placement of new pieces: the point on the ground that is looked at, its surface, and a preview."""

from __future__ import annotations

import math

import numpy as np

from ....core.vectors import Floats, Vector
from ....level import Level, LevelError, load
from ....level.edit import EditRefused, YamlDocument
from ....level.format.schema import DEFAULT_SURFACE
from ..document.undo_history import EditError
from ..edit_tools import EditTools
from ..picking import PickHit
from ..pieces import piece_palette
from ..pieces.new_pieces import PaletteEntry
from ..views import wireframe
from .snapping import snap_point

MAX_PLACEMENT_DISTANCE = 14.0  # m before the eye that a new piece is put
DEFAULT_PLACEMENT_DISTANCE = 4.0  # m, with the sky in view
WALL_NORMAL = 0.5  # upward part of a unit normal below which a face is a wall
CLEARANCE = 0.01  # m between a new piece and the wall behind it
MAX_GROUND_DEPTH = 60.0  # m below that place in which the ground is looked for
PREVIEW_HEAD = "format: 1\nspawn: {at: [0, 0, 0]}\n"


class Placement:
    """Where a new piece goes.

    preview   edges (n, 2, 3) of the piece at the origin, computed once for each piece and direction
    """

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self._preview: tuple[tuple[object, ...], Floats] | None = None

    def point(self, entry: PaletteEntry | None = None) -> Vector:
        """Position of a new piece's foot (m): the aimed point, snapped; in front of a wall; else the ground ahead."""
        editor = self.tools.editor
        aimed, step = editor.picked, editor.grid
        if aimed is not None and aimed.distance <= MAX_PLACEMENT_DISTANCE:
            if is_flat_on_wall(entry):
                return aimed.point
            if editor.snaps:
                snapped = snap_point(self.tools.level, aimed, editor.eye)
                if snapped is not None:
                    return snapped.point
            point, on_floor = aimed.point, abs(aimed.normal[1]) > 0.5
            if not on_floor:
                return self._before_wall(aimed, entry)
        else:
            ray = np.asarray(editor.eye) + DEFAULT_PLACEMENT_DISTANCE * np.asarray(editor.direction)
            point, on_floor = (float(ray[0]), float(ray[1]), float(ray[2])), False
        x, y, z = (math.floor(coordinate / step + 0.5) * step for coordinate in point)
        if on_floor:
            return self._clear_of_walls((x, round(point[1], 3), z), entry)
        ground = self._ground_below((x, point[1], z))
        return (x, y if ground is None else ground, z)

    def _before_wall(self, aimed: PickHit, entry: PaletteEntry | None) -> Vector:
        """Ground before a wall (m), so far off that the piece does not reach into the wall."""
        step, normal = self.tools.editor.grid, np.array((aimed.normal[0], 0.0, aimed.normal[2]))
        normal /= np.linalg.norm(normal)
        edges = self._edges(entry) if entry is not None else np.zeros((0, 2, 3))
        reach = max(-float((edges @ normal).min()), 0.0) if len(edges) else 0.0
        point = np.asarray(aimed.point)
        on_grid = np.floor(point / step + 0.5) * step
        along = np.array((-normal[2], 0.0, normal[0]))  # on the grid along the wall only
        at = point + along * float((on_grid - point) @ along) + (reach + CLEARANCE) * normal
        x, y, z = (round(float(coordinate), 4) for coordinate in at)
        ground = self._ground_below((x, y, z))
        return (x, y if ground is None else ground, z)

    def _clear_of_walls(self, at: Vector, entry: PaletteEntry | None) -> Vector:
        """A point on a floor, moved by whole grid steps so that the piece reaches into no wall, where there is room."""
        edges = self._edges(entry) if entry is not None else np.zeros((0, 2, 3))
        if not len(edges):
            return at
        step = self.tools.editor.grid
        height = 0.5 * float(edges[..., 1].max())
        start = (at[0], at[1] + min(max(height, 0.2), 1.2), at[2])
        moved = np.array(at)
        for axis in (0, 2):
            overlaps = []
            for sense in (1.0, -1.0):
                direction = tuple(sense if index == axis else 0.0 for index in range(3))
                reach = max(float((sense * edges[..., axis]).max()), 0.0)
                hit = self.tools.level.mesh.raycast(start, (direction[0], direction[1], direction[2]), reach)
                overlaps.append(0.0 if hit is None else reach - hit.distance)
            if min(overlaps) == 0.0 and max(overlaps) > 1e-6:
                sense = -1.0 if overlaps[0] else 1.0
                moved[axis] += sense * math.ceil(max(overlaps) / step - 1e-6) * step
        x, y, z = moved.tolist()
        return (x, y, z)

    def _ground_below(self, at: Vector) -> float | None:
        """Height of the floor below a point (m), None without one."""
        start = (at[0], at[1] + 0.01, at[2])
        hit = self.tools.level.mesh.raycast(start, (0.0, -1.0, 0.0), MAX_GROUND_DEPTH)
        return None if hit is None else round(start[1] - hit.distance, 3)

    def surface(self) -> str:
        """Surface of a new piece: that of what is looked at, else of the ground ahead, else the level's first."""
        level, aimed = self.tools.level, self.tools.editor.picked
        if aimed is not None and aimed.quad >= 0:
            name = level.surfaces[int(level.faces.surface[aimed.quad])].name
            if name != DEFAULT_SURFACE and "/" not in name:
                return name
        names = own_surfaces(self.tools)
        return names[0] if names else ""

    def facing(self, entry: PaletteEntry) -> float:
        """Direction of a new piece (degrees): away from the eye, in quarter turns; a sign faces the eye."""
        aimed = self.tools.editor.picked
        if is_flat_on_wall(entry) and aimed is not None and abs(aimed.normal[1]) < WALL_NORMAL:
            x, _, z = aimed.normal
            return round(math.degrees(math.atan2(-x, -z)), 3) % 360.0
        return self.tools.view_quarter + (180.0 if entry.text.startswith("sign") else 0.0)

    def preview(self, entry: PaletteEntry) -> Floats:
        """Edges (n, 2, 3) of a new piece where it would be."""
        edges = self._edges(entry)
        return edges + np.asarray(self.point(entry)) if len(edges) else edges

    def _edges(self, entry: PaletteEntry) -> Floats:
        """Edges (n, 2, 3) of a new piece with its foot at the origin."""
        facing = self.facing(entry)
        key = (entry.group, entry.label, facing, self.tools.level.path)
        if self._preview is None or self._preview[0] != key:
            self._preview = key, preview_edges(entry, facing, self.tools.level)
        return self._preview[1]


def is_flat_on_wall(entry: PaletteEntry | None) -> bool:
    """Whether a piece lies on the very point that is looked at, as a picture does."""
    return entry is not None and entry.text.startswith("decal")


def own_surfaces(tools: EditTools) -> list[str]:
    """Names under `surfaces` of the level's own file, in order."""
    history = tools.open_history()
    try:
        entry = history.document(history.path).top_entry("surfaces")
    except EditError:
        return []
    return list(entry.fields) if entry is not None else []


def preview_edges(entry: PaletteEntry, facing: float, level: Level) -> Floats:
    """Edges (n, 2, 3) of a piece with its foot at the origin."""
    nothing = np.zeros((0, 2, 3))
    if not entry.text or entry.text.startswith(("place", "include", "model", "decal")):
        return wireframe.box_edges(np.array((-0.5, 0.0, -0.5)), np.array((0.5, 1.0, 0.5)))
    box = "box: {from: [-0.1, 0, -0.1], to: [0.1, 0.2, 0.1]}"
    try:
        document = YamlDocument(f"{PREVIEW_HEAD}pieces:\n  - {box}\n")
        piece_palette.insert_piece(document, entry, (0.0, 0.0, 0.0), facing)
        built = load(text=document.text, base=level.path)
    except (LevelError, EditRefused):
        return nothing
    faces = built.faces.corners[built.faces.origin > 0]
    edges = wireframe.silhouette_edges(faces) if len(faces) else nothing
    zones = [_zone_edges(zone.centre, zone.half) for zone in built.areas]
    return np.concatenate([edges, *zones]) if len(edges) or zones else nothing


def _zone_edges(centre: Vector, half: Vector) -> Floats:
    return wireframe.box_edges(np.asarray(centre) - np.asarray(half), np.asarray(centre) + np.asarray(half))
