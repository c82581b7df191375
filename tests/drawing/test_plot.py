"""`plot`: pictures of walks as PNG and HTML, and sentences for what cannot be drawn."""

from __future__ import annotations

import dataclasses
import io
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.drawing import heat_map, palette, plot_sheet
from game.drawing.canvas import (
    Canvas,
    Circle,
    Line,
    Picture,
    Polygon,
    Rectangle,
    Text,
    encode_png,
    save_canvas,
)
from game.drawing.floor_plans import HEIGHT_GRADIENT, PlanWindow, Storey
from game.drawing.heat_map import DrawnWalk, walk_of_part, walked_places
from game.drawing.plan import (
    FILL_OPACITY,
    FLAT,
    NAMES,
    WATER_COLOUR,
    PlanSource,
    greyed,
    path_extent,
    plan_areas,
)
from game.drawing.plot_sheet import RING_RADIUS, draw_plot, save_plot
from game.level import load
from game.physics import Command
from game.sim import History, World
from game.sim.replay.replay_file import FAILURE_NOTE, decode_replay
from game.sim.replay.walk_table import WalkTable
from tools.docs.json_pages import LEVEL

YARD = load(text=LEVEL)


@pytest.fixture
def replay(walker):
    walker("record", "yard.yaml", "--commands", "walk.commands", "-o", "walk.replay")
    return Path("walk.replay")


def straight(name: str, x: float) -> DrawnWalk:
    """A walk north along x at 4 m/s."""
    seconds = (np.arange(60) + 1.0) / 60.0
    feet = np.stack([np.full(60, x), np.zeros(60), 3.0 - 4.0 * seconds], axis=1)
    velocity = np.tile((0.0, 0.0, -4.0), (60, 1))
    in_air, heading = np.zeros(60, np.bool_), np.zeros(60, np.int32)
    return DrawnWalk(name, WalkTable(feet, velocity, heading, in_air, np.arange(60) + 1, feet), 60.0)


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"), np.int64)


def has_colour(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(picture - np.array(colour)).max(axis=-1) < 12).any())


def test_a_replay_is_drawn_on_the_plan_of_its_level(walker, replay):
    result = walker("plot", replay, "-o", "walk.png")
    assert (result.status, result.out) == (0, "walk.png: 1 walk in Yard\n")
    picture = pixels(Path("walk.png"))
    for colour in (palette.walk_colour(0), palette.SPAWN, palette.GOAL):
        assert has_colour(picture, colour)
    first = Path("walk.png").read_bytes()
    walker("plot", replay, "-o", "walk.png")
    assert Path("walk.png").read_bytes() == first


@pytest.fixture
def sheets(monkeypatch):
    """The sheets that commands have drawn."""
    drawn: list[Canvas] = []

    def keep(canvas: Canvas, path: Path) -> None:
        drawn.append(canvas)
        save_canvas(canvas, path)

    monkeypatch.setattr(plot_sheet, "save_canvas", keep)
    return drawn


def texts_of(canvas: Canvas) -> list[str]:
    return [shape.text for shape in canvas.shapes if isinstance(shape, Text)]


WALL = "pieces:\n  - box: {from: [-8, 0, -1], to: [8, 3, -0.5]}"


def add_wall(folder: Path) -> None:
    """Build a wall across the walk."""
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("pieces:", WALL))


@pytest.mark.full
def test_a_replay_of_a_changed_level_is_drawn_on_the_level_as_recorded(walker, replay, sheets, folder):
    walker("plot", replay, "-o", "before.png")
    add_wall(folder)
    result = walker("plot", replay, "-o", "after.png")
    note = "the level as recorded; yard.yaml has changed since"
    assert (result.out, result.err) == ("after.png: 1 walk in Yard\n", f"note: {note}\n")
    before, after = (pixels(Path(name)) for name in ("before.png", "after.png"))
    assert (before[90:] == after[90:]).all()  # below the subtitle
    assert f"walk.replay, 120 ticks; {note}" in texts_of(sheets[-1])
    walker("plot", replay, "-o", "walk.html")
    assert note in Path("walk.html").read_text(encoding="utf-8")
    (folder / "yard.yaml").unlink()
    assert "the level as recorded; yard.yaml was not found" in walker("plot", replay, "-o", "walk.png").err


