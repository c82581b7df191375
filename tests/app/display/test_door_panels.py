"""Doors tell what is behind them: one name everywhere, the player's best time, and no crash for a bad file."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from game.app.display import door_panels
from game.app.display.door_panels import NOT_FINISHED, DoorPanels, describe_exit, panels_of
from game.app.menus import level_library
from game.app.menus.level_library import LevelEntry
from game.app.runs import progress
from game.app.runs.library import daily_files
from game.app.runs.progress import BestRun, LevelRecord
from game.core.jobs import Jobs
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file
from tests.support.until import wait_until

LEVELS = sorted(path for path in SHIPPED_LEVELS.glob("**/*.yaml") if not is_tests_file(path))
ROOM = """\
format: 1
name: My room
spawn: {at: [0, 0, 3]}
exits: [{at: [0, 0, -3.4], to: other.yaml, name: Elsewhere}]
pieces:
  - floor: {from: [-4, -4], to: [4, 4]}
  - wall: {from: [-4, -4], to: [4, -4], height: 3}
  - sign: {text: Your progress, at: [2.5, 1.5, -3.8], facing: south, width: 1, height: 0.5}
"""
OTHER = (
    "format: 1\nname: Another room\nabout: Look around. Then leave.\npieces: [floor: {from: [-4, -4], to: [4, 4]}]\n"
)


@pytest.fixture(autouse=True)
def _refreshes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_panels, "REFRESH_SECONDS", 0.0)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "room.yaml").write_text(ROOM, encoding="utf-8")
    (tmp_path / "other.yaml").write_text(OTHER, encoding="utf-8")
    return tmp_path / "room.yaml"


@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.relative_to(SHIPPED_LEVELS).as_posix())
@pytest.mark.sample(3)
def test_an_exit_has_the_name_of_the_level_behind_it(path: Path) -> None:
    """List, door sign, panel, title card and message show one name."""
    level = load(path)
    signs = {" ".join(sign.text.split()) for sign in level.signs}
    for exit_ in level.exits:
        if exit_.path.resolve() == path.resolve():
            continue
        assert exit_.name == load(exit_.path).name
        assert describe_exit(level, exit_).title == exit_.name
        if path.name in ("demo.yaml", "hall.yaml"):
            assert exit_.name in signs


@pytest.mark.full
def test_a_panel_shows_the_best_time_of_this_player() -> None:
    level = load(SHIPPED_LEVELS / "demo.yaml")
    waters = next(exit_ for exit_ in level.exits if exit_.to == "waters.yaml")
    assert describe_exit(level, waters).status == NOT_FINISHED
    target = load(waters.path)
    progress.record_visit(target, target.spawns[0].name)
    progress.record_finish(target, target.spawns[0].name, None)  # without time
    assert describe_exit(level, waters).status == "Finished"
    progress.record_finish(target, target.spawns[0].name, BestRun(83.4))
    text = describe_exit(level, waters)
    assert (text.title, text.status) == ("The water gardens", "Best 1:23.40")
    assert text.line == "Swim, dive and climb to the island."
    assert Path(text.picture).name == "waters.jpg"
    museum = next(exit_ for exit_ in level.exits if exit_.to.startswith("museum"))
    assert describe_exit(level, museum).status == ""  # there is nothing to finish


@pytest.mark.sample(2)
@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"name: [", b"x" * 20000, b"name: \x00\x01\n"])
def test_a_door_to_a_bad_file_has_its_name_and_no_more(room: Path, content: bytes | None) -> None:
    level, other = load(room), room.with_name("other.yaml")
    if content is None:
        other.unlink()
    else:
        other.write_bytes(content)
    text = describe_exit(level, level.exits[0])
    assert (text.status, text.picture) == ("", "")
    assert len(panels_of(level, (0.0, 1.4, 0.0))) == 1


def test_an_error_while_a_panel_is_drawn_leaves_the_plain_door(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(door_panels, "describe_exit", fail)
    level, eye, jobs = load(room), (0.0, 1.4, 0.0), Jobs()
    assert panels_of(level, eye) == ()
    panels = DoorPanels(jobs)
    wait_until(lambda: jobs.update() or len(panels.decals(level, eye)) == 1)  # the progress board


def entry_of_today() -> LevelEntry:
    path = daily_files.level_file(daily_files.today())
    return next(entry for entry in level_library.find_levels() if entry.path == path)


def test_the_course_of_today_says_how_yesterday_and_the_last_week_went(monkeypatch) -> None:
    bests = {1: BestRun(41.2), 3: BestRun(50.0), 7: BestRun(60.0), 8: BestRun(10.0)}
    days = {daily_files.level_file(daily_files.today() - timedelta(days=day)): run for day, run in bests.items()}
    monkeypatch.setattr(progress, "level_record", lambda path: LevelRecord(finished=path in days, best=days.get(path)))
    today = entry_of_today()
    assert today.description.endswith("Yesterday: 0:41.20. Last seven days: 3 of 7 finished.")
    yesterday = daily_files.level_file(daily_files.today() - timedelta(days=1))
    days[yesterday] = None  # after a rewind
    today = entry_of_today()
    assert today.description.endswith("Yesterday: finished. Last seven days: 3 of 7 finished.")
    del days[yesterday]
    today = entry_of_today()
    assert today.description.endswith("Yesterday: not finished. Last seven days: 2 of 7 finished.")
