"""Placement of new pieces: the point on the ground that is looked at, its surface, and a preview."""

from __future__ import annotations

import math

import numpy as np

from ....core.vectors import Floats, Vector, to_point
from ....level import Level, LevelError, load
from ....level.edit import EditRefused, YamlDocument
from ....level.format.piece_kind import Form
from ....level.format.record import DEFAULT_SURFACE
from ....level.format.record_values import Include, PrefabName
from ..edit_tools import EditTools
from ..picking import PickHit
from ..pieces import palette
from ..pieces.palette import PaletteEntry, top_names
from ..views import wireframe
from .snapping import snap_point

MAX_PLACEMENT_DISTANCE = 14.0  # m before the eye that a new piece is put
DEFAULT_PLACEMENT_DISTANCE = 4.0  # m, with the sky in view
WALL_NORMAL = 0.5  # upward part of a unit normal below which a face is a wall
CLEARANCE = 0.01  # m between a new piece and the wall behind it
FINE_STEP = 0.05  # m: places off the grid are multiples of it
SAME_HEIGHT = 0.01  # m between heights of one floor
STEP_SEARCH = 0.5  # m above the aimed floor from which the floor at the grid point is looked for
RISER_HEIGHT = 0.1  # m above the floor at which the riser of a step is looked for
CEILING_CLEARANCE = 0.05  # m below a ceiling or a handle from which the ground is looked for
ALONG_WALL = 1e-3  # part of a wall's unit normal below which the wall runs along an axis
RAY_MARGIN = 1e-3  # m
HANDLE_BOX = 0.12  # m, half of the box that shows where a piece without faces will be
MAX_GROUND_DEPTH = 60.0  # m below that place in which the ground is looked for
CONTENTS = (PrefabName, Include)  # fields whose pieces stand elsewhere, in `define` or another file
PREVIEW_HEAD = "format: 1\nspawn: {at: [0, 0, 0]}\n"