def test_replays_and_commands_are_drawn_together(walker, replay, sheets):
    result = walker("plot", "yard.yaml", replay, "--commands", "walk.commands", "-o", "walks.png")
    assert "2 walks in Yard" in result.out
    for name in ("walk.replay", "walk.commands"):
        assert f"{name}, 2.00 s, at most 4.0 m/s" in texts_of(sheets[-1])


@pytest.mark.full
def test_a_page_needs_no_network(walker, replay):
    assert walker("plot", replay, "-o", "walk.html").status == 0
    page = Path("walk.html").read_text(encoding="utf-8")
    assert len(page) > 1_000_000  # all of plotly.js
    tags = re.findall(r"<(?:script|link|iframe)\b[^>]{0,200}", page)
    assert not [tag for tag in tags if "src=" in tag or "href=" in tag]
    assert "mesh3d" in page[-200_000:]
    assert "walk.replay" in page[-200_000:]


@pytest.mark.full
def test_names_are_no_marks_in_pages(folder):
    """Names of levels and files hold marks of HTML, a zero byte, and letters of other scripts."""
    name = "</script><b>Höf & 庭\0</b>"
    level = dataclasses.replace(YARD, name=name)
    save_plot(level, [straight(f"{name} walk", 0.0), straight("two", 1.0)], folder / "walk.html")
    page = (folder / "walk.html").read_text(encoding="utf-8")
    assert "</script><b>" not in page
    assert "<b>Höf" not in page
    assert "<title>&lt;/script&gt;&lt;b&gt;Höf &amp; 庭?&lt;/b&gt;</title>" in page


@pytest.mark.full
def test_a_crowd_is_a_heat_map_and_the_same_each_time(walker, monkeypatch):
    monkeypatch.setattr("game.app.commands.plot.CROWD_SECONDS", 1)
    pictures = []
    for _ in range(2):
        assert walker("plot", "yard.yaml", "--crowd", 3, "-o", "crowd.png").status == 0
        pictures.append(Path("crowd.png").read_bytes())
    assert pictures[0] == pictures[1]
    assert has_colour(pixels(Path("crowd.png")), palette.HEAT_STOPS[-1])


def test_heat_is_the_time_at_a_place():
    walks = [straight("a", 0.0), straight("b", 0.0), straight("c", 3.0)]
    extent = path_extent(np.concatenate([walk.table.feet for walk in walks]), 2.5)
    heat = heat_map.make_heat_map(walks, extent, walked_places(walks))
    window = PlanWindow(*extent, 1.0)
    density = heat.density(window, Storey(-1.0, 1.0))
    cell = (extent[2] - extent[0]) / density.shape[1] * (extent[3] - extent[1]) / density.shape[0]
    assert density.sum() * cell == pytest.approx(3.0, rel=1e-3)  # seconds of all walks
    columns = density.sum(axis=0)
    west = round(-extent[0] / (extent[2] - extent[0]) * density.shape[1])
    assert columns.argmax() == pytest.approx(west, abs=1)
    assert not heat.density(window, Storey(1.0, 2.0)).any()
    assert heat.scaled(np.array([0.0, heat.longest])).tolist() == pytest.approx([0.0, 1.0])


def test_a_walk_over_a_million_metres_has_a_heat_map_of_limited_size():
    walk = straight("far", 0.0)
    walk.table.feet[:, 0] = np.linspace(0.0, 1e6, 60)
    extent = path_extent(walk.table.feet, 2.5)
    heat = heat_map.make_heat_map([walk], extent, walk.table.feet)
    window, storey = PlanWindow(*extent, 1.0), Storey(-1.0, 1.0)
    assert max(heat.density(window, storey).shape) <= 2000


