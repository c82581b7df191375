"""The map: storeys, sections, colours and marks where they belong, by the pixel."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from game.drawing import floor_plans, map_sheet, palette
from game.drawing.canvas import PAPER, Canvas, draw_image
from game.drawing.floor_plans import PlanWindow, Storey
from game.drawing.plan import arrange_plans
from game.level import load
from game.physics import TriangleMesh
from game.sim.bots import reachability

HOUSE = """\
format: 1
name: A house
spawn: {at: [-4, 0, 0], facing: east}
goal: {at: [4, 3.2, 0], radius: 0.5}
pieces:
  - floor: {name: ground, from: [-6, -4], to: [6, 4]}
  - room:
      {name: house, from: [2, 0, -3], to: [6, 3, 3], floor: false, thickness: 0.4, doors: [{wall: west, width: 1.2}]}
  - ramp: {name: steep, at: [-3, 0, -2], facing: west, length: 1, rise: 2, width: 2}
  - box: {name: crate, from: [-2, 0, 2], to: [-1, 0.6, 3]}
"""
SMALL = (600, 400)
WHOLE = Storey(-np.inf, np.inf)
WINDOW = PlanWindow(-7.0, -5.0, 7.0, 5.0, 20.0)


@pytest.fixture(scope="module")
def level():
    return load(text=HOUSE)


@pytest.fixture(scope="module")
def known(level):
    return map_sheet.collect_map_data(level)


def at(picture: np.ndarray, x: float, z: float, window: PlanWindow = WINDOW) -> np.ndarray:
    column, row = window.to_pixel(x, z)
    return picture[round(row), round(column)].astype(int)


def test_a_house_has_a_storey_below_its_roof_and_one_above(known):
    below, above = floor_plans.find_storeys(known.standable_cells.feet)
    assert below.low == -np.inf
    assert above.high == np.inf
    assert 0.9 <= below.high == above.low < 3.0
    assert below.contains(np.array([0.0])).all()
    assert not below.contains(np.array([3.4])).any()


def test_the_section_shows_floors_and_cut_solids(level):
    solids = level.triangles[reachability.is_solid_triangle(level)]
    view = floor_plans.render_plan_view(level.mesh, solids, WINDOW, Storey(-np.inf, 1.1))
    assert at(view.height, 4, 0) == 0  # inside the house, under its roof
    assert at(view.solid, 1.8, -2) == 1  # its wall
    assert at(view.solid, 1.8, 0) == 0  # its door
    assert at(view.solid, -3.8, -2) == 1  # the ramp, higher there than the cut
    assert at(view.solid, -3.2, -2) == 0
    assert np.isnan(view.height[2, 2])  # beyond the floor
    share = view.solid.sum() / WINDOW.scale**2
    walls = 0.4 * (2 * 4.8 + 2 * 6.0) - 0.4 * 1.2 + 0.4 * 0.8 - 0.4 * 0.8  # around the room, less the door
    ramp = 2 * (1 - 1.1 / 2)
    assert share == pytest.approx(walls + ramp, rel=0.02)


def test_colours_show_walkable_ground(level, known):
    picture = known.source.pixels(WINDOW, Storey(-np.inf, 1.1))
    low, high = known.source.heights
    ground = floor_plans.height_colour(np.array([0.0]), low, high)[0]
    assert np.abs(at(picture, 0, 0) - ground).max() < 14  # but for the light
    assert np.abs(at(picture, 1.8, -2) - floor_plans.SOLID_COLOUR).max() <= 1
    steep = at(picture, -3.3, -2)
    assert np.abs(steep - np.array(floor_plans.STEEP_COLOUR)).max() < 60
    assert steep[0] > steep[2]
    assert (at(picture, -6.8, -4.8) == PAPER).all()
    higher = at(known.source.pixels(WINDOW, WHOLE), 4, 0)
    assert np.abs(higher - floor_plans.height_colour(np.array([3.4]), low, high)[0]).max() < 14
    assert np.abs(higher - ground).max() > 30


def test_an_edge_is_drawn_and_a_slope_is_not(level, known):
    picture = known.source.pixels(WINDOW, WHOLE).astype(int)
    crate, inside = at(picture, -1.5, 2.0), at(picture, -1.5, 2.5)
    assert crate.sum() < inside.sum() - 60


@pytest.mark.full
def test_the_sheet_has_symbols_at_their_places(level):
    picture = np.asarray(draw_image(map_sheet.draw_map_sheet(level, size=SMALL)), int)
    gold = np.abs(picture - palette.GOAL).sum(axis=2) < 20
    blue = np.abs(picture - palette.SPAWN).sum(axis=2) < 20
    legend = picture.shape[1] - map_sheet.LEGEND_WIDTH
    for mark in (gold, blue):
        columns = np.flatnonzero(mark.any(axis=0))
        assert (columns < legend).any()  # in a plan
        assert (columns >= legend).any()  # and in the legend
    stages = floor_plans.find_storeys(map_sheet.collect_map_data(level).standable_cells.feet)
    assert len(stages) == 2
    rows, columns = np.nonzero(gold[:, :legend])
    spots_rows, spots_columns = np.nonzero(blue[:, :legend])
    across = columns.mean() - spots_columns.mean()
    assert abs(across) + abs(rows.mean() - spots_rows.mean()) > 100  # the goal is in the upper storey's plan


def test_the_captions_of_plans_are_the_heights_of_their_storeys():
    edges = (-np.inf, -0.04, 2.0, np.inf)
    storeys = [Storey(low, high) for low, high in pairwise(edges)]
    canvas = Canvas(1, 1)
    arrange_plans(storeys, (0.0, 0.0, 5.0, 5.0), SMALL).draw_captions(canvas)
    assert [shape.text for shape in canvas.shapes] == ["below 0.0 m", "0.0 to 2.0 m", "above 2.0 m"]


@pytest.mark.parametrize("missing", ["west", "east"])
def test_a_block_without_a_side_leaves_the_others_their_section(missing):
    def block(x, sides):
        x0, x1 = x - 0.5, x + 0.5
        quads = {
            "west": [(x0, 0, -1), (x0, 0, 1), (x0, 2, 1), (x0, 2, -1)],
            "east": [(x1, 0, 1), (x1, 0, -1), (x1, 2, -1), (x1, 2, 1)],
            "top": [(x0, 2, 1), (x1, 2, 1), (x1, 2, -1), (x0, 2, -1)],
        }
        return [[quads[side][k] for k in ways] for side in sides for ways in ((0, 1, 2), (0, 2, 3))]

    whole = ("west", "east", "top")
    broken = tuple(side for side in whole if side != missing)
    triangles = np.array(block(-4.0, whole) + block(0.0, broken) + block(4.0, whole), np.float64)
    view = floor_plans.render_plan_view(TriangleMesh(triangles), triangles, WINDOW, Storey(-np.inf, 1.0))
    row, columns = 100, [round((x + 7.0) * 20.0) for x in (-6.0, -4.0, -2.0, 2.0, 4.0, 6.0)]
    assert view.solid[row, columns].tolist() == [False, True, False, False, True, False]


ROW_OF_CELLS = """\
format: 1
spawn: {{at: [2, 0, 2]}}
pieces:
  - array: {{count: 3, step: [{step}, 0, 0], of: [room: {{from: [0, 0, 0], to: [4, 3, 4], doors: [{{wall: east}}]}}]}}
