"""`plot`: pictures of walks as PNG, SVG and HTML, and sentences for what cannot be drawn."""

from __future__ import annotations

import dataclasses
import io
import math
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from game.drawing import chart, heat_map, palette
from game.drawing.canvas import (
    INK,
    PAPER,
    WHITE,
    Canvas,
    Circle,
    Line,
    Picture,
    Polygon,
    Rectangle,
    Text,
    encode_png,
    encode_svg,
)
from game.drawing.drawn_walk import DrawnWalk, walk_of_part, walk_of_table
from game.drawing.floor_plans import HEIGHT_GRADIENT, PlanWindow, Storey
from game.drawing.ground import ground_range, places_above_ground, survey_ground
from game.drawing.marks import END_RADIUS
from game.drawing.plan import FLAT, Plan, PlanSource, arrange_plans, greyed, path_extent
from game.drawing.plan_areas import FILL_OPACITY, NAMES, plan_areas
from game.drawing.plot_sheet import draw_plot, save_plot, view_extent
from game.level import load
from game.physics import Command
from game.reports.walk_files import read_table
from game.sim import Recorder, World
from game.sim.replay.replay_file import FAILURE_NOTE, decode_replay
from game.sim.replay.walk_table import WalkTable
from game.text.font_stack import line_width
from tools.docs.json_pages import LEVEL

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def replay(walker):
    walker("record", "yard.yaml", "--commands", "walk.commands", "-o", "walk.replay")
    return Path("walk.replay")


def straight(name: str, x: float, ticks: int = 60, height: float = 0.0) -> DrawnWalk:
    """A walk north along x at 4 m/s."""
    seconds = (np.arange(ticks) + 1.0) / 60.0
    feet = np.stack([np.full(ticks, x), np.full(ticks, height), 3.0 - 4.0 * seconds], axis=1)
    velocity = np.tile((0.0, 0.0, -4.0), (ticks, 1))
    in_air, heading = np.zeros(ticks, np.bool_), np.zeros(ticks, np.int32)
    return DrawnWalk(name, WalkTable(feet, velocity, heading, in_air, np.arange(ticks) + 1, feet), 60.0)


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


WALL = "pieces:\n  - box: {from: [-8, 0, -1], to: [8, 3, -0.5]}"


def svg_texts(path: str = "walk.svg") -> list[str]:
    return [str(element.text) for element in ElementTree.parse(path).getroot().iter(f"{SVG}text")]


def add_wall(folder: Path) -> None:
    """Build a wall across the walk."""
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("pieces:", WALL))


@pytest.mark.full
def test_a_replay_of_a_changed_level_is_drawn_on_the_level_as_recorded(walker, replay, folder):
    walker("plot", replay, "-o", "before.png")
    add_wall(folder)
    result = walker("plot", replay, "-o", "after.png")
    note = "the level as recorded; yard.yaml has changed since"
    assert (result.out, result.err) == ("after.png: 1 walk in Yard\n", f"note: {note}\n")
    before, after = (pixels(Path(name)) for name in ("before.png", "after.png"))
    assert (before[90:] == after[90:]).all()  # below the subtitle
    walker("plot", replay, "-o", "walk.svg")
    assert f"walk.replay, 120 ticks; {note}" in svg_texts()
    walker("plot", replay, "-o", "walk.html")
    assert note in Path("walk.html").read_text(encoding="utf-8")
    (folder / "yard.yaml").unlink()
    assert "the level as recorded; yard.yaml was not found" in walker("plot", replay, "-o", "walk.svg").err


def test_a_replay_that_does_not_hold_its_level_notes_the_change(walker, folder, monkeypatch):
    monkeypatch.setattr("game.sim.replay.recorder.MAX_LEVEL_TEXT_BYTES", 0)
    walker("record", "yard.yaml", "--commands", "walk.commands", "-o", "walk.replay")
    add_wall(folder)
    result = walker("plot", "walk.replay", "-o", "walk.svg")
    note = "yard.yaml has changed since the recording, and the replay does not hold the level"
    assert result.err == f"note: {note}\n"
    assert f"walk.replay, 120 ticks; {note}" in svg_texts()


