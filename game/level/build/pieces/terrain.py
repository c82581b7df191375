"""Terrain: a grid of heights from numbers, a formula or an image."""

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
from .flat import ordered_span
from .heightmap import IMAGE_EXTENSIONS, MAX_IMAGE_BYTES, read_image, resample_heights
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, PieceError, Placement
from .terrain_cutouts import TerrainTop, build_cup_faces, cut_cup, paint_patch

HEIGHT_SOURCES = ("heights", "formula", "image")
DEFAULT_CELL_SIZE = 1.0  # metres
COPLANAR_CELL_TOLERANCE = 1e-6  # metres off the plane of the other corners, in a cell of one quad


def build_terrain(builder: PieceBuilder) -> Placement:
    """Cells as one quad if planar, else as two triangles; with a thickness, sides and a base."""
    values = builder.values
    (x0, x1), (z0, z1) = ordered_span(builder, 0), ordered_span(builder, 1)
    source = _height_source(builder)
    given_heights = _explicit_heights(builder, source)
    rows, columns = _cell_counts(builder, given_heights, source, x1 - x0, z1 - z0)
    x, z = np.linspace(x0, x1, columns + 1), np.linspace(z0, z1, rows + 1)
    if given_heights is None:
        heights = _formula_heights(builder, x, z)
    elif given_heights.shape == (rows + 1, columns + 1):
        heights = given_heights
    else:
        heights = resample_heights(given_heights, rows + 1, columns + 1, values.flag("smooth"))
    grid = np.stack(np.broadcast_arrays(x[None, :], values.number("y") + heights, z[:, None]), axis=-1)
    corners, slopes, cell = _build_top(grid)
    top = TerrainTop(corners, _surfaces_by_slope(builder, slopes), cell)
    for patch in values.records("paint"):
        top = _apply_patch(builder, top, patch)
    for cup in values.records("cups"):
        top = _apply_cup(builder, top, cup)
    builder.add_quads(top.corners, top.surface, np.zeros(len(top.corners), np.bool_), smooth=True)
    cells = TerrainGrid(np.ascontiguousarray(grid[..., 1]), (x1 - x0) / columns, (z1 - z0) / rows)
    builder.add_marker("terrain", cells, (x0, 0.0, z0))
    thickness = values.number("thickness")
    if thickness > 0.0:
        sides, rests = _build_skirt(grid, float(grid[..., 1].min()) - thickness)
        surface = values.surface("side_surface", values.surface("surface"))
        builder.add_quads(sides, np.full(len(sides), surface, np.int32), rests)
    return IDENTITY_PLACEMENT


def _height_source(builder: PieceBuilder) -> str:
    """The one of HEIGHT_SOURCES that is given."""
    sources = [name for name in HEIGHT_SOURCES if builder.values.is_given(name)]
    if not sources:
        cure = 'add `formula: "2*sin(20*x)"`, `heights` with rows of numbers, or `image` with a PNG'
        builder.reject_piece("heights", "the terrain has no heights", cure)
    if len(sources) > 1:
        builder.reject_piece(sources[1], f"`{sources[0]}` already gives the heights", "keep one of them")
    if sources[0] != "image" and builder.values.is_given("height"):
        builder.report_dropped(
            "height", f"`height` applies only to an `image`; `{sources[0]}` is already in metres", "remove it"
        )
    return sources[0]


def _explicit_heights(builder: PieceBuilder, source: str) -> Floats | None:
    """Heights (m) of the numbers or pixels, rows from the north; None for a formula."""
    values = builder.values
    if source == "heights":
        return np.array(values.grid("heights"), dtype=np.float64)
    if source == "formula":
        return None
    low, high = values.span("height")
    try:
        root = allowed_root(builder.report.files[0])
        path = resolve_existing_file(
            builder.file, values.text("image"), IMAGE_EXTENSIONS, MAX_IMAGE_BYTES, "picture", root
        )
        builder.report.add_dependency(path)
        pixels = read_image(read_file_bytes(path, MAX_IMAGE_BYTES, "picture"))
    except InputError as error:
        builder.reject_piece("image", error.message, error.cure)
    return low + (high - low) * pixels


def _cell_counts(
    builder: PieceBuilder, given_heights: Floats | None, source: str, width: float, depth: float
) -> tuple[int, int]:
    """Rows and columns of cells: those of the given numbers, or as many as the greatest cell size needs."""
    values = builder.values
    if source == "heights" and given_heights is not None and not values.is_given("cell") and not values.flag("smooth"):
        rows, columns = given_heights.shape[0] - 1, given_heights.shape[1] - 1
    else:
        cell = values.number("cell") if values.is_given("cell") else DEFAULT_CELL_SIZE
        rows, columns = (max(1, math.ceil(size / cell - 1e-9)) for size in (depth, width))
    remaining = builder.budget.remaining["quad"]
    if rows * columns > remaining:
        message = f"{rows} by {columns} cells need more than the {remaining} quads the level has left"
        builder.reject_piece("cell" if values.is_given("cell") else source, message, "make `cell` larger")
    return rows, columns


