"""A height field over a rectangle of the plan, its heights from numbers, a formula or a picture."""

from __future__ import annotations

import math

import numpy as np

from ...format.expressions import SumError
from ...format.file_access import beside, home_of, read_bytes
from ...format.findings import Refused
from ...format.records import Values
from ...geometry.faces import Cup, Flags, Floats, Ints, unit_normals
from ..entities.height_fields import Terrain
from .heightmap import ENDINGS, MOST_BYTES, read_image, resampled
from .piece_builder import STILL, PieceError, Placement, Workbench
from .terrain_cutouts import Ground, cup_faces, cut_out, painted

SOURCES = ("heights", "formula", "image")
CELL = 1.0  # metres, where neither the author nor a grid of numbers says
FLAT = 1e-6  # metres that a corner may lie off the plane of the others in a cell that stays one quad


def terrain(work: Workbench) -> Placement:
    """Cells of two triangles, or of one quad where they are plane; closed below where it has a thickness."""
    values = work.values
    (x0, x1), (z0, z1) = (sorted((values.plan("from")[axis], values.plan("to")[axis])) for axis in range(2))
    if min(x1 - x0, z1 - z0) < 1e-3:
        name = "x" if x1 - x0 < 1e-3 else "z"
        work.refuse("to", f"it has no extent along {name}: `from` and `to` are the same there", "move one of them")
    source = _source(work)
    known = _known(work, source)
    rows, columns = _cells(work, known, source, x1 - x0, z1 - z0)
    x, z = np.linspace(x0, x1, columns + 1), np.linspace(z0, z1, rows + 1)
    if known is None:
        heights = _by_formula(work, x, z)
    elif known.shape == (rows + 1, columns + 1):
        heights = known
    else:
        heights = resampled(known, rows + 1, columns + 1, values.flag("smooth"))
    grid = np.stack(np.broadcast_arrays(x[None, :], values.number("y") + heights, z[:, None]), axis=-1)
    corners, slopes, cell = _top(grid)
    ground = Ground(corners, _surfaces(work, slopes), cell)
    for patch in values.records("paint"):
        ground = _painted(work, ground, patch)
    for cup in values.records("cups"):
        ground = _dug(work, ground, cup)
    work.block(ground.corners, ground.surface, np.zeros(len(ground.corners), np.bool_), smooth=True)
    cells = Terrain(np.ascontiguousarray(grid[..., 1]), (x1 - x0) / columns, (z1 - z0) / rows)
    work.mark("terrain", cells, (x0, 0.0, z0))
    thickness = values.number("thickness")
    if thickness > 0.0:
        sides, rests = _below(grid, float(grid[..., 1].min()) - thickness)
        surface = values.surface("side_surface", values.surface("surface"))
        work.block(sides, np.full(len(sides), surface, np.int32), rests)
    return STILL


def _source(work: Workbench) -> str:
    """Which of the three says the heights: exactly one."""
    given = [name for name in SOURCES if work.values.given(name)]
    if not given:
        cure = 'write `formula: "2*sin(20*x)"`, rows of numbers as `heights`, or a PNG as `image`'
        work.refuse("heights", "nothing says how high it is", cure)
    if len(given) > 1:
        work.refuse(given[1], f"`{given[0]}` says already how high it is", "keep one of them")
    if given[0] != "image" and work.values.given("height"):
        work.drop("height", f"only an `image` has a height; `{given[0]}` says it in metres", "leave it out")
    return given[0]


def _known(work: Workbench, source: str) -> Floats | None:
    """The grid of numbers or of pixels in metres, rows from the north; None for a formula."""
    values = work.values
    if source == "heights":
        return np.array(values.grid("heights"), dtype=np.float64)
    if source == "formula":
        return None
    low, high = values.span("height")
    try:
        home = home_of(work.report.files[0])
        path = beside(work.file, values.text("image"), ENDINGS, MOST_BYTES, "picture", home)
        work.report.reads(path)
        pixels = read_image(read_bytes(path, MOST_BYTES, "picture"))
    except Refused as refused:
        work.refuse("image", refused.message, refused.cure)
    return low + (high - low) * pixels