@pytest.mark.full
@pytest.mark.parametrize("heat", [(), pytest.param(("--heat",), marks=pytest.mark.full)])
def test_replays_of_two_versions_of_a_level_name_the_version_of_the_plan(heat, walker, replay, folder):
    add_wall(folder)
    walker("record", "yard.yaml", "--commands", "walk.commands", "-o", "other.replay")
    notes = {
        (replay, "other.replay"): "the level as recorded in walk.replay; yard.yaml has changed since; "
        "other.replay was recorded in another version of the level",
        (
            "other.replay",
            replay,
        ): "the plan is that of other.replay; walk.replay was recorded in another version of the level",
        (
            "yard.yaml",
            replay,
        ): "the plan is that of yard.yaml; walk.replay was recorded in another version of the level",
    }
    for words, note in notes.items():
        assert walker("plot", *words, *heat, "-o", "walk.svg").err == f"note: {note}\n"
        assert any(text.endswith(f"; {note}") for text in svg_texts())


def test_all_kinds_of_walks_are_drawn_together_as_svg(walker, replay):
    walker("sim", "yard.yaml", "--commands", "walk.commands", "-o", "walk.csv")
    result = walker("plot", "yard.yaml", replay, "walk.csv", "--commands", "walk.commands", "-o", "walks.svg")
    assert "3 walks in Yard" in result.out
    root = ElementTree.parse("walks.svg").getroot()
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert any("walk.replay, 2.00 s, at most 4.0 m/s" in str(text) for text in texts)
    (plan,) = root.iter(f"{SVG}image")
    assert plan.get("href", "").startswith("data:image/png;base64,")
    references = re.findall(r'(?:href|src)="([^"]{0,40})', Path("walks.svg").read_text(encoding="utf-8"))
    assert all(reference.startswith("data:") for reference in references)


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
def test_names_are_no_marks_in_pages_and_drawings(folder):
    """Names of levels and files hold marks of HTML, a zero byte, and letters of other scripts."""
    name = "</script><b>Höf & 庭\0</b>"
    level = dataclasses.replace(load(folder / "yard.yaml"), name=name)
    for suffix in (".html", ".svg"):
        save_plot(level, [straight(f"{name} walk", 0.0), straight("two", 1.0)], folder / f"walk{suffix}")
    page = (folder / "walk.html").read_text(encoding="utf-8")
    assert "</script><b>" not in page
    assert "<b>Höf" not in page
    assert "<title>&lt;/script&gt;&lt;b&gt;Höf &amp; 庭?&lt;/b&gt;</title>" in page
    root = ElementTree.parse(folder / "walk.svg").getroot()
    texts = [str(element.text) for element in root.iter() if element.tag in (f"{SVG}title", f"{SVG}text")]
    assert texts.count(name.replace("\0", "?")) == 2  # the title of the file, and the one that is drawn
    assert any(text.startswith(f"{name} walk".replace("\0", "?")) for text in texts)
    assert not [element for element in root.iter() if element.tag.endswith(("}b", "}script"))]


@pytest.mark.full
def test_a_crowd_is_a_heat_map_and_the_same_for_the_same_seed(walker):
    words = ("plot", "yard.yaml", "--crowd", 3, "--seconds", 1)
    pictures = []
    for seed in (1, 1, 2):
        assert walker(*words, "--seed", seed, "-o", "crowd.png").status == 0
        pictures.append(Path("crowd.png").read_bytes())
    assert pictures[0] == pictures[1] != pictures[2]
    assert has_colour(pixels(Path("crowd.png")), palette.HEAT_STOPS[-1])


def test_heat_is_the_time_at_a_place():
    walks = [straight("a", 0.0), straight("b", 0.0), straight("c", 3.0)]
    extent = path_extent(np.concatenate([walk.table.feet for walk in walks]), 2.5)
    heat = heat_map.make_heat_map(walks, extent)
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
    heat = heat_map.make_heat_map([walk], extent)
    window, storey = PlanWindow(*extent, 1.0), Storey(-1.0, 1.0)
    assert max(heat.density(window, storey).shape) <= 2000


@pytest.mark.full
def test_many_walks_are_a_band_in_the_charts_and_one_line_in_the_legend(folder):
    level = load(folder / "yard.yaml")
    canvas = draw_plot(level, [straight(f"bot {k}", 0.2 * k) for k in range(9)])
    texts = [shape.text for shape in canvas.shapes if isinstance(shape, Text)]
    assert any(text.startswith("each of the 9 walks: bot 0, bot 1, bot 2, ") for text in texts)
    assert "Height of the feet (m): median and whole range of the walks" in texts
    lines = {shape.colour for shape in canvas.shapes if isinstance(shape, Line) and len(shape.points) > 2}
    assert lines == {palette.MANY_COLOUR, WHITE}
    assert not [shape for shape in canvas.shapes if isinstance(shape, Text) and shape.colour == WHITE]  # no pins
    assert sum(isinstance(shape, Polygon) for shape in canvas.shapes) == 2


