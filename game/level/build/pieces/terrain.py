"""Terrain: a grid of heights from numbers, a formula or an image."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.vectors import Flags, Floats, Ints
from ...format.expressions import ExpressionError
from ...format.file_access import allowed_root, read_file_bytes, resolve_existing_file
from ...format.findings import InputError, sanitize_text
from ...format.numbers import PLAN_NAMES, Coordinate, Formula, FormulaValue, Grid, Length, Number, Plan, Span
from ...format.piece_kind import Form, Surfaced, building
from ...format.record import Record, Value
from ...format.record_values import Many, Terms
from ...format.values import Flag, Surface, Text
from ...geometry.faces import CupSpec, unit_normals
from ..entities.height_fields import TerrainGrid
from .piece_builder import IDENTITY_PLACEMENT, BuiltPiece, PieceBuilder, PieceError, Placement
from .terrain_cutouts import TerrainTop, build_cup_faces, cut_cup, paint_patch

DEFAULT_CELL_SIZE = 1.0  # metres
COPLANAR_CELL_TOLERANCE = 1e-6  # metres off the plane of the other corners, in a cell of one quad
IMAGE_EXTENSIONS = (".png",)
MAX_IMAGE_BYTES = 16 * 2**20
MAX_IMAGE_PIXELS = 2048 * 2048  # checked before decompression

# by Pillow mode of greyscale PNGs: the value of white
_WHITE_VALUE = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I": 65535.0}
_IMAGE_CURE = "save it as a greyscale PNG of 8 or 16 bits, without transparency"


class PatchFields(Record):
    """A patch of a terrain with another surface and a smooth border."""

    kind = "patch"
    example = 'paint: [{surface: sand, where: "5**2 - (x - 8)**2 - (z + 3)**2"}]'
    surface = Surface("Surface of the patch.", required=True)
    where_ = Formula(
        "Positive inside, zero on the border: `6**2 - (x - 3)**2 - z**2` is a disc of radius 6 m around [3, 0]."
    )


class CupFields(Record):
    """A round hole for a ball to fall into."""

    kind = "cup"
    example = "cups: [{at: [3, -40]}]"
    at = Plan("Centre of the hole.")
    radius = Length("Radius of the hole; a golf hole has 0.054.", 0.11, low=0.03, high=5)
    depth = Length("Depth of the hole.", 0.2, low=0.02, high=20)
    surface = Surface("Surface of its inside. Default: the terrain's.")


class Terrain(BuiltPiece, Surfaced):
    """Terrain on a rectangular grid. Exactly one of `heights`, `formula` and `image` gives its heights."""

    kind = "terrain"
    example = 'terrain: {from: [-20, -20], to: [20, 20], let: {hill: "noise(x / 8, z / 8)"}, formula: hill + hill**2}'
    form = Form.TERRAIN
    new = building(
        'terrain: {from: [-5, -5], to: [5, 5], formula: "0.4 * noise(x / 4, z / 4) + 0.5", thickness: 0.5, surface: @}',
        "hills ground landscape",
        "Ground with hills, by a formula.",
        rank=1,
    )
    from_ = Plan("One corner.")
    to = Plan("The opposite corner.")
    y = Coordinate("Added to all heights.", 0.0)
    heights = Grid(
        "Heights at the corners of cells: rows from north to south, each from west to east.", unit="m"
    ).optional()
    let = Terms("Named terms, which `formula`, `where` and later terms may use as they use x and z.")
    formula = Formula(
        "Height in metres at x and z, in the coordinates of `from` and `to`; noise(x, z) makes hills from -1 to 1.", "m"
    ).optional()
    image = Text(
        "An 8- or 16-bit greyscale PNG relative to this file, north up; its outer pixels lie on the border.",
        min_count=1,
        max_count=200,
    )
    height = Span("Heights of black and of white in the image.", (0.0, 5.0), "m")
    cell = Number(
        "Maximum cell size. Default: 1; `heights` alone define their own cells.", None, "m", 0.05, 1000
    ).optional()
    smooth = Flag("Whether to interpolate `heights` or pixels with curves.", False)
    paint = Many("Patches of other surfaces; later ones cover earlier ones.", PatchFields, 64)
    cups = Many("Round holes for balls to fall into.", CupFields, 18)
    thickness = Length("Depth of a solid base below the lowest point; 0 for none.", 0.0, low=0.0)
    steep_surface = Surface("Surface of slopes steeper than `steep`. Default: `surface`.", otherwise="surface")
    steep = Number("Slope from which `steep_surface` is used.", 40.0, "degrees", 0, 90)
    side_surface = Surface("Surface of the sides and base. Default: `surface`.", otherwise="surface")

    def build(self, out: PieceBuilder) -> Placement:
        """Cells as one quad if planar, else as two triangles; with a thickness, sides and a base."""
        (x0, x1), (z0, z1) = (out.ordered_span(self.from_, self.to, axis) for axis in range(2))
        source = self._height_source(out)
        given = self._given_heights(out)
        rows, columns = self._cell_counts(out, given, source, x1 - x0, z1 - z0)
        x, z = np.linspace(x0, x1, columns + 1), np.linspace(z0, z1, rows + 1)
        if given is None:
            assert self.formula is not None
            cure = "the formula needs a value at every x and z between `from` and `to`"
            across, down = np.broadcast_arrays(x[None, :], z[:, None])
            heights = _evaluate(out, self.formula, across, down, self.where_of(Terrain.formula), cure)
        elif given.shape == (rows + 1, columns + 1):
            heights = given
        else:
            heights = resample_heights(given, rows + 1, columns + 1, self.smooth)
        grid = np.stack(np.broadcast_arrays(x[None, :], self.y + heights, z[:, None]), axis=-1)
        corners, slopes, cell = _build_top(grid)
        is_steep = slopes < math.cos(math.radians(self.steep))
        top = TerrainTop(corners, np.where(is_steep, self.steep_surface, self.surface).astype(np.int32), cell)
        for patch in self.paint:
            top = paint_patch(top, _inside(out, patch), patch.surface)
        for cup in self.cups:
            top = self._cut_cup(out, top, cup)
        out.add_quads(top.corners, top.surface, np.zeros(len(top.corners), np.bool_), smooth=True)
        cells = TerrainGrid(np.ascontiguousarray(grid[..., 1]), (x1 - x0) / columns, (z1 - z0) / rows)
        out.add_marker("terrain", cells, (x0, 0.0, z0))
        if self.thickness > 0.0:
            sides, rests = _build_skirt(grid, float(grid[..., 1].min()) - self.thickness)
            out.add_quads(sides, np.full(len(sides), self.side_surface, np.int32), rests)
        return IDENTITY_PLACEMENT

    def _height_source(self, out: PieceBuilder) -> Value[Any]:
        """The one field that gives the heights."""
        sources = [one for one in (Terrain.heights, Terrain.formula, Terrain.image) if self.is_given(one)]
        if not sources:
            cure = 'add `formula: "2*sin(20*x)"`, `heights` with rows of numbers, or `image` with a PNG'
            out.reject_piece(Terrain.heights, "the terrain has no heights", cure)
        source = sources[0]
        if len(sources) > 1:
            out.reject_piece(sources[1], f"`{source.name}` already gives the heights", "keep one of them")
        if source is not Terrain.image and self.is_given(Terrain.height):
            message = f"`height` applies only to an `image`; `{source.name}` is already in metres"
            out.report_dropped(Terrain.height, message, "remove it")
        return source

    def _given_heights(self, out: PieceBuilder) -> Floats | None:
        """Heights (m) of the numbers or pixels, rows from the north; None for a formula."""
        if self.heights is not None:
            return np.array(self.heights, dtype=np.float64)
        if not self.image:
            return None
        low, high = self.height
        try:
            root = allowed_root(out.report.files[0])
            path = resolve_existing_file(out.file, self.image, IMAGE_EXTENSIONS, MAX_IMAGE_BYTES, "picture", root)
            out.report.add_dependency(path)
            pixels = read_image(read_file_bytes(path, MAX_IMAGE_BYTES, "picture"))
        except InputError as error:
            out.reject_piece(Terrain.image, error.message, error.cure)
        return low + (high - low) * pixels

    def _cell_counts(
        self, out: PieceBuilder, given: Floats | None, source: Value[Any], width: float, depth: float
    ) -> tuple[int, int]:
        """Rows and columns of cells: those of the given numbers, or as many as the greatest cell size needs."""
        if self.heights is not None and given is not None and self.cell is None and not self.smooth:
            rows, columns = given.shape[0] - 1, given.shape[1] - 1
        else:
            cell = DEFAULT_CELL_SIZE if self.cell is None else self.cell
            rows, columns = (max(1, math.ceil(size / cell - 1e-9)) for size in (depth, width))
        remaining = out.budget.remaining["quad"]
        if rows * columns > remaining:
            message = f"{rows} by {columns} cells need more than the {remaining} quads the level has left"
            out.reject_piece(source if self.cell is None else Terrain.cell, message, "make `cell` larger")
        return rows, columns

    def _cut_cup(self, out: PieceBuilder, top: TerrainTop, cup: CupFields) -> TerrainTop:
        """The terrain top with one cup; unchanged if the cup crosses its border."""
        x, z = cup.at
        radius = cup.radius
        low, high = top.corners.min(axis=(0, 1)), top.corners.max(axis=(0, 1))
        if not (low[0] + radius < x < high[0] - radius and low[2] + radius < z < high[2] - radius):
            cure = "give `at` the x and z of a point on the terrain"
            out.report_dropped(CupFields.at, "the cup is outside the terrain", cure, cup)
            return top
        cut_top, rim = cut_cup(top, x, z, radius)
        wall, middle = build_cup_faces(rim, x, z, cup.depth)
        surface = cup.surface if cup.is_given(CupFields.surface) else self.surface
        out.add_quads(wall, np.full(len(wall), surface, np.int32), np.zeros(len(wall), np.bool_))
        out.add_marker("cup", CupSpec(radius, cup.depth), middle)
        return cut_top


def _evaluate(out: PieceBuilder, formula: FormulaValue, x: Floats, z: Floats, where: str, cure: str) -> Floats:
    """Values of a formula at points on the plan. cure: where the formula has no value."""
    names = {"x": np.ascontiguousarray(x), "z": np.ascontiguousarray(z)}
    parts = formula.parts()
    out.budget.formula_work -= sum(part.expression.work for _, part in parts) * max(names["x"].size, names["z"].size)
    if out.budget.formula_work < 0:
        message = "the formulas of the level take too long"
        out.report.add("dropped", formula.node.place, where, message, "make `cell` larger, or the formulas shorter")
        raise PieceError
    for name, part in parts:
        used = part.expression.names.union(PLAN_NAMES)
        try:
            names[name] = part.expression.evaluate(**{one: names[one] for one in used})
        except ExpressionError as error:
            place = part.column_place(error.column)
            out.report.add("dropped", place, where, error.message, error.cure or cure)
            raise PieceError from None
    return np.asarray(names[""], dtype=np.float64)


def _inside(out: PieceBuilder, patch: PatchFields) -> Callable[[Floats, Floats], Floats]:
    """Function that is positive where a patch is."""
    cure = "the expression needs a value at every x and z of the terrain"

    def inside(x: Floats, z: Floats) -> Floats:
        return np.broadcast_to(_evaluate(out, patch.where_, x, z, "terrain.paint.where", cure), x.shape)

    return inside


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


def read_image(data: bytes) -> Floats:
    """Pixels (rows from the top, columns) of a greyscale PNG, 0 black to 1 white. Raises InputError."""
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about sizes that are rejected below
        try:
            with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
                width, height = image.size
                if width * height > MAX_IMAGE_PIXELS:
                    raise InputError(
                        f"the picture has {width} by {height} pixels, more than {MAX_IMAGE_PIXELS}", "save it smaller"
                    )
                if min(width, height) < 2:
                    raise InputError(f"the picture has {width} by {height} pixels; a terrain needs at least 2 by 2")
                if image.mode not in _WHITE_VALUE:
                    raise InputError(f"the picture is {sanitize_text(image.mode, 8)}, not greyscale", _IMAGE_CURE)
                pixels: Floats = np.asarray(image, dtype=np.float64) / _WHITE_VALUE[image.mode]
        except InputError:
            raise
        except UnidentifiedImageError:
            raise InputError("the file is not a PNG picture", _IMAGE_CURE) from None
        except Image.DecompressionBombError:
            raise InputError(f"the picture has far more than {MAX_IMAGE_PIXELS} pixels", "save it smaller") from None
        except Exception as error:  # Pillow raises many types for damaged files
            raise InputError(f"the picture is damaged: {sanitize_text(str(error), 100)}", "save it again") from None
    return pixels


def resample_heights(heights: Floats, rows: int, columns: int, curved: bool = False) -> Floats:
    """Heights (R,C) on a grid of `rows` by `columns` from edge to edge.

    Bilinear, or Catmull-Rom splines through all heights if `curved`.
    """
    return _resample_axis(_resample_axis(heights, rows, curved).T, columns, curved).T


def _resample_axis(heights: Floats, count: int, curved: bool) -> Floats:
    """Resampling along the first axis at `count` evenly spaced positions."""
    last = len(heights) - 1
    position = np.linspace(0.0, last, count)
    before = np.minimum(position.astype(np.int64), last - 1)
    t = (position - before)[:, None]
    left, right = heights[before], heights[before + 1]
    if not curved:
        linear: Floats = left + (right - left) * t
        return linear
    # beyond the border: linear extrapolation
    previous = np.where((before > 0)[:, None], heights[np.maximum(before - 1, 0)], 2 * left - right)
    following = np.where((before + 2 <= last)[:, None], heights[np.minimum(before + 2, last)], 2 * right - left)
    slope_left, slope_right = (right - previous) / 2, (following - left) / 2
    square, cube = t * t, t * t * t
    cubic: Floats = (
        (2 * cube - 3 * square + 1) * left
        + (cube - 2 * square + t) * slope_left
        + (3 * square - 2 * cube) * right
        + (cube - square) * slope_right
    )
    return cubic
