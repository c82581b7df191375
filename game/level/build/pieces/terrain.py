"""A height field over a rectangle of the plan, its heights from numbers, a formula or a picture."""

from __future__ import annotations

import math

import numpy as np

from ....core.vectors import Flags, Floats, Ints
from ...format.expressions import ExpressionError
from ...format.file_access import allowed_root, read_file_bytes, resolve_existing_file
from ...format.findings import InputError
from ...format.records import RecordValues
from ...geometry.faces import CupSpec, unit_normals
from ..entities.height_fields import TerrainGrid
from .heightmap import IMAGE_EXTENSIONS, MAX_IMAGE_BYTES, read_image, resample_heights
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, PieceError, Placement
from .terrain_cutouts import TerrainTop, build_cup_faces, cut_cup, paint_patch

HEIGHT_SOURCES = ("heights", "formula", "image")
DEFAULT_CELL_SIZE = 1.0  # metres, where neither the author nor a grid of numbers says
COPLANAR_CELL_TOLERANCE = 1e-6  # metres that a corner may lie off the plane of the others in a cell that stays one quad


def build_terrain(work: PieceBuilder) -> Placement:
    """Cells of two triangles, or of one quad where they are plane; closed below where it has a thickness."""
    values = work.values
    (x0, x1), (z0, z1) = (sorted((values.plan_point("from")[axis], values.plan_point("to")[axis])) for axis in range(2))
    if min(x1 - x0, z1 - z0) < 1e-3:
        name = "x" if x1 - x0 < 1e-3 else "z"
        work.reject_piece("to", f"the size along {name} is zero: `from` and `to` are equal there", "move one of them")
    source = _height_source(work)
    known = _given_heights(work, source)
    rows, columns = _cell_counts(work, known, source, x1 - x0, z1 - z0)
    x, z = np.linspace(x0, x1, columns + 1), np.linspace(z0, z1, rows + 1)
    if known is None:
        heights = _formula_heights(work, x, z)
    elif known.shape == (rows + 1, columns + 1):
        heights = known
    else:
        heights = resample_heights(known, rows + 1, columns + 1, values.flag("smooth"))
    grid = np.stack(np.broadcast_arrays(x[None, :], values.number("y") + heights, z[:, None]), axis=-1)
    corners, slopes, cell = _build_top(grid)
    ground = TerrainTop(corners, _surfaces_by_slope(work, slopes), cell)
    for patch in values.records("paint"):
        ground = _apply_patch(work, ground, patch)
    for cup in values.records("cups"):
        ground = _apply_cup(work, ground, cup)
    work.add_quads(ground.corners, ground.surface, np.zeros(len(ground.corners), np.bool_), smooth=True)
    cells = TerrainGrid(np.ascontiguousarray(grid[..., 1]), (x1 - x0) / columns, (z1 - z0) / rows)
    work.add_marker("terrain", cells, (x0, 0.0, z0))
    thickness = values.number("thickness")
    if thickness > 0.0:
        sides, rests = _build_skirt(grid, float(grid[..., 1].min()) - thickness)
        surface = values.surface("side_surface", values.surface("surface"))
        work.add_quads(sides, np.full(len(sides), surface, np.int32), rests)
    return IDENTITY_PLACEMENT


def _height_source(work: PieceBuilder) -> str:
    """Which of the three says the heights: exactly one."""
    given = [name for name in HEIGHT_SOURCES if work.values.is_given(name)]
    if not given:
        cure = 'add `formula: "2*sin(20*x)"`, `heights` with rows of numbers, or `image` with a PNG'
        work.reject_piece("heights", "the terrain has no heights", cure)
    if len(given) > 1:
        work.reject_piece(given[1], f"`{given[0]}` already gives the heights", "keep one of them")
    if given[0] != "image" and work.values.is_given("height"):
        work.report_dropped(
            "height", f"`height` applies only to an `image`; `{given[0]}` is already in metres", "remove it"
        )
    return given[0]


def _given_heights(work: PieceBuilder, source: str) -> Floats | None:
    """The grid of numbers or of pixels in metres, rows from the north; None for a formula."""
    values = work.values
    if source == "heights":
        return np.array(values.grid("heights"), dtype=np.float64)
    if source == "formula":
        return None
    low, high = values.span("height")
    try:
        home = allowed_root(work.report.files[0])
        path = resolve_existing_file(
            work.file, values.text("image"), IMAGE_EXTENSIONS, MAX_IMAGE_BYTES, "picture", home
        )
        work.report.add_dependency(path)
        pixels = read_image(read_file_bytes(path, MAX_IMAGE_BYTES, "picture"))
    except InputError as refused:
        work.reject_piece("image", refused.message, refused.cure)
    return low + (high - low) * pixels


def _cell_counts(work: PieceBuilder, known: Floats | None, source: str, wide: float, deep: float) -> tuple[int, int]:
    """Rows and columns of cells of at most the size asked for; those of the author's own numbers where none is."""
    values = work.values
    if source == "heights" and known is not None and not values.is_given("cell") and not values.flag("smooth"):
        rows, columns = known.shape[0] - 1, known.shape[1] - 1
    else:
        cell = values.number("cell") if values.is_given("cell") else DEFAULT_CELL_SIZE
        rows, columns = (max(1, math.ceil(size / cell - 1e-9)) for size in (deep, wide))
    left = work.budget.remaining["quad"]
    if rows * columns > left:
        message = f"{rows} by {columns} cells need more than the {left} quads the level has left"
        work.reject_piece("cell" if values.is_given("cell") else source, message, "make `cell` larger")
    return rows, columns