@pytest.mark.parametrize(("count", "note"), [(9, "median and whole range"), (10, "median and middle 80 %")])
def test_the_band_of_few_walks_is_their_whole_range(count, note):
    assert chart.band_note(count) == note
    canvas = Canvas(200, 100, PAPER, "band")
    series = [chart.Series(np.array([0.0, 1.0]), np.full(2, float(k)), (0, 0, 0)) for k in range(count)]
    chart.draw_chart(canvas, chart.ChartBox(0, 0, 200, 100), "values", series, band=True)
    (band,) = [shape for shape in canvas.shapes if isinstance(shape, Polygon)]
    width = np.ptp([y for _, y in band.points]) / (100 - chart.TOP_ROOM - chart.BOTTOM_ROOM)
    assert width == pytest.approx(8.0 / 8.64 if count == 9 else 7.2 / 9.72, abs=0.02)


def test_two_equal_walks_are_both_visible(folder):
    """The later walk is a thinner line above the earlier one, on the plan and in the charts."""
    canvas = draw_plot(load(folder / "yard.yaml"), [straight("one", 0.0), straight("two", 0.0)])
    lines = [shape for shape in canvas.shapes if isinstance(shape, Line) and len(shape.points) > 30]
    pairs = [[line for line in lines if line.colour == palette.walk_colour(k)] for k in (0, 1)]
    assert [len(pair) for pair in pairs] == [3, 3]
    for below, above in zip(*pairs, strict=True):
        assert below.points == above.points
        assert below.width > above.width + 2.0
        assert lines.index(below) < lines.index(above)


def test_each_walk_has_an_end_mark_and_a_neutral_stem(folder):
    for count in (1, 2, 9):
        canvas = draw_plot(load(folder / "yard.yaml"), [straight(f"walk {k}", 0.5 * k) for k in range(count)])
        discs = [shape for shape in canvas.shapes if isinstance(shape, Circle) and shape.radius == END_RADIUS]
        colours = {palette.walk_colour(k, count) for k in range(count)}
        assert {disc.fill for disc in discs if disc.outline} == colours
        assert "end" in [shape.text for shape in canvas.shapes if isinstance(shape, Text)]
        stems = [
            line for line in canvas.shapes if isinstance(line, Line) and line.width == 1.0 and len(line.points) == 2
        ]
        assert sum(stem.colour == INK for stem in stems) == (count + 1 if 1 < count < 7 else 0)


@pytest.mark.full
def test_a_fall_off_the_level_changes_no_storeys_and_no_heights(folder):
    """The body walks off the floor, whose height is 0, and falls 14 m."""
    walk = straight("fall", 0.0, ticks=240)
    walk.table.feet[-60:, 1] = -np.linspace(0.0, 14.0, 60)
    walk.table.grounded[:] = walk.table.feet[:, 1] == 0.0
    back = straight("back", 0.0, ticks=240, height=-9.0)  # below the floor all the time
    level = load(folder / "yard.yaml")
    for walks in ([walk], [walk, back]):
        assert ground_range(level, walks) == (0.0, 0.0)
        for heat in (False, True):
            canvas = draw_plot(level, walks, heat)
            assert sum(isinstance(shape, Picture) for shape in canvas.shapes) == 1
        texts = [shape.text for shape in draw_plot(level, walks).shapes if isinstance(shape, Text)]
        assert "ground 0.0 m" in texts
    assert not (places_above_ground(level, [walk])[:, 1] < -0.5).any()