"""


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.2, 0.3, 0.4])
def test_a_doorway_closed_by_the_wall_of_another_room_is_drawn_closed(gap):
    """Faces of two rooms in one place, of which the mesh keeps one, belong to the section of both."""
    level = load(text=ROW_OF_CELLS.format(step=4 + gap))
    window = PlanWindow(-1.0, -1.0, 13.0, 5.0, 25.0)
    view = floor_plans.render_plan_view(
        level.mesh, level.triangles[reachability.is_solid_triangle(level)], window, Storey(-np.inf, 1.1)
    )

    def drawn(x: float, z: float) -> bool:
        return bool(at(view.solid, x, z, window))

    for k in (1, 2):
        west = k * (4 + gap)  # the inner face of the closed wall, in front of the doorway and beside it
        assert all(drawn(west - 0.1, z) for z in (1.0, 2.0, 3.0)), gap
        assert all(drawn(west + 2.0, z) for z in (-0.1, 4.1)), "the walls in the north and the south"
        assert not drawn(west + 2.0, 2.0)
    assert not drawn(2 * (4 + gap) + 4.1, 2.0), "the last doorway is open"
    shared = load(text=ROW_OF_CELLS.replace("room: {{", "room: {{shared: true, ").format(step=4.2))
    view = floor_plans.render_plan_view(
        shared.mesh, shared.triangles[reachability.is_solid_triangle(shared)], window, Storey(-np.inf, 1.1)
    )
    assert not drawn(4.1, 2.0)
    assert drawn(4.1, 1.0)
