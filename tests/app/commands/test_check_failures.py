"""`check` where a part of it fails with an error of the program: it names the part, and reports all else."""

from __future__ import annotations

import json
import zipfile

import pytest

from game.app.commands.command_line import main
from game.app.launch import crash_report
from game.drawing import map_sheet
from game.level import lint, loader
from game.level.lint.context import subject_of
from game.sim.bots.exploration import LevelExploration

LEVEL = """\
format: 1
spawn: {at: [0, 0, 0]}
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - box: {from: [1, 0, 1], to: [3, 0.42, 3]}
goal: {at: [5, 7, 5]}
"""
GOAL = "the goal at (5, 7, 5) hangs in the air"  # another finding of the level


@pytest.fixture
def level(tmp_path):
    path = tmp_path / "level.yaml"
    path.write_text(LEVEL)
    return path


def fail(*_, **__):
    raise ValueError("no length")


def crashes():
    return sorted(crash_report.crash_folder().glob("crash-*.zip"))


def fail_at_box(context, *_):
    subject = subject_of(context.level.origins[1])
    assert subject.label == "box"
    fail()


@pytest.mark.parametrize(
    ("check", "place"),
    [(fail_at_box, "level.yaml:5:5: box"), (fail, "level.yaml:4:5: pieces")],
)
def test_a_check_that_fails_is_named_with_its_piece_and_the_others_report(level, monkeypatch, capsys, check, place):
    monkeypatch.setattr(lint.movers, "check_movers", check)
    before = crashes()
    assert main(["check", str(level), "--json"]) == 1
    printed = capsys.readouterr()
    assert f"{place}: the check of movers failed (ValueError: no length) [dropped]" in printed.err
    assert GOAL in printed.err
    (document,) = json.loads(printed.out)["levels"]
    assert document["status"] == 1
    assert document["counts"] == {"fatal": 0, "dropped": 1, "warning": 1}
    (report,) = set(crashes()) - set(before)
    assert "A check failed (ValueError: no length, game/level/lint/__init__.py" in printed.err
    assert str(report) in printed.err
    assert "in fail\n" in zipfile.ZipFile(report).read("trace.txt").decode()


@pytest.mark.sample(1)
@pytest.mark.parametrize("more", [[], ["--walk", "-n", "2"]])
def test_a_level_whose_reading_fails_leaves_the_other_levels(level, tmp_path, monkeypatch, capsys, more):
    build = loader._build_level

    def build_or_fail(source, **options):
        return fail() if source.path.name == "broken.yaml" else build(source, **options)

    monkeypatch.setattr(loader, "_build_level", build_or_fail)
    broken = tmp_path / "broken.yaml"
    broken.write_text(LEVEL)
    before = crashes()
    assert main(["check", str(broken), str(level), "--json", *more]) == 2
    printed = capsys.readouterr()
    assert f"{broken}: reading the level failed (ValueError: no length" in printed.err
    assert GOAL in printed.err
    documents = json.loads(printed.out)["levels"]
    assert [(each["file"], each["status"]) for each in documents] == [(str(broken), 2), (str(level), 0)]
    assert len(set(crashes()) - set(before)) == 1


@pytest.mark.parametrize(
    ("option", "owner", "name"),
    [("--map", map_sheet, "draw_map_sheet"), ("--walk", LevelExploration, "explore")],
)
def test_a_failing_walk_or_map_leaves_the_findings(level, tmp_path, monkeypatch, capsys, option, owner, name):
    monkeypatch.setattr(owner, name, fail)
    before = crashes()
    words = [option, str(tmp_path / "map.png")] if option == "--map" else [option]
    assert main(["check", str(level), *words]) == 1
    printed = capsys.readouterr()
    assert GOAL in printed.out
    assert f"{option} failed (ValueError: no length" in printed.out
    assert len(set(crashes()) - set(before)) == 1
    assert printed.out.splitlines()[-1].endswith("level.yaml: 1 warning; 1 check failed")