@pytest.mark.full
@pytest.mark.sample(2)
@pytest.mark.parametrize("count", [1, 3, 9])
def test_a_fall_leaves_the_chart_of_heights_at_its_lower_end(count, folder):
    """A step of 0.5 m shows beside a fall of 14 m."""
    walk = straight("fall", 0.0, ticks=240)
    walk.table.feet[60:120, 1] = 0.5
    walk.table.feet[-60:, 1] = -np.linspace(0.0, 14.0, 60)
    canvas = draw_plot(load(folder / "yard.yaml"), [walk] * count)
    frame = [shape for shape in canvas.shapes if isinstance(shape, Rectangle) and shape.fill == (255, 255, 255)][-1]
    lines = [shape for shape in canvas.shapes if isinstance(shape, Line) and len(shape.points) > 30]
    heights = [
        [y for _, y in line.points]
        for line in lines
        if line.points[0][0] >= frame.left and line.points[0][1] >= frame.top and line.colour != WHITE
    ]
    assert len(heights) == (1 if count == 9 else count)
    for line in heights:
        assert max(line) == pytest.approx(frame.top + frame.height)
        assert line[0] - min(line) > 0.2 * frame.height
    low, high = (float(values) for values in (min(walk.table.feet[:-60, 1]), max(walk.table.feet[:, 1])))
    page = folder / "walk.html"
    save_plot(load(folder / "yard.yaml"), [walk], page)
    (text,) = re.findall(r'"yaxis2":\{.*?"range":\[([^]]+)\]', page.read_text(encoding="utf-8")[-200_000:])
    assert low - 1.5 < float(text.split(",")[0]) < high < float(text.split(",")[1])


STEPS = """pieces:
  - box: {name: high, from: [-4, 0, -2], to: [-2, 0.8, 3]}
  - box: {name: wall, from: [3, 0, -2], to: [3.4, 3, 3]}
  - ramp: {at: [0, 0, 5], facing: north, length: 0.8, rise: 1.2, width: 4}
"""


@pytest.mark.full
def test_the_legend_names_what_the_plan_shows(folder):
    """The range of the ground with that beside the walk; walls and steep ground, where there are some."""
    plain = load(folder / "yard.yaml")
    path = folder / "steps.yaml"
    path.write_text((folder / "yard.yaml").read_text().replace("pieces:\n", STEPS))
    level = load(path)
    assert not level.findings
    walk = straight("one", 0.0)
    for drawn, expected in ((plain, False), (level, True)):
        texts = [shape.text for shape in draw_plot(drawn, [walk]).shapes if isinstance(shape, Text)]
        assert ("wall" in texts, "too steep to walk" in texts, "0.8 m" in texts) == (expected,) * 3
        heat = [shape.text for shape in draw_plot(drawn, [walk], heat=True).shapes if isinstance(shape, Text)]
        assert ("wall" in heat, "too steep to walk" in heat) == (expected,) * 2
        assert not [text for text in heat if text.startswith("ground")]


def test_ground_far_below_does_not_take_the_colours(folder):
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("pieces:", "pieces:\n  - floor: {from: [-30, -8], to: [-9, 8], y: -50}"))
    plan = Plan(0.0, 0.0, PlanWindow(-20.0, -8.0, 8.0, 8.0, 10.0), Storey(-math.inf, 1.3))
    ground = survey_ground(load(path), [plan], (0.0, 1.0))
    assert (ground.low, ground.high, ground.is_lower, ground.is_higher) == (-6.0, 1.0, True, False)


def test_plans_under_heat_are_grey_and_show_no_heights(folder):
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("pieces:\n", STEPS))
    window = PlanWindow(-5.0, -5.0, 5.0, 5.0, 10.0)
    heat = heat_map.make_heat_map([straight("far", 100.0)], (95.0, -5.0, 105.0, 5.0))
    plan = PlanSource(load(path), (0.0, 2.0), heat=heat).pixels(window, Storey(-math.inf, 1.3))
    assert (plan == plan[..., :1]).all()
    assert (plan[40, 20] == plan[90, 50]).all()  # on the box and on the floor


def test_a_level_that_is_little_larger_is_shown_as_a_whole(folder):
    level, walk = load(folder / "yard.yaml"), straight("across", 0.0, ticks=120)
    walk.table.feet[:, 0] = np.linspace(-6.0, 6.0, 120)
    assert view_extent(level, walk.table.feet) == (-8.5, -8.5, 8.5, 8.5)
    assert view_extent(level, walk.table.feet[50:60])[0] > -8.0


