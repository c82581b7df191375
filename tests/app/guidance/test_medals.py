"""Medals: for each gold a walk that wins it, none in a changed level, and times of earlier versions."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from game.app.menus import level_page
from game.app.runs import medals, progress
from game.app.runs.medals import Medal, MedalLimits, best_medal, medal_limits
from game.app.runs.progress import BestRun, LevelRecord
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.sim import World, command_script
from game.sim.trial import TrialRun

WITH_MEDALS = sorted(medals.read_medal_limits())


def shipped_walk(path):
    """Commands beside the level, else the walk of its first test."""
    beside = path.with_suffix(".commands")
    if beside.exists():
        return command_script.read_script(beside)
    tests = yaml.safe_load(path.with_suffix(".tests.yaml").read_text(encoding="utf-8"))["tests"]
    return command_script.parse_script("\n".join(tests[0]["walk"]) + "\n")


@pytest.mark.parametrize(
    "name", [name if name == "surfaces.yaml" else pytest.param(name, marks=pytest.mark.full) for name in WITH_MEDALS]
)
def test_gold_is_won_by_a_shipped_walk(name):
    level = load(SHIPPED_LEVELS / name)
    world = World(level)
    run = TrialRun(world)
    for command in shipped_walk(level.path).commands(world.start.heading):
        run.stepped(command, world.step(command))
        if run.is_finished:
            break
    assert run.is_finished
    limits = medal_limits(level, world.start.name)
    assert limits.medal_for(run.seconds, run.strokes) is Medal.GOLD
    if not limits.in_strokes:  # and not with much to spare
        assert run.seconds > 0.75 * dict(limits.limits)[Medal.GOLD]


def test_a_run_at_the_limit_has_the_medal():
    in_seconds = MedalLimits(((Medal.GOLD, 9.0), (Medal.SILVER, 12.0), (Medal.BRONZE, 20.0)))
    assert in_seconds.medal_for(9.0, None) is Medal.GOLD
    assert in_seconds.medal_for(9.01, None) is Medal.SILVER
    assert in_seconds.medal_for(20.0, None) is Medal.BRONZE
    assert in_seconds.medal_for(20.01, None) is None
    in_strokes = replace(in_seconds, in_strokes=True)
    assert (in_strokes.medal_for(1.0, 12), in_strokes.medal_for(1.0, 13)) == (Medal.SILVER, Medal.BRONZE)


def test_no_medal_from_another_spawn_or_in_a_changed_level(tmp_path):
    level = load(SHIPPED_LEVELS / "demo.yaml")
    assert medal_limits(level, "gate") is not None
    assert medal_limits(level, "roof") is None
    moved = replace(level, kill_height=level.kill_height - 1.0)
    assert medal_limits(moved, "gate") is None
    copy = tmp_path / "demo.yaml"
    copy.write_text("format: 1\nspawn: {at: [0, 0, 0]}\npieces: [{floor: {from: [-5, -5], to: [5, 5]}}]\n")
    assert medal_limits(load(copy), "spawn 1") is None
    assert best_medal(copy, BestRun(1.0)) is None
    assert best_medal(SHIPPED_LEVELS / "demo.yaml", BestRun(69.0)) is Medal.GOLD
    assert best_medal(SHIPPED_LEVELS / "demo.yaml", None) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"demo.yaml": 5}', '{"demo.yaml": {"gold": 1}}', '{"a": {"gold": "x"}}']
)
def test_a_damaged_table_means_no_medals(text, tmp_path, monkeypatch):
    (tmp_path / medals.TABLE_FILE).write_text(text)
    monkeypatch.setattr(medals, "shipped", lambda name: tmp_path)
    medals.read_medal_limits.cache_clear()
    try:
        assert medals.read_medal_limits() == {}
    finally:
        monkeypatch.undo()
        medals.read_medal_limits.cache_clear()


LEVEL = """\
format: 1
name: Yard
spawn: {{at: [0, 0, 0], facing: north}}
goal: {{at: [0, 0, -{far}], radius: 0.5}}
pieces: [{{floor: {{from: [-30, -30], to: [30, 30]}}}}]
"""


def test_times_of_an_earlier_version_stay_listed(tmp_path):
    path = tmp_path / "yard.yaml"
    for far, seconds in ((5, 3.0), (6, 4.0), (7, None)):
        path.write_text(LEVEL.format(far=far))
        level = load(path)
        progress.record_visit(level, "spawn 1")
        if seconds is not None:
            progress.record_finish(level, "spawn 1", BestRun(seconds))
    other = tmp_path / "other.yaml"
    other.write_text(LEVEL.format(far=9).replace("Yard", "Another"))
    progress.record_visit(load(other), "spawn 1")
    progress.record_finish(load(other), "spawn 1", BestRun(1.0))
    assert progress.level_record(path) == LevelRecord("Yard", progress.level_record(path).used)
    assert level_page.describe_earlier(path) == "Earlier versions of this level: 0:04.00, 0:03.00"
    assert level_page.describe_earlier(other) == ""
    assert level_page.describe_earlier(tmp_path / "never.yaml") == ""
