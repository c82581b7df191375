"""`check --walk` and `check --map` as a user types them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from game.app.commands.check import walk
from game.app.commands.check.walk import summarise_walk
from game.level import load
from game.sim.bots.exploration import GoalAnswer, level_targets
from game.sim.bots.search import TargetKind
from game.sim.bots.walk_findings import BotReport
from tests.support import fork_server

pytestmark = pytest.mark.jit
ROOT = Path(__file__).resolve().parents[3]
BROKEN = ROOT / "tests" / "sim" / "bots" / "walked"


@pytest.fixture(scope="module")
def pit(tmp_path_factory):
    """A level with a pit, walked once with everything kept: (folder, result)."""
    folder = tmp_path_factory.mktemp("walked")
    shutil.copy(BROKEN / "pit.yaml", folder / "pit.yaml")
    words = ["check", "pit.yaml", "--walk", "-o", "found", "--map", "map.png", "--strict"]
    result = fork_server.fork_command(words, {**os.environ, "PYTHONPATH": str(ROOT)}, folder, 300)
    return folder, result


@pytest.mark.full
def test_check_walk_prints_the_finding_its_files_and_the_share_that_was_walked(pit):
    folder, result = pit
    assert result.returncode == 1, result.stderr  # --strict
    assert "Traceback" not in result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith('pit.yaml:7:5: room "pit": a player cannot get out at (')
    assert lines[0].endswith("[warning]")
    assert lines[2].strip() == "| " + " " * 4 + "^^^^"
    assert lines[4].strip() == "see found/01-pit.commands and found/01-pit.png"
    assert "the bots reached 100 % of" in result.stdout
    assert lines[-1] == "pit.yaml: 1 warning"
    assert sorted(path.name for path in (folder / "found").iterdir()) == ["01-pit.commands", "01-pit.png"]


@pytest.mark.full
def test_progress_is_plain_lines_where_there_is_no_terminal(pit):
    _, result = pit
    lines = result.stderr.splitlines()
    progress = [line for line in lines if " places found" in line]
    assert progress
    assert all("\r" not in line and "\x1b" not in line for line in lines)
    parts = [int(line.split()[0]) for line in progress]
    assert parts == sorted(parts)


@pytest.mark.full
def test_sim_walks_what_was_kept_to_the_same_place(pit, game):
    folder, _ = pit
    result = game("sim", "pit.yaml", "--commands", "found/01-pit.commands", "-o", "walk.npz", cwd=folder)
    assert result.returncode == 0, result.stderr
    rows = np.load(folder / "walk.npz")
    assert rows["position"][-1, 1] == pytest.approx(-2 + 0.9 * 1.01, abs=1e-3)
    assert rows["grounded"][-1]


@pytest.mark.full
def test_the_map_and_the_place_are_pictures_of_the_level(pit):
    folder, _ = pit
    map_ = np.asarray(Image.open(folder / "map.png").convert("RGB"), np.int64)
    place = np.asarray(Image.open(folder / "found" / "01-pit.png").convert("RGB"), np.int64)
    red = np.array((200, 44, 34))
    for picture in (map_, place):
        assert (np.abs(picture - red).sum(axis=2) < 30).sum() > 60  # the number, or the ring and the way
    assert place.shape == (694, 640, 3)
    assert map_.shape[0] >= 640


@pytest.mark.parametrize("where", ["goal", "room"])
def test_where_a_finding_is_about_the_goal_the_bots_tell_no_other_reason(monkeypatch, where):
    monkeypatch.setattr(walk, "_print_report", lambda *arguments: None)
    goal, spawn = (SimpleNamespace(kind=kind) for kind in (TargetKind.GOAL, TargetKind.SPAWN))
    found = tuple(SimpleNamespace(details=SimpleNamespace(targets=of)) for of in ((goal,), (goal, spawn), ()))
    empty = np.zeros((0, 3))
    report = BotReport(found, {}, (), empty, None, np.zeros(0, bool), empty, 0, 0, True)
    left = walk.run_bots(None, None, report, [SimpleNamespace(where=where)])
    assert left.findings == (found[1:] if where == "goal" else found)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "pit.yaml", "-o", "found"], "-o needs --walk"),
        (["check", "pit.yaml", "--map", "map.jpg"], "must be a .png"),
        (["check", "pit.yaml", "demo", "--map", "map.png"], "--map takes one level"),
    ],
)
def test_what_does_not_go_together_is_said(game, tmp_path, arguments, words):
    folder = tmp_path / "here"
    shutil.copy(BROKEN / "pit.yaml", folder / "pit.yaml")
    result = game(*arguments, cwd=folder)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(folder.iterdir()) == [folder / "pit.yaml"]


@pytest.mark.parametrize(("arguments", "words"), [
    (["--walk", "-o", "missing/found"], "missing: no such folder; create it first"),
    (["--walk", "-o", "pit.yaml"], "pit.yaml: is a file, not a folder; choose another folder"),
    (["--walk", "-o", "pit.yaml/found"], "pit.yaml: is a file, not a folder; choose another folder"),
    (["--walk", "--map", "missing/map.png"], "missing: no such folder; create it first"),
    (["--walk", "--map", "folder.png"], "folder.png: is a directory"),
])  # fmt: skip
@pytest.mark.sample(1)
def test_an_output_that_cannot_be_written_is_refused_before_the_walk(game, tmp_path, arguments, words):
    shutil.copy(BROKEN / "pit.yaml", tmp_path / "pit.yaml")
    (tmp_path / "folder.png").mkdir()
    result = game("check", "pit.yaml", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.endswith(f"{words}\n")
    assert result.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.png", "here", "pit.yaml"]


def test_a_level_that_is_none_is_not_walked(game, tmp_path):
    (tmp_path / "x.yaml").write_text("format: 1\nspawn: {at: [0, 0, 0]}\npieces: []\n")
    result = game("check", "x.yaml", "--walk", "--map", "map.png", cwd=tmp_path)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert "places found" not in result.stderr
    assert not (tmp_path / "map.png").exists()


@pytest.mark.full
def test_a_spawn_without_room_is_no_trace(game, tmp_path):
    (tmp_path / "x.yaml").write_text(
        "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-3, -3], to: [3, 3]}\n"
        "  - box: {from: [-2, 0, -2], to: [2, 0.9, 2]}\n  - box: {from: [-2, 1, -2], to: [2, 3, 2]}\n"
    )
    result = game("check", "x.yaml", "--walk", cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    assert "x.yaml:2:1: spawn" in result.stdout
    assert "there is no room" in result.stdout
    assert "Traceback" not in result.stderr


BALL = "  - ball: {at: [-3, 1, -3], radius: 0.3}\n"


@pytest.mark.parametrize(
    ("ticks", "line"),
    [
        (738, "the goal can be reached: 12.3 s at best"),
        (None, "the bots did not reach the goal: the nearest place reached is 40.0 m away"),
    ],
)
def test_a_line_tells_whether_the_goal_was_reached(ticks, line):
    text = (
        "format: 1\nspawn: {at: [0, 0, 0]}\ngoal: {at: [0, 40, 0]}\npieces:\n  - floor: {from: [-5, -5], to: [5, 5]}\n"
    )
    level = load(text=text)
    reached = np.array([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    targets = tuple((target, ticks) for target in level_targets(level))
    answers = (GoalAnswer("", ticks, distance=40.0),)
    report = BotReport((), {}, targets, reached, None, np.zeros(0, np.bool_), np.zeros((0, 3)), 1, 1, True, answers)
    assert summarise_walk(level, report) == [line]


def test_the_time_to_a_goal_says_what_it_leaves_out():
    level = load(
        text="format: 1\nspawn: {at: [0, 0, 0]}\ngoal: {at: [0, 0, -4], after: targets}\npieces:\n"
        "  - floor: {from: [-5, -5], to: [5, 5]}\n  - target: {at: [2, 1, 2]}\n"
    )
    answers = (GoalAnswer("", 60),)
    report = BotReport((), {}, (), np.zeros((1, 3)), None, np.zeros(0, np.bool_), np.zeros((0, 3)), 1, 1, True, answers)
    line = "the goal can be reached: 1.0 s at best, without the targets that it asks for first"
    assert summarise_walk(level, report) == [line]


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [("", []), (BALL, ["gem: not reached on foot"])],
)
def test_a_target_that_no_bot_reached_has_a_line_where_no_finding_tells_it(pieces, lines):
    text = "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-5, -5], to: [5, 5]}\n"
    text += "  - target: {name: gem, at: [2, 9, 2]}\n"
    level = load(text=text + pieces)
    targets = tuple((target, None) for target in level_targets(level))
    report = BotReport((), {}, targets, np.zeros((1, 3)), None, np.zeros(0, np.bool_), np.zeros((0, 3)), 1, 1, True, ())
    assert summarise_walk(level, report) == lines