@pytest.mark.sample(2)
@pytest.mark.parametrize("goal", [2.4, 4.3, 4.6, 5.5])
def test_the_mark_of_the_goal_is_whole_or_outside(goal, folder):
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("[0, 0, -4]", f"[{goal}, 0, 1]").replace("[-8, -8]", "[-30, -30]"))
    canvas = draw_plot(load(path), [straight("one", 0.0)])
    (plan,) = [shape for shape in canvas.shapes if isinstance(shape, Picture)]
    marks = [shape for shape in canvas.shapes if isinstance(shape, Circle) and shape.fill == palette.GOAL]
    on_plan = [mark for mark in marks if plan.top < mark.y < plan.top + plan.height and mark.x < plan.left + plan.width]
    assert len(marks) == 2 * len(on_plan) == (0 if goal > 5.0 else 2)
    for mark in on_plan:
        assert plan.left + mark.radius < mark.x < plan.left + plan.width - mark.radius


@pytest.mark.sample(1)
@pytest.mark.parametrize(("facing", "heading"), [("north", 0), ("west", 16384), ("northwest", 8192)])
def test_a_replay_of_a_failure_shows_its_kind_and_its_body(facing, heading, folder):
    """The body is 0.35 m to the sides and 0.25 m ahead; the mark replaces that of the start."""
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("facing: north", f"facing: {facing}"))
    level, data = load(path), bytearray()
    world = World(level, level.player)
    recorder = Recorder(world, data.extend, f"{FAILURE_NOTE}high step; 0.52 m, at most 0.41 m")
    for _ in range(30):
        world.step(Command(forward=1.0, heading=heading))
        recorder.stepped(Command(forward=1.0, heading=heading))
    recorder.close()
    part = decode_replay(bytes(data), folder / "fail.replay").parts[0]
    walk = walk_of_part("fail.replay", part)
    assert walk.failure is not None
    size = np.ptp(walk.failure.outline, axis=0) / 2
    across, ahead = abs(math.cos(math.tau * heading / 65536)), abs(math.sin(math.tau * heading / 65536))
    expected = math.hypot(0.35 * across, 0.25 * ahead), 0.0, math.hypot(0.25 * across, 0.35 * ahead)
    np.testing.assert_allclose(size, expected, atol=0.002)
    np.testing.assert_allclose(walk.failure.outline.mean(axis=0), (0.0, walk.table.feet[0, 1], 3.0), atol=0.01)
    if heading == 8192:
        offsets = walk.failure.outline[:, [0, 2]] - (0.0, 3.0)
        x, z = offsets[np.hypot(*offsets.T).argmax()]
        assert x * z < 0.0  # ahead is northwest, so that the long axis is northeast
    canvas = draw_plot(level, [walk])
    texts = [shape.text for shape in canvas.shapes if isinstance(shape, Text)]
    assert "fail.replay, 30 ticks; failure: high step, at the first tick: 0.52 m, at most 0.41 m" in texts
    assert "body before the failure (high step)" in texts
    assert "start" not in texts
    assert sum(isinstance(shape, Polygon) and shape.colour == palette.FAILURE for shape in canvas.shapes) == 3
    marks = [shape for shape in canvas.shapes if isinstance(shape, Line) and shape.colour == palette.FAILURE]
    assert len(marks) == 3  # of both charts and the legend
    assert "The failure and 0.5 s after it" in texts
    _, detail = [shape for shape in canvas.shapes if isinstance(shape, Picture)]
    after = [shape for shape in canvas.shapes if isinstance(shape, Line) and shape.colour == palette.AFTER_FAILURE]
    x, y = np.mean(after[-1].points, axis=0)
    assert abs(x - detail.left - detail.width / 2) < 0.1 * detail.width
    assert abs(y - detail.top - detail.height / 2) < 0.1 * detail.height
    assert np.ptp(np.array(after[-1].points)[:, 0]) == pytest.approx(detail.width * size[0] / 2.1, rel=0.02)


def test_no_heat_lies_above_walls(folder):
    """A walk along a wall, on both sides of which there is floor."""
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("pieces:", "pieces:\n  - box: {from: [0.35, 0, -8], to: [0.6, 3, 8]}"))
    level, walk = load(path), straight("along", 0.0)
    extent = path_extent(walk.table.feet, 2.5)
    window, storey = PlanWindow(*extent, 20.0), Storey(-math.inf, 1.3)
    source = PlanSource(level, (0.0, 2.0))
    plain = greyed(dataclasses.replace(source, heights=FLAT).pixels(window, storey))
    heated = dataclasses.replace(source, heat=heat_map.make_heat_map([walk], extent))
    changed = (heated.pixels(window, storey) != plain).any(axis=(0, 2))
    x = extent[0] + (np.arange(len(changed)) + 0.5) / 20.0
    assert changed[abs(x) < 0.2].all()
    assert not changed[x > 0.36].any()


