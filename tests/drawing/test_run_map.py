"""The way of a run on the plan of its level."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from game.app.runs import run_results
from game.app.visuals import thumbnails
from game.drawing import run_map
from game.drawing.canvas import draw_image
from game.drawing.floor_plans import find_path_storeys
from game.level import load
from game.render import Camera

TWO_FLOORS = """\
format: 1
name: Two floors
spawn: {at: [0, 0, 4], facing: north}
pieces:
  - floor: {from: [-6, -6], to: [6, 6]}
  - box: {from: [-6, 3, -6], to: [6, 3.3, 2]}
  - box: {from: [2, 0, -2], to: [3, 1, -1]}
goal: {at: [0, 3.3, -4], radius: 0.5}
"""


@pytest.fixture(scope="module")
def level():
    return load(text=TWO_FLOORS)


def line(a, b):
    return np.linspace(a, b, 40)


def drawn(*arguments, **options):
    return np.asarray(draw_image(run_map.draw_run_map(*arguments, **options)))


def count_pixels(image, colour, max_difference=40):
    """How many pixels are of about this colour."""
    return int((np.abs(image.astype(int) - colour).max(axis=2) < max_difference).sum())


def test_a_path_below_and_on_a_roof_has_two_plans(level):
    below, above = line((0, 0, 4), (0, 0, -4)), line((0, 3.3, -4), (4, 3.3, -4))
    assert len(find_path_storeys(level, below[:6])) == 1  # before the roof: seen from the sky
    assert len(find_path_storeys(level, below)) == 1  # under it: cut below the roof
    assert find_path_storeys(level, below)[0].high < 3.0
    stages = find_path_storeys(level, np.concatenate((below, above)))
    assert len(stages) == 2
    assert stages[0].contains(below[:, 1]).all()
    assert stages[1].contains(above[:, 1]).all()


def test_the_map_has_the_path_the_best_path_and_the_splits(level):
    path = line((-4, 0, 4), (-4, 0, -4))
    image = drawn(level, path, size=(240, 180))
    assert image.shape == (180, 240, 3)
    assert image.dtype == np.uint8
    assert count_pixels(image, run_map.RUN_COLOUR) > 100
    least = count_pixels(image, run_map.BEST_RUN_COLOUR, 20)  # where the dot at the start meets its rim
    assert least < 15
    both = drawn(level, path, line((4, 0, 4), (4, 0, -4)), [(-4, 0, 0)], (240, 180))
    assert count_pixels(both, run_map.BEST_RUN_COLOUR, 20) > least + 40
    assert count_pixels(both, run_map.SPLIT_COLOUR, 20) > 8
    assert count_pixels(image, run_map.SPLIT_COLOUR, 20) == 0


def test_a_path_on_a_picture_lies_where_the_camera_sees_it(level):
    """The picture is cut to the sides of the path; what is behind the eye is left out."""
    pixels = np.zeros((90, 240, 3), np.uint8)
    pixels[:, 160:] = 60  # at the right
    camera = Camera((0.0, 1.0, 6.0), fov_degrees=60.0)
    aspect = 240 / 90

    def project(points):
        return camera.project(points, aspect)

    path = np.concatenate((line((4, 1, -4), (8, 1, -4)), line((8, 1, 6.5), (8, 1, 20))))
    shape = run_map.draw_run_picture(pixels, project, path, best=line((4, 2, -4), (8, 2, -4)), marks=[(6.0, 1.0, -4.0)])
    image = np.asarray(draw_image(shape))
    assert image.shape == (run_map.MAP_SIZE[1], run_map.MAP_SIZE[0], 3)
    assert count_pixels(image[0:5], (60, 60, 60)) > 0.5 * 5 * run_map.MAP_SIZE[0]  # the right side of the picture
    rows, columns = np.nonzero(np.abs(image.astype(int) - run_map.RUN_COLOUR).max(axis=2) < 40)
    assert np.abs(rows - 0.5 * run_map.MAP_SIZE[1]).max() < 6  # at the height of the eye
    whole = run_map.MAP_SIZE[1] * aspect
    shift = min(
        max(float((project(path[:40])[:, 0] * whole).mean()) - run_map.MAP_SIZE[0] / 2, 0.0),
        whole - run_map.MAP_SIZE[0],
    )
    first, last = project(path[[0, 39]])[:, 0] * whole - shift
    assert columns.min() == pytest.approx(first, abs=8)
    assert columns.max() == pytest.approx(min(last, run_map.MAP_SIZE[0]), abs=8)
    for colour in (run_map.BEST_RUN_COLOUR, run_map.SPLIT_COLOUR):
        assert count_pixels(image, colour) > 20


def test_only_a_path_over_several_storeys_is_drawn_on_the_picture(level, tmp_path, monkeypatch):
    below, above = line((0, 0, 4), (0, 0, -4)), line((0, 3.3, -4), (4, 3.3, -4))
    both = np.concatenate((below, above))
    file = tmp_path / "level.png"
    Image.new("RGB", (480, 270), (10, 200, 30)).save(file)
    counts = {}
    for picture in (str(file), str(tmp_path / "missing.png"), ""):
        monkeypatch.setattr(thumbnails, "thumbnail_file", lambda path, picture=picture: picture)
        for name, path in (("one", below), ("two", both)):
            image = np.asarray(draw_image(run_results.draw_result_map(level, path, None, [])))
            counts[picture == str(file), name] = count_pixels(image, (10, 200, 30)) > 0.5 * image[..., 0].size
    assert counts == {(True, "one"): False, (True, "two"): True, (False, "one"): False, (False, "two"): False}


def test_in_golf_a_player_who_is_brought_to_the_ball_has_a_line_too():
    """Each press of the key puts the feet elsewhere; in other levels such a jump has no line."""
    course = """golf: {holes: [{tee: [0, 4], cup: [0, -5]}]}
pieces:
  - terrain: {from: [-6, -6], to: [6, 6], formula: "0 * x", cell: 1, cups: [{at: [0, -5]}]}
"""
    path = np.repeat([(0.0, 0.0, 5.0), (0.0, 0.0, -4.0)], 30, axis=0)
    counts = []
    for text in (course, course.partition("\n")[2]):
        level = load(text=f"format: 1\nspawn: {{at: [0, 0, 5], facing: north}}\n{text}")
        counts.append(
            count_pixels(np.asarray(draw_image(run_results.draw_result_map(level, path, None, []))), run_map.RUN_COLOUR)
        )
    assert counts[0] > 200 + counts[1]
