"""`diff`: the first tick and field that differ, the surface that made it, pictures, and sentences for bad input."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game import COMMAND
from game.drawing.canvas import INK, Circle
from game.drawing.plot_sheet import RING_RADIUS
from game.level import load
from game.reports.walk_diff import (
    COLOURS,
    DifferenceKind,
    WalkComparison,
    compare_walks,
    draw_comparison,
    fresh_walk,
)
from game.sim import Command, World
from game.sim.tick_input import TickInput
from tools.docs.json_pages import LEVEL

BOX = "  - box: {from: [-1, 0, -2], to: [1, 1, -1]}\n"


def with_piece(piece: str) -> str:
    return LEVEL.replace("goal:", piece + "goal:")


def walk(text: str, folder: Path, name: str = "level", commands: tuple[Command, ...] = (Command(forward=1.0),) * 90):
    """A fresh walk in a level of a text."""
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    level = load(path)
    return fresh_walk(name, World(level), level, map(TickInput, commands))


def compare(text_a: str, text_b: str, folder: Path) -> WalkComparison:
    return compare_walks(walk(text_a, folder, "old"), walk(text_b, folder, "new"))


def test_walks_in_the_same_level_are_the_same(tmp_path):
    comparison = compare(LEVEL, LEVEL.replace("Yard", "Other"), tmp_path)
    assert (comparison.difference, comparison.matching) == (None, 90)


def test_the_first_tick_and_its_fields_are_named(tmp_path):
    comparison = compare(LEVEL, with_piece(BOX), tmp_path)
    difference = comparison.difference
    assert difference is not None
    assert (difference.kind, difference.fields[0].name) == (DifferenceKind.STATE, "position")
    assert comparison.matching == difference.tick - 1
    feet_a, feet_b = (walk.table.feet for walk in comparison.walks)
    assert (feet_a[: difference.tick] == feet_b[: difference.tick]).all()
    assert (feet_a[difference.tick] != feet_b[difference.tick]).any()
    assert len(comparison.walks[0].table.tick) == len(comparison.walks[1].table.tick) == 91


def test_another_spawn_is_a_difference_before_the_first_tick(tmp_path):
    comparison = compare(LEVEL, LEVEL.replace("[0, 0, 3]", "[0, 0, 3.5]"), tmp_path)
    assert comparison.difference is not None
    assert (comparison.difference.kind, comparison.difference.tick) == (DifferenceKind.START, 0)
    assert comparison.difference.fields[0].name == "position"


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


def test_an_event_that_only_one_world_has_is_a_difference(tmp_path):
    comparison = compare(LEVEL, LEVEL.replace("radius: 0.8", "radius: 1.6"), tmp_path)
    assert comparison.difference is not None
    assert comparison.difference.kind == DifferenceKind.WORLD
    assert [(field.recorded, field.now) for field in comparison.difference.fields] == [("none", "GoalReached")]


def test_the_picture_shows_both_paths_in_both_levels(tmp_path):
    comparison = compare(LEVEL, with_piece(BOX), tmp_path)
    level_a, level_b = comparison.a.find_level(), comparison.b.find_level()
    assert level_a is not None
    assert level_b is not None
    canvas = draw_comparison(comparison, level_a, level_b)
    texts = [getattr(shape, "text", "") for shape in canvas.shapes]
    assert {"A: old", "B: new"} <= set(texts)
    assert any(text.startswith("on the plan of B; first difference at tick ") for text in texts)
    colours = {getattr(shape, "colour", None) for shape in canvas.shapes}
    assert set(COLOURS) <= colours
    rings = [shape for shape in canvas.shapes if isinstance(shape, Circle) and shape.radius == RING_RADIUS]
    assert [(ring.fill, ring.outline) for ring in rings] == [(None, INK)]


@pytest.fixture
def replays(walker):
    """One walk, recorded in two versions of the level."""
    for name in ("yard", "higher"):
        walker("record", f"{name}.yaml", "--commands", "walk.commands", "-o", f"{name}.replay")


@pytest.mark.full
def test_errors_of_a_stored_level_name_no_temporary_file(walker, folder):
    (folder / "yard.yaml").write_text(with_piece("  - box: {bogus: 1}\n"))
    walker("record", "yard.yaml", "--commands", "walk.commands", "-o", "bad.replay")
    (folder / "yard.yaml").unlink()
    note = "note: parts of yard.yaml, as stored in the replay, are left out; the first: yard.yaml:6: box: "
    result = walker("plot", "bad.replay", "-o", "bad.png")
    assert result.status == 0
    assert note in result.out + result.err
    assert tempfile.gettempdir() + "/walker-" not in result.out + result.err


def test_what_the_world_keeps_beside_the_walker_is_compared(walker, replays, folder):
    (folder / "wide.yaml").write_text(LEVEL.replace("radius: 0.8", "radius: 1.6"))
    walker("record", "wide.yaml", "--commands", "walk.commands", "-o", "wide.replay")
    result = walker("diff", "yard.replay", "wide.replay")
    assert result.status == 1
    assert "first difference at tick 120 (2.00 s), world" in result.out
    assert "the world's own counters: A hash" in result.out


def test_other_commands_are_a_cause_with_both_commands_named(walker, replays, folder):
    (folder / "turned.commands").write_text("20 forward 1\n100 forward 1 turn -1\n")
    walker("record", "yard.yaml", "--commands", "turned.commands", "-o", "turned.replay")
    result = walker("diff", "yard.replay", "turned.replay", "--json")
    difference = json.loads(result.out)["difference"]
    assert (difference["kind"], difference["text"]) == ("command", "the commands differ")
    assert "command: A forward 1 heading 0.00°, B forward 1" in result.err
    assert "/" not in next(line for line in result.err.splitlines() if line.startswith("first difference"))


def test_a_level_without_some_parts_is_noted(walker, folder):
    (folder / "broken.yaml").write_text(
        with_piece("  - teleport: {from: [-2, 0, -3], to: [2, 2, -2], exit: [1, 0, 1]}\n")
    )
    result = walker("diff", "yard.yaml", "broken.yaml", "--commands", "walk.commands", "--json")
    document = json.loads(result.out)
    assert document["status"] == 0
    note = (
        f"parts of broken.yaml are left out (2 errors); see `{COMMAND} check broken.yaml`; the first: broken.yaml:6:5:"
    )
    assert document["notes"][0].startswith(note)
    assert f"note: {note}" in result.err


def test_diff_of_two_replays_draws_the_picture(walker, replays):
    result = walker("diff", "yard.replay", "higher.replay", "-o", "diff.png")
    assert result.status == 1
    assert np.asarray(Image.open("diff.png")).shape[1] == 1280
    assert walker("diff", "yard.replay", "yard.replay").status == 0


@pytest.mark.full
def test_a_cut_replay_ends_before_the_other(walker, replays, folder):
    walker("record", "yard.yaml", "--commands", "walk.commands", "--ticks", "60", "-o", "cut.replay")
    (folder / "cut.replay").write_bytes((folder / "cut.replay").read_bytes()[:-40])
    result = walker("diff", "yard.replay", "cut.replay")
    assert result.status == 1
    assert "B ends before this tick" in result.out
    assert "the file has no end" in result.out


@pytest.mark.full
def test_replays_without_their_levels_are_compared_too(walker, replays, folder):
    """The levels of the recordings are stored in them."""
    for name in ("yard.yaml", "higher.yaml"):
        (folder / name).unlink()
    result = walker("diff", "yard.replay", "higher.replay", "-o", "diff.png")
    assert result.status == 1
    assert "first difference at tick " in result.out


REFUSED = [
    (["yard.yaml", "higher.yaml"], "two levels need one walk: python run_game.py diff OLD NEW --commands FILE"),
    (["yard.replay", "higher.yaml"], "a replay is compared with a replay; to walk it again in a level: "),
    (["walk.commands", "yard.replay"], "a replay is compared with a replay"),
    (["yard.replay", "higher.replay", "--commands", "walk.commands"], "a replay has its own commands"),
    (["yard.replay", "higher.replay", "-o", "diff.svg"], "diff.svg: -o must be a .png"),
    (["yard.replay", "higher.replay", "-o", "diff.html"], "diff.html: -o must be a .png"),
    (["yard.replay", "other.replay"], "yard.replay was recorded in Yard, other.replay in Other"),
    (["yard.replay", "gone.replay"], "gone.replay: no such file"),
    (["yard.replay", "gone.yaml"], "gone.yaml: no such file"),
    (["gone.replay", "yard.yaml"], "gone.replay: no such file"),
    (["yard.replay", "text.replay"], "text.replay: not a replay file"),
    (["yard.yaml", "gone.yaml", "--commands", "walk.commands"], "gone.yaml"),
]


@pytest.mark.full
def test_diff_refuses_what_it_cannot_compare_and_writes_no_file(walker, replays, folder):
    (folder / "text.replay").write_text("hello")
    (folder / "other.yaml").write_text(LEVEL.replace("Yard", "Other"))
    walker("record", "other.yaml", "--commands", "walk.commands", "-o", "other.replay")
    for words, part in REFUSED:
        result = walker("diff", *words)
        assert (result.status, result.out) == (2, ""), words
        assert part in result.err, words
    assert not list(folder.glob("diff.*"))