def test_storeys_stand_side_by_side(folder):
    level = folder / "yard.yaml"
    text = level.read_text().replace(
        "pieces:", "pieces:\n  - floor: {from: [-8, -8], to: [8, 8], y: 4, thickness: 0.2}"
    )
    level.write_text(text, encoding="utf-8")
    canvas = draw_plot(load(level), [straight("below", 0.0), straight("above", 1.0, height=4.0)])
    assert sum(isinstance(shape, Picture) for shape in canvas.shapes) == 2
    texts = [shape.text for shape in canvas.shapes if isinstance(shape, Text)]
    assert {"below 1.1 m", "above 1.1 m"} <= set(texts)


@pytest.mark.full
def test_a_walk_of_one_tick_and_an_empty_chart_are_drawn(folder):
    canvas = draw_plot(load(folder / "yard.yaml"), [straight("short", 0.0, ticks=1)])
    chart.draw_chart(canvas, chart.ChartBox(0, 0, 200, 100), "nothing", [])
    assert Image.open(io.BytesIO(encode_png(canvas))).size == (canvas.width, canvas.height)


def test_both_encoders_draw_each_shape_in_its_place():
    canvas = Canvas(120, 80, (255, 255, 255), "shapes <&>")
    red, blue = (200, 0, 0), (0, 0, 200)
    canvas.add(
        Rectangle(5, 5, 20, 10, red, None), Circle(60, 20, 8, blue), Polygon([(80, 5), (110, 5), (95, 30)], red, 0.5)
    )
    canvas.add(Line([(5, 50), (100, 50)], blue, 4.0, 0.5), Text(60, 75, 'A<"&', 14, red, "m"))
    canvas.add(Picture(5, 60, 10, 10, np.full((2, 2, 3), 7, np.uint8)))
    picture = np.asarray(Image.open(io.BytesIO(encode_png(canvas))).convert("RGB"), int)
    places = {(15, 10): red, (60, 20): blue, (95, 12): (228, 128, 128), (50, 50): (128, 128, 228), (10, 65): (7, 7, 7)}
    for (x, y), colour in places.items():
        assert np.abs(picture[y, x] - np.array(colour)).max() <= 6, (x, y)
    names = [element.tag.removeprefix(SVG) for element in ElementTree.fromstring(encode_svg(canvas))]
    assert names == ["title", "rect", "rect", "circle", "polygon", "polyline", "text", "image"]


REFUSED = [
    (["yard.yaml", "-o", "a.png"], "nothing to plot: name a replay"),
    (["walk.replay", "-o", "a.jpg"], "must be one of .png, .svg, .html"),
    (["walk.replay", "-o", "a"], "must be one of .png, .svg, .html"),
    (["walk.replay", "-o", "no/a.png"], "no"),
    (["yard.yaml", "higher.yaml", "-o", "a.png"], "a plot shows one level, not 2"),
    (
        ["walk.csv", "-o", "a.png"],
        "walk.csv does not name its level; name it too: python run_game.py plot LEVEL walk.csv",
    ),
    (["yard.yaml", "broken.csv", "-o", "a.png"], "broken.csv: not a walk"),
    (["yard.yaml", "gone.npz", "-o", "a.png"], "gone.npz: no such file"),
    (["gone.replay", "-o", "a.png"], "gone.replay: no such file"),
    (["other.yaml", "walk.replay", "-o", "a.png"], "walk.replay: recorded in Yard, not in Other"),
    (["yard.yaml", "--crowd", "2", "-o", "a.html"], "a heat map is a .png or .svg"),
]


def test_plot_refuses_what_it_cannot_draw_and_writes_no_file(walker, replay, folder):
    walker("sim", "yard.yaml", "--commands", "walk.commands", "-o", "walk.csv")
    (folder / "broken.csv").write_text("x\n1\n")
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


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", [["--crowd", "0"], ["--crowd", "x"], ["--seconds", "601"], ["--seed", "x"]])
def test_plot_refuses_numbers_out_of_range(words, walker, capsys):
    with pytest.raises(SystemExit) as done:
        walker("plot", "yard.yaml", *words, "-o", "a.png")
    assert done.value.code == 2
    assert "is not a number from" in capsys.readouterr().err