def _formula_heights(work: PieceBuilder, x: Floats, z: Floats) -> Floats:
    """Heights at all corners; x and z are metres as `from` and `to` are written."""
    formula = work.values.formula("formula")
    across, down = (np.ascontiguousarray(part) for part in np.broadcast_arrays(x[None, :], z[:, None]))
    try:
        return np.asarray(formula.expression.evaluate(x=across, z=down), dtype=np.float64)
    except ExpressionError as error:
        place = formula.column_place(error.column)
        cure = error.cure or "the formula needs a value at every x and z between `from` and `to`"
        work.report.add("dropped", place, f"{work.values.where}.formula", error.message, cure)
        raise PieceError from None


def _build_top(grid: Floats) -> tuple[Floats, Floats, Ints]:
    """Faces (M,4,3) of the cells between places (R,C,3), how steep each is: the cosine of its slope (M,), and in which
    cell (M,) it lies.

    A cell that is not plane is split along its shorter diagonal: the one that runs along a ridge or a valley.
    """
    nw, ne, sw, se = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    off = np.abs(sw[..., 1] + ne[..., 1] - se[..., 1] - nw[..., 1])
    other = np.abs(se[..., 1] - nw[..., 1]) < np.abs(sw[..., 1] - ne[..., 1])
    first = np.where(other[..., None, None], np.stack((sw, se, nw, nw), 2), np.stack((sw, se, ne, ne), 2))
    second = np.where(other[..., None, None], np.stack((se, ne, nw, nw), 2), np.stack((sw, ne, nw, nw), 2))
    plane = off <= COPLANAR_CELL_TOLERANCE
    first = np.where(plane[..., None, None], np.stack((sw, se, ne, nw), 2), first)
    slots = np.stack((first, second), axis=2).reshape(-1, 4, 3)
    keep = np.stack((np.ones_like(plane), ~plane), axis=2).reshape(-1)
    corners = np.ascontiguousarray(slots[keep])
    cell = np.repeat(np.arange(plane.size, dtype=np.int32), 2)[keep]
    return corners, unit_normals(corners)[:, 1], cell


def _surfaces_by_slope(work: PieceBuilder, slopes: Floats) -> Ints:
    values = work.values
    surface = values.surface("surface")
    steep = values.surface("steep_surface", surface)
    limit = math.cos(math.radians(values.number("steep")))
    return np.where(slopes < limit, steep, surface).astype(np.int32)


def _apply_patch(work: PieceBuilder, ground: TerrainTop, patch: RecordValues) -> TerrainTop:
    """With one patch of another surface."""
    formula = patch.formula("where")

    def inside(x: Floats, z: Floats) -> Floats:
        try:
            found = formula.expression.evaluate(x=np.ascontiguousarray(x), z=np.ascontiguousarray(z))
        except ExpressionError as error:
            cure = error.cure or "the expression needs a value at every x and z of the terrain"
            work.report.add("dropped", formula.column_place(error.column), "terrain.paint.where", error.message, cure)
            raise PieceError from None
        return np.broadcast_to(np.asarray(found, dtype=np.float64), x.shape)

    return paint_patch(ground, inside, patch.surface("surface"))


def _apply_cup(work: PieceBuilder, ground: TerrainTop, cup: RecordValues) -> TerrainTop:
    """With one cup in it; as it was, where the cup would reach over the rim."""
    (x, z), radius, depth = cup.plan_point("at"), cup.number("radius"), cup.number("depth")
    low, high = ground.corners.min(axis=(0, 1)), ground.corners.max(axis=(0, 1))
    if not (low[0] + radius < x < high[0] - radius and low[2] + radius < z < high[2] - radius):
        work.report_dropped(
            "at", "the cup is outside the terrain", "give `at` the x and z of a point on the terrain", cup
        )
        return ground
    made, rim = cut_cup(ground, x, z, radius)
    wall, middle = build_cup_faces(rim, x, z, depth)
    surface = cup.surface("surface", work.values.surface("surface"))
    work.add_quads(wall, np.full(len(wall), surface, np.int32), np.zeros(len(wall), np.bool_))
    work.add_marker("cup", CupSpec(radius, depth), middle)
    return made


def _build_skirt(grid: Floats, foot: float) -> tuple[Floats, Flags]:
    """Upright faces from the rim down to a level foot, and the foot; which of them may lie on a floor."""
    rim = np.concatenate([grid[-1], grid[-2::-1, -1], grid[0, -2::-1], grid[1:, 0]])  # seen from above to the left
    low = rim.copy()
    low[:, 1] = foot
    sides = np.stack((low[:-1], low[1:], rim[1:], rim[:-1]), axis=1)
    corner = grid[[0, 0, -1, -1], [0, -1, -1, 0]].copy()
    corner[:, 1] = foot
    rests = np.zeros(len(sides) + 1, np.bool_)
    rests[-1] = True
    return np.concatenate([sides, corner[None]]), rests
