"""Hidden faces: bases and floors on another floor are removed, those that extend beyond it are kept.

A floor of a room that has a surface or a thickness takes the place of the ground.
"""

from __future__ import annotations

import numpy as np
import pytest

from game.level import load
from game.level.geometry.column_grid import ColumnGrid
from game.level.geometry.faces import unit_normals
from game.level.geometry.quads import split_into_triangles
from game.physics import Command, Walker

HEAD = "format: 1\nspawn: {at: [50, 0, 50]}\npieces:\n  - floor: {from: [-60, -60], to: [60, 60], y: -1}\n"


SLAB = "box: {from: [0, 1, 0], to: [10, 1.5, 4]}"
BLOCKS = [f"box: {{from: [{x}, 0, {z}], to: [{x + 2.5}, 1, {z + 2}]}}" for x in (0, 2.5, 5, 7.5) for z in (0, 2)]


def tunnel(left, right):
    return [f"box: {{from: [0, 0, 0], to: [{left}, 1, 4]}}", f"box: {{from: [{right}, 0, 0], to: [10, 1, 4]}}"]


# What lies below the slab, and whether the slab keeps its underside.
BELOW = {
    "a block of its size": (["box: {from: [0, 0, 0], to: [10, 1, 4]}"], False),
    "many blocks without a gap": (BLOCKS, False),
    "many blocks, one of which is missing": (BLOCKS[1:], True),
    "a tunnel": (tunnel(1.2, 1.8), True),
    "a tunnel near the middle": (tunnel(3.0, 3.4), True),
    "a slit": (tunnel(4.9, 4.95), True),
    "a wide tunnel": (tunnel(8.0, 9.0), True),
    "a strip of a millimetre": (tunnel(3, 3.001), False),
    "a slanting gap between three corners": (
        ["triangle: {corners: [[0, 1, 4], [10, 1, 4], [10, 1, 0.5]]}",
         "triangle: {corners: [[0, 1, 4], [9.5, 1, 0], [0, 1, 0]]}",
         "floor: {from: [9.4, 0], to: [10, 0.6], y: 1}", "floor: {from: [0, 3.8], to: [0.3, 4], y: 1}",
         "floor: {from: [4.8, 1.8], to: [5.2, 2.2], y: 1}"], True),
}  # fmt: skip


@pytest.mark.parametrize("name", BELOW)
def test_an_underside_is_kept_where_it_can_be_seen(name):
    below, is_kept = BELOW[name]
    corners = load(text=HEAD + "".join(f"  - {piece}\n" for piece in [SLAB, *below])).faces.corners
    down = (abs(corners[..., 1] - 1.0) < 1e-6).all(axis=1) & (unit_normals(corners)[:, 1] < 0)
    assert down.sum() == is_kept


YARD = "format: 1\nspawn: {at: [0, 0, 7]}\nsurfaces: {oak: {colour: red}}\npieces:\n"
HOUSE = "room: {name: house, from: [-3, 0, -4], to: [3, 3, 2], doors: [{wall: south}], "
GROUNDS = {
    "floor": "floor: {from: [-12, -12], to: [12, 12]}",
    "tiles": "floor: {from: [-12, -12], to: [12, 12], tile: 0.7, thickness: 1}",
    "terrain": "terrain: {from: [-12, -12], to: [12, 12], formula: 'max(0, x - 9)', cell: 0.8}",
    "triangles": "array: {count: 2, turn: 180, of: [triangle: {corners: [[-12, 0, 12], [12, 0, 12], [12, 0, -12]]}]}",
    "two floors": "floor: {from: [-12, -12], to: [1, 12]}\n  - floor: {from: [1, -12], to: [12, 12]}",
    "picture": "floor: {from: [-12, -12], to: [12, 12], collide: false}\n  - floor: {from: [-9, 0], to: [9, 9], y: -1}",
}
FLOORS = (
    "floor_surface: oak}",
    "floor_thickness: 0.3}",
    "floor_thickness: 0.2, floor_holes: [{from: [0, 0], to: [2, 1]}]}",
)