@pytest.mark.full
def test_the_scale_bar_leaves_the_start_visible(folder):
    """The walk begins in the lower left corner, where the bar stands otherwise."""
    walk = straight("one", 0.0, ticks=600)
    walk.table.feet[:, 0] = np.linspace(0.0, 22.0, 600)
    canvas = draw_plot(load(folder / "yard.yaml"), [walk])
    start = next(shape for shape in canvas.shapes if isinstance(shape, Circle) and shape.fill == palette.SPAWN)
    (bar,) = [shape for shape in canvas.shapes if isinstance(shape, Rectangle) and shape.fill == PAPER]
    room = 14.0
    is_beside = not bar.left - room < start.x < bar.left + bar.width + room
    assert is_beside or not bar.top - room < start.y < bar.top + bar.height + room


@pytest.mark.full
def test_charts_stand_beside_a_plan_that_fills_half_a_row(folder):
    walk = straight("round", 0.0)
    walk.table.feet[:, 0], walk.table.feet[:, 2] = np.linspace(-8.0, 8.0, 60), np.linspace(-7.0, 7.0, 60)
    canvas = draw_plot(load(folder / "yard.yaml"), [walk])
    (plan,) = [shape for shape in canvas.shapes if isinstance(shape, Picture)]
    (title,) = [shape for shape in canvas.shapes if isinstance(shape, Text) and shape.text.startswith("Speed")]
    assert plan.width > 600
    assert title.x > plan.left + plan.width
    heat = draw_plot(load(folder / "yard.yaml"), [walk], heat=True)
    (scale,) = [shape for shape in heat.shapes if isinstance(shape, Text) and shape.text.startswith("time at a place")]
    assert scale.x + line_width(scale.text, scale.size) < heat.width


def test_plans_fill_a_row_before_they_take_another():
    storeys = [Storey(float(k), k + 1.0) for k in range(4)]
    layout = arrange_plans(storeys, (0.0, 0.0, 30.0, 30.0), (1216, 600), (0.0, 0.0))
    assert len({plan.top for plan in layout.plans}) == 1
    assert layout.width <= 1217


@pytest.mark.full
def test_the_legend_has_the_colour_of_water_on_the_plan(folder):
    path = folder / "yard.yaml"
    path.write_text(path.read_text().replace("pieces:", "pieces:\n  - water: {from: [2, -1, -2], to: [6, 0.5, 2]}"))
    canvas = draw_plot(load(path), [straight("one", 0.0)])
    under, water, *_ = [shape for shape in canvas.shapes if isinstance(shape, Polygon)]  # the legend is drawn first
    assert (NAMES[water.colour], water.opacity, under.opacity) == ("water", FILL_OPACITY[water.colour], 1.0)
    assert under.colour == HEIGHT_GRADIENT[0]
    assert under.points == water.points


def test_the_highest_value_of_a_chart_is_below_its_frame():
    canvas = Canvas(200, 100, PAPER, "peak")
    series = chart.Series(np.array([0.0, 1.0, 2.0]), np.array([0.0, 6.5, 0.0]), (1, 2, 3))
    chart.draw_chart(canvas, chart.ChartBox(0, 0, 200, 160), "speed", [series], is_from_zero=True)
    (line,) = [shape for shape in canvas.shapes if isinstance(shape, Line) and shape.colour == (1, 2, 3)]
    assert min(y for _, y in line.points) > chart.TOP_ROOM + 5.0


CROUCHED = "20 forward 1\n30 forward 1 crouch\n"


@pytest.mark.full
def test_a_table_shows_the_height_of_the_centre_and_feet_on_the_ground(walker, folder):
    """A table does not tell that the body crouches; its centre is lower then, and its feet are not below the floor."""
    Path("low.commands").write_text(CROUCHED)
    walker("sim", "yard.yaml", "--commands", "low.commands", "-o", "low.csv")
    walker("plot", "yard.yaml", "low.csv", "-o", "low.svg")
    walker("plot", "yard.yaml", "--commands", "low.commands", "-o", "feet.svg")
    assert "Height of the centre of the body (m)" in Path("low.svg").read_text(encoding="utf-8")
    assert "Height of the feet (m)" in Path("feet.svg").read_text(encoding="utf-8")
    level, table = load(folder / "yard.yaml"), read_table(Path("low.csv"))
    walk = walk_of_table("low", table, level)
    assert np.ptp(table.position[:, 1]) > 0.2
    assert not walk.table.has_stance
    assert (walk.table.position == table.position).all()
    assert np.abs(walk.table.feet[:, 1]).max() < 0.01