def test_two_equal_walks_are_both_visible():
    """The later walk is a thinner line above the earlier one, on the plan and in the charts."""
    canvas = draw_plot(YARD, [straight("one", 0.0), straight("two", 0.0)])
    lines = [shape for shape in canvas.shapes if isinstance(shape, Line) and len(shape.points) > 30]
    pairs = [[line for line in lines if line.colour == palette.walk_colour(k)] for k in (0, 1)]
    assert [len(pair) for pair in pairs] == [3, 3]
    for below, above in zip(*pairs, strict=True):
        assert below.points == above.points
        assert below.width > above.width + 2.0
        assert lines.index(below) < lines.index(above)


def test_a_replay_of_a_failure_shows_its_kind_and_its_place():
    history = History(World(YARD, YARD.player))
    history.run([Command(forward=1.0)] * 30)
    data = history.data(note=f"{FAILURE_NOTE}high step; 0.52 m, at most 0.41 m")
    canvas = draw_plot(YARD, [walk_of_part("fail.replay", decode_replay(data, Path("a")).parts[0])])
    assert "fail.replay, 30 ticks; failure at the first tick: high step; 0.52 m, at most 0.41 m" in texts_of(canvas)
    (ring,) = [shape for shape in canvas.shapes if isinstance(shape, Circle) and shape.radius == RING_RADIUS]
    arrow = next(shape for shape in canvas.shapes if isinstance(shape, Polygon) and shape.colour == palette.SPAWN)
    assert math.dist((ring.x, ring.y), np.mean(arrow.points, axis=0)) < 5.0
    marks = [shape for shape in canvas.shapes if isinstance(shape, Line) and shape.opacity == 0.7]
    assert len(marks) == 2  # of both charts


def test_no_heat_lies_above_walls():
    """A walk along a wall, on both sides of which there is floor."""
    level = load(text=LEVEL.replace("pieces:", "pieces:\n  - box: {from: [0.35, 0, -8], to: [0.6, 3, 8]}"))
    walk = straight("along", 0.0)
    extent = path_extent(walk.table.feet, 2.5)
    window, storey = PlanWindow(*extent, 20.0), Storey(-math.inf, 1.3)
    source = PlanSource(level, (0.0, 2.0))
    plain = greyed(dataclasses.replace(source, heights=FLAT).pixels(window, storey))
    heated = dataclasses.replace(source, heat=heat_map.make_heat_map([walk], extent, walk.table.feet))
    changed = (heated.pixels(window, storey) != plain).any(axis=(0, 2))
    x = extent[0] + (np.arange(len(changed)) + 0.5) / 20.0
    assert changed[abs(x) < 0.2].all()
    assert not changed[x > 0.36].any()


def test_each_shape_is_drawn_in_its_place():
    canvas = Canvas(120, 80)
    red, blue = (200, 0, 0), (0, 0, 200)
    canvas.add(
        Rectangle(5, 5, 20, 10, red, None), Circle(60, 20, 8, blue), Polygon([(80, 5), (110, 5), (95, 30)], red, 0.5)
    )
    canvas.add(Line([(5, 50), (100, 50)], blue, 4.0, 0.5), Text(60, 75, 'A<"&', 14, red, "m"))
    canvas.add(Picture(5, 60, 10, 10, np.full((2, 2, 3), 7, np.uint8)))
    picture = np.asarray(Image.open(io.BytesIO(encode_png(canvas))).convert("RGB"), int)
    places = {(15, 10): red, (60, 20): blue, (95, 12): (225, 124, 122), (50, 50): (125, 124, 222), (10, 65): (7, 7, 7)}
    for (x, y), colour in places.items():
        assert np.abs(picture[y, x] - np.array(colour)).max() <= 6, (x, y)