class Placement:
    """Where a new piece goes.

    preview   edges (n, 2, 3) of the piece at the origin, computed once for each piece and direction
    """

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self._preview: tuple[tuple[object, ...], Floats] | None = None

    def point(self, entry: PaletteEntry | None = None) -> Vector:
        """Position of a new piece's foot (m): the aimed floor, snapped; in front of a wall; else the ground ahead."""
        view = self.tools.view
        aimed = view.picked
        if aimed is None or aimed.distance > MAX_PLACEMENT_DISTANCE:
            ray = np.asarray(view.eye) + DEFAULT_PLACEMENT_DISTANCE * np.asarray(view.direction)
            return self._on_ground_below(to_point(ray), entry)
        if is_flat_on_wall(entry):
            return aimed.point
        upward = aimed.normal[1]
        if aimed.quad < 0 or upward < -WALL_NORMAL:  # a handle, or a ceiling
            x, y, z = aimed.point
            return self._on_ground_below((x, y - CEILING_CLEARANCE, z), entry)
        snapped = snap_point(self.tools.level, aimed, view.eye, view.grid) if view.snaps else None
        if upward <= WALL_NORMAL:
            return self._before_wall(aimed, entry, None if snapped is None else snapped.point)
        if snapped is not None:
            return self._clear_of_walls(snapped.point, entry, FINE_STEP)
        if self.tools.level.faces.mover_numbers[aimed.quad] > 0:  # rays for the ground do not see movers
            x, y, z = aimed.point
            return (_round_to(x, view.grid), round(y, 3), _round_to(z, view.grid))
        return self._on_floor(aimed.point, entry)

    def _on_ground_below(self, point: Vector, entry: PaletteEntry | None) -> Vector:
        """The ground below a point, on the grid, clear of walls."""
        x, y, z = (_round_to(coordinate, self.tools.view.grid) for coordinate in point)
        ground = self._ground_below((x, point[1], z))
        at = (x, y if ground is None else ground, z)
        return at if ground is None else self._clear_of_walls(at, entry, self.tools.view.grid)

    def _on_floor(self, point: Vector, entry: PaletteEntry | None) -> Vector:
        """A point of a floor, on the grid where the floor has the same height there, as a step of stairs may not."""
        at = point
        for step in (self.tools.view.grid, FINE_STEP):
            x, z = _round_to(point[0], step), _round_to(point[2], step)
            ground = self._ground_below((x, point[1] + STEP_SEARCH, z))
            at = self._clear_of_walls((x, round(point[1] if ground is None else ground, 3), z), entry, step)
            ground = self._ground_below((at[0], point[1] + STEP_SEARCH, at[2]))
            if ground is not None and abs(ground - point[1]) < SAME_HEIGHT:
                break
        return at

    def _before_wall(self, aimed: PickHit, entry: PaletteEntry | None, snapped: Vector | None) -> Vector:
        """Ground before a wall (m), so far off that the piece does not reach into the wall. snapped: place along it."""
        step = self.tools.view.grid
        normal = np.array((aimed.normal[0], 0.0, aimed.normal[2]))
        normal /= np.linalg.norm(normal)
        edges = self._edges(entry) if entry is not None else np.zeros((0, 2, 3))
        reach = max(-float((edges @ normal).min()), 0.0) if len(edges) else 0.0
        point = np.asarray(aimed.point)
        wanted = np.floor(point / step + 0.5) * step if snapped is None else np.asarray(snapped)
        along = np.array((-normal[2], 0.0, normal[0]))
        at = point + along * float((wanted - point) @ along) + (reach + CLEARANCE) * normal
        for axis in (0, 2):
            if abs(normal[axis]) > ALONG_WALL:  # rounded away from the wall
                sense = math.copysign(1.0, normal[axis])
                at[axis] = sense * math.ceil(sense * float(at[axis]) / FINE_STEP - 1e-6) * FINE_STEP
        x, y, z = (round(float(coordinate), 4) for coordinate in at)
        ground = self._ground_below((x, y, z))
        return self._clear_of_walls((x, y if ground is None else ground, z), entry, step)

    def _clear_of_walls(self, at: Vector, entry: PaletteEntry | None, step: float) -> Vector:
        """A point on a floor, moved by whole steps (m) so that the piece reaches into no wall and no stair riser, where
        there is room."""
        edges = self._edges(entry) if entry is not None else np.zeros((0, 2, 3))
        if not len(edges):
            return at
        height = min(max(0.5 * float(edges[..., 1].max()), 0.2), 1.2)
        low = edges[edges[..., 1].min(axis=1) <= RISER_HEIGHT]
        moved = np.array(at)
        for axis in (0, 2):
            overlaps = []
            for sense in (1.0, -1.0):
                depths = [self._overlap(at, each, height, axis, sense)
                          for each, height in ((edges, height), (low, RISER_HEIGHT)) if len(each)]  # fmt: skip
                overlaps.append(max(depths))
            if min(overlaps) == 0.0 and max(overlaps) > 1e-6:
                sense = -1.0 if overlaps[0] else 1.0
                moved[axis] += sense * math.ceil(max(overlaps) / step - 1e-6) * step
        x, y, z = (round(value, 4) for value in moved.tolist())
        return (x, y, z)

    def _overlap(self, at: Vector, edges: Floats, height: float, axis: int, sense: float) -> float:
        """How far (m) edges reach into a wall along an axis; 0 for none. height: of the ray above the floor."""
        way = sense * np.eye(3)[axis]
        reach = max(float((sense * edges[..., axis]).max()), 0.0)
        start = np.array((at[0], at[1] + height, at[2])) - RAY_MARGIN * way  # a point in the very plane of a wall
        hit = self.tools.level.mesh.raycast(to_point(start), to_point(way), reach + RAY_MARGIN)
        return 0.0 if hit is None else max(reach + RAY_MARGIN - hit.distance, 0.0)

    def _ground_below(self, at: Vector) -> float | None:
        """Height of the floor below a point (m), None without one."""
        start = (at[0], at[1] + 0.01, at[2])
        hit = self.tools.level.mesh.raycast(start, (0.0, -1.0, 0.0), MAX_GROUND_DEPTH)
        return None if hit is None else round(start[1] - hit.distance, 3)

    def surface(self) -> str:
        """Surface of a new piece: that of what is looked at, else of the ground ahead, else the level's first."""
        level = self.tools.level
        aimed = self.tools.view.picked
        if aimed is not None and aimed.quad >= 0:
            name = level.surfaces[int(level.faces.surface[aimed.quad])].name
            if name != DEFAULT_SURFACE and "/" not in name:
                return name
        names = top_names(self.tools.own_document(), "surfaces")
        return names[0] if names else ""

    def facing(self, entry: PaletteEntry) -> float:
        """Direction of a new piece (degrees): away from the eye, in quarter turns; a sign faces the eye."""
        aimed = self.tools.view.picked
        if is_flat_on_wall(entry) and aimed is not None and abs(aimed.normal[1]) < WALL_NORMAL:
            x, _, z = aimed.normal
            return round(math.degrees(math.atan2(-x, -z)), 3) % 360.0
        return self.tools.view.quarter + (180.0 if entry.kind is not None and entry.kind.faces_viewer else 0.0)

    def preview(self, entry: PaletteEntry) -> Floats:
        """Edges (n, 2, 3) of a new piece where it would be; of a light and others without faces, a small box at its
        height and a line down to the ground."""
        edges = np.concatenate([self._edges(entry), _height_lines(palette.height_above_ground(entry))])
        return edges + np.asarray(self.point(entry)) if len(edges) else edges

    def _edges(self, entry: PaletteEntry) -> Floats:
        """Edges (n, 2, 3) of a new piece with its foot at the origin."""
        facing = self.facing(entry)
        key = (entry.group, entry.label, facing, self.tools.level.path)
        if self._preview is None or self._preview[0] != key:
            self._preview = key, preview_edges(entry, facing, self.tools.level)
        return self._preview[1]