@pytest.mark.parametrize(("level", "is_noted"), [("yard.yaml", False), ("far.yaml", True)])
def test_a_table_of_another_level_is_noted(level, is_noted, walker, replay, folder):
    text = (folder / "yard.yaml").read_text()
    (folder / "far.yaml").write_text(text.replace("[-8, -8]", "[4, -8]").replace("at: [0, 0", "at: [6, 0"))
    walker("replay", replay, "-o", "walk.csv")
    result = walker("plot", level, "walk.csv", "-o", "walk.svg")
    assert result.status == 0
    note = "has no ground there in 100% of these ticks: name another level, that of the walk"
    assert (note in result.out) == is_noted


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("ticks", "text"),
    [((60,), "one 0, 60 ticks"), ((60, 60), "2 walks of 60 ticks"), ((60, 20), "2 walks of 20 to 60 ticks")],
)
def test_the_subtitle_tells_the_length_of_a_walk(ticks, text, folder):
    walks = [straight(f"one {k}", 0.0, count) for k, count in enumerate(ticks)]
    canvas = draw_plot(load(folder / "yard.yaml"), walks)
    assert text in [shape.text for shape in canvas.shapes if isinstance(shape, Text)]
    bottoms = [shape.text for shape in canvas.shapes if isinstance(shape, Text) and shape.anchor == "r"]
    assert bottoms[0] == "0"  # the axis of the speed, which is 4 m/s all the time


@pytest.mark.parametrize(("foot", "is_shown"), [(0.0, True), (2.0, False)])
def test_plans_show_a_door_that_reaches_above_their_section(foot, is_shown):
    door = f"box: {{from: [-1, {foot}, -0.1], to: [1, {foot + 2.1}, 0.1]}}"
    level = load(text=LEVEL.replace("goal:", f"  - mover: {{path: [[0, 0, 0], [3, 0, 0]], of: [{door}]}}\ngoal:"))
    areas = plan_areas(level, PlanWindow(-5.0, -5.0, 5.0, 5.0, 20.0), Storey(-1.0, 1.3))
    assert [NAMES[area.colour] for area in areas] == ["moving platform"] * 2 * is_shown
    if is_shown:
        assert np.allclose(np.array(areas[0].corners).max(axis=0), (1.0, 0.1))


def test_plans_show_water_zones_and_platforms(tmp_path):
    """Water half outside the plan is cut at its edge; a turned zone keeps its angle; a lift shows at both stops."""
    path = tmp_path / "level.yaml"
    path.write_text(
        LEVEL.replace(
            "goal:",
            "  - water: {from: [2, -1, -2], to: [9, 0.5, 2]}\n"
            "  - group: {at: [-2, 0, 0], facing: northwest, "
            "of: [current: {from: [-1, 0, -1], to: [1, 1, 1], flow: [1, 0, 0]}]}\n"
            "  - mover: {name: lift, at: [0, 0, 3], path: [[0, 0, 0], [0, 4, 0]], seconds: 2, "
            "of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}\n"
            "goal:",
        ),
        encoding="utf-8",
    )
    level = load(path)
    assert not level.findings
    window = PlanWindow(-5.0, -5.0, 5.0, 5.0, 20.0)
    ground, above = (plan_areas(level, window, storey) for storey in (Storey(-1.0, 2.0), Storey(2.0, 6.0)))
    water, zone, lift = (np.array(shape.corners) for shape in ground)
    assert [NAMES[shape.colour] for shape in ground] == ["water", "zone", "moving platform"]
    assert (water.min(axis=0).tolist(), water.max(axis=0).tolist()) == ([2, -2], [5, 2])
    np.testing.assert_allclose(np.abs(zone - (-2, 0)).sum(axis=1), math.sqrt(2.0))
    assert (lift.min(axis=0).tolist(), lift.max(axis=0).tolist()) == ([-1, 2], [1, 4])
    assert [NAMES[shape.colour] for shape in above] == ["moving platform"]
    assert not plan_areas(level, PlanWindow(-5.0, -5.0, -4.0, -4.0, 20.0), Storey(-1.0, 2.0))