def _cells(work: Workbench, known: Floats | None, source: str, wide: float, deep: float) -> tuple[int, int]:
    """Rows and columns of cells of at most the size asked for; those of the author's own numbers where none is."""
    values = work.values
    if source == "heights" and known is not None and not values.given("cell") and not values.flag("smooth"):
        rows, columns = known.shape[0] - 1, known.shape[1] - 1
    else:
        cell = values.number("cell") if values.given("cell") else CELL
        rows, columns = (max(1, math.ceil(size / cell - 1e-9)) for size in (deep, wide))
    left = work.budget.left["quad"]
    if rows * columns > left:
        message = f"{rows} by {columns} cells are more than the {left} quads that the level has left"
        work.refuse("cell" if values.given("cell") else source, message, "make `cell` larger")
    return rows, columns


def _by_formula(work: Workbench, x: Floats, z: Floats) -> Floats:
    """Heights at all corners; x and z are metres as `from` and `to` are written."""
    formula = work.values.formula("formula")
    across, down = (np.ascontiguousarray(part) for part in np.broadcast_arrays(x[None, :], z[:, None]))
    try:
        return np.asarray(formula.sum.value(x=across, z=down), dtype=np.float64)
    except SumError as error:
        place = formula.place(error.column)
        cure = error.cure or "it needs a value at every x and z between `from` and `to`"
        work.report.add("dropped", place, f"{work.values.where}.formula", error.message, cure)
        raise PieceError from None


def _top(grid: Floats) -> tuple[Floats, Floats, Ints]:
    """Faces (M,4,3) of the cells between places (R,C,3), how steep each is: the cosine of its slope (M,), and in which
    cell (M,) it lies.

    A cell that is not plane is split along its shorter diagonal: the one that runs along a ridge or a valley.
    """
    nw, ne, sw, se = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    off = np.abs(sw[..., 1] + ne[..., 1] - se[..., 1] - nw[..., 1])
    other = np.abs(se[..., 1] - nw[..., 1]) < np.abs(sw[..., 1] - ne[..., 1])
    first = np.where(other[..., None, None], np.stack((sw, se, nw, nw), 2), np.stack((sw, se, ne, ne), 2))
    second = np.where(other[..., None, None], np.stack((se, ne, nw, nw), 2), np.stack((sw, ne, nw, nw), 2))
    plane = off <= FLAT
    first = np.where(plane[..., None, None], np.stack((sw, se, ne, nw), 2), first)
    slots = np.stack((first, second), axis=2).reshape(-1, 4, 3)
    keep = np.stack((np.ones_like(plane), ~plane), axis=2).reshape(-1)
    corners = np.ascontiguousarray(slots[keep])
    cell = np.repeat(np.arange(plane.size, dtype=np.int32), 2)[keep]
    return corners, unit_normals(corners)[:, 1], cell


def _surfaces(work: Workbench, slopes: Floats) -> Ints:
    values = work.values
    surface = values.surface("surface")
    steep = values.surface("steep_surface", surface)
    limit = math.cos(math.radians(values.number("steep")))
    return np.where(slopes < limit, steep, surface).astype(np.int32)


def _painted(work: Workbench, ground: Ground, patch: Values) -> Ground:
    """With one patch of another surface."""
    formula = patch.formula("where")

    def inside(x: Floats, z: Floats) -> Floats:
        try:
            found = formula.sum.value(x=np.ascontiguousarray(x), z=np.ascontiguousarray(z))
        except SumError as error:
            cure = error.cure or "it needs a value at every x and z of the terrain"
            work.report.add("dropped", formula.place(error.column), "terrain.paint.where", error.message, cure)
            raise PieceError from None
        return np.broadcast_to(np.asarray(found, dtype=np.float64), x.shape)

    return painted(ground, inside, patch.surface("surface"))


def _dug(work: Workbench, ground: Ground, cup: Values) -> Ground:
    """With one cup in it; as it was, where the cup would reach over the rim."""
    (x, z), radius, depth = cup.plan("at"), cup.number("radius"), cup.number("depth")
    low, high = ground.corners.min(axis=(0, 1)), ground.corners.max(axis=(0, 1))
    if not (low[0] + radius < x < high[0] - radius and low[2] + radius < z < high[2] - radius):
        work.drop("at", "the cup does not lie within the terrain", "give `at` the x and z of a place on it", cup)
        return ground
    made, rim = cut_out(ground, x, z, radius)
    wall, middle = cup_faces(rim, x, z, depth)
    surface = cup.surface("surface", work.values.surface("surface"))
    work.block(wall, np.full(len(wall), surface, np.int32), np.zeros(len(wall), np.bool_))
    work.mark("cup", Cup(radius, depth), middle)
    return made


def _below(grid: Floats, foot: float) -> tuple[Floats, Flags]:
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