def _round_to(value: float, step: float) -> float:
    return round(math.floor(value / step + 0.5) * step, 4)


def _height_lines(height: float) -> Floats:
    """Edges (n, 2, 3) of a small box at a height (m), and of the line up to it; none at height 0."""
    if height <= 0.0:
        return np.zeros((0, 2, 3))
    low = np.array((-HANDLE_BOX, height - HANDLE_BOX, -HANDLE_BOX))
    line = np.array([[(0.0, 0.0, 0.0), (0.0, height - HANDLE_BOX, 0.0)]])
    return np.concatenate([wireframe.box_edges(low, low + 2.0 * HANDLE_BOX), line])


def is_flat_on_wall(entry: PaletteEntry | None) -> bool:
    """Whether a piece lies on the very point that is looked at, as a picture does."""
    return entry is not None and entry.kind is not None and entry.kind.is_flat


def preview_edges(entry: PaletteEntry, facing: float, level: Level) -> Floats:
    """Edges (n, 2, 3) of a piece with its foot at the origin; a box for one whose faces come from elsewhere."""
    nothing = np.zeros((0, 2, 3))
    kind = entry.kind
    if (
        kind is None
        or kind.is_flat
        or kind.form is Form.MODEL
        or any(isinstance(field, CONTENTS) for field in kind.fields.values())
    ):
        return wireframe.box_edges(np.array((-0.5, 0.0, -0.5)), np.array((0.5, 1.0, 0.5)))
    box = "box: {from: [-0.1, 0, -0.1], to: [0.1, 0.2, 0.1]}"
    try:
        document = YamlDocument(f"{PREVIEW_HEAD}pieces:\n  - {box}\n")
        palette.insert_piece(document, entry, (0.0, 0.0, 0.0), facing)
        built = load(text=document.text, base=level.path)
    except (LevelError, EditRefused):
        return nothing
    faces = built.faces.corners[built.faces.origin > 0]
    edges = wireframe.silhouette_edges(faces) if len(faces) else nothing
    zones = [zone.edges for zone in built.all_zones]
    return np.concatenate([edges, *zones]) if len(edges) or zones else nothing