def floor_pieces(level, points):
    """(P,) names of the pieces whose faces look up at height 0 at points (P,2), one below the other."""
    flat = (np.abs(level.faces.corners[..., 1]).max(axis=1) < 1e-9) & (unit_normals(level.faces.corners)[:, 1] > 0)
    faces = level.faces.select(flat)
    triangles, face = split_into_triangles(faces.corners, faces.is_triangle)
    found = [[] for _ in points]
    for point, triangle, _ in zip(*ColumnGrid(triangles).faces_at(points), strict=True):
        found[point].append(level.origins[faces.origin[face[triangle]]].kind)
    return found


@pytest.mark.parametrize("turn", [0, 30])
@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_a_floor_of_its_own_takes_the_place_of_the_ground(ground, floor, turn):
    """There is one face everywhere: none flickers, and there is no crack around the house."""
    house = f"group: {{facing: {turn}, of: [{HOUSE}{floor}]}}"
    level = load(text=f"{YARD}  - {GROUNDS[ground]}\n  - {house}\n")
    points = np.random.default_rng(3).uniform(-8, 8, (4000, 2))
    angle = np.radians(turn)
    x, z = points @ [np.cos(angle), -np.sin(angle)], points @ [np.sin(angle), np.cos(angle)]
    outside = np.maximum(np.abs(x) - 3.2, np.abs(z + 1) - 3.2)
    inside = (np.abs(x) < 2.99) & (np.abs(z + 1) < 2.99)
    in_hole = (np.abs(x - 1) < 1) & (np.abs(z - 0.5) < 0.5) if "holes" in floor else np.zeros(len(x), bool)
    for found, out, within, hole in zip(floor_pieces(level, points), outside > 1e-6, inside, in_hole, strict=True):
        assert found == ["room"] or not within or hole
        assert (len(found) == 1 and found[0] != "room") or not (out or hole)
        assert len(found) < 2


def test_a_floor_without_a_surface_or_thickness_gives_way_to_the_ground():
    level = load(text=f"{YARD}  - {GROUNDS['floor']}\n  - {HOUSE}wall_surface: oak}}\n")
    assert floor_pieces(level, np.array([(0.3, 0.1), (0.3, 2.1)])) == [["floor"], ["floor"]]


def test_models_movers_and_other_heights_are_not_cut():
    lift = "mover: {path: [[0, 0, 0], [0, 1, 0]], of: [floor: {from: [-9, -9], to: [9, 9]}]}"
    higher = "floor: {from: [-9, -9], to: [9, 9], y: 0.01}"
    level = load(text=f"{YARD}  - {GROUNDS['floor']}\n  - {lift}\n  - {higher}\n  - {HOUSE}{FLOORS[1]}\n")
    areas = [np.ptp(level.faces.corners[level.faces.origin == k], axis=1).prod(axis=1, where=[True, False, True]).sum()
             for k, origin in enumerate(level.origins) if origin.kind == "floor"]  # fmt: skip
    assert areas == pytest.approx([24 * 24 - 6.4 * 6.4, 18 * 18, 18 * 18])


@pytest.mark.parametrize("floor", FLOORS[:2])
def test_a_player_walks_into_such_a_room_as_on_one_floor(floor):
    level = load(text=f"{YARD}  - {GROUNDS['tiles']}\n  - {HOUSE}{floor}\n")
    walker = Walker()
    state = walker.spawn(level.mesh, (0, 0, 7))
    for _ in range(120):
        state, _ = walker.step(state, Command(forward=1.0), level.mesh)
        assert abs(state.feet[1] - 0.009) < 1e-9
    assert state.feet[2] == pytest.approx(7 - 8.0, abs=0.2), "nothing slows it down"