def _formula_heights(builder: PieceBuilder, x: Floats, z: Floats) -> Floats:
    """Heights (R,C) of the formula at the corners of the cells."""
    formula = builder.values.formula("formula")
    across, down = (np.ascontiguousarray(coordinates) for coordinates in np.broadcast_arrays(x[None, :], z[:, None]))
    try:
        return np.asarray(formula.expression.evaluate(x=across, z=down), dtype=np.float64)
    except ExpressionError as error:
        place = formula.column_place(error.column)
        cure = error.cure or "the formula needs a value at every x and z between `from` and `to`"
        builder.report.add("dropped", place, f"{builder.values.where}.formula", error.message, cure)
        raise PieceError from None


def _build_top(grid: Floats) -> tuple[Floats, Floats, Ints]:
    """Faces (M,4,3) of the cells between grid points (R,C,3), the y of their unit normals (M,) and their cells (M,).

    A cell that is not planar is split along its shorter diagonal, which runs along a ridge or valley.
    """
    nw, ne, sw, se = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    twist = np.abs(sw[..., 1] + ne[..., 1] - se[..., 1] - nw[..., 1])
    split_nw_se = np.abs(se[..., 1] - nw[..., 1]) < np.abs(sw[..., 1] - ne[..., 1])
    first = np.where(split_nw_se[..., None, None], np.stack((sw, se, nw, nw), 2), np.stack((sw, se, ne, ne), 2))
    second = np.where(split_nw_se[..., None, None], np.stack((se, ne, nw, nw), 2), np.stack((sw, ne, nw, nw), 2))
    planar = twist <= COPLANAR_CELL_TOLERANCE
    first = np.where(planar[..., None, None], np.stack((sw, se, ne, nw), 2), first)
    slots = np.stack((first, second), axis=2).reshape(-1, 4, 3)
    keep = np.stack((np.ones_like(planar), ~planar), axis=2).reshape(-1)
    corners = np.ascontiguousarray(slots[keep])
    cell = np.repeat(np.arange(planar.size, dtype=np.int32), 2)[keep]
    return corners, unit_normals(corners)[:, 1], cell


def _surfaces_by_slope(builder: PieceBuilder, slopes: Floats) -> Ints:
    """Surface index (M,): `steep_surface` where the slope is steeper than `steep`."""
    values = builder.values
    surface = values.surface("surface")
    steep = values.surface("steep_surface", surface)
    limit = math.cos(math.radians(values.number("steep")))
    return np.where(slopes < limit, steep, surface).astype(np.int32)


def _apply_patch(builder: PieceBuilder, top: TerrainTop, patch: RecordValues) -> TerrainTop:
    """The terrain top with one patch of another surface."""
    formula = patch.formula("where")

    def inside(x: Floats, z: Floats) -> Floats:
        try:
            value = formula.expression.evaluate(x=np.ascontiguousarray(x), z=np.ascontiguousarray(z))
        except ExpressionError as error:
            cure = error.cure or "the expression needs a value at every x and z of the terrain"
            builder.report.add(
                "dropped", formula.column_place(error.column), "terrain.paint.where", error.message, cure
            )
            raise PieceError from None
        return np.broadcast_to(np.asarray(value, dtype=np.float64), x.shape)

    return paint_patch(top, inside, patch.surface("surface"))


def _apply_cup(builder: PieceBuilder, top: TerrainTop, cup: RecordValues) -> TerrainTop:
    """The terrain top with one cup; unchanged if the cup crosses its border."""
    x, z = cup.plan_point("at")
    radius, depth = cup.numbers("radius", "depth")
    low, high = top.corners.min(axis=(0, 1)), top.corners.max(axis=(0, 1))
    if not (low[0] + radius < x < high[0] - radius and low[2] + radius < z < high[2] - radius):
        builder.report_dropped(
            "at", "the cup is outside the terrain", "give `at` the x and z of a point on the terrain", cup
        )
        return top
    cut_top, rim = cut_cup(top, x, z, radius)
    wall, middle = build_cup_faces(rim, x, z, depth)
    surface = cup.surface("surface", builder.values.surface("surface"))
    builder.add_quads(wall, np.full(len(wall), surface, np.int32), np.zeros(len(wall), np.bool_))
    builder.add_marker("cup", CupSpec(radius, depth), middle)
    return cut_top


def _build_skirt(grid: Floats, base_height: float) -> tuple[Floats, Flags]:
    """Vertical sides from the border down to `base_height`, and the base; mask of those that may rest on a floor."""
    rim = np.concatenate(
        [grid[-1], grid[-2::-1, -1], grid[0, -2::-1], grid[1:, 0]]
    )  # counter-clockwise seen from above
    low = rim.copy()
    low[:, 1] = base_height
    sides = np.stack((low[:-1], low[1:], rim[1:], rim[:-1]), axis=1)
    corner = grid[[0, 0, -1, -1], [0, -1, -1, 0]].copy()
    corner[:, 1] = base_height
    rests = np.zeros(len(sides) + 1, np.bool_)
    rests[-1] = True
    return np.concatenate([sides, corner[None]]), rests
