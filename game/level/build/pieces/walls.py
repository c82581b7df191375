"""Walls and rooms: solid blocks with openings cut out of them."""

from __future__ import annotations

import math

import numpy as np

from ....core import walker_defaults
from ...format.records import Values
from ...geometry.faces import Floats
from .flat import holes_within
from .piece_builder import STILL, Placement, Workbench
from .rectilinear_grid import DOWN, MOST_CELLS, UP, cells_between, lines

Opening = tuple[float, float, float, float]  # from and to along the wall, from and to above its foot


def wall(work: Workbench) -> Placement:
    """A block along the line from `from` to `to`."""
    values = work.values
    facing, at, length = along(work)
    height, half, tile = values.number("height"), values.number("thickness") / 2, values.number("tile")
    if tile > 0.0 and (length / tile + 1) * (height / tile + 1) > MOST_CELLS:
        work.refuse("tile", f"tiles of {tile:g} m on {length:g} m by {height:g} m are too many", "make them larger")
    found = openings(work, length, height)
    x = lines(0.0, length, [edge for opening in found for edge in opening[:2]], tile)
    y = lines(0.0, height, [edge for opening in found for edge in opening[2:]], tile)
    z = np.array([-half, half])
    solid = np.ones((len(x) - 1, len(y) - 1, 1), np.bool_)
    for left, right, low, high in found:
        solid[cells_between(x, left, right), cells_between(y, low, high)] = False
    made = work.shell(x, y, z, solid)
    surface = np.full(len(made.side), values.surface("surface"), np.int32)
    work.block(made.corners, surface, (made.side == DOWN) & (made.corners[:, 0, 1] == 0.0))
    return facing, at


def along(work: Workbench) -> tuple[float, tuple[float, float, float], float]:
    """The turn that takes east (+X) to the line from `from` to `to`, its beginning, and its length."""
    values = work.values
    (x0, z0), (x1, z1) = values.plan("from"), values.plan("to")
    length = math.hypot(x1 - x0, z1 - z0)
    if length < 1e-2:
        work.refuse("to", "it has no length: `from` and `to` are the same point", "move one of them")
    return math.degrees(math.atan2(z0 - z1, x1 - x0)) % 360.0, (x0, values.number("y"), z0), length


def openings(work: Workbench, length: float, height: float, wall: str | None = None) -> list[Opening]:
    """Doors and windows of a wall (in a room, of the one named); what does not fit is reported, left out."""
    values = work.values
    found = []
    for name in ("doors", "windows"):
        for entry in values.records(name):
            if wall is None or entry.text("wall") == wall:
                opening = _opening(work, entry, name, length, height)
                if opening is not None:
                    found.append(opening)
    return found


def _opening(work: Workbench, entry: Values, name: str, length: float, height: float) -> Opening | None:
    width, tall = entry.number("width"), entry.number("height")
    sill = entry.number("sill") if name == "windows" else 0.0
    middle = entry.number("at") if entry.given("at") else length / 2
    left, right, top = middle - width / 2, middle + width / 2, sill + tall
    if left < -1e-6 or right > length + 1e-6:
        work.drop(
            "at" if entry.given("at") else "width",
            f"it reaches from {left:.3g} m to {right:.3g} m along a wall of {length:.4g} m",
            f"`at` is its middle: {width / 2:.3g} to {length - width / 2:.3g}"
            if width <= length
            else "make it less wide",
            entry,
        )
        return None
    if top > height + 1e-6:
        work.drop("height", f"it reaches {top:.3g} m up a wall of {height:.4g} m", "make it lower", entry)
        return None
    if name == "doors":
        if tall < walker_defaults.HEIGHT:
            verb = "has to crouch" if tall >= walker_defaults.CROUCHED else "cannot pass"
            work.warn("low", "height", f"{tall:g} m is too low to stand: a player {verb}",
                      f"{walker_defaults.HEIGHT:.2f} m is enough; or `intended: [low]`", entry)  # fmt: skip
        if width < walker_defaults.BREADTH:
            verb = "passes sideways only" if width >= walker_defaults.DEPTH else "cannot pass"
            work.warn("narrow", "width", f"{width:g} m is narrower than a player, who {verb}",
                      f"{walker_defaults.BREADTH:.2f} m is enough; or `intended: [narrow]`", entry)  # fmt: skip
    return left, right, sill, top