REFUSED = [
    (["yard.yaml", "-o", "a.png"], "nothing to plot: name a replay"),
    (["walk.replay", "-o", "a.jpg"], "-o must be one of .png, .html"),
    (["walk.replay", "-o", "a.svg"], "a.svg: -o must be one of .png, .html"),
    (["walk.replay", "-o", "a"], "-o must be one of .png, .html"),
    (["walk.replay", "-o", "no/a.png"], "no"),
    (["yard.yaml", "higher.yaml", "-o", "a.png"], "a plot shows one level, not 2"),
    (["daily", "-o", "a.png"], "nothing to plot: name a replay"),
    (["walk.csv", "-o", "a.png"], "walk.csv: plot draws replays (.replay)"),
    (["walk.commands", "-o", "a.png"], "walk.commands: plot draws replays (.replay)"),
    (["a\x1b[31m.yaml", "-o", "a.png"], "a\\x1b[31m.yaml: the file does not exist"),
    (["gone.replay", "-o", "a.png"], "gone.replay: no such file"),
    (["other.yaml", "walk.replay", "-o", "a.png"], "walk.replay: recorded in Yard, not in Other"),
    (["yard.yaml", "--crowd", "2", "-o", "a.html"], "a heat map is a .png"),
]


def test_plot_refuses_what_it_cannot_draw_and_writes_no_file(walker, replay, folder):
    (folder / "other.yaml").write_text(
        (folder / "yard.yaml").read_text().replace("Yard", "Other").replace("8]}", "9]}")
    )
    for words, part in REFUSED:
        result = walker("plot", *words)
        assert result.status in (1, 2), words
        assert part in result.err, words
    assert not list(folder.glob("a.*"))


def test_plot_refuses_a_replay_without_ticks(walker, folder):
    (folder / "none.commands").write_text("")
    walker("record", "yard.yaml", "--commands", "none.commands", "-o", "none.replay")
    result = walker("plot", "none.replay", "-o", "a.png")
    assert (result.status, result.err) == (2, "none.replay: the replay has no ticks to draw\n")


def test_without_plotly_one_sentence_names_the_cure(walker, replay, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    result = walker("plot", replay, "-o", "walk.html")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "python -m pip install plotly" in result.err


@pytest.mark.full
def test_the_legend_has_the_colour_of_water_on_the_plan():
    level = load(text=LEVEL.replace("pieces:", "pieces:\n  - water: {from: [2, -1, -2], to: [6, 0.5, 2]}"))
    canvas = draw_plot(level, [straight("one", 0.0)])
    colours = [(shape.colour, shape.opacity) for shape in canvas.shapes if isinstance(shape, Polygon)]
    areas = [colour for colour in colours if colour[0] not in (palette.GOAL, palette.SPAWN)]
    water = WATER_COLOUR, FILL_OPACITY[WATER_COLOUR]
    assert areas == [water, (HEIGHT_GRADIENT[0], 1.0), water]  # on the plan, and on ground in the legend


def test_plans_show_water_zones_and_platforms():
    """Water half outside the plan is cut at its edge; a turned zone keeps its angle; a lift shows at both stops."""
    level = load(
        text=LEVEL.replace(
            "goal:",
            "  - water: {from: [2, -1, -2], to: [9, 0.5, 2]}\n"
            "  - group: {at: [-2, 0, 0], facing: northwest, "
            "of: [current: {from: [-1, 0, -1], to: [1, 1, 1], flow: [1, 0, 0]}]}\n"
            "  - mover: {name: lift, at: [0, 0, 3], path: [[0, 0, 0], [0, 4, 0]], seconds: 2, "
            "of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}\n"
            "goal:",
        )
    )
    assert not level.findings
    window = PlanWindow(-5.0, -5.0, 5.0, 5.0, 20.0)
    ground, above = (plan_areas(level, window, storey) for storey in (Storey(-1.0, 2.0), Storey(2.0, 6.0)))
    water, zone, lift = (np.array(corners) for corners, _ in ground)
    assert [NAMES[colour] for _, colour in ground] == ["water", "zone", "moving platform"]
    assert (water.min(axis=0).tolist(), water.max(axis=0).tolist()) == ([2, -2], [5, 2])
    np.testing.assert_allclose(np.abs(zone - (-2, 0)).sum(axis=1), math.sqrt(2.0))
    assert (lift.min(axis=0).tolist(), lift.max(axis=0).tolist()) == ([-1, 2], [1, 4])
    assert [NAMES[colour] for _, colour in above] == ["moving platform"]
    assert not plan_areas(level, PlanWindow(-5.0, -5.0, -4.0, -4.0, 20.0), Storey(-1.0, 2.0))
