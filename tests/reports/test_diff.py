"""`diff`: the first tick and field that differ, the surface that made it, pictures, and sentences for bad input."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.app.runs.replay_messages import field_text
from game.core.walker_settings import DEFAULT_SETTINGS
from game.level import load
from game.maps.floor_plans import SOLID_COLOUR, Storey
from game.maps.map_canvas import PlanWindow
from game.physics.character.state import STATE_ROW
from game.reports.comparison.cause import CauseKind
from game.reports.comparison.diff_picture import COLOURS, draw_comparison
from game.reports.comparison.walk_diff import DifferenceKind, WalkComparison, compare_walks
from game.reports.comparison.walk_source import FreshWalk, SourceName, WalkStep
from game.reports.plots import palette
from game.reports.plots.figure import Circle, Picture, Text
from game.reports.plots.plan_panel import PlanPanel
from game.reports.plots.plot_sheet import MARGIN
from game.sim import Command, World
from game.sim.replay.verifier import FIRST_FIELDS, WORLD_COUNTERS
from tools.docs.json_pages import FILES, LEVEL

BOX = "  - box: {from: [-1, 0, -2], to: [1, 1, -1]}\n"
STEP = "  - box: {from: [-1, 0, -2], to: [1, 0.2, -1]}\n"
ICE = LEVEL.replace("8]}\n", "8], surface: ice}\n", 1) + "surfaces: {ice: {friction: 0.1}}\n"
STONE = ICE.replace("0.1", "0.2")
SMALL = LEVEL.replace("[8, 8]", "[8, 4]").replace("[-8, -8]", "[-8, 2]")  # the walk leaves this floor


def with_piece(piece: str, text: str = LEVEL) -> str:
    return text.replace("goal:", piece + "goal:")


def walk(text: str, folder: Path, name: str = "level", commands: tuple[Command, ...] = (Command(forward=1.0),) * 90):
    """A fresh walk in a level of a text."""
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    world = World(load(path))
    steps = iter([WalkStep(command) for command in commands])
    return FreshWalk(SourceName(name, str(path), "Yard", str(path)), world, steps)


def compare(text_a: str, text_b: str, folder: Path) -> WalkComparison:
    return compare_walks(walk(text_a, folder, "old"), walk(text_b, folder, "new"))


@pytest.mark.parametrize(
    ("old", "new", "kind", "side", "part"),
    [
        (LEVEL, with_piece(BOX), CauseKind.SURFACE, "b", "box (wall), new.yaml:6, stops the body in B and not in A"),
        (with_piece(BOX), LEVEL, CauseKind.SURFACE, "a", "box (wall), old.yaml:6, stops the body in A and not in B"),
        (LEVEL, with_piece(STEP), CauseKind.SURFACE, "b", "new.yaml:6, is touched in B"),
        (with_piece(STEP), with_piece(STEP.replace("0.2", "0.3")), CauseKind.SURFACE, "b", "new.yaml:6"),
        (ICE, STONE, CauseKind.MATERIAL, "both", "friction 0.1, bounce 0, speed 1 in A, friction 0.2"),
        (LEVEL, LEVEL + "player: {walk_speed: 3}\n", CauseKind.SETTINGS, "both", "walk_speed 4.0 / 3.0"),
        (LEVEL, SMALL, CauseKind.SURFACE, "b", "floor (walkable), new.yaml:5, is touched in B and not in A"),
    ],
)  # fmt: skip
def test_the_cause_of_a_difference_is_named(old, new, kind, side, part, tmp_path):
    assert DEFAULT_SETTINGS.walk_speed == 4.0
    comparison = compare(old, new, tmp_path)
    assert comparison.difference is not None
    cause = comparison.difference.cause
    assert (comparison.difference.kind, cause.kind, cause.side) == (DifferenceKind.STATE, kind, side)
    assert part in cause.text
    assert comparison.matching == comparison.difference.tick - 1
    assert (comparison.distances[: comparison.matching + 1] == 0.0).all()
    assert len(comparison.paths[0].feet) == len(comparison.paths[1].feet) == 91


def test_a_floor_that_both_levels_have_is_not_the_cause(tmp_path):
    """The old stairs begin earlier: A touches their edge while B still touches the floor, which A has too."""
    stairs = "  - stairs: {at: [0, 0, 0], facing: north, steps: 4, rise: 0.18, run: 0.3, width: 2}\n"
    comparison = compare(with_piece(stairs), with_piece(stairs.replace("[0, 0, 0]", "[0, 0, -0.3]")), tmp_path)
    assert comparison.difference is not None
    assert "stairs (walkable), old.yaml:6, is touched in A" in comparison.difference.cause.text


def test_walks_in_the_same_level_are_the_same(tmp_path):
    comparison = compare(LEVEL, LEVEL.replace("Yard", "Other"), tmp_path)
    assert (comparison.difference, comparison.matching) == (None, 90)


@pytest.mark.parametrize(
    ("commands", "kind", "tick"),
    [
        ((Command(forward=1.0),) * 50, DifferenceKind.LENGTH, 51),
        ((Command(forward=1.0),) * 20 + (Command(forward=0.5),) * 70, DifferenceKind.COMMAND, 21),
        ((Command(forward=1.0),) * 20 + (Command(forward=1.0, pitch=5),) * 70, DifferenceKind.COMMAND, 21),
    ],
)
def test_other_inputs_are_told_apart_from_other_levels(commands, kind, tick, tmp_path):
    comparison = compare_walks(walk(LEVEL, tmp_path), walk(LEVEL, tmp_path, "other", commands))
    assert comparison.difference is not None
    assert (comparison.difference.kind, comparison.difference.tick) == (kind, tick)


@pytest.mark.parametrize(
    ("new", "text"),
    [
        (LEVEL.replace("[0, 0, 3]", "[0, 0, 3.5]"), "the spawn moved by 0.5 m"),
        (LEVEL.replace("north", "east"), "the heading is 0.00° in A and 270.00° in B"),
        (LEVEL + "player: {radii: [0.3, 0.9, 0.3]}\n", "the bodies differ (radii (0.35, 0.9, 0.25) / (0.3, 0.9, 0.3))"),
    ],
)
def test_another_spawn_or_body_is_a_difference_before_the_first_tick(new, text, tmp_path):
    comparison = compare(LEVEL, new, tmp_path)
    assert comparison.difference is not None
    assert (comparison.difference.kind, comparison.difference.tick) == (DifferenceKind.START, 0)
    assert comparison.difference.cause.text == f"the walks begin with different states: {text}"


@pytest.mark.parametrize(("name", "floor", "is_noted"), [("Yard", 9, False), ("Garden", 8, False), ("Garden", 9, True)])
def test_two_levels_that_are_no_versions_of_one_are_noted(name, floor, is_noted, walker, folder):
    text = (
        LEVEL.replace("Yard", name).replace("[8, 8]", f"[{floor}, {floor}]").replace("at: [0, 0, 3]", "at: [0, 0, 2]")
    )
    (folder / "other.yaml").write_text(text)
    result = walker("diff", "yard.yaml", "other.yaml", "--commands", "walk.commands")
    assert result.status == 1
    assert ("note: Yard and Garden have 0% of their triangles in common" in result.out) == is_noted


def test_fields_of_states_are_told_in_words():
    assert not [name for name in (*STATE_ROW.names, *FIRST_FIELDS, WORLD_COUNTERS) if "_" in field_text(name)]


def test_an_event_that_only_one_world_has_is_a_difference(tmp_path):
    comparison = compare(LEVEL, LEVEL.replace("radius: 0.8", "radius: 1.6"), tmp_path)
    assert comparison.difference is not None
    assert comparison.difference.kind == DifferenceKind.WORLD
    assert [(field.recorded, field.now) for field in comparison.difference.fields] == [("none", "GoalReached")]


def test_the_picture_shows_both_paths_in_both_levels(tmp_path):
    comparison = compare(LEVEL, with_piece(BOX), tmp_path)
    assert comparison.a.level is not None
    assert comparison.b.level is not None
    figure = draw_comparison(comparison, comparison.a.level, comparison.b.level)
    texts = [getattr(shape, "text", "") for shape in figure.shapes]
    assert {"first difference, in A", "first difference, in B", "A: old", "B: new"} <= set(texts)
    assert any("box (wall), new.yaml:6" in text for text in texts)
    colours = {getattr(shape, "colour", None) for shape in figure.shapes}
    assert set(COLOURS) <= colours


@pytest.fixture
def replays(walker):
    """One walk, recorded in two versions of the level."""
    for name in ("yard", "higher"):
        walker("record", f"{name}.yaml", "--commands", "walk.commands", "-o", f"{name}.replay")


def test_a_replay_against_a_fresh_walk(walker, replays, folder):
    result = walker("diff", "yard.replay")
    assert (result.status, result.out.splitlines()[-1]) == (0, "the walks are the same: 120 ticks, bit for bit")
    (folder / "yard.yaml").write_text(FILES["higher.yaml"])
    result = walker("diff", "yard.replay", "-o", "diff.svg")
    assert result.status == 1
    assert "the level Yard has changed since the recording" in result.out
    assert "cause: box (walkable), yard.yaml:5, is touched in B and not in A" in result.out
    assert Path("diff.svg").read_text().startswith("<?xml")


def test_a_replay_against_another_version_of_its_level(walker, replays):
    for words in (("yard.replay", "higher.yaml"), ("yard.yaml", "higher.replay")):
        result = walker("diff", *words)
        assert result.status == 1
        assert "cause: box" in result.out


def test_what_the_world_keeps_beside_the_walker_is_compared(walker, replays, folder):
    (folder / "yard.yaml").write_text(LEVEL.replace("radius: 0.8", "radius: 1.6"))
    result = walker("diff", "yard.replay")
    assert result.status == 1
    assert "first difference at tick 120 (2.00 s), world" in result.out
    assert "the world's own counters: A hash" in result.out


def test_two_replays(walker, replays):
    result = walker("diff", "yard.replay", "higher.replay", "-o", "diff.png")
    assert result.status == 1
    assert "higher.yaml:5, is touched in B and not in A" in result.out
    assert np.asarray(Image.open("diff.png")).shape[1] == 1280
    assert walker("diff", "yard.replay", "yard.replay").status == 0


def test_a_cut_replay_ends_before_the_other(walker, replays, folder):
    data = (folder / "yard.replay").read_bytes()
    (folder / "cut.replay").write_bytes(data[: len(data) * 45 // 100])
    result = walker("diff", "yard.replay", "cut.replay")
    assert result.status == 1
    assert "B ends before this tick" in result.out
    assert "the file has no end" in result.out


def test_replays_without_their_levels_are_compared_too(walker, replays, folder):
    """The levels of the recordings are stored in them."""
    for name in ("yard.yaml", "higher.yaml"):
        (folder / name).unlink()
    result = walker("diff", "yard.replay", "higher.replay", "-o", "diff.png")
    assert result.status == 1
    assert "cause: box (walkable), higher.yaml:5," in result.out


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["yard.yaml"], "two levels need one walk: python run_game.py diff OLD NEW --commands FILE"),
        (["yard.yaml", "higher.yaml"], "two levels need one walk"),
        (["yard.replay", "--commands", "walk.commands"], "a replay has its own commands"),
        (["yard.replay", "-o", "diff.jpg"], "must be one of .png, .svg"),
        (["yard.replay", "-o", "diff.html"], "must be one of .png, .svg"),
        (["yard.replay", "demo"], "recorded in Yard, not in The courtyard"),
        (["yard.replay", "other.replay"], "yard.replay was recorded in Yard, other.replay in Other"),
        (["yard.replay", "gone.replay"], "gone.replay: no such file"),
        (["text.replay"], "text.replay: not a replay file"),
        (["yard.yaml", "gone.yaml", "--commands", "walk.commands"], "gone.yaml"),
        (["yard.replay", "targets.yaml"], "do not fit the level Yard"),
    ],
)
def test_what_cannot_be_compared(words, part, walker, replays, folder):
    (folder / "text.replay").write_text("hello")
    (folder / "other.yaml").write_text(LEVEL.replace("Yard", "Other"))
    (folder / "targets.yaml").write_text(with_piece("  - target: {at: [3, 1, 0], radius: 0.3}\n"))
    walker("record", "other.yaml", "--commands", "walk.commands", "-o", "other.replay")
    result = walker("diff", *words)
    assert (result.status, result.out) == (2, "")
    assert part in result.err
    assert not list(folder.glob("diff.*"))


def discs(figure, colours=COLOURS):
    """The discs with the labels A and B: the large ones in the colours of the walks."""
    return [shape for shape in figure.shapes if isinstance(shape, Circle) and shape.fill in colours]


def test_marks_of_ends_keep_their_order_and_hide_neither_goal_nor_ring(tmp_path):
    comparison = compare(
        LEVEL.replace("[0, 0, -4]", "[-0.4, 0, -2.9]"), LEVEL.replace("[0, 0, 3]", "[-0.4, 0, 3]"), tmp_path
    )
    assert comparison.a.level is not None
    assert comparison.b.level is not None
    figure = draw_comparison(comparison, comparison.a.level, comparison.b.level)
    a, b = (next(disc for disc in discs(figure) if disc.fill == colour) for colour in COLOURS)
    assert b.x + 18.0 <= a.x  # B ends west of A
    goal = next(shape for shape in figure.shapes if isinstance(shape, Circle) and shape.fill == palette.GOAL)
    for disc in (a, b):
        assert math.dist((disc.x, disc.y), (goal.x, goal.y)) > disc.radius + goal.radius


def test_the_mark_of_an_end_leaves_the_ring_visible():
    panel = PlanPanel(0.0, 0.0, PlanWindow(0.0, 0.0, 10.0, 10.0, 50.0), Storey(-1.0, 1.0))
    ring = 250.0, 225.0, 16.0  # above the end, where the mark stands otherwise
    assert panel._mark_places([(250.0, 250.0)], None)[0][1] < 250.0
    assert panel._mark_places([(250.0, 250.0)], ring)[0][1] > 250.0
    assert panel._mark_places([(250.0, 12.0)], None)[0][1] > 12.0


def test_a_small_level_fills_the_row_in_the_colours_of_its_plan(tmp_path):
    """Charts and details stand beside a narrow plan; stairs have the same colours in all plans, with a legend."""
    stairs = "  - stairs: {at: [0, 0, 1], facing: north, steps: 6, rise: 0.3, run: 0.3, width: 2}\n"
    comparison = compare(with_piece(stairs), with_piece(stairs.replace("0, 1]", "0, 0.7]")), tmp_path)
    assert comparison.a.level is not None
    assert comparison.b.level is not None
    figure = draw_comparison(comparison, comparison.a.level, comparison.b.level)
    plan, in_a, in_b = [shape for shape in figure.shapes if isinstance(shape, Picture)]
    assert plan.width > 400
    assert plan.left + plan.width < in_a.left < in_b.left
    assert in_b.left + in_b.width <= figure.width - MARGIN
    assert in_a.top < plan.top + plan.height / 2
    texts = {shape.text for shape in figure.shapes if isinstance(shape, Text)}
    assert {"ground 0.0 m", "2.0 m"} <= texts
    solid = np.array(SOLID_COLOUR)
    assert not [picture for picture in (plan, in_a, in_b) if (picture.pixels == solid).all(axis=-1).any()]