def room(work: Workbench) -> Placement:
    """Grid lines at every wall face and opening; walls, roof and openings are cells, the floor is a sheet."""
    values = work.values
    low = [min(values.point("from")[axis], values.point("to")[axis]) for axis in range(3)]
    high = [max(values.point("from")[axis], values.point("to")[axis]) for axis in range(3)]
    for axis, name in enumerate("xyz"):
        if high[axis] - low[axis] < 0.1:
            work.refuse("to", f"less than 0.1 m of room along {name}", "`from` and `to` are opposite inner corners")
    thick = values.number("thickness")
    height = high[1] - low[1]
    if values.flag("ceiling") and height < walker_defaults.HEIGHT:
        work.warn("low", "to", f"a room {height:.3g} m high is too low to stand",
                  f"{walker_defaults.HEIGHT:.2f} m is enough; or `intended: [low]`")  # fmt: skip
    cuts: dict[str, list[Opening]] = {}
    for side in ("north", "east", "south", "west"):
        axis = 0 if side in ("north", "south") else 2
        cuts[side] = openings(work, high[axis] - low[axis], height, side)
    inner = [
        [low[axis] + edge for side in sides for opening in cuts[side] for edge in opening[:2]]
        for axis, sides in ((0, ("north", "south")), (2, ("east", "west")))
    ]
    levels = [low[1] + edge for openings_of in cuts.values() for opening in openings_of for edge in opening[2:]]
    holes = holes_within(work, (low[0], high[0]), (low[2], high[2])) if values.flag("ceiling") else []
    inner[0] += [edge for hole in holes for edge in hole[:2]]
    inner[1] += [edge for hole in holes for edge in hole[2:]]
    x = lines(low[0] - thick, high[0] + thick, [low[0], high[0], *inner[0]])
    z = lines(low[2] - thick, high[2] + thick, [low[2], high[2], *inner[1]])
    top = high[1] + thick if values.flag("ceiling") else high[1]
    y = lines(low[1], top, [high[1], *levels])
    solid = np.ones((len(x) - 1, len(y) - 1, len(z) - 1), np.bool_)
    hollow = (
        cells_between(x, low[0], high[0]),
        cells_between(y, low[1], high[1]),
        cells_between(z, low[2], high[2]),
    )
    solid[hollow] = False
    _cut(solid, (x, y, z), cuts, low)
    for left, right, near, far in holes:
        solid[cells_between(x, left, right), cells_between(y, high[1], top), cells_between(z, near, far)] = False
    made = work.shell(x, y, z, solid)
    rests = (made.side == DOWN) & (made.corners[:, 0, 1] == y[0])
    work.block(made.corners, _surfaces(values, made.corners, made.side, low, high), rests)
    if values.flag("floor"):
        _floor(work, x, z, low[1], ~solid[:, 0, :])
    return STILL


def _cut(
    solid: np.ndarray,
    grid: tuple[Floats, Floats, Floats],
    cuts: dict[str, list[Opening]],
    low: list[float],
) -> None:
    x, y, z = grid
    first, last = slice(0, 1), slice(-1, None)
    through = {"north": first, "south": last, "west": first, "east": last}
    for side, found in cuts.items():
        for left, right, bottom, top in found:
            up = cells_between(y, low[1] + bottom, low[1] + top)
            if side in ("north", "south"):
                solid[cells_between(x, low[0] + left, low[0] + right), up, through[side]] = False
            else:
                solid[through[side], up, cells_between(z, low[2] + left, low[2] + right)] = False


def _surfaces(values: Values, corners: Floats, side: np.ndarray, low: list[float], high: list[float]) -> np.ndarray:
    """Inner walls, ceiling and roof by where a face lies; everything else is `surface`."""
    plain = values.surface("surface")
    middle = corners.mean(axis=1)
    inside = np.all((middle > np.array(low) - 1e-6) & (middle < np.array(high) + 1e-6), axis=1)
    surface = np.full(len(side), plain, np.int32)
    surface[inside] = values.surface("wall_surface", plain)
    surface[inside & (side == DOWN)] = values.surface("ceiling_surface", plain)
    roof = (side == UP) & (middle[:, 1] > high[1] - 1e-6)
    surface[roof] = values.surface("roof_surface", plain)
    return surface


def _floor(work: Workbench, x: Floats, z: Floats, y: float, open_cells: np.ndarray) -> None:
    """The sheet under everything that is clear at floor level, doorways too."""
    made = work.shell(x, np.array([y - 1.0, y]), z, open_cells[:, None, :])
    shown = made.side == UP
    surface = work.values.surface("floor_surface", work.values.surface("surface"))
    count = int(shown.sum())
    work.block(made.corners[shown], np.full(count, surface, np.int32), np.ones(count, np.bool_))
